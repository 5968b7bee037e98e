import { expect } from "chai";
import { textOf, toLines } from "../markdown/lines.ts";
import { readKeyedChoices } from "./choice-key.ts";

const choices = "1. `a`\n2. `b`\n3. `c`\n";
const read = (solution: string, task = `Which prints 2?\n\n${choices}`) => readKeyedChoices(toLines(task), toLines(solution));
const keyOf = (solution: string, task?: string): number[] | string | null => {
  const found = read(solution, task);
  return found === null || typeof found === "string" ? found : found.choices.flatMap(({ correct }, index) => (correct ? [index + 1] : []));
};

describe("the key of a challenge with choices", () => {
  for (const [solution, key] of [
    ["Option 2 is correct. It prints.", [2]],
    ["The correct answer is 2, because it prints.", [2]],
    ["The answer is (2)-It prints.", [2]],
    ["The solution is `3.`\n\nIt prints.", [3]],
    ["2 is the correct answer. It prints.", [2]],
    ["**Correct answer: 2**\n\nIt prints.", [2]],
    ["1. No: it does not.\n2. Yes: it prints.\n3. No.", [2]],
    ["1. Prints 1\n2. This is the correct answer\n3. Prints 3", [2]],
    ["1. No\n2. Yes: it prints.\n3. Yes: it prints, too.", [2, 3]],
  ] as const)
    it(`is read from ${JSON.stringify(solution)}`, () => expect(keyOf(solution)).to.deep.equal(key));

  for (const solution of [
    "It prints.",
    "Option 2 is not correct. It prints.",
    "Option 2 is correct if `x` is set.",
    "The answer is 2 or 3.",
    "The correct answers are 2 and 3.",
    "The answer is 2, 3.",
    "The answer is 2 lines.",
    "The answer is 2.5.",
    "The answer is 7.",
    "Option 2 is correct.\n\nOption 3 is correct.",
    "Option 2 is correct.\n\nOption 3 also works.",
    "Option 2 is correct.\n\nOption 1 is the second option.",
    "1. Yes\n2. Yes\n3. Yes",
    "1. No\n2. No\n3. No",
    "1. Prints.\n2. Yes.\n3. Works, too.",
    "2. Yes\n3. No",
    "1. The text is overwritten.",
  ])
    it(`is not read from ${JSON.stringify(solution)}`, () => expect(keyOf(solution)).to.satisfy((key: unknown) => !Array.isArray(key)));

  for (const task of [
    `Do this:\n\n${choices}`,
    `Which type has each?\n\n${choices}`,
    `Which?\n\n${choices}\nThen try it.`,
    "Which?\n\n1. `a`?\n2. `b`?",
    "Which?\n\n1. `a`\n2. Both 1 and 3\n3. `b`",
    "Which?\n\n1. 3\n2. 2\n3. 1",
    "Which?\n\n1. a\n2. b\n\nWhat else?\n\n1. c\n2. d",
    "Which?\n\n2. a\n3. b",
  ])
    it(`is not read where the choices are ${JSON.stringify(task)}`, () =>
      expect(keyOf("Option 2 is correct. It prints.", task)).to.satisfy((key: unknown) => !Array.isArray(key)));

  it("is not taken from yes and no where the question is negative", () => {
    expect(keyOf("1. No\n2. Yes\n3. No", `Which does not print?\n\n${choices}`)).to.be.a("string");
  });

  it("puts the choices' words in place of their numbers, which a shuffled list has not", () => {
    const found = read("Option 2 is correct.\nOption 1 prints 1.\n\n`3.` prints 3.");
    expect(found).to.have.property("explanation");
    if (found !== null && typeof found !== "string") expect(textOf(found.explanation)).to.equal("`a` prints 1.\n\n`c` prints 3.");
  });

  it("refuses numbers of choices that are too long to be named", () => {
    expect(keyOf("Option 1 is correct. Option 2 fails.", "Which?\n\n1. `a`\n2. ```\n   b\n   c\n   ```\n")).to.be.a("string");
  });

  it("reads lettered choices", () => {
    expect(keyOf("The answer is B. It prints.", "Which?\n\nA. one\nB. two\n")).to.deep.equal([2]);
    expect(keyOf("The answer is a list.", "Which?\n\na) one\nb) two\n")).not.to.be.an("array");
  });
});

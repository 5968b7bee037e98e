import { expect } from "chai";
import { written } from "../answer.ts";
import { translatorOf } from "../language.ts";
import { understand } from "../question.ts";
import type { Passage } from "../segments.ts";
import { excerpt, scoresOf } from "./excerpt.ts";

const filler = "Nothing here is about it, and it is a paragraph of many words that a reader can leave aside. ".repeat(4);

/** Paragraphs of one section, each behind the one before it; code stands in fences. */
const section = (...texts: string[]): Passage[] =>
  texts.map((text, index) => ({
    id: `s${index + 1}`,
    title: "Loops",
    trail: ["Python", "Loops"],
    kind: text.startsWith("```") || text.startsWith("Output:") ? "code" : "prose",
    isMarkdown: true,
    text,
    ...(index > 0 && { follows: `s${index}` }),
  }));

const asked = understand("Explain what a for loop does");
const textOf = (passages: readonly Passage[]): string => written(excerpt(passages, asked, []), translatorOf({ question: "", whole: "" }));

describe("an excerpt of a long text", () => {
  const loop = "A for loop does an operation once for each thing in a sequence:";
  const code = "```python\nfor num in odds:\n    print(num)\n```";
  const output = "Output:\n\n```text\n1\n3\n```";

  it("is the paragraph that says most, with the code that it announces and what that prints", () => {
    expect(textOf(section(filler, loop, code, output))).to.equal(
      "A for loop does an operation once for each thing in a sequence [s2][s3]:\n\n" +
        "```python\nfor num in odds:\n    print(num)\n```\n\nOutput [s4]:\n\n```text\n1\n3\n```",
    );
  });

  it("goes on with what corrects it, and with what stands behind a few words", () => {
    const corrected = "But this prints nothing where the list is empty, so test that first.";
    expect(textOf(section(filler, loop, code, corrected, "An empty list has the length 0."))).to.match(/But this prints .*the length 0/s);
  });

  it("shows no more of many listings than fits", () => {
    const text = textOf(section(loop, ...Array.from({ length: 40 }, () => code)));
    expect(text.match(/```python/g)?.length).to.be.below(13);
  });

  it("leaves out a paragraph that only announces what is not there", () => {
    expect(textOf(section("Here the loop looks like this:", "A for loop does one thing many times."))).to.equal(
      "A for loop does one thing many times. [s2]",
    );
  });

  it("begins with the paragraph that the best one goes on from", () => {
    const text = textOf(
      section(filler, "Four lines print four numbers.", "But the same for loop does that for any sequence of numbers in two.", filler),
    );
    expect(text).to.match(/^Four lines .*But the same for loop/s);
  });

  it("begins a list with its first entry where the best passage goes on with the list, as one list", () => {
    const first = "Two kinds repeat:\n\n- `while` repeats as long as it can.\n- `until` repeats until it cannot.";
    expect(textOf(section(filler, first, "- `for` is a for loop for each thing.", filler))).to.include(
      "Two kinds repeat [s2]:\n\n- `while` repeats as long as it can. [s2]\n- `until` repeats until it cannot. [s2]\n" +
        "- `for` is a for loop for each thing. [s3]",
    );
  });

  it("shows a list within a list, under the words that announce it", () => {
    const text = textOf(
      section("- A for loop has parts:\n  - the name that it gives things\n  - the for loop's body\n- It ends with its indentation."),
    );
    expect(text).to.equal(
      "- A for loop has parts [s1]:\n    - the name that it gives things [s1]\n    - the for loop's body [s1]\n- It ends with its indentation. [s1]",
    );
  });

  it("keeps the numbers of a list within a list", () => {
    const text = textOf(section("- A for loop has parts:\n    1. the name that it gives things\n    2. the for loop's body"));
    expect(text).to.include("\n    1. the name that it gives things [s1]\n    2. the for loop's body [s1]");
  });

  it("weighs a paragraph more that is the first to have the subject's words", () => {
    const said = "The for loop does it.";
    const passages = section(filler, said, filler, said);
    const scores = [...scoresOf(passages, asked).values()];
    expect(scores[1]).to.be.greaterThan(scores[3] ?? 0);
  });

  it("does not begin within a sentence that a picture stands before", () => {
    const [before, behind] = section("A for loop does one thing many times.", "where each for loop and its for loop is done.");
    const { follows: _, ...tornOff } = behind as Passage;
    expect(textOf([...(before ? [before] : []), tornOff])).to.equal("A for loop does one thing many times. [s1]");
  });

  it("has code whose paragraph goes on from others where there is no room for those", () => {
    const better = "Here's a better approach, a for loop for this loop:";
    expect(textOf(section(loop, code, filler.repeat(3), better, code)))
      .to.include("better approach")
      .and.not.include("leave aside");
  });

  it("leaves out what speaks of the text itself, and a last sentence whose figure is not there", () => {
    const said = "In this episode we will learn to repeat things. A for loop does one thing many times. A for loop looks like this.";
    expect(textOf(section(filler, said))).to.equal("A for loop does one thing many times. [s2]");
    const example = "A for loop does one thing many times. In the example below, a for loop counts to ten and stops.";
    expect(textOf(section(filler, example))).to.equal("A for loop does one thing many times. [s2]");
  });
});

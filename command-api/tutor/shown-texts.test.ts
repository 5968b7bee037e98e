import { expect } from "chai";
import { identified, isCopied, isReadOff, statementsOf } from "./shown-texts.ts";

const lesson =
  "A pipe connects the output of one command to the input of the next command.[^1] Both commands run at the same time, so no intermediate file is needed. The shell starts them in separate processes.";
const choices = (...texts: string[]) => texts.map((text, index) => ({ choiceId: `c${index}`, text }));
const question = { prompt: "Which of these statements is true?", selection: "single" as const, right: ["c0"], modelAnswer: "" };

describe("what a learner was shown", () => {
  it("gives a statement and the same one made false by a word one id, and another an id of its own", () => {
    const known = identified(["A pipe connects the output of one command to the input of the next command."], []);
    const [flipped, other] = identified(
      [
        "A pipe connects the input of one command to the input of the next command.",
        "The redirect operator writes the output of a command into a file.",
      ],
      known,
    );
    expect(flipped?.id).to.equal(known[0]?.id);
    expect(other?.id).to.not.equal(known[0]?.id);
  });

  it("reads a short choice together with its question", () => {
    const short = { ...question, prompt: "Which command counts lines?", choices: choices("wc -l", "sort -n") };
    expect(statementsOf(short)).to.deep.equal(["Which command counts lines? wc -l"]);
  });

  it("compares formulas as wholes", () => {
    const matrix = (entries: string) => String.raw`$\begin{pmatrix} ${entries} \end{pmatrix}$`;
    const matrices = [matrix(String.raw`2 & 1 \\ 0 & 2`), matrix(String.raw`2 & 0 \\ 1 & 2`), matrix(String.raw`2 & 1\\0 & 2`)];
    expect(statementsOf({ ...question, choices: choices(...matrices) })).to.deep.equal(matrices);
    const [one, turned, same] = identified(matrices, []);
    expect(turned?.id).to.not.equal(one?.id);
    expect(same?.id).to.equal(one?.id);
    const isShown = (text = "") => isReadOff({ ...question, choices: choices(text) }, [`Its matrix is ${matrices[0]}.`]);
    expect([isShown(matrices[2]), isShown(matrices[1])]).to.deep.equal([true, false]);
  });

  it("finds a formula in a longer one, in a displayed one, and a tuple in plain signs", () => {
    const matrix = String.raw`\begin{pmatrix} 6 & 0 \\ 12 & 6 \end{pmatrix}`;
    const isShown = (choice: string, text: string) => isReadOff({ ...question, choices: choices(choice) }, [text]);
    expect(isShown(`$${matrix}$`, `So $AB = ${matrix}$.`)).to.equal(true);
    expect(isShown(`$${matrix}$`, `So\n\n$$\nAB = ${matrix}.\n$$`)).to.equal(true);
    expect(isShown(`$${matrix}$`, String.raw`So $AB = \begin{pmatrix} 6 & 1 \\ 12 & 6 \end{pmatrix}$.`)).to.equal(false);
    const pairs = { ...question, selection: "match" as const, right: [], choices: [], modelAnswer: "- first vector b1 → (3, 0)" };
    expect(isReadOff(pairs, ["The first vector is $b_1 = (3, 0)$, as b1 says."])).to.equal(true);
    expect(isReadOff(pairs, ["The first vector is $b_1 = (0, 3)$, as b1 says."])).to.equal(false);
  });

  it("takes numbers of a sentence for no pairs", () => {
    const modelAnswer = "- (1, 2) → (3, 4)\n- (2, 1) → (4, 3)";
    const pairs = { ...question, selection: "match" as const, right: [], choices: [], modelAnswer };
    expect(isReadOff(pairs, ["Take 4 apples, 3 pears, 2 plums and 1 nut."])).to.equal(false);
  });

  it("recognises a right choice that stands in a lesson, and not one in other words", () => {
    const asked = (text: string) =>
      isReadOff({ ...question, choices: choices(text, "No file is ever needed by any of the commands.") }, [lesson]);
    expect(asked("Both commands run at the same time, so no intermediate file is needed.")).to.equal(true);
    expect(asked("While the first program still writes, the second already reads what arrives.")).to.equal(false);
  });

  it("recognises a sentence with gaps that stands in a lesson", () => {
    const asked = (modelAnswer: string) => isReadOff({ ...question, selection: "gap", right: [], choices: [], modelAnswer }, [lesson]);
    expect(asked("The shell starts them in separate processes.")).to.equal(true);
    expect(asked("The shell reads one line after the other.")).to.equal(false);
  });

  it("recognises such a sentence under an instruction that stands nowhere", () => {
    const asked = (...sentences: [prompt: string, filled: string][]) => {
      const [prompt, modelAnswer] = [0, 1].map((at) => ["Fill in one word each.", ...sentences.map((pair) => pair[at])].join("\n\n"));
      return isReadOff({ selection: "gap", right: [], choices: [], prompt: prompt ?? "", modelAnswer: modelAnswer ?? "" }, [lesson]);
    };
    const shown: [string, string] = ["The shell starts them in […] processes.", "The shell starts them in separate processes."];
    expect(asked(shown)).to.equal(true);
    expect(asked(shown, ["A filter reads […] before it writes.", "A filter reads lines before it writes."])).to.equal(false);
  });

  it("recognises pairs that stand in the rows of a table that was read", () => {
    const table = "| Habit | Better |\n| --- | --- |\n| Rereading | Close the book and write |\n| Copying notes | Explain from memory |";
    const asked = (modelAnswer: string) => isReadOff({ ...question, selection: "match", right: [], choices: [], modelAnswer }, [table]);
    expect(asked("- Rereading → Close the book and write\n- Copying notes → Explain from memory")).to.equal(true);
    expect(asked("- Rereading → Close the book and write\n- Underlining → Ask yourself what it means")).to.equal(false);
  });

  it("recognises items to put in order that were read in this order", () => {
    const steps = "1. Read the section once.\n2. Say what it said.\n3. Look at what you missed.";
    const asked = (modelAnswer: string) => isReadOff({ ...question, selection: "order", right: [], choices: [], modelAnswer }, [steps]);
    expect(asked("1. Read the section once\n2. Say what it said\n3. Look at what you missed")).to.equal(true);
    expect(asked("1. Say what it said\n2. Read the section once\n3. Look at what you missed")).to.equal(false);
    expect(asked("1. Skim the chapter on volcanoes\n2. Say what it said\n3. Look at what you missed")).to.equal(false);
  });

  it("recognises an answer that is put together from shown texts, and none in own words", () => {
    expect(isCopied(lesson, [lesson])).to.equal(true);
    expect(
      isCopied("I think that a pipe connects the output of one command to the input of the next command, basically.", [lesson]),
    ).to.equal(true);
    expect(isCopied("If I run ls and pass it on to wc, the names are counted while ls is still listing them.", [lesson])).to.equal(false);
    expect(isCopied("It connects commands.", [lesson])).to.equal(false);
  });
});

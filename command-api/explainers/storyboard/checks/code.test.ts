import type { SceneOf } from "@colloquy/schemas/explainers/storyboard.ts";
import { expect } from "chai";
import { codeFindings, deniedAndShown } from "./code.ts";
import type { CheckedPassage } from "./found.ts";
import { traceFindings } from "./trace.ts";

const one = (sourceId: string, text: string, role: CheckedPassage["role"] = "code", heading = "Working backwards"): CheckedPassage => ({
  sourceId,
  text,
  role,
  heading,
});
const passages = [
  one("s-have", "With have we state what we can use.", "prose"),
  one("c-have", "example : q ∧ p :=\n  have hp : p := h.left\n  ⟨h.right, hp⟩\n"),
  one("s-suffices", "With suffices we restate the goal. The have command works like suffices, the other way round.", "prose"),
  one("c-suffices", "example : q ∧ p :=\n  suffices hq : q from ⟨hq, hp⟩\n  show q from h.right"),
  one("s-middle", "The middle of a file is found with two programs.", "prose", "Files"),
  one("c-middle", "$ head -n 100 basilisk.dat | tail -n 20", "code", "Files"),
  one("s-copy", "We would like to modify the files, and so we copy them.", "prose", "Files"),
  one("c-copy", "$ cp basilisk.dat original-basilisk.dat", "code", "Files"),
  one("c-loop", "$ for filename in basilisk.dat unicorn.dat\n> do\n> head -n 1 $filename\n> done", "code", "Files"),
  one("c-printed", "COMMON NAME: basilisk\nCOMMON NAME: unicorn", "code", "Files"),
  one("c-article", "The ship that is seen", "code", "Files"),
];
const textOf = (sourceId: string): string => (passages.find((passage) => passage.sourceId === sourceId)?.text ?? "").trimEnd();
function found(narration: string, shown: string, words: string, code = textOf(shown)): string {
  const scene = {
    layout: "code",
    content: { heading: "Code", language: "", code, steps: [{ from: 1, to: 1, label: "" }] },
    narration,
    sourceIds: [words, shown],
  } as unknown as SceneOf<"code">;
  return codeFindings(scene, passages)
    .map(({ detail }) => detail)
    .join(" ");
}

describe("the check of code that is shown", () => {
  it("passes words that name what the code beside them has", () => {
    expect(found("With suffices we restate the goal.", "c-suffices", "s-suffices")).to.equal("");
    expect(found("First we copy the files.", "c-copy", "s-copy")).to.equal("");
  });

  it("takes no article for a name, also where it begins what a command prints", () => {
    expect(found("The objects cp copies are not listed in order.", "c-copy", "s-copy")).to.equal("");
  });

  it("refuses words that name what only other code has", () => {
    expect(found("With suffices we restate the goal.", "c-have", "s-suffices")).to.match(/speaks of suffices/);
    expect(found("Here `suffices` restates the goal.", "c-have", "s-have")).to.match(/speaks of suffices/);
    expect(found("Then h.right is what the tail command shows.", "c-have", "s-have")).to.match(/speaks of tail/);
  });

  for (const narration of [
    "Suffices restates the goal.",
    "Here suffices turns the goal round, and the proof goes backwards.",
    "We turn the goal round with suffices.",
    "First state the goal, then suffices can restate it.",
  ])
    it(`refuses a plain word that is a name of other code: ${narration}`, () => {
      expect(found(narration, "c-have", "s-have")).to.match(/speaks of suffices/);
      expect(found(narration, "c-suffices", "s-suffices")).to.equal("");
    });

  it("refuses a keyword that is a word of any text where it does something itself", () => {
    expect(found("Have states what we can use.", "c-suffices", "s-suffices")).to.match(/speaks of have/);
    expect(found("We have two goals, and the show goes on.", "c-have", "s-have")).to.equal("");
  });

  for (const narration of [
    "It suffices to use what we have.",
    "Example proofs are short, and an example needs one step.",
    "From a goal we show what is left.",
  ])
    it(`takes words of code for words where they are used as such: ${narration}`, () =>
      expect(found(narration, "c-have", "s-have")).to.equal(""));

  it("refuses words that say what a command of other code does", () => {
    expect(found("Now copy the original files.", "c-middle", "s-middle")).to.match(/speaks of cp/);
  });

  it("lets the course's own sentence compare what is shown with something else", () => {
    const compared = "The have command works like suffices, the other way round.";
    expect(found(compared, "c-suffices", "s-suffices")).to.equal("");
    expect(found(compared, "c-have", "s-have")).to.match(/speaks of suffices/);
  });

  it("takes what only a message in quotes has for no name of code", () => {
    const page = [
      one("s-push", "We can push our changes to GitHub with the push command.", "prose", "Remotes"),
      one("c-push", "$ git push origin main", "code", "Remotes"),
      one("c-merge", '$ git commit -m "Merge changes from GitHub"', "code", "Remotes"),
    ];
    const scene = (narration: string) =>
      codeFindings(
        {
          layout: "code",
          content: { heading: "Push", language: "", code: "$ git push origin main", steps: [{ from: 1, to: 1, label: "" }] },
          narration,
          sourceIds: ["s-push", "c-push"],
        } as unknown as SceneOf<"code">,
        page,
      );
    expect(scene("We push the changes to GitHub.")).to.deep.equal([]);
  });

  it("refuses words that stand apart from the code", () => {
    expect(found("We restate the goal.", "c-middle", "s-suffices")).to.match(/neither directly before nor directly after/);
  });

  it("refuses lines that were put together", () => {
    const first = textOf("c-have").split("\n")[0];
    expect(found("We restate the goal.", "c-suffices", "s-suffices", `${first}\n  show q from h.right`)).to.match(/one after the other/);
  });

  it("holds for loops that run, too", () => {
    const loop = (narration: string) =>
      traceFindings(
        {
          layout: "trace",
          content: { heading: "Loop", code: textOf("c-loop"), start: "", printed: textOf("c-printed") },
          narration,
          sourceIds: ["c-loop", "c-printed"],
        } as unknown as SceneOf<"trace">,
        passages,
      )
        .map(({ detail }) => detail)
        .join();
    expect(loop("The loop calls head once for each file.")).to.equal("");
    expect(loop("The loop copies each file.")).to.match(/speaks of cp/);
  });
});

describe("what a narration says is not shown", () => {
  const listed = "$ ls -F -a\n./  ../  exercise-data/";
  it("stands in no output beside it", () => {
    expect(deniedAndShown("The special directory .. doesn't usually show up when we run ls.", listed)).to.equal("..");
    expect(deniedAndShown("It never lists exercise-data/.", listed)).to.equal("exercise-data");
  });
  it("may stand in the command, in another clause, or not at all", () => {
    expect(deniedAndShown("The special directory .. doesn't usually show up when we run ls.", "$ ls -F\nexercise-data/")).to.equal(
      undefined,
    );
    expect(deniedAndShown("Plain ls does not show it, but -a shows .. as well.", listed)).to.equal(undefined);
    expect(deniedAndShown("With -a it shows .. as well.", listed)).to.equal(undefined);
    expect(deniedAndShown("It does not show ..", "a = ..")).to.equal(undefined);
  });
});

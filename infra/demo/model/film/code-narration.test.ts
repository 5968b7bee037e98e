import { expect } from "chai";
import type { Passage } from "../segments.ts";
import { codeScenes } from "./code.ts";
import { linesOf } from "./lines.ts";
import { filmWords } from "./words.ts";

const title = "Finding things";
const passage = (kind: string, text: string): Passage => ({ id: text.slice(0, 8), kind, text, title, trail: ["Course", title] });
/** What is said over each piece of code. */
const said = (language: string, ...parts: [kind: "prose" | "code", text: string][]): [code: string, narration: string][] => {
  const passages = parts.map(([kind, text]) => passage(kind, text));
  return codeScenes(linesOf(passages), passages, language, filmWords("en")).map(({ content, narration }) => [
    content.code ?? "",
    narration,
  ]);
};

describe("what the demonstration model says over code", () => {
  it("is said of the piece in which what it names is new", () => {
    const found = said(
      "bash",
      ["prose", "The grep command selects the lines of a file that match a pattern."],
      ["code", "$ grep not haiku.txt"],
      [
        "prose",
        "The grep command tells small from large letters. The -w option restricts the matches of grep to whole words in the lines.",
      ],
      ["code", "$ grep -w The haiku.txt"],
    );
    const ofSecond = found.filter(([code]) => code.includes("-w")).map(([, narration]) => narration);
    expect(ofSecond).to.deep.equal(["The -w option restricts the matches of grep to whole words in the lines."]);
    expect(found.filter(([code, narration]) => !code.includes("-w") && narration.includes("-w"))).to.deep.equal([]);
  });

  it("names nothing that the code does not have", () => {
    const lines = ["inductive Color where", "  | red : Color", "  | green : Color"].join("\n");
    const about = (sentence: string) => said("lean", ["prose", sentence], ["code", lines]);
    expect(about("In Lean, the inductive command introduces a new type by its constructors.")).to.have.length(1);
    expect(about("In Lean, the structure.mk function introduces a new type by its constructors.")).to.deep.equal([]);
  });

  it("is not what is said of another version of it", () => {
    const universe = ["universe u v", "def compose (α : Type u) (β : Type v) : Type u := α"].join("\n");
    expect(
      said("lean", ["code", universe], ["prose", "You can avoid the universe command by naming the parameters of compose."]),
    ).to.deep.equal([]);
    const inferred = "In most cases, the first argument of Or.intro_right can be inferred automatically by Lean.";
    expect(said("lean", ["code", "example (hq : q) : p ∨ q := Or.intro_right p hq"], ["prose", inferred])).to.deep.equal([]);
  });

  it("is what a text announces right above it", () => {
    const found = said(
      "bash",
      ["prose", "A poem. Now let's find the lines that contain the word 'not':"],
      ["code", "$ grep not haiku.txt"],
    );
    expect(found).to.deep.equal([["$ grep not haiku.txt", "Let's find the lines that contain the word 'not'."]]);
  });
});

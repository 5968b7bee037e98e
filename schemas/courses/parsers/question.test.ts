import { expect } from "chai";
import type { Question } from "../blocks.ts";
import { formatQuestion, parseQuestion } from "./question.ts";

const explanation = "\n\n::: explanation\nBecause.\n:::";
const common = { level: "recall" as const, about: [], place: "page" as const, hints: [], explanation: "Because." };

function read(source: string): Question {
  const result = parseQuestion(source);
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  return result.data;
}

const withKind = (kind: string, body: string): string => `---\nkind: ${kind}\n---\n${body}${explanation}`;

describe("the source of a question", () => {
  const kinds: [string, string, Question][] = [
    [
      "single choice with feedback",
      withKind("single", "Which?\n\n- [x] `wc -l`\n  > Right: it\n  > counts.\n- [ ] > is no feedback\n\n  ```\n  - [x] code\n  ```"),
      {
        ...common,
        kind: "single",
        markdown: "Which?",
        choices: [
          { markdown: "`wc -l`", correct: true, feedback: "Right: it\ncounts." },
          { markdown: "> is no feedback\n\n```\n- [x] code\n```", correct: false },
        ],
      },
    ],
    [
      "multiple choice",
      withKind("multiple", "Which?\n- [x] a\n- [X] b\n* [ ] c"),
      {
        ...common,
        kind: "multiple",
        markdown: "Which?",
        choices: [
          { markdown: "a", correct: true },
          { markdown: "b", correct: true },
          { markdown: "c", correct: false },
        ],
      },
    ],
    [
      "short text",
      withKind("text", "What is $Av = \\lambda v$?\n\n= eigenvector\n= an eigenvector"),
      { ...common, kind: "text", markdown: "What is $Av = \\lambda v$?", accepted: ["eigenvector", "an eigenvector"] },
    ],
    [
      "a number with a unit",
      `---\nkind: number\ntolerance: 0.01\nunit: cm\n---\nHow long?\n\n= -1/2${explanation}`,
      { ...common, kind: "number", markdown: "How long?", value: -0.5, tolerance: 0.01, unit: "cm" },
    ],
    [
      "gaps in the text and in code",
      withKind("gap", "It [[joins|links]].\n\n```bash\nls [[\\| wc -l]] \\[[ x\n```\n`a[[[0]]]`"),
      {
        ...common,
        kind: "gap",
        markdown: "It [[1]].\n\n```bash\nls [[2]] \\[[ x\n```\n`a[[3]]`",
        gaps: [["joins", "links"], ["| wc -l"], ["[0]"]],
      },
    ],
    [
      "items in their order",
      withKind("order", "Sort.\n\n\\1. no item\n\n1. one\n2. two\n   more\n3) three"),
      { ...common, kind: "order", markdown: "Sort.\n\n1. no item", items: ["one", "two\nmore", "three"] },
    ],
    [
      "pairs and a distractor",
      withKind("match", "Match.\n\n- no pair\n- `x \\=> x` => function\n- ls => list\n- => nothing"),
      {
        ...common,
        kind: "match",
        markdown: "Match.\n\n- no pair",
        pairs: [
          { left: "`x => x`", right: "function" },
          { left: "ls", right: "list" },
        ],
        extra: ["nothing"],
      },
    ],
    [
      "free text with a rubric",
      "---\nkind: free\nobjective: objective-1\nlevel: application\nabout: block-one, block-two\nplace: bank\nretired: true\n---\nWhy?\n\n::: hint\nThink.\n:::\n::: rubric\n- one\n- two\n:::\n::: answer\nSo.\n:::",
      {
        kind: "free",
        objective: "objective-1",
        level: "application",
        about: ["block-one", "block-two"],
        place: "bank",
        retired: true,
        markdown: "Why?",
        hints: ["Think."],
        rubric: ["one", "two"],
        answer: "So.",
      },
    ],
  ];
  for (const [name, source, data] of kinds)
    it(`is read and written: ${name}`, () => {
      expect(read(source)).to.deep.equal(data);
      expect(read(formatQuestion(data))).to.deep.equal(data);
    });

  it("has no marks within fenced code", () => {
    const { markdown } = read(withKind("single", "Look:\n\n```md\n- [x] code\n::: hint\n```\n\n- [x] a\n- [ ] b"));
    expect(markdown).to.equal("Look:\n\n```md\n- [x] code\n::: hint\n```");
  });

  const wrong: [string, number, RegExp][] = [
    ["What?", 1, /`kind: single`.*single, multiple/],
    ["---\nkind: essay\n---\nWhat?", 2, /`kind: essay` is not known/],
    ["---\nkind: single\nunit: cm\n---\nWhat?", 3, /`unit` belongs to questions of the kind `number`/],
    ["---\nkind: number\ntolerance: few\n---\nWhat?\n= 1", 3, /`few` is not a number/],
    ["---\nkind: text\nabout: x\n---\nWhat?\n= 1", 3, /8 to 64/],
    [withKind("single", "What?"), 4, /Write `- \[ \] …` below/],
    [withKind("single", "- [x] a\n- [ ] b"), 4, /no prompt/],
    [withKind("single", "What?\n- [x] a"), 4, /2 to 12/],
    [withKind("single", "What?\n- [x] a\n- [x] b"), 5, /exactly one.*2 are marked/],
    [withKind("multiple", "What?\n- [x] a\n- [x] b"), 5, /at least one with `- \[ \]`/],
    [withKind("single", "What?\n- [x] a\n- [ ] a"), 6, /`a` stands twice/],
    [withKind("single", "What?\n- [x] a\n- [ ]"), 6, /empty/],
    [withKind("single", "What?\n- [x] a\nmore\n- [ ] b"), 6, /Indent the further lines/],
    [withKind("single", "What?\n- [x] a\n  > b\n  c\n- [ ] d"), 7, /every line of the feedback/],
    [withKind("single", "What?\n- [x] a\n- [ ] b\n\n```\nx"), 8, /Indent the further lines/],
    ["---\nkind: single\n---\nWhat?\n- [x] a\n- [ ] b", 4, /needs `::: explanation`/],
    [withKind("single", "What?\n- [x] a\n- [ ] b\n::: rubric\n- x\n:::"), 7, /one of `::: hint`, `::: explanation`/],
    [withKind("single", "What?\n- [x] a\n- [ ] b\n::: hint\n:::"), 7, /`::: hint` is empty/],
    [withKind("single", "What?\n- [x] a\n- [ ] b\n::: hint x\ny\n:::"), 7, /Nothing may stand behind/],
    [withKind("single", "What?\n- [x] a\n- [ ] b\n::: hint\ny"), 10, /Close `::: hint` of line 7/],
    [withKind("single", "```\nWhat?\n- [x] a\n- [ ] b"), 4, /fence that begins here/],
    [`${withKind("single", "What?\n- [x] a\n- [ ] b")}\nmore`, 11, /text after `::: explanation`/],
    [`${withKind("single", "What?\n- [x] a\n- [ ] b")}${explanation}`, 12, /stands twice/],
    [withKind("number", "What?\n= many"), 5, /`many` is not a number.*`3.5`, `-1\/2`/],
    [withKind("number", "What?\n= 1\n= 2"), 6, /1 to 1/],
    [withKind("gap", "What?"), 4, /no gap/],
    [withKind("gap", "What?\n[[a"), 5, /close it with `\]\]`.*`\\\[\[`/],
    [withKind("gap", "What?\n[[a|]]"), 5, /empty/],
    [withKind("order", "What?\n1. a\n2. b"), 4, /3 to 8/],
    [withKind("match", "What?\n- a => b => c\n- d => e"), 5, /one `=>`/],
    [withKind("match", "What?\n- a => b\n- c => b"), 6, /`b` stands twice/],
    [withKind("match", "What?\n- a => b\n- => c"), 4, /2 to 8/],
    ["---\nkind: free\n---\nWhy?\n::: rubric\n- a\n- b\n:::", 4, /needs `::: answer`/],
    ["---\nkind: free\n---\nWhy?\n::: rubric\n- a\n:::\n::: answer\nb\n:::", 6, /2 to 6/],
    ["---\nkind: free\n---\nWhy?\n::: rubric\na\n:::\n::: answer\nb\n:::", 6, /Expected `- …`/],
  ];
  for (const [source, line, message] of wrong)
    it(`is refused with its line and what to do: ${JSON.stringify(source)}`, () => {
      const result = parseQuestion(source);
      const errors = result.ok ? [] : result.errors;
      expect(errors.map((error) => error.line)).to.include(line);
      expect(errors.find((error) => error.line === line)?.message).to.match(message);
    });
});

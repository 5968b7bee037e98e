import type { ParsedBlock, Question } from "@colloquy/schemas/courses/blocks.ts";
import { expect } from "chai";
import type { ImportedCourse, Importer } from "../importer.ts";
import { faultsOf, inFolder, parsedBlocks } from "../markdown/testing/folders.ts";
import { importMarkdownFolder } from "../markdown-folder/importer.ts";
import { importMdBook } from "../mdbook/importer.ts";

async function imported(importer: Importer, files: Record<string, string>): Promise<ImportedCourse> {
  return inFolder(files, async (folder) => {
    const result = await importer(folder, { courseId: "some-course", previous: null });
    expect(faultsOf(result.course)).to.deep.equal([]);
    return result;
  });
}
const blocksOf = ({ course }: ImportedCourse): ParsedBlock[] => parsedBlocks(course);
const typesOf = (result: ImportedCourse): string[] => blocksOf(result).map(({ type }) => type.replace("core.", ""));
const questionsOf = (result: ImportedCourse): Question[] =>
  blocksOf(result).flatMap((block) => (block.type === "core.question" ? block.data : []));
const exercisesOf = (result: ImportedCourse) => blocksOf(result).flatMap((block) => (block.type === "core.exercise" ? block.data : []));
const notesOf = ({ report }: ImportedCourse): string[] => report.map(({ line, what, done }) => `${line ?? ""} ${what} → ${done}`);

const book = async (chapter: string, quizzes: Record<string, string>): Promise<ImportedCourse> =>
  imported(importMdBook, {
    "book.toml": '[book]\ntitle = "A Book"\n\n[preprocessor.quiz]\n',
    "src/SUMMARY.md": "# Summary\n\n- [Ownership](ownership.md)\n",
    "src/ownership.md": chapter,
    ...quizzes,
  });
const page = async (text: string, more: Record<string, string> = {}): Promise<ImportedCourse> =>
  imported(importMarkdownFolder, { "index.md": `# Page\n\n${text}`, ...more });

/** In the form of the quizzes of "The Rust Programming Language" with mdbook-quiz. */
const ownership = `[[questions]]
type = "MultipleChoice"
prompt.prompt = """
Which of the following is **not** a kind of undefined behavior?
"""
prompt.distractors = [
  "Using a pointer that points to freed memory",
  "Freeing the same memory a second time"
]
answer.answer = "Using a non-boolean value as an \`if\` condition"
context = """
It is always detected, so it is not *undefined*.
"""
id = "f6b1b5a6-0b4e-4c2a-9a51-1f2b0a9f0c0e"

[[questions]]
type = "MultipleChoice"
prompt.prompt = "Which of these are moved?"
prompt.distractors = ["\`i32\`"]
answer.answer = ["\`String\`", "\`Vec<i32>\`"]

[[questions]]
type = "ShortAnswer"
prompt.prompt = "What is the keyword for declaring a function in Rust?"
answer.answer = "fn"
answer.alternatives = ["fn "]
context = "For example: \`fn foo(x: u8)\`"

[[questions]]
type = "Tracing"
prompt.program = """
fn main() {
  let mut x = 1;
  x += 1;
  println!("{x}");
  println!("{}", x + 1);
}
"""
answer.doesCompile = true
answer.stdout = """
2
3
"""

[[questions]]
type = "Tracing"
prompt.program = """
fn main() {
  let x = 1;
  x += 1;
}
"""
answer.doesCompile = false
answer.lineNumber = 3
context = "\`x\` is not mutable."
`;

describe("import of quizzes of mdbook-quiz", () => {
  it("makes questions of multiple choice, short answers and tracing, where they are named", async () => {
    const result = await book("# Ownership\n\nBefore.\n\n{{#quiz ../quizzes/ownership.toml}}\n\nAfter.\n", {
      "quizzes/ownership.toml": ownership,
    });
    expect(typesOf(result)).to.deep.equal(["theory", ...Array<string>(5).fill("question"), "theory"]);
    const [single, multiple, short, printed, failing] = questionsOf(result);
    expect(single).to.deep.include({
      kind: "single",
      place: "self-check",
      markdown: "Which of the following is **not** a kind of undefined behavior?",
      explanation: "It is always detected, so it is not *undefined*.",
    });
    expect(single && "choices" in single && single.choices.map(({ correct }) => correct)).to.deep.equal([true, false, false]);
    expect(multiple).to.deep.include({ kind: "multiple", explanation: "✓ `String`\n\n✓ `Vec<i32>`" });
    expect(short).to.deep.include({ kind: "text", explanation: "For example: `fn foo(x: u8)`" });
    expect(printed).to.deep.include({ kind: "text", level: "application", accepted: ["2 3"] });
    expect(printed?.markdown).to.contain("with a space between them").and.contain("```rust\nfn main() {\n  let mut x = 1;");
    expect(failing).to.deep.include({ explanation: "`x` is not mutable." });
    expect(failing && "accepted" in failing && failing.accepted[0]).to.equal("error");
    expect(notesOf(result)).to.deep.include.members([
      "5 a quiz question (mdbook-quiz) → became a self-check; choose its objective and take it off the page, and the tutor asks it",
      "5 a quiz question (mdbook-quiz) without an explanation → its right answer stands there; write one",
    ]);
  });

  it("keeps what has no clear key as an exercise, and reports quizzes that cannot be read", async () => {
    const long =
      '[[questions]]\ntype = "ShortAnswer"\nprompt.prompt = "Why?\\n\\n```rust\\nlet x = 1;"\nprompt.response = "long"\nanswer.answer = "Because."\n';
    const result = await book("# Ownership\n\n{{#quiz long.toml}}\n\n{{#quiz gone.toml}}\n\n{{#quiz bad.toml}}\n\nAfter.\n", {
      "src/long.toml": long,
      "src/bad.toml": "no toml [",
    });
    expect(typesOf(result)).to.deep.equal(["exercise", "theory"]);
    expect(exercisesOf(result)[0]).to.deep.include({ markdown: "Why?\n\n```rust\nlet x = 1;\n```", solutions: [{ markdown: "Because." }] });
    expect(notesOf(result)).to.include.members([
      "3 a quiz question (mdbook-quiz): it asks for a long answer, which has no rubric → stays an exercise",
      "5 the quiz gone.toml is not in the folder → left out",
    ]);
    expect(notesOf(result).join("\n")).to.match(/7 the quiz bad\.toml cannot be read: .* → left out/);
  });

  it("makes no question of a directive within code", async () => {
    const result = await book("# Ownership\n\nText.\n\n```md\n{{#quiz ../quizzes/ownership.toml}}\n```\n", {
      "quizzes/ownership.toml": ownership,
    });
    expect(questionsOf(result)).to.deep.equal([]);
  });
});

/** In the form of the examples of jupyterquiz. */
const notebookQuiz = JSON.stringify([
  {
    question: "Choose the best answer to the **equation** $1 + 1 = x$.",
    type: "multiple_choice",
    answers: [
      { answer: "2", correct: true, feedback: "Correct." },
      { answer: "11", correct: false, feedback: "That is how strings are joined." },
    ],
  },
  {
    question: "Choose all of the following that can be included in Jupyter notebooks:",
    type: "many_choice",
    answers: [
      { answer: "Text and graphics output", correct: true, feedback: "Correct." },
      { answer: "LaTeX equations", correct: true, feedback: "Correct." },
      { answer: "Odors", correct: false, feedback: "No." },
    ],
  },
  {
    question: "Enter the value of pi (will be checked to 2 decimal places):",
    type: "numeric",
    precision: 3,
    answers: [
      { type: "value", value: 3.14, correct: true, feedback: "Correct." },
      { type: "range", range: [3.142857, 3.142858], correct: false, feedback: "22/7 is only an approximation." },
      { type: "default", feedback: "Try again." },
    ],
  },
  { question: "Any number from 2 to 4", type: "numeric", answers: [{ type: "range", range: [2, 4], correct: true }] },
  {
    question: "What does this print?",
    code: "print(len('abc'))",
    type: "multiple_choice",
    answers: [
      { answer: "", code: "3", correct: true },
      { answer: "", code: "abc", correct: true },
    ],
  },
]);
const notebook = (source: string, outputs: unknown[] = []): string =>
  JSON.stringify({
    nbformat: 4,
    nbformat_minor: 5,
    metadata: { kernelspec: { name: "python3", language: "python" } },
    cells: [
      { cell_type: "markdown", source: ["# Numbers\n", "\n", "Text."], metadata: {} },
      { cell_type: "code", source: source.split(/(?<=\n)/), outputs, execution_count: 1, metadata: { tags: ["remove-input"] } },
    ],
  });

describe("import of quizzes of jupyterquiz", () => {
  it("makes questions of choices and numbers in the place of the cell that shows them", async () => {
    const shown = {
      output_type: "display_data",
      data: { "text/plain": ["<IPython.core.display.HTML object>"], "text/html": ["<div></div>"] },
    };
    const result = await imported(importMarkdownFolder, {
      "numbers.ipynb": notebook('from jupyterquiz import display_quiz\ndisplay_quiz("questions/numbers.json", num=2)', [shown]),
      "questions/numbers.json": notebookQuiz,
    });
    expect(typesOf(result)).to.deep.equal(["theory", ...Array<string>(4).fill("question"), "exercise"]);
    const [single, multiple, value, range] = questionsOf(result);
    expect(single).to.deep.include({ kind: "single", markdown: "Choose the best answer to the **equation** $1 + 1 = x$." });
    expect(single && "choices" in single && single.choices[1]?.feedback).to.equal("That is how strings are joined.");
    expect(multiple?.kind).to.equal("multiple");
    expect(value).to.deep.include({ kind: "number", value: 3.14, tolerance: 0.005, explanation: "Correct." });
    expect(range).to.deep.include({ kind: "number", value: 3, tolerance: 1 });
    expect(exercisesOf(result)[0]?.markdown).to.contain("print(len('abc'))");
    expect(notesOf(result)).to.include(
      "2 a quiz question (jupyterquiz): one choice is to be taken, but not exactly one is right → stays an exercise",
    );
    expect(notesOf(result).join()).not.to.contain("a picture or table");
  });

  it("reads the code cells of MyST pages, and keeps the rest of their code", async () => {
    const cell = "```{code-cell} python\n:tags: [remove-input]\nfrom jupyterquiz import display_quiz\nx = 1\ndisplay_quiz('q.json')\n```\n";
    const result = await page(cell, { "q.json": notebookQuiz });
    expect(typesOf(result).slice(0, 2)).to.deep.equal(["code", "question"]);
    expect(blocksOf(result)[0]?.data).to.deep.include({ code: "x = 1" });
  });

  it("keeps the code of a quiz that is in no file of the folder", async () => {
    const result = await page(
      "```python\nfrom jupyterquiz import display_quiz\ndisplay_quiz('https://example.org/q.json')\n```\n\n```python\ny = 2\n```\n",
    );
    expect(typesOf(result)).to.deep.equal(["code", "code"]);
    expect(notesOf(result)).to.deep.equal([
      "3 a quiz (jupyterquiz), display_quiz('https://example.org/q.json'): its questions are in no file of the folder → its code is kept",
    ]);
  });
});

describe("import of exercises of MyST and Sphinx", () => {
  it("puts each solution into the exercise that it names", async () => {
    const result = await page(
      "```{exercise} Factorials\n:label: ex-factorial\n\nCompute $3!$.\n```\n\nBetween.\n\n````{solution} ex-factorial\n:label: sol-factorial\n:class: dropdown\n\nIt is 6.\n\n```{code-block} python\nprint(6)\n```\n````\n\n[Back](ex-factorial)\n",
    );
    expect(typesOf(result)).to.deep.equal(["exercise", "theory"]);
    expect(exercisesOf(result)[0]).to.deep.equal({
      title: "Factorials",
      markdown: "Compute $3!$.",
      hints: [],
      solutions: [{ markdown: "It is 6.\n\n```python\nprint(6)\n```" }],
    });
  });

  it("reads exercises and solutions that are opened and closed by lines of their own", async () => {
    const result = await page(
      "```{exercise-start}\n:label: ex-two\n```\n\nWhat is 1 + 1?\n\n```{code-cell}\n1 + 1\n```\n\n```{exercise-end}\n```\n\n```{solution-start} ex-two\n:class: dropdown\n```\nIt is 2.\n```{solution-end}\n```\n",
    );
    expect(exercisesOf(result)[0]).to.deep.include({ solutions: [{ markdown: "It is 2." }] });
    expect(exercisesOf(result)[0]?.markdown).to.contain("What is 1 + 1?").and.contain("```python\n1 + 1\n```");
  });

  it("makes a question of an exercise whose solution names the choice", async () => {
    const result = await page(
      "```{exercise}\n:label: ex-sign\nWhich sign joins programs?\n\n1. `|`\n2. `>`\n```\n\n```{solution} ex-sign\n1. Yes: it joins them.\n2. No: it writes to a file.\n```\n",
    );
    expect(questionsOf(result)[0]).to.deep.include({ kind: "single", markdown: "Which sign joins programs?" });
  });

  it("reports a solution whose exercise is not on the page", async () => {
    const result = await page("Text.\n\n```{solution} ex-elsewhere\nIt is 2.\n```\n");
    expect(typesOf(result)).to.deep.equal(["theory", "callout"]);
    expect(notesOf(result)).to.deep.equal(["5 a solution to “ex-elsewhere”, which is no exercise of this page → stays where it is"]);
  });
});

describe("import of task lists that answer a question", () => {
  it("makes a question of a ticked list under a question, with feedback and explanation", async () => {
    const result = await page(
      "Intro.\n\nWhich sign joins *programs*?\n\n- [x] `|`\n- [ ] `>`\n  > It writes to a file.\n- [ ] `&`\n\n<details><summary>Answer</summary>\n\nA pipe joins them.\n\n</details>\n\nAfter.\n",
    );
    expect(typesOf(result)).to.deep.equal(["theory", "question", "theory"]);
    expect(questionsOf(result)[0]).to.deep.equal({
      kind: "single",
      level: "recall",
      about: [],
      place: "self-check",
      markdown: "Which sign joins *programs*?",
      hints: [],
      choices: [
        { markdown: "`|`", correct: true },
        { markdown: "`>`", correct: false, feedback: "It writes to a file." },
        { markdown: "`&`", correct: false },
      ],
      explanation: "A pipe joins them.",
    });
  });

  it("takes several ticks as multiple choice", async () => {
    const [question] = questionsOf(await page("Which are filters?\n- [x] sort\n- [x] uniq\n- [ ] cd\n"));
    expect(question).to.deep.include({ kind: "multiple", explanation: "✓ sort\n\n✓ uniq" });
  });

  const others: [what: string, text: string][] = [
    ["without a question above", "To do:\n\n- [x] Install\n- [ ] Run\n"],
    ["under a heading", "## Ready?\n\n- [x] Install\n- [ ] Run\n"],
    ["without a tick", "Are you ready?\n\n- [ ] Installed\n- [ ] Run\n"],
    ["with other items", "What next?\n\n- [x] Install\n- [ ] Run\n- more\n"],
    ["in code", "```md\nWhich?\n\n- [x] a\n- [ ] b\n```\n"],
  ];
  for (const [what, text] of others)
    it(`leaves a task list ${what}`, async () => {
      expect(questionsOf(await page(text))).to.deep.equal([]);
    });

  it("keeps the words of a question that stands within another part", async () => {
    const result = await page("> [!NOTE]\n> Which?\n>\n> - [x] a\n> - [ ] b\n");
    expect(JSON.stringify(blocksOf(result))).to.contain("[x] a");
  });
});

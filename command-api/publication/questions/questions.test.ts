import { demonstrationCourses } from "@colloquy/infra/demo/courses.ts";
import type { Question } from "@colloquy/schemas/courses/blocks.ts";
import { parseBlock } from "@colloquy/schemas/courses/parse.ts";
import { expect } from "chai";
import { importNative } from "../import/native.ts";
import { htmlToMarkdown } from "./html.ts";
import { readMoodle, writeMoodle } from "./moodle.ts";
import { readQti, writeQti } from "./qti.ts";
import { readXml, XmlRefused } from "./xml.ts";

const moodle = (question: string) => readMoodle(readXml(`<quiz>${question}</quiz>`));
const asked = "<name><text>Q</text></name><questiontext format='html'><text><![CDATA[<p>What?</p>]]></text></questiontext>";
const answer = (fraction: number, text: string, more = "") => `<answer fraction="${fraction}"><text>${text}</text>${more}</answer>`;

const qti = (declarations: string, body: string, after = "") =>
  readQti(
    readXml(
      `<qti-assessment-item identifier="i" title="Item" adaptive="false">${declarations}<qti-item-body>${body}</qti-item-body>${after}</qti-assessment-item>`,
    ),
  );
const declared = (type: string, cardinality: string, ...values: string[]) =>
  `<qti-response-declaration identifier="R" base-type="${type}" cardinality="${cardinality}"><qti-correct-response>${values
    .map((value) => `<qti-value>${value}</qti-value>`)
    .join("")}</qti-correct-response></qti-response-declaration>`;

describe("questions of other programs", () => {
  const questions: Question[] = [];
  before(async () => {
    for (const { courseId, folder } of demonstrationCourses) {
      const { course } = await importNative(folder, { courseId, previous: null });
      for (const block of course.topics.flatMap(({ blocks }) => blocks)) {
        const parsed = parseBlock(block);
        if (parsed.ok && parsed.block.type === "core.question") questions.push(parsed.block.data);
      }
    }
  });

  /** What the formats cannot hold; objectives are read apart, for only a course knows them. */
  const comparable = ({ objective: _objective, ...question }: Question) => ({ ...question, about: [] });
  const sameTable = (value: unknown): unknown =>
    JSON.parse(
      JSON.stringify(value)
        .replaceAll(/-{3,}(?=\s?\|)/g, "---")
        .replaceAll("| --- |", "|---|")
        .replaceAll(" --- |", "---|"),
    );

  it("come back from Moodle XML as they were", () => {
    const read = readMoodle(readXml(writeMoodle(questions.map((question) => ({ name: "Q", question })))));
    expect(read.notes).to.deep.equal([]);
    expect(read.questions.map(({ question }) => question)).to.deep.equal(questions.map(comparable));
    expect(read.questions.map(({ objective }) => objective)).to.deep.equal(questions.map(({ objective }) => objective));
  });

  it("come back from QTI 3 as they were", () => {
    const read = questions.map((question) => readQti(readXml(writeQti({ name: "Q", identifier: "q", question }))));
    expect(read.map((one) => sameTable(one.questions[0]?.question))).to.deep.equal(questions.map(comparable).map(sameTable));
    expect(read.map((one) => one.questions[0]?.objective)).to.deep.equal(questions.map(({ objective }) => objective));
  });

  it("take no level and place but the known ones from tags", () => {
    const tags = (...texts: string[]) => `<tags>${texts.map((one) => `<tag><text>${one}</text></tag>`).join("")}</tags>`;
    const tagged = (...texts: string[]) => moodle(`<question type="shortanswer">${asked}${answer(100, "a")}${tags(...texts)}</question>`);
    expect(tagged("level: application", "place: page").questions[0]?.question).to.include({ level: "application", place: "page" });
    expect(tagged("level: genius", "place: everywhere", "easy").questions[0]?.question).to.include({ level: "recall", place: "bank" });
  });

  it("are taken from Moodle's types", () => {
    const kinds = moodle(
      [
        `<question type="category"/>`,
        `<question type="multichoice">${asked}<single>true</single>${answer(100, "a")}${answer(0, "b")}</question>`,
        `<question type="multichoice">${asked}<single>false</single>${answer(50, "a")}${answer(50, "b")}${answer(-100, "c")}</question>`,
        `<question type="truefalse">${asked}${answer(100, "true")}${answer(0, "false")}</question>`,
        `<question type="shortanswer">${asked}${answer(100, "a")}${answer(100, "b")}</question>`,
        `<question type="numerical">${asked}${answer(100, "3.5", "<tolerance>0.1</tolerance>")}</question>`,
        `<question type="gapselect">${asked.replace("What?", "A [[2]] b.")}<selectoption><text>x</text></selectoption><selectoption><text>y</text></selectoption></question>`,
        `<question type="cloze">${asked.replace("What?", "A {1:SHORTANSWER:=x~%50%y#No~%100%z}.")}</question>`,
      ].join(""),
    ).questions;
    expect(kinds.map(({ question }) => ("gaps" in question ? question.gaps : question.kind))).to.deep.equal([
      "single",
      "multiple",
      "single",
      "text",
      "number",
      [["y"]],
      [["x", "z"]],
    ]);
  });

  for (const [what, question] of [
    ["right in part only", `<question type="multichoice">${asked}<single>true</single>${answer(100, "a")}${answer(50, "b")}</question>`],
    ["pattern", `<question type="shortanswer">${asked}${answer(100, "a*")}</question>`],
    [
      "several units",
      `<question type="numerical">${asked}${answer(100, "1")}<units><unit><unit_name>m</unit_name></unit><unit><unit_name>cm</unit_name></unit></units></question>`,
    ],
    ["“calculated”", `<question type="calculated">${asked}</question>`],
    ["picture", `<question type="shortanswer">${asked.replace("What?", "<img src='a.png'/>")}${answer(100, "a")}</question>`],
    [
      "medium",
      `<question type="shortanswer">${asked.replace("What?", "<a href='@@PLUGINFILE@@/a.mp3'>Listen</a>")}${answer(100, "a")}</question>`,
    ],
    ["list of criteria", `<question type="essay">${asked}</question>`],
  ] as const)
    it(`are refused by name: ${what}`, () => {
      const { questions: taken, notes } = moodle(question);
      expect(taken).to.deep.equal([]);
      expect(notes.map(({ what: reason, done }) => `${reason}: ${done}`).join())
        .to.contain(what)
        .and.to.contain("not taken");
    });

  it("are taken from QTI's interactions by the correct response", () => {
    const choice =
      '<p>Which?</p><qti-choice-interaction response-identifier="R" max-choices="1"><qti-simple-choice identifier="A">a</qti-simple-choice><qti-simple-choice identifier="B">b</qti-simple-choice></qti-choice-interaction>';
    const [single] = qti(declared("identifier", "single", "B"), choice).questions;
    expect(single?.question.kind === "single" && single.question.choices.map(({ correct }) => correct)).to.deep.equal([false, true]);
    const gap = '<p>A <qti-text-entry-interaction response-identifier="R"/> b</p>';
    expect(qti(declared("string", "single", "x"), gap).questions[0]?.question).to.include({ kind: "gap", markdown: "A [[1]] b" });
  });

  it("are not taken from a QTI item without a correct response, or with a template", () => {
    const choice = '<qti-choice-interaction response-identifier="R" max-choices="1"/>';
    expect(qti("", choice).notes[0]?.what).to.equal("it gives no correct response");
    expect(qti("<qti-template-declaration/>", choice).notes[0]?.what).to.equal("it is made from a template");
  });

  it("show text that looks like Markdown as it was", () => {
    expect(htmlToMarkdown("<p>a*b*c, _d_ and $5 &lt; 6</p>")).to.equal("a\\*b\\*c, \\_d\\_ and \\$5 < 6");
    expect(htmlToMarkdown("\\(x_1 &lt; 2\\) and <code>a_b</code>")).to.equal("$x_1 < 2$ and `a_b`");
  });

  it("keep the numbers of lists, to which they may refer", () => {
    const list = "<li>one</li> <li>two</li>";
    expect(htmlToMarkdown(`<p>Which?</p><ol>${list}</ol><p>Say.</p>`)).to.equal("Which?\n\n1. one\n2. two\n\nSay.");
    expect(htmlToMarkdown(`<ol start="3">${list}</ol>`)).to.equal("3. one\n4. two");
    expect(htmlToMarkdown(`<ul>${list}</ul>`)).to.equal("- one\n- two");
  });

  it("keep the text of list items that are paragraphs beside their marks", () => {
    expect(htmlToMarkdown("<ol><li><p>one</p></li> <li>\n<p>two</p></li></ol>")).to.equal("1. one\n2. two");
    expect(htmlToMarkdown("<ul><li><p>one</p> <p>more</p></li></ul>")).to.equal("- one\\\nmore");
  });

  it("are read also where lists begin and never end", () => {
    expect(htmlToMarkdown(`<p>What?</p>${"<ol ".repeat(40_000)}`)).to.match(/^What\?/);
    expect(htmlToMarkdown(`<p>What?</p>${'<ol start="1" '.repeat(40_000)}`)).to.match(/^What\?/);
  });

  it("lose scripts and links to anything but pages of the web", () => {
    const markdown = htmlToMarkdown(
      '<p>a <a href="javascript:alert(1)">b</a><script>alert(1)</script> <a href="https://example.org">c</a></p>',
    );
    expect(markdown).not.to.match(/javascript|<script/);
    expect(markdown).to.contain("[c](https://example.org)");
  });

  for (const [what, text] of [
    ["a document type", '<!DOCTYPE quiz [<!ENTITY a "b">]><quiz>&a;</quiz>'],
    ["an unknown entity", "<quiz>&a;</quiz>"],
    ["text that is no XML", "quiz"],
    ["deep nesting", "<a>".repeat(1_000) + "</a>".repeat(1_000)],
  ] as const)
    it(`refuse XML with ${what}`, () => expect(() => readXml(text)).to.throw(XmlRefused));
});

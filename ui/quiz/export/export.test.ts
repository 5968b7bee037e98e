import { readFile } from "node:fs/promises";
import { crc32 } from "node:zlib";
import type { Question, Quiz } from "@colloquy/schemas/quiz/quiz.ts";
import { pointsOf } from "@colloquy/schemas/quiz/quiz-score.ts";
import { expect } from "chai";
import fc from "fast-check";
import { validateXML } from "xmllint-wasm";
import { sampleQuiz } from "../quiz.fixture.ts";
import { toAnki } from "./anki.ts";
import { exportQuiz } from "./exports.ts";
import { escapeGift, toGift } from "./gift.ts";
import { parseAnki, parseGift, readZip } from "./readers.fixture.ts";

const origin = "https://colloquy.example";
const nasty = [
  "~",
  "=",
  "#",
  "{",
  "}",
  ":",
  "\\",
  "\n",
  "\t",
  '"',
  "<",
  ">",
  "&",
  "$",
  "%",
  "-",
  "|",
  "`",
  "*",
  "[",
  "]",
  "(",
  ")",
  "x",
  "é",
  "\u0007",
  "\ud800",
];
const anyText = fc.array(fc.constantFrom(...nasty), { minLength: 1, maxLength: 40 }).map((letters) => `q${letters.join("")}`);
const anyQuiz: fc.Arbitrary<Quiz> = fc
  .record({
    title: anyText,
    prompt: anyText,
    explanation: anyText,
    choices: fc.array(anyText, { minLength: 2, maxLength: 8 }),
    right: fc.nat(),
    single: fc.boolean(),
  })
  .map(({ title, prompt, explanation, choices, right, single }) => {
    const ids = choices.map((_, index) => `choice-${index}`);
    const correct = single ? [ids[right % ids.length] ?? ""] : ids.slice(0, 1 + (right % ids.length));
    const question: Question = {
      questionId: "question-1",
      kind: single ? "single" : "multiple",
      prompt,
      explanation,
      correct,
      sourceIds: [],
      choices: choices.map((text, index) => ({ choiceId: `choice-${index}`, text })),
    };
    return { type: "quiz", quizId: "quiz-0001", title, questions: [question], sources: [] };
  });

const choiceQuestions = ({ questions }: Quiz) => questions.filter((question) => "choices" in question);

describe("a quiz as Moodle GIFT", () => {
  it("escapes GIFT's special characters and survives a round trip", () => {
    expect(escapeGift("a ~ b = c # d { e } f : g \\ h\ni")).to.equal("a \\~ b \\= c \\# d \\{ e \\} f \\: g \\\\ h\\ni");
    const { title, prompt, answers, feedback } = parseGift(toGift(sampleQuiz, origin))[1] ?? expect.fail("no second question");
    expect(title).to.equal("Quiz: pipes & filters 2");
    expect(prompt).to.equal(
      "<p>For \\(A v = \\lambda v\\) with \\(v \\neq 0\\), which are true of {λ}: the set ~of~ eigenvalues = spectrum # of A?</p>",
    );
    expect(answers.map(({ text, weight }) => [weight, text])).to.deep.equal([
      [50, "\\(\\det(A - \\lambda I) = 0\\)"],
      [50, "It keeps the direction of \\(v\\), and 5 &lt; 7 &amp; a \\ b"],
      [-50, "%50% of $100 stay $5 -&gt; or {less}"],
      [-50, "<p>It is always positive:</p><ul><li>first</li><li>second</li></ul>"],
    ]);
    expect(feedback).to.contain("\\[\\sum_i x_i^2").and.contain(`<a href="${origin}/courses/maps/eigenvectors">the page</a>`);
    expect(feedback).to.contain("Sources: ").and.contain("Linear maps › Eigenvectors &lt;i&gt;").and.not.contain('href="javascript');
  });

  it("has one right answer in single choice, and shares in multiple choice", () => {
    const [first, , third] = parseGift(toGift(sampleQuiz, origin));
    expect(first?.answers.map(({ weight }) => weight)).to.deep.equal([100, 0, 0]);
    expect(third?.answers.map(({ weight }) => weight)).to.deep.equal([33.33333, 33.33333, 33.33333]);
  });

  it("keeps structure and text for any quiz", () => {
    fc.assert(
      fc.property(anyQuiz, (quiz) => {
        const read = parseGift(toGift(quiz, origin));
        expect(read).to.have.length(1);
        const [question] = choiceQuestions(quiz);
        expect(read[0]?.answers).to.have.length(question?.choices.length ?? 0);
        const right = read[0]?.answers.flatMap(({ weight }, index) => (weight > 0 ? [`choice-${index}`] : []));
        expect(right).to.deep.equal(question?.correct);
      }),
    );
  });
});

describe("a quiz as an Anki import", () => {
  it("has Anki's headers, and a note for each question under its id", () => {
    const { headers, rows } = parseAnki(toAnki(sampleQuiz, origin));
    expect(headers).to.deep.equal({
      separator: "tab",
      html: "true",
      notetype: "Basic",
      deck: "Quiz: pipes & filters",
      "guid column": "1",
      tags: "colloquy",
    });
    expect(rows.map(([id]) => id)).to.deep.equal(sampleQuiz.questions.map(({ questionId }) => questionId));
    const [, front, back] = rows[1] ?? [];
    expect(front)
      .to.contain("\\(A v = \\lambda v\\)")
      .and.contain("Choose all that apply")
      .and.contain("<li>%50% of $100 stay $5 -&gt; or {less}</li>");
    expect(back)
      .to.contain("<strong>\\(\\det(A - \\lambda I) = 0\\)</strong>")
      .and.contain("<code>x&quot;y</code>")
      .and.not.contain("less}");
    expect(rows[0]?.[1]).to.contain("<pre><code>$ ls | wc -l</code></pre>");
    expect(rows[0]?.[2]).to.contain("&lt;script&gt;").and.not.contain("<script>");
  });

  it("keeps three fields in each row for any quiz", () => {
    fc.assert(
      fc.property(anyQuiz, (quiz) => {
        expect(parseAnki(toAnki(quiz, origin)).rows.map((row) => row.length)).to.deep.equal([3]);
      }),
    );
  });
});

describe("a quiz as a QTI 3 package", function () {
  this.timeout(120_000);
  const schema = (name: string) => readFile(new URL(`qti3-${name}.fixture.xsd`, import.meta.url), "utf8");
  async function faults(quiz: Quiz): Promise<string[]> {
    const found: string[] = [];
    for (const { path, text } of readZip(exportQuiz(quiz, "qti3", origin).bytes)) {
      const contents = await schema(path === "imsmanifest.xml" ? "manifest" : "items-and-tests");
      const { valid, errors } = await validateXML({ xml: [{ fileName: path, contents: text }], schema: [contents] });
      if (!valid) found.push(...errors.map(({ rawMessage }) => `${rawMessage}\n${text}`));
    }
    return found;
  }

  it("is an archive with intact files", () => {
    const { bytes, fileName, type } = exportQuiz(sampleQuiz, "qti3", origin);
    expect([fileName, type]).to.deep.equal(["Quiz-pipes-filters.qti3.zip", "application/zip"]);
    const files = readZip(bytes);
    expect(files.map(({ path }) => path)).to.deep.equal([
      "imsmanifest.xml",
      "test.xml",
      ...sampleQuiz.questions.map(({ questionId }) => `items/item-${questionId}.xml`),
    ]);
    for (const { path, text, crc } of files) expect(crc32(text), path).to.equal(crc);
  });

  it("conforms to the schemas, with formulas as MathML", async () => {
    expect(await faults(sampleQuiz)).to.deep.equal([]);
    const item = readZip(exportQuiz(sampleQuiz, "qti3", origin).bytes)[3]?.text ?? "";
    expect(item).to.contain('<math xmlns="http://www.w3.org/1998/Math/MathML"').and.contain('max-choices="0"').and.not.contain("\\(");
    expect(item).to.contain('<annotation encoding="application/x-tex">\\det(A - \\lambda I) = 0</annotation>');
  });

  it("conforms to the schemas for any quiz", async () => {
    for (const quiz of fc.sample(anyQuiz, { numRuns: 12, seed: 20261121 })) expect(await faults(quiz)).to.deep.equal([]);
  });

  it("fails the schema when it is invalid", async () => {
    const [, , item] = readZip(exportQuiz(sampleQuiz, "qti3", origin).bytes);
    const contents = await schema("items-and-tests");
    for (const [from, to] of [
      ["<p>", "<script>x</script><p>"],
      ["qti-simple-choice", "qti-choice"],
      ['identifier="item-', 'identifier="9 item-'],
      ["qti-correct-response", "qti-right"],
    ] as const) {
      const broken = (item?.text ?? "").replaceAll(from, to).replaceAll(from.replace("<", "</"), to.replace("<", "</"));
      expect((await validateXML({ xml: [{ fileName: "broken.xml", contents: broken }], schema: [contents] })).valid, from).to.equal(false);
    }
  });

  it("maps every answer to the points that Colloquy gives", () => {
    const files = readZip(exportQuiz(sampleQuiz, "qti3", origin).bytes);
    for (const [index, question] of sampleQuiz.questions.entries()) {
      const text = files[index + 2]?.text ?? "";
      const mapping = new Map(
        [...text.matchAll(/map-key="choice-([^"]+)" mapped-value="([^"]+)"/g)].map(([, id, value]) => [id, Number(value)]),
      );
      const ids = question.choices.map(({ choiceId }) => choiceId);
      for (let bits = 0; bits < 2 ** ids.length; bits += 1) {
        const chosen = ids.filter((_, at) => bits & (1 << at));
        if (question.kind === "single" && chosen.length !== 1) continue;
        const sum = chosen.reduce((total, id) => total + (mapping.get(id) ?? 0), 0);
        expect(Math.min(1, Math.max(0, sum)), chosen.join()).to.be.closeTo(pointsOf(question, chosen), 1e-9);
      }
    }
  });
});

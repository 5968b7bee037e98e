import { demonstrationCourses } from "@colloquy/infra/demo/courses.ts";
import { sourceIdOf } from "@colloquy/projections/passages/queries.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { parseBlock } from "@colloquy/schemas/courses/parse.ts";
import { type SearchIndex, searchIndex } from "@colloquy/schemas/courses/revision.ts";
import { renderBlock } from "@colloquy/ui/rendering/server.ts";
import { expect } from "chai";
import { sampleCourse, topicOf } from "./course.fixture.ts";
import { importNative } from "./import/native.ts";
import { buildSearchIndex } from "./search-index.ts";

const index = buildSearchIndex(sampleCourse(), "revision-1");
const under = (entityId: string, from: SearchIndex = index) =>
  from.passages.filter(({ sourceId }) => sourceId === sourceIdOf("sample-course", entityId));
const sourceOf = (entityId: string) => index.sources.find((source) => source.entityId === entityId);
const textOf = (entityId: string): string =>
  under(entityId)
    .map(({ text }) => text)
    .join("\n---\n");

describe("the search index of a course", () => {
  it("is valid, and its ids are unique", () => {
    searchIndex.parse(index);
    expect(new Set(index.passages.map(({ passageId }) => passageId)).size).to.equal(index.passages.length);
    expect(new Set(index.sources.map(({ sourceId }) => sourceId)).size).to.equal(index.sources.length);
  });

  it("has a source for every place, in reading order, with address, title and trail", () => {
    expect(index.sources.map(({ entityId }) => entityId).slice(0, 4)).to.deep.equal([
      "sample-course",
      "coll-basics",
      "topic-pipes",
      "block-pipes-intro",
    ]);
    expect(sourceOf("sample-course")).to.deep.include({ kind: "course", href: "/courses/sample-course", trail: [], topicId: null });
    expect(sourceOf("coll-basics")).to.deep.include({
      kind: "collection",
      href: "/courses/sample-course/basics",
      trail: ["Sample course"],
    });
    expect(sourceOf("topic-pipes")).to.deep.include({
      kind: "topic",
      href: "/courses/sample-course/basics/pipes",
      trail: ["Sample course", "Basics"],
    });
    expect(sourceOf("block-pipes-code")).to.deep.include({
      kind: "block",
      href: "/courses/sample-course/basics/pipes#block-pipes-code",
      title: "Count files",
      trail: ["Sample course", "Basics", "Pipes"],
      topicId: "topic-pipes",
    });
    expect(sourceOf("block-pipes-figure")?.title, "the heading above").to.equal("The sign");
    expect(sourceOf("block-pipes-points")?.title).to.equal("Key points");
    expect(sourceOf("block-loops-theory")?.title, "its own heading").to.equal("Why");
  });

  it("quotes no question, and has no source for one that readers do not receive", () => {
    const ask = (place: string): string =>
      `---\nkind: text\nobjective: objective-join\nplace: ${place}\n---\nWhat joins?\n\n= a pipe\n\n::: explanation\nIt joins.\n:::`;
    const course = sampleCourse((made) =>
      topicOf(made, "topic-pipes").blocks.push(
        { id: "question-page", type: "core.question", source: ask("page") },
        { id: "question-bank", type: "core.question", source: ask("bank") },
      ),
    );
    const { sources, passages } = buildSearchIndex(course, "revision-1");
    expect(passages).to.deep.equal(index.passages);
    expect(sources.filter(({ entityId }) => entityId.startsWith("question-")).map(({ entityId }) => entityId)).to.deep.equal([
      "question-page",
    ]);
  });

  it("quotes a self-check that is never asked, with what is said of its answer", () => {
    const course = sampleCourse((made) =>
      topicOf(made, "topic-pipes").blocks.push({
        id: "question-check",
        type: "core.question",
        source:
          "---\nkind: single\nplace: self-check\n---\nWhich joins?\n\n- [x] `|`\n- [ ] `>`\n  > It writes to a file.\n\n::: explanation\nIt joins.\n:::",
      }),
    );
    const { sources, passages } = buildSearchIndex(course, "revision-1");
    const source = sources.find(({ entityId }) => entityId === "question-check");
    const own = passages.filter(({ sourceId }) => sourceId === source?.sourceId);
    expect(own.map(({ role, text }) => ({ role, text }))).to.deep.equal([
      { role: "exercise", text: "Which joins?\n|\n>" },
      { role: "solution", text: "> It writes to a file.\nIt joins." },
    ]);
  });

  it("holds words without markup, code to the letter, formulas as TeX", () => {
    const [first, second] = under("block-pipes-intro");
    expect(first).to.include({ heading: "Pipes", text: "A pipe joins two commands.", role: "prose" });
    expect(second?.heading).to.equal("The sign");
    expect(second?.text.split("\n")).to.deep.equal([
      "It is written |, and nothing else: $a_1 | b_2$ means something other.",
      "first item",
      "second item with ls -l",
      "ls | wc -l",
      "Sign\tName",
      ">\tredirect",
      "$$",
      "x_1 * y_1 = z_1 * w",
      "$$",
    ]);
    expect(textOf("block-pipes-code")).to.equal("Count files\nls -1 | wc -l   # to the letter");
    expect(textOf("block-pipes-figure")).to.equal("A tree of folders\nThe whole tree.");
    expect(textOf("block-pipes-diagram")).to.equal("ls feeds wc\nA pipe.");
    expect(textOf("block-pipes-callout")).to.equal("A pipe passes output only.\nErrors go elsewhere.");
    expect(textOf("block-loops-math")).to.equal("The sum of $n$ terms.\n\\[\n\\sum_{k=1}^n k = \\frac{n(n+1)}{2}\n\\]");
    expect(textOf("block-loops-table")).to.equal("Kinds of loops\nKind\tUse\nfor\ta known list");
  });

  it("keeps solutions and hints apart from the task, and objectives with their topic", () => {
    expect(under("block-pipes-exercise").map(({ role, text }) => [role, text])).to.deep.equal([
      ["exercise", "Count the files."],
      ["solution", "Use wc."],
      ["solution", "ls | wc -l counts them."],
    ]);
    expect(under("topic-pipes").map(({ role, text }) => [role, text])).to.deep.equal([
      ["prose", "How commands are joined."],
      ["objectives", "Join two commands.\nCount lines."],
    ]);
  });

  it("names places alike in every revision", () => {
    const other = buildSearchIndex(
      sampleCourse((course) => void topicOf(course, "topic-pipes").blocks.reverse()),
      "revision-2",
    );
    expect(new Set(other.sources.map(({ sourceId }) => sourceId))).to.deep.equal(new Set(index.sources.map(({ sourceId }) => sourceId)));
  });

  it("cuts long texts between sentences, long code between lines, and anything else somewhere", () => {
    const sentence = "This sentence is about forty letters long. ";
    const code = Array.from({ length: 200 }, (_, line) => `  command number ${line}`).join("\n");
    const long = sampleCourse((course) => {
      topicOf(course, "topic-loops").blocks = [
        { id: "block-long-text", type: "core.theory", source: sentence.repeat(100) },
        { id: "block-long-code", type: "core.code", source: `\`\`\`\n${code}\n\`\`\`` },
        { id: "block-long-word", type: "core.theory", source: "😀".repeat(2_000) },
        { id: "block-many-parts", type: "core.theory", source: `${sentence}\n\n`.repeat(100) },
      ];
    });
    const made = buildSearchIndex(long, "revision-3");
    searchIndex.parse(made);
    for (const { text } of under("block-long-text", made)) expect(text).to.match(/^This.*long\.$/s);
    expect(
      under("block-long-code", made)
        .map(({ text }) => text)
        .join("\n"),
    ).to.equal(code);
    for (const { text } of under("block-long-word", made)) expect(text.isWellFormed()).to.equal(true);
    expect(
      under("block-long-word", made)
        .map(({ text }) => text)
        .join(""),
    ).to.equal("😀".repeat(2_000));
    expect(under("block-many-parts", made).length).to.be.within(3, 6);
    for (const { text } of made.passages) expect(text.length).to.be.at.most(bounds.course.passageLength);
  });
});

/** The letters and digits of rendered text: what the page compares when it marks a quote. Formulas are typeset there, so they are left out. */
const lettersOf = (text: string): string =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
const pageText = (page: string): string =>
  page
    .replaceAll(/<[^>]+>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
const formulas = /\$\$[\s\S]+?\$\$|\$[^$\n]+\$|\\\([\s\S]+?\\\)|\\\[[\s\S]+?\\\]/;

describe("a passage stands on its page", () => {
  for (const { courseId, folder } of demonstrationCourses)
    it(`as it is quoted: ${courseId}`, async () => {
      const { course } = await importNative(folder, { courseId, previous: null });
      const made = buildSearchIndex(course, "revision-1");
      const bySource = Map.groupBy(made.passages, ({ sourceId }) => sourceId);
      let compared = 0;
      for (const block of course.topics.flatMap((topic) => topic.blocks)) {
        const parsed = parseBlock(block);
        if (!parsed.ok) throw new Error(`${block.id} cannot be parsed`);
        if (["core.math", "core.figure", "core.diagram"].includes(block.type)) continue;
        const page = lettersOf(pageText(renderBlock(parsed.block)));
        for (const { text, role } of bySource.get(sourceIdOf(courseId, block.id)) ?? [])
          for (const line of text.split("\n"))
            for (const piece of role === "code" ? [line] : line.split(formulas)) {
              expect(page, `${block.id}: ${piece}`).to.include(lettersOf(piece));
              compared += lettersOf(piece).length;
            }
      }
      expect(compared).to.be.greaterThan(3_000);
    });
});

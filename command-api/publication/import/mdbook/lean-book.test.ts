import { readFileSync } from "node:fs";
import path from "node:path";
import { headingsOf } from "@colloquy/schemas/courses/markdown-text.ts";
import { expect } from "chai";
import type { ImportedCourse } from "../importer.ts";
import { faultsOf, inFolder, parsedBlocks, realCourse } from "../markdown/testing/folders.ts";
import { wordsKept } from "../markdown/testing/words-kept.ts";
import { importMdBook } from "./importer.ts";

const chapters = [
  "title_page",
  "introduction",
  "dependent_type_theory",
  "propositions_and_proofs",
  "quantifiers_and_equality",
  "tactics",
  "interacting_with_lean",
  "inductive_types",
  "induction_and_recursion",
  "structures_and_records",
  "type_classes",
  "conv",
  "axioms_and_computation",
];

describe("Theorem Proving in Lean, imported", function () {
  this.timeout(120_000);
  let folder = "";
  let imported: ImportedCourse;
  const again = (from: string, previous: ImportedCourse | null) =>
    importMdBook(from, { courseId: "theorem-proving", previous: previous?.course ?? null });

  before(async function () {
    const found = realCourse("theorem-proving-in-lean");
    if (found === null) this.skip();
    folder = found;
    imported = await again(folder, null);
  });

  it("is a valid course whose every link leads somewhere", () => {
    expect(faultsOf(imported.course)).to.deep.equal([]);
    expect(imported.course.manifest).to.include({ title: "Theorem Proving in Lean 4", language: "en", license: "Apache-2.0" });
    expect(imported.course.manifest.summary).to.match(
      /^Formal verification .+ By Jeremy Avigad, Leonardo de Moura, Soonho Kong and Sebastian Ullrich\.$/,
    );
    expect(imported.course.topics.map((topic) => topic.slug)).to.deep.equal(chapters.map((name) => name.replaceAll("_", "-")));
  });

  // The numbers were counted in the book's files with grep and awk.
  it("has everything the book has", () => {
    const blocks = parsedBlocks(imported.course);
    const codes = blocks.flatMap((block) => (block.type === "core.code" ? [block.data] : []));
    expect(codes).to.have.length(572);
    expect(codes.filter((code) => code.language === "lean")).to.have.length(549);
    expect(blocks.filter((block) => block.type === "core.table")).to.have.length(2);
    const theory = blocks.flatMap((block) => (block.type === "core.theory" ? [block.data.markdown] : []));
    // 112 headings, of which 13 are the chapters' titles.
    expect(theory.flatMap(headingsOf)).to.have.length(99);
    expect(theory.every((markdown) => headingsOf(markdown).length <= 1)).to.equal(true);
    expect(codes.some((code) => /^# /m.test(code.code))).to.equal(false);
    const hidden = imported.report.filter((note) => note.what === "lines of code that the book hides");
    expect(hidden.reduce((sum, note) => sum + (note.count ?? 0), 0)).to.equal(770);
    expect(hidden.map(({ file }) => file))
      .to.include("inductive_types.md")
      .and.not.to.include("SUMMARY.md");
  });

  it("links to chapters and to their headings, underlined ones too", () => {
    const topic = (slug: string) => imported.course.topics.find((entry) => entry.slug === slug);
    const sources = (slug: string): string =>
      topic(slug)
        ?.blocks.map((block) => block.source)
        .join("\n") ?? "";
    const induction = topic("induction-and-recursion")?.id;
    expect(sources("inductive-types")).to.include(`(topic:${induction}#well-founded-recursion-and-induction)`);
    expect(sources("induction-and-recursion")).to.include(
      "## Well-Founded Recursion and Induction {#well-founded-recursion-and-induction}",
    );
    expect(sources("induction-and-recursion")).to.include(`[Section Pattern Matching](topic:${induction}#pattern-matching)`);
    expect(sources("interacting-with-lean")).to.include(`(topic:${topic("dependent-type-theory")?.id}#variables-and-sections)`);
    expect(sources("dependent-type-theory")).to.include("## Variables and Sections {#variables-and-sections}");
    expect(sources("axioms-and-computation")).to.include(`[choice](topic:${topic("axioms-and-computation")?.id}#choice)`);
    expect(sources("introduction")).to.include(
      "[Apache 2.0 license](https://github.com/leanprover/theorem_proving_in_lean4/blob/HEAD/LICENSE)",
    );
  });

  it("reports what it left out", () => {
    const comments = imported.report.filter((note) => note.what.includes("HTML comment"));
    expect(comments.map((note) => `${note.file}:${note.line}`)).to.deep.equal([
      "dependent_type_theory.md:132",
      "dependent_type_theory.md:414",
      "interacting_with_lean.md:638",
      "axioms_and_computation.md:163",
      "axioms_and_computation.md:432",
    ]);
    expect(imported.report.map((note) => note.what)).to.include("a table without headings");
    expect(imported.report).to.have.length(18);
  });

  it("keeps every word of every chapter that the book shows", () => {
    for (const [index, name] of chapters.entries()) {
      const topic = imported.course.topics[index];
      if (!topic) throw new Error(`no topic for ${name}`);
      const { total, missing } = wordsKept(readFileSync(path.join(folder, `${name}.md`), "utf8"), topic, { hiddenPrefix: "# " });
      console.log(`      ${name}.md: ${total - missing.length} of ${total} words`);
      expect(missing, name).to.deep.equal([]);
    }
  });

  it("is the same, byte for byte, when it is imported again", async () => {
    expect(JSON.stringify((await again(folder, imported)).course)).to.equal(JSON.stringify(imported.course));
  });

  it("changes no other block's id when one paragraph is edited", async () => {
    const names = ["book.toml", "SUMMARY.md", "LICENSE", ...chapters.map((chapter) => `${chapter}.md`)];
    const files = Object.fromEntries(names.map((name) => [name, readFileSync(path.join(folder, name), "utf8")]));
    const edited = files["conv.md"]?.replace("Navigation using the above commands can be tedious.", "Navigating so can be tedious.") ?? "";
    await inFolder({ ...files, "conv.md": edited }, async (copy) => {
      const ids = ({ course }: ImportedCourse): string[] => course.topics.flatMap((topic) => topic.blocks.map((block) => block.id));
      expect(ids(await again(copy, null)).filter((id) => !ids(imported).includes(id))).to.have.length(1);
      expect(ids(await again(copy, imported))).to.deep.equal(ids(imported));
    });
  });
});

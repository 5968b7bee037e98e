import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ParsedBlock } from "@colloquy/schemas/courses/blocks.ts";
import { expect } from "chai";
import { ImportError, type ImportedCourse } from "../importer.ts";
import { openFolder } from "../markdown/folder.ts";
import { faultsOf, inFolder, parsedBlocks, svg } from "../markdown/testing/folders.ts";
import { reportText } from "../report.ts";
import { isBook } from "./book.ts";
import { importMdBook } from "./importer.ts";

const toml = '[book]\ntitle = "A Book"\nauthors = ["Ann One <ann@example.org>", "Bo Two"]\nlanguage = "en"\ndescription = "What it is."\n';

async function book(files: Record<string, string | Uint8Array>): Promise<ImportedCourse> {
  return inFolder(files, async (folder) => {
    const imported = await importMdBook(folder, { courseId: "a-book-of-ours", previous: null });
    expect(faultsOf(imported.course)).to.deep.equal([]);
    return imported;
  });
}

const page = async (text: string, more: Record<string, string | Uint8Array> = {}, config = toml): Promise<ImportedCourse> =>
  book({ "book.toml": config, "src/SUMMARY.md": "# Summary\n\n- [One](one.md)\n", "src/one.md": text, ...more });
const dataOf = (imported: ImportedCourse) => parsedBlocks(imported.course).map(({ type, data }: ParsedBlock) => ({ type, data }));
const notesOf = (imported: ImportedCourse): string[] =>
  imported.report.map((note) => `${note.file}:${note.line ?? ""} ${note.count ? `${note.count} ` : ""}${note.what} → ${note.done}`);
const theory = (markdown: string) => ({ type: "core.theory", data: { markdown } });

describe("import of an mdBook", () => {
  it("reports pages that the summary neither names nor includes", async () => {
    const imported = await page("{{#include part.md}}\n", {
      "src/part.md": "Included.\n",
      "src/forgotten.md": "# Forgotten\n",
      "README.md": "# About the repository\n",
    });
    expect(notesOf(imported)).to.deep.equal(["src/forgotten.md: a page that src/SUMMARY.md does not name → left out"]);
  });

  it("includes files of hidden folders, but nothing of version control", async () => {
    const imported = await page("```toml\n{{#include ../.cargo/config.toml}}\n```\n\n{{#include ../.git/config}}\n", {
      ".cargo/config.toml": "[build]",
      ".git/config": "Not to be told.",
    });
    expect(dataOf(imported)).to.deep.equal([{ type: "core.code", data: { language: "toml", role: "input", code: "[build]" } }]);
    expect(notesOf(imported)).to.deep.equal(["src/one.md:5 the included file ../.git/config is not in the folder → left out"]);
  });

  it("reports a chapter that leads out of the book", async () => {
    const imported = await book({
      "book.toml": toml,
      "src/SUMMARY.md": "# Summary\n\n- [One](one.md)\n- [Two](../../two.md)\n",
      "src/one.md": "# One\n\nText.\n",
    });
    expect(notesOf(imported)).to.deep.equal(["src/SUMMARY.md:4 the page ../../two.md is not in the folder → left out"]);
  });

  it("makes collections of parts and of chapters with chapters below them", async () => {
    const summary = `# Summary

[Preface](./preface.md)

# First part

- [Basics](basics/README.md)
  - [Deeper](basics/deeper.md)
    - [Deepest](basics/deepest.md)
- [Draft]()

---

# Second part

1. [Alone](alone.md)
2. [Missing](missing.md)
3. [Again](alone.md)

[After](after.md)

stray words
`;
    const chapters = ["preface", "basics/README", "basics/deeper", "basics/deepest", "alone", "after"];
    const imported = await book({
      "book.toml": toml,
      "src/SUMMARY.md": summary,
      ...Object.fromEntries(chapters.map((name) => [`src/${name}.md`, `# ${name}\n\nText.\n`])),
    });
    const { manifest, topics, collections } = imported.course;
    const shown = (refs: typeof manifest.root): unknown[] =>
      refs.map((ref) => {
        const topic = topics.find((entry) => entry.id === ref.id);
        const collection = collections.find((entry) => entry.id === ref.id);
        return topic ? topic.slug : { [collection?.slug ?? "?"]: shown(collection?.children ?? []) };
      });
    expect(shown(manifest.root)).to.deep.equal([
      "preface",
      { "first-part": [{ basics: ["basics", { deeper: ["deeper", "deepest"] }] }] },
      { "second-part": ["alone"] },
      "after",
    ]);
    expect(topics.map((topic) => topic.title)).to.deep.equal(["Preface", "Basics", "Deeper", "Deepest", "Alone", "After"]);
    expect(notesOf(imported)).to.have.members([
      "src/SUMMARY.md:10 the chapter “Draft” is a draft without a page → left out",
      "src/SUMMARY.md:17 the page missing.md is not in the folder → left out",
      "src/alone.md: the summary names this page twice → it stands where it is named first",
      "src/SUMMARY.md:22 a line that names no chapter: stray words → left out",
    ]);
  });

  it("finds SUMMARY.md in src, beside book.toml, and without book.toml", async () => {
    const chapter = { "one.md": "Text." };
    const summary = "- [One](one.md)\n";
    const beside = await book({ "book.toml": `${toml}src = "."\n`, "SUMMARY.md": summary, ...chapter });
    const misplaced = await book({ "book.toml": toml, "SUMMARY.md": summary, ...chapter });
    const bare = await book({ "SUMMARY.md": `# Only a summary\n\n${summary}`, ...chapter });
    const elsewhere = await book({ "book.toml": `${toml}src = "text"\n`, "text/SUMMARY.md": summary, "text/one.md": "Text." });
    for (const { course } of [beside, misplaced, bare, elsewhere]) expect(course.topics).to.have.length(1);
    expect(beside.course.manifest).to.include({ title: "A Book", summary: "What it is. By Ann One and Bo Two." });
    expect(bare.course.manifest.title).to.equal("Only a summary");
  });

  it("leaves the first heading out when it repeats the title, and keeps it otherwise", async () => {
    expect(dataOf(await page("One\n===\n\nText.\n\n# Stray\n\nMore.\n"))).to.deep.equal([theory("Text."), theory("## Stray\n\nMore.")]);
    expect(dataOf(await page("# Another name\n\nText.\n"))).to.deep.equal([theory("## Another name\n\nText.")]);
  });

  it("links to pages and headings by mdBook's ids", async () => {
    const imported = await page("# One\n\n[top](#one) [a](two.md#a-heading_1) [b](./two.html#text-1) [c](sub/index.html) [d](/two.md)\n", {
      "src/SUMMARY.md": "- [One](one.md)\n- [Two](two.md)\n- [Sub](sub/README.md)\n",
      "src/two.md": "# Two\n\n## A `heading_1`!\n\n## Text\n\n## Text\n\nSecond. [Back](../src/one.md)\n",
      "src/sub/README.md": "# Sub\n\n[Up](../two.md)\n",
    });
    const [one, two, sub] = imported.course.topics;
    expect(one?.blocks[0]?.source).to.equal(
      `[top](topic:${one?.id}) [a](topic:${two?.id}#a-heading_1) [b](topic:${two?.id}#text-1) [c](topic:${sub?.id}) [d](topic:${two?.id})`,
    );
    expect(two?.blocks.map((block) => block.source.split("\n")[0])).to.deep.equal([
      "## A `heading_1`! {#a-heading_1}",
      "## Text",
      "## Text {#text-1}",
    ]);
    expect(sub?.slug).to.equal("sub");
  });

  it("reads pages in other encodings and with broken front matter, and reports both", async () => {
    const german = Buffer.from("# Eins\n\nÜber Größe und Maße der Fläche: süß.\n", "latin1");
    const imported = await book({
      "book.toml": toml,
      "src/SUMMARY.md": "- [One](one.md)\n- [Two](two.md)\n- [Three](three.md)\n- [Four](four.md)\n- [100%](a%.md)\n",
      "src/one.md": german,
      "src/two.md": Buffer.from("\ufeffWide text.\n", "utf16le"),
      "src/three.md": "---\ntitle: Loops: an introduction\n---\nText.\n",
      "src/four.md": Uint8Array.from({ length: 400 }, (_, index) => (index * 89) % 256),
      "src/a%.md": "---\nText between rules.\n\n---\n",
    });
    expect(dataOf(imported)).to.deep.equal([
      theory("## Eins\n\nÜber Größe und Maße der Fläche: süß."),
      theory("Wide text."),
      theory("Text."),
      theory("***\n\nText between rules.\n\n***"),
    ]);
    expect(notesOf(imported)).to.have.members([
      "src/one.md: windows-1252 instead of UTF-8 → read as that; look at its accented letters",
      "src/two.md: utf-16le instead of UTF-8 → read as that; look at its accented letters",
      "src/three.md:2 the front matter is not valid YAML: Nested mappings are not allowed in compact mappings → its lines are read one by one",
      "src/four.md: not a text file → left out: save it as text in UTF-8 to import it",
    ]);
  });

  it("splits parts that are too long for one block, with all their words", async () => {
    const lines = Array.from({ length: 4_000 }, (_, index) => `item-${index} with [a link](two.md) and more words`);
    const parts: [written: string, type: string][] = [
      [`${lines.join(". ")}.`, "core.theory"],
      [lines.map((line) => `- ${line}`).join("\n"), "core.theory"],
      [`> [!NOTE]\n${lines.map((line) => `> ${line}`).join("\n>\n")}`, "core.callout"],
      [`\`\`\`py\n${lines.join("\n")}\n\`\`\``, "core.code"],
      [`- a\n\n  \`\`\`py\n${lines.map((line) => `  ${line}`).join("\n")}\n  \`\`\``, "core.theory"],
      [`> [!NOTE]\n> \`\`\`py\n${lines.map((line) => `> ${line}`).join("\n")}\n> \`\`\``, "core.callout"],
      [`| a |\n|---|\n${lines.map((line) => `| ${line} |`).join("\n")}`, "core.table"],
      ["x".repeat(150_000), "core.theory"],
    ];
    for (const [written, type] of parts) {
      const imported = await page(written, { "src/SUMMARY.md": "- [One](one.md)\n- [Two](two.md)\n", "src/two.md": "Two." });
      const blocks = imported.course.topics[0]?.blocks ?? [];
      const text = blocks.map(({ source }) => source).join("\n");
      expect(blocks.length, type).to.be.greaterThan(1);
      expect(new Set(blocks.map((block) => block.type))).to.deep.equal(new Set([type]));
      if (written.startsWith("x")) expect(text.match(/x/g)).to.have.length(150_000);
      else expect(new Set(text.match(/\bitem-\d+/g)).size, type).to.equal(lines.length);
      expect(notesOf(imported).join("\n")).to.match(
        /^src\/one\.md:\d .*(?:more than a block may have|longer than a block may be) → split into \d/,
      );
    }
  });

  it("reports lists and quotations too deep to be shown, and keeps their words", async () => {
    const list = Array.from({ length: 60 }, (_, depth) => `${"  ".repeat(depth)}- word-${depth}`).join("\n");
    const imported = await page(`${list}\n\nBetween.\n\n${"> ".repeat(250)}quoted\n`);
    expect(imported.course.topics[0]?.blocks[0]?.source).to.contain("word-59").and.contain("quoted");
    expect(notesOf(imported)[0]).to.match(/^src\/one\.md:50 lists or quotations deeper in one another than can be shown → /);
  });

  it("takes chapters and parts with the same name and title", async () => {
    const summary = `- [Functions](a/fn.md)
  - [Closures](a/one.md)
- [Traits](b/fn.md)
  - [Functions](b/fn/fn.md)
    - [Closures](b/one.md)
- [Functions](c/fn.md)
  - [Closures](c/one.md)
- [Draft]()
  - [One](d.md)
- [Draft]()
  - [Two](e.md)
`;
    const files = ["a/fn", "a/one", "b/fn", "b/fn/fn", "b/one", "c/fn", "c/one", "d", "e"];
    const imported = await book({
      "book.toml": toml,
      "src/SUMMARY.md": summary,
      ...Object.fromEntries(files.map((file) => [`src/${file}.md`, `Text of ${file}.`])),
    });
    expect(imported.course.topics).to.have.length(files.length);
    expect(imported.course.collections.map(({ title }) => title)).to.have.members([
      "Functions",
      "Traits",
      "Functions",
      "Functions",
      "Draft",
      "Draft",
    ]);
  });

  it("marks a book's speaker notes as for instructors", async () => {
    const notes = "Text.\n\n<details>\n\nAsk them.\n\n</details>\n";
    const config = `${toml}[output.html]\nadditional-js = ["theme/speaker-notes.js"]\n`;
    expect(dataOf(await page(notes, {}, config)).at(-1)?.data).to.include({ kind: "instructor", folded: true });
    expect(dataOf(await page(notes)).at(-1)?.data).to.include({ kind: "note", folded: true });
  });

  it("titles the code of a listing by its number, caption and file", async () => {
    const imported = await page(
      '<Listing number="2-1" file-name="src/main.rs" caption="An `Option<T>` &amp; more" tone="dark">\n\n```rust,ignore\nlet x;\n```\n\n</Listing>\n\n<Listing file-name="a.toml">\n\n```toml\na = 1\n```\n\n</Listing>\n\n- item\n\n  <Listing number="2-2">\n\n  Text.\n\n  </Listing>\n\n[see](#listing-2-1)\n',
    );
    const code = imported.course.topics[0]?.blocks[0]?.id;
    expect(dataOf(imported)).to.deep.equal([
      {
        type: "core.code",
        data: { language: "rust", role: "input", title: "Listing 2-1: An Option<T> & more (src/main.rs)", code: "let x;" },
      },
      { type: "core.code", data: { language: "toml", role: "input", title: "a.toml", code: "a = 1" } },
      theory(`- item\n\n  **Listing 2-2**\n\n  Text.\n\n[see](topic:${imported.course.topics[0]?.id}#${code})`),
    ]);
    expect(notesOf(imported)).to.deep.equal(["src/one.md:1 the attribute tone of a listing → left out"]);
  });

  it("takes the name of a file above code as the title of the code", async () => {
    const imported = await page(
      'Like this:\n\n<span class="filename">Filename: src/main.rs</span>\n\n```rust\nlet x;\n```\n\nAnd so on.\n',
    );
    expect(dataOf(imported)).to.deep.equal([
      theory("Like this:"),
      { type: "core.code", data: { language: "rust", role: "input", title: "src/main.rs", code: "let x;" } },
      theory("And so on."),
    ]);
  });

  it("takes the name of a file above code in a quote or a list", async () => {
    const named = (indent: string) =>
      `<span class="filename">Filename: a.rs</span>\n${indent}\n${indent}\`\`\`rust\n${indent}let x;\n${indent}\`\`\`\n`;
    const imported = await page(`- item\n\n  ${named("  ")}\nText.\n\n> Quote.\n>\n> ${named("> ")}`);
    const markdown = JSON.stringify(dataOf(imported));
    expect(markdown.match(/\*\*a\.rs\*\*/g), markdown).to.have.length(2);
    expect(markdown).to.not.contain("Filename:");
  });

  it("keeps the name of a file as text above code that has a title", async () => {
    const imported = await page('<span class="filename">Filename: a.rs</span>\n\n```rust title="Own"\nlet x;\n```\n');
    expect(dataOf(imported)).to.deep.equal([
      theory("Filename: a.rs"),
      { type: "core.code", data: { language: "rust", role: "input", title: "Own", code: "let x;" } },
    ]);
  });

  it("reads a listing's tag over several lines", async () => {
    const imported = await page('<Listing\n   number="1-2"\n   caption="a > b"\n>\n\n```rust\nlet x;\n```\n\n</Listing>\n');
    expect(dataOf(imported)).to.deep.equal([
      { type: "core.code", data: { language: "rust", role: "input", title: "Listing 1-2: a > b", code: "let x;" } },
    ]);
  });

  it("keeps the titles of listings in lists", async () => {
    const listing = (file: string) => `<Listing number="2-1" file-name="${file}">\n\n  \`\`\`rust\n  let x;\n  \`\`\`\n\n  </Listing>`;
    const imported = await page(`- item\n\n  ${listing("a_b.rs")}\n\n- ${listing("b.rs")}\n`);
    const code = "  ```rust\n  let x;\n  ```";
    expect(dataOf(imported)).to.deep.equal([
      theory(`- item\n\n\n  **Listing 2-1 (a\\_b.rs)**\n\n${code}\n\n\n- **Listing 2-1 (b.rs)**\n\n${code}`),
    ]);
  });

  it("leaves a listing that is shown as code", async () => {
    const html = '<Listing number="1-1">\n\nText.\n\n</Listing>';
    const imported = await page(`\`\`\`html\n${html}\n\`\`\`\n`);
    expect(dataOf(imported)).to.deep.equal([{ type: "core.code", data: { language: "html", role: "input", code: html } }]);
  });

  it("hides the lines a book hides, and says how many", async () => {
    const config = `${toml}\n[output.html.code.hidelines]\npython = "~"\n\n[output.html.playground.boring-prefixes]\nlean = "# "\n`;
    const imported = await page(
      "```lean\n# namespace Hidden\n#check 1\n# end Hidden\n```\n\n```python\n~import x\nx.y()\n```\n\n```rust,editable\n# fn main() {\n#[derive(Debug)]\n## shown\nlet x = 1;\n#\n# }\n```\n\n- a list\n  ```lean\n  # hidden\n  example := 1\n  ```\n\n```lean\n# all\n```\n",
      {},
      config,
    );
    expect(dataOf(imported)).to.deep.equal([
      { type: "core.code", data: { language: "lean", role: "input", code: "#check 1" } },
      { type: "core.code", data: { language: "python", role: "input", code: "x.y()" } },
      { type: "core.code", data: { language: "rust", role: "input", code: "#[derive(Debug)]\n# shown\nlet x = 1;" } },
      theory("- a list\n  ```lean\n  example := 1\n  ```"),
    ]);
    expect(notesOf(imported)).to.deep.equal([
      "src/one.md: 8 lines of code that the book hides → left out of the code shown",
      "src/one.md:27 a code block whose lines are all hidden → left out",
    ]);
    const published = { sequence: 1, revisionId: "revision-1", position: "1", changed: true, restored: 0 };
    const { course, report } = imported;
    const more = { file: "src/two.md", count: 3, what: "lines of code that the book hides", done: "left out of the code shown" };
    expect(reportText({ format: "mdBook", course, report: [...report, more], published }, "/courses/book")).to.include(
      "  - 11 lines of code that the book hides → left out of the code shown\n      src/one.md (8), src/two.md (3)\n",
    );
  });

  it("resolves includes, and reports those that cannot be", async () => {
    const imported = await page(
      "```rust\n{{#include ../code/a.rs:part}}\n```\n\n{{#include shared.md}}\n\n{{#playground ../code/a.rs editable}}\n\n{{#include shared.md:1}} \\{{#include x}} {{#include ../../out.md}} {{#include gone.md}} {{#other}}\n",
      {
        "code/a.rs": "// ANCHOR: part\nlet a = 1;\n// ANCHOR_END: part\nlet b = 2;\n",
        "src/shared.md": "Shared *text*.\n\n{{#include deep/more.md}}\n",
        "src/deep/more.md": "More, [linked](two.md).\n",
      },
    );
    expect(dataOf(imported)).to.deep.equal([
      { type: "core.code", data: { language: "rust", role: "input", code: "let a = 1;" } },
      theory("Shared *text*.\n\nMore, linked."),
      { type: "core.code", data: { language: "rust", role: "input", code: "let a = 1;\nlet b = 2;" } },
      theory("Shared *text*. {{#include x}}"),
    ]);
    expect(notesOf(imported).slice(0, 3)).to.deep.equal([
      "src/one.md:5 a link to two.md, which is no page of the course → its text is kept without the link",
      "src/one.md:9 the included file ../../out.md is not in the folder → left out",
      "src/one.md:9 the included file gone.md is not in the folder → left out",
    ]);
  });

  it("makes callouts of labelled quotations and details, and leaves other quotations alone", async () => {
    const text =
      "> [!WARNING] Mind\n> this `x`\n\n> [!note]\n> - one\n\n> A quotation\n> of two lines, [linked](#one).\n\n<details>\n<summary>Answer to <b>it</b></summary>\n\nForty-two.\n\n</details>\n";
    const imported = await page(`# One\n\n${text}`);
    expect(dataOf(imported)).to.deep.equal([
      { type: "core.callout", data: { kind: "warning", title: "Mind", folded: false, markdown: "this `x`" } },
      { type: "core.callout", data: { kind: "note", folded: false, markdown: "- one" } },
      theory(`> A quotation\n> of two lines, [linked](topic:${imported.course.topics[0]?.id}).`),
      { type: "core.callout", data: { kind: "note", title: "Answer to it", folded: true, markdown: "Forty-two." } },
    ]);
  });

  it("reads mathematics the way the book's settings say", async () => {
    const text = "Inline \\\\( x_1 \\\\), price $5 and $6.\n\n\\\\[ y \\\\]\n";
    expect(dataOf(await page(text, {}, `${toml}\n[output.html]\nmathjax-support = true\n`))).to.deep.equal([
      theory("Inline $x_1$, price \\$5 and \\$6.\n\n$$y$$"),
    ]);
    expect(dataOf(await page("It is $x$ --- and -- $5.\n", {}, `${toml}\n[preprocessor.katex]\n`))).to.deep.equal([
      theory("It is $x$ — and -- \\$5."),
    ]);
    expect(dataOf(await page("From $PATH to $HOME.\n"))).to.deep.equal([theory("From \\$PATH to \\$HOME.")]);
  });

  it("takes pictures from beside the page, and files of the book by their public address", async () => {
    const config = `${toml}\n[output.html]\ngit-repository-url = "https://github.com/someone/book"\n`;
    const imported = await page(
      '# One\n\n![Alt *text*](<img/a b.svg> "Title") and ![no](img/a b.svg) picture\n\n- a [list][x]\n\n  [x]: #one\n\n[code](files/x.txt) and <figure><img src="img/a b.svg" alt="x"></figure>\n\n<figure>\n<img src="img/a%20b.svg" alt="Again">\n<figcaption>Shown <em>here</em></figcaption>\n</figure>\n',
      { "src/img/a b.svg": svg, "src/files/x.txt": "x" },
      config,
    );
    expect(imported.course.assets.map((asset) => asset.path)).to.deep.equal(["img/a b.svg"]);
    expect(dataOf(imported)[0]).to.deep.equal(
      theory(
        `![Alt text](<img/a b.svg>) and ![no\\](img/a b.svg) picture\n\n- a [list](topic:${imported.course.topics[0]?.id})\n\n[code](https://github.com/someone/book/blob/HEAD/src/files/x.txt) and ![x](<img/a b.svg>)`,
      ),
    );
    expect(dataOf(imported).at(-1)).to.deep.equal({
      type: "core.figure",
      data: { path: "img/a b.svg", alt: "Again", caption: "Shown *here*" },
    });
    expect(notesOf(imported)).to.include(
      "src/one.md:9 a link to files/x.txt, which is no page of the course → it leads to https://github.com/someone/book/blob/HEAD/src/files/x.txt",
    );
  });

  it("reads nothing from elsewhere by a link", async () => {
    const text = "# One\n\n![Tree](tree.svg)\n\n{{#include told.md}}\n\n{{#include elsewhere/told.md}}\n";
    const files = { "book.toml": toml, "src/SUMMARY.md": "# Summary\n\n- [One](one.md)\n", "src/one.md": text };
    await inFolder({ "told.md": "# Told\n\nNot to be told.\n", "tree.svg": svg }, (elsewhere) =>
      inFolder(files, async (folder) => {
        for (const name of ["told.md", "tree.svg"]) symlinkSync(join(elsewhere, name), join(folder, "src", name));
        symlinkSync(elsewhere, join(folder, "src/elsewhere"));
        const imported = await importMdBook(folder, { courseId: "a-book-of-ours", previous: null });
        expect(JSON.stringify(imported)).not.to.include("Not to be told");
        expect([...imported.assets.keys()]).to.deep.equal([]);
        expect(imported.report.filter(({ what }) => what.includes("is not in the folder"))).to.have.length(3);
        writeFileSync(join(folder, "src/SUMMARY.md"), "# Summary\n\n- [Told](told.md)\n");
        const refused = await importMdBook(folder, { courseId: "a-book-of-ours", previous: null }).catch(String);
        expect(refused).to.include("src/told.md leads out of the folder");
      }),
    );
  });

  it("says what is wrong with a folder that is no book", async () => {
    const failure = async (files: Record<string, string>): Promise<unknown> =>
      inFolder(files, (folder) =>
        importMdBook(folder, { courseId: "a-book-of-ours", previous: null }).then(
          () => null,
          (error: unknown) => error,
        ),
      );
    expect(await failure({ "README.md": "Nothing." })).to.be.instanceOf(ImportError);
    expect(String(await failure({ "book.toml": "[book\n", "SUMMARY.md": "" }))).to.include("book.toml cannot be read");
    expect(String(await failure({ "book.toml": toml, "src/SUMMARY.md": "- [Gone](gone.md)\n" }))).to.include("names no chapter");
    expect(
      await importMdBook("/nowhere/at/all", { courseId: "a-book-of-ours", previous: null }).catch((error: unknown) => error),
    ).to.be.instanceOf(ImportError);
    expect(await inFolder({ "src/SUMMARY.md": "" }, async (folder) => isBook(openFolder(folder)))).to.equal(true);
    expect(await inFolder({ "config.yaml": "" }, async (folder) => isBook(openFolder(folder)))).to.equal(false);
  });
});

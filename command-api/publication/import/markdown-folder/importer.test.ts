import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { expect } from "chai";
import type { ImportedCourse } from "../importer.ts";
import { faultsOf, inFolder, parsedBlocks, svg } from "../markdown/testing/folders.ts";
import { importMarkdownFolder } from "./importer.ts";

async function imported(
  files: Record<string, string | Uint8Array>,
  previous: ImportedCourse["course"] | null = null,
): Promise<ImportedCourse> {
  return inFolder(files, async (folder) => {
    const result = await importMarkdownFolder(folder, { courseId: "some-course", previous });
    expect(faultsOf(result.course)).to.deep.equal([]);
    return result;
  });
}

/** The tree of a course by slugs and titles. */
function tree({ course }: ImportedCourse): unknown[] {
  const shown = (refs: typeof course.manifest.root): unknown[] =>
    refs.map(({ id }) => {
      const topic = course.topics.find((entry) => entry.id === id);
      const collection = course.collections.find((entry) => entry.id === id);
      return topic ? topic.title : { [collection?.title ?? "?"]: shown(collection?.children ?? []) };
    });
  return shown(course.manifest.root);
}
const notesOf = ({ report }: ImportedCourse): string[] =>
  report.map(({ file, line, what, done }) => `${file}:${line ?? ""} ${what} → ${done}`);
const dataOf = (result: ImportedCourse) => parsedBlocks(result.course).map(({ type, data }) => ({ type, data }));
const page = async (text: string, more: Record<string, string> = {}) => imported({ "index.md": `# Page\n\n${text}`, ...more });

describe("import of a folder of Markdown pages", () => {
  it("reports settings of a folder that cannot be read", async () => {
    const result = await imported({
      "index.md": "# Course\n\nText.",
      "basics/_category_.yml": "label: Basics: the start\nposition: 1\n",
      "basics/a.md": "# A\n\nText.",
      "more/_category_.json": "[1, 2]",
      "more/b.md": "# B\n\nText.",
    });
    expect(tree(result)).to.deep.equal(["Course", { Basics: ["A"] }, { More: ["B"] }]);
    expect(notesOf(result)).to.deep.equal([
      "basics/_category_.yml: not valid YAML: Nested mappings are not allowed in compact mappings at line 1, column 8: → left out",
      "more/_category_.json: no names with values → left out",
    ]);
  });

  it("orders pages by their names, numbers and front matter, and makes collections of folders", async () => {
    const result = await imported({
      "README.md": "# The shell\n\nWhat to type, and why: a course about command lines for beginners.\n",
      "10-last.md": "Text.",
      "2-second_page.md": "Text.",
      "02-pipes/index.md": "# Pipes and filters\n\nText.",
      "02-pipes/b.md": "---\nsidebar_position: 2\n---\n# B\n\nText.",
      "02-pipes/c.md": "---\nsidebar_position: 1\ntitle: First of all\n---\nText.",
      "instructors/notes.md": "# Notes\n\nHidden.",
      "LICENSE.md": "MIT License",
      "_build/old.md": "Old.",
      "empty.md": "\n",
    });
    expect(tree(result)).to.deep.equal([
      "The shell",
      { Pipes: ["Pipes and filters", "First of all", "B"] },
      "Second page",
      "Last",
      { "For instructors": ["Notes"] },
    ]);
    expect(result.course.manifest).to.include({
      title: "The shell",
      license: "MIT",
      summary: "What to type, and why: a course about command lines for beginners.",
    });
    expect(notesOf(result)).to.have.members([
      "LICENSE.md: a file about the repository → left out",
      "empty.md: a page without content → left out",
    ]);
  });

  it("titles a page by its first heading of level 1, whatever stands before it, and shows that once", async () => {
    const before = [
      "<!-- c -->",
      "[![badge](https://ci.test/b.svg)](https://ci.test)",
      '<a id="top"></a>',
      "An introduction.",
      "```\n# code\n```",
      "<!--\n# c\n-->",
    ];
    for (const lead of before) {
      const result = await imported({ "a.md": `${lead}\n\n# Alpha\n\nText.\n\n## Part\n\nMore.\n` });
      expect(tree(result), lead).to.deep.equal(["Alpha"]);
      const text = result.course.topics[0]?.blocks.map(({ source }) => source).join("\n") ?? "";
      expect(text, lead).to.not.match(/^#+ Alpha/m);
      expect(text, lead).to.include("## Part").and.include("Text.");
    }
    expect(tree(await imported({ "a.md": '<h1 align="center">Alpha <em>two</em></h1>\n\nText.\n' }))).to.deep.equal(["Alpha two"]);
    expect(tree(await imported({ "a-page.md": "Text.\n\n## Part\n\nText.\n\n# Late\n\nText.\n" }))).to.deep.equal(["A page"]);
    expect(tree(await imported({ "a-page.md": "```\ncode\n```\n\n## Part\n\nText.\n" }))).to.deep.equal(["A page"]);
  });

  it("keeps formulas that end in an escaped character, and with a space where that cannot be a price", async () => {
    const result = await page("Let $A = \\{1, 2\\}$, $x \\in \\R$, $95\\%$, $\\|x\\|$ and $c_0 $, from $5 to $6 a piece.\n");
    expect(result.course.topics[0]?.blocks[0]?.source).to.equal(
      "Let $A = \\{1, 2\\}$, $x \\in \\R$, $95\\%$, $\\|x\\|$ and $c_0$, from \\$5 to \\$6 a piece.",
    );
  });

  it("tells the language of pages that name none by their words", async () => {
    const german = await imported({
      "a.md":
        "# Die Muschel\n\nDie Shell ist ein Programm, das Befehle liest und ausführt. Wer sie kennt, spart viel Zeit bei der Arbeit.\n",
    });
    expect(german.course.manifest.language).to.equal("de");
    expect(notesOf(german)).to.deep.equal(["a.md: pages that name no language → read as German, by their words"]);
    expect((await page("The shell is a program that reads commands and runs them.\n")).course.manifest.language).to.equal("en");
  });

  it("reads displayed environments of LaTeX that stand alone", async () => {
    const result = await page(
      "Text:\n\\begin{equation}\na = \\frac{b}{c} \\\\\nd \\, dx\n\\end{equation}\n\n- item\n\n  \\begin{eqnarray*}\n  a &=& b \\\\\n  \\end{eqnarray*}\n\n$$\n\\begin{align}\nx\n\\end{align}\n$$\n\n```\n\\begin{align}\n```\n",
    );
    const text = result.course.topics[0]?.blocks.map(({ source }) => source).join("\n\n") ?? "";
    expect(text).to.include("$$\n\\begin{equation}\na = \\frac{b}{c} \\\\\nd \\, dx\n\\end{equation}\n$$");
    expect(text).to.include("  $$\n  \\begin{align*}\n  a &= b \\\\\n  \\end{align*}\n  $$");
    expect(text).to.include("$$\n\\begin{align}\nx\n\\end{align}\n$$");
    expect(text).to.match(/```\w*\n\\begin\{align\}\n```/);
  });

  it("titles a site by its first page where the table of contents only says Home", async () => {
    const result = await imported({
      "_sidebar.md": "- [Home](/)\n- [A](a.md)\n",
      "README.md": "# The shell\n\nText.",
      "a.md": "# A\n\nText.",
    });
    expect(result.course.manifest.title).to.equal("The shell");
  });

  it("takes no title from broken front matter that goes on in the next line", async () => {
    const result = await imported({ "a.md": '---\ntitle: "Broken\n  yaml: [\n---\n\n# Second\n\nText.\n' });
    expect(result.course.topics.map(({ title }) => title)).to.deep.equal(["Second"]);
  });

  it("reads front matter in TOML, and names the line of a mistake in it", async () => {
    const result = await imported({
      "a.md": '+++\ntitle = "From TOML"\nweight = 1\n+++\n\nText.\n',
      "b.md": '+++\ntitle = "Broken"\nweight = = 1\n+++\n\nText.\n',
      "c.md": "+++\n\nA line of signs is no front matter.\n\n+++\n",
      "d.md": "---\ntitle: One\ntags: [a\n---\n\nText.\n",
    });
    expect(result.course.topics.map(({ title }) => title)).to.deep.equal(["From TOML", "Broken", "C", "One"]);
    expect(notesOf(result).map((note) => note.split(/: | →/)[0])).to.deep.equal([
      "b.md:3 the front matter is not valid TOML",
      "d.md:3 the front matter is not valid YAML",
    ]);
    expect(JSON.stringify(dataOf(result))).to.not.contain("title =");
  });

  it("names the files when no page has text", async () => {
    const binary = Uint8Array.from({ length: 400 }, (_, index) => (index * 89) % 256);
    const error = await imported({ "page.md": binary }).catch((reason: Error) => reason);
    expect(error)
      .to.have.property("message")
      .that.matches(/holds no page with text\.\n {2}page\.md: not a text file/);
  });

  it("reports symbolic links to folders and out of the course's folder", async () => {
    const notes = await inFolder({ "told.md": "# Told\n\nNot to be told.\n" }, (elsewhere) =>
      inFolder({ "index.md": "# Page\n\nText.\n", "part/a.md": "# A\n\nText.\n" }, async (folder) => {
        symlinkSync(join(elsewhere, "told.md"), join(folder, "b.md"));
        symlinkSync(join(folder, "part"), join(folder, "same"));
        symlinkSync(join(folder, "index.md"), join(folder, "c.md"));
        return notesOf(await importMarkdownFolder(folder, { courseId: "some-course", previous: null }));
      }),
    );
    const what = "a symbolic link to a folder or out of the course's folder → left out";
    expect(notes).to.have.members([`b.md: ${what}`, `same: ${what}`]);
  });

  it("leaves out old and broken notebooks and raw cells, and reports them", async () => {
    const cells = [
      { cell_type: "markdown", source: "# New\n\nText." },
      { cell_type: "raw", source: "Raw." },
    ];
    const result = await imported({
      "new.ipynb": JSON.stringify({ cells }),
      "old.ipynb": JSON.stringify({ nbformat: 3, worksheets: [{ cells }] }),
      "other.ipynb": "{}",
      "torn.ipynb": "{",
    });
    expect(tree(result)).to.deep.equal(["New"]);
    expect(notesOf(result)).to.have.members([
      "new.ipynb:2 a cell of the kind “raw”, neither text nor code → left out",
      "old.ipynb: a notebook of format 3 or older: open it in Jupyter and save it → left out",
      "other.ipynb: no Jupyter notebook: it has no cells → left out",
      "torn.ipynb: no Jupyter notebook: not valid JSON → left out",
    ]);
  });

  it("hides a notebook's cells for instructors from learners", async () => {
    const cell = (source: string, metadata: object) => ({ cell_type: "markdown", source, metadata });
    const cells = [
      cell("# New\n\nText.", {}),
      cell("One.", { tags: ["instructor"] }),
      cell("Two.", { slideshow: { slide_type: "notes" } }),
      cell("Three.", { tags: ["wide"] }),
    ];
    const result = await imported({ "new.ipynb": JSON.stringify({ cells }) });
    const note = (markdown: string) => ({ type: "core.callout", data: { kind: "instructor", folded: true, markdown } });
    const theory = (markdown: string) => ({ type: "core.theory", data: { markdown } });
    expect(dataOf(result)).to.deep.equal([theory("Text."), note("One."), note("Two."), theory("Three.")]);
  });

  it("reads front matter without a closing line, and reports it", async () => {
    const result = await imported({ "index.md": "---\ntitle: A title\nauthor: Ada\n\nText.\n" });
    expect(tree(result)).to.deep.equal(["A title"]);
    expect(notesOf(result)).to.deep.equal([
      'index.md:1 the front matter has no closing line "---" → taken to end before the first line that is no value',
    ]);
    const toml = await imported({ "index.md": '+++\ntitle = "A title"\ndraft = false\n\nText.\n' });
    expect(tree(toml)).to.deep.equal(["A title"]);
    expect(JSON.stringify(dataOf(toml))).to.not.contain("draft");
    expect(notesOf(toml)).to.have.length(1);
  });

  it("takes title and order from mkdocs.yml", async () => {
    const result = await imported({
      "mkdocs.yml":
        "site_name: A manual\nsite_url: https://manual.test/\ntheme: {name: material, language: de}\nmarkdown_extensions:\n  - emoji: {index: !!python/name:x.y }\nnav:\n  - index.md\n  - Start: start.md\n  - Guide:\n      - guide/a.md\n      - Away: https://elsewhere.test/\n      - Gone: gone.md\n  - More: more/\n",
      "docs/index.md": "# Home\n\n[a](guide/a.md#part) ![p](img/p.svg) [file](data.zip)\n",
      "docs/start.md": "# Other title\n\nText. [site](https://manual.test/guide/a/)\n",
      "docs/guide/a.md": "# A\n\n## Part\n\n![p](../img/p.svg)\n",
      "docs/more/two.md": "# Two\n\nText.",
      "docs/more/README.md": "# One\n\nText.",
      "docs/left.md": "# Left\n\nText.",
      "docs/img/p.svg": svg,
      "docs/data.zip": "x",
      "README.md": "# Repository\n",
    });
    expect(tree(result)).to.deep.equal(["Home", "Start", { Guide: ["A"] }, { More: ["One", "Two"] }]);
    expect(result.course.manifest).to.include({ title: "A manual", language: "de" });
    const [home, start, a] = result.course.topics;
    expect(home?.blocks[0]?.source).to.equal(`[a](topic:${a?.id}#part) ![p](img/p.svg) [file](https://manual.test/data.zip)`);
    expect(start?.blocks.at(-1)?.source).to.contain(`[site](topic:${a?.id})`);
    expect(notesOf(result)).to.have.members([
      "mkdocs.yml: a link to elsewhere in the table of contents, https://elsewhere.test/ → left out",
      "mkdocs.yml: the page gone.md is not in the folder → left out",
      "docs/left.md: a page that mkdocs.yml does not name → left out",
      "docs/index.md:3 a link to data.zip, which is no page of the course → it leads to https://manual.test/data.zip",
    ]);
  });

  it("takes the order of docsify's _sidebar.md", async () => {
    const result = await imported({
      "_sidebar.md": "- Getting started\n  - [Quick start](/quickstart)\n  - [More](guide/ 'title')\n- [Alone](alone.md?x=1)\n",
      "README.md": "# Docs\n\n!> Mind the *gap*.\n\n?> A hint.\n",
      "quickstart.md": "# Quick\n\nText.",
      "guide/README.md": "# Guide\n\nText.",
      "alone.md": "# Alone\n\nText.",
    });
    expect(tree(result)).to.deep.equal(["Docs", { "Getting started": ["Quick start", "More"] }, "Alone"]);
    expect(dataOf(result).slice(0, 2)).to.deep.equal([
      { type: "core.callout", data: { kind: "warning", folded: false, markdown: "Mind the *gap*." } },
      { type: "core.callout", data: { kind: "tip", folded: false, markdown: "A hint." } },
    ]);
  });

  it("reads a Jupyter Book with its parts, notebooks, labels and directives", async () => {
    const notebook = {
      metadata: { kernelspec: { language: "python" } },
      cells: [
        { cell_type: "markdown", source: ["# Plotting\n", "\n", "See {ref}`sec-a`.\n"] },
        {
          cell_type: "code",
          source: "print(1)",
          outputs: [
            { output_type: "stream", text: ["1\n"] },
            { output_type: "display_data", data: { "image/png": "x", "text/plain": "<Figure 1>" } },
          ],
        },
        { cell_type: "code", source: "1/0", outputs: [{ output_type: "error", ename: "ZeroDivisionError", evalue: "division by zero" }] },
      ],
    };
    const result = await imported({
      "_config.yml": "title: A book\nauthor: Ann One\n",
      "_toc.yml":
        "format: jb-book\nroot: intro\nparts:\n  - caption: Part one\n    chapters:\n      - file: a\n        sections:\n          - file: plots\n",
      "intro.md": "# Intro\n\n{doc}`a`, {ref}`sec-a`, [](eq:sum), {math}`x^2`, {cite}`knuth84`, {kbd}`Ctrl`\n",
      "a.md":
        "(sec-a)=\n# Chapter A\n\n```{note} A title\n:class: wide\nText with\n```\n\n```{admonition} Closer\n:class: tip dropdown\nFolded.\n```\n\n$$\nx = 1\n$$ (eq:sum)\n\n```{code-cell} ipython3\n:tags: [hide-input]\nimport x\n```\n\n```{math}\n:label: eq:two\ny = 2\n```\n\n```{exercise} Try\n:label: ex1\nDo it.\n```\n\n:::{tip}\nInner.\n:::\n\n```{r}\nplot(x)\n```\n\n```{toctree}\nb\n```\n",
      "plots.ipynb": JSON.stringify(notebook),
    });
    expect(tree(result)).to.deep.equal(["Intro", { "Part one": [{ "Chapter A": ["Chapter A", "Plotting"] }] }]);
    const [, a] = result.course.topics;
    const blocks = dataOf(result);
    expect(blocks[0]?.data)
      .to.have.property("markdown")
      .that.matches(
        new RegExp(
          `^\\[a\\]\\(topic:${a?.id}\\), \\[Chapter A\\]\\(topic:${a?.id}(?:#[\\w-]+)?\\), \\[eq:sum\\]\\(topic:${a?.id}#[\\w-]+\\), \\$x\\^2\\$, \\(knuth84\\), \`Ctrl\`$`,
        ),
      );
    expect(blocks.slice(1)).to.deep.equal([
      { type: "core.callout", data: { kind: "note", title: "A title", folded: false, markdown: "Text with" } },
      { type: "core.callout", data: { kind: "note", title: "Closer", folded: true, markdown: "Folded." } },
      { type: "core.theory", data: { markdown: "$$\nx = 1\n$$" } },
      { type: "core.code", data: { language: "python", role: "input", code: "import x" } },
      { type: "core.theory", data: { markdown: "$$\ny = 2\n$$" } },
      { type: "core.exercise", data: { title: "Try", markdown: "Do it.", hints: [], solutions: [] } },
      { type: "core.callout", data: { kind: "tip", folded: false, markdown: "Inner." } },
      { type: "core.code", data: { language: "r", role: "input", code: "plot(x)" } },
      { type: "core.theory", data: { markdown: blocks[9] ? (blocks[9].data as { markdown: string }).markdown : "" } },
      { type: "core.code", data: { language: "python", role: "input", code: "print(1)" } },
      { type: "core.code", data: { language: "text", role: "output", code: "1" } },
      { type: "core.code", data: { language: "python", role: "input", code: "1/0" } },
      { type: "core.code", data: { language: "text", role: "error", code: "ZeroDivisionError: division by zero" } },
    ]);
    expect(notesOf(result)).to.have.members([
      "a.md:41 a directive, {toctree} → left out",
      "plots.ipynb:2 a picture or table that a cell's code makes → the code is imported; of its result, only text",
    ]);
  });

  it("reads the callouts, tabs and titles of MkDocs, Docusaurus and Obsidian", async () => {
    const result = await page(
      '!!! warning "Take care"\n    Body with `code`.\n\n    - item\n\n??? question\n    Folded.\n\n=== "Linux"\n\n    Use `apt`.\n\n:::tip[Own title]\nDocusaurus.\n:::\n\n::: info Another title\nVitePress.\n:::\n\n> [!bug]- Broken\n> Obsidian.\n\n```js title="a.js"\nlet x;\n```\n\n- list\n\n    !!! note\n        Within.\n\n````md\n```{note}\nshown\n```\n!!! note\n````\n\n::: pkg.module\n    options: x\n\nEnd -- here $5 or $6.\n',
    );
    expect(dataOf(result)).to.deep.equal([
      { type: "core.callout", data: { kind: "warning", title: "Take care", folded: false, markdown: "Body with `code`.\n\n- item" } },
      { type: "core.callout", data: { kind: "note", title: "Question", folded: true, markdown: "Folded." } },
      { type: "core.theory", data: { markdown: "**Linux**\n\nUse `apt`." } },
      { type: "core.callout", data: { kind: "tip", title: "Own title", folded: false, markdown: "Docusaurus." } },
      { type: "core.callout", data: { kind: "note", title: "Another title", folded: false, markdown: "VitePress." } },
      { type: "core.callout", data: { kind: "warning", title: "Broken", folded: false, markdown: "Obsidian." } },
      { type: "core.code", data: { language: "js", role: "input", title: "a.js", code: "let x;" } },
      { type: "core.theory", data: { markdown: "- list\n\n    > [!NOTE]\n    > Within." } },
      { type: "core.code", data: { language: "md", role: "input", code: "```{note}\nshown\n```\n!!! note" } },
      { type: "core.theory", data: { markdown: "End -- here \\$5 or \\$6." } },
    ]);
    expect(notesOf(result)).to.deep.equal(["index.md:42 reference documentation made from code, ::: pkg.module → left out"]);
  });

  const sourcesOf = ({ course }: ImportedCourse): string =>
    course.topics
      .flatMap(({ blocks }) => blocks)
      .map(({ source }) => source)
      .join("\n\n");

  it("takes escaped brackets for a formula where they hold one", async () => {
    const written = [
      "So \\(2n\\) and \\[x^2 + 1\\] here.",
      "\\[\na\n+ b\n\nc_1\n\\]",
      "> \\[\n> - x\n> \\]",
      "1. one\n\n   \\[y = 1\\]",
      "$$\na\n+ b\n# c\n$$",
    ];
    const expected = [
      "So $2n$ and $$x^2 + 1$$ here.",
      "$$\na\n+ b\n\nc_1\n$$",
      "> $$\n> - x\n> $$",
      "1. one\n\n   $$y = 1$$",
      "$$\na\n+ b\n# c\n$$",
    ];
    const result = await page(written.join("\n\n"));
    expect(sourcesOf(result)).to.equal(expected.join("\n\n"));
    expect(notesOf(result)).to.deep.equal(
      [3, 5, 12, 18].map(
        (line) => `index.md:${line} a formula in escaped brackets, \\( \\) or \\[ \\] → taken as a formula, because it reads as TeX`,
      ),
    );
  });

  const prose = [
    "\\[See the long\nnote about it\\]",
    "\\[foo]: x\n\nA text with a = b.\n\nand \\]",
    "ls \\[path\\] \\[--color=when\\] \\[-l\\] \\[file_name\\]",
    "- \\[x\\] done \\(see below\\)",
    "\\[key=value\\] and \\[see {name}\\]",
    "as `\\[x^2\\]` says",
  ];
  for (const text of prose)
    it(`leaves the escaped brackets of ${JSON.stringify(text)} as brackets`, async () => {
      const result = await page(text);
      const shown = text.replaceAll(/`[^`]*`|\\([()[\]])/g, (whole, bracket?: string) => (bracket ? `&#${bracket.charCodeAt(0)};` : whole));
      expect(sourcesOf(result)).to.equal(shown);
      expect(notesOf(result)).to.deep.equal([]);
    });

  it("is titled by the heading of its first page, even if that page holds nothing else", async () => {
    const result = await imported({ "index.md": "# All about tea\n", "leaf.md": "# The leaf\n\nText.\n" });
    expect([result.course.manifest.title, tree(result)]).to.deep.equal(["All about tea", ["The leaf"]]);
  });

  it("leaves out pages marked as drafts, and says so", async () => {
    const result = await imported({ "a.md": "# A\n\nText.\n", "b.md": "---\ndraft: true\n---\n\n# B\n\nSecret.\n" });
    expect(tree(result)).to.deep.equal(["A"]);
    expect(notesOf(result)).to.deep.equal(["b.md: a page marked as a draft → left out"]);
  });

  it("takes the order of a Quarto book from its chapters and parts, and of a site from its side bar", async () => {
    const pages = Object.fromEntries(["index", "a", "b", "c", "z"].map((name) => [`${name}.qmd`, `# Page ${name}\n\nText.\n`]));
    const book = `lang: nl
book:
  title: Boek
  chapters:
    - index.qmd
    - part: z.qmd
      chapters: [c.qmd, gone.qmd]
    - part: Last
      chapters:
        - text: B again
          href: b.qmd
`;
    const result = await imported({ ...pages, "_quarto.yml": book });
    expect(tree(result)).to.deep.equal(["Page index", { "Page z": ["Page z", "Page c"] }, { Last: ["B again"] }]);
    expect([result.course.manifest.title, result.course.manifest.language]).to.deep.equal(["Boek", "nl"]);
    expect(notesOf(result)).to.have.members([
      "_quarto.yml: the page gone.qmd is not in the folder → left out",
      "a.qmd: a page that _quarto.yml does not name → left out",
    ]);
    const site = "website:\n  title: Site\n  sidebar:\n    contents:\n      - section: First\n        contents: [b.qmd]\n      - a.qmd\n";
    expect(tree(await imported({ "a.qmd": "# A\n\nText.", "b.qmd": "# B\n\nText.", "_quarto.yml": site }))).to.deep.equal([
      { First: ["B"] },
      "A",
    ]);
  });

  it("reports cut titles and summaries, removed signs and formats that are not read", async () => {
    const long = "word ".repeat(400).trim();
    const result = await imported({
      "index.md": `---\ntitle: ${long}\nsummary: ${long}\n---\n\nA \ue001 sign.\n`,
      "more.adoc": "= More\n",
      "old.rst": "Old\n===\n",
    });
    const { titleLength, summaryLength } = bounds.course;
    expect(notesOf(result)).to.have.members([
      `index.md: a title of the course of ${long.length} characters → cut to ${titleLength}`,
      `index.md: a title of ${long.length} characters → cut to ${titleLength}`,
      `index.md: a summary of ${long.length} characters → cut to ${summaryLength}`,
      "index.md:6 signs of the private use area, U+E000 to U+E00F → removed",
      "more.adoc: a page in a format that is not read, .adoc → left out",
      "old.rst: a page in a format that is not read, .rst → left out",
    ]);
    expect(faultsOf(result.course)).to.deep.equal([]);
  });

  it("keeps ids when pages are edited, renamed and imported again", async () => {
    const files = { "index.md": "# One\n\nFirst text of some length.\n", "two.md": "# Two\n\nSecond text of some length.\n" };
    const first = await imported(files);
    const again = await imported(files, first.course);
    expect(again.course).to.deep.equal(first.course);
    const moved = await imported(
      { "index.md": "# One\n\nFirst text of some length, edited.\n", "later/two-b.md": files["two.md"] },
      first.course,
    );
    expect(moved.course.topics.map(({ id }) => id)).to.deep.equal(first.course.topics.map(({ id }) => id));
    expect(moved.course.topics[0]?.blocks[0]?.id).to.equal(first.course.topics[0]?.blocks[0]?.id);
  });
});

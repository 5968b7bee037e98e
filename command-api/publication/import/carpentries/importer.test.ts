import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { courseQuestions } from "@colloquy/infra/object-store/course-questions.ts";
import type { ParsedBlock } from "@colloquy/schemas/courses/blocks.ts";
import { expect } from "chai";
import { ImportError, type ImportedCourse } from "../importer.ts";
import { openFolder } from "../markdown/folder.ts";
import { faultsOf, inFolder, parsedBlocks, svg } from "../markdown/testing/folders.ts";
import { importCarpentries } from "./importer.ts";
import { isLesson } from "./lesson.ts";

const config = "title: A Lesson\nlang: en\nlicense: CC-BY 4.0\nurl: https://example.org/lesson\nepisodes:\n- one.md\n";

async function lesson(page: string, more: Record<string, string | Uint8Array> = {}): Promise<ImportedCourse> {
  const front = page.startsWith("---") ? page : `---\ntitle: One\n---\n\n${page}`;
  return inFolder({ "config.yaml": config, "episodes/one.md": front, ...more }, async (folder) => {
    const imported = await importCarpentries(folder, { courseId: "a-lesson", previous: null });
    expect(faultsOf(imported.course)).to.deep.equal([]);
    return imported;
  });
}

const blocksOf = async (page: string, more?: Record<string, string | Uint8Array>): Promise<ParsedBlock[]> =>
  parsedBlocks((await lesson(page, more)).course, "one");
const dataOf = async (page: string, more?: Record<string, string | Uint8Array>) =>
  (await blocksOf(page, more)).map(({ type, data }) => ({ type, data }));
const theory = (markdown: string) => ({ type: "core.theory", data: { markdown } });
const notesOf = (imported: ImportedCourse): string[] =>
  imported.report.map((note) => `${note.file}:${note.line ?? ""} ${note.what} → ${note.done}`);

describe("import of a Carpentries lesson", () => {
  it("takes objectives, questions and key points", async () => {
    const { course } = await lesson(
      "---\ntitle: 'One: `ls`'\nteaching: 10\nexercises: 5\n---\n\n::: objectives\n\nAfter this:\n\n- Use `ls`\n  well.\n- Read [more](https://example.org).\n\n:::\n\n:::::: questions\n\n- Why?\n\n::::::\n\nText.\n\n::: keypoints\n\n- One *point*.\n- Two,\n  over two lines.\n\n:::\n",
    );
    const [topic] = course.topics;
    expect(topic?.title).to.equal("One: ls");
    expect(topic?.summary).to.equal("10 minutes of teaching, 5 minutes of exercises.");
    expect(topic?.objectives.map((objective) => objective.text)).to.deep.equal(["Use ls well.", "Read more."]);
    expect(parsedBlocks(course).map(({ type, data }) => ({ type, data }))).to.deep.equal([
      theory("After this:"),
      { type: "core.callout", data: { kind: "questions", folded: false, markdown: "- Why?" } },
      theory("Text."),
      { type: "core.key-points", data: { points: ["One *point*.", "Two,\nover two lines."] } },
    ]);
  });

  it("makes callouts of every kind, folded where the lesson folds them", async () => {
    const kinds = ["callout", "prereq", "spoiler", "testimonial", "discussion", "instructor", "checklist", "caution", "hint", "solution"];
    const blocks = await blocksOf(kinds.map((kind) => `::: ${kind}\n\n## About ${kind}\n\nText of ${kind}.\n\n:::\n`).join("\n"));
    expect(
      blocks.map((block) =>
        block.type === "core.callout" ? `${block.data.kind} ${block.data.folded} ${block.data.title}: ${block.data.markdown}` : block.type,
      ),
    ).to.deep.equal([
      "note false About callout: Text of callout.",
      "prerequisite false About prereq: Text of prereq.",
      "note true About spoiler: Text of spoiler.",
      "testimonial false About testimonial: Text of testimonial.",
      "discussion false About discussion: Text of discussion.",
      "instructor true About instructor: Text of instructor.",
      "note false About checklist: Text of checklist.",
      "warning false About caution: Text of caution.",
      "tip true About hint: Text of hint.",
      "note true About solution: Text of solution.",
    ]);
  });

  it("makes a question of a challenge whose solution names the choice, about the page's objective", async () => {
    const page =
      "::: objectives\n- Count words with `wc`.\n:::\n\n:::: challenge\n\n## Words\n\nWhich counts words?\n\n1. `wc -l`\n2. `wc -w`\n\n::: solution\n\n## Solution\n\n1. No: it counts lines.\n2. Yes: `-w` stands for words.\n\n:::\n\n::::\n";
    const imported = await lesson(page);
    const [block] = parsedBlocks(imported.course, "one");
    expect(block?.type === "core.question" && block.data).to.deep.equal({
      kind: "single",
      objective: imported.course.topics[0]?.objectives[0]?.id,
      level: "recall",
      about: [],
      place: "page",
      markdown: "**Words**\n\nWhich counts words?",
      hints: [],
      choices: [
        { markdown: "`wc -l`", correct: false, feedback: "No: it counts lines." },
        { markdown: "`wc -w`", correct: true },
      ],
      explanation: "Yes: `-w` stands for words.",
    });
    expect(notesOf(imported)).to.deep.equal(["episodes/one.md:9 a challenge with choices → became a question"]);
  });

  it("makes it a self-check when nothing says which of several objectives it is about", async () => {
    const page =
      "::: objectives\n- Alpha.\n- Beta.\n:::\n\n:::: challenge\n\nWhich counts?\n\n1. `wc -l`\n2. `wc -w`\n\n::: solution\n\nThe answer is 2. It does.\n\n:::\n\n::::\n";
    const imported = await lesson(page);
    const [block] = parsedBlocks(imported.course, "one");
    expect(block?.type === "core.question" && block.data.place).to.equal("self-check");
    expect(faultsOf(imported.course)).to.deep.equal([]);
    expect(courseQuestions(imported.course.topics)).to.deep.equal([]);
  });

  it("keeps the objective of a question when its objective keeps an older id", async () => {
    const page = (objective: string) =>
      `::: objectives\n- ${objective}\n:::\n\n:::: challenge\n\nWhich counts?\n\n1. \`wc -l\`\n2. \`wc -w\`\n\n::: solution\n\nThe answer is 2. It does.\n\n:::\n\n::::\n`;
    const files = (objective: string) => ({ "config.yaml": config, "episodes/one.md": `---\ntitle: One\n---\n\n${page(objective)}` });
    const first = await inFolder(files("Count the words of a file."), (folder) =>
      importCarpentries(folder, { courseId: "a-lesson", previous: null }),
    );
    const again = await inFolder(files("Count the words of a text file."), (folder) =>
      importCarpentries(folder, { courseId: "a-lesson", previous: first.course }),
    );
    expect(faultsOf(again.course)).to.deep.equal([]);
    expect(again.course.topics[0]?.objectives[0]?.id).to.equal(first.course.topics[0]?.objectives[0]?.id);
    expect(again.course.topics[0]?.blocks).to.deep.equal(first.course.topics[0]?.blocks);
  });

  it("makes exercises with hints, several solutions, code, figures and nested parts", async () => {
    const page = `:::::: challenge

## Do \`it\`

First question.

::: hint
Look.
:::

:::: solution

## Solution

\`\`\`bash
$ ls
\`\`\`

::: callout
### Mind
this
:::

::::

Second question.

![](fig/a.svg){alt='A \\_square\\_ "thing"'}

::: solution

## Another way

So.

:::

::::::
`;
    expect(await dataOf(page, { "episodes/fig/a.svg": svg })).to.deep.equal([
      {
        type: "core.exercise",
        data: {
          title: "Do it",
          markdown: 'First question.\n\nSecond question.\n\n![A _square_ "thing"](fig/a.svg)',
          hints: ["Look."],
          solutions: [{ markdown: "```bash\n$ ls\n```\n\n> [!NOTE]\n> **Mind**\n>\n> this" }, { title: "Another way", markdown: "So." }],
        },
      },
    ]);
  });

  it("takes figures with their alternative text and caption, and reports pictures that are missing or elsewhere", async () => {
    const page =
      "![A caption with `code`](fig/a.svg){alt='What it shows' width=50%}\n\n![Only words](../episodes/fig/a.svg)\n\nIn text ![small](fig/a.svg) here.\n\n![](fig/none.png){alt='lost'}\n\n![far](https://example.org/x.png)\n";
    const imported = await lesson(page, { "episodes/fig/a.svg": svg, "episodes/fig/unused.svg": svg });
    expect(parsedBlocks(imported.course).map(({ type, data }) => ({ type, data }))).to.deep.equal([
      { type: "core.figure", data: { path: "fig/a.svg", alt: "What it shows", caption: "A caption with `code`" } },
      { type: "core.figure", data: { path: "fig/a.svg", alt: "Only words" } },
      theory("In text ![small](fig/a.svg) here.\n\nlost\n\nfar"),
    ]);
    expect(imported.course.assets).to.have.length(1);
    expect(notesOf(imported)).to.deep.equal([
      "episodes/fig/unused.svg: 1 picture or drawing that no page shows → left out",
      "episodes/one.md:11 the picture fig/none.png is not in the folder → its alternative text is kept",
      "episodes/one.md:13 a picture from elsewhere, https://example.org/x.png → its alternative text is kept: put the file into the course to show it",
    ]);
  });

  it("gives code its language and role, wherever it stands", async () => {
    const page =
      "```bash\n$ ls\n```\n\n```output\na\n```\n\n```error\nno\n```\n\n``` {.python .numberLines}\nx\n```\n\n```source\nplain\n```\n\n    indented\n\n- in a list:\n\n  ```{r, echo=FALSE}\n  1\n  ```\n\n```python\nold\n```\n{: .language-python}\n\n~~~\nout\n~~~\n{: .output}\n";
    const imported = await lesson(page);
    expect(
      parsedBlocks(imported.course).map((block) =>
        block.type === "core.code"
          ? `${block.data.language} ${block.data.role} ${block.data.code}`
          : (block.data as { markdown: string }).markdown,
      ),
    ).to.deep.equal([
      "bash input $ ls",
      "text output a",
      "text error no",
      "python input x",
      "text input plain",
      "text input indented",
      "- in a list:\n\n  ```r\n  1\n  ```",
      "python input old",
      "text output out",
    ]);
  });

  it("splits text at headings, without gaps between their levels", async () => {
    const page =
      "Before.\n\n### First\n\nText.\n\n#### Below\n\n```bash\nls\n```\n\nAfter.\n\n## Second\n\nUnderlined\n==========\n\nEnd.\n";
    expect((await dataOf(page)).map(({ data }) => ("markdown" in data ? data.markdown : "code"))).to.deep.equal([
      "Before.",
      "## First\n\nText.",
      "### Below",
      "code",
      "After.",
      "## Second",
      "## Underlined\n\nEnd.",
    ]);
  });

  it("makes a glossary's terms headings that can be linked to", async () => {
    const page =
      "## Words\n\n[absolute path]{#absolute-path}\n:   A [path](#path) that is whole.\nIt goes on.\n\n[path]{#path}\n:   (in the shell):\n    Where a file is.\n\n    More of it.\n\nplain\n:   No id.\n\n## After\n\nEnd.\n";
    const imported = await lesson(page);
    const id = imported.course.topics[0]?.id;
    expect(imported.course.topics[0]?.blocks.map((block) => block.source)).to.deep.equal([
      "## Words",
      `### absolute path {#absolute-path}\n\nA [path](topic:${id}#path) that is whole.\nIt goes on.`,
      "### path {#path}\n\n(in the shell):\nWhere a file is.\n\nMore of it.",
      "### plain\n\nNo id.",
      "## After\n\nEnd.",
    ]);
  });

  it("writes definitions without ids as a list", async () => {
    expect(await dataOf("Term `a`\n:   What it is.\n\nTerm b\n\n:   One.\n\n:   Two.\n")).to.deep.equal([
      theory("- **Term `a`**: What it is.\n- **Term b**: One.\n\n  Two."),
    ]);
  });

  it("leads links to pages, headings and blocks, and reports those that lead nowhere", async () => {
    const page = `---
title: One
---

See [two](two.md#a-heading), [two again](../episodes/two.md), [its box](two.html#mind-this), [own site](https://example.org/lesson/two.html#windows),
[the file](data/x.zip), [here][down], [nowhere](#none), [not on two](two.md#none), [gone](gone.md), [out](../../etc/passwd), [script](javascript:x),
<https://example.org> and [away](https://example.org/a_(b)).

## Down

[down]: #down
`;
    const two =
      "---\ntitle: Two\n---\n\n## A heading\n\nText.\n\n::: callout\n\n## Mind this\n\nText.\n\n:::\n\n::: solution\n\n### On Windows {#windows}\n\nText.\n\n:::\n";
    const imported = await lesson(page, { "config.yaml": `${config}- two.md\n`, "episodes/two.md": two });
    const [first, second] = imported.course.topics;
    const [heading, box, windows] = second?.blocks ?? [];
    expect(heading?.source).to.match(/^## A heading \{#a-heading\}\n/);
    expect(first?.blocks[0]?.source).to.equal(
      [
        `See [two](topic:${second?.id}#a-heading), [two again](topic:${second?.id}), [its box](topic:${second?.id}#${box?.id}), [own site](topic:${second?.id}#${windows?.id}),`,
        `[the file](https://example.org/lesson/data/x.zip), [here](topic:${first?.id}#down), nowhere, [not on two](topic:${second?.id}), gone, out, script,`,
        "<https://example.org> and [away](https://example.org/a_(b)).",
      ].join("\n"),
    );
    expect(notesOf(imported)).to.deep.equal([
      "episodes/one.md:6 a link to data/x.zip, which is no page of the course → it leads to https://example.org/lesson/data/x.zip",
      "episodes/one.md:6 a link to #none, which is not on the page → its text is kept without the link",
      "episodes/one.md:6 a link to #none on episodes/two.md, which is not there → it leads to the page instead",
      "episodes/one.md:6 a link to gone.md, which is no page of the course → its text is kept without the link",
      "episodes/one.md:6 a link to ../../etc/passwd, which is no page of the course → its text is kept without the link",
      "episodes/one.md:6 a link to javascript:x, which is no web address → its text is kept without the link",
    ]);
  });

  it("turns HTML into Markdown, and reports what it leaves out", async () => {
    const page = `Press <kbd>Ctrl</kbd>\\+<kbd>&larr;</kbd>, H<sub>2</sub>O, x<sup>2</sup>, <b>bold</b><br>
and <a href="one.md">a link</a><a name="spot"></a>, <blink>seen</blink> <!-- not seen -->.

<!-- a comment
::: callout
of lines -->

<details><summary>More</summary>

Inside.

</details>

<img src="fig/a.svg" alt="A square">

| A | B |
|---|--:|
| <kbd>x</kbd> | a \\| b |

See [the spot](#spot).
`;
    const imported = await lesson(page, { "episodes/fig/a.svg": svg });
    const [topic] = imported.course.topics;
    const [text] = topic?.blocks ?? [];
    expect(text?.source).to.equal(`Press \`Ctrl\`\\+\`←\`, H₂O, x², **bold**\\\nand [a link](topic:${topic?.id}), seen .`);
    expect(
      parsedBlocks(imported.course)
        .slice(1)
        .map(({ type, data }) => ({ type, data })),
    ).to.deep.equal([
      { type: "core.callout", data: { kind: "note", title: "More", folded: true, markdown: "Inside." } },
      { type: "core.figure", data: { path: "fig/a.svg", alt: "A square" } },
      { type: "core.table", data: { align: [null, "right"], header: ["A", "B"], rows: [["`x`", "a | b"]] } },
      theory(`See [the spot](topic:${topic?.id}#${text?.id}).`),
    ]);
    expect(notesOf(imported)).to.deep.equal([
      "episodes/one.md:6 the HTML tag <blink> → left out, its text is kept",
      "episodes/one.md:6 an HTML comment → left out, it is not shown to readers",
      "episodes/one.md:8 an HTML comment → left out, it is not shown to readers",
    ]);
  });

  it("takes out Liquid of older lessons and reports it", async () => {
    const page =
      "{% include links.md %}\n\nGo to [setup]({{ page.root }}{% link setup.md %}) `{% raw %}` {{ site.name }}.\n\n> ## Old box\n> Text.\n{: .callout}\n\n> ## Old task\n> Do.\n>\n> > ## Solution\n> > Done.\n> {: .solution}\n{: .challenge}\n";
    const imported = await lesson(page, { "learners/setup.md": "---\ntitle: Setup\n---\n\nText.\n" });
    const setup = imported.course.topics.find((topic) => topic.slug === "setup");
    expect(parsedBlocks(imported.course, "one").map(({ type, data }) => ({ type, data }))).to.deep.equal([
      theory(`Go to [setup](topic:${setup?.id}) \`{% raw %}\` {{ site.name }}.`),
      { type: "core.callout", data: { kind: "note", title: "Old box", folded: false, markdown: "Text." } },
      { type: "core.exercise", data: { title: "Old task", markdown: "Do.", hints: [], solutions: [{ markdown: "Done." }] } },
    ]);
    expect(notesOf(imported)).to.deep.equal([
      "episodes/one.md:5 Liquid, {% include links.md %} → left out",
      "episodes/one.md:7 Liquid, {{ site.name }} → kept as text",
    ]);
  });

  it("keeps mathematics, and keeps dollars and brackets of plain text from becoming any", async () => {
    const page =
      "Here $x_1 \\le y$, it costs $5 or $6, \\[not math\\] and \\(neither\\) --- a dash -- another, `--a $x$`, a\\_b.\n\n$$\nx = y\n$$\n";
    expect(await dataOf(page)).to.deep.equal([
      theory(
        "Here $x_1 \\le y$, it costs \\$5 or \\$6, &#91;not math&#93; and &#40;neither&#41; — a dash – another, `--a $x$`, a\\_b.\n\n$$\nx = y\n$$",
      ),
    ]);
  });

  it("puts footnotes below the text that refers to them", async () => {
    const page =
      "A claim.[^a]\n\n## Two\n\nAnother[^b] one,^[said *so*] and again[^a].\n\n[^a]: First [note](https://example.org).\n    It goes on.\n[^b]: Second.\n";
    expect(await dataOf(page)).to.deep.equal([
      theory("A claim.[^a]\n\n[^a]: First [note](https://example.org).\n    It goes on."),
      theory(
        "## Two\n\nAnother[^b] one,[^note-9-16] and again[^a].\n\n[^b]: Second.\n\n[^note-9-16]: said *so*\n\n[^a]: First [note](https://example.org).\n    It goes on.",
      ),
    ]);
  });

  it("keeps instructors' notes out of the parts they stand in", async () => {
    const imported = await lesson(
      "::::: challenge\n\n## Try\n\nDo it.\n\n:::: instructor\n\nWait for them.\n\n::::\n\n::: solution\n\nDone.\n\n:::\n\n:::::\n\n::: callout\n\nText.\n\n:::: instructor\n\nSay this.\n\n::::\n\n:::\n\nEnd.\n",
    );
    expect(parsedBlocks(imported.course).map(({ type, data }) => ({ type, data }))).to.deep.equal([
      { type: "core.exercise", data: { title: "Try", markdown: "Do it.", hints: [], solutions: [{ markdown: "Done." }] } },
      { type: "core.callout", data: { kind: "instructor", folded: true, markdown: "Wait for them." } },
      { type: "core.callout", data: { kind: "note", folded: false, markdown: "Text." } },
      { type: "core.callout", data: { kind: "instructor", folded: true, markdown: "Say this." } },
      theory("End."),
    ]);
  });

  it("takes a diagram's own description", async () => {
    const imported = await lesson("```mermaid\nflowchart LR\n  accDescr {Two steps,\n    then a third}\n  a --> b\n```\n");
    expect(parsedBlocks(imported.course)[0]?.data).to.include({ description: "Two steps, then a third" });
    expect(imported.report).to.deep.equal([]);
  });

  it("describes diagrams, shows tabs one below the other, and reports parts it does not know", async () => {
    const page =
      "## Flow\n\n```mermaid\nflowchart LR\n  a --> b\n```\n\n::: group-tab\n\n### Windows\n\nA.\n\n### Mac\n\nB.\n\n:::\n\n::: odd\n\nKept.\n\n:::\n\n:::::\n\n::: callout\n\nOpen.\n";
    const imported = await lesson(page);
    expect(parsedBlocks(imported.course).map(({ type, data }) => ({ type, data }))).to.deep.equal([
      theory("## Flow"),
      { type: "core.diagram", data: { language: "mermaid", description: "Diagram: Flow", code: "flowchart LR\n  a --> b" } },
      theory("### Windows\n\nA."),
      theory("### Mac\n\nB."),
      theory("Kept."),
      { type: "core.callout", data: { kind: "note", folded: false, markdown: "Open." } },
    ]);
    expect(notesOf(imported)).to.deep.equal([
      "episodes/one.md:7 a diagram without a description → described by the heading it stands under",
      "episodes/one.md:24 a part of a kind not known here, “odd” → its content is kept as running text",
      "episodes/one.md:30 a line of colons that closes nothing → left out",
      "episodes/one.md:32 “callout” is opened and never closed → taken to end with the page",
    ]);
  });

  it("orders the pages around the episodes, and leaves out the template's placeholders", async () => {
    const text = (title: string) => `---\ntitle: ${title}\n---\n\nText of ${title}.\n`;
    const imported = await lesson("Text.", {
      "index.md":
        "---\nsite: sandpaper::sandpaper_site\n---\n\nWhat this is *about*.\n\n::: prereq\n\n## Prerequisites\n\nNothing.\n\n:::\n",
      "learners/setup.md": text("Setup"),
      "learners/reference.md": text("Reference"),
      "instructors/instructor-notes.md": text("Notes"),
      "profiles/learner-profiles.md": "---\ntitle: FIXME\n---\n\nThis is a placeholder file. Please add content here. \n",
      "LICENSE.md": text("Licenses"),
      "episodes/spare.md": text("Spare"),
    });
    const { course } = imported;
    expect(course.manifest).to.include({
      courseId: "a-lesson",
      title: "A Lesson",
      summary: "What this is about.",
      language: "en",
      license: "CC-BY 4.0",
    });
    expect(course.topics.map((topic) => topic.slug)).to.deep.equal([
      "overview",
      "one",
      "setup",
      "reference",
      "instructor-notes",
      "license",
    ]);
    expect(course.collections.map((collection) => `${collection.title} (${collection.slug})`)).to.deep.equal([
      "For learners (for-learners)",
      "For instructors (for-instructors)",
      "About this lesson (about-this-lesson)",
    ]);
    expect(parsedBlocks(course, "overview")[1]?.data).to.deep.equal({ kind: "prerequisite", folded: false, markdown: "Nothing." });
    expect(notesOf(imported)).to.deep.equal([
      "episodes/spare.md: an episode that config.yaml does not list → left out",
      "profiles/learner-profiles.md: a page that still is the lesson template's placeholder → left out",
    ]);
  });

  it("shows setup and reference even if config.yaml does not list them, and reports other pages it does not list", async () => {
    const text = (title: string) => `---\ntitle: ${title}\n---\n\nText.\n`;
    const imported = await inFolder(
      {
        "config.yaml": "title: A\nlearners: [more.md]\ninstructors: [notes.md]\n",
        "episodes/one.md": text("One"),
        ...Object.fromEntries(["setup", "reference", "more", "other"].map((name) => [`learners/${name}.md`, text(name)])),
        "instructors/notes.md": text("Notes"),
        "instructors/spare.md": text("Spare"),
      },
      (folder) => importCarpentries(folder, { courseId: "a-lesson", previous: null }),
    );
    expect(imported.course.topics.map(({ slug }) => slug)).to.deep.equal(["one", "setup", "more", "reference", "notes"]);
    expect(notesOf(imported)).to.deep.equal([
      "learners/other.md: a page that config.yaml does not list → left out",
      "instructors/spare.md: a page that config.yaml does not list → left out",
    ]);
  });

  it("reads nothing from elsewhere by a link", async () => {
    const page = "---\ntitle: One\n---\n\n![](fig/tree.svg){alt='Tree'}\n\nSee [it][told].\n";
    await inFolder({ "told.md": "---\ntitle: Told\n---\n\nNot to be told.\n", "tree.svg": svg }, (elsewhere) =>
      inFolder({ "config.yaml": config, "episodes/one.md": page, "episodes/fig/own.svg": svg }, async (folder) => {
        for (const name of ["links.md", "index.md", "learners"])
          symlinkSync(join(elsewhere, name === "learners" ? "" : "told.md"), join(folder, name));
        symlinkSync(join(elsewhere, "told.md"), join(folder, "episodes/two.md"));
        symlinkSync(join(elsewhere, "tree.svg"), join(folder, "episodes/fig/tree.svg"));
        const imported = await importCarpentries(folder, { courseId: "a-lesson", previous: null });
        expect(JSON.stringify(imported)).not.to.include("Not to be told");
        expect([imported.course.topics.map(({ slug }) => slug), [...imported.assets.keys()]]).to.deep.equal([["one"], []]);
      }),
    );
  });

  it("says what is wrong with a folder that is no lesson", async () => {
    const failure = async (files: Record<string, string>): Promise<unknown> =>
      inFolder(files, (folder) =>
        importCarpentries(folder, { courseId: "a-lesson", previous: null }).then(
          () => null,
          (error: unknown) => error,
        ),
      );
    expect(await failure({ "README.md": "Nothing." })).to.be.instanceOf(ImportError);
    expect(String(await failure({ "config.yaml": "title: [", "episodes/one.md": "x" }))).to.include("config.yaml cannot be read as YAML");
    expect(String(await failure({ "config.yaml": "episodes:\n- two.md\n", "episodes/one.md": "x" }))).to.include("no episodes");
    expect(await inFolder({ "config.yaml": config, "episodes/one.md": "x" }, async (folder) => isLesson(openFolder(folder)))).to.equal(
      true,
    );
    expect(await inFolder({ "book.toml": "" }, async (folder) => isLesson(openFolder(folder)))).to.equal(false);
  });

  it("keeps ids when a page is edited, moved text included, and when headings get links", async () => {
    const before =
      "## A\n\nThe first paragraph stays as it is.\n\n```bash\nls\n```\n\n## B\n\nThe second paragraph has several words of its own.\n";
    const after =
      "## A\n\nThe first paragraph stays as it is.\n\nNew text, see [below](#b).\n\n```bash\nls\n```\n\n## B\n\nThe second paragraph has several good words of its own.\n";
    await inFolder({ "config.yaml": config, "episodes/one.md": before }, async (folder) => {
      const first = await importCarpentries(folder, { courseId: "a-lesson", previous: null });
      await inFolder({ "config.yaml": config, "episodes/one.md": after }, async (edited) => {
        const second = await importCarpentries(edited, { courseId: "a-lesson", previous: first.course });
        const ids = ({ course }: ImportedCourse) => course.topics.flatMap((topic) => [topic.id, ...topic.blocks.map((block) => block.id)]);
        expect(ids(second)).to.deep.equal(ids(first));
        expect(second.course.topics[0]?.blocks.at(-1)?.source).to.match(/^## B \{#b\}/);
      });
    });
  });
});

import { growthOfText, linearGrowth } from "@colloquy/schemas/text/growth.fixture.ts";
import { expect } from "chai";
import { importCarpentries } from "../carpentries/importer.ts";
import type { Importer } from "../importer.ts";
import { importMarkdownFolder } from "../markdown-folder/importer.ts";
import { importMdBook } from "../mdbook/importer.ts";
import { opensNote } from "./for-instructors.ts";
import { inFolder, parsedBlocks } from "./testing/folders.ts";

type Files = (text: string) => Record<string, string>;
const formats: Record<string, { importer: Importer; files: Files }> = {
  "a folder of pages": { importer: importMarkdownFolder, files: (text) => ({ "index.md": text }) },
  "a Workbench lesson": { importer: importCarpentries, files: (text) => ({ "config.yaml": "title: T\n", "episodes/a.md": text }) },
  "an mdBook": { importer: importMdBook, files: (text) => ({ "SUMMARY.md": "- [A](a.md)\n", "a.md": text }) },
};

/** What learners and what instructors read of a page, and what was reported. */
async function read(format: string, note: string): Promise<{ learners: string; instructors: string; report: string[] }> {
  const { importer, files } = formats[format] ?? {};
  if (!importer || !files) throw new Error(format);
  return inFolder(files(`# Page\n\nBefore.\n\n${note}\n\nAfter.\n`), async (folder) => {
    const { course, report } = await importer(folder, { courseId: "some-course", previous: null });
    const hidden = (data: unknown): boolean => (data as { kind?: string }).kind === "instructor";
    const blocks = parsedBlocks(course).map(({ data }) => data);
    const learners = JSON.stringify([course.manifest, course.topics.map(({ title }) => title), blocks.filter((data) => !hidden(data))]);
    return { learners, instructors: JSON.stringify(blocks.filter(hidden)), report: report.map(({ what }) => what) };
  });
}

const apart: Record<string, string[]> = {
  "a folder of pages": [
    "!!! instructor\n    Secret.",
    "!!!instructor 'Title'\n    Secret.",
    '!!! note instructor "Title"\n    Secret.',
    "??? instructor\n    Secret.\n\n    Secret.",
    "???+ instructor\n    Secret.",
    '??? instructor "Title"\n    Secret.',
    "??? speaker-notes\n    Secret.",
    "!!! note\n    Text.\n\n    ??? instructor\n        Secret.",
    "/// instructor\nSecret.\n///",
    "/// admonition | Title\n    type: instructor\n\nSecret.\n///",
    '!!! note "Notes for instructors"\n    Secret.',
    "```{admonition} Instructor note\nSecret.\n```",
    "> [!NOTE] Teacher's note\n> Secret.",
    "::: callout\n\n## Note for the instructor\n\nSecret.\n\n:::",
    "```{instructor-note}\nSecret.\n```",
    ":::{instructor-note} Title\nSecret.\n:::",
    "```{instructor}\nSecret.\n```",
    "```{speaker-notes}\nSecret.\n```",
    ":::{instructor-notes}\nSecret.\n:::",
    "```{note}\n:class: instructor\nSecret.\n```",
    "```{admonition} Title\n---\nclass: wide instructor\n---\nSecret.\n```",
    ":::{own-kind}\n:class: instructor\nSecret.\n:::",
    "````{exercise} Try\nDo it.\n\n```{instructor-note}\nSecret.\n```\n````",
    "```{exercise-start}\n:class: instructor\n```\nSecret.\n```{exercise-end}\n```",
    "```{code-cell} python\n:tags: [instructor]\nSecret\n```",
  ],
  "a Workbench lesson": [
    "::: instructor-note\n\nSecret.\n\n:::",
    "::: {.wide .instructor}\n\nSecret.\n\n:::",
    "> Secret.\n{: .wide .instructor}",
  ],
  "an mdBook": ["> [!INSTRUCTOR-NOTE]\n> Secret.", "::: instructor\nSecret.\n:::"],
};
const everywhere = [
  "::: instructor Title {with braces}\n\nSecret.\n\n:::",
  ":::{instructor}\nSecret.\n:::",
  '<div class="instructor">\n\nSecret.\n\n<div>\n\nSecret.\n\n</div>\n\nSecret.\n\n</div>',
  '<div class="wide instructor">Secret.</div>',
  '<div\n  class="instructor">\n\nSecret.\n\n</div>',
  '<section><p>Text.</p><div class="instructor">Secret. <div>Secret.</div> Secret.</div></section>',
  '<div><div class="instructor">\n\nSecret.\n\n</div></div>',
  "<details class='instructor-note'><summary>Secret</summary>\n\nSecret.\n\n</details>",
];
const within: Record<string, string[]> = {
  "a folder of pages": [
    "- item\n\n    !!! instructor\n        Secret.\n\n        Secret.",
    "- item\n\n    ??? speaker-notes\n        Secret.",
    "- !!! instructor\n      Secret.\n- item",
    "- item\n\n    ```{instructor}\n    Secret.\n    ```",
    "> !!! instructor\n>     Secret.",
    "- [ ] item\n\n    /// instructor\n    Secret.\n    ///",
    "Which item?\n\n- [x] a\n\n  > [!instructor]\n  > Secret.\n\n- [ ] b",
    "Which item?\n\n- [x] a\n  - ::: instructor\n    Secret.\n    :::\n- [ ] b",
  ],
  "a Workbench lesson": ["> text\n>\n> > Secret.\n> {: .instructor}", "Secret.\n{: .instructor}"],
};
const withinAny = [
  "> ::: instructor\n> Secret.\n>\n> Secret.\n> :::",
  "> Text.\n>\n> ::: instructor\n> Secret.\n\n",
  "- item\n\n    ::: instructor\n    Secret.\n\n    Secret.\n    :::\n\n    More.",
  "1. - item\n\n     > [!instructor]\n     > Secret.",
  "> text\n>\n> > [!instructor]\n> > Secret.",
  "- ::: instructor\n  Secret.\n  :::\n- item",
  '- item\n\n    <div class="instructor">\n    Secret.\n\n    <div>Secret.</div>\n\n    Secret.\n    </div>',
  'Text <img class="instructor" src="a.png" alt="Secret"> more.',
  '<section><p>Text.</p>\n<p>A <span class="instructor">Secret. <span>Secret.</span></span> more.</p></section>',
  'Text <span class="instructor">Secret *Secret*</span> more.',
  '| a | b |\n|---|---|\n| c | <span class="instructor">Secret</span> |',
];

describe("notes for instructors in imported pages", () => {
  for (const format of Object.keys(formats)) {
    for (const note of [...(apart[format] ?? []), ...everywhere])
      it(`are hidden from learners in ${format}: ${JSON.stringify(note)}`, async () => {
        const { learners, instructors } = await read(format, note);
        expect(learners).to.not.contain("Secret");
        expect(learners).to.contain("Before.").and.contain("After.");
        expect(instructors).to.contain("Secret");
      });
    for (const note of [...(within[format] ?? []), ...withinAny])
      it(`are left out and reported where they cannot be hidden in ${format}: ${JSON.stringify(note)}`, async () => {
        const { learners, instructors, report } = await read(format, note);
        expect(learners + instructors).to.not.contain("Secret");
        expect(learners).to.contain("Before.").and.contain("After.");
        for (const word of ["item", "ore."]) if (note.includes(word)) expect(learners).to.contain(word);
        expect(report).to.include("a note for instructors inside a list, a quotation or a line");
      });
  }

  it("leave the other cells of a table in their places", async () => {
    const rows = '<tr><th>a</th><th>b</th></tr><tr><td class="instructor">Secret</td><td>c</td></tr>';
    expect((await read("a folder of pages", `<table>${rows}</table>`)).learners).to.contain('"header":["a","b"],"rows":[["","c"]]');
  });

  it("are looked for in linear time", () => {
    const signs = [" ", ":", "{", "<a ", "<div class=instructor>", "> ", "- ", "word", "class= "];
    for (const sign of signs)
      for (const start of ["::: ", "```", ":::x ", ":::x y", "!!! ", "/// ", "<div ", "> "])
        expect(
          growthOfText((text) => opensNote(`${start}${text}y`, []), sign),
          `${start}${sign}`,
        ).to.be.below(linearGrowth);
  });

  it("are sections, too, up to the next heading that is not below theirs", async () => {
    const section =
      "## Notes for instructors\n\nSecret.\n\n### More\n\nSecret.\n\n```\n# Secret\n```\n\n::: callout\nSecret.\n:::\n\n## Next\n\nText.";
    for (const format of Object.keys(formats)) {
      const { learners, instructors } = await read(format, section);
      expect(learners, format).to.not.match(/Secret|Notes for/);
      expect(learners, format).to.contain("Text.").and.to.contain("After.");
      expect(instructors.match(/Secret/g), format).to.have.length(4);
      expect((await read(format, "## Instructors\n\nSecret and Public teach.")).learners, format).to.contain("Secret and Public");
    }
  });

  it("are not looked for in code", async () => {
    const { learners, report } = await read("a folder of pages", "````md\n!!! instructor\n    Shown.\n\n> ::: instructor\n````");
    expect(learners).to.contain("!!! instructor").and.contain("> ::: instructor");
    expect(report).to.deep.equal([]);
  });
});

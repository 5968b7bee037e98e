import { expect } from "chai";
import { createPublication, type Publication } from "../handlers.ts";
import { type TemporaryStores, temporaryStores } from "../stores.fixture.ts";
import { importCourse } from "./import-course.ts";
import { ImportError } from "./importer.ts";
import { inFolder } from "./markdown/testing/folders.ts";

describe("importing a course folder", () => {
  let stores: TemporaryStores;
  let publication: Publication;
  beforeEach(async () => {
    stores = await temporaryStores();
    publication = createPublication(stores);
  });
  afterEach(() => stores.close());

  const imported = (files: Record<string, string | Uint8Array>) =>
    inFolder(files, (folder) =>
      importCourse({ publication, folder, courseId: "a-course-of-ours", origin: "object-store", accountId: "owner" }),
    );
  const failure = async (files: Record<string, string | Uint8Array>): Promise<string> => {
    const error = await imported(files).catch((thrown: unknown) => thrown);
    if (!(error instanceof ImportError)) throw new Error(`Expected an ImportError, got ${error}`);
    return error.message;
  };

  it("refuses more pages than a course may have in words of its author", async () => {
    const names = Array.from({ length: 2_050 }, (_, index) => `page-${index}.md`);
    const message = await failure({
      "SUMMARY.md": names.map((name) => `- [${name}](${name})`).join("\n"),
      ...Object.fromEntries(names.map((name) => [name, "Text."])),
    });
    expect(message).to.contain("the pages of the course: at most 2000 of them, there are 2050. Import its parts as courses");
  });

  it("names file and line of what exceeds a limit", async () => {
    const headings = Array.from({ length: 520 }, (_, index) => `## Heading ${index}\n\nText.\n`).join("\n");
    expect(await failure({ "SUMMARY.md": "- [One](one.md)\n", "one.md": headings })).to.match(
      /one\.md \(One\): at most 500 of them, there are 520\. \(These are the blocks of a page\.\) Make two pages of it\./,
    );
    const task = `::: challenge\n\n${"A long task. ".repeat(6_000)}\n\n:::\n`;
    expect(await failure({ "config.yaml": "title: A\n", "episodes/one.md": `---\ntitle: One\n---\nText.\n\n${task}` })).to.match(
      /episodes\/one\.md:6 \(One, core\.exercise \S+\): at most 65536 characters, this has \d+\. Divide this part\./,
    );
  });

  const gif = new TextEncoder().encode("GIF89a\x01\x00\x01\x00");

  it("refuses more pictures than a course may have, without leaving any out silently", async () => {
    const pictures = Array.from({ length: 2_001 }, (_, index) => [`assets/${index}.gif`, gif] as const);
    const message = await failure({
      "course.yaml": "title: A\ncontents: [one]\n",
      "topics/one.md": "---\ntitle: One\n---\n<!-- core.theory block-one -->\nText.\n",
      ...Object.fromEntries(pictures),
    });
    expect(message).to.contain("the pictures of the course: at most 2000 of them, there are 2001. Import its parts");
  });

  it("leaves out a binary file that cannot be shown, and names the file, the limit and the way out", async () => {
    const large = new Uint8Array(16_777_217);
    large.set(gif);
    const { report } = await imported({
      "one.md": "# One\n\nText. ![a](large.gif) ![b](tool.exe)\n",
      "large.gif": large,
      "tool.exe": Uint8Array.of(0x4d, 0x5a, 0, 0),
    });
    expect(report.map(({ file, line, what, done }) => `${file}:${line} ${what} → ${done}`)).to.include.members([
      "one.md:3 a picture that cannot be shown: large.gif has 16.1 MB, at most 16 MB are possible: save it with fewer pixels, or as JPEG or WebP → its alternative text is kept",
      "one.md:3 a picture that cannot be shown: tool.exe is no picture a browser shows: use SVG, PNG, JPEG, GIF, WebP or AVIF → its alternative text is kept",
    ]);
  });

  it("names a page that is binary or too large, and what to do", async () => {
    const { report } = await imported({
      "SUMMARY.md": "- [One](one.md)\n- [Two](two.md)\n",
      "one.md": Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 0, 1, 2),
      "two.md": "Text.",
    });
    expect(report.map(({ file, what, done }) => `${file} ${what} → ${done}`)).to.deep.equal([
      "one.md not a text file → left out: save it as text in UTF-8 to import it",
    ]);
    expect(await failure({ "SUMMARY.md": "- [One](one.md)\n", "one.md": "Text. ".repeat(1_400_000) })).to.match(
      /one\.md has 8400000 bytes, and a page at most 8388608\. Divide it/,
    );
  });

  it("offers the course that lies further down in the folder", async () => {
    const message = await failure({
      "README.md": "x",
      "the guide/book.toml": "",
      "the guide/src/SUMMARY.md": "- [A](a.md)",
      "the guide/src/a.md": "A",
    });
    expect(message).to.match(
      /holds a course further down\. Import it:\n {2}npm run course:import -- '\S+\/the guide' {4}\(mdBook\)\nOr import all its Markdown pages .*--pages\.$/,
    );
    const deep = await failure({ "README.md": "x", "a/b/c/book.toml": "", "a/b/c/src/SUMMARY.md": "", "x/y/z/u/course.yaml": "" });
    expect(deep).to.match(/holds courses further down\. Import one:\n.*\/a\/b\/c {4}\(mdBook\)\n.*\/x\/y\/z\/u {4}\(Colloquy/);
    const several = await failure({ "en/doc/book.toml": "", "de/course.yaml": "", "de/part/course.yaml": "" });
    expect(several).to.match(/holds courses further down\. Import one:\n.*\/de {4}\(Colloquy course folder\)\n.*\/en\/doc {4}\(mdBook\)$/);
  });
});

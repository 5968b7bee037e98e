import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { demonstrationCourses } from "@colloquy/infra/demo/courses.ts";
import { blockTypes } from "@colloquy/schemas/courses/authored.ts";
import { validateCourse } from "@colloquy/schemas/courses/validate.ts";
import { expect } from "chai";
import { picture } from "../course.fixture.ts";
import { ImportError } from "./importer.ts";
import { inFolder } from "./markdown/testing/folders.ts";
import { importNative } from "./native.ts";

const topicFile = (id: string, blocks: string, front = ""): string => `---\nid: ${id}\ntitle: A topic\n${front}---\n${blocks}`;
const sound: Record<string, string | Uint8Array> = {
  "course.yaml": "title: A course\ncontents:\n  - first\n  - collection: part\n    title: A part\n    contents: [second]\n",
  "topics/first.md": topicFile(
    "topic-first",
    "\n<!-- core.theory first-intro -->\n\nText ![tree](assets/tree.svg).\n\n---\n\nMore.\n\n<!-- core.key-points first-points -->\n- One\n",
    "objectives:\n  - Know it\n  - id: objective-two\n    text: Do it\n",
  ),
  "topics/second.md": topicFile(
    "topic-second",
    "<!-- core.code second-code -->\n```sh\n<!-- not a block -->\n```",
    "slug: number-two\nsummary: Short.\n",
  ),
  "assets/tree.svg": picture,
  "assets/notes.txt": "no picture",
};

describe("importing a folder in Colloquy's own format", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "colloquy-native-"));
  });
  afterEach(() => rm(folder, { recursive: true }));
  const write = async (files: Record<string, string | Uint8Array>): Promise<void> => {
    for (const [file, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), content);
    }
  };
  const read = (options: Partial<Parameters<typeof importNative>[1]> = {}) =>
    importNative(folder, { courseId: "course-01", previous: null, ...options });
  const failure = async (): Promise<string> => {
    const error = await read().catch((thrown: unknown) => thrown);
    if (!(error instanceof ImportError)) throw new Error(`Expected an ImportError, got ${error}`);
    return error.message;
  };

  it("takes over everything, with the authors' ids", async () => {
    await write(sound);
    const { course, assets, report } = await read();
    expect(validateCourse(course)).to.deep.equal({ ok: true, course });
    expect(course.manifest.root.map(({ kind }) => kind)).to.deep.equal(["topic", "collection"]);
    expect(course.topics.map(({ id, slug }) => `${id} ${slug}`)).to.deep.equal(["topic-first first", "topic-second number-two"]);
    expect(course.topics[0]?.blocks).to.deep.equal([
      { id: "first-intro", type: "core.theory", source: "Text ![tree](assets/tree.svg).\n\n---\n\nMore." },
      { id: "first-points", type: "core.key-points", source: "- One" },
    ]);
    expect(course.topics[1]?.blocks[0]?.source).to.equal("```sh\n<!-- not a block -->\n```");
    expect(course.topics[0]?.objectives[1]).to.deep.equal({ id: "objective-two", text: "Do it" });
    expect([...assets.keys()]).to.deep.equal(["assets/tree.svg"]);
    expect(report.map(({ file }) => file)).to.deep.equal(["assets/notes.txt"]);
    expect((await read({ title: "Other" })).course.manifest.title).to.equal("Other");
  });

  it("gives plain objectives ids that outlive a correction", async () => {
    await write(sound);
    const before = (await read()).course;
    const files = { "topics/first.md": String(sound["topics/first.md"]).replace("Know it", "Know it well") };
    await write(files);
    const after = (await read({ previous: before })).course;
    expect(after.topics[0]?.objectives.map(({ id }) => id)).to.deep.equal(before.topics[0]?.objectives.map(({ id }) => id));
    expect(after.topics[0]?.objectives[0]?.text).to.equal("Know it well");
  });

  it("reports topic files that nothing names", async () => {
    await write({ ...sound, "topics/lost.md": "x" });
    expect((await read()).report.map(({ file }) => file)).to.include("topics/lost.md");
  });

  for (const [what, link, target] of [
    ["the course file", "course.yaml", "course.yaml"],
    ["a topic", "topics/first.md", "topics/first.md"],
    ["the folder of topics", "topics", "topics"],
    ["a file it names", "pictures/tree.svg", "assets/tree.svg"],
  ] as const)
    it(`reads nothing from elsewhere by a link in place of ${what}`, async () => {
      const course = `${sound["course.yaml"]}files: [pictures/tree.svg]\n`;
      await write({ ...sound, "course.yaml": course, "pictures/tree.svg": picture });
      await read();
      await inFolder({ ...sound, "course.yaml": course }, async (elsewhere) => {
        await rm(join(folder, link), { recursive: true });
        await symlink(join(elsewhere, target), join(folder, link));
        expect(await failure()).to.match(/leads out of the folder/);
      });
    });

  it("leaves out a picture that is a link to elsewhere, and takes one that is a link to another", async () => {
    await inFolder({ "secret.svg": picture }, async (elsewhere) => {
      await write(sound);
      await symlink(join(elsewhere, "secret.svg"), join(folder, "assets/secret.svg"));
      await symlink(join(folder, "assets/tree.svg"), join(folder, "assets/same.svg"));
      expect([...(await read()).assets.keys()]).to.deep.equal(["assets/same.svg", "assets/tree.svg"]);
    });
  });

  const wrong: [string, Record<string, string>, RegExp][] = [
    ["a course file that is no YAML", { "course.yaml": "title: [\n" }, /^course\.yaml:\d+: /],
    [
      "a course file with a wrong field",
      { "course.yaml": "title: x\ncontents: [first]\ncolour: red\n" },
      /^course\.yaml:1: the file: this field is not known: colour/,
    ],
    [
      "a course file without contents",
      { "course.yaml": "title: x\ncontents: []\n" },
      /course\.yaml:2: contents: a course needs at least one page/,
    ],
    ["a title that is an alias of nothing", { "course.yaml": "title: *Maps*\ncontents: [first]\n" }, /^course\.yaml: .*Maps.*in quotes/],
    ["a path that leaves the folder", { "course.yaml": "title: x\ncontents:\n  - ../secret\n" }, /course\.yaml:3/],
    ["a topic that is missing", { "course.yaml": "title: x\ncontents: [third]\n" }, /topics\/third\.md cannot be read/],
    ["a topic without front matter", { "topics/first.md": "# Title\n" }, /topics\/first\.md:1: expected front matter/],
    ["front matter with a wrong field", { "topics/first.md": "---\nid: topic-first\ntitle: [1]\n---\n" }, /topics\/first\.md:3: title/],
    [
      "text before the first block",
      { "topics/first.md": topicFile("topic-first", "\nHello\n") },
      /topics\/first\.md:6: text before the first block/,
    ],
    [
      "an unknown type of block",
      { "topics/first.md": topicFile("topic-first", "<!-- core.video x-video -->\n") },
      /topics\/first\.md:5: "core\.video" is no type.*core\.theory/,
    ],
    [
      "a block with an error",
      { "topics/first.md": topicFile("topic-first", "<!-- core.callout first-note -->\n\n---\nkind: odd\n---\nx\n") },
      /topics\/first\.md:8: `kind: odd` is not known/,
    ],
  ];
  for (const [name, files, message] of wrong)
    it(`names the place of ${name}`, async () => {
      await write({ ...sound, ...files });
      expect(await failure()).to.match(message);
    });

  for (const { courseId, folder: shipped } of demonstrationCourses)
    it(`reads ${courseId}, which is valid`, async () => {
      const { course, report } = await importNative(shipped, { courseId, previous: null });
      const result = validateCourse(course);
      expect(result.ok ? [] : result.fields).to.deep.equal([]);
      expect(report).to.deep.equal([]);
      if (courseId === "linear-maps")
        expect(new Set(course.topics.flatMap((topic) => topic.blocks.map(({ type }) => type))).size).to.equal(blockTypes.length);
    });
});

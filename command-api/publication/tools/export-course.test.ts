import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { demonstrationCourses } from "@colloquy/infra/demo/courses.ts";
import { skipTest } from "@colloquy/infra/skip-test.fixture.ts";
import type { AuthoredCourse } from "@colloquy/schemas/courses/authored.ts";
import {
  deleteBlock,
  duplicateBlock,
  editBlockSource,
  editTopic,
  moveBlock,
  moveContained,
} from "@colloquy/schemas/courses/editing/edit.ts";
import { inReadingOrder } from "@colloquy/schemas/courses/order.ts";
import { expect } from "chai";
import fc from "fast-check";
import { sampleCourse } from "../course.fixture.ts";
import { importCarpentries } from "../import/carpentries/importer.ts";
import type { ImportedCourse } from "../import/importer.ts";
import { inFolder, realCourse } from "../import/markdown/testing/folders.ts";
import { importMdBook } from "../import/mdbook/importer.ts";
import { importNative } from "../import/native.ts";
import { courseFiles, ExportRefused, exportCourse } from "./export-course.ts";

/** The files of a course but for its pictures. */
const filesOf = (course: AuthoredCourse): Record<string, string> => Object.fromEntries(courseFiles({ ...course, assets: [] }));
const backOf = (course: AuthoredCourse): Promise<AuthoredCourse> =>
  inFolder(filesOf(course), async (folder) => {
    const { course: read } = await importNative(folder, { courseId: course.manifest.courseId, previous: null });
    return inReadingOrder({ ...read, assets: course.assets });
  });
/** As the format keeps it: a source without blank lines before and white space after it. */
const kept = (course: AuthoredCourse): AuthoredCourse =>
  inReadingOrder({
    ...course,
    topics: course.topics.map((topic) => ({
      ...topic,
      blocks: topic.blocks.map((block) => ({ ...block, source: block.source.replace(/^(?:[^\S\n]*\n)+/, "").trimEnd() })),
    })),
  });
const courses: [string, () => Promise<ImportedCourse> | null][] = [
  ["linear-maps", () => importNative(demonstrationCourses[0]?.folder ?? "", { courseId: "linear-maps", previous: null })],
  ["shell-novice", () => imported("shell-novice", importCarpentries)],
  ["theorem-proving-in-lean", () => imported("theorem-proving-in-lean", importMdBook)],
];
function imported(name: string, importer: typeof importNative): Promise<ImportedCourse> | null {
  const folder = realCourse(name);
  return folder === null ? null : importer(folder, { courseId: name, previous: null });
}

describe("a course written into a folder", function () {
  this.timeout(120_000);

  for (const [name, read] of courses)
    it(`comes back with the same content and ids: ${name}`, async function () {
      const original = await read();
      if (!original) return skipTest(this, `the real course ${name} is not beside the checkout`);
      const folder = join(await mkdtemp(join(tmpdir(), "colloquy-export-")), "course");
      try {
        await exportCourse(original.course, folder, async ({ path }) => original.assets.get(path) ?? null);
        const back = await importNative(folder, { courseId: name, previous: null });
        expect(inReadingOrder(back.course)).to.deep.equal(kept(original.course));
        expect(back.report).to.deep.equal([]);
        for (const { path } of original.course.assets)
          expect(Buffer.compare(back.assets.get(path) ?? Buffer.alloc(0), original.assets.get(path) ?? Buffer.alloc(1)), path).to.equal(0);
      } finally {
        await rm(join(folder, ".."), { recursive: true });
      }
    });

  it("comes back whatever an author did to any of them", async () => {
    const all = (await Promise.all(courses.map(([, read]) => read()))).flatMap((one) => (one ? [one.course] : []));
    const line = fc.constantFrom(
      'Words: and "quotes" #not a comment',
      "<!-- core.theory fake-block-id -->",
      "\\<!-- core.theory fake-block-id -->",
      "---",
      "",
      "- item",
      "```",
      "  indented",
      "Ünïcode 日本 🙂",
      "<!-- core.nothing at-all-here -->",
      "<!-- a comment -->",
    );
    const text = fc.array(line, { minLength: 1, maxLength: 6 }).map((lines) => lines.join("\n"));
    const title = fc
      .string({ minLength: 1, maxLength: 40, unit: "grapheme" })
      .filter((made) => made.trim() === made && !/[\p{Cc}\p{Cs}\ufffe\uffff]/u.test(made));
    const choice = fc.tuple(fc.nat(5), fc.nat(10_000), fc.nat(10), text, title);
    await fc.assert(
      fc.asyncProperty(fc.nat(all.length - 1), fc.array(choice, { minLength: 1, maxLength: 6 }), async (which, choices) => {
        let minted = 0;
        let course = all[which] ?? sampleCourse();
        for (const [what, number, to, source, words] of choices) {
          const topic = course.topics[number % course.topics.length];
          const block = topic?.blocks[number % (topic.blocks.length || 1)];
          if (!topic || !block) continue;
          if (what === 0) course = editBlockSource(course, block.id, `x\n${source}`);
          if (what === 1) course = duplicateBlock(course, block.id, () => `minted-${String(++minted).padStart(5, "0")}`);
          if (what === 2) course = moveBlock(course, block.id, to);
          if (what === 3) course = deleteBlock(course, block.id);
          if (what === 4) course = editTopic(course, topic.id, { title: words, summary: `${source}` });
          if (what === 5) course = moveContained(course, topic.id, null, to);
        }
        // What a source means is not asked here: files keep every text, so that an author can mend it there.
        await inFolder(filesOf(course), async (folder) => {
          const { course: back } = await importNative(folder, { courseId: course.manifest.courseId, previous: null }).catch(
            (error: Error) => {
              if (/has errors/.test(error.message)) return { course: null };
              throw error;
            },
          );
          if (back) expect(inReadingOrder({ ...back, assets: course.assets })).to.deep.equal(kept(course));
        });
      }),
      { numRuns: 60 },
    );
  });

  it("comes back byte for byte over the course that it was written from", async () => {
    const course = inReadingOrder(
      sampleCourse((made) => {
        const [first, second] = made.topics[1]?.blocks ?? [];
        if (first) first.source = `\n${first.source}\n\n\n`;
        if (second) second.source = second.source.replaceAll("\n", "\r\n");
      }),
    );
    const files = filesOf(course);
    const read = (written: Record<string, string>) =>
      inFolder(written, async (folder) => {
        const { course: back } = await importNative(folder, { courseId: course.manifest.courseId, previous: course });
        return inReadingOrder({ ...back, assets: course.assets });
      });
    expect(await read(files)).to.deep.equal(course);
    const changed = Object.fromEntries(Object.entries(files).map(([name, text]) => [name, text.replace("## Why", "## How")]));
    expect(await read(changed)).to.not.deep.equal(course);
  });

  it("keeps lines that look like the beginning of a block", async () => {
    const course = sampleCourse((made) => {
      const [block] = made.topics[1]?.blocks ?? [];
      if (block) block.source = "## Why {#why}\n\n<!-- core.theory fake-block-id -->\n\\<!-- core.nothing -->\n\\\\<!-- core.math x -->";
    });
    expect(await backOf(course)).to.deep.equal(kept(course));
  });

  it("is refused into a folder that holds something, and without its files", async () => {
    const folder = await mkdtemp(join(tmpdir(), "colloquy-export-"));
    const refusal = (to: string) => exportCourse(sampleCourse(), to, async () => null).catch((error: unknown) => error);
    await writeFile(join(folder, "note.txt"), "mine");
    expect(await refusal(folder))
      .to.be.instanceOf(ExportRefused)
      .with.property("message")
      .that.contains("not empty");
    expect(await refusal(join(folder, "new")))
      .to.be.instanceOf(ExportRefused)
      .with.property("message")
      .that.contains("missing");
    expect(await refusal(join(folder, "note.txt"))).to.be.instanceOf(ExportRefused);
    await rm(folder, { recursive: true });
  });
});

import type { AuthoredCourse, Block, Topic } from "@colloquy/schemas/courses/authored.ts";
import { validateCourse } from "@colloquy/schemas/courses/validate.ts";
import { expect } from "chai";
import fc from "fast-check";
import { idFrom } from "./ids.ts";
import { withStableIds } from "./reuse-ids.ts";

interface Page {
  file: string;
  title: string;
  texts: string[];
  objectives?: string[];
}

/** What an importer makes of pages: ids from file names and contents. */
function imported(pages: Page[]): AuthoredCourse {
  const topics = pages.map(({ file, title, texts, objectives = [] }): Topic => {
    const blocks = texts.map(
      (source, index): Block => ({
        id: idFrom("block", file, source, String(texts.slice(0, index).filter((text) => text === source).length)),
        type: "core.theory",
        source,
      }),
    );
    return {
      id: idFrom("topic", file),
      slug: file,
      title,
      objectives: objectives.map((text) => ({ id: idFrom("objective", file, text), text })),
      blocks,
    };
  });
  return {
    manifest: {
      courseId: "course-01",
      title: "A course",
      summary: "",
      language: "en",
      root: topics.map(({ id }) => ({ kind: "topic", id })),
    },
    collections: [],
    topics,
    assets: [],
  };
}
const idsOf = (course: AuthoredCourse, topic = 0): string[] => course.topics[topic]?.blocks.map(({ id }) => id) ?? [];
const a = "The first paragraph talks about pipes and how they join two commands.";
const b = "The second paragraph is about loops, which repeat commands for every file.";
const c = "The third paragraph explains how scripts keep what was typed for later use.";
const page = (...texts: string[]): Page => ({ file: "one", title: "One", texts });

describe("ids across imports", () => {
  const first = withStableIds(imported([page(a, b, c)]), null);

  it("are the same for the same content, with and without a previous revision", () => {
    expect(withStableIds(imported([page(a, b, c)]), first)).to.deep.equal(first);
    expect(withStableIds(imported([page(a, b, c)]), null)).to.deep.equal(first);
  });

  it("stay when a block is edited, and its neighbours keep theirs", () => {
    const edited = withStableIds(imported([page(a, b.replace("every file", "every single file"), c)]), first);
    expect(idsOf(edited)).to.deep.equal(idsOf(first));
    const twice = withStableIds(imported([page(a, b.replace("every file", "all of the files"), c)]), edited);
    expect(idsOf(twice)).to.deep.equal(idsOf(first));
  });

  it("stay when blocks are moved, within a topic and to another", () => {
    expect(idsOf(withStableIds(imported([page(c, a, b)]), first))).to.deep.equal([idsOf(first)[2], idsOf(first)[0], idsOf(first)[1]]);
    const split = withStableIds(imported([page(a, b), { file: "two", title: "Two", texts: [c] }]), first);
    expect(idsOf(split, 1)).to.deep.equal([idsOf(first)[2]]);
  });

  it("are new for what is new, also when it says what an edited block used to say", () => {
    const inserted = withStableIds(imported([page(a, "Something else entirely: permissions!", b, c)]), first);
    expect([idsOf(inserted)[0], idsOf(inserted)[2], idsOf(inserted)[3]]).to.deep.equal(idsOf(first));
    expect(idsOf(first)).not.to.include(idsOf(inserted)[1]);
    const edited = withStableIds(imported([page(`${a} Indeed.`)]), first);
    const both = withStableIds(imported([page(`${a} Indeed.`, a)]), edited);
    expect(idsOf(both)[0]).to.equal(idsOf(first)[0]);
    expect(new Set(idsOf(both)).size).to.equal(2);
  });

  it("stay when a file is renamed, by its title or by its content", () => {
    expect(withStableIds(imported([{ ...page(a, b, c), file: "renamed" }]), first).topics[0]?.id).to.equal(first.topics[0]?.id);
    const retitled = withStableIds(imported([{ file: "renamed", title: "Anew", texts: [a, b, c] }]), first);
    expect(retitled.topics[0]?.id).to.equal(first.topics[0]?.id);
    expect(idsOf(retitled)).to.deep.equal(idsOf(first));
    expect(retitled.manifest.root[0]?.id).to.equal(first.topics[0]?.id);
  });

  it("let links follow, and links do not make a block look changed", () => {
    const linking = (file: string): Page[] => [
      { file, title: "Target", texts: [a] },
      { file: "two", title: "Two", texts: [`See [it](topic:${idFrom("topic", file)}#${idFrom("block", file, a, "0")}).`] },
    ];
    const before = withStableIds(imported(linking("one")), null);
    const after = withStableIds(imported(linking("renamed")), before);
    expect(after.topics[1]?.blocks).to.deep.equal(before.topics[1]?.blocks);
    expect(validateCourse(after).ok).to.equal(true);
  });

  it("stay for objectives, edited or not", () => {
    const with_ = (...objectives: string[]): AuthoredCourse => imported([{ ...page(a), objectives }]);
    const before = withStableIds(with_("Join two commands", "Count the lines of a file"), null);
    const after = withStableIds(with_("Count the lines of any file", "Join two commands", "New thing"), before);
    const ids = (course: AuthoredCourse) => course.topics[0]?.objectives.map(({ id }) => id) ?? [];
    expect(ids(after).slice(0, 2)).to.deep.equal([ids(before)[1], ids(before)[0]]);
  });

  it("are unique whatever is edited, and unchanged texts keep theirs", () => {
    const texts = fc.array(fc.constantFrom(a, b, c, "short", "x", `${a} ${b}`), { minLength: 1, maxLength: 6 });
    const pages = fc
      .array(texts, { minLength: 1, maxLength: 3 })
      .map((all) => all.map((list, index): Page => ({ file: `file-${index}`, title: `T${index}`, texts: list })));
    fc.assert(
      fc.property(pages, pages, pages, (one, two, three) => {
        const before = withStableIds(imported(one), null);
        const middle = withStableIds(imported(two), before);
        const after = withStableIds(imported(three), middle);
        for (const course of [before, middle, after]) {
          const result = validateCourse(course);
          expect(result.ok ? [] : result.fields).to.deep.equal([]);
        }
        expect(withStableIds(imported(three), after)).to.deep.equal(after);
      }),
      { numRuns: 300 },
    );
  });
});

import { expect } from "chai";
import fc from "fast-check";
import { bounds } from "../bounds.ts";
import type { AuthoredCourse, Collection, Topic } from "./authored.ts";
import { checkFields } from "./check-fields.ts";
import { validateCourse } from "./validate.ts";

const topic = (name: string, sources: string[] = ["Text"]): Topic => ({
  id: `topic-${name}`,
  slug: name,
  title: name,
  objectives: [{ id: `objective-${name}`, text: "Know it" }],
  blocks: sources.map((source, index) => ({ id: `block-${name}-${index}`, type: "core.theory", source })),
});
const collection = (name: string, ...children: string[]): Collection => ({
  id: `coll-${name}`,
  slug: name,
  title: name,
  children: children.map((id) => ({ kind: id.startsWith("topic") ? "topic" : "collection", id })),
});
function course(change: (course: AuthoredCourse) => void = () => undefined): AuthoredCourse {
  const made: AuthoredCourse = {
    manifest: {
      courseId: "course-01",
      title: "A course",
      summary: "",
      language: "en",
      root: [
        { kind: "collection", id: "coll-part" },
        { kind: "topic", id: "topic-last" },
      ],
    },
    collections: [collection("part", "topic-first", "topic-second")],
    topics: [
      topic("first", ["## A heading\n\nSee [last](topic:topic-last#kept) and ![it](assets/a.svg)."]),
      topic("second"),
      topic("last", ["## Why {#kept}"]),
    ],
    assets: [{ path: "assets/a.svg", sha256: "a".repeat(64), bytes: 10, type: "image/svg+xml" }],
  };
  change(made);
  return made;
}
const fieldsOf = (given: unknown): { path: string; message: string }[] => {
  const result = validateCourse(given);
  return result.ok ? [] : result.fields;
};
const change = (made: AuthoredCourse, index: number, to: Partial<Topic>): void => void Object.assign(made.topics[index] ?? {}, to);
const question = (header: string): string => `---\nkind: text\n${header}\n---\nWhat?\n\n= this\n\n::: explanation\nBecause.\n:::`;
const first = (made: AuthoredCourse): Topic => made.topics[0] ?? topic("none");
const setSource = (made: AuthoredCourse, source: string, type: Topic["blocks"][number]["type"] = "core.theory"): void => {
  first(made).blocks = [{ id: "block-first-0", type, source }];
};

describe("a whole course", () => {
  it("passes when its parts agree, and comes back as it was", () => {
    expect(validateCourse(course())).to.deep.equal({ ok: true, course: course() });
  });

  const wrong: [string, (made: AuthoredCourse) => void, string, RegExp][] = [
    [
      "a question about an objective of another topic",
      (made) => setSource(made, question("objective: objective-last"), "core.question"),
      "topics.0.blocks.0.source:3",
      /no objective "objective-last": use one of objective-first/,
    ],
    [
      "a question that does not say which of several objectives",
      (made) => {
        first(made).objectives.push({ id: "objective-more", text: "More" });
        setSource(made, question(""), "core.question");
      },
      "topics.0.blocks.0.source:1",
      /header line `objective: …` with one of objective-first, objective-more/,
    ],
    [
      "a question that follows from no block of the course",
      (made) => setSource(made, question("about: block-none"), "core.question"),
      "topics.0.blocks.0.source:3",
      /"block-none", which the course does not have/,
    ],
    [
      "a question that follows from itself",
      (made) => setSource(made, question("about: block-first-0"), "core.question"),
      "topics.0.blocks.0.source:3",
      /"block-first-0", which the course does not have/,
    ],
    [
      "a link to a question that readers do not receive",
      (made) => {
        first(made).blocks.push({ id: "question-bank", type: "core.question", source: question("place: bank") });
        Object.assign(made.topics[1]?.blocks[0] ?? {}, { source: "[Here](topic:topic-first#question-bank)" });
      },
      "topics.1.blocks.0.source:1",
      /no anchor "question-bank"/,
    ],
    [
      "a topic's id used by a block",
      (made) => change(made, 1, { id: "block-last-0" }),
      "topics.2.blocks.0.id",
      /already used at topics\.1\.id/,
    ],
    [
      "an objective's id used twice",
      (made) => change(made, 0, { objectives: topic("second").objectives }),
      "topics.1.objectives.0.id",
      /already used/,
    ],
    [
      "a reference to nothing",
      (made) => void made.manifest.root.push({ kind: "topic", id: "topic-gone" }),
      "manifest.root.2",
      /no page with the id "topic-gone"/,
    ],
    [
      "a reference of the wrong kind",
      (made) => void made.manifest.root.push({ kind: "collection", id: "topic-gone" }),
      "manifest.root.2",
      /no part/,
    ],
    [
      "a topic in two places",
      (made) => void made.manifest.root.push({ kind: "topic", id: "topic-first" }),
      "collections.0.children.0",
      /already stands at manifest\.root\.2/,
    ],
    ["a topic in no place", (made) => void made.manifest.root.pop(), "topics.2.id", /nowhere in the course/],
    ["a collection in no place", (made) => void made.collections.push(collection("lost")), "collections.1.id", /nowhere in the course/],
    [
      "collections in a circle",
      (made) => void made.collections.push(collection("one-side", "coll-two-side"), collection("two-side", "coll-one-side")),
      "collections.1.id",
      /contains itself/,
    ],
    ["neighbours with one slug", (made) => change(made, 1, { slug: "first" }), "topics.1.slug", /same slug "first"/],
    ["a topic and a collection with one slug", (made) => change(made, 2, { slug: "part" }), "topics.2.slug", /same slug/],
    ["a reserved slug at the top", (made) => change(made, 2, { slug: "assets" }), "topics.2.slug", /product's own pages/],
    ["an asset listed twice", (made) => void made.assets.push(...made.assets), "assets.1.path", /already listed/],
    [
      "no topics",
      (made) => void Object.assign(made, { topics: [], collections: [], manifest: { ...made.manifest, root: [] } }),
      "topics",
      /at least one page/,
    ],
    [
      "a block that cannot be parsed",
      (made) => setSource(made, "---\nkind: x\n---\ny", "core.callout"),
      "topics.0.blocks.0.source:2",
      /not known/,
    ],
    [
      "a figure whose file is missing",
      (made) => setSource(made, "---\nalt: x\npath: assets/b.svg\n---", "core.figure"),
      "topics.0.blocks.0.source:3",
      /no file "assets\/b\.svg"/,
    ],
    ["an image whose file is missing", (made) => setSource(made, "x\n\n![b](b.svg)"), "topics.0.blocks.0.source:3", /no file "b\.svg"/],
    [
      "an image from elsewhere",
      (made) => setSource(made, "![b](https://example.org/b.svg)"),
      "topics.0.blocks.0.source:1",
      /come from the course itself/,
    ],
    ["a link to no topic", (made) => setSource(made, "[x](topic:topic-gone)"), "topics.0.blocks.0.source:1", /no page "topic-gone"/],
    ["a link to no anchor", (made) => setSource(made, "\n[x](topic:topic-last#gone)"), "topics.0.blocks.0.source:2", /no anchor "gone"/],
    ["a link to no anchor of the same page", (made) => setSource(made, "[x](#gone)"), "topics.0.blocks.0.source:1", /no anchor "gone"/],
    ["a link to a file", (made) => setSource(made, "[x](./other.md)"), "topics.0.blocks.0.source:1", /leads nowhere/],
    ["a link that runs a script", (made) => setSource(made, "[x](javascript:alert(1))"), "topics.0.blocks.0.source:1", /leads nowhere/],
  ];
  for (const [name, unseen] of [
    ["zero-width characters", "   \u200b\u200d\u2060\ufeff "],
    ["marks of direction", "\u200e\u200f\u202a\u2067\u2069"],
    ["soft hyphens", "\u00ad\u00ad"],
    ["fillers", "\u3164\u2800\u115f"],
  ] as const)
    it(`is refused for a title or an objective of nothing but ${name}, everywhere`, () => {
      const made = course((given) => {
        given.manifest.title = unseen;
        Object.assign(given.collections[0] ?? {}, { title: unseen });
        change(given, 0, { title: unseen, objectives: [{ id: "objective-first", text: unseen }] });
      });
      const paths = ["manifest.title", "collections.0.title", "topics.0.title", "topics.0.objectives.0.text"];
      expect(fieldsOf(made).map(({ path }) => path)).to.have.members(paths);
      expect(checkFields(made).map(({ path }) => path)).to.have.members(paths);
    });

  it("takes titles that hold joiners beside what is seen", () => {
    const made = course((given) => change(given, 0, { title: "\u2067می\u200cخواهم\u2069 👩\u200d🔬" }));
    expect(fieldsOf(made)).to.deep.equal([]);
  });

  for (const [name, change, path, message] of wrong)
    it(`is refused for ${name}`, () => {
      const fields = fieldsOf(course(change));
      expect(fields.map((field) => field.path)).to.include(path);
      expect(fields.find((field) => field.path === path)?.message).to.match(message);
    });

  it("is refused for fields nobody knows and shapes that are wrong, by path", () => {
    expect(fieldsOf({ ...course(), extra: 1 })).to.deep.equal([{ path: "extra", message: "this field is not known" }]);
    expect(fieldsOf({ ...course(), topics: [{ ...topic("first"), slug: "Not A Slug" }] })[0]?.path).to.equal("topics.0.slug");
    expect(fieldsOf(null)[0]?.path).to.equal("");
  });

  it("may be nested as deep as the bound, no deeper", () => {
    const nested = (depth: number): AuthoredCourse =>
      course((made) => {
        const names = Array.from({ length: depth }, (_, index) => `level-${index}`);
        made.collections = names.map((name, index) => collection(name, index + 1 < depth ? `coll-level-${index + 1}` : "topic-only"));
        made.topics = [topic("only")];
        made.manifest.root = [{ kind: "collection", id: "coll-level-0" }];
      });
    expect(fieldsOf(nested(bounds.course.containerDepth))).to.deep.equal([]);
    expect(fieldsOf(nested(bounds.course.containerDepth + 1))).to.have.length(1);
  });

  it("accepts what links may be: blocks, headings, own anchors, files, other sites", () => {
    const source =
      "# Top\n\n[a](#top) [b](topic:topic-second#block-second-0) [c](topic:topic-last) [d](assets/a.svg) [e](https://x.org) [f](mailto:a@b.c) [g](/courses) [h](#block-first-0)";
    expect(fieldsOf(course((made) => setSource(made, source)))).to.deep.equal([]);
  });

  it("accepts links to a block that was moved to another page", () => {
    const source = "[a](topic:topic-second#block-last-0) [b](#block-last-0) [c](topic:topic-deleted#block-last-0)";
    expect(fieldsOf(course((made) => setSource(made, source)))).to.deep.equal([]);
  });

  it("never throws, whatever it is given", () => {
    fc.assert(
      fc.property(fc.anything(), (value) => void fieldsOf(value)),
      { numRuns: 500 },
    );
  });

  it("made of any tree of topics passes; with any id broken it does not", () => {
    const shape = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(shape, fc.nat(), (sizes, pick) => {
        const made = course((empty) => {
          empty.topics = sizes.flatMap((size, c) => Array.from({ length: size + 1 }, (_, t) => topic(`t${c}-${t}`)));
          empty.collections = sizes.map((size, c) =>
            collection(`c${c}-part`, ...Array.from({ length: size + 1 }, (_, t) => `topic-t${c}-${t}`)),
          );
          empty.manifest.root = empty.collections.map(({ id }) => ({ kind: "collection", id }));
        });
        expect(fieldsOf(made)).to.deep.equal([]);
        const chosen = made.topics[pick % made.topics.length];
        if (chosen) chosen.id = "topic-renamed";
        expect(fieldsOf(made).length).to.be.greaterThan(0);
      }),
      { numRuns: 100 },
    );
  });
});

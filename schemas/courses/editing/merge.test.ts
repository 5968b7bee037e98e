import { sampleCourse } from "@colloquy/command-api/publication/course.fixture.ts";
import { expect } from "chai";
import fc from "fast-check";
import type { AuthoredCourse } from "../authored.ts";
import { checkCourse } from "../check-course.ts";
import {
  addTopic,
  deleteBlock,
  deleteContained,
  duplicateBlock,
  editBlockSource,
  editManifest,
  editTopic,
  moveBlockTo,
  moveContained,
} from "./edit.ts";
import { mergeCourses } from "./merge.ts";
import { type Choice, compareCourses, preselected, sameValue, type UnitKey } from "./units.ts";

const base = sampleCourse((made) => {
  made.collections.push({ id: "coll-second", slug: "second", title: "Second", children: [{ kind: "topic", id: "topic-third" }] });
  made.manifest.root.push({ kind: "collection", id: "coll-second" });
  made.topics.push({
    id: "topic-third",
    slug: "third",
    title: "Third",
    objectives: [],
    blocks: [{ id: "block-third-1", type: "core.theory", source: "Third." }],
  });
});
let minted = 0;
const mint = (): string => `minted-${String(++minted).padStart(6, "0")}`;
const states = (live: AuthoredCourse, draft: AuthoredCourse): Record<string, string> =>
  Object.fromEntries(
    compareCourses(base, live, draft)
      .filter(({ state }) => state !== "same")
      .map(({ key, state, published, own }) => [key, `${state}: ${published}/${own}`]),
  );

describe("comparing a draft with its base and the live course", () => {
  it("tells for each unit who changed it", () => {
    const live = editTopic(editManifest(base, { title: "New title" }), "topic-pipes", { title: "Pipes!" });
    const draft = deleteContained(editTopic(base, "topic-loops", { title: "Loops!" }), "topic-pipes");
    expect(states(live, draft)).to.deep.equal({
      manifest: "published: changed/unchanged",
      "collection:coll-basics": "draft: unchanged/changed",
      "topic:topic-loops": "draft: unchanged/changed",
      "topic:topic-pipes": "both: changed/deleted",
    });
    const alike = editTopic(base, "topic-loops", { title: "The same" });
    expect(states(alike, structuredClone(alike))).to.deep.equal({ "topic:topic-loops": "alike: changed/changed" });
    expect(states(base, structuredClone(base))).to.deep.equal({});
  });

  it("given a base that is lost, then whatever differs is to be chosen, and no side is taken for the one that changed it", () => {
    const live = deleteContained(editTopic(base, "topic-pipes", { title: "Pipes!" }), "topic-third") ?? expect.fail("not deleted");
    const draft = deleteContained(editTopic(base, "topic-loops", { title: "Loops!" }), "coll-second") ?? expect.fail("not deleted");
    const compared = compareCourses(null, live, draft).filter(({ state }) => state !== "same");
    expect(compared.map(({ key, state, published, own }) => [key, state, published, own].join(" "))).to.deep.equal(
      ["manifest", "topic:topic-pipes", "topic:topic-loops", "collection:coll-second"].map((key) => `${key} both unknown unknown`),
    );
    expect(compared.map(preselected)).to.deep.equal([null, null, null, null]);
    const choices = new Map<UnitKey, Choice>([["topic:topic-loops", "draft"]]);
    const { course } = mergeCourses({ base: null, live, draft }, choices, mint);
    expect(course.topics.map(({ title }) => title)).to.have.members(["Pipes!", "Loops!"]);
    expect(checkCourse(course)).to.deep.equal([]);
  });

  it("sees no difference in the order of fields, nor between absent and undefined", () => {
    expect(sameValue({ a: 1, b: [1, { c: 2 }] }, { b: [1, { c: 2, d: undefined }], a: 1 })).to.equal(true);
    for (const [one, other] of [
      [[1], [1, 2]],
      [[], {}],
      [null, {}],
      ["1", 1],
    ])
      expect(sameValue(one, other)).to.equal(false);
  });
});

describe("merging a draft with the live course", () => {
  const merge = (live: AuthoredCourse, draft: AuthoredCourse, choices: [UnitKey, Choice][] = []) =>
    mergeCourses({ base, live, draft }, new Map(choices), mint);

  it("takes by itself what only one side changed", () => {
    const live = editTopic(base, "topic-pipes", { title: "Pipes!" });
    const draft = editBlockSource(base, "block-third-1", "Third, edited.");
    const { course, notes } = merge(live, draft);
    expect(notes).to.deep.equal([]);
    expect(course).to.deep.equal(editBlockSource(live, "block-third-1", "Third, edited."));
  });

  it("lets somebody choose what both changed", () => {
    const live = editTopic(base, "topic-pipes", { title: "Published" });
    const draft = editTopic(base, "topic-pipes", { title: "Mine" });
    const titleOf = (choices: [UnitKey, Choice][]) =>
      merge(live, draft, choices).course.topics.find(({ id }) => id === "topic-pipes")?.title;
    expect([titleOf([]), titleOf([["topic:topic-pipes", "draft"]]), titleOf([["topic:topic-pipes", "published"]])]).to.deep.equal([
      "Published",
      "Mine",
      "Published",
    ]);
  });

  it("brings a topic that one deleted and the other edited back to its place", () => {
    const live = deleteContained(base, "topic-third");
    const draft = editBlockSource(base, "block-third-1", "Worked on.");
    const kept = merge(live, draft, [["topic:topic-third", "draft"]]);
    expect(kept.course.collections.find(({ id }) => id === "coll-second")?.children).to.deep.equal([{ kind: "topic", id: "topic-third" }]);
    expect(kept.notes).to.have.length(1);
    expect(checkCourse(kept.course)).to.deep.equal([]);
    expect(merge(live, draft, [["topic:topic-third", "published"]]).course).to.deep.equal(live);
  });

  it("keeps both of a block that was moved on one side and edited on the other", () => {
    const live = editBlockSource(base, "block-third-1", "Edited.");
    const draft = moveBlockTo(base, "block-third-1", "topic-loops", 0);
    const { course, notes } = merge(live, draft, [["topic:topic-third", "published"]]);
    expect(course.topics.flatMap(({ blocks }) => blocks).filter(({ source }) => /^(?:Third|Edited)\.$/.test(source))).to.have.length(2);
    expect(notes).to.have.length(1);
    expect(checkCourse(course)).to.deep.equal([]);
  });

  it("brings a block back that was moved to a page the other side took out, with what was written in it last, and says so", () => {
    const moved = editBlockSource(moveBlockTo(base, "block-loops-math", "topic-third", 0), "block-loops-math", "$$ Mine $$");
    const without = deleteContained(base, "topic-third");
    const blocksOf = ({ topics }: AuthoredCourse, topicId: string) => topics.find(({ id }) => id === topicId)?.blocks ?? [];
    for (const [live, draft, leftOut] of [
      [without, moved, "published"],
      [moved, without, "draft"],
    ] as const) {
      const { course, notes } = merge(live, draft, [["topic:topic-third", leftOut]]);
      expect(blocksOf(course, "topic-loops").map(({ id }) => id)).to.deep.equal(blocksOf(base, "topic-loops").map(({ id }) => id));
      expect(blocksOf(course, "topic-loops")[1]?.source).to.equal("$$ Mine $$");
      expect(notes.map(({ remark, values }) => [remark, values])).to.deep.equal([["merged-back", { title: "Loops" }]]);
      expect(checkCourse(course)).to.deep.equal([]);
    }
  });

  it("says which block goes with the pages that are left out, and nothing of one that somebody deleted", () => {
    const draft = deleteContained(moveBlockTo(base, "block-third-1", "topic-loops", 0), "topic-third");
    const live = deleteContained(base, "topic-loops");
    const { course, notes } = merge(live, draft, [["topic:topic-loops", "published"]]);
    expect(course.topics.map(({ id }) => id)).to.deep.equal(["topic-pipes"]);
    expect(notes.map(({ remark, values }) => [remark, values])).to.deep.equal([["merged-out", { words: "Third." }]]);
    expect(merge(deleteBlock(base, "block-third-1"), base).notes).to.deep.equal([]);
  });

  it("gives neighbours that began with one address two, and leaves alone what is found where it is published", () => {
    const page = (id: string) => ({ id, slug: "new-page", title: `Page ${id}`, objectives: [], blocks: [] });
    const live = addTopic(base, null, 0, page("topic-theirs"));
    const draft = addTopic(base, null, 0, page("topic-mine"));
    const { course, notes } = merge(live, draft, [["manifest", "draft"]]);
    const slugOf = (id: string) => course.topics.find((topic) => topic.id === id)?.slug;
    expect([slugOf("topic-theirs"), slugOf("topic-mine")]).to.deep.equal(["new-page", "new-page-2"]);
    expect(notes.at(-1)?.values).to.deep.equal({ title: "Page topic-mine", slug: "new-page-2" });
    expect(checkCourse(course).filter(({ path }) => path.endsWith(".slug"))).to.deep.equal([]);
    // At the top of a course some addresses are the product's own.
    const inPart = editTopic(base, "topic-third", { slug: "assets" });
    const brought = merge(deleteContained(base, "coll-second"), inPart, [["topic:topic-third", "draft"]]);
    expect(brought.course.topics.find(({ id }) => id === "topic-third")?.slug).to.equal("assets-2");
  });

  it("keeps files that the result names, whoever deleted them", () => {
    const live = { ...editTopic(base, "topic-pipes", { title: "Still with a figure" }), assets: [] };
    const withFigure = merge(live, base).course;
    expect(withFigure.assets).to.deep.equal(base.assets);
    const without = merge({ ...deleteContained(base, "topic-pipes"), assets: [] }, base).course;
    expect(without.assets).to.deep.equal([]);
  });

  it("shows each chosen text its own picture where two people put different ones under one path", () => {
    const withPicture = (digit: string, topicId: string): AuthoredCourse => {
      const course = structuredClone(base);
      course.assets.push({ path: "assets/image.png", sha256: digit.repeat(64), bytes: 5, type: "image/png" });
      const source = "![One](assets/image.png) and ![another](<assets/image.png>), not assets/image.pngs";
      course.topics.find(({ id }) => id === topicId)?.blocks.push({ id: `block-new-${digit}`, type: "core.theory", source });
      return course;
    };
    const shownBy = ({ topics, assets }: AuthoredCourse, blockId: string): (string | undefined)[] => {
      const { source } = topics.flatMap(({ blocks }) => blocks).find(({ id }) => id === blockId) ?? { source: "" };
      return [...source.matchAll(/\(<?([^)>]+)>?\)/g)].map(([, shown]) => assets.find(({ path }) => path === shown)?.sha256[0]);
    };
    const [live, draft] = [withPicture("a", "topic-pipes"), withPicture("b", "topic-loops")];
    const both = merge(live, draft).course;
    expect([shownBy(both, "block-new-a"), shownBy(both, "block-new-b")]).to.deep.equal([
      ["a", "a"],
      ["b", "b"],
    ]);
    expect(both.assets.map(({ path }) => path)).to.deep.equal(["assets/tree.svg", "assets/image.png", "assets/image-2.png"]);
    expect(checkCourse(both)).to.deep.equal([]);
    const alike = { ...draft, topics: live.topics };
    expect(merge(live, alike).course).to.deep.equal(live);
    const lost = mergeCourses({ base: null, live, draft }, new Map<UnitKey, Choice>([["topic:topic-loops", "draft"]]), mint).course;
    expect([shownBy(lost, "block-new-a"), shownBy(lost, "block-new-b")]).to.deep.equal([
      ["a", "a"],
      ["b", "b"],
    ]);
  });

  it("makes a course whose containers hold together, with every chosen text, whatever two people did", () => {
    type Edit = (course: AuthoredCourse) => AuthoredCourse;
    const container = fc.constantFrom(null, "coll-basics", "coll-second");
    const thing = fc.constantFrom("topic-pipes", "topic-loops", "topic-third", "coll-basics", "coll-second");
    const edit: fc.Arbitrary<Edit> = fc.oneof(
      fc.tuple(thing, container, fc.nat(3)).map(
        ([id, to, at]): Edit =>
          (course) =>
            moveContained(course, id, to, at),
      ),
      thing.map(
        (id): Edit =>
          (course) =>
            deleteContained(course, id),
      ),
      fc.tuple(container, fc.nat(2)).map(
        ([to, at]): Edit =>
          (course) => {
            const id = mint();
            return addTopic(course, course.collections.some((one) => one.id === to) ? to : null, at, {
              id,
              slug: "new-page",
              title: id,
              objectives: [],
              blocks: [{ id: mint(), type: "core.theory", source: `New ${id}` }],
            });
          },
      ),
      fc.constantFrom("block-loops-theory", "block-third-1", "block-pipes-intro").map(
        (id): Edit =>
          (course) =>
            duplicateBlock(course, id, mint),
      ),
      fc.tuple(fc.constantFrom("block-loops-math", "block-third-1"), fc.constantFrom("topic-pipes", "topic-loops", "topic-third")).map(
        ([id, to]): Edit =>
          (course) =>
            moveBlockTo(course, id, to, 0),
      ),
      fc.tuple(fc.constantFrom("topic-pipes", "topic-third"), fc.string({ minLength: 1, maxLength: 5 })).map(
        ([id, title]): Edit =>
          (course) =>
            editTopic(course, id, { title }),
      ),
    );
    const edits = fc.array(edit, { maxLength: 5 });
    fc.assert(
      fc.property(edits, edits, fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }), (byOthers, own, sides) => {
        const live = byOthers.reduce((course, change) => change(course), base);
        const draft = own.reduce((course, change) => change(course), base);
        const compared = compareCourses(base, live, draft);
        const choices = new Map(compared.map(({ key }, index): [UnitKey, Choice] => [key, sides[index % 12] ? "draft" : "published"]));
        const { course, notes } = mergeCourses({ base, live, draft }, choices, mint);
        const structural = checkCourse(course).filter(
          ({ message }) => /container|contain|id "|already used|deep|slug/.test(message) && !/link|anchor/.test(message),
        );
        expect(structural).to.deep.equal([]);
        const sources = new Set(course.topics.flatMap(({ blocks }) => blocks.map(({ source }) => source)));
        const idsOf = ({ topics }: AuthoredCourse) => topics.flatMap(({ blocks }) => blocks.map(({ id }) => id));
        const [result, published] = [new Set(idsOf(course)), new Set(idsOf(live))];
        const out = idsOf(draft).filter((id) => published.has(id) && !result.has(id));
        expect(notes.filter(({ remark }) => remark === "merged-out")).to.have.length(out.length);
        for (const { key, live: theirs, draft: mine } of compared) {
          const unit = choices.get(key) === "draft" ? mine : theirs;
          if (unit?.kind === "topic") for (const { source } of unit.topic.blocks) expect(sources.has(source), source).to.equal(true);
        }
      }),
      { numRuns: 300 },
    );
  });
});

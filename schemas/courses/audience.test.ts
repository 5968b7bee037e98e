import { expect } from "chai";
import { instructorsParts, markAudience, passagesForLearners } from "./audience.ts";
import type { AuthoredCourse, Block, Collection, Topic } from "./authored.ts";
import type { SearchIndex } from "./revision.ts";

describe("the audience of a course's parts", () => {
  const topic = (id: string, title: string, blocks: Block[] = []): Topic => ({ id, slug: id, title, objectives: [], blocks });
  const collection = (id: string, title: string, children: Collection["children"]): Collection => ({ id, slug: id, title, children });
  const callout = (id: string, kind: string): Block => ({ id, type: "core.callout", source: `---\nkind: ${kind}\n---\nText.` });
  const theory = (id: string): Block => ({ id, type: "core.theory", source: "Text." });
  const course = (topics: Topic[], collections: Collection[] = []): AuthoredCourse => ({
    manifest: {
      courseId: "course",
      title: "Course",
      summary: "",
      language: "en",
      root: [
        ...collections.filter(({ id }) => id !== "inner").map(({ id }) => ({ kind: "collection" as const, id })),
        ...topics
          .filter(({ id }) => !collections.some(({ children }) => children.some((child) => child.id === id)))
          .map(({ id }) => ({ kind: "topic" as const, id })),
      ],
    },
    collections,
    topics,
    assets: [],
  });

  it("is instructors for callouts of that kind, and for no other block", () => {
    const blocks = [callout("a", "instructor"), callout("b", "tip"), theory("c")];
    expect([...instructorsParts(course([topic("page", "Pipes", blocks)]))]).to.deep.equal(["a"]);
  });

  it("is instructors for all that a collection for instructors contains", () => {
    const parts = instructorsParts(
      course(
        [topic("page", "Timing", [theory("a")]), topic("other", "Pipes", [theory("b")])],
        [
          collection("outer", "For instructors", [{ kind: "collection", id: "inner" }]),
          collection("inner", "Setup", [{ kind: "topic", id: "page" }]),
        ],
      ),
    );
    expect([...parts].sort()).to.deep.equal(["a", "inner", "outer", "page"]);
  });

  for (const title of ["Instructor Notes", "Teacher's guide", "For the instructor", "Notes for instructors", "Für Lehrende"])
    it(`is instructors for a page "${title}"`, () => {
      expect([...instructorsParts(course([topic("page", title, [theory("a")])]))]).to.deep.equal(["page", "a"]);
    });
  for (const title of ["Instructors", "For learners", "How instructors grade", "Setup for instructors and learners"])
    it(`is everybody for a page "${title}"`, () => {
      expect(instructorsParts(course([topic("page", title, [theory("a")])])).size).to.equal(0);
    });

  it("takes the passages, not the places, from what learners are shown", () => {
    const source = (sourceId: string) => ({
      sourceId,
      entityId: `id-${sourceId}`,
      kind: "block" as const,
      topicId: "page",
      href: "/",
      title: "",
      trail: [],
    });
    const passage = (sourceId: string) => ({ passageId: `${sourceId}-0`, sourceId, heading: "", text: "Text", role: "prose" as const });
    const index: SearchIndex = {
      schemaVersion: 1,
      courseId: "course",
      revisionId: "revision",
      language: "en",
      sources: [source("one"), source("two")],
      passages: [passage("one"), passage("two")],
    };
    const shown = passagesForLearners(markAudience(index, new Set(["id-one"])));
    expect(shown.sources.map(({ sourceId }) => sourceId)).to.deep.equal(["one", "two"]);
    expect(shown.passages.map(({ sourceId }) => sourceId)).to.deep.equal(["two"]);
  });
});

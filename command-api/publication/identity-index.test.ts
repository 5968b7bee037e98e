import type { AuthoredCourse } from "@colloquy/schemas/courses/authored.ts";
import type { IdentityIndex } from "@colloquy/schemas/courses/revision.ts";
import { expect } from "chai";
import { sampleCourse, topicOf } from "./course.fixture.ts";
import { checkIdentityChanges, type IdentityChanges, nextIdentity } from "./identity-index.ts";

const none: IdentityChanges = { renamedIds: [], aliases: [] };
const first = sampleCourse();
const firstIdentity = nextIdentity(first, null, none, 1);
const entryOf = (identity: IdentityIndex, id: string) => identity.entries.find((entry) => entry.id === id);
const publish = (
  course: AuthoredCourse,
  before = { course: first, identity: firstIdentity },
  changes: Partial<IdentityChanges> = {},
  sequence = 2,
) => nextIdentity(course, before, { ...none, ...changes }, sequence);

describe("the identity index", () => {
  it("knows every id with its kind and parent", () => {
    expect(firstIdentity.entries).to.have.length(1 + 2 + 2 + 10);
    expect(entryOf(firstIdentity, "topic-pipes")).to.deep.equal({
      id: "topic-pipes",
      kind: "topic",
      state: "live",
      parent: "coll-basics",
      since: 1,
    });
    expect(entryOf(firstIdentity, "topic-loops")).to.deep.include({ parent: null });
    expect(entryOf(firstIdentity, "block-loops-math")).to.deep.include({ kind: "block", parent: "topic-loops" });
    expect(entryOf(firstIdentity, "objective-join")).to.deep.include({ kind: "objective", parent: "topic-pipes" });
  });

  it("keeps what was deleted as a tombstone, and takes it up again when it returns", () => {
    const without = sampleCourse((course) => void topicOf(course, "topic-pipes").blocks.pop());
    const second = publish(without);
    expect(entryOf(second, "block-pipes-points")).to.deep.include({ state: "tombstone", since: 2, parent: "topic-pipes" });
    expect(entryOf(second, "block-pipes-intro")).to.deep.include({ state: "live", since: 1 });
    const third = publish(without, { course: without, identity: second }, {}, 3);
    expect(entryOf(third, "block-pipes-points")).to.deep.include({ state: "tombstone", since: 2 });
    const fourth = publish(first, { course: without, identity: third }, {}, 4);
    expect(entryOf(fourth, "block-pipes-points")).to.deep.include({ state: "live", since: 4 });
  });

  it("remembers the addresses of what moved, also of topics within a moved collection", () => {
    const moved = sampleCourse((course) => {
      for (const collection of course.collections) collection.slug = "start";
    });
    const second = publish(moved);
    expect(second.aliases).to.deep.equal([
      { from: "basics", to: "coll-basics" },
      { from: "basics/pipes", to: "topic-pipes" },
    ]);
    const again = sampleCourse((course) => {
      for (const collection of course.collections) collection.slug = "begin";
    });
    const third = publish(again, { course: moved, identity: second }, {}, 3);
    expect(third.aliases.map(({ from }) => from)).to.have.members(["basics", "basics/pipes", "start", "start/pipes"]);
    const back = publish(first, { course: again, identity: third }, {}, 4);
    expect(
      back.aliases.map(({ from }) => from),
      "an address that is live again is no alias",
    ).to.have.members(["start", "start/pipes", "begin", "begin/pipes"]);
  });

  it("takes aliases by id or path, and drops those that would hide a live address", () => {
    const second = publish(first, undefined, {
      aliases: [
        { from: "/old/pipes/", to: "basics/pipes" },
        { from: "older", to: "topic-loops" },
        { from: "loops", to: "topic-pipes" },
      ],
    });
    expect(second.aliases).to.deep.equal([
      { from: "old/pipes", to: "topic-pipes" },
      { from: "older", to: "topic-loops" },
    ]);
  });

  it("follows renames to their present end, and lets addresses follow", () => {
    const rename = (to: string) =>
      sampleCourse((course) => {
        const topic = topicOf(course, "topic-loops");
        topic.id = to;
        topic.slug = to;
        topicOf(course, "topic-pipes").blocks.shift();
        course.manifest.root[1] = { kind: "topic", id: to };
      });
    const second = publish(rename("topic-cycles"), undefined, { renamedIds: [{ from: "topic-loops", to: "topic-cycles" }] });
    expect(second.renames).to.deep.equal([{ from: "topic-loops", to: "topic-cycles" }]);
    expect(entryOf(second, "topic-loops")).to.deep.include({ state: "tombstone" });
    expect(second.aliases).to.deep.equal([{ from: "loops", to: "topic-cycles" }]);
    const third = publish(
      rename("topic-rounds"),
      { course: rename("topic-cycles"), identity: second },
      { renamedIds: [{ from: "topic-cycles", to: "topic-rounds" }] },
      3,
    );
    expect(third.renames).to.have.deep.members([
      { from: "topic-loops", to: "topic-rounds" },
      { from: "topic-cycles", to: "topic-rounds" },
    ]);
    expect(third.aliases).to.have.deep.members([
      { from: "loops", to: "topic-rounds" },
      { from: "topic-cycles", to: "topic-rounds" },
    ]);
  });

  it("refuses renames and aliases that do not fit the course", () => {
    const wrong = checkIdentityChanges(
      first,
      {
        renamedIds: [
          { from: "never-was-here", to: "topic-pipes" },
          { from: "topic-pipes", to: "topic-gone-01" },
        ],
        aliases: [{ from: "x", to: "nowhere" }],
      },
      firstIdentity,
    );
    expect(wrong.map(({ path }) => path)).to.have.members(["renamedIds.0.from", "renamedIds.1.to", "renamedIds.1.from", "aliases.0.to"]);
  });
});

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
        aliases: [
          { from: "never/here", to: "nowhere" },
          { from: "loops", to: "basics/pipes" },
        ],
      },
      { course: first, identity: firstIdentity },
    );
    expect(wrong.map(({ path }) => path)).to.deep.equal([
      "renamedIds.0.from",
      "renamedIds.0.to",
      "renamedIds.1.from",
      "renamedIds.1.to",
      "aliases.0.from",
      "aliases.0.to",
    ]);
  });

  it("refuses renames that would mix up what readers keep, and takes one that is taken back", () => {
    const before = { course: first, identity: firstIdentity };
    const renamed = (...ids: [string, string][]) =>
      sampleCourse((course) => {
        for (const topic of course.topics)
          for (const part of [...topic.blocks, ...topic.objectives]) part.id = new Map(ids).get(part.id) ?? part.id;
      });
    const wrongs = (course: AuthoredCourse, renamedIds: { from: string; to: string }[], at = before) =>
      checkIdentityChanges(course, { ...none, renamedIds }, at).map(({ path, message }) => `${path}: ${message}`);
    const fine = renamed(["block-loops-math", "block-sum-01"]);
    expect(wrongs(fine, [{ from: "block-loops-math", to: "block-sum-01" }])).to.deep.equal([]);
    const without = sampleCourse((course) => void topicOf(course, "topic-loops").blocks.splice(1, 1));
    expect(wrongs(without, [{ from: "block-loops-math", to: "block-loops-table" }])[0]).to.contain("known already");
    const two = renamed(["block-loops-math", "block-sum-01"], ["block-loops-table", "block-sum-02"]);
    const forged = [
      { from: "block-loops-math", to: "block-sum-01" },
      { from: "block-loops-table", to: "block-sum-01" },
      { from: "block-loops-math", to: "block-sum-02" },
    ];
    expect(wrongs(two, forged)).to.have.length(2);
    const swapped = renamed(["block-loops-math", "goal-as-block"], ["objective-join", "block-as-goal"]);
    expect(wrongs(swapped, [{ from: "block-loops-math", to: "block-as-goal" }])[0]).to.contain("cannot become");
    const second = { course: fine, identity: publish(fine, before, { renamedIds: [{ from: "block-loops-math", to: "block-sum-01" }] }) };
    const back = [{ from: "block-sum-01", to: "block-loops-math" }];
    expect(wrongs(first, back, second)).to.deep.equal([]);
    expect(publish(first, second, { renamedIds: back }, 3).renames).to.deep.equal([{ from: "block-sum-01", to: "block-loops-math" }]);
    expect(
      wrongs(renamed(["block-loops-table", "block-loops-math"]), [{ from: "block-loops-table", to: "block-loops-math" }], {
        course: without,
        identity: publish(without),
      })[0],
    ).to.contain("known already");
  });

  it("keeps the old addresses of what is deleted for when it comes back", () => {
    const moved = sampleCourse((course) => {
      topicOf(course, "topic-loops").slug = "cycles";
    });
    const second = publish(moved);
    const gone = sampleCourse((course) => {
      course.topics.pop();
      course.manifest.root.pop();
      topicOf(course, "topic-pipes").blocks.shift();
    });
    const third = publish(gone, { course: moved, identity: second }, {}, 3);
    expect(third.aliases.map(({ from }) => from)).to.have.members(["loops", "cycles"]);
    const fourth = publish(moved, { course: gone, identity: third }, {}, 4);
    expect(fourth.aliases).to.deep.equal([{ from: "loops", to: "topic-loops" }]);
  });
});

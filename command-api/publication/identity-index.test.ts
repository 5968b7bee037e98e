import type { AuthoredCourse } from "@colloquy/schemas/courses/authored.ts";
import { checkCourse } from "@colloquy/schemas/courses/check-course.ts";
import { deleteBlock, deleteContained, editTopic } from "@colloquy/schemas/courses/editing/edit.ts";
import { idsOf, renameContainer } from "@colloquy/schemas/courses/editing/rename.ts";
import { coursePlaces } from "@colloquy/schemas/courses/places.ts";
import type { IdentityIndex } from "@colloquy/schemas/courses/revision.ts";
import { expect } from "chai";
import fc from "fast-check";
import { sampleCourse, topicOf } from "./course.fixture.ts";
import { checkIdentityChanges, type IdentityChanges, nextIdentity } from "./identity-index.ts";

interface Published {
  course: AuthoredCourse;
  identity: IdentityIndex;
}

const none: IdentityChanges = { renamedIds: [], aliases: [] };
const first = sampleCourse();
const firstIdentity = nextIdentity(first, null, none, 1);
const minting = () => {
  let minted = 0;
  return () => `minted-id-${++minted}`;
};
/** Everything that is live; of topics and collections with the path, of the rest with its own id. */
const pathsOf = (course: AuthoredCourse): [string, string][] => {
  const places = coursePlaces(course);
  return [...idsOf(course)].map((id) => [id, places.get(id)?.path ?? id]);
};
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
    expect(wrongs(without, [{ from: "block-loops-math", to: "block-loops-table" }])[0]).to.contain("belonged to something else before");
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
    ).to.contain("belonged to something else before");
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

  it("given a rename, when the earlier revision is published again, then its ids live, and what got the later ones leads to them", () => {
    const made = renameContainer(first, "topic-loops", "topic-cycles", minting()) ?? expect.fail("not renamed");
    const course = editTopic(made.course, "topic-cycles", { slug: "cycles" });
    const second = publish(course, undefined, { renamedIds: made.renamedIds });
    const back = publish(first, { course, identity: second }, {}, 3);
    expect(back.renames).to.have.deep.members(made.renamedIds.map(({ from, to }) => ({ from: to, to: from })));
    expect(back.aliases).to.deep.equal([{ from: "cycles", to: "topic-loops" }]);
    const before = { course: first, identity: back };
    expect(checkIdentityChanges(made.course, { ...none, renamedIds: made.renamedIds }, before)).to.deep.equal([]);
    const again = publish(made.course, before, { renamedIds: made.renamedIds }, 4);
    expect(again.renames).to.have.deep.members(made.renamedIds);
    expect(again.aliases).to.have.deep.members([{ from: "cycles", to: "topic-cycles" }]);
  });

  it("given any renames, deletions, moves and rollbacks, then no id leads in a circle or to what is gone, and every live one to itself", () => {
    // A link to what is deleted would make a course that cannot be published.
    const unlinked = sampleCourse((course) => {
      for (const block of course.topics.flatMap(({ blocks }) => blocks)) block.source = block.source.replaceAll(/\]\(topic:[^)]*\)/g, "]");
    });
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat({ max: 4 }), fc.nat(), fc.nat()), { maxLength: 25 }), (steps) => {
        const mint = minting();
        const revisions: Published[] = [{ course: unlinked, identity: nextIdentity(unlinked, null, none, 1) }];
        /** What has had which ids: an id is never given to something else. */
        const sameThing = new Map([...idsOf(first)].map((id) => [id, id]));
        for (const [kind, which, other] of steps) {
          const before = revisions.at(-1) as Published;
          const { course } = before;
          const containers = [...course.topics, ...course.collections];
          const page = containers[which % containers.length];
          let next = course;
          let renamedIds: IdentityChanges["renamedIds"] = [];
          if (kind === 0 && page) {
            // Also to an id it had before.
            const earlier = [...sameThing].filter(([id, thing]) => id !== page.id && thing === sameThing.get(page.id)).map(([id]) => id);
            const to = [...earlier, mint()][other % (earlier.length + 1)] ?? mint();
            const made = renameContainer(course, page.id, to, mint);
            if (made) ({ course: next, renamedIds } = made);
          } else if (kind === 1 && page) next = deleteContained(course, page.id) ?? course;
          else if (kind === 2 && page) next = editTopic(course, page.id, { slug: `slug-${other % 5}` });
          else if (kind === 3) next = (revisions[which % revisions.length] as Published).course;
          else if (page) {
            const { blocks = [] } = course.topics.find(({ id }) => id === page.id) ?? {};
            next = deleteBlock(course, blocks[other % blocks.length]?.id ?? "");
          }
          if (checkCourse(next).length > 0) continue;
          const changes = { ...none, renamedIds };
          expect(checkIdentityChanges(next, changes, before), "what was found before may be found again").to.deep.equal([]);
          const identity = nextIdentity(next, before, changes, revisions.length + 1);
          for (const { from, to } of renamedIds) sameThing.set(to, sameThing.get(from) ?? from);
          revisions.push({ course: next, identity });
          const live = new Map(pathsOf(next));
          const present = new Map(identity.renames.map(({ from, to }) => [from, to]));
          for (const { from, to } of identity.renames) {
            expect(live.has(from), `${from} is live and led away`).to.equal(false);
            expect(present.has(to), `${from} leads to ${to}, which leads on`).to.equal(false);
            expect(sameThing.get(to), `${from} leads to something else`).to.equal(sameThing.get(from));
          }
          const liveThings = new Set([...live.keys()].map((id) => sameThing.get(id)));
          for (const [id, thing] of sameThing)
            if (liveThings.has(thing)) expect(live.has(present.get(id) ?? id), `${id} leads to nothing`).to.equal(true);
          const livePaths = new Set(live.values());
          for (const { from, to } of identity.aliases) {
            expect(livePaths.has(from), `${from} is hidden`).to.equal(false);
            expect(present.has(to), `${from} leads to ${to}, which is elsewhere`).to.equal(false);
          }
        }
      }),
      { numRuns: 400 },
    );
  });
});

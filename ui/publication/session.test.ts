import { sampleCourse } from "@colloquy/command-api/publication/course.fixture.ts";
import type { AuthoredCourse } from "@colloquy/schemas/courses/authored.ts";
import {
  deleteBlock,
  deleteContained,
  duplicateBlock,
  editBlockSource,
  editTopic,
  moveBlock,
} from "@colloquy/schemas/courses/editing/edit.ts";
import { mergeCourses } from "@colloquy/schemas/courses/editing/merge.ts";
import { composedRenames, renameContainer } from "@colloquy/schemas/courses/editing/rename.ts";
import { expect } from "chai";
import fc from "fast-check";
import { EditingSession, SessionChangeEvent } from "./session.ts";

const base = { sequence: 1, revisionId: "revision-1" };
const next = { sequence: 2, revisionId: "revision-2" };

function sessionOf(course: AuthoredCourse = sampleCourse(), own: AuthoredCourse = course) {
  const clock = { now: 0 };
  const session = new EditingSession({ base, baseCourse: course, course: own, renamedIds: [] }, () => clock.now);
  return { session, clock };
}
const block = "block-loops-theory";
const type = (session: EditingSession, source: string) =>
  session.apply({ label: "Typing", coalesce: `source:${block}`, place: { topicId: "topic-loops", blockId: block } }, (course) =>
    editBlockSource(course, block, source),
  );
const sourceOf = ({ state }: EditingSession): string | undefined => state.course.topics[1]?.blocks[0]?.source;
const titleOf = ({ state }: EditingSession): string | undefined => state.course.topics[0]?.title;
const entitle = (session: EditingSession, title: string) =>
  session.apply({ label: "Title" }, (course) => editTopic(course, "topic-pipes", { title }));
const rename = (session: EditingSession, from: string, to: string) => {
  let minted = 0;
  const made = renameContainer(session.state.course, from, to, () => `minted-${minted++}`) ?? expect.fail("cannot be renamed");
  session.apply(
    { label: "Rename" },
    () => made.course,
    (before) => composedRenames(before, made.renamedIds, made.course),
  );
};

describe("an editing session", () => {
  it("restores the course on undo and redo of any edits", () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 3 }), { maxLength: 30 }), (choices) => {
        const { session } = sessionOf();
        const seen = [session.state.course];
        for (const [index, choice] of choices.entries()) {
          const [first] = session.state.course.topics[0]?.blocks ?? [];
          if (!first) continue;
          session.apply({ label: `${index}` }, (course) => {
            if (choice === 0) return moveBlock(course, first.id, 9);
            if (choice === 1) return duplicateBlock(course, first.id, () => `copy-${index}`);
            if (choice === 2) return deleteBlock(course, first.id);
            return editTopic(course, "topic-pipes", { title: `Title ${index}` });
          });
          if (session.state.course !== seen.at(-1)) seen.push(session.state.course);
        }
        for (const before of seen.slice(0, -1).reverse()) {
          expect(session.undo()).not.to.equal(null);
          expect(session.state.course).to.deep.equal(before);
        }
        expect(session.undo()).to.equal(null);
        expect(session.changed).to.equal(false);
        for (const later of seen.slice(1)) {
          session.redo();
          expect(session.state.course).to.deep.equal(later);
        }
        expect(session.redo()).to.equal(null);
      }),
    );
  });

  it("coalesces typing in one block until a pause or another edit", () => {
    const { session, clock } = sessionOf();
    const start = sourceOf(session);
    for (const text of ["a", "ab", "abc"]) type(session, text);
    session.undo();
    expect(sourceOf(session)).to.equal(start);
    session.redo();
    type(session, "abcd");
    session.undo();
    expect(sourceOf(session)).to.equal("abc");
    type(session, "abc.");
    clock.now += 60_000;
    type(session, "abc. New thought");
    session.undo();
    expect(sourceOf(session)).to.equal("abc.");
    session.endStep();
    type(session, "abc. Left the field");
    session.undo();
    expect(sourceOf(session)).to.equal("abc.");
  });

  it("clears the redo steps after a new edit", () => {
    const { session } = sessionOf();
    entitle(session, "One");
    session.undo();
    expect([session.undoLabel, session.redoLabel]).to.deep.equal([null, "Title"]);
    entitle(session, "Two");
    expect([session.undoLabel, session.redoLabel]).to.deep.equal(["Title", null]);
    expect(session.redo()).to.equal(null);
    expect(titleOf(session)).to.equal("Two");
  });

  it("undoes thousands of edits across a publication", () => {
    const { session } = sessionOf();
    const first = session.state.course;
    for (let index = 0; index < 3_000; index += 1) entitle(session, `Title ${index}`);
    session.rebase(next, session.state.course);
    let undone = 0;
    while (session.undo()) undone += 1;
    expect(undone).to.equal(3_000);
    expect(session.state.course).to.deep.equal(first);
  });

  it("dispatches cause and place of a change, and nothing for a no-op", () => {
    const { session } = sessionOf();
    const heard: [string, string | undefined][] = [];
    session.addEventListener("change", (event) => {
      if (event instanceof SessionChangeEvent) heard.push([event.cause, event.edit?.place?.blockId]);
    });
    type(session, "x");
    session.apply({ label: "Nothing" }, (course) => deleteBlock(course, "block-gone"));
    session.undo();
    session.redo();
    session.rebase(next, session.state.course);
    expect(heard).to.deep.equal([
      ["apply", block],
      ["undo", block],
      ["redo", block],
      ["rebase", undefined],
    ]);
  });

  it("is changed while its content differs from the base", () => {
    const stored = JSON.parse(JSON.stringify(sampleCourse())) as AuthoredCourse;
    const { session } = sessionOf(sampleCourse(), stored);
    expect(session.changed).to.equal(false);
    entitle(session, "Other");
    expect(session.changed).to.equal(true);
    entitle(session, "Pipes");
    expect(session.changed).to.equal(false);
    const { session: begun } = sessionOf(sampleCourse(), editTopic(stored, "topic-loops", { title: "Again" }));
    expect(begun.changed).to.equal(true);
    expect(begun.state.course.topics[0]).to.equal(begun.state.baseCourse.topics[0]);
    expect(begun.state.course.topics[1]?.blocks[0]).to.equal(begun.state.baseCourse.topics[1]?.blocks[0]);
  });

  it("keeps typing during a publication as changes and undoes across it", () => {
    const { session } = sessionOf();
    entitle(session, "Published");
    const sent = session.state.course;
    entitle(session, "Typed since");
    session.rebase(next, sent);
    expect(session.state.base).to.equal(next);
    expect(session.changed).to.equal(true);
    session.undo();
    expect([titleOf(session), session.changed]).to.deep.equal(["Published", false]);
    session.undo();
    expect([titleOf(session), session.changed]).to.deep.equal(["Pipes", true]);
  });

  it("drops a published rename; undoing it renames back", () => {
    const { session } = sessionOf();
    rename(session, "topic-loops", "topic-rounds");
    expect(session.state.renamedIds).to.deep.include({ from: "topic-loops", to: "topic-rounds" });
    const sent = session.state.course;
    rename(session, "topic-rounds", "topic-turns");
    session.rebase(next, sent);
    expect(session.state.renamedIds.filter(({ from }) => from.startsWith("topic"))).to.deep.equal([
      { from: "topic-rounds", to: "topic-turns" },
    ]);
    session.undo();
    expect(session.state.renamedIds).to.deep.equal([]);
    session.undo();
    expect(session.state.renamedIds).to.deep.include({ from: "topic-rounds", to: "topic-loops" });
    session.redo();
    session.redo();
    expect(session.state.renamedIds).to.deep.include({ from: "topic-rounds", to: "topic-turns" });
  });

  it("drops the rename of a block that is deleted afterwards, until undo brings it back", () => {
    const { session } = sessionOf();
    rename(session, "topic-loops", "topic-rounds");
    const all = session.state.renamedIds;
    const { to = "" } = all.find(({ from }) => from === "block-loops-math") ?? {};
    session.apply({ label: "Deleted" }, (course) => deleteBlock(course, to));
    expect(session.state.renamedIds).to.deep.equal(all.filter((one) => one.to !== to));
    session.undo();
    expect(session.state.renamedIds).to.deep.equal(all);
  });

  it("drops the renames of a stored draft that lead to what was deleted", () => {
    const course = sampleCourse();
    const made = renameContainer(course, "topic-loops", "topic-rounds", () => "minted-one") ?? expect.fail("cannot be renamed");
    const without = deleteContained(made.course, "topic-rounds");
    const session = new EditingSession({ base, baseCourse: course, course: without, renamedIds: made.renamedIds });
    expect(session.state.renamedIds).to.deep.equal([]);
  });

  it("treats a renamed page that another owner deleted as new", () => {
    const { session } = sessionOf();
    rename(session, "topic-loops", "topic-rounds");
    entitle(session, "My title");
    const live = deleteContained(sampleCourse(), "topic-loops");
    const sides = { base: session.state.baseCourse, live, draft: session.state.course };
    const { course } = mergeCourses(sides, new Map([["topic:topic-rounds", "draft"]]), () => "minted-by-merge");
    session.rebase(next, live, course);
    expect(session.state.course.topics.map(({ id }) => id)).to.include("topic-rounds");
    expect(session.state.renamedIds).to.deep.equal([]);
    session.undo();
    session.undo();
    session.redo();
    session.redo();
    expect(session.state.renamedIds).to.deep.equal([]);
  });

  it("drops a rename that another owner published too", () => {
    const { session } = sessionOf();
    rename(session, "topic-loops", "topic-rounds");
    const other = sessionOf().session;
    rename(other, "topic-loops", "topic-rounds");
    entitle(session, "My title");
    session.rebase(next, other.state.course);
    expect(session.changed).to.equal(true);
    expect(session.state.renamedIds).to.deep.equal([]);
  });

  it("keeps a rename of a page that the other owner did not change", () => {
    const { session } = sessionOf();
    rename(session, "topic-loops", "topic-rounds");
    const live = editTopic(sampleCourse(), "topic-pipes", { title: "Their title" });
    session.rebase(next, live);
    expect(session.state.renamedIds).to.deep.include({ from: "topic-loops", to: "topic-rounds" });
  });

  it("undoes a rename that was published without an answer", () => {
    const { session } = sessionOf();
    rename(session, "topic-loops", "topic-rounds");
    const published = structuredClone(session.state.course);
    entitle(session, "Typed since");
    session.rebase(next, published);
    expect(session.state.renamedIds).to.deep.equal([]);
    session.undo();
    session.undo();
    expect(session.state.renamedIds).to.deep.include({ from: "topic-rounds", to: "topic-loops" });
  });

  it("drops renames of ids that the base does not have", () => {
    const course = sampleCourse();
    const without = deleteContained(course, "topic-loops");
    const made = renameContainer(course, "topic-loops", "topic-rounds", () => "minted-one") ?? expect.fail("cannot be renamed");
    const session = new EditingSession({ base, baseCourse: without, course: made.course, renamedIds: made.renamedIds });
    expect(session.state.renamedIds).to.deep.equal([]);
  });

  it("keeps the other owner's changes when an earlier edit is undone", () => {
    const { session } = sessionOf();
    type(session, "mine");
    entitle(session, "My title");
    const live = editTopic(sampleCourse(), "topic-pipes", { title: "Their title" });
    session.rebase(next, live, editBlockSource(live, block, "mine"));
    expect(titleOf(session)).to.equal("Their title");
    expect(session.undo(), "of the title nothing is left to undo").to.include({ label: "Typing" });
    expect(titleOf(session)).to.equal("Their title");
    expect(sourceOf(session)).to.equal(sampleCourse().topics[1]?.blocks[0]?.source);
    expect(session.changed).to.equal(false);
    expect(session.undo()).to.equal(null);
    expect(session.redo()).to.include({ label: "Typing" });
    expect([titleOf(session), sourceOf(session)]).to.deep.equal(["Their title", "mine"]);
    expect(session.redo()).to.equal(null);
  });
});

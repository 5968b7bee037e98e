import { sampleCourse } from "@colloquy/command-api/publication/course.fixture.ts";
import { expect } from "chai";
import fc from "fast-check";
import { bounds } from "../bounds.ts";
import { type AuthoredCourse, blockTypes } from "../courses/authored.ts";
import * as edit from "../courses/editing/edit.ts";
import { composedRenames, type RenamedId, renameContainer } from "../courses/editing/rename.ts";
import { insertableTypes, starterSource } from "../courses/editing/starters.ts";
import { textRules } from "../courses/field-rules.ts";
import { type CourseDraft, draftVersion } from "./draft.ts";
import { readStoredDraft } from "./stored-draft.ts";

interface State {
  course: AuthoredCourse;
  renamedIds: RenamedId[];
}

let minted = 0;
const mint = (): string => `minted-${String(++minted).padStart(6, "0")}`;
const pick = <Item>(list: readonly Item[], at: number): Item | undefined => list[at % Math.max(list.length, 1)];

/** Everything the editor's fields, toolbars and outline do, with whatever an author types. */
const acts: Record<string, (state: State, at: number, text: string, other: number) => State> = {
  manifest: (state, at, text) =>
    of(state, edit.editManifest(state.course, { [["title", "summary", "language", "license"][at % 4] ?? "title"]: text })),
  licence: (state, at, text) => of(state, edit.editManifest(state.course, { license: at % 2 ? text : undefined })),
  topic: (state, at, text, other) =>
    onTopic(state, at, (id) => edit.editTopic(state.course, id, { [["title", "summary", "slug"][other % 3] ?? "title"]: text })),
  summary: (state, at) => onTopic(state, at, (id) => edit.editTopic(state.course, id, { summary: undefined })),
  objective: (state, at, text) =>
    onTopic(state, at, (id) => {
      const { objectives = [] } = state.course.topics.find((topic) => topic.id === id) ?? {};
      return edit.editTopic(state.course, id, { objectives: [...objectives, { id: mint(), text }] });
    }),
  newTopic: (state, at, title, other) =>
    of(state, edit.addTopic(state.course, containerAt(state, at), other, { id: mint(), slug: title, title, objectives: [], blocks: [] })),
  newPart: (state, at, title, other) =>
    of(state, edit.addCollection(state.course, containerAt(state, at), other, { id: mint(), slug: title, title, children: [] })),
  part: (state, at, text, other) => {
    const id = pick(state.course.collections, at)?.id;
    return id === undefined ? state : of(state, edit.editCollection(state.course, id, other % 2 ? { title: text } : { slug: text }));
  },
  place: (state, at, _, other) => {
    const page = pick([...state.course.topics, ...state.course.collections], at);
    return page ? of(state, edit.moveContained(state.course, page.id, containerAt(state, other), at)) : state;
  },
  deletePage: (state, at) => {
    const page = pick([...state.course.topics, ...state.course.collections], at);
    return page ? of(state, edit.deleteContained(state.course, page.id)) : state;
  },
  rename: (state, at) => {
    const from = pick([...state.course.topics, ...state.course.collections], at)?.id;
    const renamed = from === undefined ? null : renameContainer(state.course, from, mint(), mint);
    return renamed ? { course: renamed.course, renamedIds: composedRenames(state.renamedIds, renamed.renamedIds, renamed.course) } : state;
  },
  source: (state, at, text) => onBlock(state, at, (id) => edit.editBlockSource(state.course, id, text)),
  insert: (state, at, _, other) => {
    const type = pick(insertableTypes, other) ?? "core.theory";
    return onTopic(state, at, (id) => edit.insertBlock(state.course, id, other, { id: mint(), type, source: starterSource(type) }));
  },
  duplicate: (state, at) => onBlock(state, at, (id) => edit.duplicateBlock(state.course, id, mint)),
  convert: (state, at, _, other) =>
    onBlock(state, at, (id) => edit.convertBlock(state.course, id, pick(blockTypes, other) ?? "core.theory")),
  move: (state, at, _, other) =>
    onBlock(state, at, (id) => edit.moveBlockTo(state.course, id, pick(state.course.topics, other)?.id ?? "", other)),
  delete: (state, at) => onBlock(state, at, (id) => edit.deleteBlock(state.course, id)),
};

const of = (state: State, course: AuthoredCourse): State => ({ ...state, course });
const containerAt = ({ course }: State, at: number) => pick([null, ...course.collections.map(({ id }) => id)], at) ?? null;
const onTopic = (state: State, at: number, act: (id: string) => AuthoredCourse): State => {
  const topic = pick(state.course.topics, at);
  return topic ? of(state, act(topic.id)) : state;
};
const onBlock = (state: State, at: number, act: (id: string) => AuthoredCourse): State => {
  const block = pick(
    state.course.topics.flatMap(({ blocks }) => blocks),
    at,
  );
  return block ? of(state, act(block.id)) : state;
};

const draftOf = ({ course, renamedIds }: State): CourseDraft => ({
  draftVersion,
  courseId: course.manifest.courseId,
  accountId: "acc_owner001",
  base: { sequence: 1, revisionId: "revision-1" },
  course,
  renamedIds,
  savedAt: "2026-11-21T07:00:00Z",
  version: 3,
  requestId: null,
  receipt: null,
});
/** As it is saved in a file. */
const saved = (state: State): unknown => JSON.parse(JSON.stringify(draftOf(state), null, 1));

describe("a stored draft", () => {
  it("is read back as it was, whatever state its author left it in", () => {
    const texts = fc.oneof(
      fc.constantFrom("", " ", "Pipes ", "a\r\nb", "\ud800", "Ā/..", "x".repeat(textRules.source.max + 1)),
      fc.string({ unit: "binary", maxLength: 300 }),
    );
    const steps = fc.array(fc.tuple(fc.constantFrom(...Object.values(acts)), fc.nat(40), texts, fc.nat(40)), { maxLength: 30 });
    fc.assert(
      fc.property(steps, (edits) => {
        const start: State = { course: sampleCourse(), renamedIds: [] };
        const end = edits.reduce((state, [act, at, text, other]) => act(state, at, text, other), start);
        expect(readStoredDraft(saved(end))).to.deep.equal(draftOf(end));
      }),
    );
  });

  it("may hold a page that has neither title nor address yet, and more than can be published", () => {
    const many = Array.from({ length: bounds.course.blocksPerTopic + 1 }, () => ({ id: mint(), type: "core.theory" as const, source: "" }));
    const course = edit.addTopic(sampleCourse(), null, 0, { id: mint(), slug: "", title: "", objectives: [], blocks: many });
    expect(readStoredDraft(saved({ course, renamedIds: [] }))?.course).to.deep.equal(course);
  });

  it("is bounded all the same, and has no field but its own", () => {
    const course = sampleCourse();
    const long = { ...course, manifest: { ...course.manifest, title: "x".repeat(bounds.courseDraft.textLength + 1) } };
    const strange = { ...course, topics: course.topics.map((topic) => ({ ...topic, more: 1 })) };
    const outside = { ...course, assets: course.assets.map((asset) => ({ ...asset, path: "../secret" })) };
    for (const wrong of [long, strange, outside])
      expect(readStoredDraft({ ...draftOf({ course, renamedIds: [] }), course: wrong })).to.equal(null);
  });
});

import { isAnnotationEvent } from "@colloquy/schemas/annotations/events.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { changeOfEvent, eventOfChange, type PersonalEvent, streamOfChange } from "@colloquy/schemas/events/personal.ts";
import { isLearnerEvent, type LearnerEvent } from "@colloquy/schemas/learner/events.ts";
import type { Change, Domain } from "@colloquy/schemas/sync/changes.ts";
import { expect } from "chai";
import { annotationDecider } from "../annotations/decider.ts";
import type { ChangeCommand } from "../change-decider.ts";
import { givenFor } from "../given.fixture.ts";
import { commandOf } from "../sync/change-command.ts";
import { learnerDecider } from "./decider.ts";

const mira = "acc_mira0001";
const tomas = "acc_tomas001";
let number = 0;
const change = (domain: Domain, entityId: string, type: string, data: Change["data"] = {}): Change => {
  number += 1;
  return { changeId: `change-${String(number).padStart(4, "0")}`, domain, entityId, type, at: "2026-11-20T10:00:00Z", data };
};
const mark = (more: object = {}) => ({
  courseId: "course-shell",
  topicId: "topic-pipes",
  colour: "yellow",
  note: "",
  quote: "A pipe",
  before: "",
  after: " connects",
  ...more,
});

const command = (one: Change, by = mira): ChangeCommand => commandOf(by, one);
/** The events of one kind of stream that changes become: by themselves, and as they were recorded. */
function eventsOf<Event extends PersonalEvent>(isOne: (event: PersonalEvent) => event is Event) {
  const eventOf = (one: Change): Event => {
    const { event } = command(one);
    if (!isOne(event)) throw new TypeError(`${event.type} is of another kind of stream`);
    return event;
  };
  const past = (one: Change) => ({
    ...eventOf(one),
    metadata: { id: `event of ${one.changeId}`, requestId: one.changeId, accountId: mira },
  });
  return { eventOf, past };
}
const givenLearner = givenFor(learnerDecider, mira);
const givenAnnotation = givenFor(annotationDecider, mira);
describe("the account's own stream", () => {
  const { eventOf, past } = eventsOf(isLearnerEvent);
  const chosen = change("preferences", "workspace", "chosen", { theme: "dark" });
  const hide = (index: number) => change("preferences", "workspace", "model_hidden", { modelId: `p1/model-${index}` });

  it("accepts preferences, progress and reviews", () => {
    for (const one of [
      chosen,
      hide(1),
      change("progress", "topic-pipes", "read_to", { courseId: "course-shell", place: 0.5 }),
      change("review", "item-pipes-1", "reviewed", { courseId: "course-shell", rating: 3 }),
    ])
      givenLearner(past(chosen))
        .when(command({ ...one, changeId: `${one.changeId}-new` }))
        .then(eventOf(one));
  });

  it("records a change once", () => {
    givenLearner(past(chosen)).when(command(chosen)).then();
  });

  it("rejects a change id that stands for another change", () => {
    givenLearner(past(chosen))
      .when(command({ ...chosen, data: { theme: "light" } }))
      .thenRejected("request_id_reused");
  });

  it("does not exist for another account", () => {
    givenLearner(past(chosen))
      .when(command(hide(1), tomas))
      .thenRejected("not_found");
  });

  it("has a bounded number of hidden models", () => {
    const full = givenLearner(...Array.from({ length: bounds.learner.hiddenModels }, (_, index) => past(hide(index))));
    full.when(command(hide(9_999))).thenRejected("too_many");
    full.when(command(hide(0))).then("ModelHidden");
  });

  it("is erased once as long as nothing is recorded since", () => {
    const event: LearnerEvent = { type: "LearnerErased", data: { schemaVersion: 1 } };
    const erasure = (changeId: string): ChangeCommand => ({ accountId: mira, changeId, event });
    const erased = { ...event, metadata: { requestId: "erased-1", accountId: mira } };
    givenLearner(past(chosen)).when(erasure("erased-1")).then("LearnerErased");
    givenLearner(past(chosen), erased).when(erasure("erased-2")).then();
    givenLearner(past(chosen), erased, past(hide(1)))
      .when(erasure("erased-2"))
      .then("LearnerErased");
  });

  it("keeps each state as it was when the next is made of it", () => {
    const place = (index: number) => change("progress", "topic-pipes", "read_to", { courseId: "course-shell", place: index / 5_000 });
    const all = Array.from({ length: 2_500 }, (_, index) => past(place(index)));
    let state = learnerDecider.initialState;
    for (const [revision, { metadata, ...event }] of all.entries()) {
      const before = state;
      state = learnerDecider.evolve(state, { ...event, metadata: { revision, position: "1", ...metadata } });
      expect(before.changes.size).to.equal(revision);
      expect(before.changes.has(metadata.requestId)).to.equal(false);
    }
    expect(state.changes.size).to.equal(2_500);
    expect(state.changes.get(all[0]?.metadata.requestId ?? "")).to.be.a("string");
  });
});

describe("an annotation", () => {
  const { past } = eventsOf(isAnnotationEvent);
  const made = change("annotation", "annotation-1", "marked", mark());
  const written = change("annotation", "annotation-1", "note_written", { note: "Why?" });
  const deleted = change("annotation", "annotation-1", "deleted");
  const again = (one: Change) => ({ ...one, changeId: `${one.changeId}-again` });

  it("begins with its mark", () => {
    givenAnnotation().when(command(written)).thenRejected("not_found");
    givenAnnotation().when(command(made)).then("AnnotationMade").when(command(written)).then("AnnotationNoteWritten");
  });

  it("is marked once", () => {
    givenAnnotation(past(made)).when(command(made)).then();
    givenAnnotation(past(made))
      .when(command(again(made)))
      .then();
    const other = change("annotation", "annotation-1", "marked", mark({ quote: "Another" }));
    givenAnnotation(past(made)).when(command(other)).thenRejected("request_id_reused");
  });

  it("does not exist for another account", () => {
    givenAnnotation(past(made)).when(command(written, tomas)).thenRejected("not_found");
  });

  it("ends with its deletion", () => {
    const ended = givenAnnotation(past(made), past(deleted));
    ended.when(command(again(deleted))).then();
    ended.when(command(written)).thenRejected("not_found");
  });
});

describe("a drawing", () => {
  const { past } = eventsOf(isAnnotationEvent);
  const stroke = (strokeId: string) => ({
    strokeId,
    blockId: "block-pipes-1",
    tool: "pen",
    colour: "ink",
    width: 4,
    points: [100, 200, 128, 5, -5, 0, 4, 4, 10],
  });
  const drawn = (entityId: string, ...strokeIds: string[]) =>
    change("annotation", entityId, "drawn", { courseId: "course-shell", topicId: "topic-pipes", strokes: strokeIds.map(stroke) });
  const erased = (entityId: string, ...strokeIds: string[]) => change("annotation", entityId, "strokes_erased", { strokeIds });
  const begun = drawn("drawing-1", "stroke-0001");

  it("begins with its first strokes", () => {
    givenAnnotation()
      .when(command(erased("drawing-1", "stroke-0001")))
      .thenRejected("not_found");
    givenAnnotation().when(command(begun)).then("AnnotationDrawn");
  });

  it("is continued, and has strokes erased", () => {
    givenAnnotation(past(begun))
      .when(command(drawn("drawing-1", "stroke-0002", "stroke-0003")))
      .then("AnnotationDrawn")
      .when(command(erased("drawing-1", "stroke-0002")))
      .then("AnnotationStrokesErased");
  });

  it("is not continued by another account", () => {
    givenAnnotation(past(begun))
      .when(command(drawn("drawing-1", "stroke-0004"), tomas))
      .thenRejected("not_found");
  });

  it("is never a mark as well", () => {
    for (const one of [
      change("annotation", "drawing-1", "marked", mark()),
      change("annotation", "drawing-1", "note_written", { note: "Why?" }),
    ])
      givenAnnotation(past(begun)).when(command(one)).thenRejected("invalid_request");
    const made = change("annotation", "annotation-2", "marked", mark());
    givenAnnotation(past(made))
      .when(command(drawn("annotation-2", "stroke-0001")))
      .thenRejected("invalid_request");
  });

  it("is not continued after its deletion", () => {
    givenAnnotation(past(begun), past(change("annotation", "drawing-1", "deleted")))
      .when(command(drawn("drawing-1", "stroke-0005")))
      .thenRejected("not_found");
  });

  it("refuses strokes that are no strokes", () => {
    for (const bad of [
      { ...stroke("stroke-0001"), points: [1, 2] },
      { ...stroke("stroke-0001"), points: [] },
      { ...stroke("stroke-0001"), tool: "spray" },
      { ...stroke("stroke-0001"), width: 0 },
      { ...stroke("stroke-0001"), points: [bounds.annotation.inkReach + 1, 0, 0] },
    ]) {
      const data = { courseId: "course-shell", topicId: "topic-pipes", strokes: [bad] };
      expect(() => commandOf(mira, change("annotation", "drawing-1", "drawn", data)), JSON.stringify(bad)).to.throw();
    }
  });
});

describe("a change of a personal domain", () => {
  it("is the same change again when it is read back from its event", () => {
    for (const one of [
      change("preferences", "workspace", "chosen", { language: "de" }),
      change("progress", "topic-pipes", "finished", { courseId: "course-shell" }),
      change("annotation", "annotation-1", "marked", mark()),
      change("annotation", "drawing-1", "strokes_erased", { strokeIds: ["stroke-0001"] }),
      change("review", "item-pipes-1", "suspended"),
      change("review", "item-pipes-1", "buried"),
      change("review", "item-pipes-1", "taken_back", { changeId: "change-0001" }),
      change("preferences", "workspace", "chosen", { reviewRetention: 0.9, reviewNewPerDay: 0 }),
      change("conversation", "conversation-1", "renamed", { title: "Pipes" }),
    ]) {
      const { domain, entityId, type, data } = one;
      const event = eventOfChange(mira, { domain, entityId, type, data });
      expect(changeOfEvent({ stream: streamOfChange(mira, one), revision: 0, ...event })).to.deep.equal({ domain, entityId, type, data });
    }
  });

  it("is refused when its type, its entity or its data are not of the domain", () => {
    for (const bad of [
      change("preferences", "elsewhere", "chosen", { theme: "dark" }),
      change("preferences", "workspace", "chosen", {}),
      change("preferences", "workspace", "erased"),
      change("progress", "topic-pipes", "read_to", { courseId: "course-shell", place: 1.5 }),
      change("annotation", "annotation-1", "marked", mark({ note: "x".repeat(bounds.annotation.noteLength + 1) })),
      change("review", "item-pipes-1", "reviewed", { courseId: "course-shell", rating: 5 }),
      change("review", "item-pipes-1", "taken_back"),
      change("preferences", "workspace", "chosen", { reviewRetention: bounds.review.retention.max + 0.01 }),
      change("preferences", "workspace", "chosen", { reviewNewPerDay: bounds.review.newPerDay.max + 1 }),
      change("review", "item-pipes-1", "toString"),
    ])
      expect(() => commandOf(mira, bad), bad.type).to.throw();
  });
});

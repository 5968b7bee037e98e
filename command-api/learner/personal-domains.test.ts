import { bounds } from "@colloquy/schemas/bounds.ts";
import { changeOfEvent, eventOfChange, streamOfChange } from "@colloquy/schemas/events/personal.ts";
import type { Change, Domain } from "@colloquy/schemas/sync/changes.ts";
import { expect } from "chai";
import { annotationKind } from "../annotations/kind.ts";
import { commandOf } from "../sync/change-command.ts";
import type { Decision, EntityKind, EntityState } from "../sync/entity-kind.ts";
import { learnerKind } from "./kind.ts";

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

/** What becomes of changes, one after the other, each by its account. */
function outcomes<State extends EntityState, Event extends { type: string; data: object }>(
  kind: EntityKind<State, Event>,
  changes: readonly (Change | [Change, string])[],
): string[] {
  let state = kind.initial;
  return changes.map((given) => {
    const [one, accountId] = Array.isArray(given) ? given : [given, mira];
    const command = commandOf(accountId, one) as unknown as Parameters<typeof kind.decide>[0];
    const decision: Decision = kind.decide(command, state);
    if (decision.outcome === "accepted") state = kind.evolve(state, [{ id: command.eventId, accountId, event: command.event }]);
    return decision.outcome === "refused" ? decision.code : decision.outcome;
  });
}

describe("the account's own stream", () => {
  it("takes preferences, progress and reviews, each change once", () => {
    const chosen = change("preferences", "workspace", "chosen", { theme: "dark" });
    expect(
      outcomes(learnerKind, [
        chosen,
        chosen,
        { ...chosen, data: { theme: "light" } },
        change("preferences", "workspace", "model_hidden", { modelId: "p1/small" }),
        change("progress", "topic-pipes", "read_to", { courseId: "course-shell", place: 0.5 }),
        change("review", "item-pipes-1", "reviewed", { courseId: "course-shell", rating: 3 }),
        [change("preferences", "workspace", "chosen", { theme: "dark" }), tomas],
      ]),
    ).to.deep.equal(["accepted", "duplicate", "request_id_reused", "accepted", "accepted", "accepted", "not_found"]);
  });

  it("holds its bounds", () => {
    const hide = (index: number) => change("preferences", "workspace", "model_hidden", { modelId: `p1/model-${index}` });
    const many = Array.from({ length: bounds.learner.hiddenModels }, (_, index) => hide(index));
    const [last, again] = outcomes(learnerKind, [...many, hide(9_999), hide(0)]).slice(-2);
    expect([last, again]).to.deep.equal(["too_many", "accepted"]);
  });

  it("keeps each state as it was when the next is made of it", () => {
    const record = (index: number) => {
      const { eventId, event } = commandOf(
        mira,
        change("progress", "topic-pipes", "read_to", { courseId: "course-shell", place: index / 5_000 }),
      );
      return { id: eventId, accountId: mira, event };
    };
    const all = Array.from({ length: 2_500 }, (_, index) => record(index));
    const [first] = all;
    let state = learnerKind.initial;
    for (const one of all) {
      const before = state;
      const { size } = before.changes;
      state = learnerKind.evolve(state, [one]);
      expect(before.changes.size).to.equal(size);
    }
    expect(state.changes.size).to.equal(2_500);
    expect(state.changes.get(first?.id ?? "")).to.be.a("string");
  });
});

describe("an annotation", () => {
  it("begins with its mark, belongs to its account, and ends with its deletion", () => {
    const made = change("annotation", "annotation-1", "marked", mark());
    const written = (note: string) => change("annotation", "annotation-1", "note_written", { note });
    const deleted = () => change("annotation", "annotation-1", "deleted");
    expect(
      outcomes(annotationKind, [
        written("too early"),
        made,
        made,
        change("annotation", "annotation-1", "marked", mark()),
        change("annotation", "annotation-1", "marked", mark({ quote: "Another" })),
        written("Why?"),
        [written("not mine"), tomas],
        deleted(),
        deleted(),
        written("too late"),
      ]),
    ).to.deep.equal([
      "not_found",
      "accepted",
      "duplicate",
      "duplicate",
      "request_id_reused",
      "accepted",
      "not_found",
      "accepted",
      "duplicate",
      "not_found",
    ]);
  });
});

describe("a drawing", () => {
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

  it("begins with its first strokes, goes on, has strokes erased, and is never a mark as well", () => {
    expect(
      outcomes(annotationKind, [
        erased("drawing-1", "stroke-0001"),
        drawn("drawing-1", "stroke-0001"),
        drawn("drawing-1", "stroke-0002", "stroke-0003"),
        [drawn("drawing-1", "stroke-0004"), tomas],
        erased("drawing-1", "stroke-0002"),
        change("annotation", "drawing-1", "marked", mark()),
        change("annotation", "drawing-1", "note_written", { note: "Why?" }),
        change("annotation", "drawing-1", "deleted"),
        drawn("drawing-1", "stroke-0005"),
      ]),
    ).to.deep.equal([
      "not_found",
      "accepted",
      "accepted",
      "not_found",
      "accepted",
      "invalid_request",
      "invalid_request",
      "accepted",
      "not_found",
    ]);
  });

  it("is not drawn on a mark", () => {
    const made = change("annotation", "annotation-2", "marked", mark());
    expect(outcomes(annotationKind, [made, drawn("annotation-2", "stroke-0001")])).to.deep.equal(["accepted", "invalid_request"]);
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
      const event = eventOfChange({ domain, entityId, type, data });
      expect(changeOfEvent({ stream: streamOfChange(mira, one), ...event })).to.deep.equal({ domain, entityId, type, data });
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

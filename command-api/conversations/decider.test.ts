import { bounds } from "@colloquy/schemas/bounds.ts";
import type { ConversationEvent } from "@colloquy/schemas/events/conversation.ts";
import { expect } from "chai";
import type { Decision } from "../sync/entity-kind.ts";
import { decide } from "./decider.ts";
import { evolve, initial } from "./state.ts";

type Given = ConversationEvent & { id?: string; by?: string };

const mira = "acc_mira0001";
const tomas = "acc_tomas001";
const started = (title = "Pipes"): ConversationEvent => ({
  type: "ConversationStarted",
  data: { schemaVersion: 1, mode: "ask", model: { choice: "automatic" }, references: [], title },
});
const turn = (turnId: string, more: object = {}): ConversationEvent => ({
  type: "TurnRecorded",
  data: {
    schemaVersion: 1,
    turnId,
    question: "What does a pipe do?",
    answer: "It connects two programs.",
    citations: [],
    outcome: "finished",
    provider: "p1",
    model: "some-model",
    fallbackDepth: 0,
    ...more,
  },
});
const quizTurn = (turnId: string, quizId: string) =>
  turn(turnId, { artifact: { type: "quiz", quizId, title: "Quiz", questions: [], sources: [] } });
const deleted: ConversationEvent = { type: "ConversationDeleted", data: { schemaVersion: 1 } };
const renamed = (title: string): ConversationEvent => ({ type: "ConversationRenamed", data: { schemaVersion: 1, title } });
const attached = (href: string): ConversationEvent => ({ type: "ReferenceAttached", data: { schemaVersion: 1, href, title: href } });
const attempted = (quizId: string): ConversationEvent => ({
  type: "QuizAttempted",
  data: { schemaVersion: 1, quizId, answers: {}, score: 1 },
});

/** given(events).when(event, by, id).then(decision) */
function given(...events: Given[]) {
  const recorded = events.map(({ id, by = mira, ...event }, index) => ({ id: id ?? `event-${index}`, accountId: by, event }));
  return {
    when: (event: ConversationEvent, { by = mira, id = "event-new" } = {}) => ({
      // biome-ignore lint/suspicious/noThenProperty: the last word of given, when, then
      then: (expected: Partial<Decision>) =>
        expect(decide({ accountId: by, eventId: id, event }, evolve(initial, recorded))).to.deep.include(expected),
    }),
  };
}

const accepted = { outcome: "accepted" } as const;
const duplicate = { outcome: "duplicate" } as const;
const refused = (code: Extract<Decision, { outcome: "refused" }>["code"]) => ({ outcome: "refused", code }) as const;

describe("deciding about a conversation", () => {
  it("begins with its start and nothing else", () => {
    given().when(started()).then(accepted);
    for (const event of [turn("turn-0001"), renamed("Other"), deleted]) given().when(event).then(refused("not_found"));
  });

  it("takes what its owner does", () => {
    for (const event of [turn("turn-0001"), renamed("Other"), attached("/courses/shell"), deleted])
      given(started()).when(event).then(accepted);
  });

  it("is not there for anybody else, deleted or not, also for a change that was seen before", () => {
    for (const event of [turn("turn-0001"), renamed("Other"), deleted, started()]) {
      given(started()).when(event, { by: tomas }).then(refused("not_found"));
      given(started(), deleted).when(event, { by: tomas }).then(refused("not_found"));
    }
    given({ ...started(), id: "event-same" })
      .when(started(), { by: tomas, id: "event-same" })
      .then(refused("not_found"));
  });

  it("keeps its owner when only the marker of its deletion is left", () => {
    given(deleted).when(deleted).then(duplicate);
    given(deleted).when(deleted, { by: tomas }).then(refused("not_found"));
  });

  describe("repeated", () => {
    it("is a change with the same id and content once", () => {
      given(started(), { ...renamed("Other"), id: "event-same" })
        .when(renamed("Other"), { id: "event-same" })
        .then(duplicate);
    });
    it("is no change with the same id and other content", () => {
      given(started(), { ...renamed("Other"), id: "event-same" })
        .when(renamed("Another"), { id: "event-same" })
        .then(refused("request_id_reused"));
      given(started(), { ...renamed("Other"), id: "event-same" })
        .when(deleted, { id: "event-same" })
        .then(refused("request_id_reused"));
    });
    it("is the same content whatever the order of its fields", () => {
      const other: ConversationEvent = { type: "ReferenceAttached", data: { title: "/a", href: "/a", schemaVersion: 1 } };
      given(started(), { ...attached("/a"), id: "event-same" })
        .when(other, { id: "event-same" })
        .then(duplicate);
    });
    it("is the same turn under another change's id once, and no other turn", () => {
      given(started(), turn("turn-0001")).when(turn("turn-0001")).then(duplicate);
      given(started(), turn("turn-0001"))
        .when(turn("turn-0001", { answer: "Something else." }))
        .then(refused("request_id_reused"));
    });
    it("is the same start once, and no other start", () => {
      given(started()).when(started()).then(duplicate);
      given(started()).when(started("Other")).then(refused("request_id_reused"));
    });
    it("is the last value again, because somebody else may have changed it in between", () => {
      given(started(), renamed("Other")).when(renamed("Other")).then(accepted);
    });
  });

  describe("turns", () => {
    it("may replace one that is there", () => {
      given(started(), turn("turn-0001"))
        .when(turn("turn-0002", { replaces: "turn-0001" }))
        .then(accepted);
      given(started(), turn("turn-0001"))
        .when(turn("turn-0002", { replaces: "turn-0009" }))
        .then(refused("invalid_request"));
      given(started())
        .when(turn("turn-0001", { replaces: "turn-0001" }))
        .then(refused("invalid_request"));
    });
    it("are bounded", () => {
      const full = Array.from({ length: bounds.conversation.turns }, (_, index) => turn(`turn-${index}`));
      given(started(), ...full)
        .when(turn("turn-more"))
        .then(refused("too_many"));
      given(started(), ...full)
        .when(renamed("Full"))
        .then(accepted);
    });
  });

  it("has a deletion beat whatever comes after it, and a second deletion be the same one", () => {
    const past = [started(), turn("turn-0001"), deleted] as const;
    for (const event of [turn("turn-0002"), turn("turn-0001"), renamed("Other"), attached("/a"), started()])
      given(...past)
        .when(event)
        .then(refused("not_found"));
    given(...past)
      .when(deleted)
      .then(duplicate);
  });

  it("has a bounded number of changes, but can always be deleted", () => {
    const many = Array.from({ length: bounds.conversation.changes - 1 }, (_, index) => renamed(`Title ${index}`));
    given(started(), ...many)
      .when(renamed("One more"))
      .then(refused("too_many"));
    given(started(), ...many)
      .when(deleted)
      .then(accepted);
  });

  it("has a bounded number of references, whose labels may still change", () => {
    const full = Array.from({ length: bounds.ask.references }, (_, index) => attached(`/courses/${index}`));
    given(started(), ...full)
      .when(attached("/courses/more"))
      .then(refused("too_many"));
    given(started(), ...full)
      .when(attached("/courses/0"))
      .then(accepted);
    const removed: ConversationEvent = { type: "ReferenceRemoved", data: { schemaVersion: 1, href: "/courses/0" } };
    given(started(), ...full, removed)
      .when(attached("/courses/more"))
      .then(accepted);
  });

  it("wants a pinned model named", () => {
    const pinned = (id?: string): ConversationEvent => ({
      type: "ModelChosen",
      data: { schemaVersion: 1, choice: "pinned", allowFallbackWhenPinned: false, ...(id && { id }) },
    });
    given(started()).when(pinned("p1/some-model")).then(accepted);
    given(started()).when(pinned()).then(refused("invalid_request"));
  });

  it("takes attempts at its own quizzes only", () => {
    given(started(), quizTurn("turn-0001", "quiz-0001")).when(attempted("quiz-0001")).then(accepted);
    given(started(), quizTurn("turn-0001", "quiz-0001")).when(attempted("quiz-0002")).then(refused("not_found"));
  });

  it("leaves the state it was given as it was", () => {
    const before = evolve(initial, [{ id: "event-0", accountId: mira, event: started() }]);
    const copy = structuredClone(before);
    evolve(before, [{ id: "event-1", accountId: mira, event: turn("turn-0001") }]);
    evolve(before, [{ id: "event-2", accountId: mira, event: deleted }]);
    expect(before).to.deep.equal(copy);
  });
});

import { bounds } from "@colloquy/schemas/bounds.ts";
import type { ConversationEvent } from "@colloquy/schemas/conversations/events.ts";
import { expect } from "chai";
import type { ChangeCommand } from "../change-decider.ts";
import { givenFor } from "../given.fixture.ts";
import { conversationDecider } from "./decider.ts";

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

const given = givenFor(conversationDecider, mira);
const change = (event: ConversationEvent, { by = mira, id = "change-new" } = {}): ChangeCommand => ({ accountId: by, changeId: id, event });
const withId = (event: ConversationEvent, requestId: string) => ({ ...event, metadata: { requestId } });

describe("the conversation decider", () => {
  it("accepts only a start first", () => {
    given().when(change(started())).then(started());
    for (const event of [turn("turn-0001"), renamed("Other"), deleted]) given().when(change(event)).thenRejected("not_found");
  });

  it("accepts the changes of its owner", () => {
    for (const event of [turn("turn-0001"), renamed("Other"), attached("/courses/shell"), deleted])
      given(started()).when(change(event)).then(event);
  });

  it("does not exist for another account", () => {
    for (const event of [turn("turn-0001"), renamed("Other"), deleted, started()]) {
      given(started())
        .when(change(event, { by: tomas }))
        .thenRejected("not_found");
      given(started(), deleted)
        .when(change(event, { by: tomas }))
        .thenRejected("not_found");
    }
  });

  it("does not exist for another account that knows the id of a change", () => {
    given(withId(started(), "event-same"))
      .when(change(started(), { by: tomas, id: "event-same" }))
      .thenRejected("not_found");
  });

  it("keeps its owner after its deletion", () => {
    given(deleted).when(change(deleted)).then();
    given(deleted)
      .when(change(deleted, { by: tomas }))
      .thenRejected("not_found");
  });

  describe("repeated", () => {
    const same = { id: "event-same" };

    it("accepts an id with the same content once", () => {
      given(started(), withId(renamed("Other"), same.id))
        .when(change(renamed("Other"), same))
        .then();
    });
    it("rejects an id with other content", () => {
      for (const other of [renamed("Another"), deleted])
        given(started(), withId(renamed("Other"), same.id))
          .when(change(other, same))
          .thenRejected("request_id_reused");
    });
    it("ignores the order of fields", () => {
      const other: ConversationEvent = { type: "ReferenceAttached", data: { title: "/a", href: "/a", schemaVersion: 1 } };
      given(started(), withId(attached("/a"), same.id))
        .when(change(other, same))
        .then();
    });
    it("records a turn once under two change ids", () => {
      given(started(), turn("turn-0001"))
        .when(change(turn("turn-0001")))
        .then();
    });
    it("rejects a turn id that stands for another turn", () => {
      given(started(), turn("turn-0001"))
        .when(change(turn("turn-0001", { answer: "Something else." })))
        .thenRejected("request_id_reused");
    });
    it("starts once, and rejects another start", () => {
      given(started()).when(change(started())).then();
      given(started())
        .when(change(started("Other")))
        .thenRejected("request_id_reused");
    });
    it("accepts a repeated value under a new id", () => {
      given(started(), renamed("Other"))
        .when(change(renamed("Other")))
        .then(renamed("Other"));
    });
  });

  it("lets a turn replace only an existing one", () => {
    const replacing = (replaces: string) => change(turn("turn-0002", { replaces }));
    given(started(), turn("turn-0001")).when(replacing("turn-0001")).then("TurnRecorded");
    for (const missing of ["turn-0009", "turn-0002"])
      given(started(), turn("turn-0001")).when(replacing(missing)).thenRejected("invalid_request");
  });

  it("has a bounded number of turns", () => {
    const full = Array.from({ length: bounds.conversation.turns }, (_, index) => turn(`turn-${index}`));
    given(started(), ...full)
      .when(change(turn("turn-more")))
      .thenRejected("too_many")
      .when(change(renamed("Full")))
      .then("ConversationRenamed");
  });

  it("rejects everything except a deletion after its deletion", () => {
    const past = given(started(), turn("turn-0001"), deleted);
    for (const event of [turn("turn-0002"), turn("turn-0001"), renamed("Other"), attached("/a"), started()])
      past.when(change(event)).thenRejected("not_found");
    past.when(change(deleted)).then();
  });

  it("has a bounded number of changes, but can always be deleted", () => {
    const many = Array.from({ length: bounds.conversation.changes - 1 }, (_, index) => renamed(`Title ${index}`));
    given(started(), ...many)
      .when(change(renamed("One more")))
      .thenRejected("too_many")
      .when(change(deleted))
      .then(deleted);
  });

  it("bounds the references, whose titles may still change", () => {
    const full = Array.from({ length: bounds.ask.references }, (_, index) => attached(`/courses/${index}`));
    given(started(), ...full)
      .when(change(attached("/courses/more")))
      .thenRejected("too_many")
      .when(change(attached("/courses/0")))
      .then("ReferenceAttached");
  });

  it("accepts a reference in place of a removed one", () => {
    const full = Array.from({ length: bounds.ask.references }, (_, index) => attached(`/courses/${index}`));
    const removed: ConversationEvent = { type: "ReferenceRemoved", data: { schemaVersion: 1, href: "/courses/0" } };
    given(started(), ...full, removed)
      .when(change(attached("/courses/more")))
      .then("ReferenceAttached");
  });

  it("rejects a pinned model without an id", () => {
    const pinned = (id?: string): ConversationEvent => ({
      type: "ModelChosen",
      data: { schemaVersion: 1, choice: "pinned", allowFallbackWhenPinned: false, ...(id && { id }) },
    });
    given(started())
      .when(change(pinned("p1/some-model")))
      .then("ModelChosen");
    given(started()).when(change(pinned())).thenRejected("invalid_request");
  });

  it("accepts attempts at its own quizzes only", () => {
    const past = given(started(), quizTurn("turn-0001", "quiz-0001"));
    past.when(change(attempted("quiz-0001"))).then("QuizAttempted");
    past.when(change(attempted("quiz-0002"))).thenRejected("not_found");
  });

  it("does not change the given state", () => {
    const before = given(started()).state;
    const after = (event: ConversationEvent) =>
      conversationDecider.evolve(before, { ...event, metadata: { id: "event-1", revision: 1, position: "1", accountId: mira } });
    after(turn("turn-0001"));
    after(deleted);
    expect(before.deleted).to.equal(false);
    expect(before.conversation).to.deep.include({ references: [], turnCount: 0 });
    expect([before.changes.size, before.turns.size, before.turns.has("turn-0001")]).to.deep.equal([1, 0, false]);
  });
});

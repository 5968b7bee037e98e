import type { Conversation } from "@colloquy/schemas/conversations/requests.ts";
import { expect } from "chai";
import { type ConversationChange, recordAfter, summaryAfter } from "./fold.ts";

const at = "2026-11-20T10:00:00.000Z";
const change = (type: string, data: object, when = at): ConversationChange => ({
  entityId: "conversation-1",
  type,
  at: when,
  data: data as Record<string, unknown>,
});
const started = change("started", { mode: "ask", model: { choice: "automatic" }, references: [], title: "Why?" });
const turn = (turnId: string, when = at) =>
  change(
    "turn_recorded",
    { turnId, question: "Why?", answer: "So.", citations: [], outcome: "finished", provider: "p1", model: "m", fallbackDepth: 0 },
    when,
  );
const fold = (...changes: ConversationChange[]): Conversation | null => changes.reduce(recordAfter, null as Conversation | null);

describe("the fold of a conversation", () => {
  it("starts it, adds turns in order and takes the time of the last", () => {
    const record = fold(started, turn("turn-0001", "2026-11-20T10:01:00.000Z"), turn("turn-0002", "2026-11-20T10:02:00.000Z"));
    expect(record?.title).to.equal("Why?");
    expect(record?.turns.map((one) => one.turnId)).to.deep.equal(["turn-0001", "turn-0002"]);
    expect(record?.updatedAt).to.equal("2026-11-20T10:02:00.000Z");
  });

  it("ignores a repeated change", () => {
    const changes = [
      started,
      turn("turn-0001"),
      change("reference_attached", { href: "/courses/a/b", title: "B" }),
      change("model_chosen", { choice: "pinned", id: "p1/m", allowFallbackWhenPinned: true }),
      change("pinned", {}),
      change("renamed", { title: "Because" }),
      change("quiz_attempted", { quizId: "quiz-0001", answers: { "question-1": ["choice-1"] }, score: 0.5 }),
    ];
    for (const again of changes) expect(fold(...changes, again), again.type).to.deep.equal(fold(...changes));
  });

  it("keeps a reference once, and removes it", () => {
    const attach = change("reference_attached", { href: "/courses/a/b", title: "B" });
    expect(fold(started, attach, attach)?.references).to.have.length(1);
    expect(fold(started, attach, change("reference_removed", { href: "/courses/a/b" }))?.references).to.deep.equal([]);
  });

  it("keeps every quiz attempt in order", () => {
    const attempt = (score: number, when: string) => change("quiz_attempted", { quizId: "quiz-0001", answers: {}, score }, when);
    const record = fold(started, attempt(0.5, "2026-11-20T10:01:00.000Z"), attempt(1, "2026-11-20T10:02:00.000Z"));
    expect(record?.quizAttempts.map(({ score }) => score)).to.deep.equal([0.5, 1]);
  });

  it("takes the last chosen model", () => {
    const pinned = change("model_chosen", { choice: "pinned", id: "p2/x", allowFallbackWhenPinned: false });
    expect(fold(started, pinned)?.model).to.deep.equal({ choice: "pinned", id: "p2/x", allowFallbackWhenPinned: false });
    expect(fold(started, pinned, change("model_chosen", { choice: "automatic", allowFallbackWhenPinned: false }))?.model).to.deep.equal({
      choice: "automatic",
    });
  });

  it("stays deleted whatever comes afterwards", () => {
    expect(fold(started, change("deleted", {}), turn("turn-0001"), change("pinned", {}))).to.equal(null);
    expect([started, change("deleted", {}), turn("turn-0001")].reduce(summaryAfter, null as ReturnType<typeof summaryAfter>)).to.equal(
      null,
    );
  });

  it("keeps the history's row in step", () => {
    const row = [started, turn("turn-0001", "2026-11-20T11:00:00.000Z"), change("pinned", {}), change("archived", {})].reduce(
      summaryAfter,
      null as ReturnType<typeof summaryAfter>,
    );
    expect(row).to.include({ title: "Why?", turns: 1, pinned: true, state: "archived", updatedAt: "2026-11-20T11:00:00.000Z" });
  });

  it("counts a regeneration as the turn that it replaces", () => {
    const again = { ...turn("turn-0002"), data: { ...turn("turn-0002").data, replaces: "turn-0001" } };
    const row = [started, turn("turn-0001"), again].reduce(summaryAfter, null as ReturnType<typeof summaryAfter>);
    expect(row?.turns).to.equal(1);
  });
});

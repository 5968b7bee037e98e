import { type ExportedConversation, earlierModel, exportedConversation, timeNotKept } from "@colloquy/schemas/conversations/export.ts";
import type { Conversation } from "@colloquy/schemas/conversations/requests.ts";
import { expect } from "chai";
import { conversationAsMarkdown } from "./conversation-markdown.ts";

const takenOver = "2026-11-21T09:00:00.000Z";
type Turn = Conversation["turns"][number];

const turn = (more: Partial<Turn>): Turn => ({
  turnId: "turn-1",
  question: "What is a pipe?",
  answer: "It joins programs.",
  citations: [],
  outcome: "finished",
  provider: "p1",
  model: "reader-large",
  fallbackDepth: 0,
  at: "2026-11-20T10:00:00.000Z",
  ...more,
});
const earlier = (more: Partial<Turn>): Turn => turn({ model: earlierModel, at: "2025-05-01T10:00:00.000Z", ...more });
const conversation = (...turns: Turn[]): Conversation => ({
  conversationId: "proto-1",
  version: 3,
  title: "Pipes",
  mode: "ask",
  state: "active",
  pinned: false,
  position: "7",
  model: { choice: "automatic" },
  references: [],
  createdAt: takenOver,
  updatedAt: takenOver,
  turns,
  quizAttempts: [],
});
const markdown = (of: Conversation) => conversationAsMarkdown(of, "https://colloquy.test");
const answered = (of: ExportedConversation) => of.turns.map(({ provider, model, at, outcome }) => ({ provider, model, at, outcome }));

describe("conversationAsMarkdown", () => {
  it("contains the times of the conversation and each question", () => {
    const text = markdown(conversation(turn({}), turn({ turnId: "turn-2", answer: "Half", outcome: "stopped" })));
    expect(text).to.contain("*Begun 2026-11-21*").and.to.contain("*2026-11-20 10:00 UTC*").and.to.contain("*(stopped)*");
    const whole = conversation(turn({}));
    expect(exportedConversation(whole)).to.equal(whole);
  });

  it("exports the earlier version without models", () => {
    const of = conversation(
      earlier({ at: "2025-05-02T08:30:00.000Z" }),
      earlier({ turnId: "turn-2", question: "And then?", answer: "", outcome: "stopped" }),
    );
    const text = markdown(of);
    expect(text).to.contain("*Begun 2025-05-01*").and.to.contain("*2025-05-02 08:30 UTC*");
    expect(text).not.to.match(/2026|stopped/);
    const exported = exportedConversation(of);
    expect(exported).to.include({ createdAt: "2025-05-01T10:00:00.000Z", updatedAt: "2025-05-02T08:30:00.000Z" });
    expect(JSON.stringify(exported)).not.to.match(/provider|fallbackDepth|earlier-version|2026/);
    expect(answered(exported).map(({ outcome }) => outcome)).to.deep.equal(["finished", undefined]);
  });

  it("escapes titles and questions", () => {
    const of = { ...conversation(turn({ question: "Why *a_b* & `c`?" })), title: "Jokers <b>offline</b> [x](y) #1" };
    const text = markdown(of);
    expect(text).to.contain("# Jokers \\<b\\>offline\\</b\\> \\[x\\](y) \\#1\n");
    expect(text).to.contain("## Why \\*a\\_b\\* \\& \\`c\\`?\n");
  });

  it("omits an unknown time", () => {
    const of = conversation(earlier({ at: timeNotKept }), turn({ turnId: "turn-2" }));
    expect(exportedConversation(of)).to.include({ createdAt: "2026-11-20T10:00:00.000Z", updatedAt: takenOver });
    expect(answered(exportedConversation(of))[1]).to.include({ provider: "p1", model: "reader-large" });
    const nothing = conversation(earlier({ at: timeNotKept }));
    expect(exportedConversation(nothing)).not.to.have.any.keys("createdAt", "updatedAt");
    expect(markdown(nothing)).not.to.match(/Begun|UTC|1970/);
  });
});

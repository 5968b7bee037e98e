import { earlierModel } from "@colloquy/schemas/conversations/export.ts";
import type { Conversation } from "@colloquy/schemas/conversations/requests.ts";
import type { RecordedTurn } from "@colloquy/schemas/sync/changes.ts";
import { expect } from "chai";
import type { AnswerView } from "../answers/answer-view.ts";
import type { TraceRow } from "../store/rows.ts";
import { answerText, citations } from "../workspace/testing/fixtures.ts";
import { answerAsHtml, answerAsMarkdown } from "./copy.ts";
import { type LiveTurn, recordedExchanges, withLive } from "./exchanges.ts";

const turn = (turnId: string, question: string, replaces?: string): Conversation["turns"][number] => ({
  turnId,
  question,
  answer: `Answer ${turnId}`,
  citations: [],
  outcome: "finished",
  provider: "p1",
  model: "m",
  fallbackDepth: 0,
  at: "2026-11-20T10:00:00.000Z",
  ...(replaces && { replaces }),
});
const record = (...turns: Conversation["turns"]): Conversation => ({
  conversationId: "conversation-1",
  version: 1,
  title: "T",
  mode: "ask",
  state: "active",
  pinned: false,
  model: { choice: "automatic" },
  references: [{ href: "/courses/a/b", title: "B" }],
  createdAt: "2026-11-20T10:00:00.000Z",
  updatedAt: "2026-11-20T10:00:00.000Z",
  position: "1",
  turns,
  quizAttempts: [],
});
const live = (turnId: string, more: Partial<LiveTurn> = {}, answer: Partial<AnswerView> = {}): LiveTurn => ({
  turnId,
  question: "Now?",
  at: "2026-11-20T10:05:00.000Z",
  references: [],
  replaces: null,
  answer: {
    turnId,
    state: "running",
    text: "",
    citations: [],
    artifact: null,
    provider: null,
    model: "",
    fallbackDepth: 0,
    trace: { phases: [], elapsedMs: null, startedAt: 0, followUps: [] },
    problem: null,
    ...answer,
  },
  ...more,
});
const none = new Map<string, TraceRow>();

describe("exchanges", () => {
  it("name no model for answers of the prototype", () => {
    const { exchanges } = recordedExchanges(record({ ...turn("one", "First?"), model: earlierModel }), new Map());
    expect(exchanges[0]?.answers[0]).to.include({ provider: null, model: "" });
  });

  it("group all answers to a question, also repeated regenerations", () => {
    const { exchanges } = recordedExchanges(
      record(turn("a", "Why?"), turn("b", "Why?", "a"), turn("c", "Next?"), turn("d", "Why?", "b")),
      none,
    );
    expect(exchanges.map(({ key, answers }) => [key, answers.map((answer) => answer.turnId)])).to.deep.equal([
      ["a", ["a", "b", "d"]],
      ["c", ["c"]],
    ]);
  });

  it("show references only where they change", () => {
    const other = [{ href: "/courses/a/c", title: "C" }];
    const traces = new Map([["c", { references: other } as unknown as TraceRow]]);
    const { exchanges } = recordedExchanges(record(turn("a", "1"), turn("b", "2"), turn("c", "3"), turn("d", "4")), traces);
    expect(exchanges.map((exchange) => exchange.references.map((reference) => reference.title))).to.deep.equal([["B"], [], ["C"], []]);
  });

  it("add the live turn and keep the other objects", () => {
    const base = recordedExchanges(record(turn("a", "1"), turn("b", "2")), none);
    const shown = withLive(base, live("n"));
    expect(shown.map((exchange) => exchange.key)).to.deep.equal(["a", "b", "n"]);
    expect(shown[0]).to.equal(base.exchanges[0]);
    expect(shown[1]).to.equal(base.exchanges[1]);
    const regenerated = withLive(base, live("n", { replaces: "a" }));
    expect(regenerated[0]?.answers.map((answer) => answer.turnId)).to.deep.equal(["a", "n"]);
    expect(regenerated[1]).to.equal(base.exchanges[1]);
  });

  it("show a turn once while it is recorded, and keep a failure visible", () => {
    const base = recordedExchanges(record({ ...turn("a", "1"), outcome: "stopped" }), none);
    expect(withLive(base, live("a"))).to.have.length(1);
    const problem = { schemaVersion: 1, status: 503, code: "ai_unavailable", title: "No.", requestId: "", retryable: true } as const;
    expect(withLive(base, live("a", {}, { problem }))[0]?.answers[0]?.problem).to.equal(problem);
    // Whole, it was finished by the service after this page had lost it.
    const row = { key: "a", conversationId: "c", references: [], problem };
    const finished = recordedExchanges(record(turn("a", "1")), new Map([["a", row]]));
    expect(finished.exchanges[0]?.answers[0]?.problem).to.equal(null);
    expect(withLive(finished, live("a", {}, { problem }))[0]?.answers[0]?.problem).to.equal(null);
  });
});

describe("the trace of a recorded answer", () => {
  const phases = [{ phase: "retrieving" as const, atMs: 0 }];
  const traceOf = (more: Partial<RecordedTurn>, rows = none) =>
    recordedExchanges(record({ ...turn("a", "1"), ...more }), rows).exchanges[0]?.answers[0]?.trace;

  it("comes from the record, on every device", () => {
    const trace = { phases, elapsedMs: 900, pages: 2, sections: 5, rewritten: "What is a pipe?" };
    expect(traceOf({ trace, followUps: ["More?"] })).to.deep.equal({ ...trace, startedAt: null, followUps: ["More?"] });
  });

  it("of an older version comes from this browser", () => {
    const row = { key: "a", conversationId: "c", references: [], phases, elapsedMs: 7, sources: 3, followUps: ["More?"] };
    const trace = { phases, elapsedMs: 7, sources: 3, startedAt: null, followUps: ["More?"] };
    expect(traceOf({}, new Map([["a", row]]))).to.deep.equal(trace);
    expect(traceOf({})).to.deep.equal({ phases: [], elapsedMs: null, startedAt: null, followUps: [] });
  });
});

describe("copying an answer", () => {
  it("copies its Markdown with sources", () => {
    const copied = answerAsMarkdown(answerText, citations, "https://colloquy.test");
    expect(copied.startsWith(answerText)).to.equal(true);
    expect(copied).to.contain(
      "\n[^2]: [The Unix Shell › Pipes and Filters › Capturing output from commands](https://colloquy.test/courses/",
    );
    expect(answerAsMarkdown("One\n\n* two\n", [], "https://colloquy.test")).to.equal("One\n\n* two\n");
  });

  it("copies HTML without buttons and with absolute links", () => {
    const code =
      '<figure class="code"><figcaption><span class="code-language">Python</span><button>Copy</button></figcaption><pre>x</pre></figure>';
    const titled =
      '<figure class="code"><figcaption><span class="code-title">a.py</span><button>Copy</button></figcaption><pre>y</pre></figure>';
    const links = '<p>A <a class="cite" href="/courses/a/b?mark=c#d">1</a> <a href="https://other.test/x">x</a></p>';
    expect(answerAsHtml(code + titled + links, "https://colloquy.test/ai")).to.equal(
      `<figure class="code"><pre>x</pre></figure><figure class="code"><figcaption><span class="code-title">a.py</span></figcaption><pre>y</pre></figure>` +
        '<p>A <a class="cite" href="https://colloquy.test/courses/a/b?mark=c#d">1</a> <a href="https://other.test/x">x</a></p>',
    );
  });

  it("copies code without fences if there is nothing else", () => {
    expect(answerAsMarkdown("```python\nprint(1)\n\nprint(2)\n```\n", [], "https://x.test")).to.equal("print(1)\n\nprint(2)");
    const two = "```\na\n```\n\nand\n\n```\nb\n```";
    expect(answerAsMarkdown(two, [], "https://x.test")).to.equal(two);
  });
});

import { expect } from "chai";
import { recordedTurn } from "../sync/changes.ts";
import type { AskFrame } from "./ask.ts";
import { applyFrame, emptyTurn, recordedTurnOf } from "./turn-progress.ts";

describe("a turn as a fold of its frames", () => {
  const frames = (
    [
      { kind: "status", phase: "retrieving", elapsedMs: 0 },
      {
        kind: "status",
        phase: "generating",
        elapsedMs: 40,
        detail: { sources: 6, pages: 2, sections: 5, provider: "p1", model: "one", fallbackDepth: 0 },
      },
      {
        kind: "status",
        phase: "generating",
        elapsedMs: 900,
        detail: { sources: 6, rewritten: "What is a pipe?", provider: "p2", model: "two", fallbackDepth: 1 },
      },
      { kind: "status", phase: "writing", elapsedMs: 1_200, detail: { sources: 6, provider: "p2", model: "two", fallbackDepth: 1 } },
      { kind: "text_delta", text: "A pipe joins programs." },
      {
        kind: "complete",
        citations: [],
        followUps: ["What is a filter?"],
        provider: "p2",
        model: "two",
        reportedModel: "two-0711",
        fallbackDepth: 1,
        finishReason: "stop",
        elapsedMs: 3_000,
      },
    ] as const
  ).map((frame, index): AskFrame => ({ schemaVersion: 1, seq: index + 1, ...frame }) as AskFrame);
  const about = { turnId: "turn-0001", question: "What is a pipe?" };

  it("records how the answer came about and what can be asked next", () => {
    const record = recordedTurnOf(about, frames.reduce(applyFrame, emptyTurn));
    expect(recordedTurn.parse(record)).to.deep.include({
      followUps: ["What is a filter?"],
      trace: {
        phases: [
          { phase: "retrieving", atMs: 0 },
          { phase: "generating", atMs: 40 },
          { phase: "writing", atMs: 1_200 },
        ],
        elapsedMs: 3_000,
        sources: 6,
        pages: 2,
        sections: 5,
        rewritten: "What is a pipe?",
        asked: { provider: "p1", model: "one" },
        reportedModel: "two-0711",
        finishReason: "stop",
      },
    });
  });

  it("ignores a repeated status", () => {
    const turn = frames.slice(0, 4).reduce(applyFrame, emptyTurn);
    const repeated: AskFrame = { schemaVersion: 1, kind: "status", seq: 4, phase: "writing", elapsedMs: 9_000 };
    expect(applyFrame(turn, repeated)).to.equal(turn);
  });
});

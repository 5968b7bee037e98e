import { createLog } from "@colloquy/infra/telemetry/log.ts";
import { emptyTurn } from "@colloquy/schemas/ask/turn-progress.ts";
import { conversationStream } from "@colloquy/schemas/conversations/events.ts";
import { expect } from "chai";
import { askFixture, question } from "./ask.fixture.ts";
import { turnRecorder } from "./turn-recorder.ts";

describe("turnRecorder", () => {
  const served = askFixture();
  const keep = { conversationId: "conversation-kept-1", turnId: "turn-kept-0001", at: "2026-11-20T12:00:00.000Z" };
  const start = {
    at: keep.at,
    started: { mode: "ask" as const, model: { choice: "automatic" as const }, references: [], title: question },
  };
  const turn = { ...emptyTurn, text: "An eigenvector keeps its direction.", provider: "p1" as const, model: "big" };

  /** The log lines of a recording whose first attempts fail with an unexpected error. */
  async function record(failures: number, turnId: string): Promise<string[]> {
    const lines: string[] = [];
    const log = createLog("test", { LOG_LEVEL: "info" }, { write: (line: string) => void lines.push(JSON.parse(line).msg) });
    let left = failures;
    const handlers: Pick<typeof served.handlers, "push"> = {
      async push(...given) {
        left -= 1;
        if (left >= 0) throw new TypeError("unexpected");
        return served.handlers.push(...given);
      },
    };
    const asked = { schemaVersion: 1 as const, requestId: turnId, conversationId: null, message: question, history: [], references: [] };
    await turnRecorder(
      { handlers, log, retry: { retries: 3, minTimeout: 1, maxTimeout: 1, factor: 1 } },
      {
        accountId: "acc_mira_0001",
        asked: { ...asked, model: { choice: "automatic" }, keep: { ...keep, turnId } } as never,
        requestId: "request-kept",
      },
    )(turn, start);
    return lines;
  }
  const turnsRecorded = async (): Promise<unknown[]> => {
    const ids: unknown[] = [];
    for await (const { type, data } of served.store.read(conversationStream(keep.conversationId)))
      if (type === "TurnRecorded") ids.push((data as { turnId: string }).turnId);
    return ids;
  };

  it("retries after an unexpected error and logs when it gives up", async () => {
    expect(await record(3, keep.turnId)).to.deep.equal([]);
    expect(await turnsRecorded()).to.deep.equal([keep.turnId]);
    expect(await record(4, "turn-kept-0002")).to.deep.equal(["a kept turn is lost"]);
    expect(await turnsRecorded()).to.deep.equal([keep.turnId]);
  });
});

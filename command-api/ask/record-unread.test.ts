import { createLog } from "@colloquy/infra/telemetry/log.ts";
import { turnBegun } from "@colloquy/schemas/ask/turn-so-far.ts";
import { conversationStream } from "@colloquy/schemas/events/conversation.ts";
import { expect } from "chai";
import { askFixture, question } from "./ask.fixture.ts";
import { recordUnread } from "./record-unread.ts";

describe("a turn that nobody came back to", () => {
  const served = askFixture();
  const keep = { conversationId: "conversation-unread-1", turnId: "turn-unread-0001", at: "2026-11-20T12:00:00.000Z" };
  const start = {
    at: keep.at,
    started: { mode: "ask" as const, model: { choice: "automatic" as const }, references: [], title: question },
  };
  const turn = { ...turnBegun, text: "An eigenvector keeps its direction.", provider: "p1" as const, model: "big" };

  /** Fails so often with an error that nobody foresaw; gives what was logged. */
  async function record(failures: number, turnId: string): Promise<string[]> {
    const lines: string[] = [];
    const log = createLog("test", { LOG_LEVEL: "info" }, { write: (line: string) => void lines.push(JSON.parse(line).msg) });
    let left = failures;
    const handlers: Pick<typeof served.handlers, "push"> = {
      async push(...given) {
        left -= 1;
        if (left >= 0) throw new TypeError("nobody foresaw this");
        return served.handlers.push(...given);
      },
    };
    const asked = { schemaVersion: 1 as const, requestId: turnId, conversationId: null, message: question, history: [], references: [] };
    await recordUnread(
      { handlers, log, pausesMs: [1, 1, 1] },
      {
        accountId: "acc_mira_0001",
        asked: { ...asked, model: { choice: "automatic" }, keep: { ...keep, turnId } } as never,
        requestId: "request-unread",
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

  it("is recorded once an error that nobody foresaw has passed, and given up with a line in the log when it does not", async () => {
    expect(await record(3, keep.turnId)).to.deep.equal([]);
    expect(await turnsRecorded()).to.deep.equal([keep.turnId]);
    expect(await record(4, "turn-unread-0002")).to.deep.equal(["an unread turn is lost"]);
    expect(await turnsRecorded()).to.deep.equal([keep.turnId]);
  });
});

import { setTimeout as pause } from "node:timers/promises";
import type { AskFrame } from "@colloquy/schemas/ask/ask.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { versioned } from "@colloquy/schemas/payload.ts";
import { expect } from "chai";
import { conversationStarts, createRunningTurns, type RunningTurn, type TurnReader } from "./running-turns.ts";

const hello: AskFrame = versioned({ kind: "text_delta" as const, text: "hello" });
const failed: AskFrame = versioned({ kind: "error" as const, code: "unavailable" as const, title: "Over.", retryable: true });
const status: AskFrame = versioned({ kind: "status" as const, phase: "writing" as const, elapsedMs: 0 });

/** Writes hello, then nothing until it is stopped. */
async function* endless(signal: AbortSignal): AsyncGenerator<AskFrame> {
  yield status;
  yield hello;
  await new Promise((resolve) => signal.addEventListener("abort", resolve));
  yield failed;
}
async function* short(): AsyncGenerator<AskFrame> {
  yield status;
  yield hello;
}

async function all(reader: TurnReader): Promise<string[]> {
  const kinds: string[] = [];
  const open = new AbortController();
  for (let lines = await reader.nextLines(open.signal); lines; lines = await reader.nextLines(open.signal))
    kinds.push(...lines.map((line) => JSON.parse(line).kind));
  return kinds;
}

describe("running turns", () => {
  const recorded: string[] = [];
  const about = { accountId: "a", requestId: "r", record: async () => void recorded.push("r") };
  beforeEach(() => recorded.splice(0));
  const readOnce = (turn: RunningTurn | null): void => turn?.read(0).close();

  it("gives every reader a last frame, and no other, on release", async () => {
    const turn = createRunningTurns({ graceMs: 10_000 }).begin(about, endless);
    const [one, other] = [all(turn.read(0)), all(turn.read(0))];
    await pause(5);
    turn.release();
    expect(await one).to.deep.equal(["status", "text_delta", "error"]);
    expect(await other).to.deep.equal(["status", "text_delta", "error"]);
    expect(recorded).to.deep.equal([]);
  });

  it("repeats the last line to a reader who starts after it", async () => {
    const turn = createRunningTurns({ graceMs: 10_000 }).begin(about, short);
    await all(turn.read(0));
    for (const after of [2, 3, 900]) expect(await all(turn.read(after)), `after ${after}`).to.deep.equal(["text_delta"]);
    expect(await all(turn.read(1))).to.deep.equal(["text_delta"]);
  });

  it("records a turn on close although a connection seems open", async () => {
    const turns = createRunningTurns({ graceMs: 10_000 });
    turns.begin(about, endless).read(0);
    await pause(5);
    await turns.close();
    expect(recorded).to.deep.equal(["r"]);
  });

  it("waits on close for a recording in progress", async () => {
    const turns = createRunningTurns({ graceMs: 1 });
    const store = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const record = async () => {
      begun.resolve();
      await store.promise;
      recorded.push("r");
    };
    readOnce(turns.begin({ ...about, record }, short));
    await begun.promise;
    const closed = turns.close().then(() => recorded.push("closed"));
    await pause(5);
    store.resolve();
    await closed;
    expect(recorded).to.deep.equal(["r", "closed"]);
  });

  it("closes in bounded time if the store does not answer or refuses", async () => {
    for (const store of [() => new Promise<void>(() => undefined), async () => Promise.reject(new Error("the store is away"))]) {
      const turns = createRunningTurns({ graceMs: 1, recordingMs: 10 });
      const begun = Promise.withResolvers<void>();
      const record = (): Promise<void> => {
        begun.resolve();
        const recording = store();
        recording.catch(() => undefined);
        return recording;
      };
      readOnce(turns.begin({ ...about, record }, short));
      await begun.promise;
      await turns.close();
    }
  });

  it("drops a recorded turn after its retention, also when it was read again", async () => {
    const turns = createRunningTurns({ graceMs: 1, keptMs: 30 });
    readOnce(turns.begin(about, short));
    while (recorded.length === 0) await pause(1);
    readOnce(turns.find("a", "r"));
    while (turns.find("a", "r")) await pause(5);
    expect(recorded).to.deep.equal(["r"]);
  });

  it("repeats its last status for later readers", async () => {
    const turn = createRunningTurns({ graceMs: bounds.ask.graceMs }).begin(about, endless);
    expect(turn.repeatedStatus()).to.equal(null);
    const reader = turn.read(2);
    await pause(5);
    expect(JSON.parse(turn.repeatedStatus() ?? "null")).to.include({ kind: "status", phase: "writing", seq: 1 });
    turn.release();
    reader.close();
  });
});

describe("conversation starts", () => {
  const start = (title: string) => ({
    at: "2026-11-20T12:00:00.000Z",
    started: { mode: "ask" as const, model: { choice: "automatic" as const }, references: [], title },
  });
  it("are found by key, the newest one, until deleted", () => {
    const starts = conversationStarts();
    starts.set("mira/one", start("old"));
    starts.set("mira/one", start("new"));
    expect(starts.get("mira/one")).to.deep.equal(start("new"));
    expect(starts.get("tomas/one")).to.equal(undefined);
    starts.delete("mira/one");
    expect(starts.get("mira/one")).to.equal(undefined);
  });

  it("are evicted by size, the oldest first", () => {
    const size = JSON.stringify(start("x")).length;
    const starts = conversationStarts(2 * size);
    for (const id of ["one", "two", "three"]) starts.set(id, start("x"));
    expect(["one", "two", "three"].map((id) => starts.get(id) !== undefined)).to.deep.equal([false, true, true]);
  });
});

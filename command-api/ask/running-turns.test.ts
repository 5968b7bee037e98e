import { setTimeout as pause } from "node:timers/promises";
import type { AskFrame } from "@colloquy/schemas/ask/ask.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { versioned } from "@colloquy/schemas/payload.ts";
import { expect } from "chai";
import { conversationStarts } from "./conversation-starts.ts";
import { createRunningTurns, type RunningTurn, type TurnReader } from "./running-turns.ts";

const hello: AskFrame = versioned({ kind: "text_delta" as const, text: "hello" });
const failed: AskFrame = versioned({ kind: "error" as const, code: "unavailable" as const, title: "Over.", retryable: true });
const status: AskFrame = versioned({ kind: "status" as const, phase: "writing" as const, elapsedMs: 0 });

/** Says hello, then nothing until it is ended. */
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
  for (let lines = await reader.lines(open.signal); lines; lines = await reader.lines(open.signal))
    kinds.push(...lines.map((line) => JSON.parse(line).kind));
  return kinds;
}

describe("running turns", () => {
  const recorded: string[] = [];
  const about = { accountId: "a", requestId: "r", recordUnread: async () => void recorded.push("r") };
  beforeEach(() => recorded.splice(0));
  const lookAgain = (turn: RunningTurn | null): void => turn?.read(0).close();

  it("gives every reader a last frame when the learner lets go, and nobody any other", async () => {
    const turn = createRunningTurns({ graceMs: 10_000 }).begin(about, endless);
    const [one, other] = [all(turn.read(0)), all(turn.read(0))];
    await pause(5);
    turn.letGo();
    expect(await one).to.deep.equal(["status", "text_delta", "error"]);
    expect(await other).to.deep.equal(["status", "text_delta", "error"]);
    expect(recorded).to.deep.equal([]);
  });

  it("says the last line again to whoever reads behind it", async () => {
    const turn = createRunningTurns({ graceMs: 10_000 }).begin(about, short);
    await all(turn.read(0));
    for (const after of [2, 3, 900]) expect(await all(turn.read(after)), `after ${after}`).to.deep.equal(["text_delta"]);
    expect(await all(turn.read(1))).to.deep.equal(["text_delta"]);
  });

  it("records a turn as it closes, though a connection seems to be open", async () => {
    const turns = createRunningTurns({ graceMs: 10_000 });
    turns.begin(about, endless).read(0);
    await pause(5);
    await turns.close();
    expect(recorded).to.deep.equal(["r"]);
  });

  it("waits, as it closes, for a record that is under way", async () => {
    const turns = createRunningTurns({ graceMs: 1 });
    const store = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const recordUnread = async () => {
      begun.resolve();
      await store.promise;
      recorded.push("r");
    };
    lookAgain(turns.begin({ ...about, recordUnread }, short));
    await begun.promise;
    const closed = turns.close().then(() => recorded.push("closed"));
    await pause(5);
    store.resolve();
    await closed;
    expect(recorded).to.deep.equal(["r", "closed"]);
  });

  it("ends in bounded time while the store does not answer, or refuses", async () => {
    for (const recordUnread of [() => new Promise<void>(() => undefined), async () => Promise.reject(new Error("the store is away"))]) {
      const turns = createRunningTurns({ graceMs: 1, recordingMs: 10 });
      const begun = Promise.withResolvers<void>();
      const record = (): Promise<void> => {
        begun.resolve();
        const recording = recordUnread();
        recording.catch(() => undefined);
        return recording;
      };
      lookAgain(turns.begin({ ...about, recordUnread: record }, short));
      await begun.promise;
      await turns.close();
    }
  });

  it("drops a recorded turn after its time, also when it was read once more", async () => {
    const turns = createRunningTurns({ graceMs: 1, keptMs: 30 });
    lookAgain(turns.begin(about, short));
    while (recorded.length === 0) await pause(1);
    lookAgain(turns.find("a", "r"));
    while (turns.find("a", "r")) await pause(5);
    expect(recorded).to.deep.equal(["r"]);
  });

  it("knows its last status for whoever comes later", async () => {
    const turn = createRunningTurns({ graceMs: bounds.ask.graceMs }).begin(about, endless);
    expect(turn.statusAgain()).to.equal(null);
    const reader = turn.read(2);
    await pause(5);
    expect(JSON.parse(turn.statusAgain() ?? "null")).to.include({ kind: "status", phase: "writing", seq: 1 });
    turn.letGo();
    reader.close();
  });
});

describe("the beginnings of conversations", () => {
  const start = (title: string) => ({
    at: "2026-11-20T12:00:00.000Z",
    started: { mode: "ask" as const, model: { choice: "automatic" as const }, references: [], title },
  });
  it("are found by account and conversation, the newest of them, until they are forgotten", () => {
    const starts = conversationStarts();
    starts.note("mira", "one", start("old"));
    starts.note("mira", "one", start("new"));
    expect(starts.find("mira", "one")).to.deep.equal(start("new"));
    expect(starts.find("tomas", "one")).to.equal(undefined);
    starts.forget("mira", "one");
    expect(starts.find("mira", "one")).to.equal(undefined);
  });

  it("go when they are too much to hold, the oldest first", () => {
    const size = JSON.stringify(start("x")).length;
    const starts = conversationStarts(2 * size);
    for (const id of ["one", "two", "three"]) starts.note("mira", id, start("x"));
    expect(["one", "two", "three"].map((id) => starts.find("mira", id) !== undefined)).to.deep.equal([false, true, true]);
  });
});

import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type EventStore, eventIdFrom, openEventStore } from "@colloquy/infra/event-store/client.ts";
import { runningEventStore } from "@colloquy/infra/event-store/embedded/running.ts";
import { type Benchmark, milliseconds, percentile, times } from "./benchmark.ts";
import type { LoadResult } from "./support/load.ts";
import { startWholeProgram } from "./support/whole-program.ts";

/** Together below what one account may push in a minute. */
const warmup = 40;
const samples = 240;
/** The load: commands each second, for so many seconds after a warm-up. */
const load = { perSecond: 200, seconds: 20 };
const answer = "A pipe connects the output of one program with the input of the next. ".repeat(15);
const loadGenerator = fileURLToPath(new URL("support/load.ts", import.meta.url));

interface Times {
  acknowledged: number[];
  read: number[];
  live: number[];
}

/**
 * One turn of a new conversation from its push to its visibility, through the whole program as `npm start` runs it; beside it
 * the same two events appended to and read from the event store directly.
 */
export async function run(): Promise<Benchmark> {
  const folder = mkdtempSync(join(tmpdir(), "colloquy-command-to-read-"));
  const secret = randomBytes(32).toString("hex");
  const program = await startWholeProgram(folder, { SESSION_SECRET: secret });
  try {
    const { address } = program;
    const through = await throughTheProgram(address);
    const store = openEventStore(runningEventStore(folder)?.url ?? "");
    const direct = await directly(store);
    const loaded = await underLoad(address, secret);
    const directLoaded = await directlyUnderLoad(store);
    await store.close();
    const rows = (what: string, pick: (of: Times) => number[]) =>
      [
        ["median", 0.5],
        ["99th percentile", 0.99],
      ].map(([name, share]) => {
        const [value, baseline] = [percentile(pick(through), Number(share)), percentile(pick(direct), Number(share))];
        return { what: `${what}, ${name}`, value: milliseconds(value), baseline: milliseconds(baseline), ratio: times(value / baseline) };
      });
    return {
      title: `Command to visible read (${samples} turns of ${answer.length.toLocaleString("en")} letters, one after another)`,
      baseline:
        "the same events appended to the event store, read back as a stream, and received by a subscriber, by the typed client alone",
      rows: [
        ...rows("push acknowledged", (of) => of.acknowledged),
        ...rows("push, then the whole record by `?after=`", (of) => of.read),
        ...rows("push to its frame on another device's live stream", (of) => of.live),
        ...loadRows("push acknowledged", loaded.acknowledged, directLoaded.acknowledged),
        ...loadRows("push, then the whole record by `?after=`", loaded.read, directLoaded.read),
        {
          what: "under that load: commands that failed, and the latest the generator was",
          value: `${loaded.failed}, ${milliseconds(loaded.late)}`,
        },
      ],
    };
  } finally {
    await program.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function loadRows(what: string, through: readonly number[], direct: readonly number[]): Benchmark["rows"] {
  return [
    { name: "median", share: 0.5 },
    { name: "99th percentile", share: 0.99 },
  ].map(({ name, share }) => {
    const [value, baseline] = [percentile(through, share), percentile(direct, share)];
    return {
      what: `${load.perSecond} commands/s, open loop: ${what}, ${name}`,
      value: milliseconds(value),
      baseline: milliseconds(baseline),
      ratio: times(value / baseline),
    };
  });
}

/** The load generator in its own process, against the whole program. @throws when it fails as a whole. */
async function underLoad(address: string, secret: string): Promise<LoadResult> {
  const generator = spawn(process.execPath, [loadGenerator, address, String(load.perSecond), String(load.seconds)], {
    env: { ...process.env, SESSION_SECRET: secret },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const said = await text(generator.stdout);
  return JSON.parse(said) as LoadResult;
}

/** The same number of appends and reads each second by the typed client, timed from when each was due. */
async function directlyUnderLoad(store: EventStore): Promise<{ acknowledged: number[]; read: number[] }> {
  const taken = { acknowledged: [] as number[], read: [] as number[] };
  const under: Promise<void>[] = [];
  const began = performance.now();
  const one = async (index: number, due: number): Promise<void> => {
    const stream = `direct-load-${index}`;
    const metadata = { accountId: "acc_benchmark", requestId: "request-1", correlationId: "request-1" };
    const [event] = eventsOf(index).slice(-1);
    if (!event) return;
    await store.append(stream, [{ id: eventIdFrom(stream), type: event.change, data: event.data, metadata }], "none");
    taken.acknowledged.push(performance.now() - due);
    if ((await Array.fromAsync(store.read(stream))).length !== 1) throw new Error("the event is not there");
    taken.read.push(performance.now() - due);
  };
  for (let index = 0; index < load.perSecond * load.seconds; index += 1) {
    const due = began + (index * 1_000) / load.perSecond;
    const wait = due - performance.now();
    if (wait > 1) await pause(wait);
    // A call that fails has taken its time, too.
    under.push(one(index, due).catch(() => void taken.read.push(performance.now() - due)));
  }
  await Promise.all(under);
  return taken;
}

async function throughTheProgram(address: string): Promise<Times> {
  const signedIn = await fetch(`${address}/auth/demo?as=learner`, { redirect: "manual" });
  const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
  const leaving = new AbortController();
  const arrivals = new Map<string, () => void>();
  const stream = await fetch(`${address}/api/sync/stream`, { headers: { cookie }, signal: leaving.signal });
  const listening = listen(stream, arrivals).catch(() => undefined);
  const taken: Times = { acknowledged: [], read: [], live: [] };
  for (let index = 0; index < warmup + samples; index += 1) {
    const entityId = `conversation-${index}`;
    const at = new Date().toISOString();
    const changes = eventsOf(index).map(({ change, data }) => ({
      changeId: `change-${change}-${index}`,
      domain: "conversation",
      entityId,
      type: change,
      at,
      data,
    }));
    const live = new Promise<number>((resolve) => arrivals.set(`change-turn_recorded-${index}`, () => resolve(performance.now())));
    const began = performance.now();
    const pushed = await fetch(`${address}/api/sync/push`, {
      method: "POST",
      headers: { cookie, "content-type": "application/json" },
      body: JSON.stringify({ schemaVersion: 1, deviceId: "device-one", changes }),
    });
    const { position } = (await pushed.json()) as { position: string };
    const acknowledged = performance.now() - began;
    const seen = await fetch(`${address}/api/conversations/${entityId}?after=${position}`, { headers: { cookie } });
    const { conversation } = (await seen.json()) as { conversation?: { turns: unknown[] } };
    const read = performance.now() - began;
    if (conversation?.turns.length !== 1) throw new Error(`the turn is not there: ${seen.status}`);
    keep(taken, index, { acknowledged, read, live: (await live) - began });
  }
  leaving.abort();
  await listening;
  return taken;
}

/** Tells of each change that arrives. */
async function listen(stream: Response, arrivals: Map<string, () => void>): Promise<void> {
  let rest = "";
  for await (const piece of (stream.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    const frames = (rest + piece).split("\n\n");
    rest = frames.pop() ?? "";
    for (const frame of frames) arrivals.get(/"changeId":"([^"]+)"/.exec(frame)?.[1] ?? "")?.();
  }
}

async function directly(store: EventStore): Promise<Times> {
  const leaving = new AbortController();
  const arrivals = new Map<string, () => void>();
  const listening = (async () => {
    for await (const event of store.subscribe({ from: "end", prefixes: ["direct-"], signal: leaving.signal })) arrivals.get(event.id)?.();
  })();
  await pause(200);
  const taken: Times = { acknowledged: [], read: [], live: [] };
  for (let index = 0; index < warmup + samples; index += 1) {
    const stream = `direct-${index}`;
    const metadata = { accountId: "acc_benchmark", requestId: "request-1", correlationId: "request-1" };
    const events = eventsOf(index).map(({ change, data }) => ({ id: eventIdFrom(stream, change), type: change, data, metadata }));
    const live = new Promise<number>((resolve) => arrivals.set(events.at(-1)?.id ?? "", () => resolve(performance.now())));
    const began = performance.now();
    await store.append(stream, events, "none");
    const acknowledged = performance.now() - began;
    if ((await Array.fromAsync(store.read(stream))).length !== 2) throw new Error("the events are not there");
    keep(taken, index, { acknowledged, read: performance.now() - began, live: (await live) - began });
  }
  leaving.abort();
  await listening;
  return taken;
}

function keep(taken: Times, index: number, sample: Record<keyof Times, number>): void {
  if (index < warmup) return;
  for (const name of ["acknowledged", "read", "live"] as const) taken[name].push(sample[name]);
}

function eventsOf(index: number) {
  const turn = {
    question: "What does a pipe do?",
    answer,
    citations: [],
    outcome: "finished",
    provider: "p1",
    model: "some-model",
    fallbackDepth: 0,
  };
  return [
    { change: "started", data: { mode: "ask", model: { choice: "automatic" }, references: [], title: `Conversation ${index}` } },
    { change: "turn_recorded", data: { turnId: `turn-of-it-${index}`, ...turn } },
  ];
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type EventStore, openEventStore } from "@colloquy/infra/event-store/client.ts";
import { type SpawnedEventStore, spawnEventStore } from "@colloquy/infra/event-store/embedded/spawn-server.ts";
import { percentile } from "../benchmark.ts";
import { anyConversation, eventsPerConversation } from "../support/conversations.ts";
import { startWholeProgram } from "../support/whole-program.ts";

const home = fileURLToPath(new URL("../..", import.meta.url));
const starts = 3;
const samples = { append: 400, writers: 64, each: 20, live: 200, read: 300, commands: 150 };
const warmup = 50;
const text = "A turn of a conversation, about as long as a learner's question. ".repeat(3);

/** What is measured at one size. Milliseconds, events a second, bytes. */
export interface Measured {
  start: number;
  append: number;
  appends: number;
  live: number;
  stream: number;
  catchUp: number;
  rebuild: number;
  command: number;
  storeMemory: number;
  rebuildMemory: number;
  verifyMemory: number;
}

/** Everything of a data folder that holds `events` events in conversations, and whose read models may be behind. */
export async function measure(folder: string, events: number): Promise<Measured> {
  const startTimes: number[] = [];
  for (let index = 0; index < starts; index += 1) {
    const began = performance.now();
    const server = await spawnEventStore(folder);
    startTimes.push(performance.now() - began);
    await server.stop();
  }
  const command = await commandToRead(folder);
  const server = await spawnEventStore(folder);
  const store = openEventStore(server.url);
  try {
    const catchUp = await catchUpRate(store, events);
    const append = await sequentially(store, `growth-${crypto.randomUUID()}`, samples.append);
    const many = `growth-${crypto.randomUUID()}`;
    const began = performance.now();
    await Promise.all(Array.from({ length: samples.writers }, (_, writer) => sequentially(store, `${many}-${writer}`, samples.each)));
    const appends = (samples.writers * samples.each * 1_000) / (performance.now() - began);
    const live = await appendToLive(store);
    const stream = await oneStream(store, events / eventsPerConversation);
    const storeMemory = peakMemory(server.process.pid);
    const idle = await tool(folder, server, "status");
    const rebuilt = await tool(folder, server, "rebuild", "all");
    const verified = await tool(folder, server, "verify");
    return {
      start: percentile(startTimes, 0.5),
      append: percentile(append.slice(warmup), 0.5),
      appends,
      live,
      stream,
      catchUp,
      // Without the time that any call of the tool takes, as far as the two can be told apart.
      rebuild: (events * 1_000) / Math.max(rebuilt.ms / 10, rebuilt.ms - idle.ms),
      command,
      storeMemory,
      rebuildMemory: rebuilt.memory,
      verifyMemory: verified.memory,
    };
  } finally {
    await store.close();
    await server.stop();
  }
}

const event = (number: number) => ({
  id: crypto.randomUUID(),
  type: "GrowthMeasured",
  data: { schemaVersion: 1, number, text },
  metadata: { accountId: "acc_benchmark", requestId: `request-${number}`, correlationId: "benchmark" },
});

async function sequentially(store: EventStore, stream: string, count: number): Promise<number[]> {
  const taken: number[] = [];
  for (let number = 0; number < count; number += 1) {
    const began = performance.now();
    await store.append(stream, [event(number)], number === 0 ? "none" : number - 1);
    taken.push(performance.now() - began);
  }
  return taken;
}

async function appendToLive(store: EventStore): Promise<number> {
  const stop = new AbortController();
  const arrivals = new Map<string, () => void>();
  const caughtUp = Promise.withResolvers<void>();
  const following = (async () => {
    const subscription = store.subscribe({ from: "end", prefixes: ["live-"], signal: stop.signal, onCaughtUp: caughtUp.resolve });
    for await (const { id } of subscription) arrivals.get(id)?.();
  })();
  await caughtUp.promise;
  const stream = `live-${crypto.randomUUID()}`;
  const taken: number[] = [];
  for (let number = 0; number < samples.live; number += 1) {
    const one = event(number);
    const arrived = new Promise<void>((resolve) => arrivals.set(one.id, resolve));
    const began = performance.now();
    await Promise.all([store.append(stream, [one], number === 0 ? "none" : number - 1), arrived]);
    taken.push(performance.now() - began);
  }
  stop.abort();
  await following;
  return percentile(taken.slice(warmup), 0.5);
}

async function oneStream(store: EventStore, conversations: number): Promise<number> {
  const taken: number[] = [];
  for (let number = 0; number < samples.read; number += 1) {
    const began = performance.now();
    const events = await Array.fromAsync(store.read(anyConversation(conversations)));
    if (events.length !== eventsPerConversation) throw new Error("the stream is not whole");
    taken.push(performance.now() - began);
  }
  return percentile(taken.slice(warmup), 0.5);
}

async function catchUpRate(store: EventStore, events: number): Promise<number> {
  const stop = new AbortController();
  let count = 0;
  const began = performance.now();
  for await (const _ of store.subscribe({ from: null, prefixes: ["conversation-benchmark-"], signal: stop.signal })) {
    count += 1;
    if (count === events) stop.abort();
  }
  return (events * 1_000) / (performance.now() - began);
}

/** From a push through the front door to the record that holds it, one after another; the median. */
async function commandToRead(folder: string): Promise<number> {
  const program = await startWholeProgram(folder);
  try {
    await program.caughtUp();
    const signedIn = await fetch(`${program.address}/auth/demo?as=learner`, { redirect: "manual" });
    const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
    const run = crypto.randomUUID().slice(0, 8);
    const taken: number[] = [];
    for (let index = 0; index < samples.commands; index += 1) {
      const entityId = `growth-${run}-${index}`;
      const data = { mode: "ask", model: { choice: "automatic" }, references: [], title: text.slice(0, 100) };
      const change = {
        changeId: `change-${entityId}`,
        domain: "conversation",
        entityId,
        type: "started",
        at: new Date().toISOString(),
        data,
      };
      const began = performance.now();
      const pushed = await fetch(`${program.address}/api/sync/push`, {
        method: "POST",
        headers: { cookie, "content-type": "application/json" },
        body: JSON.stringify({ schemaVersion: 1, deviceId: "device-growth", changes: [change] }),
      });
      const { position } = (await pushed.json()) as { position: string };
      const read = await fetch(`${program.address}/api/conversations/${entityId}?after=${position}`, { headers: { cookie } });
      await read.arrayBuffer();
      if (!read.ok) throw new Error(`the record is not there: ${read.status}`);
      taken.push(performance.now() - began);
    }
    return percentile(taken.slice(warmup), 0.5);
  } finally {
    await program.stop();
  }
}

/** Runs `npm run projections -- …` over the folder: how long it takes and how much memory it had at its largest. */
async function tool(folder: string, server: SpawnedEventStore, ...words: string[]): Promise<{ ms: number; memory: number }> {
  const began = performance.now();
  const child = spawn(process.execPath, [join(home, "projections/cli.ts"), ...words], {
    cwd: home,
    env: { ...process.env, DATA_DIR: folder, EVENTSTORE_URL: server.url, DATABASE_URL: "", LOG_LEVEL: "error" },
    stdio: "ignore",
  });
  const exited = once(child, "exit") as Promise<[number | null]>;
  let memory = 0;
  let running = true;
  const ended = exited.finally(() => (running = false));
  while (running) {
    memory = Math.max(memory, peakMemory(child.pid));
    await Promise.race([ended, pause(50)]);
  }
  const [code] = await exited;
  if (code !== 0) throw new Error(`projections ${words.join(" ")} ended with ${code}`);
  return { ms: performance.now() - began, memory };
}

/** The most memory a process has had in RAM, in bytes, as Linux tells it; 0 when it cannot be asked. */
function peakMemory(pid: number | undefined): number {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1_024;
  } catch {
    return 0;
  }
}

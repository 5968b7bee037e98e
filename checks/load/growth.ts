import { randomBytes, randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { changeHandlers } from "@colloquy/command-api/sync/handlers.ts";
import { openEventStore } from "@colloquy/infra/event-store/client.ts";
import { spawnEventStore } from "@colloquy/infra/event-store/embedded/spawn-server.fixture.ts";
import type { Change } from "@colloquy/schemas/sync/changes.ts";
import { percentile } from "../../benchmarks/benchmark.ts";
import { addConversations, eventsPerConversation } from "../../benchmarks/support/conversations.ts";
import { change, type Learner, learners, opening, turn } from "../../journeys/learner.ts";
import { type MachineUse, observedEnvironment, watchProcesses } from "../harness/process-usage.ts";
import { megabytes, ms, table } from "./tables.ts";
import { sizeOf, sizeOfReadModels } from "./target.ts";
import { startWholeProgram, type WholeProgram } from "./whole-program.ts";

const samples = { warmup: 10, counted: 60, cold: 20 };
/** Of ten conversations one is the heavy account's; the other nine are an account's each time. */
const share = 10;
/** Changes an account's own stream has where one more is timed, and how many are sent at once to get there. */
const streams = { sizes: [100, 1_000, 10_000], perPush: 100 };

type Times = { p50: number; p95: number };

interface Grown {
  events: number;
  built: number;
  start: number;
  sizes: { events: number; readModels: number };
  use: MachineUse;
  times: Map<string, { heavy: Times; light: Times }>;
}

/**
 * The same questions and commands over more and more events, conversations and accounts in one data folder: for an account with nine
 * conversations and for one with a tenth of all; start-up, building of the read models, disk and memory. Then the cost of a change by the
 * length of its stream.
 */
export async function growth(sizes: readonly number[], tell: (line: string) => void): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "colloquy-load-growth-"));
  try {
    const grown: Grown[] = [];
    let filled = 0;
    for (const events of sizes) {
      const [from, to] = [filled, events].map((count) => Math.floor(count / eventsPerConversation)) as [number, number];
      addConversations(join(folder, "event-store"), from, to, accountOf);
      filled = events;
      grown.push(await measure(folder, events));
      tell(`${events.toLocaleString("en")} events: measured`);
    }
    return section(grown, await longStreams(tell));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const name = (index: number): string => `acc_learner${String(index).padStart(4, "0")}`;
const accountOf = (conversation: number): string => name(conversation % share === 0 ? 0 : 1 + Math.floor(conversation / share));

async function measure(folder: string, events: number): Promise<Grown> {
  for (const file of readdirSync(folder)) if (file.startsWith("read-models.db")) rmSync(join(folder, file));
  const { program: first, ms: fromNothing } = await started(folder, {});
  await first.stop();
  const inside = join(folder, "inside");
  rmSync(inside, { recursive: true, force: true });
  mkdirSync(inside);
  const secret = randomBytes(32).toString("hex");
  const { program, ms: start } = await started(folder, { ...observedEnvironment(inside, true), SESSION_SECRET: secret });
  try {
    const look = await watchProcesses(inside);
    const [heavy, light] = await learners(program.address, secret, 2);
    if (!heavy || !light) throw new Error("nobody is there");
    const [ofHeavy, ofLight] = [await ask(heavy, "benchmark-0"), await ask(light, "benchmark-1")];
    return {
      events,
      built: fromNothing,
      start,
      use: await look(),
      sizes: { events: sizeOf(join(folder, "event-store")), readModels: sizeOfReadModels(folder) },
      times: new Map([...ofHeavy].map(([what, times]) => [what, { heavy: times, light: ofLight.get(what) ?? times }])),
    };
  } finally {
    await program.stop();
  }
}

/** The program, and the milliseconds until its read models held every event. */
async function started(folder: string, environment: Record<string, string>): Promise<{ program: WholeProgram; ms: number }> {
  const began = performance.now();
  const program = await startWholeProgram(folder, environment);
  await program.caughtUp();
  return { program, ms: performance.now() - began };
}

/** What an account asks and does, one after another. */
async function ask(learner: Learner, conversation: string): Promise<Map<string, Times>> {
  const read = async (path: string): Promise<unknown> => {
    const { status, body } = await learner.get(path);
    if (status !== 200) throw new Error(`${path} was answered with ${status}`);
    return body;
  };
  let cursor = "0";
  for (let more = true; more; ) ({ cursor, more } = (await read(`/api/sync/pull?after=${cursor}`)) as { cursor: string; more: boolean });
  const begin = async (): Promise<void> => {
    const id = randomUUID();
    const { position } = await learner.push([change(randomUUID(), id, "started", opening("Grown"))]);
    await read(`/api/conversations/${id}?after=${position}`);
  };
  const add = (): Promise<unknown> =>
    learner.push([change(randomUUID(), conversation, "turn_recorded", turn(randomUUID(), "Why?", "Because. ".repeat(40)))]);
  const things: [what: string, act: () => Promise<unknown>][] = [
    ["history, first page", () => read("/api/conversations")],
    ["history, searched for a word that all have", () => read("/api/conversations?q=pipe")],
    ["history, searched for a word that none has", () => read("/api/conversations?q=zeppelin")],
    ["one conversation", () => read(`/api/conversations/${conversation}`)],
    ["feed of changes, first page", () => read("/api/sync/pull?after=0")],
    ["feed of changes, nothing new", () => read(`/api/sync/pull?after=${cursor}`)],
    ["tutoring sessions", () => read("/api/tutor/sessions")],
    ["cards to review", () => read("/api/review")],
    ["a conversation begun, until it can be read", begin],
    ["a turn recorded", add],
  ];
  const found = new Map<string, Times>();
  for (const [what, act] of things) found.set(what, await timed(act, samples.counted, samples.warmup));
  return found;
}

async function timed(act: () => Promise<unknown>, counted: number, warmup = 0): Promise<Times> {
  const taken: number[] = [];
  for (let index = 0; index < warmup + counted; index += 1) {
    const began = performance.now();
    await act();
    if (index >= warmup) taken.push(performance.now() - began);
  }
  return { p50: percentile(taken, 0.5), p95: percentile(taken, 0.95) };
}

interface Long {
  changes: number;
  warm: Times;
  cold: Times;
}

/**
 * What one more change costs by what its stream has, with the stream's state in memory and without: the command API's own handlers on an
 * event store of their own process.
 */
async function longStreams(tell: (line: string) => void): Promise<Long[]> {
  const folder = mkdtempSync(join(tmpdir(), "colloquy-load-streams-"));
  const server = await spawnEventStore(folder);
  const store = openEventStore(server.url);
  const context = { accountId: name(0), deviceId: "device-growth", requestId: "request-growth" };
  const one = (index: number): Change => ({
    changeId: randomUUID(),
    domain: "progress",
    entityId: `topic-growth-${index % 50}`,
    type: "read_to",
    at: new Date().toISOString(),
    data: { courseId: "linear-maps", place: (index % 100) / 100 },
  });
  const many = Array.from({ length: streams.perPush }, (_, index) => index);
  const found: Long[] = [];
  try {
    const kept = changeHandlers({ store });
    let has = 0;
    for (const changes of streams.sizes) {
      for (; has < changes; has += many.length) await kept.push(context, many.map(one));
      const warm = await timed(() => kept.push(context, [one(1)]), samples.counted, samples.warmup);
      const cold = await timed(() => changeHandlers({ store }).push(context, [one(1)]), samples.cold, 2);
      found.push({ changes, warm, cold });
      tell(`a stream of ${changes.toLocaleString("en")} changes: measured`);
    }
  } finally {
    await store.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  return found;
}

const both = ({ p50, p95 }: Times): string => `${ms(p50)} / ${ms(p95)}`;

function section(grown: readonly Grown[], long: readonly Long[]): string {
  const head = ["", ...grown.map(({ events }) => `${events.toLocaleString("en")} events`)];
  const row = (what: string, value: (of: Grown) => string): string[] => [what, ...grown.map(value)];
  const questions = [...(grown[0]?.times.keys() ?? [])];
  const parts = [...new Set(grown.flatMap(({ use }) => use.processes.map(({ part }) => part)))];
  const conversations = (of: Grown): number => Math.floor(of.events / eventsPerConversation);
  return [
    "The whole program answers, one request after another.",
    table(head, [
      row("conversations", (of) => conversations(of).toLocaleString("en")),
      row("accounts", (of) => Math.ceil(conversations(of) / share + 1).toLocaleString("en")),
      row("conversations of the heavy account", (of) => Math.ceil(conversations(of) / share).toLocaleString("en")),
      row("first start: all read models built, s", (of) => (of.built / 1_000).toFixed(1)),
      row("later start, until all is read, s", (of) => (of.start / 1_000).toFixed(1)),
      row("events on the disk, MB", (of) => megabytes(of.sizes.events)),
      row("read models on the disk, MB", (of) => megabytes(of.sizes.readModels)),
      row("events: bytes each", (of) => (of.sizes.events / of.events).toFixed(0)),
      row("read models: bytes for each event", (of) => (of.sizes.readModels / of.events).toFixed(0)),
    ]),
    "Milliseconds, p50 / p95, of an account with nine conversations:",
    table(
      head,
      questions.map((what) => row(what, (of) => both(of.times.get(what)?.light ?? { p50: 0, p95: 0 }))),
    ),
    "And of the heavy account:",
    table(
      head,
      questions.map((what) => row(what, (of) => both(of.times.get(what)?.heavy ?? { p50: 0, p95: 0 }))),
    ),
    "Memory afterwards, MB alive / in RAM:",
    table(
      head,
      parts.map((part) =>
        row(part, ({ use }) => {
          const found = use.processes.find((one) => one.part === part);
          return found ? `${megabytes(found.heap + found.outsideHeap)} / ${megabytes(found.resident)}` : "";
        }),
      ),
    ),
    "One more change of an account's own stream (preferences, progress, reviews), by how many it has, ms, p50 / p95: with the stream's state in the command API's memory, and without, when all of it is read again:",
    table(
      ["changes", "in memory", "not in memory"],
      long.map(({ changes, warm, cold }) => [changes.toLocaleString("en"), both(warm), both(cold)]),
    ),
  ].join("\n\n");
}

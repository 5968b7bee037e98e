import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "@colloquy/infra/database/open.ts";
import { enginesToTest } from "@colloquy/infra/database/temporary.ts";
import { type EventStore, eventIdFrom, type NewEvent, openEventStore } from "@colloquy/infra/event-store/client.ts";
import { spawnEventStore } from "@colloquy/infra/event-store/embedded/spawn-server.ts";
import { migrate } from "@colloquy/projections/checkpoints/migrate.ts";
import type { CheckpointTables } from "@colloquy/projections/checkpoints/queries.ts";
import type { Projection } from "@colloquy/projections/projection.ts";
import { projections } from "@colloquy/projections/projections.ts";
import { rebuild } from "@colloquy/projections/rebuild/rebuild.ts";
import type { Benchmark } from "./benchmark.ts";

/** `EVENTS=1000000 npm run bench -- rebuild` measures how it grows. */
const total = Number(process.env.EVENTS ?? 100_000);
const conversationsAtOnce = 40;
const answer = "A pipe connects the output of one program with the input of the next one. ".repeat(3);

/** Rebuilds of the read models from a store in a process of its own; beside them the same events only read, by the same client. */
export async function run(): Promise<Benchmark> {
  const folder = mkdtempSync(join(tmpdir(), "colloquy-rebuild-"));
  const server = await spawnEventStore(folder);
  const store = openEventStore(server.url);
  try {
    const bytes = await fillStore(store);
    await read(store);
    const reading = await read(store);
    const rows: Benchmark["rows"] = [];
    const row = (what: string, rate: number): void =>
      void rows.push({ what, value: text(rate), baseline: text(reading), ratio: (rate / reading).toFixed(2) });
    for (const engine of (await enginesToTest()).filter(({ absent }) => absent === null)) {
      for (const names of [["conversations"], ["sync"], ["conversations", "sync", "courses"]]) {
        const place = await engine.create();
        const database = openDatabase<CheckpointTables>(place.config);
        await migrate(database, projections);
        const chosen = projections.filter(({ name }) => names.includes(name));
        row(`${engine.name}: ${names.length > 1 ? "all in one pass" : names[0]}`, await timed(() => once(database, store, chosen)));
        await database.destroy();
        await place.drop();
      }
    }
    return {
      title: `Rebuild of the read models (${total.toLocaleString("en")} events of about ${Math.round(bytes / total)} bytes, ${Math.round(total / perConversation).toLocaleString("en")} conversations)`,
      baseline: "the same events received from the same store by the same client, and dropped",
      rows,
    };
  } finally {
    await store.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Database = Parameters<typeof rebuild>[0]["database"];

async function once(database: Database, store: EventStore, chosen: readonly Projection[]): Promise<void> {
  await rebuild({ projections: chosen, database, store, signal: new AbortController().signal });
}

/** Events each second. */
async function timed(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return (total * 1_000) / (performance.now() - began);
}

const text = (rate: number): string => `${Math.round(rate).toLocaleString("en")} events/s`;

async function read(store: EventStore): Promise<number> {
  return timed(async () => {
    const stop = new AbortController();
    let count = 0;
    for await (const _ of store.subscribe({ from: null, prefixes: ["conversation-"], signal: stop.signal })) {
      count += 1;
      if (count === total) stop.abort();
    }
  });
}

/** One conversation: its start, six turns, a new title, a pin and a reference. */
const perConversation = 10;

/** Conversations that go on beside each other, as they would. Returns the bytes of their data. */
async function fillStore(store: EventStore): Promise<number> {
  let bytes = 0;
  for (let first = 0; first < total / perConversation; first += conversationsAtOnce) {
    for (const part of [0, 1]) {
      await Promise.all(
        Array.from({ length: conversationsAtOnce }, async (_, offset) => {
          const events = eventsOf(first + offset).slice(part * 5, part * 5 + 5);
          bytes += events.reduce((sum, { data }) => sum + JSON.stringify(data).length, 0);
          await store.append(`conversation-benchmark-${first + offset}`, events, part === 0 ? "none" : 4);
        }),
      );
    }
  }
  return bytes;
}

function eventsOf(number: number): NewEvent[] {
  const turn = (index: number) => ({
    type: "TurnRecorded",
    data: {
      turnId: `turn-${number}-${index}`,
      question: "What does a pipe do?",
      answer,
      citations: [],
      outcome: "finished",
      provider: "p1",
      model: "m",
      fallbackDepth: 0,
    },
  });
  const opening = { mode: "ask", model: { choice: "automatic" }, references: [], title: `Conversation ${number}` };
  const events = [
    { type: "ConversationStarted", data: opening },
    ...[1, 2, 3].map(turn),
    { type: "ConversationRenamed", data: { title: `About pipes, ${number}` } },
    ...[4, 5, 6].map(turn),
    { type: "ConversationPinned", data: {} },
    { type: "ReferenceAttached", data: { href: "/courses/shell/pipes", title: "Pipes" } },
  ];
  return events.map(({ type, data }, index) => ({
    id: eventIdFrom("rebuild", String(number), String(index)),
    type,
    data: { schemaVersion: 1, ...data },
    metadata: { accountId: `acc_benchmark${number % 50}`, requestId: `change-${number}-${index}`, correlationId: "benchmark" },
  }));
}

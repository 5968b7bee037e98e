import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "@colloquy/infra/database/open.ts";
import { enginesToTest } from "@colloquy/infra/database/temporary.fixture.ts";
import { type EventStore, openEventStore } from "@colloquy/infra/event-store/client.ts";
import { spawnEventStore } from "@colloquy/infra/event-store/embedded/spawn-server.fixture.ts";
import type { CheckpointTables } from "@colloquy/projections/checkpoints/queries.ts";
import { migrate } from "@colloquy/projections/migrate.ts";
import type { Projection } from "@colloquy/projections/projection.ts";
import { projections } from "@colloquy/projections/projections.ts";
import { rebuild } from "@colloquy/projections/rebuild/rebuild.ts";
import { type Benchmark, sized } from "./benchmark.ts";
import { addConversations, eventsPerConversation } from "./support/conversations.ts";

const total = sized(100_000, 2_000);

/** Rebuilds of the read models from a store in a process of its own; beside them the same events only read, by the same client. */
export async function run(): Promise<Benchmark> {
  const folder = mkdtempSync(join(tmpdir(), "colloquy-rebuild-"));
  addConversations(join(folder, "event-store"), 0, total / eventsPerConversation);
  const server = await spawnEventStore(folder);
  const store = openEventStore(server.url);
  try {
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
      title: `Rebuild of the read models (${total.toLocaleString("en")} events of ${(total / eventsPerConversation).toLocaleString("en")} conversations)`,
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

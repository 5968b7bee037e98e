import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "@colloquy/infra/database/open.ts";
import type { Engine } from "@colloquy/infra/database/temporary.fixture.ts";
import { type EventStore, openEventStore } from "@colloquy/infra/event-store/client.ts";
import { startEventStore } from "@colloquy/infra/event-store/embedded/server.ts";
import { createLog } from "@colloquy/infra/telemetry/log.ts";
import type { Kysely } from "kysely";
import { waitForTables } from "./checkpoints/queries.ts";
import type { CheckpointTables } from "./checkpoints/tables.ts";
import type { ConversationTables } from "./conversations/tables.ts";
import type { ExplainerTables } from "./explainers/tables.ts";
import type { Projection } from "./projection.ts";
import { runAll } from "./run-all.ts";
import type { SyncTables } from "./sync/tables.ts";
import type { TutorTables } from "./tutor/tables.ts";

/** How long the tables may take on a busy machine; requests wait less. */
const tablesWithinMs = 60_000;

type Tables = CheckpointTables & ConversationTables & ExplainerTables & SyncTables & TutorTables;

export interface TemporaryReadModels {
  store: EventStore;
  /** For reading, as the query API opens it. */
  database: Kysely<Tables>;
  /** Stops and restarts the projections; nothing is applied in between. */
  stopProjections(): Promise<void>;
  startProjections(): void;
  /** Restarts the event store at the same address. */
  restartStore(): Promise<void>;
  close(): Promise<void>;
}

/** Shared by tests of readers: a real event store, a real database and running projections, in temporary folders. */
export async function temporaryReadModels(engine: Engine, projections: readonly Projection[]): Promise<TemporaryReadModels> {
  const folder = await mkdtemp(join(tmpdir(), "colloquy-read-models-"));
  let server = await startEventStore({ dataDir: folder, port: 0, insecure: true });
  const store = openEventStore(server.url);
  const place = await engine.create();
  const writer = openDatabase<Tables>(place.config);
  const database = openDatabase<Tables>(place.config, { readOnly: true });
  const log = createLog("test", { LOG_LEVEL: "silent" });
  let stopping = new AbortController();
  let running: { finished: Promise<void> } | undefined;
  const models: TemporaryReadModels = {
    store,
    database,
    async stopProjections() {
      stopping.abort();
      await running?.finished;
    },
    startProjections() {
      stopping = new AbortController();
      running = runAll({ projections, database: writer, store, log, signal: stopping.signal });
    },
    async restartStore() {
      const { port } = server;
      await server.close();
      server = await startEventStore({ dataDir: folder, port, insecure: true });
    },
    async close() {
      await models.stopProjections();
      await store.close();
      await server.close();
      await Promise.all([database.destroy(), writer.destroy()]);
      await place.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
  models.startProjections();
  const names = projections.map(({ name }) => name);
  if (!(await waitForTables(database, names, tablesWithinMs))) throw new Error("the projections made no tables");
  return models;
}

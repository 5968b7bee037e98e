import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EventStore, openEventStore } from "@colloquy/infra/event-store/client.ts";
import { startEventStore } from "@colloquy/infra/event-store/embedded/server.ts";
import { openObjectStore } from "@colloquy/infra/object-store/open.ts";
import type { ObjectStore } from "@colloquy/infra/object-store/store.ts";

export interface TemporaryStores {
  dataDir: string;
  eventStore: EventStore;
  objectStore: ObjectStore;
  close(): Promise<void>;
}

/** A real event store and a real folder of objects, for as long as a test takes. */
export async function temporaryStores(): Promise<TemporaryStores> {
  const dataDir = await mkdtemp(join(tmpdir(), "colloquy-publication-"));
  const server = await startEventStore({ dataDir, port: 0 });
  const eventStore = openEventStore(server.url);
  return {
    dataDir,
    eventStore,
    objectStore: openObjectStore({ DATA_DIR: dataDir }),
    async close() {
      await eventStore.close();
      await server.close();
      await rm(dataDir, { recursive: true });
    },
  };
}

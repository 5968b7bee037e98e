import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "@colloquy/infra/config.ts";
import { type EventStore, openEventStore } from "@colloquy/infra/event-store/client.ts";
import { startEventStore } from "@colloquy/infra/event-store/embedded/server.ts";
import { openObjectStore } from "@colloquy/infra/object-store/open.ts";
import { startS3Double } from "@colloquy/infra/object-store/s3-double.fixture.ts";
import type { ObjectStore } from "@colloquy/infra/object-store/store.ts";

export interface TemporaryStores {
  dataDir: string;
  eventStore: EventStore;
  objectStore: ObjectStore;
  close(): Promise<void>;
}

/** A real event store and a real folder of objects, or an S3 over HTTP, for as long as a test takes. */
export async function temporaryStores(objects: "folder" | "bucket" = "folder"): Promise<TemporaryStores> {
  const dataDir = await mkdtemp(join(tmpdir(), "colloquy-publication-"));
  const server = await startEventStore({ dataDir, port: 0, insecure: true });
  const eventStore = openEventStore(server.url);
  const double = objects === "bucket" ? await startS3Double() : null;
  return {
    dataDir,
    eventStore,
    objectStore: openObjectStore(readConfig({ ...double?.environment, DATA_DIR: dataDir })),
    async close() {
      await eventStore.close();
      await server.close();
      await double?.close();
      await rm(dataDir, { recursive: true });
    },
  };
}

import type { Config } from "../config.ts";
import { type EventStore, openEventStore } from "./client.ts";
import { runningEventStore } from "./embedded/running.ts";
import { startEventStore } from "./embedded/server.ts";

export interface ReachedEventStore {
  store: EventStore;
  /** Whether it ran already, so that the program may be running too. */
  running: boolean;
  close(): Promise<void>;
}

/**
 * For command-line tools: the event store that belongs to this data folder, be it the configured one, the running one, or one started
 * for as long as this takes.
 * @throws {AlreadyRunning} (`embedded/server.ts`) when one is just beginning or ending
 */
export async function reachEventStore(config: Pick<Config, "EVENTSTORE_URL" | "DATA_DIR">): Promise<ReachedEventStore> {
  const url = config.EVENTSTORE_URL ?? runningEventStore(config.DATA_DIR)?.url;
  if (url) {
    const store = openEventStore(url);
    return { store, running: true, close: () => store.close() };
  }
  const own = await startEventStore({ dataDir: config.DATA_DIR, port: 0 });
  const store = openEventStore(own.url);
  return {
    store,
    running: false,
    async close() {
      await store.close();
      await own.close();
    },
  };
}

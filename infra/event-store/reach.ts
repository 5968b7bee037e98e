import type { Config } from "../config.ts";
import { type EventStore, openEventStore } from "./client.ts";
import { runningEventStore } from "./embedded/running.ts";
import { programUrl } from "./embedded/security/address.ts";
import { startEventStore } from "./embedded/server.ts";

export interface ReachedEventStore {
  store: EventStore;
  /** Whether it ran already, so that the program may be running too. */
  running: boolean;
  /** Where people reach the program that runs over this data folder; null when none does. */
  publicUrl: string | null;
  close(): Promise<void>;
}

/**
 * For command-line tools: the event store that belongs to this data folder, be it the configured one, the running one, or one started
 * for as long as this takes.
 * @throws {AlreadyRunning} (`embedded/server.ts`) when one is just beginning or ending
 */
export async function reachEventStore(
  config: Pick<Config, "EVENTSTORE_URL" | "DATA_DIR" | "EVENTSTORE_EMBEDDED_TLS">,
): Promise<ReachedEventStore> {
  const running = config.EVENTSTORE_URL ? null : runningEventStore(config.DATA_DIR);
  const url = config.EVENTSTORE_URL ?? (running && programUrl(config.DATA_DIR, running));
  if (url) {
    const store = openEventStore(url);
    return { store, running: true, publicUrl: running?.publicUrl ?? null, close: () => store.close() };
  }
  const own = await startEventStore({ dataDir: config.DATA_DIR, port: 0, tls: config.EVENTSTORE_EMBEDDED_TLS === "on" });
  const store = openEventStore(own.url);
  return {
    store,
    running: false,
    publicUrl: null,
    async close() {
      await store.close();
      await own.close();
    },
  };
}

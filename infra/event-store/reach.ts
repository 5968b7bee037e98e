import type { Config } from "../config.ts";
import { type EventStore, openEventStore } from "./client.ts";
import { runningEventStore } from "./embedded/running.ts";
import { programUrl } from "./embedded/security/address.ts";
import { startEventStore } from "./embedded/server.ts";

export interface ReachedEventStore {
  store: EventStore;
  /** Its address, perhaps with a password. */
  url: string;
  /** Whether it was already running; then the program may be running too. */
  running: boolean;
  /** The public address of the program that uses this data folder; null if none runs. */
  publicUrl: string | null;
  close(): Promise<void>;
}

/**
 * For command-line tools: connects to the configured or running event store of this data folder, or starts one until `close`.
 * @throws {AlreadyRunning} (`embedded/server.ts`) when one is just starting or stopping
 */
export async function reachEventStore(
  config: Pick<Config, "EVENTSTORE_URL" | "DATA_DIR" | "EVENTSTORE_EMBEDDED_INSECURE">,
): Promise<ReachedEventStore> {
  const running = config.EVENTSTORE_URL ? null : runningEventStore(config.DATA_DIR);
  const url = config.EVENTSTORE_URL ?? (running && programUrl(config.DATA_DIR, running));
  if (url) {
    const store = openEventStore(url);
    return { store, url, running: true, publicUrl: running?.publicUrl ?? null, close: () => store.close() };
  }
  const own = await startEventStore({ dataDir: config.DATA_DIR, port: 0, insecure: config.EVENTSTORE_EMBEDDED_INSECURE === "on" });
  const store = openEventStore(own.url);
  return {
    store,
    url: own.url,
    running: false,
    publicUrl: null,
    async close() {
      await store.close();
      await own.close();
    },
  };
}

import { resolve } from "node:path";
import type { Config } from "../../../config.ts";
import { eventStoreFolder, type RunningEventStore } from "../running.ts";
import { authorityFile } from "./certificate.ts";
import { passwordOf } from "./users.ts";

/**
 * The address by which the program's own processes reach an embedded event store. With TLS it holds a password, so it is told to processes
 * by their environment only.
 */
export function programUrl(dataDir: string, { port, tls }: Pick<RunningEventStore, "port" | "tls">): string {
  if (!tls) return `esdb://127.0.0.1:${port}?tls=false`;
  const password = encodeURIComponent(passwordOf(dataDir, "admin"));
  const authority = encodeURIComponent(resolve(authorityFile(eventStoreFolder(dataDir))));
  // By name, because TLS knows no names that are numbers.
  return `esdb://admin:${password}@localhost:${port}?tls=true&tlsCAFile=${authority}`;
}

/** The address of the event store for a service: `EVENTSTORE_URL`, or the embedded one of its data folder, which it may create the password of. */
export const eventStoreUrl = (
  config: Pick<Config, "DATA_DIR" | "EVENTSTORE_URL" | "EVENTSTORE_PORT" | "EVENTSTORE_EMBEDDED_INSECURE">,
): string =>
  config.EVENTSTORE_URL ??
  programUrl(config.DATA_DIR, { port: config.EVENTSTORE_PORT, tls: config.EVENTSTORE_EMBEDDED_INSECURE === "off" });

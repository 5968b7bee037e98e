import { setTimeout as pause } from "node:timers/promises";
import { refuseToStart } from "../process/refuse-to-start.ts";
import type { Logger } from "../telemetry/log.ts";
import type { ProbedObjectStore } from "./open.ts";
import { ObjectStoreRefused, UnsafeObjectStore } from "./store.ts";

/** How long the start waits for a store that does not answer. */
const waitAtMostMs = 3_000;

/**
 * Probes the store before a process that writes to it serves. A store that ignores write conditions or refuses access ends the process
 * with a message; an unreachable one is probed before its first conditional write instead.
 */
export async function probeAtStart(store: ProbedObjectStore, log: Logger): Promise<void> {
  const probed = store.probe().catch((error: unknown) => {
    if (error instanceof UnsafeObjectStore)
      refuseToStart(
        `${error.message}.\nPeople who publish at the same time could overwrite each other's work. Use a store with conditional writes.`,
      );
    if (error instanceof ObjectStoreRefused) refuseToStart(`${error.message}.\nSee the S3 variables in docs/reports/configuration.md.`);
    log.warn({ err: error }, "the object store cannot be used; publishing fails until it answers");
  });
  await Promise.race([probed, pause(waitAtMostMs, undefined, { ref: false })]);
}

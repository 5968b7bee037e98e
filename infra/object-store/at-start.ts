import { setTimeout as pause } from "node:timers/promises";
import { refuseToStart } from "../process/refuse-to-start.ts";
import type { Logger } from "../telemetry/log.ts";
import type { ProbedObjectStore } from "./open.ts";
import { ObjectStoreRefused, UnsafeObjectStore } from "./store.ts";

/** A store that does not answer holds up the start no longer than this. */
const waitAtMostMs = 3_000;

/**
 * Puts the store to the test before a process that writes to it serves. A store that keeps no conditions, or that does not want us, ends
 * the process, in words; one that cannot be reached is put to the test before its first conditional write instead.
 */
export async function probeAtStart(store: ProbedObjectStore, log: Logger): Promise<void> {
  const probed = store.probe().catch((error: unknown) => {
    if (error instanceof UnsafeObjectStore)
      refuseToStart(
        `${error.message}.\nTwo people who publish at the same time could overwrite each other's work, so this store is not used.`,
      );
    if (error instanceof ObjectStoreRefused) refuseToStart(`${error.message}.\nSee the S3 variables in docs/reports/configuration.md.`);
    log.warn({ err: error }, "the object store cannot be used now; nothing can be published until it can");
  });
  await Promise.race([probed, pause(waitAtMostMs, undefined, { ref: false })]);
}

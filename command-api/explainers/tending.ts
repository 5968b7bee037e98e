import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import type { ExplainerWork } from "./worker.ts";

/** Looks after films until the signal: leases that ran out every few seconds, objects from time to time. */
export async function keepTending(options: {
  work: Pick<ExplainerWork, "tend">;
  sweep: () => Promise<number>;
  log: Logger;
  signal: AbortSignal;
}): Promise<void> {
  const { work, sweep, log, signal } = options;
  const { tendEveryMs, sweepEveryMs } = bounds.explainer;
  const every = async (ms: number, what: string, look: () => Promise<number>): Promise<void> => {
    while (!signal.aborted) {
      await look().catch((error: unknown) => {
        if (!signal.aborted) log.warn({ err: error }, `${what} was interrupted and is tried again`);
      });
      await pause(ms, undefined, { signal, ref: false }).catch(() => undefined);
    }
  };
  await Promise.all([
    every(tendEveryMs, "looking after leases of renders", work.tend),
    every(sweepEveryMs, "removing objects no film needs", sweep),
  ]);
}

import { monitorEventLoopDelay } from "node:perf_hooks";
import type { WorkerFigures } from "@colloquy/schemas/explainers/worker-figures.ts";
import { memoryOf } from "./memory.ts";

/** The period over which the event loop delay is measured. */
const stretchMs = 10_000;
const resolutionMs = 10;

/** How this process does, whenever it is asked. As Prometheus' client for Node measures it, so that it can stand beside the other services. */
export function processFigures(
  about: () => Pick<WorkerFigures, "worker" | "isolation" | "encoder">,
  now: () => number = () => performance.now(),
): () => WorkerFigures {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  delay.enable();
  let since = now();
  let last: number | null = null;
  return () => {
    const p99 = delay.percentile(99);
    if (now() - since >= stretchMs) {
      last = p99;
      since = now();
      delay.reset();
    }
    const { user, system } = process.cpuUsage();
    const { heapUsed, rss } = process.memoryUsage();
    return {
      ...about(),
      loopDelayMicroseconds: (last ?? p99) / 1_000,
      processorMilliseconds: (user + system) / 1_000,
      heapBytes: heapUsed,
      residentBytes: rss,
      withRendersBytes: Math.max(rss, memoryOf(process.pid)),
    };
  };
}

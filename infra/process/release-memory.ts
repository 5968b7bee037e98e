import { performance } from "node:perf_hooks";
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const checkEveryMs = 15_000;
/** Share of time in which the event loop works, up to which nobody waits for this process. */
const quietShare = 0.05;
/** Growth of the heap since the last collection from which another is worth its pause: a factor, and bytes. */
const growth = { factor: 1.25, bytes: 8 * 1_048_576 };

/**
 * Returns unused heap to the operating system while the process is quiet. V8 collects when it allocates, so that a process with nothing to
 * do would keep what its start needed, about twice what it uses. A collection stops the process for 30 to 200 ms.
 * @returns how to stop that
 */
export function releaseMemoryWhenQuiet({ everyMs = checkEveryMs, collect = collector() } = {}): () => void {
  let kept = 0;
  let before = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const isQuiet = performance.eventLoopUtilization(now, before).utilization < quietShare;
    before = now;
    if (!isQuiet || getHeapStatistics().total_heap_size < kept * growth.factor + growth.bytes) return;
    collect();
    kept = getHeapStatistics().total_heap_size;
  }, everyMs).unref();
  return () => clearInterval(timer);
}

type Collect = (options: { type: "major"; flavor: "last-resort" }) => void;

/** Collects what a full collection does, and drops compiled functions that have not run for a while and emptied caches. */
function collector(): () => void {
  const collect = (globalThis.gc as Collect | undefined) ?? exposedCollector();
  return () => collect({ type: "major", flavor: "last-resort" });
}

/** V8 rejects what the compile cache has after a change of its flags, so the launcher gives `--expose-gc` to its processes. */
function exposedCollector(): Collect {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc");
}

import { renameSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { isMainThread } from "node:worker_threads";

/**
 * Loaded before the own code of each process under load (`--import`): writes to `LOAD_INSIDE/<pid>.json` what cannot be seen from outside.
 * Asked by SIGUSR2, so that all processes tell of the same stretch of time. With `LOAD_COLLECT=on` garbage is collected first: what is
 * left in the heap is alive.
 */
export interface ProcessReport {
  part: string;
  /** Milliseconds the event loop was late since the last time. */
  delay: { p50: number; p99: number; max: number };
  /** Bytes. */
  heap: number;
  outsideHeap: number;
  /** How often it was asked. */
  number: number;
}

const folder = process.env.LOAD_INSIDE;
if (isMainThread && folder) {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  // The delay is measured over what a timer of this length adds to itself.
  const resolution = 10;
  const delay = monitorEventLoopDelay({ resolution });
  delay.enable();
  let number = 0;
  const late = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - resolution);
  process.on("SIGUSR2", () => {
    const told = { p50: late(delay.percentile(50)), p99: late(delay.percentile(99)), max: late(delay.max) };
    if (process.env.LOAD_COLLECT === "on") collect();
    delay.reset();
    number += 1;
    const { heapUsed: heap, external } = process.memoryUsage();
    const inside: ProcessReport = { part: partOf(process.argv[1] ?? ""), delay: told, heap, outsideHeap: external, number };
    const file = join(folder, `${process.pid}.json`);
    writeFileSync(`${file}.new`, JSON.stringify(inside));
    renameSync(`${file}.new`, file);
  });
  // Before the first question there is an answer, so that whoever asks knows who can.
  process.nextTick(() =>
    writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify({ part: partOf(process.argv[1] ?? ""), number })),
  );
}

/** The name of a process, by its file. */
function partOf(file: string): string {
  const names: readonly (readonly [end: string, name: string])[] = [
    ["infra/start.js", "front door"],
    ["event-store/embedded/main.ts", "event store"],
    ["command-api/main.ts", "command API"],
    ["query-api/main.ts", "query API"],
    ["projections/main.ts", "projections"],
    ["identity/embedded/main.ts", "identity provider"],
    ["demo/model/main.ts", "demonstration model"],
    ["load/generator.ts", "generator"],
  ];
  return names.find(([end]) => file.endsWith(end))?.[1] ?? basename(file);
}

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { ProcessReport } from "./process-report.ts";

/** The usage of one process over a window. */
export interface ProcessUse {
  part: string;
  /** Share of one processor, 0 to the number of them. */
  processor: number;
  /** Bytes in RAM at the end. */
  resident: number;
  /** Bytes a second given to the disk. */
  written: number;
  /** Of its event loop, in milliseconds; null when it did not say. */
  delay: ProcessReport["delay"] | null;
  /** Bytes of its heap, and outside it, at the end; alive ones alone where garbage was collected for it. */
  heap: number;
  outsideHeap: number;
}

export interface MachineUse {
  processes: ProcessUse[];
  /** Share of all processors that was busy, 0 to 1, and the share of that which was none of ours. */
  busy: number;
  others: number;
  /** Share of the time in which somebody waited for the disk with nothing else to do. */
  waiting: number;
}

/** What the kernel counts in a second of a process's processor time (`getconf CLK_TCK`; 100 on every Linux that Node runs on). */
const ticks = 100;
/** A process that is busy tells later; one that has ended never does. */
const tellWithinMs = 30_000;

interface Counted {
  at: number;
  machine: { busy: number; idle: number; waiting: number };
  processes: Map<number, { ticks: number; written: number }>;
}

/**
 * Measures every process that was started with `process-report.ts` and this folder. The returned function reports the time since the last
 * call. Processes started with LOAD_COLLECT collect garbage before they report.
 */
export async function watchProcesses(folder: string): Promise<() => Promise<MachineUse>> {
  let before = count(folder);
  await ask(folder);
  return async () => {
    const after = count(folder);
    const told = await ask(folder);
    const seconds = (after.at - before.at) / 1_000;
    const machineTicks = (pick: (of: Counted["machine"]) => number): number => pick(after.machine) - pick(before.machine);
    let ours = 0;
    const processes: ProcessUse[] = [];
    for (const [pid, now] of after.processes) {
      const then = before.processes.get(pid) ?? { ticks: 0, written: 0 };
      ours += now.ticks - then.ticks;
      const inside = told.get(pid);
      if (!inside) continue;
      processes.push({
        part: inside.part,
        processor: (now.ticks - then.ticks) / ticks / seconds,
        resident: residentOf(pid),
        written: (now.written - then.written) / seconds,
        delay: inside.delay ?? null,
        heap: inside.heap ?? 0,
        outsideHeap: inside.outsideHeap ?? 0,
      });
    }
    const all = machineTicks(({ busy, idle }) => busy + idle) || 1;
    const busy = machineTicks((of) => of.busy);
    before = count(folder);
    return {
      processes: processes.toSorted((a, b) => b.processor - a.processor),
      busy: busy / all,
      others: Math.max(0, busy - ours) / all,
      waiting: machineTicks((of) => of.waiting) / all,
    };
  };
}

function pidsIn(folder: string): number[] {
  const files = readdirSync(folder).filter((file) => file.endsWith(".json"));
  return files.map((file) => Number(file.slice(0, -5))).filter((pid) => existsSync(`/proc/${pid}/stat`));
}

function count(folder: string): Counted {
  const processes: Counted["processes"] = new Map();
  for (const pid of pidsIn(folder)) {
    try {
      const fields = (readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1) ?? "").split(" ");
      const written = Number(/^write_bytes: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, "utf8"))?.[1] ?? 0);
      processes.set(pid, { ticks: Number(fields[11]) + Number(fields[12]), written });
    } catch {
      // It has just ended.
    }
  }
  const [user = 0, nice = 0, system = 0, idle = 0, waiting = 0, ...rest] = (readFileSync("/proc/stat", "utf8").split("\n")[0] ?? "")
    .trim()
    .split(/\s+/)
    .slice(1)
    .map(Number);
  // Behind these: interrupts, soft ones, stolen; then guests, who are in `user` already.
  const [hard = 0, soft = 0, stolen = 0] = rest;
  return {
    at: performance.now(),
    machine: { busy: user + nice + system + hard + soft + stolen, idle: idle + waiting, waiting },
    processes,
  };
}

const residentOf = (pid: number): number => {
  try {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1_024;
  } catch {
    return 0;
  }
};

/** Has every process tell of itself; what each said last where one does not in time. */
async function ask(folder: string): Promise<Map<number, Partial<ProcessReport> & { part: string; number: number }>> {
  const read = (pid: number) =>
    JSON.parse(readFileSync(join(folder, `${pid}.json`), "utf8")) as Partial<ProcessReport> & { part: string; number: number };
  const asked = new Map<number, number>();
  for (const pid of pidsIn(folder)) {
    asked.set(pid, read(pid).number);
    process.kill(pid, "SIGUSR2");
  }
  const until = performance.now() + tellWithinMs;
  const waits = ([pid, number]: [number, number]): boolean => existsSync(`/proc/${pid}/stat`) && read(pid).number === number;
  while ([...asked].some(waits) && performance.now() < until) await pause(20);
  return new Map([...asked.keys()].map((pid) => [pid, read(pid)]));
}

/** The environment of processes that tell of themselves in a folder. */
export const observedEnvironment = (folder: string, collect: boolean): Record<string, string> => ({
  NODE_OPTIONS: `--import=${new URL("process-report.ts", import.meta.url).href}`,
  LOAD_INSIDE: folder,
  LOAD_COLLECT: collect ? "on" : "off",
});

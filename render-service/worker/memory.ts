import { readFileSync } from "node:fs";

/** Resident memory of a process and its children in bytes; 0 if the system does not tell. */
export function memoryOf(pid: number): number {
  try {
    const resident = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
    return Number(resident ?? 0) * 1_024 + children.reduce((sum, child) => sum + memoryOf(child), 0);
  } catch {
    return 0;
  }
}

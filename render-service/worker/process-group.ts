import type { ChildProcess } from "node:child_process";

/** Kills a command that was started `detached`, with every process of its group. */
export function killGroup({ pid }: ChildProcess): void {
  if (!pid) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

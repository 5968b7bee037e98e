import { readFileSync } from "node:fs";

const lookEveryMs = 250;

/**
 * Calls back when the npm that started this process has ended. npm sends SIGTERM to its shell only, which does not pass it on, and nothing
 * reports that npm was killed. Does nothing if npm did not start this process: then the parent may end.
 */
export function onNpmExit(onGone: () => void): void {
  if (!process.env.npm_lifecycle_event) return;
  const shell = process.ppid;
  const npm = parentOf(shell);
  const looking = setInterval(() => {
    if (process.ppid === shell && parentOf(shell) === npm) return;
    clearInterval(looking);
    onGone();
  }, lookEveryMs);
  looking.unref();
}

/** The parent of a process, where the system shows it in /proc; else null. */
function parentOf(pid: number): number | null {
  try {
    const [, ppid] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
    return Number(ppid);
  } catch {
    return null;
  }
}

import { readFileSync } from "node:fs";

const lookEveryMs = 250;

/**
 * Tells when the npm that runs this process is gone. npm passes SIGTERM on to the shell it has put between, which ends without telling us;
 * and nobody tells us when npm is killed. Does nothing when npm did not start us: then whoever did may leave.
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

import type { AccountStore } from "./account-store.ts";
import { hold, turnLock } from "./locks.ts";
import type { RunningRow } from "./rows.ts";

/** How often the text that arrived is kept while an answer is being written. */
const keepMs = 400;

/** Keeps a turn while it runs: now and then, and at once when the page is left. `end` lets go of it, unless it waits to be sent again. */
export function keepRunning(store: AccountStore, row: RunningRow): { soon(): void; end(waits?: RunningRow | null): Promise<void> } {
  const release = hold(turnLock(row.key));
  let timer: ReturnType<typeof setTimeout> | undefined;
  const now = () => {
    clearTimeout(timer);
    timer = undefined;
    return store.running.put({ ...row, savedAt: Date.now() });
  };
  const leaving = () => void now();
  addEventListener("pagehide", leaving);
  let writing = now();
  return {
    soon() {
      timer ??= setTimeout(() => {
        writing = now();
      }, keepMs);
    },
    async end(waits = null) {
      clearTimeout(timer);
      removeEventListener("pagehide", leaving);
      await writing;
      if (waits) await store.running.put({ ...waits, savedAt: Date.now() });
      else await store.running.delete(row.key);
      release();
    },
  };
}

import { maximumWaitingAppends } from "./limits.ts";
import type { Store, Write, WriteOutcome } from "./store.ts";

/** Commits all writes that arrive in one turn of the event loop in one transaction, then answers each. */
export interface GroupCommit {
  submit(write: Write, answer: (settled: WriteOutcome) => void): void;
  /** Whether so many writes wait that connections should be paused; `onDrained` calls back when they may resume. */
  full(): boolean;
  onDrained(callback: () => void): void;
  /** Commits what waits, now. */
  flush(): void;
}

export function groupCommit(store: Store): GroupCommit {
  let waiting: { write: Write; answer: (settled: WriteOutcome) => void }[] = [];
  let drained: (() => void)[] = [];
  let scheduled = false;

  function flush(): void {
    scheduled = false;
    const group = waiting;
    waiting = [];
    if (group.length) {
      const settled = store.writeAll(group.map(({ write }) => write));
      for (const [index, { answer }] of group.entries())
        answer(settled[index] ?? { kind: "failed", error: new Error("The write was not settled.") });
    }
    const callbacks = drained;
    drained = [];
    for (const callback of callbacks) callback();
  }

  return {
    flush,
    full: () => waiting.length >= maximumWaitingAppends,
    onDrained: (callback) => drained.push(callback),
    submit(write, answer) {
      waiting.push({ write, answer });
      if (scheduled) return;
      scheduled = true;
      setImmediate(flush);
    },
  };
}

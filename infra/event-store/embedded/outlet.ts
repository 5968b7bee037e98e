import type { ServerWritableStream } from "@grpc/grpc-js";
import { observed } from "../../telemetry/metrics.ts";
import { readTurn } from "./limits.ts";
import type { Store } from "./store.ts";

/** The way out to one reader. It writes no faster than the reader takes, and ends every waiting when the reader is gone. */
export interface Outlet {
  open(): boolean;
  /** Writes, then waits until there is room for more. False once the reader is gone. */
  write(bytes: Buffer): boolean | Promise<boolean>;
  /** Lets others have a turn of the event loop. */
  turn(): Promise<void>;
  /** A mark to give to `nextCommit`. */
  commits(): number;
  /** Waits for a commit later than the mark. */
  nextCommit(mark: number): Promise<void>;
  shut(): void;
}

/** What each open outlet has written and its reader's connection has not taken, in bytes. */
const untaken = new Set<() => number>();
observed("colloquy_event_store_untaken_bytes", "Bytes held for readers that have not taken them yet", [], () => [
  { labels: {}, value: [...untaken].reduce((sum, bytes) => sum + bytes(), 0) },
]);

export function openOutlet(
  call: { write(bytes: Buffer, taken: () => void): boolean } & Pick<ServerWritableStream<unknown, Buffer>, "on" | "cancelled">,
  store: Pick<Store, "onCommit">,
): Outlet {
  let open = !call.cancelled;
  let commits = 0;
  let wake: (() => void) | null = null;
  const woken = (): Promise<void> =>
    new Promise((resolve) => {
      wake = resolve;
    });
  const rouse = (): void => {
    const waiting = wake;
    wake = null;
    waiting?.();
  };
  let held = 0;
  const holding = (): number => held;
  untaken.add(holding);
  let drain: (() => void) | null = null;
  const drained = (): void => {
    const waiting = drain;
    drain = null;
    waiting?.();
  };
  const stopListening = store.onCommit(() => {
    commits += 1;
    rouse();
  });

  const outlet: Outlet = {
    open: () => open,
    write(bytes) {
      if (!open) return false;
      held += bytes.length;
      const taken = (): void => {
        held -= bytes.length;
        if (held === 0) drained();
      };
      // The call itself counts messages (16), however large they are.
      if (call.write(bytes, taken) && held < readTurn.bytes) return true;
      return new Promise((resolve) => {
        drain = () => resolve(open);
      });
    },
    turn: () => new Promise((resolve) => setImmediate(resolve)),
    commits: () => commits,
    async nextCommit(mark) {
      if (open && commits === mark) await woken();
    },
    shut() {
      open = false;
      stopListening();
      untaken.delete(holding);
      drained();
      rouse();
    },
  };
  // A call that was cancelled never drains.
  call.on("cancelled", outlet.shut);
  call.on("close", outlet.shut);
  return outlet;
}

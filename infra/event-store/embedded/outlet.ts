import type { ServerWritableStream } from "@grpc/grpc-js";
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

export function openOutlet(
  call: Pick<ServerWritableStream<unknown, Buffer>, "write" | "on" | "cancelled">,
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
  let drain: (() => void) | null = null;
  const stopListening = store.onCommit(() => {
    commits += 1;
    rouse();
  });

  const outlet: Outlet = {
    open: () => open,
    write(bytes) {
      if (!open) return false;
      if (call.write(bytes)) return true;
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
      drain?.();
      drain = null;
      rouse();
    },
  };
  call.on("drain", () => {
    const waiting = drain;
    drain = null;
    waiting?.();
  });
  // A call that was cancelled never drains.
  call.on("cancelled", outlet.shut);
  call.on("close", outlet.shut);
  return outlet;
}

import type { ServerWritableStream } from "@grpc/grpc-js";
import { gaugeOnScrape } from "../../telemetry/metrics.ts";
import { readBatch } from "./limits.ts";
import type { Store } from "./store.ts";

/** Writes to one reader with back-pressure; when the reader disconnects, every wait ends. */
export interface PacedStream {
  open(): boolean;
  /** Writes, then waits until there is room for more. False once the reader is gone. */
  write(bytes: Buffer): boolean | Promise<boolean>;
  /** Yields to the event loop. */
  yieldToEventLoop(): Promise<void>;
  /** The number of commits so far, for `nextCommit`. */
  commitCount(): number;
  /** Waits for a commit after this number. */
  nextCommit(mark: number): Promise<void>;
  close(): void;
}

/** For each open stream the bytes that its connection has not sent yet. */
const unsentBytes = new Set<() => number>();
gaugeOnScrape("colloquy_event_store_untaken_bytes", "Bytes held for readers that have not taken them yet", [], () => [
  { labels: {}, value: [...unsentBytes].reduce((sum, bytes) => sum + bytes(), 0) },
]);

export function openPacedStream(
  call: { write(bytes: Buffer, taken: () => void): boolean } & Pick<ServerWritableStream<unknown, Buffer>, "on" | "cancelled">,
  store: Pick<Store, "onCommit">,
): PacedStream {
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
  unsentBytes.add(holding);
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

  const output: PacedStream = {
    open: () => open,
    write(bytes) {
      if (!open) return false;
      held += bytes.length;
      const taken = (): void => {
        held -= bytes.length;
        if (held === 0) drained();
      };
      // The call's own high-water mark counts messages (16), whatever their size.
      if (call.write(bytes, taken) && held < readBatch.bytes) return true;
      return new Promise((resolve) => {
        drain = () => resolve(open);
      });
    },
    yieldToEventLoop: () => new Promise((resolve) => setImmediate(resolve)),
    commitCount: () => commits,
    async nextCommit(mark) {
      if (open && commits === mark) await woken();
    },
    close() {
      open = false;
      stopListening();
      unsentBytes.delete(holding);
      drained();
      rouse();
    },
  };
  // A cancelled call never drains.
  call.on("cancelled", output.close);
  call.on("close", output.close);
  return output;
}

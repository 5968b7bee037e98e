import { type Connection, giveUpAfterMs } from "./connection.ts";
import { StoreUnavailable } from "./errors.ts";
import type { StoredEvent } from "./events.ts";
import { subscribe } from "./subscribe.ts";

export interface NextOptions {
  /** A position to look behind (exclusive); null looks from the start. */
  from: string | null;
  /** Beginnings of the streams' names; none means every stream. */
  prefixes: readonly string[];
  /** Of those events, the ones that count; by default all. */
  wanted?: (event: StoredEvent) => boolean;
  signal: AbortSignal;
}

/**
 * The first event after a position, or null if there is none yet. The server filters, so events of other streams cost this process nothing.
 * @throws {StoreUnavailable} when nothing arrives for a few seconds; {StoreIsOlder}; the signal's reason when it aborts
 */
export async function nextEvent(connection: Connection, options: NextOptions): Promise<StoredEvent | null> {
  const { from, prefixes, wanted = () => true, signal } = options;
  const enough = new AbortController();
  let silent = false;
  const silence = setTimeout(() => {
    silent = true;
    enough.abort();
  }, giveUpAfterMs);
  try {
    const events = subscribe(connection, {
      from,
      prefixes: [...prefixes],
      signal: AbortSignal.any([signal, enough.signal]),
      onCaughtUp: () => enough.abort(),
      onCheckpoint: () => void silence.refresh(),
    });
    for await (const event of events) {
      if (wanted(event)) return event;
      silence.refresh();
    }
    signal.throwIfAborted();
    if (silent) throw new StoreUnavailable("The event store cannot be reached.");
    return null;
  } finally {
    clearTimeout(silence);
  }
}

/** Between one who brings items and one who works on them in batches. */
export interface Mailbox<Item> {
  /** Adds an item; resolves when there is room for the next. An urgent one does not wait for a batch to be full. */
  put(item: Item, urgent?: boolean): Promise<void> | undefined;
  /**
   * What is there, at most `limit`, as soon as there is anything, or, when `gatherMs` are given, once there are `limit` items, an urgent
   * one, or that time has passed since the first. Empty once the mailbox has ended. Throws what it ended with.
   */
  take(limit: number, gatherMs?: number): Promise<Item[]>;
  /** The item that waits longest. */
  peek(): Item | undefined;
  end(error?: unknown): void;
}

/** A mailbox that asks the bringer to wait while it holds `capacity` items or more. One bringer, one taker. */
export function createMailbox<Item>(capacity: number): Mailbox<Item> {
  let items: Item[] = [];
  let urgentItems = 0;
  let ended: { error?: unknown } | undefined;
  let arrived: (() => void) | undefined;
  let roomy: (() => void) | undefined;

  const arrival = (): Promise<void> => new Promise<void>((resolve) => (arrived = resolve));

  async function gather(limit: number, ms: number): Promise<void> {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      arrived?.();
    }, ms);
    // Woken by each arrival: a full batch at the latest when the bringer has to wait for room.
    while (!late && !ended && urgentItems === 0 && items.length < Math.min(limit, capacity)) await arrival();
    clearTimeout(timer);
  }

  return {
    put(item, urgent = false) {
      items.push(item);
      if (urgent) urgentItems += 1;
      arrived?.();
      return items.length < capacity ? undefined : new Promise((resolve) => (roomy = resolve));
    },
    async take(limit, gatherMs = 0) {
      if (items.length === 0 && !ended) await arrival();
      if (gatherMs > 0) await gather(limit, gatherMs);
      arrived = undefined;
      if (items.length === 0 && ended) {
        if (ended.error !== undefined) throw ended.error;
        return [];
      }
      const taken = items.slice(0, limit);
      items = items.slice(limit);
      if (items.length === 0) urgentItems = 0;
      if (items.length < capacity) roomy?.();
      return taken;
    },
    peek: () => items[0],
    end(error) {
      ended ??= { error };
      arrived?.();
    },
  };
}

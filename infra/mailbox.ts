/** A bounded queue between one producer and one consumer that works in batches, with back-pressure. */
export interface Mailbox<Item> {
  /** Adds an item; resolves when there is room for the next. An urgent item does not wait for a full batch. */
  put(item: Item, urgent?: boolean): Promise<void> | undefined;
  /**
   * Takes up to `limit` items as soon as there is one. With `gatherMs` it waits for `limit` items, an urgent one, or that time after the
   * first. Returns none once the mailbox has ended; throws the error it ended with.
   */
  take(limit: number, gatherMs?: number): Promise<Item[]>;
  /** The oldest item. */
  peek(): Item | undefined;
  end(error?: unknown): void;
}

/** A mailbox that makes its producer wait while it holds `capacity` items or more. */
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
    // Woken by each arrival: a full batch at the latest when the producer has to wait for room.
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

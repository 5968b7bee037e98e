/** Between one who brings items and one who works on them in batches. */
export interface Mailbox<Item> {
  /** Adds an item; resolves when there is room for the next. */
  put(item: Item): Promise<void> | undefined;
  /** Everything that is there, at most `limit`, as soon as there is anything; empty once the mailbox has ended. Throws what it ended with. */
  take(limit: number): Promise<Item[]>;
  /** The item that waits longest. */
  peek(): Item | undefined;
  end(error?: unknown): void;
}

/** A mailbox that asks the bringer to wait while it holds `capacity` items or more. One bringer, one taker. */
export function createMailbox<Item>(capacity: number): Mailbox<Item> {
  let items: Item[] = [];
  let ended: { error?: unknown } | undefined;
  let arrived: (() => void) | undefined;
  let roomy: (() => void) | undefined;
  return {
    put(item) {
      items.push(item);
      arrived?.();
      return items.length < capacity ? undefined : new Promise((resolve) => (roomy = resolve));
    },
    async take(limit) {
      if (items.length === 0 && !ended) await new Promise<void>((resolve) => (arrived = resolve));
      arrived = undefined;
      if (items.length === 0 && ended) {
        if (ended.error !== undefined) throw ended.error;
        return [];
      }
      const taken = items.slice(0, limit);
      items = items.slice(limit);
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

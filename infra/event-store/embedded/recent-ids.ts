/** Where a recent event id was written first. */
export interface WrittenAt {
  stream: number;
  revision: number;
}

/**
 * The ids of recent events, as EventStoreDB remembers them: each with the stream that wrote it first, bounded, and gone after a restart.
 * Retries at `any` are recognised by it.
 */
export interface RecentIds {
  find(id: Uint8Array): WrittenAt | null;
  add(id: Uint8Array, at: WrittenAt): void;
  /** Keeps what was added since the last call of this or of `undo`. */
  keep(): void;
  /** Forgets what was added since. */
  undo(): void;
}

export function recentIds(most = 100_000): RecentIds {
  const known = new Map<string, WrittenAt>();
  let added: string[] = [];
  const keyOf = (id: Uint8Array): string => Buffer.from(id.buffer, id.byteOffset, id.length).toString("latin1");
  return {
    find: (id) => known.get(keyOf(id)) ?? null,
    add(id, at) {
      const key = keyOf(id);
      if (known.has(key)) return;
      known.set(key, at);
      added.push(key);
      if (known.size <= most) return;
      const [oldest] = known.keys();
      if (oldest !== undefined) known.delete(oldest);
    },
    keep() {
      added = [];
    },
    undo() {
      for (const key of added) known.delete(key);
      added = [];
    },
  };
}

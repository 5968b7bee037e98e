import type { StrategyName } from "./settings.ts";

/** Which consumer gets the next message: EventStoreDB's three strategies. */

/** A consumer, as far as the choice goes. */
export interface Candidate {
  id: string;
  /** Whether it takes another message now. */
  free: boolean;
}

export interface Strategy {
  /** Null when nobody may take a message of this stream now. */
  choose<C extends Candidate>(stream: string, consumers: ReadonlyMap<string, C>): C | null;
  /** Consumers came or went; `busy` names the streams that have messages under way. */
  changed(consumers: ReadonlyMap<string, Candidate>, busy: Iterable<string>): void;
}

export const strategyOf = (name: StrategyName): Strategy => made[name]();

const made: Record<StrategyName, () => Strategy> = {
  /** Everything to the first, and on to the next while it is full. */
  DispatchToSingle: () => ({
    choose: (_stream, consumers) => consumers.values().find(({ free }) => free) ?? null,
    changed: () => {},
  }),
  /** To each in turn, past those that are full. */
  RoundRobin: () => {
    let latest = "";
    return {
      choose(_stream, consumers) {
        const all = [...consumers.values()];
        const behind = all.findIndex(({ id }) => id === latest) + 1;
        const chosen = [...all.slice(behind), ...all.slice(0, behind)].find(({ free }) => free) ?? null;
        if (chosen) latest = chosen.id;
        return chosen;
      },
      changed: () => {},
    };
  },
  Pinned: pinned,
};

/** EventStoreDB's number. */
const buckets = 1_024;

/**
 * Streams fall into buckets by their hash, and each bucket belongs to one consumer while that stays. A newcomer gets its share
 * of the buckets in which nothing is under way, so a stream is never with two consumers at once.
 */
function pinned(): Strategy {
  const owners: (string | null)[] = Array(buckets).fill(null);
  return {
    choose(stream, consumers) {
      const owner = consumers.get(owners[bucketOf(stream)] ?? "");
      return owner?.free ? owner : null;
    },
    changed(consumers, busy) {
      const kept = new Set<number>();
      for (const stream of busy) kept.add(bucketOf(stream));
      const owned = new Map([...consumers.keys()].map((id) => [id, 0]));
      for (const [bucket, owner] of owners.entries()) {
        const count = owned.get(owner ?? "");
        if (owner === null || count === undefined) owners[bucket] = null;
        else owned.set(owner, count + 1);
      }
      const share = Math.ceil(buckets / Math.max(1, consumers.size));
      for (const [bucket, owner] of owners.entries()) {
        const count = owned.get(owner ?? "") ?? 0;
        if (owner === null || count <= share || kept.has(bucket)) continue;
        owners[bucket] = null;
        owned.set(owner, count - 1);
      }
      for (const [bucket, owner] of owners.entries()) {
        if (owner !== null) continue;
        const [least] = [...owned].sort(([, one], [, other]) => one - other);
        if (!least) return;
        owners[bucket] = least[0];
        owned.set(least[0], least[1] + 1);
      }
    },
  };
}

/** FNV-1a. */
function bucketOf(stream: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(stream)) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0) % buckets;
}

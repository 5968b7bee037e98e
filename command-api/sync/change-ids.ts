import { withTimeout } from "@colloquy/infra/with-timeout.ts";
import type { Change } from "@colloquy/schemas/sync/changes.ts";
import { LRUCache } from "lru-cache";

/** Ids in memory, some 10 MB; older ones are in the feed. */
const rememberedIds = 50_000;
/** How long a command waits for the read model, in milliseconds. */
const lookUpWithinMs = 500;

/** Looks up the entities of an account's changes in the read model of the feed, by change id. */
export type FeedLookup = (accountId: string, changeIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;

export interface ChangeIds {
  /** The changes whose id was used for another entity. Remembers the entities of all others. */
  reused(accountId: string, changes: readonly Change[]): Promise<ReadonlySet<Change>>;
}

/**
 * Finds change ids that are reused for another entity (a conversation, an annotation, the progress of a page, …). Within a stream the
 * decider finds them; across streams the read model of the feed and, for recent changes, this cache. Commands continue without an answer of
 * the read model.
 */
export function changeIds(lookUp: FeedLookup, onLookupFailed: (error: unknown) => void): ChangeIds {
  const remembered = new LRUCache<string, string>({ max: rememberedIds });

  return {
    async reused(accountId, changes) {
      const keyOf = ({ changeId }: Change): string => `${accountId} ${changeId}`;
      const unknown = changes.filter((change) => !remembered.has(keyOf(change))).map(({ changeId }) => changeId);
      const stored =
        unknown.length === 0
          ? new Map<string, string>()
          : await withTimeout(lookUp(accountId, unknown), lookUpWithinMs).catch((error: unknown) => {
              onLookupFailed(error);
              return new Map<string, string>();
            });
      // Without an await from here on, so that concurrent pushes are ordered.
      return new Set(
        changes.filter((change) => {
          const key = keyOf(change);
          const entityId = remembered.get(key) ?? stored.get(change.changeId) ?? change.entityId;
          remembered.set(key, entityId);
          return entityId !== change.entityId;
        }),
      );
    },
  };
}

import { eventIdFrom } from "@colloquy/infra/event-store/client.ts";
import { withTimeout } from "@colloquy/infra/with-timeout.ts";
import type { Change } from "@colloquy/schemas/sync/changes.ts";
import { LRUCache } from "lru-cache";

/** Ids whose entity is remembered here; of older ones the feed knows. Some 10 MB. */
const rememberedIds = 50_000;
/** How long a command waits for the read model, in milliseconds. */
const lookUpWithinMs = 500;

/** To which entities the feed's read model knows some changes of an account to be made, by change id. */
export type FeedLookup = (accountId: string, changeIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;

export interface ChangeIds {
  /** The changes whose id was used for another entity. Every other id belongs to its change's entity from now on. */
  reused(accountId: string, changes: readonly Change[]): Promise<ReadonlySet<Change>>;
}

/**
 * Finds change ids that are used for a second entity (a conversation, an annotation, a page's progress, …). Within one stream the decider
 * sees that; across streams the feed's read model does, and this memory for what the read model does not hold yet. A read model that does
 * not answer stops no command.
 */
export function changeIds(lookUp: FeedLookup, onLookupFailed: (error: unknown) => void): ChangeIds {
  const remembered = new LRUCache<string, string>({ max: rememberedIds });

  return {
    async reused(accountId, changes) {
      const keyOf = ({ changeId }: Change): string => eventIdFrom(accountId, changeId);
      const unknown = changes.filter((change) => !remembered.has(keyOf(change))).map(({ changeId }) => changeId);
      const stored =
        unknown.length === 0
          ? new Map<string, string>()
          : await withTimeout(lookUp(accountId, unknown), lookUpWithinMs).catch((error: unknown) => {
              onLookupFailed(error);
              return new Map<string, string>();
            });
      // Nothing is awaited from here on, so that of two pushes at the same time one is the first.
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

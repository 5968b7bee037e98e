import { bounds } from "@colloquy/schemas/bounds.ts";
import type { ConversationChangeData } from "@colloquy/schemas/sync/changes.ts";

/** What a conversation begins with, as the device that began it told with its first turn, and when that was. */
export interface ConversationStart {
  at: string;
  started: ConversationChangeData["started"];
}

export interface ConversationStarts {
  note(accountId: string, conversationId: string, start: ConversationStart): void;
  find(accountId: string, conversationId: string): ConversationStart | undefined;
  forget(accountId: string, conversationId: string): void;
}

/**
 * The beginnings of conversations that this process was told of. A device that has not sent its first turn yet may be asking the second;
 * recorded with the same beginning, that one is no orphan, and the device's own beginning is a duplicate. The oldest go first.
 */
export function conversationStarts(most: number = bounds.ask.kept.startCharacters): ConversationStarts {
  const known = new Map<string, { start: ConversationStart; size: number }>();
  let held = 0;
  const keyOf = (accountId: string, conversationId: string): string => `${accountId}/${conversationId}`;
  const drop = (key: string): void => {
    held -= known.get(key)?.size ?? 0;
    known.delete(key);
  };
  return {
    note(accountId, conversationId, start) {
      const key = keyOf(accountId, conversationId);
      drop(key);
      const size = JSON.stringify(start).length;
      known.set(key, { start, size });
      held += size;
      for (const oldest of known.keys()) {
        if (held <= most) return;
        drop(oldest);
      }
    },
    find: (accountId, conversationId) => known.get(keyOf(accountId, conversationId))?.start,
    forget: (accountId, conversationId) => drop(keyOf(accountId, conversationId)),
  };
}

import type { StoredEvent } from "@colloquy/infra/event-store/client.ts";
import { conversationEventTypes, conversationStreamPrefix, readConversationEvent } from "@colloquy/schemas/events/conversation.ts";
import type { Projection } from "../projection.ts";
import { foldConversations } from "./fold.ts";
import { type ConversationTables, migrations, tables } from "./tables.ts";
import { readRows, writeChanges } from "./write.ts";

/** The history and the conversations in full. Deleting one leaves a row of ids, and no text anywhere. */
export const projection: Projection<ConversationTables> = {
  name: "conversations",
  tables,
  streams: [conversationStreamPrefix],
  events: Object.values(conversationEventTypes),
  migrations,
  async apply(tx, stored) {
    const events = stored.flatMap((one) => {
      const event = readConversationEvent(one);
      return event ? [{ stored: one, event }] : [];
    });
    await writeChanges(tx, foldConversations(await readRows(tx, streamsOf(stored)), events));
  },
};

const streamsOf = (events: readonly StoredEvent[]): string[] => [...new Set(events.map(({ stream }) => stream))];

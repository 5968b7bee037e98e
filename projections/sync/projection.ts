import { positionColumn } from "@colloquy/infra/database/positions.ts";
import {
  conversationEventTypes,
  conversationIdOf,
  conversationStreamPrefix,
  readConversationEvent,
} from "@colloquy/schemas/events/conversation.ts";
import type { Projection } from "../projection.ts";
import { migrations, type SyncTables, tables } from "./tables.ts";

const changeTypes = Object.fromEntries(Object.entries(conversationEventTypes).map(([change, event]) => [event, change]));

/**
 * What an account's devices receive, in server order. One projection for every personal domain, because one cursor stands for all of them.
 * Of a deleted conversation only the marker stays.
 */
export const projection: Projection<SyncTables> = {
  name: "sync",
  tables,
  streams: [conversationStreamPrefix],
  events: Object.values(conversationEventTypes),
  purging: ["ConversationDeleted"],
  migrations,
  async apply(tx, stored) {
    const event = readConversationEvent(stored);
    const type = changeTypes[stored.type];
    if (!event || !type) return;
    const { accountId, requestId, deviceId, at } = stored.metadata;
    if (!accountId || !requestId) throw new TypeError("the event names no account or no change");
    const entity = { domain: "conversation", entity_id: conversationIdOf(stored.stream) };
    if (event.type === "ConversationDeleted")
      await tx.deleteFrom("sync_feed").where("entity_id", "=", entity.entity_id).where("domain", "=", entity.domain).execute();
    const { schemaVersion: _, ...data } = event.data;
    await tx
      .insertInto("sync_feed")
      .values({
        account_id: accountId,
        position: positionColumn(stored.position),
        ...entity,
        change_id: requestId,
        device_id: deviceId ?? null,
        type,
        at: at ?? stored.created,
        data: JSON.stringify(data),
      })
      .onConflict((conflict) => conflict.columns(["account_id", "position"]).doNothing())
      .execute();
  },
};

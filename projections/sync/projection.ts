import { insertRows } from "@colloquy/infra/database/bulk.ts";
import { positionColumn } from "@colloquy/infra/database/positions.ts";
import type { StoredEvent } from "@colloquy/infra/event-store/client.ts";
import {
  conversationEventTypes,
  conversationIdOf,
  conversationStreamPrefix,
  readConversationEvent,
} from "@colloquy/schemas/events/conversation.ts";
import type { Projection } from "../projection.ts";
import { migrations, type SyncTables, tables } from "./tables.ts";

type Row = SyncTables["sync_feed"];

const domain = "conversation";
const changeTypes: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(conversationEventTypes).map(([change, event]) => [event, change]),
);

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
  async apply(tx, events) {
    const gone = new Set<string>();
    let rows: Row[] = [];
    for (const stored of events) {
      const row = rowOf(stored);
      if (!row) continue;
      if (row.type === "deleted") {
        gone.add(row.entity_id);
        rows = rows.filter(({ entity_id }) => entity_id !== row.entity_id);
      }
      rows.push(row);
    }
    if (gone.size > 0)
      await tx
        .deleteFrom("sync_feed")
        .where("entity_id", "in", [...gone])
        .where("domain", "=", domain)
        .execute();
    await insertRows(tx, rows, (row) =>
      tx
        .insertInto("sync_feed")
        .values(row)
        .onConflict((conflict) => conflict.columns(["account_id", "position"]).doNothing()),
    );
  },
};

function rowOf(stored: StoredEvent): Row | null {
  const event = readConversationEvent(stored);
  const type = changeTypes[stored.type];
  if (!event || !type) return null;
  const { accountId, requestId, deviceId, at } = stored.metadata;
  if (!accountId || !requestId) throw new TypeError("the event names no account or no change");
  const { schemaVersion: _, ...data } = event.data;
  return {
    account_id: accountId,
    position: positionColumn(stored.position),
    domain,
    entity_id: conversationIdOf(stored.stream),
    change_id: requestId,
    device_id: deviceId ?? null,
    type,
    at: at ?? stored.created,
    data: JSON.stringify(data),
  };
}

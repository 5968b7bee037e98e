import { insertRows } from "@colloquy/infra/database/bulk.ts";
import { positionColumn } from "@colloquy/infra/database/positions.ts";
import type { StoredEvent } from "@colloquy/infra/event-store/client.ts";
import { changeOfEvent, personalEventTypes, personalStreamPrefixes } from "@colloquy/schemas/events/personal.ts";
import { erasedChange } from "@colloquy/schemas/sync/entities.ts";
import type { Transaction } from "kysely";
import type { Projection } from "../projection.ts";
import { migrations, type SyncTables, tables } from "./tables.ts";

type Row = SyncTables["sync_feed"];

/** Domains of the learner's own stream, which an erasure deletes. */
const learnerDomains = ["preferences", "progress", "review"];

/**
 * The feed of each account, in server order. One projection for every personal domain, because they share one cursor. Of a deleted
 * conversation or annotation, and of an erased account, only the marker stays.
 */
export const projection: Projection<SyncTables> = {
  name: "sync",
  tables,
  streams: personalStreamPrefixes,
  events: personalEventTypes,
  migrations,
  async apply(tx, events) {
    const deleted = { conversation: new Set<string>(), annotation: new Set<string>() };
    const erased = new Set<string>();
    let rows: Row[] = [];
    for (const stored of events) {
      const row = rowOf(stored);
      if (row.type === "deleted") {
        deleted[row.domain === "annotation" ? "annotation" : "conversation"].add(row.entity_id);
        rows = rows.filter(({ entity_id, domain }) => entity_id !== row.entity_id || domain !== row.domain);
      }
      if (row.domain === "preferences" && row.type === erasedChange) {
        erased.add(row.account_id);
        rows = rows.filter(({ account_id, domain }) => account_id !== row.account_id || !learnerDomains.includes(domain));
      }
      rows.push(row);
    }
    // By domain, because another account may have the same id in another domain.
    for (const [domain, ids] of Object.entries(deleted))
      if (ids.size > 0)
        await tx
          .deleteFrom("sync_feed")
          .where("entity_id", "in", [...ids])
          .where("domain", "=", domain)
          .execute();
    if (erased.size > 0)
      await tx
        .deleteFrom("sync_feed")
        .where("account_id", "in", [...erased])
        .where("domain", "in", learnerDomains)
        .execute();
    await insertRows(tx, rows, insertRow);
  },
};

const insertRow = (row: Row, tx: Transaction<SyncTables>) =>
  tx
    .insertInto("sync_feed")
    .values(row)
    .onConflict((conflict) => conflict.columns(["account_id", "position"]).doNothing());

function rowOf(stored: StoredEvent): Row {
  const change = changeOfEvent(stored);
  const { accountId, requestId, deviceId, at } = stored.metadata;
  if (!accountId || !requestId) throw new TypeError("the event names no account or no change");
  return {
    account_id: accountId,
    position: positionColumn(stored.position),
    domain: change.domain,
    entity_id: change.entityId,
    change_id: requestId,
    device_id: deviceId ?? null,
    type: change.type,
    at: at ?? stored.created,
    data: JSON.stringify(change.data),
  };
}

import { positionColumn, positionOf } from "@colloquy/infra/database/positions.ts";
import type { Domain } from "@colloquy/schemas/sync/changes.ts";
import type { RemoteChange } from "@colloquy/schemas/sync/protocol.ts";
import type { Kysely } from "kysely";
import type { SyncTables } from "./tables.ts";

export type { SyncTables } from "./tables.ts";

/** A page ends at the row that passes this many bytes of data, so that no page grows without bound. */
const pageBytes = 2_000_000;
/** Rows read at a time while a page is filled. */
const chunk = 50;

export interface FeedPage {
  changes: RemoteChange[];
  /** Where to go on. */
  cursor: string;
  more: boolean;
}

/** One account's changes after a cursor (decimal position; "0": from the beginning), at most `limit`, in server order. */
export async function changesAfter(database: Kysely<SyncTables>, accountId: string, after: string, limit: number): Promise<FeedPage> {
  const changes: RemoteChange[] = [];
  let bytes = 0;
  let cursor = after;
  for (;;) {
    const wanted = Math.min(chunk, limit - changes.length);
    const rows = await database
      .selectFrom("sync_feed")
      .selectAll()
      .where("account_id", "=", accountId)
      .where("position", ">", positionColumn(cursor))
      .orderBy("position")
      .limit(wanted + 1)
      .execute();
    for (const row of rows.slice(0, wanted)) {
      cursor = positionOf(row.position) ?? "0";
      bytes += row.data.length;
      changes.push({
        cursor,
        changeId: row.change_id,
        deviceId: row.device_id,
        domain: row.domain as Domain,
        entityId: row.entity_id,
        type: row.type,
        at: row.at,
        data: JSON.parse(row.data) as RemoteChange["data"],
      });
      if (bytes >= pageBytes && row !== rows.at(-1)) return { changes, cursor, more: true };
    }
    const more = rows.length > wanted;
    if (!more || changes.length >= limit) return { changes, cursor, more };
  }
}

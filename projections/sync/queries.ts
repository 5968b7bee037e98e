import { positionColumn, positionOf } from "@colloquy/infra/database/positions.ts";
import { prepared } from "@colloquy/infra/database/prepared.ts";
import type { Domain } from "@colloquy/schemas/sync/changes.ts";
import type { RemoteChange } from "@colloquy/schemas/sync/protocol.ts";
import type { Kysely } from "kysely";
import type { CheckpointTables } from "../checkpoints/tables.ts";
import type { SyncTables } from "./tables.ts";

export type { SyncTables } from "./tables.ts";

/** A page ends at the row with which its data exceeds this many bytes. */
const pageBytes = 2_000_000;
/** Rows read at a time while a page is filled. */
const chunk = 50;

export interface FeedPage {
  changes: RemoteChange[];
  /** Cursor of the next page. */
  cursor: string;
  more: boolean;
}

/** The entity of each of an account's changes, by change id; unknown ids are left out. */
export async function entitiesOfChanges(
  database: Kysely<SyncTables>,
  accountId: string,
  changeIds: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await changesByIds(database, { accountId, changeIds });
  return new Map(rows.map(({ change_id, entity_id }) => [change_id, entity_id]));
}

const changesByIds = prepared(
  (database: Kysely<SyncTables>, { accountId, changeIds }: { accountId: string; changeIds: readonly string[] }) =>
    database
      .selectFrom("sync_feed")
      .select(["change_id", "entity_id"])
      .where("account_id", "=", accountId)
      .where("change_id", "in", changeIds),
);

/**
 * One account's changes after a cursor (decimal position; "0": from the beginning), at most `limit`, in server order, up to the
 * projection's checkpoint: with Kafka, one partition may write its rows before earlier rows of another, and a reader whose cursor had
 * passed those would never see them.
 */
export async function changesAfter(
  database: Kysely<SyncTables & CheckpointTables>,
  accountId: string,
  after: string,
  limit: number,
): Promise<FeedPage> {
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
      .where("position", "<=", ({ selectFrom }) => selectFrom("checkpoints").select("checkpoints.position").where("name", "=", "sync"))
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

/** An account's conversations and annotations that are not deleted, at most `limit`. */
export async function liveEntities(
  database: Kysely<SyncTables>,
  accountId: string,
  limit: number,
): Promise<{ domain: "conversation" | "annotation"; entityId: string }[]> {
  const rows = await database
    .selectFrom("sync_feed")
    .select(["domain", "entity_id"])
    .distinct()
    .where("account_id", "=", accountId)
    // Each begins with one of these changes, which its deletion removes from the feed.
    .where("type", "in", ["started", "marked", "drawn"])
    .limit(limit)
    .execute();
  return rows.map(({ domain, entity_id }) => ({ domain: domain === "annotation" ? "annotation" : "conversation", entityId: entity_id }));
}

/** Whether an account has annotated any page. */
export async function hasAnnotations(database: Kysely<SyncTables>, accountId: string): Promise<boolean> {
  const row = await database
    .selectFrom("sync_feed")
    .select("entity_id")
    .where("account_id", "=", accountId)
    .where("type", "in", ["marked", "drawn"])
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** An account's changes of one domain in server order, read page by page, so that an archive never holds all of them in memory. */
export async function* personalChanges(
  database: Kysely<SyncTables>,
  accountId: string,
  domain: Exclude<Domain, "conversation">,
): AsyncGenerator<Omit<RemoteChange, "deviceId">> {
  for (let after = ""; ; ) {
    const rows = await database
      .selectFrom("sync_feed")
      .selectAll()
      .where("account_id", "=", accountId)
      .where("domain", "=", domain)
      .where("position", ">", after)
      .orderBy("position")
      .limit(chunk)
      .execute();
    for (const { position, change_id, entity_id, type, at, data } of rows)
      yield {
        cursor: positionOf(position) ?? "0",
        changeId: change_id,
        domain,
        entityId: entity_id,
        type,
        at,
        data: JSON.parse(data) as RemoteChange["data"],
      };
    const last = rows.at(-1);
    if (!last || rows.length < chunk) return;
    after = last.position;
  }
}

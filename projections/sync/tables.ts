import type { CreateTableBuilder, SchemaModule } from "kysely";
import type { Migration } from "../projection.ts";

export interface SyncTables {
  sync_feed: {
    account_id: string;
    /** Padded commit position: the cursor. */
    position: string;
    domain: string;
    entity_id: string;
    change_id: string;
    device_id: string | null;
    type: string;
    at: string;
    /** JSON of the change's data. */
    data: string;
  };
}

export const tables = ["sync_feed"] as const satisfies (keyof SyncTables)[];

async function create(schema: SchemaModule): Promise<void> {
  let feed: CreateTableBuilder<"sync_feed", string> = schema.createTable("sync_feed").addColumn("device_id", "text");
  for (const name of ["account_id", "position", "domain", "entity_id", "change_id", "type", "at", "data"] as const)
    feed = feed.addColumn(name, "text", (column) => column.notNull());
  await feed.addPrimaryKeyConstraint("sync_feed_key", ["account_id", "position"]).execute();
  await schema.createIndex("sync_feed_entity").on("sync_feed").columns(["entity_id", "domain"]).execute();
}

async function indexChanges(schema: SchemaModule): Promise<void> {
  await schema.createIndex("sync_feed_change").on("sync_feed").columns(["account_id", "change_id"]).execute();
}

export const migrations: readonly Migration[] = [
  { name: "1-create", up: create },
  { name: "2-change-ids", up: indexChanges },
];

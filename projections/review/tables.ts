import type { SchemaModule } from "kysely";
import type { Migration } from "../projection.ts";

export interface ReviewTables {
  /** What learners have studied in each tutoring session. */
  review_sessions: {
    session_id: string;
    account_id: string;
    /** Revision of the last event applied. */
    version: number;
    /** Padded position of its first event, by which sessions are in order, and of the last event applied. */
    opened: string;
    position: string;
    /** JSON of a StudiedSession. It contains keys of unanswered questions, so it must not be sent as it is. */
    state: string;
  };
  /** Position of an account's last erasure. Earlier events are ignored, in whatever order the streams are read. */
  review_erasures: { account_id: string; position: string };
}

export const tables = ["review_sessions", "review_erasures"] as const satisfies (keyof ReviewTables)[];

async function create(schema: SchemaModule): Promise<void> {
  let sessions = schema.createTable("review_sessions").addColumn("session_id", "text", (column) => column.primaryKey());
  for (const name of ["account_id", "opened", "position", "state"] as const)
    sessions = sessions.addColumn(name, "text", (column) => column.notNull());
  await sessions.addColumn("version", "integer", (column) => column.notNull()).execute();
  await schema.createIndex("review_sessions_account").on("review_sessions").columns(["account_id", "opened"]).execute();
  await schema
    .createTable("review_erasures")
    .addColumn("account_id", "text", (column) => column.primaryKey())
    .addColumn("position", "text", (column) => column.notNull())
    .execute();
}

export const migrations: readonly Migration[] = [{ name: "1-create", up: create }];

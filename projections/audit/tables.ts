import type { SchemaModule } from "kysely";
import type { Migration } from "../projection.ts";

export interface AuditTables {
  /** Sessions with the fields that are searched. */
  audit_sessions: {
    session_id: string;
    account_id: string;
    course_id: string;
    course_title: string;
    /** The title in lower case, for the search. */
    course_words: string;
    course_revision_id: string;
    phase: string;
    started_at: string;
    updated_at: string;
    /** Number of entries in its ledger. */
    entries: number;
  };
  audit_objectives: {
    session_id: string;
    objective_id: string;
    /** From 0, in the session's order. */
    place: number;
    title: string;
    words: string;
    /** P(L) of the last entry, as text, because the engines write numbers differently. */
    probability: string;
  };
}

export const tables = ["audit_sessions", "audit_objectives"] as const satisfies (keyof AuditTables)[];

async function create(schema: SchemaModule): Promise<void> {
  let sessions = schema.createTable("audit_sessions").addColumn("session_id", "text", (column) => column.primaryKey());
  const texts = [
    "account_id",
    "course_id",
    "course_title",
    "course_words",
    "course_revision_id",
    "phase",
    "started_at",
    "updated_at",
  ] as const;
  for (const name of texts) sessions = sessions.addColumn(name, "text", (column) => column.notNull());
  await sessions.addColumn("entries", "integer", (column) => column.notNull()).execute();
  await schema.createIndex("audit_sessions_time").on("audit_sessions").columns(["updated_at", "session_id"]).execute();
  await schema.createIndex("audit_sessions_account").on("audit_sessions").columns(["account_id", "updated_at"]).execute();
  await schema.createIndex("audit_sessions_course").on("audit_sessions").columns(["course_id", "updated_at"]).execute();
  await schema
    .createTable("audit_objectives")
    .addColumn("session_id", "text", (column) => column.notNull())
    .addColumn("objective_id", "text", (column) => column.notNull())
    .addColumn("place", "integer", (column) => column.notNull())
    .addColumn("title", "text", (column) => column.notNull())
    .addColumn("words", "text", (column) => column.notNull())
    .addColumn("probability", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("audit_objectives_key", ["session_id", "objective_id"])
    .execute();
}

export const migrations: readonly Migration[] = [{ name: "1-create", up: create }];

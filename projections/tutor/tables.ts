import type { SchemaModule } from "kysely";
import type { Migration } from "../projection.ts";

export interface TutorTables {
  tutor_sessions: {
    session_id: string;
    account_id: string;
    conversation_id: string;
    course_id: string;
    phase: string;
    started_at: string;
    updated_at: string;
    /** Revision of the last event applied. */
    version: number;
    /** Padded position of the last event applied. */
    position: string;
    /** JSON of a TutorState. It contains answer keys, so it must not be sent as it is. */
    state: string;
  };
  /** The sources of sessions that are not completed. */
  tutor_sources: {
    session_id: string;
    source_id: string;
    course_id: string;
    account_id: string;
  };
  tutor_texts: {
    session_id: string;
    text_id: string;
    account_id: string;
    kind: string;
    text: string;
    salt: string;
  };
}

export const tables = ["tutor_sessions", "tutor_sources", "tutor_texts"] as const satisfies (keyof TutorTables)[];

async function create(schema: SchemaModule): Promise<void> {
  let sessions = schema.createTable("tutor_sessions").addColumn("session_id", "text", (column) => column.primaryKey());
  const texts = ["account_id", "conversation_id", "course_id", "phase", "started_at", "updated_at", "position", "state"] as const;
  for (const name of texts) sessions = sessions.addColumn(name, "text", (column) => column.notNull());
  await sessions.addColumn("version", "integer", (column) => column.notNull()).execute();
  await schema.createIndex("tutor_sessions_of_account").on("tutor_sessions").columns(["account_id", "updated_at"]).execute();
  await schema
    .createTable("tutor_texts")
    .addColumn("session_id", "text", (column) => column.notNull())
    .addColumn("text_id", "text", (column) => column.notNull())
    .addColumn("account_id", "text", (column) => column.notNull())
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("text", "text", (column) => column.notNull())
    .addColumn("salt", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("tutor_texts_key", ["session_id", "text_id"])
    .execute();
}

async function addSources(schema: SchemaModule): Promise<void> {
  await schema
    .createTable("tutor_sources")
    .addColumn("session_id", "text", (column) => column.notNull())
    .addColumn("source_id", "text", (column) => column.notNull())
    .addColumn("course_id", "text", (column) => column.notNull())
    .addColumn("account_id", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("tutor_sources_key", ["session_id", "source_id"])
    .execute();
  await schema.createIndex("tutor_sources_of_course").on("tutor_sources").columns(["course_id", "source_id"]).execute();
}

export const migrations: readonly Migration[] = [
  { name: "1-create", up: create },
  { name: "2-sources", up: addSources },
];

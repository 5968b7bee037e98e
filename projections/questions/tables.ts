import type { CreateTableBuilder, SchemaModule } from "kysely";
import type { Migration } from "../projection.ts";

export interface QuestionTables {
  /** Tutoring sessions, by whose learner and conversation answers are counted. */
  question_sessions: {
    session_id: string;
    account_id: string;
    conversation_id: string;
    course_id: string;
    /** Revision of the last event applied. */
    version: number;
    /** 1 once the learner's texts were deleted: the session then has no answers, and its account is not known. */
    forgotten: number;
  };
  /** Questions that a session asked. Never what a learner wrote. */
  question_items: {
    session_id: string;
    item_id: string;
    /** Empty for a question that a model wrote. */
    block_id: string;
    /** Of the version that was asked, or of what a model wrote. */
    digest: string;
    /** JSON of what a model wrote; empty for a question of the course's own. */
    generated: string;
    /** Padded position of the event; empty until then. */
    asked: string;
    answered: string;
    correct: number;
    /** The help that the answer had; empty without. */
    help: string;
    /** JSON list of the ids of the chosen choices. */
    choices: string;
  };
}

export const tables = ["question_sessions", "question_items"] as const satisfies (keyof QuestionTables)[];

async function create(schema: SchemaModule): Promise<void> {
  let sessions = schema.createTable("question_sessions").addColumn("session_id", "text", (column) => column.primaryKey());
  for (const name of ["account_id", "conversation_id", "course_id"] as const)
    sessions = sessions.addColumn(name, "text", (column) => column.notNull());
  for (const name of ["version", "forgotten"] as const) sessions = sessions.addColumn(name, "integer", (column) => column.notNull());
  await sessions.execute();
  await schema.createIndex("question_sessions_course").on("question_sessions").columns(["course_id"]).execute();
  let items: CreateTableBuilder<"question_items", string> = schema
    .createTable("question_items")
    .addColumn("correct", "integer", (column) => column.notNull());
  for (const name of ["session_id", "item_id", "block_id", "digest", "asked", "answered", "help", "choices"] as const)
    items = items.addColumn(name, "text", (column) => column.notNull());
  await items.addPrimaryKeyConstraint("question_items_key", ["session_id", "item_id"]).execute();
}

async function addGenerated(schema: SchemaModule): Promise<void> {
  await schema
    .alterTable("question_items")
    .addColumn("generated", "text", (column) => column.notNull().defaultTo(""))
    .execute();
}

export const migrations: readonly Migration[] = [
  { name: "1-create", up: create },
  { name: "2-generated", up: addGenerated },
];

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
  /** Conversations with quizzes that ask questions of courses. */
  question_quizzes: {
    conversation_id: string;
    account_id: string;
    /** Revision of the last event applied. */
    version: number;
    /** 1 once the conversation was deleted: it then has no questions, and its account is not known. */
    forgotten: number;
  };
  /** Questions of courses that quizzes asked. Never what a learner wrote. */
  question_quiz_items: {
    conversation_id: string;
    quiz_id: string;
    question_id: string;
    course_id: string;
    block_id: string;
    digest: string;
    /** JSON of the question with its key; empty once it was answered. */
    key: string;
    /** Padded position of the event. */
    asked: string;
    /** Of the first attempt that answered it; empty until then. */
    answered: string;
    correct: number;
    /** JSON list of the ids of the chosen choices. */
    choices: string;
  };
}

export const tables = [
  "question_sessions",
  "question_items",
  "question_quizzes",
  "question_quiz_items",
] as const satisfies (keyof QuestionTables)[];

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

async function addQuizzes(schema: SchemaModule): Promise<void> {
  await schema
    .createTable("question_quizzes")
    .addColumn("conversation_id", "text", (column) => column.primaryKey())
    .addColumn("account_id", "text", (column) => column.notNull())
    .addColumn("version", "integer", (column) => column.notNull())
    .addColumn("forgotten", "integer", (column) => column.notNull())
    .execute();
  let items: CreateTableBuilder<"question_quiz_items", string> = schema
    .createTable("question_quiz_items")
    .addColumn("correct", "integer", (column) => column.notNull());
  for (const name of ["conversation_id", "quiz_id", "question_id", "course_id", "block_id"] as const)
    items = items.addColumn(name, "text", (column) => column.notNull());
  for (const name of ["digest", "key", "asked", "answered", "choices"] as const)
    items = items.addColumn(name, "text", (column) => column.notNull());
  await items.addPrimaryKeyConstraint("question_quiz_items_key", ["conversation_id", "quiz_id", "question_id"]).execute();
  await schema.createIndex("question_quiz_items_course").on("question_quiz_items").columns(["course_id"]).execute();
}

export const migrations: readonly Migration[] = [
  { name: "1-create", up: create },
  { name: "2-generated", up: addGenerated },
  { name: "3-quizzes", up: addQuizzes },
];

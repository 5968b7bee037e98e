import type { SchemaModule } from "kysely";
import type { Migration } from "../projection.ts";

export interface ConversationTables {
  conversations: {
    conversation_id: string;
    account_id: string;
    /** Revision of the last event applied. */
    version: number;
    /** 1 for a deleted conversation, which has ids and no text. */
    deleted: number;
    title: string;
    title_search: string;
    mode: string;
    archived: number;
    pinned: number;
    /** JSON of a ModelSelection. */
    model: string;
    /** JSON list of AttachedReference. */
    attached: string;
    turns: number;
    created_at: string;
    updated_at: string;
    /** Padded position of the last event that moves the conversation to the top of the history. */
    updated_position: string;
    /** Padded position of the last event applied. */
    position: string;
  };
  conversation_turns: {
    conversation_id: string;
    /** Revision of its event, which orders the turns. */
    ordinal: number;
    turn_id: string;
    at: string;
    /** JSON of a RecordedTurn. */
    data: string;
    /** Question and answer, normalised for search. */
    search: string;
  };
  conversation_attempts: {
    conversation_id: string;
    ordinal: number;
    at: string;
    /** JSON of the `quiz_attempted` data. */
    data: string;
  };
}

export const tables = ["conversations", "conversation_turns", "conversation_attempts"] as const satisfies (keyof ConversationTables)[];

async function create(schema: SchemaModule): Promise<void> {
  let conversations = schema.createTable("conversations").addColumn("conversation_id", "text", (column) => column.primaryKey());
  for (const name of ["account_id", "title", "title_search", "mode", "model", "attached"] as const)
    conversations = conversations.addColumn(name, "text", (column) => column.notNull());
  for (const name of ["created_at", "updated_at", "updated_position", "position"] as const)
    conversations = conversations.addColumn(name, "text", (column) => column.notNull());
  for (const name of ["version", "deleted", "archived", "pinned", "turns"] as const)
    conversations = conversations.addColumn(name, "integer", (column) => column.notNull());
  await conversations.execute();
  await schema
    .createIndex("conversations_history")
    .on("conversations")
    .columns(["account_id", "deleted", "archived", "pinned", "updated_position"])
    .execute();
  for (const name of ["conversation_turns", "conversation_attempts"] as const) {
    let table = schema
      .createTable(name)
      .addColumn("conversation_id", "text", (column) => column.notNull())
      .addColumn("ordinal", "integer", (column) => column.notNull())
      .addColumn("at", "text", (column) => column.notNull())
      .addColumn("data", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint(`${name}_key`, ["conversation_id", "ordinal"]);
    if (name === "conversation_turns")
      table = table.addColumn("turn_id", "text", (column) => column.notNull()).addColumn("search", "text", (column) => column.notNull());
    await table.execute();
  }
}

export const migrations: readonly Migration[] = [{ name: "1-create", up: create }];

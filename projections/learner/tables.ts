import type { CreateTableBuilder, SchemaModule } from "kysely";
import type { Migration } from "../projection.ts";

export interface ProgressTables {
  /** How far an account has read each topic. */
  progress: {
    account_id: string;
    topic_id: string;
    course_id: string;
    /** How much of the page was seen, 0 to 1, as text, because the engines write numbers differently. */
    place: string;
    finished: number;
    at: string;
    /** Padded position of the last event applied. */
    position: string;
  };
}

export const tables = ["progress"] as const satisfies (keyof ProgressTables)[];

async function create(schema: SchemaModule): Promise<void> {
  let table: CreateTableBuilder<"progress", string> = schema
    .createTable("progress")
    .addColumn("finished", "integer", (column) => column.notNull());
  for (const name of ["account_id", "topic_id", "course_id", "place", "at", "position"] as const)
    table = table.addColumn(name, "text", (column) => column.notNull());
  await table.addPrimaryKeyConstraint("progress_key", ["account_id", "topic_id"]).execute();
  await schema.createIndex("progress_course").on("progress").columns(["account_id", "course_id"]).execute();
}

export const migrations: readonly Migration[] = [{ name: "1-create", up: create }];

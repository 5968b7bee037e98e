import type { CreateTableBuilder, SchemaModule } from "kysely";
import type { Migration } from "../projection.ts";

export interface ReminderTables {
  /** When each account is to be reminded of its reviews; without subscriptions. */
  reminders: {
    account_id: string;
    /** JSON of `Reminders`. */
    state: string;
    /** RFC 3339; "" for never. */
    next_at: string;
    /** Padded position of the last event applied. */
    position: string;
  };
}

export const tables = ["reminders"] as const satisfies (keyof ReminderTables)[];

async function create(schema: SchemaModule): Promise<void> {
  let table: CreateTableBuilder<"reminders", string> = schema
    .createTable("reminders")
    .addColumn("account_id", "text", (column) => column.primaryKey());
  for (const name of ["state", "next_at", "position"] as const) table = table.addColumn(name, "text", (column) => column.notNull());
  await table.execute();
  await schema.createIndex("reminders_next").on("reminders").columns(["next_at", "account_id"]).execute();
}

export const migrations: readonly Migration[] = [{ name: "1-create", up: create }];

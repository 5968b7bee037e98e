import { positionColumn } from "@colloquy/infra/database/positions.ts";
import { reminderEvents, reminderStreamPrefix } from "@colloquy/schemas/reminders/events.ts";
import { evolveReminders, nextReminderAt, noReminders, type Reminders } from "@colloquy/schemas/reminders/state.ts";
import { accountOf, oneByOne, type Projection } from "../projection.ts";
import { migrations, type ReminderTables, tables } from "./tables.ts";

/** Which accounts are to be reminded of due reviews, and when. */
export const projection: Projection<ReminderTables> = {
  name: "reminders",
  tables,
  streams: [reminderStreamPrefix],
  events: reminderEvents.types,
  migrations,
  apply: oneByOne(async (tx, stored) => {
    const account_id = accountOf(stored);
    const position = positionColumn(stored.position);
    const before = await tx.selectFrom("reminders").selectAll().where("account_id", "=", account_id).executeTakeFirst();
    if (before && before.position >= position) return;
    const state = evolveReminders(before ? (JSON.parse(before.state) as Reminders) : noReminders, reminderEvents.parse(stored));
    const at = nextReminderAt(state);
    const row = { account_id, state: JSON.stringify(state), next_at: at === null ? "" : new Date(at).toISOString(), position };
    await tx
      .insertInto("reminders")
      .values(row)
      .onConflict((conflict) => conflict.column("account_id").doUpdateSet(row))
      .execute();
  }),
};

import type { Reminders } from "@colloquy/schemas/reminders/state.ts";
import type { Kysely } from "kysely";
import type { ReminderTables } from "./tables.ts";

export type { ReminderTables } from "./tables.ts";

/**
 * Accounts whose next reminder was to be sent by `now` (RFC 3339), read page by page.
 * @param atATime rows of a page
 */
export async function* dueReminders(
  database: Kysely<ReminderTables>,
  now: string,
  atATime: number,
): AsyncGenerator<{ accountId: string; state: Reminders }> {
  for (let after = { next_at: "", account_id: "" }; ; ) {
    const rows = await database
      .selectFrom("reminders")
      .select(["account_id", "state", "next_at"])
      .where("next_at", "<=", now)
      .where(({ eb, or, and }) =>
        or([eb("next_at", ">", after.next_at), and([eb("next_at", "=", after.next_at), eb("account_id", ">", after.account_id)])]),
      )
      .where("next_at", "!=", "")
      .orderBy("next_at")
      .orderBy("account_id")
      .limit(atATime)
      .execute();
    for (const { account_id: accountId, state } of rows) yield { accountId, state: JSON.parse(state) as Reminders };
    const last = rows.at(-1);
    if (!last || rows.length < atATime) return;
    after = last;
  }
}

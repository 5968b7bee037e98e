import type { Kysely } from "kysely";
import type { MetSession } from "./met.ts";
import type { ReviewTables } from "./tables.ts";

export type { MetObjective, MetQuestion, MetSession, MetSource } from "./met.ts";
export type { ReviewTables } from "./tables.ts";

/** What an account has met in tutoring, session by session, the first one first. Keys of questions not yet answered are left out. */
export async function metSessions(database: Kysely<ReviewTables>, accountId: string): Promise<MetSession[]> {
  const rows = await database
    .selectFrom("review_sessions")
    .select("state")
    .where("account_id", "=", accountId)
    .orderBy("opened")
    .orderBy("session_id")
    .execute();
  return rows.map((row) => {
    const state = JSON.parse(row.state) as MetSession;
    return { ...state, questions: Object.fromEntries(Object.entries(state.questions).filter(([, { answered }]) => answered)) };
  });
}

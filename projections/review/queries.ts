import type { Kysely } from "kysely";
import type { StudiedSession } from "./fold.ts";
import type { ReviewTables } from "./tables.ts";

export type { StudiedObjective, StudiedQuestion, StudiedSession, StudiedSource } from "./fold.ts";
export type { ReviewTables } from "./tables.ts";

/** What an account has studied, by session, oldest first. Questions that are not answered yet are left out, because they include the key. */
export async function studiedSessions(database: Kysely<ReviewTables>, accountId: string): Promise<StudiedSession[]> {
  const rows = await database
    .selectFrom("review_sessions")
    .select("state")
    .where("account_id", "=", accountId)
    .orderBy("opened")
    .orderBy("session_id")
    .execute();
  return rows.map((row) => {
    const state = JSON.parse(row.state) as StudiedSession;
    return { ...state, questions: Object.fromEntries(Object.entries(state.questions).filter(([, { answered }]) => answered)) };
  });
}

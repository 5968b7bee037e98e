import type { RecordedTurn } from "@colloquy/schemas/sync/changes.ts";
import type { Kysely } from "kysely";
import type { ConversationTables } from "./tables.ts";

/** Turns that are read, the newest ones. */
const mostTurns = 20;

/** Whether an account was answered from a course's text since a time (RFC 3339), in a conversation that is not deleted. */
export async function isAnsweredSince(
  database: Kysely<ConversationTables>,
  accountId: string,
  { courseId, since }: { courseId: string; since: string },
): Promise<boolean> {
  const rows = await database
    .selectFrom("conversation_turns")
    .innerJoin("conversations", "conversations.conversation_id", "conversation_turns.conversation_id")
    .select("conversation_turns.data")
    .where("conversations.account_id", "=", accountId)
    .where("conversations.deleted", "=", 0)
    .where("conversation_turns.at", ">=", since)
    .orderBy("conversation_turns.at", "desc")
    .limit(mostTurns)
    .execute();
  const page = `/courses/${courseId}`;
  return rows.some(({ data }) =>
    (JSON.parse(data) as RecordedTurn).citations.some(({ href }) => href === page || href.startsWith(`${page}/`)),
  );
}

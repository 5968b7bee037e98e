import type { Quiz } from "@colloquy/schemas/quiz/quiz.ts";
import type { RecordedTurn } from "@colloquy/schemas/sync/changes.ts";
import type { Kysely } from "kysely";
import type { ConversationTables } from "./tables.ts";

/** A quiz that an account was given. */
export interface GivenQuiz {
  at: string;
  quiz: Quiz;
}

/** Quizzes of an account that are read, the newest ones. */
const mostQuizzes = 200;

/** The quizzes in an account's conversations, the newest first. A quiz of a deleted conversation is not known any more. */
export async function quizzesOf(database: Kysely<ConversationTables>, accountId: string): Promise<GivenQuiz[]> {
  const rows = await database
    .selectFrom("conversation_turns")
    .innerJoin("conversations", "conversations.conversation_id", "conversation_turns.conversation_id")
    .select(["conversation_turns.at", "conversation_turns.data"])
    .where("conversations.account_id", "=", accountId)
    .where("conversations.deleted", "=", 0)
    // Quotes within a text are escaped, so only the key itself is found.
    .where("conversation_turns.data", "like", '%"type":"quiz"%')
    .orderBy("conversation_turns.at", "desc")
    .limit(mostQuizzes)
    .execute();
  return rows.flatMap(({ at, data }) => {
    const { artifact } = JSON.parse(data) as RecordedTurn;
    return artifact ? [{ at, quiz: artifact }] : [];
  });
}

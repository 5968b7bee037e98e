import type { Kysely } from "kysely";
import type { ConversationTables } from "../conversations/queries.ts";
import type { GivenAnswer } from "./figures.ts";
import type { QuestionTables } from "./tables.ts";

export { type GivenAnswer, type QuestionFigures, questionFigures, versionKey } from "./figures.ts";
export type { QuestionTables } from "./tables.ts";

/** What learners were asked and answered of a course's own questions. The accounts must not leave the service. */
export async function answersOfCourse(database: Kysely<QuestionTables & ConversationTables>, courseId: string): Promise<GivenAnswer[]> {
  const rows = await database
    .selectFrom("question_items")
    .innerJoin("question_sessions", "question_sessions.session_id", "question_items.session_id")
    .select(["account_id", "block_id", "digest", "asked", "answered", "correct", "help", "choices"])
    .where("question_sessions.course_id", "=", courseId)
    .where("question_items.asked", "!=", "")
    // Its texts are deleted soon after.
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("conversations")
            .select("conversations.conversation_id")
            .whereRef("conversations.conversation_id", "=", "question_sessions.conversation_id")
            .whereRef("conversations.account_id", "=", "question_sessions.account_id")
            .where("conversations.deleted", "=", 1),
        ),
      ),
    )
    .execute();
  return rows.map(({ account_id, block_id, correct, choices, ...row }) => ({
    ...row,
    accountId: account_id,
    blockId: block_id,
    correct: correct === 1,
    choices: JSON.parse(choices) as string[],
  }));
}

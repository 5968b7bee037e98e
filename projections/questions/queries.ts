import type { Kysely } from "kysely";
import type { ConversationTables } from "../conversations/queries.ts";
import type { GivenAnswer } from "./figures.ts";
import type { Generated } from "./generated.ts";
import type { QuestionTables } from "./tables.ts";

export { type GivenAnswer, type QuestionFigures, questionFigures, versionKey } from "./figures.ts";
export type { Generated } from "./generated.ts";
export type { QuestionTables } from "./tables.ts";

type Database = Kysely<QuestionTables & ConversationTables>;

/** What learners were asked and answered of a course's own questions, in sessions and quizzes. The accounts must not leave the service. */
export async function answersOfCourse(database: Database, courseId: string): Promise<GivenAnswer[]> {
  const [inSessions, inQuizzes] = await Promise.all([
    rowsOf(database, courseId).where("block_id", "!=", "").execute(),
    database
      .selectFrom("question_quiz_items")
      .innerJoin("question_quizzes", "question_quizzes.conversation_id", "question_quiz_items.conversation_id")
      .select(["account_id", "block_id", "digest", "asked", "answered", "correct", "choices"])
      .where("course_id", "=", courseId)
      .execute(),
  ]);
  return [...inSessions, ...inQuizzes.map((row) => ({ ...row, help: "" }))].map(answerOf);
}

/** What learners were asked and answered of questions that models wrote. Neither accounts nor texts must leave the service as they are. */
export async function generatedAnswersOf(database: Database, courseId: string): Promise<GeneratedAnswer[]> {
  const rows = await rowsOf(database, courseId).where("block_id", "=", "").execute();
  return rows.map((row) => ({ ...answerOf(row), generated: JSON.parse(row.generated) as Generated }));
}

/** A question that a model wrote, as one learner met it once. */
export type GeneratedAnswer = GivenAnswer & { generated: Generated };

function rowsOf(database: Database, courseId: string) {
  return (
    database
      .selectFrom("question_items")
      .innerJoin("question_sessions", "question_sessions.session_id", "question_items.session_id")
      .select(["account_id", "block_id", "digest", "asked", "answered", "correct", "help", "choices", "generated"])
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
  );
}

type Row = Omit<QuestionTables["question_items"], "session_id" | "item_id" | "generated"> &
  Pick<QuestionTables["question_sessions"], "account_id">;

const answerOf = ({ account_id, block_id, digest, asked, answered, correct, help, choices }: Row): GivenAnswer => ({
  digest,
  asked,
  answered,
  help,
  accountId: account_id,
  blockId: block_id,
  correct: correct === 1,
  choices: JSON.parse(choices) as string[],
});

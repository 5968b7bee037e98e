import { insertRows } from "@colloquy/infra/database/bulk.ts";
import { positionColumn } from "@colloquy/infra/database/positions.ts";
import type { StoredEvent } from "@colloquy/infra/event-store/client.ts";
import { type ConversationEvent, conversationEvents, conversationIdOf } from "@colloquy/schemas/conversations/events.ts";
import { authoredKey } from "@colloquy/schemas/questions/key.ts";
import { markResponse } from "@colloquy/schemas/questions/mark.ts";
import { partId } from "@colloquy/schemas/questions/shown.ts";
import type { CourseQuestion, QuizAnswer } from "@colloquy/schemas/quiz/quiz.ts";
import type { Transaction } from "kysely";
import { accountOf } from "../projection.ts";
import type { QuestionTables } from "./tables.ts";

type Tx = Transaction<QuestionTables>;
type QuizRow = QuestionTables["question_quizzes"];
type ItemRow = QuestionTables["question_quiz_items"];

/** The events of conversations that are counted. */
export const quizEvents = ["TurnRecorded", "QuizAttempted", "ConversationDeleted"] as const satisfies readonly ConversationEvent["type"][];

/** A conversation whose quizzes asked questions of courses, with these. */
interface Quizzes {
  row: QuizRow;
  items: Map<string, ItemRow>;
}

/** Counts the questions of courses in quizzes, each with its answer in the first attempt. Nothing that a learner wrote is kept. */
export async function applyQuizzes(tx: Tx, stored: readonly StoredEvent[]): Promise<void> {
  const events = stored.filter(isCounted);
  if (events.length === 0) return;
  const known = await read(tx, [...new Set(events.map(({ stream }) => conversationIdOf(stream)))]);
  const changed = new Set<string>();
  const forgotten = new Set<string>();
  for (const one of events) {
    const conversation_id = conversationIdOf(one.stream);
    const before = known.get(conversation_id);
    // An event that was already applied, or is forgotten, changes nothing.
    if (before && (before.row.forgotten || before.row.version >= one.revision)) continue;
    const event = conversationEvents.parse(one);
    if (event.type === "ConversationDeleted") {
      if (!before) continue;
      known.set(conversation_id, { row: { conversation_id, account_id: "", version: -1, forgotten: 1 }, items: new Map() });
      forgotten.add(conversation_id);
    } else {
      const after = evolve(before, event, one);
      if (!after) continue;
      known.set(conversation_id, after);
    }
    changed.add(conversation_id);
  }
  if (forgotten.size > 0)
    await tx
      .deleteFrom("question_quiz_items")
      .where("conversation_id", "in", [...forgotten])
      .execute();
  const written = [...changed].flatMap((id) => known.get(id) ?? []);
  await insertRows(
    tx,
    written.map(({ row }) => row),
    (row) =>
      tx
        .insertInto("question_quizzes")
        .values(row)
        .onConflict((conflict) =>
          conflict.column("conversation_id").doUpdateSet((set) => ({
            account_id: set.ref("excluded.account_id"),
            version: set.ref("excluded.version"),
            forgotten: set.ref("excluded.forgotten"),
          })),
        ),
  );
  await insertRows(
    tx,
    written.flatMap(({ items }) => [...items.values()]),
    (row) =>
      tx
        .insertInto("question_quiz_items")
        .values(row)
        .onConflict((conflict) =>
          conflict.columns(["conversation_id", "quiz_id", "question_id"]).doUpdateSet((set) => ({
            key: set.ref("excluded.key"),
            answered: set.ref("excluded.answered"),
            correct: set.ref("excluded.correct"),
            choices: set.ref("excluded.choices"),
          })),
        ),
  );
}

/** Most turns of conversations have no quiz and are not read. */
function isCounted({ type, data }: StoredEvent): boolean {
  return type !== "TurnRecorded" || (typeof data === "object" && data !== null && "artifact" in data);
}

async function read(tx: Tx, ids: readonly string[]): Promise<Map<string, Quizzes>> {
  const rows = await tx.selectFrom("question_quizzes").selectAll().where("conversation_id", "in", ids).execute();
  const items = Map.groupBy(
    await tx.selectFrom("question_quiz_items").selectAll().where("conversation_id", "in", ids).execute(),
    ({ conversation_id }) => conversation_id,
  );
  return new Map(
    rows.map((row) => [
      row.conversation_id,
      { row, items: new Map((items.get(row.conversation_id) ?? []).map((item) => [itemKey(item.quiz_id, item.question_id), item])) },
    ]),
  );
}

const itemKey = (quizId: string, questionId: string): string => `${quizId} ${questionId}`;

/** The quizzes of a conversation after one more event; null where it has none that asks a question of a course. Pure. */
function evolve(
  before: Quizzes | undefined,
  event: Exclude<ConversationEvent, { type: "ConversationDeleted" }>,
  stored: StoredEvent,
): Quizzes | null {
  const { stream, revision } = stored;
  const position = positionColumn(stored.position);
  const conversation_id = conversationIdOf(stream);
  const items = new Map(before?.items);
  const { artifact = null } = event.type === "TurnRecorded" ? event.data : {};
  for (const question of artifact?.questions ?? []) {
    const key = itemKey(artifact?.quizId ?? "", question.questionId);
    if ("key" in question && artifact && !items.has(key))
      items.set(key, { conversation_id, ...askedIn(artifact.quizId, question, position) });
  }
  if (event.type === "QuizAttempted")
    for (const [questionId, answer] of Object.entries(event.data.answers)) {
      const key = itemKey(event.data.quizId, questionId);
      const item = items.get(key);
      if (item && item.answered === "") items.set(key, { ...item, ...answered(item, answer, position) });
    }
  if (!before && items.size === 0) return null;
  return { row: { conversation_id, account_id: before?.row.account_id ?? accountOf(stored), version: revision, forgotten: 0 }, items };
}

const askedIn = (quiz_id: string, { questionId, authored, key }: CourseQuestion, asked: string): Omit<ItemRow, "conversation_id"> => ({
  quiz_id,
  question_id: questionId,
  course_id: authored.courseId,
  block_id: authored.blockId,
  digest: authored.digest,
  key: JSON.stringify(key),
  asked,
  answered: "",
  correct: 0,
  choices: "[]",
});

/** The marking of an answer by its key, which is not needed any more; nothing where the answer has another form. */
function answered(item: ItemRow, answer: QuizAnswer, position: string): Partial<ItemRow> {
  if (Array.isArray(answer)) return {};
  const key = authoredKey.parse(JSON.parse(item.key));
  const known = new Set("choices" in key ? key.choices.map(({ markdown }) => partId(markdown)) : []);
  const choices = "choiceIds" in answer ? answer.choiceIds.filter((id) => known.has(id)) : [];
  return { key: "", answered: position, correct: markResponse(key, answer).correct ? 1 : 0, choices: JSON.stringify(choices) };
}

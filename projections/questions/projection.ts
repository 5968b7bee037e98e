import { insertRows } from "@colloquy/infra/database/bulk.ts";
import { positionColumn } from "@colloquy/infra/database/positions.ts";
import type { StoredEvent } from "@colloquy/infra/event-store/client.ts";
import { conversationStreamPrefix } from "@colloquy/schemas/conversations/events.ts";
import { sessionIdOf, type TutorTextEvent, tutorEvents, tutorStreamPrefix, tutorTextStreamPrefix } from "@colloquy/schemas/tutor/events.ts";
import type { Transaction } from "kysely";
import { accountOf, type Projection } from "../projection.ts";
import { countedEvents, evolve, type QuestionSession } from "./fold.ts";
import { applyQuizzes, quizEvents } from "./quizzes.ts";
import { migrations, type QuestionTables, tables } from "./tables.ts";

type Tx = Transaction<QuestionTables>;
type SessionRow = QuestionTables["question_sessions"];
type ItemRow = QuestionTables["question_items"];

const textsDeleted: TutorTextEvent["type"] = "TutorTextsDeleted";

/**
 * How learners answered questions of courses and of models, in sessions and quizzes, for their owners' question bank. A session whose
 * texts are deleted drops out, and so does a quiz of a deleted conversation.
 */
export const projection: Projection<QuestionTables> = {
  name: "questions",
  tables,
  streams: [tutorStreamPrefix, tutorTextStreamPrefix, conversationStreamPrefix],
  events: [...countedEvents, textsDeleted, ...quizEvents],
  migrations,
  async apply(tx, events) {
    // In whatever order the streams are read: what is forgotten stays so.
    for (const event of events) if (event.type === textsDeleted) await forget(tx, sessionIdOf(event.stream));
    const isQuiz = ({ stream }: StoredEvent): boolean => stream.startsWith(conversationStreamPrefix);
    await applySessions(
      tx,
      events.filter((event) => event.type !== textsDeleted && !isQuiz(event)),
    );
    await applyQuizzes(tx, events.filter(isQuiz));
  },
};

async function forget(tx: Tx, session_id: string): Promise<void> {
  const forgotten = { account_id: "", conversation_id: "", course_id: "", version: -1, forgotten: 1 };
  await tx
    .insertInto("question_sessions")
    .values({ session_id, ...forgotten })
    .onConflict((conflict) => conflict.column("session_id").doUpdateSet(forgotten))
    .execute();
  await tx.deleteFrom("question_items").where("session_id", "=", session_id).execute();
}

async function applySessions(tx: Tx, events: readonly StoredEvent[]): Promise<void> {
  if (events.length === 0) return;
  const ids = [...new Set(events.map(({ stream }) => sessionIdOf(stream)))];
  const rows = new Map(
    (await tx.selectFrom("question_sessions").selectAll().where("session_id", "in", ids).execute()).map((row) => [row.session_id, row]),
  );
  const items = Map.groupBy(
    await tx.selectFrom("question_items").selectAll().where("session_id", "in", ids).execute(),
    ({ session_id }) => session_id,
  );
  const states = new Map([...rows].map(([id, row]) => [id, stateOf(row, items.get(id) ?? [])]));
  const changed = new Map<string, SessionRow>();
  for (const stored of events) {
    const id = sessionIdOf(stored.stream);
    const row = changed.get(id) ?? rows.get(id);
    // An event that was already applied, or is forgotten, changes nothing.
    if (row && (row.forgotten || row.version >= stored.revision)) continue;
    const state = evolve(states.get(id) ?? null, tutorEvents.parse(stored), positionColumn(stored.position));
    if (!state) continue;
    states.set(id, state);
    const { courseId, conversationId } = state;
    const account_id = row?.account_id ?? accountOf(stored);
    changed.set(id, {
      session_id: id,
      account_id,
      conversation_id: conversationId,
      course_id: courseId,
      version: stored.revision,
      forgotten: 0,
    });
  }
  await insertRows(tx, [...changed.values()], (row) =>
    tx
      .insertInto("question_sessions")
      .values(row)
      .onConflict((conflict) => conflict.column("session_id").doUpdateSet((set) => ({ version: set.ref("excluded.version") }))),
  );
  const written = [...changed.keys()].flatMap((id) => itemRows(id, states.get(id)));
  await insertRows(tx, written, (row) =>
    tx
      .insertInto("question_items")
      .values(row)
      .onConflict((conflict) =>
        conflict.columns(["session_id", "item_id"]).doUpdateSet((set) => ({
          asked: set.ref("excluded.asked"),
          answered: set.ref("excluded.answered"),
          correct: set.ref("excluded.correct"),
          help: set.ref("excluded.help"),
          choices: set.ref("excluded.choices"),
        })),
      ),
  );
}

function stateOf({ course_id, conversation_id }: SessionRow, rows: readonly ItemRow[]): QuestionSession {
  const items = rows.map(({ item_id, block_id, digest, generated, asked, answered, correct, help, choices }) => [
    item_id,
    {
      blockId: block_id,
      digest,
      generated: generated === "" ? null : JSON.parse(generated),
      asked,
      answered,
      correct: correct === 1,
      help,
      choices: JSON.parse(choices) as string[],
    },
  ]);
  return { courseId: course_id, conversationId: conversation_id, items: Object.fromEntries(items) };
}

const itemRows = (session_id: string, state: QuestionSession | undefined): ItemRow[] =>
  Object.entries(state?.items ?? {}).map(([item_id, { blockId, correct, choices, generated, ...item }]) => ({
    session_id,
    item_id,
    block_id: blockId,
    correct: correct ? 1 : 0,
    generated: generated ? JSON.stringify(generated) : "",
    choices: JSON.stringify(choices),
    ...item,
  }));

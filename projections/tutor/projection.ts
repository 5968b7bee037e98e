import { insertRows } from "@colloquy/infra/database/bulk.ts";
import { positionColumn } from "@colloquy/infra/database/positions.ts";
import type { StoredEvent } from "@colloquy/infra/event-store/client.ts";
import { knownEvent } from "@colloquy/infra/event-store/known-event.ts";
import { sessionIdOf, tutorEvents, tutorStreamPrefix, tutorTextEvents, tutorTextStreamPrefix } from "@colloquy/schemas/tutor/events.ts";
import { evolve, initial, type TutorState } from "@colloquy/schemas/tutor/state.ts";
import type { Transaction } from "kysely";
import { accountOf, type Projection } from "../projection.ts";
import { sessionSources } from "./queries.ts";
import { migrations, type TutorTables, tables } from "./tables.ts";

type Tx = Transaction<TutorTables>;
type Row = TutorTables["tutor_sessions"];

/** Tutoring sessions as folds of their streams, and the learners' own texts until they are deleted. */
export const projection: Projection<TutorTables> = {
  name: "tutor",
  tables,
  streams: [tutorStreamPrefix, tutorTextStreamPrefix],
  events: [...tutorEvents.types, ...tutorTextEvents.types],
  migrations,
  async apply(tx, events) {
    const isText = ({ stream }: StoredEvent): boolean => stream.startsWith(tutorTextStreamPrefix);
    await applySessions(
      tx,
      events.filter((stored) => !isText(stored)),
    );
    for (const stored of events) if (isText(stored)) await applyText(tx, stored);
  },
};

async function applySessions(tx: Tx, events: readonly StoredEvent[]): Promise<void> {
  if (events.length === 0) return;
  const ids = [...new Set(events.map(({ stream }) => sessionIdOf(stream)))];
  const before = await tx.selectFrom("tutor_sessions").selectAll().where("session_id", "in", ids).execute();
  const states = new Map(before.map((row) => [row.session_id, JSON.parse(row.state) as TutorState]));
  const sourcesBefore = await sourcesOf(tx, ids);
  const rows = new Map<string, Row>();
  for (const stored of events) {
    const id = sessionIdOf(stored.stream);
    const state = states.get(id) ?? initial;
    // An event that was already applied changes nothing.
    if (state.version >= stored.revision) continue;
    const event = knownEvent(tutorEvents, stored, { reader: "tutor projection" });
    const next = { ...(event ? evolve(state, event) : state), version: stored.revision };
    const owned = { ...next, accountId: state.accountId || accountOf(stored) };
    states.set(id, owned);
    rows.set(id, rowOf(id, owned, stored));
  }
  await insertRows(tx, [...rows.values()], (row) =>
    tx
      .insertInto("tutor_sessions")
      .values(row)
      .onConflict((conflict) =>
        conflict.column("session_id").doUpdateSet((set) => ({
          account_id: set.ref("excluded.account_id"),
          conversation_id: set.ref("excluded.conversation_id"),
          course_id: set.ref("excluded.course_id"),
          phase: set.ref("excluded.phase"),
          started_at: set.ref("excluded.started_at"),
          updated_at: set.ref("excluded.updated_at"),
          version: set.ref("excluded.version"),
          position: set.ref("excluded.position"),
          state: set.ref("excluded.state"),
        })),
      ),
  );
  for (const id of rows.keys()) await applySources(tx, id, states.get(id) ?? initial, sourcesBefore.get(id) ?? []);
}

/** The stored sources of sessions, by session id. Sessions that were folded before this table existed have none. */
async function sourcesOf(tx: Tx, ids: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await tx.selectFrom("tutor_sources").select(["session_id", "source_id"]).where("session_id", "in", ids).execute();
  const bySession = Map.groupBy(rows, ({ session_id }) => session_id);
  return new Map([...bySession].map(([id, own]) => [id, own.map(({ source_id }) => source_id).sort()]));
}

/** Replaces the stored sources of a session if they have changed; a completed session has none. */
async function applySources(tx: Tx, id: string, state: TutorState, before: readonly string[]): Promise<void> {
  const sources = state.ledger.phase === "completed" ? [] : sessionSources(state);
  if (sources.length > 0 && sources.join() === before.join()) return;
  await tx.deleteFrom("tutor_sources").where("session_id", "=", id).execute();
  const rows = sources.map((source_id) => ({ session_id: id, source_id, course_id: state.courseId, account_id: state.accountId }));
  await insertRows(tx, rows, (row) => tx.insertInto("tutor_sources").values(row));
}

const rowOf = (id: string, state: TutorState, stored: StoredEvent): Row => ({
  session_id: id,
  account_id: state.accountId,
  conversation_id: state.conversationId,
  course_id: state.courseId,
  phase: state.ledger.phase,
  started_at: state.startedAt,
  updated_at: state.updatedAt,
  version: stored.revision,
  position: positionColumn(stored.position),
  state: JSON.stringify(state),
});

async function applyText(tx: Tx, stored: StoredEvent): Promise<void> {
  const event = tutorTextEvents.parse(stored);
  const session_id = sessionIdOf(stored.stream);
  if (event.type === "TutorTextsDeleted") await tx.deleteFrom("tutor_texts").where("session_id", "=", session_id).execute();
  if (event.type !== "TutorTextKept") return;
  const { textId, kind, text, salt } = event.data;
  await tx
    .insertInto("tutor_texts")
    .values({ session_id, text_id: textId, account_id: accountOf(stored), kind, text, salt })
    .onConflict((conflict) => conflict.columns(["session_id", "text_id"]).doUpdateSet({ kind, text, salt }))
    .execute();
}

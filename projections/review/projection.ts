import { insertRows } from "@colloquy/infra/database/bulk.ts";
import { positionColumn } from "@colloquy/infra/database/positions.ts";
import type { StoredEvent } from "@colloquy/infra/event-store/client.ts";
import { learnerErased, learnerStreamPrefix } from "@colloquy/schemas/learner/events.ts";
import { sessionIdOf, type TutorEventType, tutorEvents, tutorStreamPrefix } from "@colloquy/schemas/tutor/events.ts";
import type { Transaction } from "kysely";
import { accountOf, type Projection } from "../projection.ts";
import { evolve, type StudiedSession } from "./fold.ts";
import { migrations, type ReviewTables, tables } from "./tables.ts";

type Tx = Transaction<ReviewTables>;
type Row = ReviewTables["review_sessions"];

const metEvents = [
  "TutorSessionOpened",
  "ProbesPrepared",
  "CheckAsked",
  "ProbeAnswered",
  "CheckAnswered",
  "GradeDisputed",
  "FilmQuestionAsked",
  "FilmQuestionAnswered",
  "ReviewQuestionAsked",
  "ReviewQuestionAnswered",
  "EvidenceRecorded",
  "StepTaught",
  "AdaptDecided",
] as const satisfies readonly TutorEventType[];

/** What learners have studied in tutoring, for review. An erasure of the account deletes it. */
export const projection: Projection<ReviewTables> = {
  name: "review",
  tables,
  streams: [tutorStreamPrefix, learnerStreamPrefix],
  events: [...metEvents, learnerErased],
  migrations,
  async apply(tx, events) {
    for (const event of events) if (event.type === learnerErased) await erase(tx, event);
    await applySessions(
      tx,
      events.filter(({ type }) => type !== learnerErased),
    );
  },
};

async function erase(tx: Tx, { metadata, position: at }: StoredEvent): Promise<void> {
  const account_id = metadata.accountId ?? "";
  const position = positionColumn(at);
  const before = await tx.selectFrom("review_erasures").selectAll().where("account_id", "=", account_id).executeTakeFirst();
  if (before && before.position >= position) return;
  await tx
    .insertInto("review_erasures")
    .values({ account_id, position })
    .onConflict((conflict) => conflict.column("account_id").doUpdateSet({ position }))
    .execute();
  await tx.deleteFrom("review_sessions").where("account_id", "=", account_id).where("opened", "<", position).execute();
}

async function applySessions(tx: Tx, events: readonly StoredEvent[]): Promise<void> {
  if (events.length === 0) return;
  const ids = [...new Set(events.map(({ stream }) => sessionIdOf(stream)))];
  const rows = new Map(
    (await tx.selectFrom("review_sessions").selectAll().where("session_id", "in", ids).execute()).map((row) => [row.session_id, row]),
  );
  const states = new Map([...rows].map(([id, row]) => [id, JSON.parse(row.state) as StudiedSession]));
  const erased = await erasedOf(tx, events);
  const changed = new Map<string, Row>();
  for (const stored of events) {
    const id = sessionIdOf(stored.stream);
    const row = changed.get(id) ?? rows.get(id);
    const account_id = row?.account_id ?? accountOf(stored);
    const position = positionColumn(stored.position);
    // An event that was already applied, or erased, changes nothing.
    if ((row && row.version >= stored.revision) || position < (erased.get(account_id) ?? "")) continue;
    const state = evolve(states.get(id) ?? null, tutorEvents.parse(stored), stored.metadata.at ?? stored.created);
    if (!state) continue;
    states.set(id, state);
    changed.set(id, { session_id: id, account_id, version: stored.revision, opened: row?.opened ?? position, position, state: "" });
  }
  const written = [...changed].map(([id, row]) => ({ ...row, state: JSON.stringify(states.get(id)) }));
  await insertRows(tx, written, (row) =>
    tx
      .insertInto("review_sessions")
      .values(row)
      .onConflict((conflict) =>
        conflict.column("session_id").doUpdateSet((set) => ({
          version: set.ref("excluded.version"),
          position: set.ref("excluded.position"),
          state: set.ref("excluded.state"),
        })),
      ),
  );
}

async function erasedOf(tx: Tx, events: readonly StoredEvent[]): Promise<Map<string, string>> {
  const accounts = [...new Set(events.flatMap(({ metadata }) => metadata.accountId ?? []))];
  if (accounts.length === 0) return new Map();
  const rows = await tx.selectFrom("review_erasures").selectAll().where("account_id", "in", accounts).execute();
  return new Map(rows.map(({ account_id, position }) => [account_id, position]));
}

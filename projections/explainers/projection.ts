import { insertRows } from "@colloquy/infra/database/bulk.ts";
import { positionColumn } from "@colloquy/infra/database/positions.ts";
import { knownEvent } from "@colloquy/infra/event-store/known-event.ts";
import type { ReportedCorrection } from "@colloquy/schemas/explainers/corrections.ts";
import { type ExplainerEventType, explainerEvents, explainerStreamPrefix, jobIdOf } from "@colloquy/schemas/explainers/events.ts";
import { type ExplainerState, evolve, exists, initialState, isReportedFilm } from "@colloquy/schemas/explainers/state.ts";
import type { Transaction } from "kysely";
import { accountOf, type Projection } from "../projection.ts";
import { type ExplainerTables, migrations, tables } from "./tables.ts";

type Tx = Transaction<ExplainerTables>;

/** Video jobs as folds of their streams: jobs that wait for a worker, finished films that can be reused, and reported corrections. */
export const projection: Projection<ExplainerTables> = {
  name: "explainers",
  tables,
  streams: [explainerStreamPrefix],
  events: explainerEvents.types,
  migrations,
  async apply(tx, events) {
    if (events.length === 0) return;
    const ids = [...new Set(events.map(({ stream }) => jobIdOf(stream)))];
    const before = await tx.selectFrom("explainer_jobs").select(["job_id", "job"]).where("job_id", "in", ids).execute();
    const states = new Map(before.map((row) => [row.job_id, JSON.parse(row.job) as ExplainerState]));
    const changed = new Map<string, { state: ExplainerState; position: string; type: Set<string> }>();
    for (const stored of events) {
      const id = jobIdOf(stored.stream);
      const state = states.get(id) ?? initialState;
      // An event that was already applied changes nothing.
      if (state.version >= stored.revision) continue;
      const event = knownEvent(explainerEvents, stored, { reader: "explainers projection" });
      if (!event) continue;
      const metadata = { revision: stored.revision, accountId: accountOf(stored), requestId: stored.metadata.requestId };
      const next = evolve(state, { ...event, metadata });
      states.set(id, next);
      const types = changed.get(id)?.type ?? new Set<string>();
      changed.set(id, { state: next, position: positionColumn(stored.position), type: types.add(stored.type) });
    }
    await writeJobs(tx, [...changed]);
    for (const [id, { state, type }] of changed) {
      if (!exists(state)) await deleteJob(tx, id);
      else if (filmEvents.some((one) => type.has(one))) await writeFilms(tx, id, state);
    }
  },
};

/** Events that change a job's films or their corrections. */
const filmEvents: readonly ExplainerEventType[] = ["RenderCompleted", "RenderReused", "CorrectionReported", "CorrectionSettled"];

async function writeJobs(tx: Tx, changed: [string, { state: ExplainerState; position: string }][]): Promise<void> {
  const rows = changed
    .filter(([, { state }]) => exists(state))
    .map(([job_id, { state, position }]) => ({
      job_id,
      account_id: state.accountId,
      course_id: state.courseId,
      topic_id: state.topicId,
      state: state.state,
      position,
      created_at: state.createdAt,
      queued_at: state.render?.queuedAt ?? "",
      version: state.version,
      offered: state.offered ? 1 : 0,
      job: JSON.stringify(state),
    }));
  await insertRows(tx, rows, (row) =>
    tx
      .insertInto("explainer_jobs")
      .values(row)
      .onConflict((conflict) =>
        conflict.column("job_id").doUpdateSet((set) => ({
          state: set.ref("excluded.state"),
          queued_at: set.ref("excluded.queued_at"),
          version: set.ref("excluded.version"),
          offered: set.ref("excluded.offered"),
          position: set.ref("excluded.position"),
          job: set.ref("excluded.job"),
        })),
      ),
  );
}

async function deleteJob(tx: Tx, job_id: string): Promise<void> {
  for (const table of tables) await tx.deleteFrom(table).where("job_id", "=", job_id).execute();
}

/** Replaces the films of a job and updates their corrections. */
async function writeFilms(tx: Tx, job_id: string, state: ExplainerState): Promise<void> {
  for (const table of ["explainer_films", "explainer_artifacts"] as const)
    await tx.deleteFrom(table).where("job_id", "=", job_id).execute();
  for (const kept of state.films) {
    const { renderId: render_id, contentHash: content_hash, milliseconds, artifacts, metrics, edited } = kept;
    const film = JSON.stringify({ milliseconds, artifacts, metrics });
    const marked = isReportedFilm(state, kept) ? 1 : 0;
    const row = { job_id, render_id, account_id: state.accountId, content_hash, edited: edited ? 1 : 0, marked, film };
    await tx.insertInto("explainer_films").values(row).execute();
    await insertRows(
      tx,
      artifacts.map(({ kind, sha256 }) => ({ job_id, render_id, kind, sha256 })),
      (artifact) => tx.insertInto("explainer_artifacts").values(artifact),
    );
  }
  const rows = state.corrections.map((reported) => {
    const { correctionId: correction_id, at, sceneTitle, narration, text, href = null, settledAt = null } = reported;
    const { onScreen = [], edited = null } = reported;
    const quotes = reported.quotes.map(({ href = null, ...quote }) => ({ ...quote, href }));
    const { topicId, topicTitle, courseRevisionId, emphasis } = state;
    const correction: ReportedCorrection = {
      correctionId: correction_id,
      at,
      topicId,
      topicTitle,
      courseRevisionId,
      emphasis,
      sceneTitle,
      narration,
      onScreen: [...onScreen],
      edited,
      quotes,
      text,
      href,
      settledAt,
    };
    const columns = { correction_id, job_id, course_id: state.courseId, topic_id: topicId, at, settled: settledAt ? 1 : 0 };
    return { ...columns, board_hash: reported.boardHash ?? "", correction: JSON.stringify(correction) };
  });
  await insertRows(tx, rows, (row) =>
    tx
      .insertInto("explainer_corrections")
      .values(row)
      .onConflict((conflict) =>
        conflict
          .column("correction_id")
          .doUpdateSet((set) => ({ settled: set.ref("excluded.settled"), correction: set.ref("excluded.correction") })),
      ),
  );
}

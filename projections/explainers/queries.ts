import { positionOf } from "@colloquy/infra/database/positions.ts";
import type { ReportedCorrection } from "@colloquy/schemas/explainers/corrections.ts";
import type { Film } from "@colloquy/schemas/explainers/film.ts";
import type { ExplainerJob, ExplainerJobSummary } from "@colloquy/schemas/explainers/job.ts";
import type { Waiting } from "@colloquy/schemas/explainers/place-in-queue.ts";
import { type ExplainerState, exists } from "@colloquy/schemas/explainers/state.ts";
import type { Emphasis } from "@colloquy/schemas/explainers/storyboard.ts";
import { jobSummary, jobView } from "@colloquy/schemas/explainers/view.ts";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";
import type { Kysely } from "kysely";
import type { ExplainerTables } from "./tables.ts";

export type { ExplainerTables } from "./tables.ts";

type Database = Kysely<ExplainerTables>;
/** An earlier film of the same content, of this job or another. */
export type CachedFilm = Pick<Film, "milliseconds" | "artifacts" | "metrics"> & { fromJobId: string };

/** An account's films, newest first. */
export async function listExplainerJobs(
  database: Database,
  accountId: string,
  { courseId, topicId }: { courseId?: string | undefined; topicId?: string | undefined },
): Promise<ExplainerJobSummary[]> {
  let query = database
    .selectFrom("explainer_jobs")
    .select("job")
    .where("account_id", "=", accountId)
    .orderBy("created_at", "desc")
    .orderBy("job_id")
    .limit(filmBounds.jobsListed);
  if (courseId !== undefined) query = query.where("course_id", "=", courseId);
  if (topicId !== undefined) query = query.where("topic_id", "=", topicId);
  return (await query.execute()).map(({ job }) => jobSummary(JSON.parse(job) as ExplainerState));
}

/** A job as its owner sees it; null if there is none or it belongs to another account. */
export async function getExplainerJob(
  database: Database,
  accountId: string,
  jobId: string,
): Promise<{ job: ExplainerJob; position: string } | null> {
  const row = await database
    .selectFrom("explainer_jobs")
    .select(["job", "position"])
    .where("job_id", "=", jobId)
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  const state = row && (JSON.parse(row.job) as ExplainerState);
  return state && exists(state) ? { job: jobView(state), position: positionOf(row.position) ?? "0" } : null;
}

/** What a page says of a film that an owner of the course offers: nothing of whose it is. */
export interface OfferedFilm {
  filmId: string;
  topicId: string;
  courseRevisionId: string;
  emphasis: Emphasis;
  title: string;
  /** Address of its page, and what it quotes. */
  href: string;
  quotes: string[];
}

/** The films of a course that its owners offer to everyone, newest first. */
export async function offeredFilms(database: Database, courseId: string): Promise<OfferedFilm[]> {
  const rows = await database
    .selectFrom("explainer_jobs")
    .select(["job_id", "job"])
    .where("course_id", "=", courseId)
    .where("offered", "=", 1)
    .orderBy("created_at", "desc")
    .orderBy("job_id")
    .limit(filmBounds.jobsListed)
    .execute();
  return rows.flatMap(({ job_id: filmId, job }) => {
    const { topicId, courseRevisionId, emphasis, storyboard } = JSON.parse(job) as ExplainerState;
    if (!storyboard) return [];
    const quotes = storyboard.scenes.flatMap((scene) => scene.quotes.map(({ quote }) => quote));
    return {
      filmId,
      topicId,
      courseRevisionId,
      emphasis,
      title: storyboard.title,
      href: storyboard.sources[0]?.href.split("#")[0] ?? "",
      quotes,
    };
  });
}

/** How many storyboards an account has requested since a time. */
export async function storyboardsSince(database: Database, accountId: string, since: string): Promise<number> {
  const { count } = await database
    .selectFrom("explainer_jobs")
    .select((select) => select.fn.countAll().as("count"))
    .where("account_id", "=", accountId)
    .where("created_at", ">=", since)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Queued and rendering jobs of all accounts, oldest first. */
export async function jobsUnderWay(database: Database): Promise<{ state: ExplainerState; position: string | null }[]> {
  const rows = await database
    .selectFrom("explainer_jobs")
    .select(["job", "position"])
    .where("state", "in", ["queued", "rendering"])
    .orderBy("queued_at")
    .orderBy("job_id")
    .execute();
  return rows.map(({ job, position }) => ({ state: JSON.parse(job) as ExplainerState, position: positionOf(position) }));
}

/** Queued and rendering jobs of all accounts, to compute the place of one in the queue. */
export async function waitingFilms(database: Database): Promise<Waiting[]> {
  const rows = await database
    .selectFrom("explainer_jobs")
    .select(["job_id", "account_id", "state", "queued_at"])
    .where("state", "in", ["queued", "rendering"])
    .execute();
  return rows.map((row) => ({ jobId: row.job_id, accountId: row.account_id, state: row.state, queuedAt: row.queued_at }));
}

/**
 * Films of this content that an account may reuse, one for each set of objects: its own, and those of any account if neither storyboard was
 * edited by a learner. None if somebody reported a film of this content, in these settings or others.
 */
export async function cachedFilms(
  database: Database,
  accountId: string,
  { contentHash, boardHash, edited }: { contentHash: string; boardHash: string; edited: boolean },
): Promise<CachedFilm[]> {
  const rows = await database
    .selectFrom("explainer_films")
    .select(["job_id", "account_id", "edited", "marked", "film"])
    .where("content_hash", "=", contentHash)
    .orderBy("job_id")
    .orderBy("render_id")
    .execute();
  if (rows.length === 0 || rows.some(({ marked }) => marked === 1)) return [];
  const reported = database.selectFrom("explainer_corrections").select("correction_id").where("board_hash", "=", boardHash).limit(1);
  if (await reported.executeTakeFirst()) return [];
  const found = new Map<string, CachedFilm>();
  for (const { job_id: fromJobId, account_id, film, ...row } of rows) {
    if (account_id !== accountId && (edited || row.edited === 1)) continue;
    const made = JSON.parse(film) as Omit<CachedFilm, "fromJobId">;
    const objects = made.artifacts.map(({ sha256 }) => sha256).join(" ");
    if (!found.has(objects)) found.set(objects, { fromJobId, ...made });
  }
  return [...found.values()];
}

/** Those of these objects that no film needs. */
export async function unneededObjects(database: Database, sha256s: readonly string[]): Promise<string[]> {
  if (sha256s.length === 0) return [];
  const rows = await database.selectFrom("explainer_artifacts").select("sha256").distinct().where("sha256", "in", sha256s).execute();
  const needed = new Set(rows.map(({ sha256 }) => sha256));
  return sha256s.filter((sha256) => !needed.has(sha256));
}

/** Ids of an account's jobs after the named one, at most `limit`. */
export async function explainerJobIds(database: Database, accountId: string, limit: number, after = ""): Promise<string[]> {
  const rows = await database
    .selectFrom("explainer_jobs")
    .select("job_id")
    .where("account_id", "=", accountId)
    .where("job_id", ">", after)
    .orderBy("job_id")
    .limit(limit)
    .execute();
  return rows.map(({ job_id }) => job_id);
}

/** The job whose film a correction is about; null if there is no such correction. */
export async function jobOfCorrection(database: Database, correctionId: string): Promise<string | null> {
  const row = await database
    .selectFrom("explainer_corrections")
    .select("job_id")
    .where("correction_id", "=", correctionId)
    .executeTakeFirst();
  return row?.job_id ?? null;
}

/** Corrections of a course's films, open ones first, newest first; never who reported them. */
export async function correctionsOfCourse(database: Database, courseId: string): Promise<ReportedCorrection[]> {
  const rows = await database
    .selectFrom("explainer_corrections")
    .select("correction")
    .where("course_id", "=", courseId)
    .orderBy("settled")
    .orderBy("at", "desc")
    .orderBy("correction_id")
    .limit(filmBounds.correctionsListed)
    .execute();
  return rows.map(({ correction }) => withDefaults(JSON.parse(correction) as ReportedCorrection));
}

/** Adds fields that older rows do not have. */
const withDefaults = ({
  href = null,
  settledAt = null,
  onScreen = [],
  edited = null,
  quotes,
  ...correction
}: ReportedCorrection): ReportedCorrection => ({
  ...correction,
  href,
  settledAt,
  onScreen,
  edited,
  quotes: quotes.map(({ href = null, ...quote }) => ({ ...quote, href })),
});

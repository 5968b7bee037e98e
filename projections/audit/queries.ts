import type { AuditedSession } from "@colloquy/schemas/audit/requests.ts";
import { type Kysely, sql } from "kysely";
import type { AuditTables } from "./tables.ts";

export type { AuditTables } from "./tables.ts";

/** A session with its account, which the caller replaces by a pseudonym. */
export type FoundSession = Omit<AuditedSession, "learner"> & { accountId: string };

export interface SessionSearch {
  course?: string | undefined;
  objective?: string | undefined;
  accountId?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  cursor?: SearchCursor | undefined;
  limit: number;
}

/** The last row of the previous page. */
export interface SearchCursor {
  updatedAt: string;
  sessionId: string;
}

type Row = AuditTables["audit_sessions"];

/** Sessions that match, most recently used first. */
export async function searchSessions(
  database: Kysely<AuditTables>,
  search: SessionSearch,
): Promise<{ sessions: FoundSession[]; next: SearchCursor | null }> {
  const { course, objective, accountId, from, to, cursor, limit } = search;
  let query = database
    .selectFrom("audit_sessions")
    .selectAll()
    .orderBy("updated_at", "desc")
    .orderBy("session_id", "desc")
    .limit(limit + 1);
  if (accountId !== undefined) query = query.where("account_id", "=", accountId);
  if (from !== undefined) query = query.where("updated_at", ">=", inMilliseconds(from));
  if (to !== undefined) query = query.where("started_at", "<=", inMilliseconds(to));
  if (course) query = query.where(({ or, eb }) => or([eb("course_id", "=", course), contains("course_words", course)]));
  if (objective)
    query = query.where("session_id", "in", (within) =>
      within
        .selectFrom("audit_objectives")
        .select("session_id")
        .where(({ or, eb }) => or([eb("objective_id", "=", objective), contains("words", objective)])),
    );
  if (cursor)
    query = query.where(({ or, and, eb }) =>
      or([
        eb("updated_at", "<", cursor.updatedAt),
        and([eb("updated_at", "=", cursor.updatedAt), eb("session_id", "<", cursor.sessionId)]),
      ]),
    );
  const rows = await query.execute();
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    sessions: await withObjectives(database, page),
    next: rows.length > limit && last ? { updatedAt: last.updated_at, sessionId: last.session_id } : null,
  };
}

/** One session; null if there is none. */
export async function findSession(database: Kysely<AuditTables>, sessionId: string): Promise<FoundSession | null> {
  const rows = await database.selectFrom("audit_sessions").selectAll().where("session_id", "=", sessionId).execute();
  return (await withObjectives(database, rows))[0] ?? null;
}

/** Every account that has a session. */
export async function auditedAccounts(database: Kysely<AuditTables>): Promise<string[]> {
  const rows = await database.selectFrom("audit_sessions").select("account_id").distinct().execute();
  return rows.map(({ account_id }) => account_id);
}

async function withObjectives(database: Kysely<AuditTables>, rows: readonly Row[]): Promise<FoundSession[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ session_id }) => session_id);
  const objectives = await database.selectFrom("audit_objectives").selectAll().where("session_id", "in", ids).orderBy("place").execute();
  const bySession = Map.groupBy(objectives, ({ session_id }) => session_id);
  return rows.map((row) => ({
    sessionId: row.session_id,
    accountId: row.account_id,
    courseId: row.course_id,
    courseTitle: row.course_title,
    courseRevisionId: row.course_revision_id,
    phase: row.phase as FoundSession["phase"],
    entries: row.entries,
    startedAt: row.started_at,
    updatedAt: row.updated_at,
    objectives: (bySession.get(row.session_id) ?? []).map(({ objective_id, title, probability }) => ({
      objectiveId: objective_id,
      title,
      probability: Number(probability),
    })),
  }));
}

/** Times are compared as text, so all need milliseconds. */
const inMilliseconds = (time: string): string => new Date(time).toISOString();

/** `!` is the escape character in both engines, so that %, _ and ! match themselves. */
const contains = (column: "course_words" | "words", text: string) =>
  sql<boolean>`${sql.ref(column)} like ${`%${text.toLowerCase().replace(/[!%_]/g, "!$&")}%`} escape '!'`;

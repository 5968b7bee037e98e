import { positionOf } from "@colloquy/infra/database/positions.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { citedSources } from "@colloquy/schemas/tutor/cited-sources.ts";
import { masteryIn } from "@colloquy/schemas/tutor/replay.ts";
import type { TutorPhase, TutorSession, TutorSessionSummary } from "@colloquy/schemas/tutor/session.ts";
import { exists, type TutorState } from "@colloquy/schemas/tutor/state.ts";
import { sessionView } from "@colloquy/schemas/tutor/view.ts";
import type { Kysely } from "kysely";
import type { ConversationTables } from "../conversations/queries.ts";
import { sourceIdOf } from "../passages/source-identity.ts";
import type { TutorTables } from "./tables.ts";

export type { TutorTables } from "./tables.ts";

/** The sources that a session depends on: those it cites, and the topics it teaches. */
export function sessionSources(state: TutorState): string[] {
  const topics = state.objectives.map(({ topicId }) => sourceIdOf(state.courseId, topicId));
  return [...new Set([...citedSources(state), ...topics])].sort();
}

export interface SessionsQuery {
  conversationId?: string | undefined;
  courseId?: string | undefined;
}

/** An account's sessions, most recently used first. */
export async function listTutorSessions(
  database: Kysely<TutorTables>,
  accountId: string,
  { conversationId, courseId }: SessionsQuery,
): Promise<TutorSessionSummary[]> {
  let query = database
    .selectFrom("tutor_sessions")
    .selectAll()
    .where("account_id", "=", accountId)
    .orderBy("updated_at", "desc")
    .orderBy("session_id")
    .limit(bounds.tutor.sessions);
  if (conversationId !== undefined) query = query.where("conversation_id", "=", conversationId);
  if (courseId !== undefined) query = query.where("course_id", "=", courseId);
  const rows = (await query.execute())
    .map((row) => ({ row, state: JSON.parse(row.state) as TutorState }))
    .filter(({ state }) => exists(state));
  const goals = await textsOf(
    database,
    rows.map(({ row }) => row.session_id),
    "goal",
  );
  return rows.map(({ row, state }) => ({
    sessionId: state.sessionId,
    conversationId: state.conversationId,
    courseId: state.courseId,
    courseTitle: state.courseTitle,
    courseRevisionId: state.courseRevisionId,
    version: state.version,
    phase: state.ledger.phase,
    paused: state.ledger.paused,
    startedAt: state.startedAt,
    updatedAt: state.updatedAt,
    position: positionOf(row.position) ?? "0",
    goal: goals.get(row.session_id)?.[state.goalTextId] ?? "",
    ...standingCounts(state),
    objectives: state.objectives.length,
  }));
}

function standingCounts({ objectives, ledger }: TutorState): { mastered: number; confirmed: number } {
  const standings = objectives.map(({ objectiveId }) => masteryIn(ledger, objectiveId).standing);
  return {
    mastered: standings.filter((standing) => standing !== "none").length,
    confirmed: standings.filter((standing) => standing === "confirmed").length,
  };
}

/** A session, and the revision of its last event that the read model has. */
export interface KnownSession {
  sessionId: string;
  version: number;
}

/** Ids of an account's sessions of a course that are not completed and whose conversation is not deleted, most recently used first. */
export const openTutorSessions = async (database: SessionTables, accountId: string, courseId: string): Promise<string[]> =>
  (await known(sessionsOfCourse(database, accountId, courseId).where("phase", "!=", "completed" satisfies TutorPhase))).map(
    ({ sessionId }) => sessionId,
  );

/** The same with those that are completed, and with their versions. */
export const courseTutorSessions = (database: SessionTables, accountId: string, courseId: string): Promise<KnownSession[]> =>
  known(sessionsOfCourse(database, accountId, courseId));

type SessionTables = Kysely<TutorTables & ConversationTables>;

const known = async (query: ReturnType<typeof sessionsOfCourse>): Promise<KnownSession[]> =>
  (await query.orderBy("updated_at", "desc").orderBy("session_id").limit(bounds.tutor.sessions).execute()).map(
    ({ session_id, version }) => ({ sessionId: session_id, version }),
  );

const sessionsOfCourse = (database: SessionTables, accountId: string, courseId: string) =>
  database
    .selectFrom("tutor_sessions")
    .select(["session_id", "version"])
    .where("account_id", "=", accountId)
    .where("course_id", "=", courseId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("conversations")
            .select("conversations.conversation_id")
            .whereRef("conversations.conversation_id", "=", "tutor_sessions.conversation_id")
            .where("conversations.account_id", "=", accountId)
            .where("conversations.deleted", "=", 1),
        ),
      ),
    );

/** How many learners have a session of a course, not completed and not deleted, that depends on one of these sources. */
export async function countLearnersTaughtFrom(
  database: Kysely<TutorTables & ConversationTables>,
  courseId: string,
  sourceIds: readonly string[],
): Promise<number> {
  if (sourceIds.length === 0) return 0;
  const { learners } = await database
    .selectFrom("tutor_sources")
    .innerJoin("tutor_sessions", "tutor_sessions.session_id", "tutor_sources.session_id")
    .select(({ fn }) => fn.count<string | number>("tutor_sources.account_id").distinct().as("learners"))
    .where("tutor_sources.course_id", "=", courseId)
    .where("tutor_sources.source_id", "in", sourceIds)
    // A session has its goal's text until it is deleted, also in an erased account whose conversation was never stored.
    .where(({ exists, selectFrom }) =>
      exists(selectFrom("tutor_texts").select("text_id").whereRef("tutor_texts.session_id", "=", "tutor_sessions.session_id")),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("conversations")
            .select("conversations.conversation_id")
            .whereRef("conversations.conversation_id", "=", "tutor_sessions.conversation_id")
            .whereRef("conversations.account_id", "=", "tutor_sessions.account_id")
            .where("conversations.deleted", "=", 1),
        ),
      ),
    )
    .executeTakeFirstOrThrow();
  return Number(learners);
}

/** A session as its learner sees it; null if there is none or it belongs to another account. */
export async function getTutorSession(
  database: Kysely<TutorTables>,
  accountId: string,
  sessionId: string,
): Promise<{ session: TutorSession; position: string; sources: string[] } | null> {
  const read = database.transaction().setIsolationLevel("repeatable read");
  return read.execute(async (tx) => {
    const row = await tx
      .selectFrom("tutor_sessions")
      .select(["state", "position"])
      .where("session_id", "=", sessionId)
      .where("account_id", "=", accountId)
      .executeTakeFirst();
    const state = row && (JSON.parse(row.state) as TutorState);
    if (!state || !exists(state)) return null;
    const texts = (await textsOf(tx, [sessionId])).get(sessionId) ?? {};
    return { session: sessionView(state, texts), position: positionOf(row.position) ?? "0", sources: sessionSources(state) };
  });
}

/** Ids of an account's sessions after the named one, at most `limit`. */
export async function tutorSessionIds(database: Kysely<TutorTables>, accountId: string, after: string, limit: number): Promise<string[]> {
  const rows = await database
    .selectFrom("tutor_sessions")
    .select("session_id")
    .where("account_id", "=", accountId)
    .where("session_id", ">", after)
    .orderBy("session_id")
    .limit(limit)
    .execute();
  return rows.map(({ session_id }) => session_id);
}

/** Ids of an account's sessions that belong to a conversation. */
export async function tutorSessionsOf(database: Kysely<TutorTables>, accountId: string, conversationId: string): Promise<string[]> {
  const rows = await database
    .selectFrom("tutor_sessions")
    .select("session_id")
    .where("account_id", "=", accountId)
    .where("conversation_id", "=", conversationId)
    .execute();
  return rows.map(({ session_id }) => session_id);
}

/** Ids of sessions with texts of an account, also without a stored conversation; at most `limit`. */
export async function sessionsWithTexts(database: Kysely<TutorTables>, accountId: string, limit: number): Promise<string[]> {
  const rows = await database
    .selectFrom("tutor_texts")
    .select("session_id")
    .distinct()
    .where("account_id", "=", accountId)
    .orderBy("session_id")
    .limit(limit)
    .execute();
  return rows.map(({ session_id }) => session_id);
}

/** The learner's own texts by session and text id. */
async function textsOf(
  database: Kysely<TutorTables>,
  sessionIds: readonly string[],
  kind?: string,
): Promise<Map<string, Record<string, string>>> {
  const found = new Map<string, Record<string, string>>();
  if (sessionIds.length === 0) return found;
  let query = database.selectFrom("tutor_texts").select(["session_id", "text_id", "text"]).where("session_id", "in", sessionIds);
  if (kind !== undefined) query = query.where("kind", "=", kind);
  for (const { session_id, text_id, text } of await query.execute()) found.set(session_id, { ...found.get(session_id), [text_id]: text });
  return found;
}

/** Sessions whose conversation was deleted while the learner's texts are still stored. */
export async function sessionsWithDeletedConversation(
  database: Kysely<TutorTables & ConversationTables>,
): Promise<{ sessionId: string; accountId: string }[]> {
  const rows = await database
    .selectFrom("tutor_sessions")
    .innerJoin("conversations", (join) =>
      join
        .onRef("conversations.conversation_id", "=", "tutor_sessions.conversation_id")
        .onRef("conversations.account_id", "=", "tutor_sessions.account_id"),
    )
    .innerJoin("tutor_texts", "tutor_texts.session_id", "tutor_sessions.session_id")
    .select(["tutor_sessions.session_id as session_id", "tutor_sessions.account_id as account_id"])
    .distinct()
    .where("conversations.deleted", "=", 1)
    .execute();
  return rows.map(({ session_id, account_id }) => ({ sessionId: session_id, accountId: account_id }));
}

/** The live state of any account's session, which an auditor compares with the replay; null if there is none. */
export async function liveTutorState(database: Kysely<TutorTables>, sessionId: string): Promise<TutorState | null> {
  const row = await database.selectFrom("tutor_sessions").select("state").where("session_id", "=", sessionId).executeTakeFirst();
  const state = row && (JSON.parse(row.state) as TutorState);
  return state && exists(state) ? state : null;
}

import { type EventStore, eventIdFrom } from "@colloquy/infra/event-store/client.ts";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { type CheckpointTables, projectionPosition, waitForPosition } from "@colloquy/projections/checkpoints/queries.ts";
import { type ExplainerTables, explainerJobIds } from "@colloquy/projections/explainers/queries.ts";
import { liveEntities, type SyncTables } from "@colloquy/projections/sync/queries.ts";
import { sessionsWithTexts, type TutorTables } from "@colloquy/projections/tutor/queries.ts";
import { bounds, readYourWritesMs } from "@colloquy/schemas/bounds.ts";
import { explainerStreamPrefix } from "@colloquy/schemas/events/explainer.ts";
import { personalStreamPrefixes } from "@colloquy/schemas/events/personal.ts";
import { tutorTextStreamPrefix } from "@colloquy/schemas/events/tutor.ts";
import type { Change } from "@colloquy/schemas/sync/changes.ts";
import type { Kysely } from "kysely";
import type { Assistants } from "../assistants/assistants.ts";
import type { ExplainerJobs } from "../explainers/jobs.ts";
import type { ChangeHandlers } from "../sync/handlers.ts";
import type { TutorSessions } from "../tutor/sessions.ts";

/** Deletions handed on together. */
const atOnce = 50;

interface Needs {
  store: EventStore;
  handlers: ChangeHandlers;
  database: Kysely<SyncTables & CheckpointTables & ExplainerTables & TutorTables>;
  sessions: Pick<TutorSessions, "deleteTexts">;
  assistants: Pick<Assistants, "forget">;
  jobs: Pick<ExplainerJobs, "handle">;
  /** How long one request waits for read models that come nearer. */
  waitMs?: number;
}

interface Request {
  accountId: string;
  requestId: string;
}

/**
 * Deletes everything an account owns: each conversation and annotation as its learner would, what was written in
 * tutoring sessions (also in those of a conversation that was never kept), films, and at the end what its own stream holds.
 * Does a bounded part and says whether more remains; done again, also after a crash, it goes on where it was.
 * @throws {ProblemError} `read_model_behind` when it cannot be known what there is, and the read models come no nearer
 */
export function erasure({ store, handlers, database, sessions, assistants, jobs, waitMs = bounds.erasure.waitMs }: Needs) {
  /** Up to where a request that goes on has to know what there is. What others write meanwhile moves no goal. */
  const goals = new Map<string, { position: string; until: number }>();

  async function goalOf(key: string): Promise<string | null> {
    for (const [other, { until }] of goals) if (until <= performance.now()) goals.delete(other);
    return goals.get(key)?.position ?? store.head();
  }
  /** A process that never heard of the request begins with what there is then: later than it has to, never too early. */
  function keepGoal(key: string, position: string | null): void {
    goals.delete(key);
    if (position !== null) goals.set(key, { position, until: performance.now() + bounds.erasure.resumeMs });
  }

  return async ({ accountId, requestId }: Request): Promise<{ deleted: number; remaining: boolean }> => {
    const key = `${accountId}/${requestId}`;
    const goal = await goalOf(key);
    keepGoal(key, goal);
    const until = performance.now() + waitMs;
    const isKnown =
      (await holds({ store, database, goal, until }, "sync", personalStreamPrefixes)) &&
      (await holds({ store, database, goal, until }, "tutor", [tutorTextStreamPrefix])) &&
      (await holds({ store, database, goal, until }, "explainers", [explainerStreamPrefix]));
    if (!isKnown) return { deleted: 0, remaining: true };
    const most = bounds.erasure.entitiesPerRequest;
    const live = await liveEntities(database, accountId, most);
    const at = new Date().toISOString();
    const changes = live.map<Change>(({ domain, entityId }) => ({
      // One deletion for an entity, however often it is asked for.
      changeId: eventIdFrom(accountId, `erase ${entityId}`),
      domain,
      entityId,
      type: "deleted",
      at,
      data: {},
    }));
    for (let from = 0; from < changes.length; from += atOnce) {
      const { results } = await handlers.push({ accountId, deviceId: "service", requestId }, changes.slice(from, from + atOnce));
      // What is not there any more was deleted meanwhile.
      const kept = results.find(({ outcome, code }) => outcome === "refused" && code !== "not_found");
      if (kept) throw new ProblemError("unavailable");
    }
    const tutored = await sessionsWithTexts(database, accountId, most);
    for (const sessionId of tutored) await sessions.deleteTexts({ accountId, requestId, correlationId: requestId }, sessionId);
    const films = await explainerJobIds(database, accountId, most);
    // The objects of a video are removed by later sweeps, unless another video needs them.
    for (const jobId of films) await jobs.handle(jobId, { accountId, requestId }, { type: "erase", at });
    const remaining = [live, tutored, films].some(({ length }) => length === most);
    if (!remaining) {
      await handlers.eraseLearner(accountId, requestId);
      await assistants.forget(accountId, requestId);
    }
    // What was just deleted has to be known before the rest is looked for.
    keepGoal(key, remaining ? await store.head() : null);
    return { deleted: live.length + tutored.length + films.length, remaining };
  };
}

interface Waiting {
  store: EventStore;
  database: Kysely<CheckpointTables>;
  /** Null for a store without events. */
  goal: string | null;
  /** When a read model that comes nearer is no longer waited for; by `performance.now()`. */
  until: number;
}

/**
 * Waits until a read model holds what these streams held at the goal; false when it came nearer and is not there yet.
 * @throws {ProblemError} `read_model_behind` when it comes no nearer
 */
async function holds({ store, database, goal, until }: Waiting, model: string, prefixes: readonly string[]): Promise<boolean> {
  for (let nearer = false; ; nearer = true) {
    const from = await projectionPosition(database, model);
    const next = await store.next({ from, prefixes, signal: AbortSignal.timeout(readYourWritesMs) });
    if (next === null || goal === null || BigInt(next.position) > BigInt(goal)) return true;
    if (nearer && performance.now() >= until) return false;
    if (await waitForPosition(database, model, next.position, readYourWritesMs)) continue;
    if (nearer) return false;
    throw new ProblemError("read_model_behind");
  }
}

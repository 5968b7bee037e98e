import { type EventStore, eventIdFrom } from "@colloquy/infra/event-store/client.ts";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { route, serve } from "@colloquy/infra/http/route.ts";
import { type CheckpointTables, projectionPosition, waitForPosition } from "@colloquy/projections/checkpoints/queries.ts";
import { type ExplainerTables, explainerJobIds } from "@colloquy/projections/explainers/queries.ts";
import { liveEntities, type SyncTables } from "@colloquy/projections/sync/queries.ts";
import { sessionsWithTexts, type TutorTables } from "@colloquy/projections/tutor/queries.ts";
import { bounds, readYourWritesMs } from "@colloquy/schemas/bounds.ts";
import { eraseAccount } from "@colloquy/schemas/contracts/accounts.ts";
import { personalStreamPrefixes } from "@colloquy/schemas/events/personal.ts";
import { explainerStreamPrefix } from "@colloquy/schemas/explainers/events.ts";
import type { Change } from "@colloquy/schemas/sync/changes.ts";
import { tutorTextStreamPrefix } from "@colloquy/schemas/tutor/events.ts";
import type { Router } from "express";
import type { Kysely } from "kysely";
import { LRUCache } from "lru-cache";
import type { Assistants } from "../assistants/assistants.ts";
import type { ExplainerJobs } from "../explainers/jobs.ts";
import type { ModelUsage } from "../model-gateway/usage.ts";
import type { ReviewReminders } from "../reminders/reminders.ts";
import type { ChangeHandlers } from "../sync/handlers.ts";
import type { TutorSessions } from "../tutor/sessions.ts";
import type { SignIns } from "./sign-ins.ts";

/** Deletions of one push. */
const deletionsPerPush = 50;
/** Requests whose goal is remembered. */
const rememberedRequests = 10_000;

interface Needs {
  store: EventStore;
  handlers: ChangeHandlers;
  database: Kysely<SyncTables & CheckpointTables & ExplainerTables & TutorTables>;
  sessions: Pick<TutorSessions, "deleteTexts">;
  assistants: Pick<Assistants, "forget">;
  signIns: Pick<SignIns, "forget">;
  reminders: Pick<ReviewReminders, "handle">;
  jobs: Pick<ExplainerJobs, "handle">;
  usage: Pick<ModelUsage, "forget">;
  /** How long a request waits for read models that make progress (ms). */
  waitMs?: number;
}

interface Request {
  accountId: string;
  requestId: string;
}

/**
 * Deletes everything an account owns: conversations, annotations, texts of tutoring sessions (also without a stored conversation), videos
 * and, at the end, its own stream. A request deletes a bounded part and reports whether more remains; repeat it to continue, also after a
 * crash.
 * @throws {ProblemError} `read_model_behind` if the read models are behind and make no progress
 */
export function erasure({
  store,
  handlers,
  database,
  sessions,
  assistants,
  signIns,
  reminders,
  jobs,
  usage,
  waitMs = bounds.erasure.waitMs,
}: Needs) {
  /** The position that the read models must reach for a request; events of other accounts do not move it. If it is lost, the head is safe. */
  const goals = new LRUCache<string, string>({ max: rememberedRequests, ttl: bounds.erasure.resumeMs });
  function setGoal(key: string, position: string | null): void {
    if (position === null) goals.delete(key);
    else goals.set(key, position);
  }

  return async ({ accountId, requestId }: Request): Promise<{ deleted: number; remaining: boolean }> => {
    const key = `${accountId}/${requestId}`;
    const goal = goals.get(key) ?? (await store.head());
    setGoal(key, goal);
    const until = performance.now() + waitMs;
    const isComplete =
      (await hasReached({ store, database, goal, until }, "sync", personalStreamPrefixes)) &&
      (await hasReached({ store, database, goal, until }, "tutor", [tutorTextStreamPrefix])) &&
      (await hasReached({ store, database, goal, until }, "explainers", [explainerStreamPrefix]));
    if (!isComplete) return { deleted: 0, remaining: true };
    const most = bounds.erasure.entitiesPerRequest;
    const live = await liveEntities(database, accountId, most);
    const at = new Date().toISOString();
    const changes = live.map<Change>(({ domain, entityId }) => ({
      // A repeated request repeats the same deletion.
      changeId: eventIdFrom(accountId, `erase ${entityId}`),
      domain,
      entityId,
      type: "deleted",
      at,
      data: {},
    }));
    for (let from = 0; from < changes.length; from += deletionsPerPush) {
      const { results } = await handlers.push({ accountId, deviceId: "service", requestId }, changes.slice(from, from + deletionsPerPush));
      // A missing entity was deleted meanwhile.
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
      await signIns.forget(accountId, requestId);
      await reminders.handle(accountId, { type: "forget" }, requestId);
      await usage.forget(accountId);
    }
    // The read models must know of these deletions before the rest is listed.
    setGoal(key, remaining ? await store.head() : null);
    return { deleted: live.length + tutored.length + films.length, remaining };
  };
}

/** `POST` of the erasure of the account that is signed in. */
export function erasureRoutes({ erase }: { erase: ReturnType<typeof erasure> }): Router {
  return serve([route(eraseAccount, ({ account: { accountId }, body: { requestId } }) => erase({ accountId, requestId }))]);
}

interface Waiting {
  store: EventStore;
  database: Kysely<CheckpointTables>;
  /** Null for a store without events. */
  goal: string | null;
  /** Until when to wait for a read model that makes progress; by `performance.now()`. */
  until: number;
}

/**
 * Waits until a read model has the events of these streams up to the goal; false if it made progress and needs more time.
 * @throws {ProblemError} `read_model_behind` without progress
 */
async function hasReached({ store, database, goal, until }: Waiting, model: string, prefixes: readonly string[]): Promise<boolean> {
  for (let hasProgressed = false; ; hasProgressed = true) {
    const from = await projectionPosition(database, model);
    const next = await store.next({ from, prefixes, signal: AbortSignal.timeout(readYourWritesMs) });
    if (next === null || goal === null || BigInt(next.position) > BigInt(goal)) return true;
    if (hasProgressed && performance.now() >= until) return false;
    if (await waitForPosition(database, model, next.position, readYourWritesMs)) continue;
    if (hasProgressed) return false;
    throw new ProblemError("read_model_behind");
  }
}

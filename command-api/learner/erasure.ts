import { type EventStore, eventIdFrom, WrongExpectedRevision } from "@colloquy/infra/event-store/client.ts";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { type CheckpointTables, projectionPosition, waitFor } from "@colloquy/projections/checkpoints/queries.ts";
import { liveEntities, type SyncTables } from "@colloquy/projections/sync/queries.ts";
import { bounds, readYourWritesMs } from "@colloquy/schemas/bounds.ts";
import { learnerErased, learnerStream } from "@colloquy/schemas/events/learner.ts";
import { personalStreamPrefixes } from "@colloquy/schemas/events/personal.ts";
import type { Change } from "@colloquy/schemas/sync/changes.ts";
import type { Kysely } from "kysely";
import type { ChangeHandlers } from "../sync/handlers.ts";

/** Deletions handed on together. */
const atOnce = 50;
/** Tries against changes that come to the account's stream at the same time. */
const tries = 5;

interface Needs {
  store: EventStore;
  handlers: ChangeHandlers;
  database: Kysely<SyncTables & CheckpointTables>;
}

interface Request {
  accountId: string;
  requestId: string;
}

/**
 * Deletes everything an account owns: each conversation and annotation as its learner would, and at the end what its own stream holds.
 * Does a bounded part and says whether more remains; done again, also after a crash, it goes on where it was.
 * @throws {ProblemError} `read_model_behind` when it cannot be known yet what there is
 */
export function erasure({ store, handlers, database }: Needs) {
  return async ({ accountId, requestId }: Request): Promise<{ deleted: number; remaining: boolean }> => {
    await everythingKnown(store, database);
    const live = await liveEntities(database, accountId, bounds.erasure.entitiesPerRequest);
    const at = new Date().toISOString();
    const changes = live.map<Change>(({ domain, entityId }) => ({
      // One deletion for an entity, however often it is asked for.
      ...{ changeId: eventIdFrom(accountId, `erase ${entityId}`), domain, entityId, type: "deleted", at, data: {} },
    }));
    for (let from = 0; from < changes.length; from += atOnce) {
      const { results } = await handlers.push({ accountId, deviceId: "service", requestId }, changes.slice(from, from + atOnce));
      // What is not there any more was deleted meanwhile.
      const kept = results.find(({ outcome, code }) => outcome === "refused" && code !== "not_found");
      if (kept) throw new ProblemError("unavailable");
    }
    const remaining = live.length === bounds.erasure.entitiesPerRequest;
    if (!remaining) await eraseOwn(store, accountId, requestId);
    return { deleted: live.length, remaining };
  };
}

/** Waits until the feed holds every change there is by now. @throws {ProblemError} `read_model_behind` */
async function everythingKnown(store: EventStore, database: Kysely<SyncTables & CheckpointTables>): Promise<void> {
  const until = performance.now() + readYourWritesMs;
  for (;;) {
    const position = await projectionPosition(database, "sync");
    const signal = AbortSignal.timeout(readYourWritesMs);
    const next = await store.next({ from: position, prefixes: personalStreamPrefixes, signal });
    if (next === null) return;
    const left = until - performance.now();
    if (left <= 0 || !(await waitFor(database, "sync", next.position, left))) throw new ProblemError("read_model_behind");
  }
}

/** Marks the account's own stream and cuts away what stood before; a stream that is empty, or has been marked last, stays as it is. */
async function eraseOwn(store: EventStore, accountId: string, requestId: string): Promise<void> {
  const stream = learnerStream(accountId);
  for (let left = tries; ; left -= 1) {
    let last = -1;
    for await (const event of store.read(stream, { direction: "backwards", limit: 1 })) {
      if (event.type === learnerErased) return store.truncateBefore(stream, event.revision);
      last = event.revision;
    }
    if (last < 0) return;
    const id = eventIdFrom(accountId, `erase ${requestId} ${last}`);
    const metadata = { accountId, requestId: id, correlationId: requestId };
    try {
      const { revision } = await store.append(stream, [{ id, type: learnerErased, data: { schemaVersion: 1 }, metadata }], last);
      return await store.truncateBefore(stream, revision);
    } catch (error) {
      if (!(error instanceof WrongExpectedRevision) || left <= 1) throw error;
    }
  }
}

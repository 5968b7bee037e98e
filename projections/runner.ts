import { setTimeout as pause } from "node:timers/promises";
import { Backoff } from "@colloquy/infra/backoff.ts";
import { damagedFileAdvice } from "@colloquy/infra/database/damage.ts";
import { eraseDeleted } from "@colloquy/infra/database/open.ts";
import { type EventStore, type SeenEvent, StoreIsOlder } from "@colloquy/infra/event-store/client.ts";
import { createMailbox } from "@colloquy/infra/mailbox.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import { createMeter } from "@colloquy/infra/telemetry/meter.ts";
import { inSpanOfBatch } from "@colloquy/infra/telemetry/traces.ts";
import { purgingEventTypes } from "@colloquy/schemas/events/purging.ts";
import { knownEventTypes } from "@colloquy/schemas/events/registry.ts";
import type { Kysely, Transaction } from "kysely";
import { ApplyEventError, applyKnownEvents, type BatchItem, lastEvent, lastPosition, writeIsolatingFailures } from "./apply-batch.ts";
import {
  aheadOfStoreMessage,
  CheckpointLost,
  type CheckpointStore,
  type CheckpointTables,
  projectionCheckpoint,
} from "./checkpoints/tables.ts";
import type { Projection } from "./projection.ts";

/** Events written in one transaction at most (Marten's daemon uses the same). */
const batchSize = 500;
/** Events held ready while a batch is being written. */
const readAhead = 2 * batchSize;
/** How long a batch may take to fill while a projection catches up; live events are written at once. */
const gatherMs = 20;
const backoffMs = { firstMs: 100, longestMs: 10_000 };
/** How often a paused runner checks whether it should run again. */
const standbyMs = 5_000;
/** Unknown types that are counted by name; any further ones are counted together. */
const maxUnknownTypes = 50;

export type RunState = "starting" | "catching-up" | "live" | "standby" | "retrying" | "failed" | "ahead" | "stopped";

export interface ProjectionStatus {
  name: string;
  state: RunState;
  position: string | null;
  /** Age of the oldest event that waits to be applied, in milliseconds; 0 when none waits. */
  lagMs: number;
  /** Since this process began. */
  applied: number;
  /** Skipped events of types that this version does not know, by type. */
  skipped: Record<string, number>;
  eventsPerSecond: number;
  failure?: { eventId: string; type: string; stream: string; position: string; message: string };
}

export interface RunningProjection {
  status(): ProjectionStatus;
  /** Resolves when it has stopped, by the signal. */
  finished: Promise<void>;
}

interface Options {
  projection: Projection;
  database: Kysely<CheckpointTables>;
  store: Pick<EventStore, "subscribe" | "head" | "next" | "assertSameStore">;
  log: Logger;
  signal: AbortSignal;
  standbyMs?: number;
  /** By default the projection's own checkpoint. */
  checkpoint?: CheckpointStore;
  /** Called after each commit. */
  onAdvance?: () => void;
}

/**
 * Runs one projection from its checkpoint until the signal, in batches, each in one transaction with the checkpoint.
 * If the store or the database fails, it retries. An event that cannot be applied stops only this projection, until the next start or a
 * rebuild. Rows that are ahead of the store, because the store was restored from an older backup, wait for a rebuild. If another runner of
 * the same projection moved the checkpoint, this one stands by and takes over when the other has stopped.
 */
export function runProjection(options: Options): RunningProjection {
  const { projection, database, store, signal } = options;
  const log = options.log.child({ projection: projection.name });
  const pollMs = options.standbyMs ?? standbyMs;
  const checkpoint = options.checkpoint ?? projectionCheckpoint(database, projection.name);
  const purging = new Set(projection.events.filter((type) => purgingEventTypes.includes(type)));
  const meter = createMeter();
  const status: Omit<ProjectionStatus, "lagMs" | "eventsPerSecond"> = {
    name: projection.name,
    state: "starting",
    position: null,
    applied: 0,
    skipped: {},
  };
  let mailbox = createMailbox<BatchItem>(readAhead);
  let generation = 0;
  let current: BatchItem | undefined;
  let lastApplied: SeenEvent | null = null;
  let purgePending = false;
  /** The event that stopped an earlier runner, until this one has applied it. */
  let storedFailure: string | null = null;

  const write = (items: readonly BatchItem[]): Promise<void> => {
    const events = items.flatMap((item) => ("event" in item ? [item.event] : []));
    return inSpanOfBatch(`projection ${projection.name}`, { "colloquy.events": events.length }, events, () => writeAll(items));
  };

  async function writeAll(items: readonly BatchItem[]): Promise<void> {
    const position = lastPosition(items);
    if (position === null) return;
    current = items[0];
    const isPastFailure = storedFailure !== null && items.some((item) => "event" in item && failureKey(item.event) === storedFailure);
    const passedFailure = isPastFailure ? storedFailure : null;
    await database.transaction().execute(async (tx) => {
      await applyKnownEvents(projection, tx as unknown as Transaction<object>, items);
      await checkpoint.move(tx, { expected: status.position, position, lastEvent: lastEvent(items) });
      if (passedFailure !== null) await clearFailure(tx, passedFailure);
    });
    if (passedFailure !== null) storedFailure = null;
    status.position = position;
    lastApplied = lastEvent(items) ?? lastApplied;
    options.onAdvance?.();
    count(items);
    purgePending ||= items.some((item) => "event" in item && purging.has(item.event.type));
    if (purgePending) await purgeDeleted();
  }

  function count(items: readonly BatchItem[]): void {
    let applied = 0;
    for (const item of items) {
      if (!("event" in item)) continue;
      const { type, id, stream, position } = item.event;
      if (projection.events.includes(type)) applied += 1;
      // Other known types in its streams are no concern of this projection; only types that this version does not know are reported.
      else if (!knownEventTypes.has(type)) {
        const known = Object.keys(status.skipped).length < maxUnknownTypes || Object.hasOwn(status.skipped, type);
        const name = known ? type : "others";
        if (!Object.hasOwn(status.skipped, name))
          log.warn({ eventId: id, type, stream, position }, "events of an unknown type are skipped");
        status.skipped[name] = (status.skipped[name] ?? 0) + 1;
      }
    }
    status.applied += applied;
    meter.add(applied);
  }

  /** Removes deleted text from the file. A reader may block this for a moment: then it is tried again a second later. */
  async function purgeDeleted(): Promise<void> {
    purgePending = !(await eraseDeleted(database));
    if (purgePending)
      setTimeout(() => void purgeDeleted().catch((error) => log.warn({ err: error }, "deleted text is still on the disk")), 1_000).unref();
  }

  /** One subscription, from the stored checkpoint until it fails or the signal aborts. */
  async function runSubscription(): Promise<void> {
    const stored = await checkpoint.read();
    ({ position: status.position, generation, failure: storedFailure, lastEvent: lastApplied } = stored);
    if (stored.state === "ahead") throw new StoreIsOlder(stored.position ?? "0", await store.head());
    status.state = "catching-up";
    // A crash may have come between a deletion's commit and its removal from the file.
    if (purging.size > 0) await purgeDeleted();
    const subscription = new AbortController();
    const received = createMailbox<BatchItem>(readAhead);
    mailbox = received;
    const receive = async (): Promise<void> => {
      const events = store.subscribe({
        from: status.position,
        seen: lastApplied,
        prefixes: [...projection.streams],
        name: projection.name,
        signal: AbortSignal.any([signal, subscription.signal]),
        onCaughtUp: () => void received.put({ caughtUp: true }, true),
        onCheckpoint: (position) => void received.put({ checkpoint: position }),
      });
      for await (const event of events) await received.put({ event });
    };
    const receiving = receive().then(
      () => received.end(),
      (error) => received.end(error),
    );
    try {
      for (;;) {
        const items = await received.take(batchSize, status.state === "live" ? 0 : gatherMs);
        if (items.length === 0 || signal.aborted) return;
        await writeIsolatingFailures(items, write, signal);
        current = undefined;
        if (items.some((item) => "caughtUp" in item)) status.state = "live";
        backoff.reset();
      }
    } finally {
      current = undefined;
      subscription.abort();
      // The receiver may be waiting for room in the mailbox, which nothing else empties.
      while ((await received.take(readAhead).catch(() => [])).length > 0);
      await receiving;
    }
  }

  const backoff = new Backoff(backoffMs);
  let damageLogged = false;
  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        await runSubscription();
      } catch (error) {
        if (signal.aborted) break;
        const cause = await causeOf(error);
        if (cause instanceof ApplyEventError) {
          await stopAt(cause);
          continue;
        }
        if (cause instanceof StoreIsOlder) {
          await waitForRebuild(cause);
          continue;
        }
        if (cause instanceof CheckpointLost) {
          await standBy(cause);
          continue;
        }
        status.state = "retrying";
        const damage = damagedFileAdvice(error);
        // Only an operator can repair the file: logged once.
        if (damage && !damageLogged) log.error({ position: status.position }, damage);
        if (!damage) log.warn({ err: error, position: status.position }, "the projection was interrupted; retrying from its checkpoint");
        damageLogged = damage !== null;
      }
      await backoff.pause(signal);
    }
    status.state = "stopped";
  }

  /**
   * The cause of an error; undefined if unknown. An event is the cause only if the database answers, its file is intact and the checkpoint
   * has not moved: a second runner fails on rows that the first has just committed.
   */
  async function causeOf(error: unknown): Promise<unknown> {
    if (!(error instanceof ApplyEventError)) return error;
    if (damagedFileAdvice(error)) return undefined;
    const now = await checkpoint.read().catch(() => null);
    if (!now) return undefined;
    const ours = now.position === status.position && now.generation === generation;
    return ours ? error : new CheckpointLost(projection.name, status.position);
  }

  /** Another runner moved the checkpoint. Returns when that runner has stopped, or after a rebuild. */
  async function standBy(lost: CheckpointLost): Promise<void> {
    const startGeneration = generation;
    let lastPosition: string | null | undefined;
    /** Up to here the store has no unapplied event of this projection, so it is not searched again. */
    let searchedTo: string | null = null;
    while (!signal.aborted) {
      const now = await checkpoint.read().catch(() => null);
      // A rebuild replaced these rows; no other runner works on the new ones.
      if (now && now.generation !== startGeneration) return;
      if (lastPosition === undefined) {
        status.state = "standby";
        log.warn({ position: status.position }, `${lost.message}; this runner stands by until the other stops`);
      } else if (now && now.position === lastPosition) {
        const found = await findUnapplied(searchedTo ?? lastPosition);
        if (found === "found") {
          log.info({ position: lastPosition }, "the other runner has stopped; this one takes over");
          return;
        }
        searchedTo = found;
      } else searchedTo = null;
      if (now) lastPosition = now.position;
      await pause(pollMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** "found" if the store has an event of this projection after a position; otherwise the position up to which it has none. */
  async function findUnapplied(position: string | null): Promise<"found" | string | null> {
    try {
      const end = await store.head();
      return (await store.next({ from: position, prefixes: projection.streams, signal })) ? "found" : end;
    } catch (error) {
      log.debug({ err: error }, "the event store could not be read");
      return position;
    }
  }

  /** Whether the store has, again, everything that these rows were made from. */
  async function isStoreWhole(): Promise<boolean> {
    const head = await store.head();
    if (status.position !== null && BigInt(head ?? -1) < BigInt(status.position)) return false;
    if (!lastApplied) return status.position === null;
    await store.assertSameStore(lastApplied);
    return true;
  }

  /**
   * The rows are newer than the store, which was restored from a backup. Logs that, and returns after a rebuild, or when the store has
   * what was missed after all: a node of a cluster that lagged, or the right store instead of another.
   */
  async function waitForRebuild(older: StoreIsOlder): Promise<void> {
    status.state = "ahead";
    log.error({ position: status.position }, `${older.message} ${aheadOfStoreMessage}`);
    const ownCheckpoint = database.updateTable("checkpoints").where("name", "=", projection.name).where("generation", "=", generation);
    let stored = false;
    while (!signal.aborted) {
      try {
        if (!stored) await ownCheckpoint.set({ state: "ahead", failure: aheadOfStoreMessage }).execute();
        stored = true;
        if ((await checkpoint.read()).generation !== generation) return;
      } catch (error) {
        log.warn({ err: error }, 'the state "ahead" could not be stored');
      }
      await pause(pollMs, undefined, { signal }).catch(() => undefined);
      if (!(await isStoreWhole().catch(() => false))) continue;
      await ownCheckpoint.where("state", "=", "ahead").set({ state: "running", failure: null }).execute();
      log.info({ position: status.position }, "the event store has what the read model was made from; it goes on");
      return;
    }
  }

  const clearFailure = async (tx: Kysely<CheckpointTables>, failure: string): Promise<unknown> =>
    tx
      .updateTable("checkpoints")
      .set({ state: "running", failure: null })
      .where("name", "=", projection.name)
      .where("failure", "=", failure)
      .execute();

  /** Logs and stores the event that stopped the projection, and returns when a rebuild or another runner got past it. */
  async function stopAt({ event, cause }: ApplyEventError): Promise<void> {
    const message = cause instanceof Error ? cause.message : String(cause);
    const { id: eventId, type, stream, position, metadata } = event;
    status.state = "failed";
    status.failure = { eventId, type, stream, position, message };
    log.error({ err: cause, eventId, type, stream, position, correlationId: metadata.correlationId }, "the projection stopped");
    const failure = failureKey(event);
    let stored = false;
    while (!signal.aborted) {
      try {
        if (!stored)
          await database.updateTable("checkpoints").set({ state: "failed", failure }).where("name", "=", projection.name).execute();
        stored = true;
        const now = await checkpoint.read();
        if (now.generation !== generation || now.state !== "failed" || now.position !== status.position) break;
      } catch (error) {
        log.warn({ err: error }, "the failure could not be stored or read");
      }
      await pause(pollMs, undefined, { signal }).catch(() => undefined);
    }
    delete status.failure;
    // The next runner decides anew whether this event fails.
    if (stored) await clearFailure(database, failure).catch((error) => log.warn({ err: error }, "the failure could not be cleared"));
  }

  return {
    status: () => ({
      ...status,
      lagMs: lagOf(current ?? mailbox.peek()),
      eventsPerSecond: meter.perSecond(),
      skipped: { ...status.skipped },
    }),
    finished: run(),
  };
}

/** The name of a failed event in the checkpoint. */
const failureKey = ({ type, id }: { type: string; id: string }): string => `${type} ${id}`;

function lagOf(waiting: BatchItem | undefined): number {
  return waiting && "event" in waiting ? Math.max(0, Date.now() - Date.parse(waiting.event.created)) : 0;
}

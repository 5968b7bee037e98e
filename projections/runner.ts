import { setTimeout as pause } from "node:timers/promises";
import { damagedFileAdvice } from "@colloquy/infra/database/damage.ts";
import { eraseDeleted } from "@colloquy/infra/database/open.ts";
import { type EventStore, type SeenEvent, StoreIsOlder } from "@colloquy/infra/event-store/client.ts";
import { createMailbox } from "@colloquy/infra/mailbox.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import { createMeter } from "@colloquy/infra/telemetry/meter.ts";
import { inSpanOfBatch } from "@colloquy/infra/telemetry/traces.ts";
import { knownEventTypes } from "@colloquy/schemas/events/known.ts";
import { purgingEventTypes } from "@colloquy/schemas/events/purging.ts";
import type { Kysely, Transaction } from "kysely";
import { applyKnown, EventRefused, type Item, lastSeen, positionAt, writeIsolating } from "./apply-batch.ts";
import { type CheckpointKeeper, projectionCheckpoint } from "./checkpoints/keeper.ts";
import { aheadOfStore, CheckpointLost, type CheckpointTables } from "./checkpoints/tables.ts";
import type { Projection } from "./projection.ts";

/** Events written in one transaction at most (Marten's daemon uses the same). */
const batchSize = 500;
/** Events held ready while a batch is being written. */
const readAhead = 2 * batchSize;
/** How long a batch may take to fill while a projection catches up; live events are written at once. */
const gatherMs = 20;
const backoffMs = { first: 100, longest: 10_000 };
/** How often a runner that does not run looks whether it should again. */
const standbyMs = 5_000;
/** Unknown types told apart; whatever comes beyond is counted together. */
const unknownTypesAtMost = 50;

export type RunState = "starting" | "catching-up" | "live" | "standby" | "retrying" | "failed" | "ahead" | "stopped";

export interface ProjectionStatus {
  name: string;
  state: RunState;
  position: string | null;
  /** Age of the oldest event that waits to be applied, in milliseconds; 0 when none waits. */
  lagMs: number;
  /** Since this process began. */
  applied: number;
  /** Events of types this version does not know, by type. They are kept by the store and skipped here. */
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
  store: Pick<EventStore, "subscribe" | "head" | "next">;
  log: Logger;
  signal: AbortSignal;
  standbyMs?: number;
  /** Where it keeps how far it has come; by default the projection's one checkpoint. */
  checkpoint?: CheckpointKeeper;
  /** Called after each commit. */
  onMoved?: () => void;
}

/**
 * Runs one projection from its checkpoint until the signal: batches, each with the checkpoint in one transaction.
 * A store or database in trouble is waited for. An event that cannot be handled stops this projection alone; it begins there again at
 * the next start, or when a rebuild has put other rows in the place of its own. Rows that are ahead of the store, because that was
 * restored from an older backup, wait for a rebuild. A runner that meets another one of the same projection
 * leaves it the work and takes over when that one has stopped working.
 */
export function runProjection(options: Options): RunningProjection {
  const { projection, database, store, signal } = options;
  const log = options.log.child({ projection: projection.name });
  const lookMs = options.standbyMs ?? standbyMs;
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
  let mailbox = createMailbox<Item>(readAhead);
  let generation = 0;
  let inHand: Item | undefined;
  let seen: SeenEvent | null = null;
  let toForget = false;
  /** What stopped the runner before this one, until this one has got past it. */
  let inherited: string | null = null;

  const write = (items: readonly Item[]): Promise<void> => {
    const events = items.flatMap((item) => ("event" in item ? [item.event] : []));
    return inSpanOfBatch(`projection ${projection.name}`, { "colloquy.events": events.length }, events, () => writeAll(items));
  };

  async function writeAll(items: readonly Item[]): Promise<void> {
    const position = positionAt(items);
    if (position === null) return;
    inHand = items[0];
    const isMended = inherited !== null && items.some((item) => "event" in item && failureAt(item.event) === inherited);
    const mended = isMended ? inherited : null;
    await database.transaction().execute(async (tx) => {
      await applyKnown(projection, tx as unknown as Transaction<object>, items);
      await checkpoint.move(tx, { expected: status.position, position, seen: lastSeen(items) });
      if (mended !== null) await clearFailure(tx, mended);
    });
    if (mended !== null) inherited = null;
    status.position = position;
    seen = lastSeen(items) ?? seen;
    options.onMoved?.();
    count(items);
    toForget ||= items.some((item) => "event" in item && purging.has(item.event.type));
    if (toForget) await forget();
  }

  function count(items: readonly Item[]): void {
    let applied = 0;
    for (const item of items) {
      if (!("event" in item)) continue;
      const { type, id, stream, position } = item.event;
      if (projection.events.includes(type)) applied += 1;
      // Its streams hold events of ours that are of no use to it; only what this version does not know at all is worth a word.
      else if (!knownEventTypes.has(type)) {
        const known = Object.keys(status.skipped).length < unknownTypesAtMost || Object.hasOwn(status.skipped, type);
        const name = known ? type : "others";
        if (!Object.hasOwn(status.skipped, name))
          log.warn({ eventId: id, type, stream, position }, "events of an unknown type are skipped");
        status.skipped[name] = (status.skipped[name] ?? 0) + 1;
      }
    }
    status.applied += applied;
    meter.add(applied);
  }

  /** A reader may keep the log of the file busy for a moment: then once more, a little later. */
  async function forget(): Promise<void> {
    toForget = !(await eraseDeleted(database));
    if (toForget)
      setTimeout(() => void forget().catch((error) => log.warn({ err: error }, "deleted text is not yet off the disk")), 1_000).unref();
  }

  /** One subscription, from the stored checkpoint until it breaks or the signal comes. */
  async function follow(): Promise<void> {
    const begins = await checkpoint.read();
    ({ position: status.position, generation, failure: inherited, seen } = begins);
    if (begins.state === "ahead") throw new StoreIsOlder(begins.position ?? "0", await store.head());
    status.state = "catching-up";
    // A crash may have come between a deletion's commit and its leaving the disk.
    if (purging.size > 0) await forget();
    const round = new AbortController();
    const box = createMailbox<Item>(readAhead);
    mailbox = box;
    const bring = async (): Promise<void> => {
      const events = store.subscribe({
        from: status.position,
        seen,
        prefixes: [...projection.streams],
        name: projection.name,
        signal: AbortSignal.any([signal, round.signal]),
        onCaughtUp: () => void box.put({ caughtUp: true }, true),
        onCheckpoint: (passed) => void box.put({ passed }),
      });
      for await (const event of events) await box.put({ event });
    };
    const bringing = bring().then(
      () => box.end(),
      (error) => box.end(error),
    );
    try {
      for (;;) {
        const items = await box.take(batchSize, status.state === "live" ? 0 : gatherMs);
        if (items.length === 0 || signal.aborted) return;
        await writeIsolating(items, write, signal);
        inHand = undefined;
        if (items.some((item) => "caughtUp" in item)) status.state = "live";
        failures = 0;
      }
    } finally {
      inHand = undefined;
      round.abort();
      // The bringer may wait for room that nobody will make: let it run out.
      while ((await box.take(readAhead).catch(() => [])).length > 0);
      await bringing;
    }
  }

  let failures = 0;
  /** Said that the file is damaged. */
  let damaged = false;
  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        await follow();
      } catch (error) {
        if (signal.aborted) break;
        const meaning = await meaningOf(error);
        if (meaning instanceof EventRefused) {
          await stopAt(meaning);
          continue;
        }
        if (meaning instanceof StoreIsOlder) {
          await waitForRebuild(meaning);
          continue;
        }
        if (meaning instanceof CheckpointLost) {
          await standBy(meaning);
          continue;
        }
        status.state = "retrying";
        const damage = damagedFileAdvice(error);
        // Nothing but a person helps then, who reads it once.
        if (damage && !damaged) log.error({ position: status.position }, damage);
        if (!damage)
          log.warn({ err: error, position: status.position }, "the projection was interrupted and starts again from its checkpoint");
        damaged = damage !== null;
      }
      const wait = Math.min(backoffMs.first * 2 ** failures, backoffMs.longest);
      failures += 1;
      await pause(wait, undefined, { signal }).catch(() => undefined);
    }
    status.state = "stopped";
  }

  /**
   * An event is at fault only when the database answers, its file is whole, and nobody else has moved on: a second runner trips over the rows that the first
   * has just committed.
   */
  async function meaningOf(error: unknown): Promise<unknown> {
    if (!(error instanceof EventRefused)) return error;
    if (damagedFileAdvice(error)) return undefined;
    const now = await checkpoint.read().catch(() => null);
    if (!now) return undefined;
    const ours = now.position === status.position && now.generation === generation;
    return ours ? error : new CheckpointLost(projection.name, status.position);
  }

  /** Somebody else moved the checkpoint. Returns when it is this runner's turn again. */
  async function standBy(lost: CheckpointLost): Promise<void> {
    const began = generation;
    let seen: string | null | undefined;
    /** Up to where nothing of this projection waits: not looked through again. */
    let clear: string | null = null;
    while (!signal.aborted) {
      const now = await checkpoint.read().catch(() => null);
      // A rebuild put its own rows in the place of these; nobody else runs.
      if (now && now.generation !== began) return;
      if (seen === undefined) {
        status.state = "standby";
        log.warn({ position: status.position }, `${lost.message}; this one steps back until the other stops`);
      } else if (now && now.position === seen) {
        const looked = await lookBehind(clear ?? seen);
        if (looked === "waits") {
          log.info({ position: seen }, "the other runner has stopped; this one takes over");
          return;
        }
        clear = looked;
      } else clear = null;
      if (now) seen = now.position;
      await pause(lookMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Whether the store has an event of this projection behind a position; if not, up to where it has none. */
  async function lookBehind(position: string | null): Promise<"waits" | string | null> {
    try {
      const end = await store.head();
      return (await store.next({ from: position, prefixes: projection.streams, signal })) ? "waits" : end;
    } catch (error) {
      log.debug({ err: error }, "the store could not be asked");
      return position;
    }
  }

  /** The rows are from a store that was set back since. Says so, and returns when a rebuild has put others in their place. */
  async function waitForRebuild(older: StoreIsOlder): Promise<void> {
    status.state = "ahead";
    log.error({ position: status.position }, `${older.message} ${aheadOfStore}`);
    const mine = database.updateTable("checkpoints").where("name", "=", projection.name).where("generation", "=", generation);
    let stored = false;
    while (!signal.aborted) {
      try {
        if (!stored) await mine.set({ state: "ahead", failure: aheadOfStore }).execute();
        stored = true;
        if ((await checkpoint.read()).generation !== generation) return;
      } catch (error) {
        log.warn({ err: error }, "it could not be stored that these rows are ahead of their store");
      }
      await pause(lookMs, undefined, { signal }).catch(() => undefined);
    }
  }

  const clearFailure = async (tx: Kysely<CheckpointTables>, failure: string): Promise<unknown> =>
    tx
      .updateTable("checkpoints")
      .set({ state: "running", failure: null })
      .where("name", "=", projection.name)
      .where("failure", "=", failure)
      .execute();

  /** Says what stopped the projection, and returns when somebody has done something about it while this process lives. */
  async function stopAt(refused: EventRefused): Promise<void> {
    const { event, cause } = refused;
    const message = cause instanceof Error ? cause.message : String(cause);
    const { id: eventId, type, stream, position, metadata } = event;
    status.state = "failed";
    status.failure = { eventId, type, stream, position, message };
    log.error({ err: cause, eventId, type, stream, position, correlationId: metadata.correlationId }, "the projection stopped");
    const failure = failureAt(event);
    let stored = false;
    while (!signal.aborted) {
      try {
        if (!stored)
          await database.updateTable("checkpoints").set({ state: "failed", failure }).where("name", "=", projection.name).execute();
        stored = true;
        const now = await checkpoint.read();
        if (now.generation !== generation || now.state !== "failed") break;
        // Another runner got past it.
        if (now.position !== status.position) break;
      } catch (error) {
        log.warn({ err: error }, "the failure could not be stored or looked at");
      }
      await pause(lookMs, undefined, { signal }).catch(() => undefined);
    }
    delete status.failure;
    // Whoever takes over decides anew whether it is at fault.
    if (stored) await clearFailure(database, failure).catch((error) => log.warn({ err: error }, "the failure could not be taken back"));
  }

  return {
    status: () => ({
      ...status,
      lagMs: lagOf(inHand ?? mailbox.peek()),
      eventsPerSecond: meter.perSecond(),
      skipped: { ...status.skipped },
    }),
    finished: run(),
  };
}

/** How a checkpoint names the event that stopped a projection. */
const failureAt = ({ type, id }: { type: string; id: string }): string => `${type} ${id}`;

function lagOf(waiting: Item | undefined): number {
  return waiting && "event" in waiting ? Math.max(0, Date.now() - Date.parse(waiting.event.created)) : 0;
}

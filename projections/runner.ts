import { setTimeout as pause } from "node:timers/promises";
import { forgetDeleted } from "@colloquy/infra/database/open.ts";
import type { EventStore, StoredEvent } from "@colloquy/infra/event-store/client.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import type { Kysely, Transaction } from "kysely";
import { CheckpointLost, type CheckpointTables, moveCheckpoint, readCheckpoint } from "./checkpoints/tables.ts";
import { createMailbox } from "./mailbox.ts";
import { createMeter } from "./meter.ts";
import type { Projection } from "./projection.ts";

/** Events written in one transaction at most (Marten's daemon uses the same). */
const batchSize = 500;
/** Events held ready while a batch is being written. */
const readAhead = 2 * batchSize;
/** Tries an event gets before the projection stops at it: a database may be in trouble for a moment. */
const triesPerEvent = 3;
const backoffMs = { first: 100, longest: 10_000 };
/** How long a runner that lost its checkpoint leaves the projection to the other one, before it looks again. */
const standbyMs = 5_000;

export type RunState = "starting" | "catching-up" | "live" | "standby" | "retrying" | "failed" | "stopped";

export interface ProjectionStatus {
  name: string;
  state: RunState;
  position: string | null;
  /** Age of the oldest event that waits to be applied, in milliseconds; 0 when none waits. */
  lagMs: number;
  /** Since this process began. */
  applied: number;
  /** Events of a type the projection does not know. */
  skipped: number;
  eventsPerSecond: number;
  failure?: { eventId: string; type: string; stream: string; position: string; message: string };
}

export interface RunningProjection {
  status(): ProjectionStatus;
  /** Resolves when it has stopped: by the signal, or because it failed. */
  finished: Promise<void>;
}

/** What the subscription brings: an event, a position behind which nothing of ours is left, or the news that the rest is live. */
type Item = { event: StoredEvent } | { passed: string } | { caughtUp: true };

/** An event that its projection could not handle. */
class EventRefused extends Error {
  override name = "EventRefused";
  readonly event: StoredEvent;
  constructor(event: StoredEvent, cause: unknown) {
    super(`${event.type} could not be applied`, { cause });
    this.event = event;
  }
}

interface Options {
  projection: Projection;
  database: Kysely<CheckpointTables>;
  store: Pick<EventStore, "subscribe">;
  log: Logger;
  signal: AbortSignal;
  standbyMs?: number;
}

/**
 * Runs one projection from its checkpoint until the signal: batches, each with the checkpoint in one transaction.
 * A store or database in trouble is waited for; an event that cannot be handled stops this projection alone, and it begins there again at the next start.
 */
export function runProjection(options: Options): RunningProjection {
  const { projection, database, store, signal } = options;
  const log = options.log.child({ projection: projection.name });
  const known = new Set(projection.events);
  const purging = new Set(projection.purging);
  const meter = createMeter();
  const status: Omit<ProjectionStatus, "lagMs" | "eventsPerSecond"> = {
    name: projection.name,
    state: "starting",
    position: null,
    applied: 0,
    skipped: 0,
  };
  let mailbox = createMailbox<Item>(readAhead);
  let inHand: Item | undefined;
  let toForget = false;

  async function write(items: Item[]): Promise<void> {
    const last = items.findLast((item) => !("caughtUp" in item));
    const position = last && ("event" in last ? last.event.position : "passed" in last ? last.passed : null);
    if (!position) return;
    const applied = items.filter((item) => "event" in item && known.has(item.event.type)).length;
    await database.transaction().execute(async (tx) => {
      for (const item of items)
        if ("event" in item && known.has(item.event.type)) await apply(tx as unknown as Transaction<object>, item.event);
      await moveCheckpoint(tx, projection.name, status.position, position);
    });
    status.position = position;
    status.applied += applied;
    status.skipped += items.filter((item) => "event" in item).length - applied;
    meter.add(applied);
    toForget ||= items.some((item) => "event" in item && purging.has(item.event.type));
    if (toForget) await forget();
  }

  /** A reader may keep the log of the file busy for a moment: then once more, a little later. */
  async function forget(): Promise<void> {
    toForget = !(await forgetDeleted(database));
    if (toForget)
      setTimeout(() => void forget().catch((error) => log.warn({ err: error }, "deleted text is not yet off the disk")), 1_000).unref();
  }

  async function apply(tx: Transaction<object>, event: StoredEvent): Promise<void> {
    try {
      await projection.apply(tx, event);
    } catch (cause) {
      throw new EventRefused(event, cause);
    }
  }

  /** Writes a batch; when one event in it is refused, everything before it is written and it gets a few more tries alone. */
  async function writeAll(items: Item[]): Promise<void> {
    let rest = items;
    for (let tries = 1; rest.length > 0; ) {
      inHand = rest[0];
      try {
        await write(rest);
        rest = [];
      } catch (error) {
        if (!(error instanceof EventRefused)) throw error;
        const at = rest.findIndex((item) => "event" in item && item.event === error.event);
        if (at > 0) {
          await write(rest.slice(0, at));
          rest = rest.slice(at);
        } else if (tries >= triesPerEvent) throw error;
        else {
          await pause(backoffMs.first * tries, undefined, { signal });
          tries += 1;
        }
      }
    }
    inHand = undefined;
    if (items.some((item) => "caughtUp" in item)) status.state = "live";
  }

  /** One subscription, from the stored checkpoint until it breaks or the signal comes. */
  async function follow(): Promise<void> {
    status.position = await readCheckpoint(database, projection.name);
    status.state = "catching-up";
    // A crash may have come between a deletion's commit and its leaving the disk.
    if (purging.size > 0) await forget();
    const round = new AbortController();
    const box = createMailbox<Item>(readAhead);
    mailbox = box;
    const bring = async (): Promise<void> => {
      const events = store.subscribe({
        from: status.position,
        prefixes: [...projection.streams],
        signal: AbortSignal.any([signal, round.signal]),
        onCaughtUp: () => void box.put({ caughtUp: true }),
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
        const items = await box.take(batchSize);
        if (items.length === 0 || signal.aborted) return;
        await writeAll(items);
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
  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        await follow();
      } catch (error) {
        if (signal.aborted) break;
        if (error instanceof EventRefused && (await answers(database))) return stopAt(error);
        if (error instanceof CheckpointLost) {
          status.state = "standby";
          log.error({ position: status.position }, `${error.message}; this one steps back`);
          await pause(options.standbyMs ?? standbyMs, undefined, { signal }).catch(() => undefined);
          continue;
        }
        status.state = "retrying";
        log.warn({ err: error, position: status.position }, "the projection was interrupted and starts again from its checkpoint");
      }
      const wait = Math.min(backoffMs.first * 2 ** failures, backoffMs.longest);
      failures += 1;
      await pause(wait, undefined, { signal }).catch(() => undefined);
    }
    status.state = "stopped";
  }

  async function stopAt(refused: EventRefused): Promise<void> {
    const { event, cause } = refused;
    const message = cause instanceof Error ? cause.message : String(cause);
    status.state = "failed";
    status.failure = { eventId: event.id, type: event.type, stream: event.stream, position: event.position, message };
    log.error(
      { err: cause, eventId: event.id, type: event.type, stream: event.stream, position: event.position },
      "the projection stopped",
    );
    await database
      .updateTable("checkpoints")
      .set({ state: "failed", failure: `${event.type} ${event.id}` })
      .where("name", "=", projection.name)
      .execute()
      .catch((error) => log.warn({ err: error }, "the failure could not be stored"));
  }

  return {
    status: () => ({ ...status, lagMs: lagOf(inHand ?? mailbox.peek()), eventsPerSecond: meter.perSecond() }),
    finished: run(),
  };
}

function lagOf(waiting: Item | undefined): number {
  return waiting && "event" in waiting ? Math.max(0, Date.now() - Date.parse(waiting.event.created)) : 0;
}

/** Whether the database works at all, so that an error can be the event's fault. */
async function answers(database: Kysely<CheckpointTables>): Promise<boolean> {
  return database
    .selectFrom("checkpoints")
    .select("name")
    .limit(1)
    .execute()
    .then(
      () => true,
      () => false,
    );
}

import {
  BACKWARDS,
  END,
  FORWARDS,
  isCommandError,
  jsonEvent,
  MaxAppendSizeExceededError,
  START,
  StreamDeletedError,
  WrongExpectedVersionError,
} from "@eventstore/db-client";
import { validate } from "uuid";
import type { Logger } from "../telemetry/log.ts";
import { appendDuration, appendedEvents } from "../telemetry/metrics.ts";
import { beginSpan, inSpan, traceparentForEvents, tracingEnabled } from "../telemetry/traces.ts";
import { openConnection } from "./connection.ts";
import { AppendTooLarge, type ExpectedRevision, StoreUnavailable, StreamTombstoned, WrongExpectedRevision } from "./errors.ts";
import { eventIdFrom } from "./event-id.ts";
import { isSystemEvent, type NewEvent, type SeenEvent, type StoredEvent } from "./events.ts";
import { assertSameStore, lastPosition } from "./head.ts";
import { hiddenByStream } from "./hidden.ts";
import { type NextOptions, nextEvent } from "./next.ts";
import { readWithReconnects } from "./read.ts";
import { refusalOf } from "./refusal.ts";
import { hasQuorum, readMembers } from "./server-calls.ts";
import { type SubscribeOptions, subscribe } from "./subscribe.ts";

export {
  AppendTooLarge,
  type ExpectedRevision,
  StoreClosed,
  StoreIsOlder,
  StoreNotWritable,
  StoreUnavailable,
  StreamTombstoned,
  WrongExpectedRevision,
} from "./errors.ts";
export { eventIdFrom } from "./event-id.ts";
export type { NewEvent, SeenEvent, StoredEvent } from "./events.ts";
export type { NextOptions } from "./next.ts";
export type { SubscribeOptions } from "./subscribe.ts";

/**
 * The event store, typed. A call is retried for about three seconds, in case the store is restarting, and then fails with
 * `StoreUnavailable`. Retrying is safe because events have ids.
 */
export interface EventStore {
  /**
   * Appends at an expected revision ("none": no stream yet). Repeated events are recognised by their ids and get the first answer.
   * @throws {WrongExpectedRevision} @throws {StoreUnavailable} ({StoreNotWritable} when its disk is full) @throws {StreamTombstoned} @throws {AppendTooLarge}
   */
  append(stream: string, events: NewEvent[], expected: ExpectedRevision): Promise<{ revision: number; position: string }>;
  /** Events of a stream from a revision on (inclusive; backwards by default from the last). None when it is missing or deleted. */
  read(stream: string, options?: { from?: number; direction?: "forwards" | "backwards"; limit?: number }): AsyncIterable<StoredEvent>;
  /** A stream's state; revision -1 and position null when it has no events. */
  fold<State>(
    stream: string,
    evolve: (state: State, event: StoredEvent) => State,
    initial: State,
  ): Promise<{ state: State; revision: number; position: string | null }>;
  /**
   * Every event behind a position (exclusive, as for `subscribe`) in the order of commits, up to the last one there is; backwards
   * those before it (by default from the last), newest first. Without what its stream hides.
   */
  readAll(options?: ReadAllOptions): AsyncIterable<StoredEvent>;
  /** The first event behind a position; null when there is none by now. See `NextOptions`. @throws {StoreUnavailable} {StoreIsOlder} */
  next(options: NextOptions): Promise<StoredEvent | null>;
  /** Position of the last event there is, the store's own included; null in an empty store. @throws {StoreUnavailable} */
  head(): Promise<string | null>;
  /** Whether a cluster can acknowledge what is written; a single node always says yes. @throws {StoreUnavailable} when not, or without an answer */
  assertQuorum(): Promise<void>;
  /** Checks that this is still the store in which the event was seen: no other event is at its position. @throws {StoreIsOlder} {StoreUnavailable} */
  assertSameStore(seen: SeenEvent): Promise<void>;
  /** Events as they come, for ever: see `SubscribeOptions`. */
  subscribe(options: SubscribeOptions): AsyncIterable<StoredEvent>;
  /** Hides the events before a revision; the embedded store has wiped them from its file when this returns, others do at their scavenge. */
  truncateBefore(stream: string, revision: number): Promise<void>;
  /** Deletes all events; the stream may be written again, and its revisions go on. */
  delete(stream: string, expected?: ExpectedRevision): Promise<void>;
  /** Deletes the stream for good. */
  tombstone(stream: string, expected?: ExpectedRevision): Promise<void>;
  close(): Promise<void>;
}

export interface ReadAllOptions {
  from?: string;
  direction?: "forwards" | "backwards";
  limit?: number;
  /** Beginnings of the streams' names; none means every stream. */
  prefixes?: string[];
}

/** Attempts to change a stream's metadata while other writers change it, too. */
const metadataTries = 10;

/**
 * Opens a client; it connects with the first call. One for each process is enough, and its calls share one channel.
 * @param options.log for outages of subscriptions
 */
export function openEventStore(url: string, { log }: { log?: Logger } = {}): EventStore {
  const connection = openConnection(url);

  type Unsent = Omit<NewEvent, "metadata"> & { metadata?: object };
  const append = (stream: string, events: Unsent[], expected: ExpectedRevision) =>
    inSpan("append", { kind: "producer", attributes: { ...categoryOf(stream), "colloquy.events": events.length } }, (span) =>
      appendNow(stream, events, expected, traceparentForEvents(span)),
    );

  async function appendNow(stream: string, events: Unsent[], expected: ExpectedRevision, traced: { traceparent?: string }) {
    const sent = events.map(({ id, type, data, metadata }) =>
      jsonEvent({ id, type, data: data as Record<string, unknown>, ...(metadata && { metadata: { ...metadata, ...traced } }) }),
    );
    const began = performance.now();
    const measure = (outcome: string): void => appendDuration.observe({ outcome }, (performance.now() - began) / 1_000);
    try {
      const { nextExpectedRevision, position } = await connection.attempt((client) =>
        client.appendToStream(stream, sent, {
          expectedRevision: officialRevision(expected),
          requiresLeader: connection.isCluster,
        }),
      );
      measure("written");
      appendedEvents.inc(events.length);
      // A recognised retry of events that are hidden now comes without a position; a reader that waits for the last one has passed them.
      return { revision: Number(nextExpectedRevision), position: position ? String(position.commit) : ((await store.head()) ?? "0") };
    } catch (error) {
      const translated = known(error, stream, expected);
      measure(
        translated instanceof WrongExpectedRevision ? "conflict" : translated instanceof StoreUnavailable ? "unavailable" : "refused",
      );
      throw translated;
    }
  }

  async function remove(how: "deleteStream" | "tombstoneStream", stream: string, expected: ExpectedRevision): Promise<void> {
    try {
      await connection.attempt((client) =>
        client[how](stream, { expectedRevision: officialRevision(expected), requiresLeader: connection.isCluster }),
      );
    } catch (error) {
      // Already tombstoned, perhaps by an earlier attempt of this call.
      if (how === "tombstoneStream" && error instanceof StreamDeletedError) return;
      // There is no such stream.
      if (expected === "any" && error instanceof WrongExpectedVersionError && isNone(error.actualVersion)) return;
      throw known(error, stream, expected);
    }
  }

  const store: EventStore = {
    append: (stream, events, expected) => {
      if (events.length === 0) return Promise.reject(new RangeError("An append needs an event."));
      const wrong = events.find(({ id }) => !validate(id));
      if (wrong) return Promise.reject(new RangeError(`An event id must be a UUID, not ${wrong.id}.`));
      return append(stream, events, expected);
    },

    read(stream, { from, direction = "forwards", limit = Number.MAX_SAFE_INTEGER } = {}) {
      const backwards = direction === "backwards";
      const events = readWithReconnects(connection, limit, (client, last, maxCount) => {
        const next = last ? last.revision + (backwards ? -1 : 1) : from;
        if (next !== undefined && next < 0) return null;
        return client.readStream(stream, {
          fromRevision: next === undefined ? (backwards ? END : START) : BigInt(next),
          direction: backwards ? BACKWARDS : FORWARDS,
          maxCount,
          requiresLeader: connection.isCluster,
        });
      });
      return tracingEnabled() ? traced(stream, events) : events;
    },

    async fold(stream, evolve, initial) {
      let state = initial;
      let last: StoredEvent | null = null;
      for await (const event of store.read(stream)) {
        state = evolve(state, event);
        last = event;
      }
      return { state, revision: last?.revision ?? -1, position: last?.position ?? null };
    },

    async *readAll({ from, direction = "forwards", limit = Number.MAX_SAFE_INTEGER, prefixes = [] } = {}) {
      let left = limit;
      if (left <= 0) return;
      const backwards = direction === "backwards";
      // The client cannot filter reads of $all, so unwanted events are dropped here.
      const events = readWithReconnects(connection, Number.MAX_SAFE_INTEGER, (client, last, maxCount) => {
        const behind = last?.position ?? from;
        const commit = behind === undefined ? null : BigInt(behind);
        return client.readAll({
          direction: backwards ? BACKWARDS : FORWARDS,
          fromPosition: commit === null ? (backwards ? END : START) : { commit, prepare: commit },
          maxCount,
          requiresLeader: connection.isCluster,
        });
      });
      const isHidden = hiddenByStream(connection);
      let behind = from === undefined ? null : BigInt(from);
      for await (const event of events) {
        // A read may begin with the event at its position, also after a reconnection.
        const position = BigInt(event.position);
        if (behind !== null && (backwards ? position >= behind : position <= behind)) continue;
        behind = position;
        if (isSystemEvent(event) || (prefixes.length > 0 && !prefixes.some((prefix) => event.stream.startsWith(prefix)))) continue;
        if (await isHidden(event)) continue;
        yield event;
        left -= 1;
        if (left <= 0) return;
      }
    },

    next: (options) => nextEvent(connection, options),
    head: () => connection.attempt((client) => lastPosition(connection, client)),
    async assertQuorum() {
      if (!connection.isCluster || hasQuorum(await connection.attempt(readMembers))) return;
      const cause = new Error("no quorum");
      throw new StoreUnavailable(refusalOf(cause) ?? cause.message, { cause });
    },
    assertSameStore: (seen) => connection.attempt((client) => assertSameStore(connection, client, seen)),
    subscribe: (options) => subscribe(connection, options, { ...(log && { log }) }),

    async truncateBefore(stream, revision) {
      const metastream = `$$${stream}`;
      for (let tries = 1; ; tries += 1) {
        let metadata: Record<string, unknown> = {};
        let last = -1;
        for await (const event of store.read(metastream, { direction: "backwards", limit: 1 })) {
          metadata = event.data as Record<string, unknown>;
          last = event.revision;
        }
        if (typeof metadata.$tb === "number" && metadata.$tb >= revision) return;
        const id = eventIdFrom("truncate", stream, String(revision), String(last));
        try {
          await append(metastream, [{ id, type: "$metadata", data: { ...metadata, $tb: revision } }], last < 0 ? "none" : last);
          return;
        } catch (error) {
          if (!(error instanceof WrongExpectedRevision) || tries >= metadataTries) throw error;
        }
      }
    },

    delete: (stream, expected = "any") => remove("deleteStream", stream, expected),
    tombstone: (stream, expected = "any") => remove("tombstoneStream", stream, expected),
    close: () => connection.close(),
  };
  return store;
}

/** The category of a stream: its name without the id. */
const categoryOf = (stream: string): { "colloquy.category"?: string } => {
  const [, category] = /^(?:\$\$)?([a-z]+)-/.exec(stream) ?? [];
  return category === undefined ? {} : { "colloquy.category": category };
};

/** The same events, in a span that lasts until the reader has them. */
async function* traced(stream: string, events: AsyncIterable<StoredEvent>): AsyncGenerator<StoredEvent, void, void> {
  const span = beginSpan("read", { kind: "client", attributes: categoryOf(stream) });
  let count = 0;
  try {
    for await (const event of events) {
      count += 1;
      yield event;
    }
  } catch (error) {
    span.failed(error);
    throw error;
  } finally {
    span.set({ "colloquy.events": count });
    span.end();
  }
}

type OfficialRevision = bigint | "no_stream" | "any";

const officialRevision = (expected: ExpectedRevision): OfficialRevision =>
  expected === "none" ? "no_stream" : expected === "any" ? "any" : BigInt(expected);

/** Whether an error is an answer of the store that is about no one stream: that this program may not write, say. */
export const isRefusedByStore = (error: unknown): boolean =>
  error instanceof Error && (isCommandError(error) || ("code" in error && typeof error.code === "number"));

/** Whether there is no stream; how the client says so depends on the call. */
const isNone = (actual: unknown): boolean => typeof actual !== "bigint" || actual < 0n;

/** The client's errors in our words. */
function known(error: unknown, stream: string, expected: ExpectedRevision): unknown {
  if (error instanceof WrongExpectedVersionError)
    return new WrongExpectedRevision(stream, expected, isNone(error.actualVersion) ? "none" : Number(error.actualVersion));
  if (error instanceof StreamDeletedError) return new StreamTombstoned(stream);
  if (error instanceof MaxAppendSizeExceededError) return new AppendTooLarge(error.maxAppendSize);
  return error;
}

import { setTimeout as pause } from "node:timers/promises";
import { type SessionEnded, sessionEnded, sessionsEndedStream } from "@colloquy/schemas/events/session.ts";
import { type EventStore, eventIdFrom } from "../event-store/client.ts";
import { unavailable } from "../http/problem.ts";
import type { Logger } from "../telemetry/log.ts";
import { within } from "../within.ts";

/** A session as its cookie names it. */
export interface OpenSession {
  sessionId: string;
  accountId: string;
  /** When it ends by itself. */
  until: Date;
}

/** The sessions that were ended before their time. */
export interface EndedSessions {
  /** Whether a session is one of them. @throws {ProblemError} `unavailable` while that cannot be known, at a process's start. */
  has(sessionId: string): Promise<boolean>;
  /** Ends a session everywhere: here at once, in other processes as soon as the event reaches them. @throws {ProblemError} `unavailable` */
  end(session: OpenSession, requestId: string): Promise<void>;
  /** Calls once when the session is ended; returns how to stop that. */
  watch(sessionId: string, call: () => void): () => void;
}

type Store = Pick<EventStore, "append" | "read" | "subscribe" | "head" | "truncateBefore">;

/** How long a request waits for the list at a process's start, and the pause before it is read anew, in milliseconds. */
const waitMs = 3_000;
const againMs = 500;
/** So many events of sessions that are over by themselves, and the stream lets go of them. */
const overBeforePruning = 500;

/**
 * Follows the stream of ended sessions: read once when the process begins, then as they come. Cookies are checked in memory, so that no
 * request costs a query; what is over by itself is forgotten, here and in the stream.
 * @param now as `Date.now`
 */
export function endedSessions({
  store,
  log,
  signal,
  now = Date.now,
}: {
  store: Store;
  log: Logger;
  signal: AbortSignal;
  now?: () => number;
}): EndedSessions {
  /** By id, in the order they were ended: until when it matters, and the event's revision. */
  const ended = new Map<string, { until: number; revision: number }>();
  const watching = new Map<string, Set<() => void>>();
  const read = Promise.withResolvers<void>();
  let isRead = false;

  function add({ data, revision }: { data: unknown; revision: number }): void {
    const event = sessionEnded.safeParse(data);
    if (!event.success) return;
    const { sessionId, until } = event.data;
    if (Date.parse(until) <= now()) return;
    ended.set(sessionId, { until: Date.parse(until), revision });
    for (const call of [...(watching.get(sessionId) ?? [])]) call();
    watching.delete(sessionId);
  }

  async function follow(): Promise<void> {
    const from = await store.head();
    for await (const event of store.read(sessionsEndedStream)) add(event);
    isRead = true;
    read.resolve();
    for await (const event of store.subscribe({ from, prefixes: [sessionsEndedStream], name: "ended sessions", signal })) add(event);
  }

  async function keepFollowing(): Promise<void> {
    while (!signal.aborted) {
      await follow().catch((error) => log.warn({ err: error }, "the ended sessions cannot be read; trying again"));
      await pause(againMs, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  /** Forgets what is over; once that is much, the stream does too. */
  async function prune(): Promise<void> {
    for (const [sessionId, { until }] of ended) {
      if (until > now()) break;
      ended.delete(sessionId);
    }
    const [oldest] = ended.values();
    const first = await firstRevision();
    if (oldest && first !== null && oldest.revision - first >= overBeforePruning)
      await store.truncateBefore(sessionsEndedStream, oldest.revision);
  }

  async function firstRevision(): Promise<number | null> {
    for await (const { revision } of store.read(sessionsEndedStream, { limit: 1 })) return revision;
    return null;
  }

  void keepFollowing();
  return {
    async has(sessionId) {
      if (!isRead) await within(read.promise, waitMs).catch((error: unknown) => Promise.reject(unavailable(error)));
      const known = ended.get(sessionId);
      return known !== undefined && known.until > now();
    },
    async end({ sessionId, accountId, until }, requestId) {
      const data: SessionEnded = { schemaVersion: 1, sessionId, until: until.toISOString() };
      const metadata = { accountId, requestId, correlationId: requestId };
      try {
        const id = eventIdFrom("session ended", sessionId);
        const { revision } = await store.append(sessionsEndedStream, [{ id, type: "SessionEnded", data, metadata }], "any");
        add({ data, revision });
        prune().catch((error) => log.warn({ err: error }, "sessions that are over could not be let go of"));
      } catch (error) {
        throw unavailable(error);
      }
    },
    watch(sessionId, call) {
      const calls = watching.get(sessionId) ?? new Set();
      watching.set(sessionId, calls.add(call));
      return () => {
        calls.delete(call);
        if (calls.size === 0 && watching.get(sessionId) === calls) watching.delete(sessionId);
      };
    },
  };
}

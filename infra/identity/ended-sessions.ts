import { setTimeout as pause } from "node:timers/promises";
import {
  type AccountSessionsEnded,
  type ProviderSessionEnded,
  type SessionEnded,
  sessionEvents,
  sessionsEndedStream,
} from "@colloquy/schemas/accounts/events.ts";
import type { EventInStream } from "@colloquy/schemas/define-events.ts";
import { type EventStore, eventIdFrom } from "../event-store/client.ts";
import { knownEvent } from "../event-store/known-event.ts";
import { startupGraceMs } from "../event-store/subscribe.ts";
import { unavailable } from "../http/problem.ts";
import type { Logger } from "../telemetry/log.ts";
import { withTimeout } from "../with-timeout.ts";

/** A session as its cookie names it. */
export interface OpenSession {
  sessionId: string;
  accountId: string;
  /** To the second below. */
  begun: Date;
  /** When it ends by itself. */
  until: Date;
  /** A pseudonym of the session at the identity provider by which it began, where the provider told it. */
  providerSession?: string | undefined;
  /** A pseudonym of the browser, the same at its next sign-in; missing in sessions of earlier versions. */
  device?: string | undefined;
  /** When its person proved who they are, as far as the identity provider told it. */
  authenticated?: Date | undefined;
}

/** The sessions that were ended before their time. */
export interface EndedSessions {
  /** Whether a session is one of them. @throws {ProblemError} `unavailable` while that cannot be known, at a process's start. */
  has(session: OpenSession): Promise<boolean>;
  /** Ends a session everywhere: here at once, in other processes as soon as the event reaches them. @throws {ProblemError} `unavailable` */
  end(session: OpenSession, requestId: string): Promise<void>;
  /** Ends every session of an account that has begun by now. @throws {ProblemError} `unavailable` */
  endAll(accountId: string, requestId: string, hours: number): Promise<void>;
  /** Ends the sessions that began by a session of the identity provider. @throws {ProblemError} `unavailable` */
  endOfProvider(providerSession: string, requestId: string, hours: number): Promise<void>;
  /** Calls once when the session is ended; returns how to stop that. */
  watch(session: OpenSession, call: () => void): () => void;
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
  /** By account: its sessions that had begun by then. */
  const endedOf = new Map<string, { begunBy: number; until: number; revision: number }>();
  /** By session of the identity provider. */
  const endedOfProvider = new Map<string, { until: number; revision: number }>();
  const watching = new Map<string, { session: OpenSession; calls: Set<() => void> }>();
  const read = Promise.withResolvers<void>();
  let isRead = false;
  const begun = now();

  function isEnded({ sessionId, accountId, begun, providerSession = "" }: OpenSession): boolean {
    const all = endedOf.get(accountId);
    if (all && all.until > now() && begun.getTime() <= all.begunBy) return true;
    if ((endedOfProvider.get(providerSession)?.until ?? 0) > now()) return true;
    const known = ended.get(sessionId);
    return known !== undefined && known.until > now();
  }

  function add(stored: EventInStream): void {
    const { revision } = stored;
    const event = readOrReport(stored);
    const until = Date.parse(event?.data.until ?? "");
    if (!event || until <= now()) return;
    const { type, data } = event;
    if (type === "SessionEnded") ended.set(data.sessionId, { until, revision });
    else if (type === "ProviderSessionEnded") endedOfProvider.set(data.providerSession, { until, revision });
    else endedOf.set(data.accountId, { begunBy: Date.parse(data.begunBy), until, revision });
    for (const [sessionId, { session, calls }] of [...watching]) {
      if (type === "SessionEnded" ? sessionId !== data.sessionId : !isEnded(session)) continue;
      for (const call of [...calls]) call();
      watching.delete(sessionId);
    }
  }

  /** One event that cannot be read must not make every session unknown. */
  function readOrReport(stored: EventInStream) {
    try {
      return knownEvent(sessionEvents, stored, { reader: "ended sessions", log });
    } catch (error) {
      log.error({ err: error }, "an event of ended sessions cannot be read; the sessions it ended stay open until they expire");
      return null;
    }
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
      await follow().catch((error) => {
        const level = !isRead && now() - begun < startupGraceMs ? "debug" : "warn";
        log[level]({ err: error }, "the ended sessions cannot be read; retrying");
      });
      await pause(againMs, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  /** Forgets what is over; once that is much, the stream does too. */
  async function prune(): Promise<void> {
    for (const [sessionId, { until }] of ended) {
      if (until > now()) break;
      ended.delete(sessionId);
    }
    for (const map of [endedOf, endedOfProvider]) for (const [key, { until }] of map) if (until <= now()) map.delete(key);
    const oldest = Math.min(...[...ended.values(), ...endedOf.values(), ...endedOfProvider.values()].map(({ revision }) => revision));
    const first = await firstRevision();
    if (Number.isFinite(oldest) && first !== null && oldest - first >= overBeforePruning)
      await store.truncateBefore(sessionsEndedStream, oldest);
  }

  /** Records what ended and applies it here at once. */
  async function append(id: string, event: { type: string; data: object }, accountId: string, requestId: string): Promise<void> {
    try {
      const metadata = { accountId, requestId, correlationId: requestId };
      const { revision } = await store.append(sessionsEndedStream, [{ id, ...event, metadata }], "any");
      add({ stream: sessionsEndedStream, revision, ...event });
      prune().catch((error) => log.warn({ err: error }, "expired sessions could not be removed from their stream"));
    } catch (error) {
      throw unavailable(error);
    }
  }

  async function firstRevision(): Promise<number | null> {
    for await (const { revision } of store.read(sessionsEndedStream, { limit: 1 })) return revision;
    return null;
  }

  void keepFollowing();
  return {
    async has(session) {
      if (!isRead) await withTimeout(read.promise, waitMs).catch((error: unknown) => Promise.reject(unavailable(error)));
      return isEnded(session);
    },
    async end({ sessionId, accountId, until }, requestId) {
      const data: SessionEnded = { schemaVersion: 1, sessionId, until: until.toISOString() };
      await append(eventIdFrom("session ended", sessionId), { type: "SessionEnded", data }, accountId, requestId);
    },
    async endAll(accountId, requestId, hours) {
      const { id, event } = allEnded({ accountId, requestId, hours, now: now() });
      await append(id, event, accountId, requestId);
    },
    async endOfProvider(providerSession, requestId, hours) {
      const data: ProviderSessionEnded = { schemaVersion: 1, providerSession, until: new Date(now() + hours * 3_600_000).toISOString() };
      const id = eventIdFrom("session of the provider ended", providerSession);
      await append(id, { type: "ProviderSessionEnded", data }, "acc_of_the_provider", requestId);
    },
    watch(session, call) {
      const watched = watching.get(session.sessionId) ?? { session, calls: new Set<() => void>() };
      watched.calls.add(call);
      watching.set(session.sessionId, watched);
      return () => {
        watched.calls.delete(call);
        if (watched.calls.size === 0 && watching.get(session.sessionId) === watched) watching.delete(session.sessionId);
      };
    },
  };
}

/**
 * Ends every session of an account that has begun by now, in every process: for operators, when somebody's role was taken away, or a device
 * was lost. Who is let in by the identity provider begins anew, with the roles they have there.
 * @param hours how long a session lasts
 */
export async function endSessionsOf(
  store: Pick<EventStore, "append">,
  { accountId, requestId, hours, now = Date.now() }: { accountId: string; requestId: string; hours: number; now?: number },
): Promise<void> {
  const { id, event } = allEnded({ accountId, requestId, hours, now });
  const metadata = { accountId, requestId, correlationId: requestId };
  await store.append(sessionsEndedStream, [{ id, ...event, metadata }], "any");
}

function allEnded({ accountId, requestId, hours, now }: { accountId: string; requestId: string; hours: number; now: number }) {
  const [begunBy, until] = [now, now + hours * 3_600_000].map((at) => new Date(at).toISOString()) as [string, string];
  const data: AccountSessionsEnded = { schemaVersion: 1, accountId, begunBy, until };
  return { id: eventIdFrom("sessions of an account ended", accountId, requestId), event: { type: "AccountSessionsEnded", data } };
}

import { setTimeout as pause } from "node:timers/promises";
import { type EventStoreDBClient, START, streamNameFilter } from "@eventstore/db-client";
import { abortable } from "../abortable.ts";
import { Backoff } from "../backoff.ts";
import type { Logger } from "../telemetry/log.ts";
import { observeSubscription, type SubscriptionProgress } from "../telemetry/metrics.ts";
import type { Connection } from "./connection.ts";
import { StoreClosed, StoreIsOlder } from "./errors.ts";
import { isSystemEvent, type SeenEvent, type StoredEvent, storedEvent } from "./events.ts";
import { assertSameStore, lastPosition } from "./head.ts";
import { hiddenByStream } from "./hidden.ts";
import { type OrderedNotifications, orderNotifications } from "./ordered-notifications.ts";
import { isAnswer, isNotThere, needsOperator, refusalOf } from "./refusal.ts";

export interface SubscribeOptions {
  /** Starts after this position; null starts at the beginning, "end" with new events. */
  from: string | null;
  /** A handled event, at `from` or before it: each connection checks that the store has no other event at its position. */
  seen?: SeenEvent | null;
  /** Beginnings of the streams' names; none means every stream. */
  prefixes: string[];
  signal: AbortSignal;
  /** Leaves out, while catching up, what streams hide; costs a lookup for each stream. */
  skipHidden?: boolean;
  /** Its name in the metrics; without one it is not measured. */
  name?: string;
  /** After the last event that was there; again after each reconnection. */
  onCaughtUp?: () => void;
  /** All events up to this position were handled or filtered out. */
  onCheckpoint?: (position: string) => void;
}

/** How long after the start an unreachable store is no warning: both may be starting. */
export const startupGraceMs = 60_000;
/** How long the leader of a cluster must say that it is older before that counts. */
const olderForGoodMs = 6_000;
const reconnectPauses = { firstMs: 50, longestMs: 2_000 };
/** Checkpoints come every 32 events times this. */
const checkpointInterval = 4;

/**
 * Every event after a position and then each new one, in order and exactly once, whatever fails meanwhile: the one follower behind
 * projections, tails, pointers, sweeps and the relay. Ends only by the signal. Each change of its state is one line in the log.
 * @throws {StoreIsOlder} when the store was set back or exchanged; {StoreClosed} when this process closed its client
 */
export async function* subscribe(
  connection: Connection,
  options: SubscribeOptions,
  { log }: { log?: Logger } = {},
): AsyncGenerator<StoredEvent, void, void> {
  const { signal } = options;
  let from = options.from;
  let seen = options.seen ?? null;
  const progress: SubscriptionProgress = {
    name: options.name ?? "",
    position: from === "end" ? null : from,
    events: 0,
    created: null,
    caughtUp: false,
    failure: null,
  };
  const unobserve = options.name === undefined ? () => undefined : observeSubscription(progress);
  const begun = Date.now();
  const isHidden = hiddenByStream(connection);
  const backoff = new Backoff(reconnectPauses);
  let wasThere = false;
  let olderSince: number | null = null;
  const isBack = (): void => {
    wasThere = true;
    if (progress.failure !== null) log?.info({ subscription: options.name }, "the subscription to the event store is back");
    progress.failure = null;
    olderSince = null;
  };
  const isGone = (error: unknown): void => {
    const reason = refusalOf(error);
    const message = reason ?? (error instanceof Error ? error.message : String(error));
    if (!wasThere && !needsOperator(message) && Date.now() - begun < startupGraceMs) {
      log?.debug({ reason: message, subscription: options.name }, "the event store does not answer yet");
      return;
    }
    const isKnown = progress.failure === message || (progress.failure !== null && !needsOperator(message));
    progress.failure = message;
    if (isKnown) return;
    log?.warn({ reason: message, subscription: options.name }, "a subscription to the event store broke; reconnecting");
  };
  /** A node that lags, or a leader that was replaced, may lack the newest events for a moment: only what lasts counts. */
  const isOlderForGood = (): boolean => {
    olderSince ??= Date.now();
    return !connection.isCluster || Date.now() - olderSince >= olderForGoodMs;
  };
  const onCaughtUp = (): void => {
    isBack();
    progress.caughtUp = true;
    options.onCaughtUp?.();
  };
  const begin = async (client: EventStoreDBClient): Promise<void> => {
    const head = await abortable(lastPosition(connection, client), signal);
    if (from === "end") from = head;
    else if (from !== null && BigInt(from) > BigInt(head ?? -1)) throw new StoreIsOlder(from, head);
    if (seen) await abortable(assertSameStore(connection, client, seen), signal);
  };
  try {
    while (!signal.aborted) {
      let client: EventStoreDBClient | null = null;
      try {
        client = await connection.client();
        await begin(client);
        for await (const event of follow(client, connection, { ...options, from, onCaughtUp })) {
          backoff.reset();
          isBack();
          if (from !== null && BigInt(event.position) <= BigInt(from)) continue;
          // Before the position moves: a lookup that fails is made again.
          const skipped = isSystemEvent(event) || (options.skipHidden && !progress.caughtUp && (await isHidden(event)));
          from = event.position;
          seen = { position: event.position, id: event.id };
          if (skipped) continue;
          progress.position = event.position;
          progress.created = event.created;
          progress.events += 1;
          yield event;
        }
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof StoreClosed) throw error;
        // The store has no record where a reader of its own stood: it is another one.
        const older = error instanceof StoreIsOlder || (isNotThere(error) && from !== null);
        if (older && isOlderForGood()) throw error instanceof StoreIsOlder ? error : new StoreIsOlder(from ?? "0", "elsewhere");
        if (client && !isAnswer(error)) connection.discard(client);
        isGone(error);
      }
      progress.caughtUp = false;
      // Jitter, so that not every client reconnects at the same moment.
      await pause(backoff.nextMs() * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => {});
    }
  } finally {
    unobserve();
  }
}

/** The events of one connection. */
async function* follow(
  client: EventStoreDBClient,
  connection: Connection,
  { from, prefixes, signal, onCaughtUp, onCheckpoint }: SubscribeOptions,
): AsyncGenerator<StoredEvent, void, void> {
  let marks: OrderedNotifications | null = null;
  const position = from === null ? null : { commit: BigInt(from), prepare: BigInt(from) };
  const subscription = client.subscribeToAll({
    fromPosition: position ?? START,
    requiresLeader: connection.isCluster,
    ...(prefixes.length > 0 && {
      filter: streamNameFilter({
        prefixes,
        checkpointInterval,
        checkpointReached: async (_subscription, { commit }) => marks?.add(() => onCheckpoint?.(String(commit))),
      }),
    }),
  });
  marks = orderNotifications(subscription);
  const caughtUp = (): void => marks?.add(() => onCaughtUp?.());
  const stop = (): void => void subscription.destroy();
  subscription.on("caughtUp", caughtUp);
  // Immediately, before another call uses the client that lost its connection. A subscription that the server ended leaves the others alone.
  subscription.on("error", (error: unknown) => {
    if (!isAnswer(error)) connection.discard(client);
  });
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    marks.waiting();
    for await (const { event, commitPosition } of subscription) {
      marks.received();
      if (event) yield storedEvent(event, commitPosition);
      marks.waiting();
    }
  } finally {
    signal.removeEventListener("abort", stop);
    // The call continues unless it is cancelled; cancelling fails, harmlessly, if it never began.
    void subscription.unsubscribe().catch(() => {});
  }
}

import { setTimeout as pause } from "node:timers/promises";
import { type EventStoreDBClient, START, streamNameFilter } from "@eventstore/db-client";
import { abortable } from "../abortable.ts";
import { Backoff } from "../backoff.ts";
import type { Logger } from "../telemetry/log.ts";
import { observeSubscription } from "../telemetry/metrics.ts";
import { type Connection, isPermanent } from "./connection.ts";
import { StoreIsOlder } from "./errors.ts";
import { isSystemEvent, type SeenEvent, type StoredEvent, storedEvent } from "./events.ts";
import { assertSameStore, lastPosition } from "./head.ts";
import { type OrderedNotifications, orderNotifications } from "./ordered-notifications.ts";

export interface SubscribeOptions {
  /** Starts after this position; null starts at the beginning, "end" with new events. */
  from: string | null;
  /** A handled event, at `from` or before it: each connection checks that the store has no other event at its position. */
  seen?: SeenEvent | null;
  /** Beginnings of the streams' names; none means every stream. */
  prefixes: string[];
  signal: AbortSignal;
  /** Its name in the metrics; without one it is not measured. */
  name?: string;
  /** After the last event that was there; again after each reconnection. */
  onCaughtUp?: () => void;
  /** All events up to this position were handled or filtered out. */
  onCheckpoint?: (position: string) => void;
}

/** How long after the start an unreachable store is no warning: both may be starting. */
export const startupGraceMs = 60_000;
const reconnectPauses = { firstMs: 50, longestMs: 2_000 };
/** Checkpoints come every 32 events times this. */
const checkpointInterval = 4;

/**
 * Every event after a position and then each new one, in order and exactly once, across lost connections. Ends only by the signal.
 * An outage is logged once at its start and once at its end.
 * @throws {StoreIsOlder} and other permanent errors, such as access denied
 */
export async function* subscribe(
  connection: Connection,
  options: SubscribeOptions,
  { log }: { log?: Logger } = {},
): AsyncGenerator<StoredEvent, void, void> {
  const { signal } = options;
  let from = options.from;
  let seen = options.seen ?? null;
  const progress = {
    name: options.name ?? "",
    position: from === "end" ? null : from,
    events: 0,
    created: null as string | null,
    caughtUp: false,
  };
  const unobserve = options.name === undefined ? () => undefined : observeSubscription(progress);
  const begun = Date.now();
  const backoff = new Backoff(reconnectPauses);
  let wasThere = false;
  let broken = false;
  const isBack = (): void => {
    wasThere = true;
    if (broken) log?.info({ subscription: options.name }, "the subscription to the event store is back");
    broken = false;
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
    if (seen) await abortable(assertSameStore(client, seen), signal);
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
          from = event.position;
          seen = { position: event.position, id: event.id };
          if (isSystemEvent(event)) continue;
          progress.position = event.position;
          progress.created = event.created;
          progress.events += 1;
          yield event;
        }
      } catch (error) {
        if (signal.aborted) return;
        if (isPermanent(error)) throw error;
        if (client) connection.discard(client);
        const awaited = !wasThere && Date.now() - begun < startupGraceMs;
        if (awaited) log?.debug({ err: error, subscription: options.name }, "the event store does not answer yet");
        else if (!broken) log?.warn({ err: error, subscription: options.name }, "a subscription to the event store broke; reconnecting");
        broken = !awaited;
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
  // Immediately, before another call uses the client that lost its connection.
  subscription.on("error", () => connection.discard(client));
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

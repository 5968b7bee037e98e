import { setTimeout as pause } from "node:timers/promises";
import type { Upcasters } from "@colloquy/schemas/events/upcasting.ts";
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
  /** A position to begin behind; null begins at the start, "end" with what is written from now on. */
  from: string | null;
  /** An event that was handled, at `from` or before it: on each connection the store must still have it there, or have none. */
  seen?: SeenEvent | null;
  /** Beginnings of the streams' names; none means every stream. */
  prefixes: string[];
  signal: AbortSignal;
  /** Under which it is counted in the metrics; without one it is not. */
  name?: string;
  /** After the last event that was there; again after each reconnection. */
  onCaughtUp?: () => void;
  /** Everything up to this position has been delivered and dealt with, though nothing of it may have been wanted. */
  onCheckpoint?: (position: string) => void;
}

/** A store that has not been there yet is no trouble for so long: whoever starts beside it may be the first of the two. */
export const startupGraceMs = 60_000;
const reconnectPauses = { firstMs: 50, longestMs: 2_000 };
/** Checkpoints come every 32 events times this. */
const checkpointInterval = 4;

/**
 * Every event behind a position, then each new one, in order and once, across any number of lost connections.
 * Ends only by the signal. An outage is logged once, and once that it is over.
 * @throws {StoreIsOlder}, and whatever else another try would not change, such as access denied
 */
export async function* subscribe(
  connection: Connection,
  options: SubscribeOptions,
  { upcasters, log }: { upcasters?: Upcasters; log?: Logger } = {},
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
    if (broken) log?.info({ subscription: options.name }, "the subscription to the event store goes on");
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
        for await (const event of follow(client, connection, { ...options, from, onCaughtUp }, upcasters)) {
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
        if (awaited) log?.debug({ err: error, subscription: options.name }, "the event store is not there yet");
        else if (!broken) log?.warn({ err: error, subscription: options.name }, "a subscription to the event store broke; it tries again");
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

/** One connection's worth of events. */
async function* follow(
  client: EventStoreDBClient,
  connection: Connection,
  { from, prefixes, signal, onCaughtUp, onCheckpoint }: SubscribeOptions,
  upcasters: Upcasters | undefined,
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
  // At once, before anyone else can use the client whose connection is gone.
  subscription.on("error", () => connection.discard(client));
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    marks.waiting();
    for await (const { event, commitPosition } of subscription) {
      marks.received();
      if (event) yield storedEvent(event, commitPosition, upcasters);
      marks.waiting();
    }
  } finally {
    signal.removeEventListener("abort", stop);
    // The call goes on unless it is cancelled. One that never began cannot be, and need not be.
    void subscription.unsubscribe().catch(() => {});
  }
}

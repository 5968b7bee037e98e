import { setTimeout as pause } from "node:timers/promises";
import {
  AccessDeniedError,
  EventStoreDBClient,
  InvalidArgumentError,
  isCommandError,
  MaxAppendSizeExceededError,
  StreamDeletedError,
  StreamNotFoundError,
  WrongExpectedVersionError,
} from "@eventstore/db-client";
import { status } from "@grpc/grpc-js";
import pRetry from "p-retry";
import { withTimeout } from "../with-timeout.ts";
import { addressError } from "./address.ts";
import { StoreClosed, StoreIsOlder, StoreNotWritable, StoreUnavailable } from "./errors.ts";
import { whyNotWritable } from "./not-writable.ts";
import { isAnswer, refusalOf } from "./refusal.ts";
import { watchLeader } from "./watch-leader.ts";

/**
 * The official client behind a connection that reconnects. A client cannot be repaired after it lost its connection (it hides the backoff
 * of its channel and shares one table of unanswered appends between all streams), so it is discarded and the next call gets a new one.
 */
export interface Connection {
  /**
   * Runs a call and retries it for `giveUpAfterMs` while the store cannot be reached. The call must be idempotent.
   * @throws {StoreUnavailable} after that time; a permanent error at once
   */
  attempt<Result>(call: (client: EventStoreDBClient) => Promise<Result>): Promise<Result>;
  client(): Promise<EventStoreDBClient>;
  /** Discards a client whose connection failed. Its other calls end; its reads end as if they were complete. */
  discard(client: EventStoreDBClient): void;
  /** Whether the address names several nodes. Reads and subscriptions then ask for the leader, because other nodes may lag. */
  isCluster: boolean;
  /** Whether a client was not discarded. A read of a discarded client may be incomplete. */
  isOpen(client: EventStoreDBClient): boolean;
  close(): Promise<void>;
}

/** How long a caller waits for a store that does not answer. */
export const giveUpAfterMs = 3_000;
const retryPauses = { retries: Number.POSITIVE_INFINITY, minTimeout: 25, maxTimeout: 400 };
/** The client's own interval between keep-alive pings. */
const keepAliveMs = 10_000;
const disposeWithinMs = 500;

export function openConnection(url: string): Connection {
  let current: EventStoreDBClient | null = null;
  let putAway: Promise<unknown> = Promise.resolve();
  let stopWatching: () => void = () => undefined;
  let opened = 0;
  let closed = false;

  async function dispose(client: EventStoreDBClient): Promise<void> {
    await Promise.race([client.dispose(), pause(disposeWithinMs)]);
    await closeChannel(client);
  }

  const connection: Connection = {
    isCluster: isClusterAddress(url),
    async client() {
      // Both clients' appends are in the same table, so the old client must be disposed of first.
      await putAway;
      if (closed) throw new StoreClosed("The event store's client was closed.");
      if (current) return current;
      const opening = clientAt(clientUrl(url, opened++));
      current = opening;
      if (connection.isCluster) stopWatching = watchLeader(opening, () => connection.discard(opening));
      return opening;
    },
    discard(client) {
      if (client !== current) return;
      current = null;
      stopWatching();
      putAway = dispose(client).catch(() => {});
    },
    isOpen: (client) => client === current,
    async attempt(call) {
      const deadline = Date.now() + giveUpAfterMs;
      const late = `No answer within ${giveUpAfterMs} ms.`;
      // An attempt that the deadline cuts short says nothing; the one before may have been refused.
      let refusal: string | null = null;
      const once = async () => {
        const client = await connection.client();
        try {
          return await withTimeout(call(client), deadline - Date.now(), late);
        } catch (error) {
          if (!(error instanceof Error && error.message === late)) refusal = refusalOf(error);
          const why = whyNotWritable(error);
          // A full disk is not freed within a few seconds, so waiting for it helps nobody.
          if (why) throw new StoreNotWritable(why, { cause: error });
          if (!isPermanent(error) && isConnectionError(error) && !isAnswer(error)) connection.discard(client);
          throw error;
        }
      };
      try {
        return await pRetry(once, {
          ...retryPauses,
          shouldRetry: ({ error, retryDelay }) => !isPermanent(error) && Date.now() + retryDelay < deadline,
        });
      } catch (error) {
        throw isPermanent(error) ? error : new StoreUnavailable(refusal ?? "The event store cannot be reached.", { cause: error });
      }
    },
    async close() {
      closed = true;
      if (current) connection.discard(current);
      await putAway;
    },
  };
  return connection;
}

/** Errors that a retry would not change. */
export function isPermanent(error: unknown): boolean {
  if (
    error instanceof WrongExpectedVersionError ||
    error instanceof StreamNotFoundError ||
    error instanceof StreamDeletedError ||
    error instanceof MaxAppendSizeExceededError ||
    (error instanceof AccessDeniedError && (error as { code?: number }).code !== status.UNAUTHENTICATED) ||
    error instanceof InvalidArgumentError ||
    error instanceof StoreUnavailable ||
    error instanceof StoreIsOlder
  )
    return true;
  if (error instanceof TypeError || error instanceof RangeError) return true;
  const { code } = error as { code?: unknown };
  return code === status.INVALID_ARGUMENT || code === status.UNIMPLEMENTED || code === status.PERMISSION_DENIED;
}

/** Whether the connection failed: an error of the transport has a code, an error that the store answered has none. */
const isConnectionError = (error: unknown): boolean =>
  !isCommandError(error as Error) || typeof (error as { code?: number }).code === "number";

/** @throws {StoreUnavailable} for an invalid address, without quoting it: it may contain a password. */
function clientAt(address: string): EventStoreDBClient {
  const wrong = addressError(address);
  if (wrong) throw new StoreUnavailable(`The event store's address cannot be read: ${wrong}.`);
  try {
    return EventStoreDBClient.connectionString(address);
  } catch {
    // The client's error quotes the address.
    throw new StoreUnavailable("The event store's address cannot be used.");
  }
}

/** Several hosts, or a name behind which they are discovered. */
const isClusterAddress = (url: string): boolean => /^\w+\+discover:/.test(url) || /^[^?]*,/.test(url);

/** A distinct keep-alive interval keeps grpc-js from giving a new client the old one's failed connection and its backoff. */
function clientUrl(url: string, nth: number): string {
  const known = url.replace(/^kurrentdb/, "esdb");
  const has = (option: RegExp): boolean => option.test(known);
  const added = [
    ...(has(/[?&]keep_?alive_?interval=/i) ? [] : [`keepAliveInterval=${keepAliveMs + (nth % 1000)}`]),
    // A node that froze answers no gossip; the client would wait five seconds for it, longer than a call lasts.
    ...(isClusterAddress(known) && !has(/[?&]gossip_?timeout=/i) ? ["gossipTimeout=1"] : []),
    ...(isClusterAddress(known) && !has(/[?&]keep_?alive_?timeout=/i) ? ["keepAliveTimeout=3000"] : []),
  ];
  return added.length > 0 ? `${known}${known.includes("?") ? "&" : "?"}${added.join("&")}` : known;
}

/** `dispose` ends the client's streams and leaves its channel open. */
async function closeChannel(client: EventStoreDBClient): Promise<void> {
  const { getChannel } = client as unknown as { getChannel: () => Promise<{ close(): void }> };
  (await getChannel()).close();
}

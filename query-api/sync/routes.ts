import type { EventStore } from "@colloquy/infra/event-store/client.ts";
import { SlowReader, waitForDrain } from "@colloquy/infra/http/drain.ts";
import { serviceStopping } from "@colloquy/infra/http/frames.ts";
import { ProblemError, parse } from "@colloquy/infra/http/problem.ts";
import { route, sent, serve } from "@colloquy/infra/http/route.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import { liveStreamsOpen } from "@colloquy/infra/telemetry/metrics.ts";
import { type CheckpointTables, projectionPosition } from "@colloquy/projections/checkpoints/queries.ts";
import { changesAfter, type SyncTables } from "@colloquy/projections/sync/queries.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import * as contracts from "@colloquy/schemas/contracts/sync.ts";
import { cursorField } from "@colloquy/schemas/errors.ts";
import { position, versioned } from "@colloquy/schemas/payload.ts";
import { comparePositions } from "@colloquy/schemas/positions.ts";
import type { RemoteChange } from "@colloquy/schemas/sync/protocol.ts";
import type { Request, Response, Router } from "express";
import type { Kysely } from "kysely";
import type { LiveTail } from "./live-tail.ts";

/** Rows per write to a stream; bounds the memory for a slow reader. */
const rowsPerWrite = 50;

export interface SyncOptions {
  database: Kysely<SyncTables & CheckpointTables>;
  store: Pick<EventStore, "head">;
  tail: LiveTail;
  log: Logger;
  /** Ends all streams, so that the process can stop. */
  signal: AbortSignal;
  heartbeatMs?: number;
  /** How long a slow reader may block before it is disconnected. */
  slowMs?: number;
}

/** `GET /api/sync/pull` and `GET /api/sync/stream`: an account's changes in server order, by page or as a live stream. */
export function syncRoutes(options: SyncOptions): Router {
  const { database } = options;
  return serve([
    route(contracts.pullChanges, async ({ account: { accountId }, query: { after, limit } }) => {
      await rejectBeyondEnd(options, after);
      return changesAfter(database, accountId, after, limit);
    }),
    route(contracts.streamChanges, async ({ account: { accountId }, query: { after }, request, response }) => {
      const cursor = lastSeen(request) ?? after;
      await rejectBeyondEnd(options, cursor);
      if (options.signal.aborted) throw serviceStopping();
      liveStreamsOpen.inc();
      try {
        await serveStream(options, response, accountId, cursor);
      } finally {
        liveStreamsOpen.dec();
      }
      return sent;
    }),
  ]);
}

/** The last change that the browser has (`Last-Event-ID`); null if none. @throws {ProblemError} `invalid_request` */
function lastSeen(request: Request): string | null {
  const last = request.get("last-event-id");
  return last === undefined || last === "" ? null : parse(position, last);
}

/**
 * Rejects a cursor beyond the last event: the store was restored from an older backup, and the reader would miss all new events up to its
 * cursor.
 * @throws {ProblemError} `invalid_request`, after which a client discards its data and starts again
 */
async function rejectBeyondEnd({ database, store, log }: SyncOptions, cursor: string): Promise<void> {
  const reached = await projectionPosition(database, "sync");
  if (reached !== null && comparePositions(cursor, reached) <= 0) return;
  // During a rebuild the projection is behind its readers, too; only the store knows its end.
  const head = await store.head().catch((error) => log.debug({ err: error }, "the last event of the store could not be read"));
  if (head === undefined || comparePositions(cursor, head ?? "0") <= 0) return;
  throw new ProblemError("invalid_request", {
    detail: "This cursor is beyond the last change, because the service was restored from a backup. Start again without a cursor.",
    fields: [{ path: cursorField, message: "is beyond the last change" }],
  });
}

async function serveStream(options: SyncOptions, response: Response, accountId: string, from: string): Promise<void> {
  const { database, tail, log, heartbeatMs = bounds.sync.heartbeatMs, slowMs = 15_000 } = options;
  const closed = new AbortController();
  const signal = AbortSignal.any([closed.signal, options.signal]);
  // A connection that closed earlier emits no event any more.
  if (response.closed) closed.abort();
  else response.once("close", () => closed.abort());
  let hasNews = true;
  let wake: () => void = () => undefined;
  const unfollow = tail.follow(accountId, () => {
    hasNews = true;
    wake();
  });
  signal.addEventListener("abort", () => wake(), { once: true });
  try {
    response.writeHead(200, {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "private, no-store, no-transform",
      "x-accel-buffering": "no",
    });
    let sentAt = 0;
    const send = async (text: string): Promise<void> => {
      if (!signal.aborted && !response.write(text)) await waitForDrain(response, { signal, slowMs });
      sentAt = performance.now();
    };
    await send("retry: 1000\n\n");
    let cursor = from;
    while (!signal.aborted) {
      hasNews = false;
      const page = await changesAfter(database, accountId, cursor, rowsPerWrite);
      cursor = page.cursor;
      if (page.changes.length > 0) await send(page.changes.map(frame).join(""));
      // Measured from the last frame, not from the last wake-up: the woken stream may again and again have nothing to send.
      const quietMs = performance.now() - sentAt;
      if (quietMs >= heartbeatMs) await send(": still here\n\n");
      if (page.more || hasNews || signal.aborted) continue;
      // The feed is also read after a heartbeat, in case the live tail missed an event.
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.max(0, heartbeatMs - (performance.now() - sentAt)));
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    response.end();
  } catch (error) {
    if (!(error instanceof SlowReader)) log.warn({ err: error }, "a live stream failed; its reader resumes");
    response.destroy();
  } finally {
    unfollow();
  }
}

const frame = (change: RemoteChange): string => `id: ${change.cursor}\ndata: ${JSON.stringify(versioned(change))}\n\n`;

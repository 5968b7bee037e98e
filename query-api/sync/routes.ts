import { comparePositions } from "@colloquy/infra/database/positions.ts";
import type { EventStore } from "@colloquy/infra/event-store/client.ts";
import { SlowReader, waitForDrain } from "@colloquy/infra/http/drain.ts";
import { serviceStopping } from "@colloquy/infra/http/frames.ts";
import { ProblemError, parse } from "@colloquy/infra/http/problem.ts";
import { concurrencyLimitPerAccount } from "@colloquy/infra/http/rate-limit.ts";
import { requireAccount } from "@colloquy/infra/identity/session.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import { liveStreamsOpen } from "@colloquy/infra/telemetry/metrics.ts";
import { type CheckpointTables, projectionPosition } from "@colloquy/projections/checkpoints/queries.ts";
import { changesAfter, type SyncTables } from "@colloquy/projections/sync/queries.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { cursorField } from "@colloquy/schemas/errors.ts";
import { position, versioned } from "@colloquy/schemas/payload.ts";
import { type PullResponse, pullQuery, type RemoteChange, streamQuery } from "@colloquy/schemas/sync/protocol.ts";
import { type Request, type Response, Router } from "express";
import type { Kysely } from "kysely";
import type { LiveTail } from "./live-tail.ts";

/** Rows of one write to a stream: what a slow reader keeps in memory at most. */
const rowsPerWrite = 50;

export interface SyncOptions {
  database: Kysely<SyncTables & CheckpointTables>;
  store: Pick<EventStore, "head">;
  tail: LiveTail;
  log: Logger;
  /** Ends every stream, so that the process can stop. */
  signal: AbortSignal;
  heartbeatMs?: number;
  /** How long a reader may take to read on before it is cut off. */
  slowMs?: number;
}

/** `GET /api/sync/pull` and `GET /api/sync/stream`: an account's changes in server order, by page or as they come. */
export function syncRoutes(options: SyncOptions): Router {
  const { database } = options;
  const enter = concurrencyLimitPerAccount(
    bounds.sync.streamsPerAccount,
    "This account has too many live connections open. Close a tab, or try again in a few seconds.",
  );
  const router = Router();

  router.get("/api/sync/pull", async (request, response) => {
    const { accountId } = requireAccount(request);
    const { after, limit } = parse(pullQuery, request.query);
    await refuseBeyond(options, after);
    const body: PullResponse = versioned(await changesAfter(database, accountId, after, limit));
    response.set("cache-control", "private, no-store").json(body);
  });

  router.get("/api/sync/stream", async (request, response) => {
    const { accountId } = requireAccount(request);
    const cursor = startOf(request);
    await refuseBeyond(options, cursor);
    if (options.signal.aborted) throw serviceStopping();
    const leave = enter(accountId);
    liveStreamsOpen.inc();
    try {
      await serveStream(options, response, accountId, cursor);
    } finally {
      liveStreamsOpen.dec();
      leave();
    }
  });

  return router;
}

/** Where to begin: after the event the browser saw last, or where the caller says, or at the beginning. */
function startOf(request: Request): string {
  const { after } = parse(streamQuery, request.query);
  const last = request.get("last-event-id");
  return last === undefined || last === "" ? after : parse(position, last);
}

/**
 * Refuses a cursor that lies behind the last event there is: the store was restored from an older backup, and the reader would miss
 * everything new up to where it had been.
 * @throws {ProblemError} `invalid_request`, upon which a client forgets what it kept and begins anew
 */
async function refuseBeyond({ database, store, log }: SyncOptions, cursor: string): Promise<void> {
  const reached = await projectionPosition(database, "sync");
  if (reached !== null && comparePositions(cursor, reached) <= 0) return;
  // Read models that are being built are behind their readers, too: only the store can tell.
  const head = await store.head().catch((error) => log.debug({ err: error }, "the store could not be asked for its last event"));
  if (head === undefined || comparePositions(cursor, head ?? "0") <= 0) return;
  throw new ProblemError("invalid_request", {
    detail: "This cursor lies behind the last change there is: the service was restored from a backup. Begin anew without it.",
    fields: [{ path: cursorField, message: "lies behind the last change" }],
  });
}

async function serveStream(options: SyncOptions, response: Response, accountId: string, from: string): Promise<void> {
  const { database, tail, log, heartbeatMs = bounds.sync.heartbeatMs, slowMs = 15_000 } = options;
  const closed = new AbortController();
  const signal = AbortSignal.any([closed.signal, options.signal]);
  // Who hung up while the account or the read models were waited for would never be noticed afterwards.
  if (response.closed) closed.abort();
  else response.once("close", () => closed.abort());
  let news = true;
  let wake: () => void = () => undefined;
  const unfollow = tail.follow(accountId, () => {
    news = true;
    wake();
  });
  signal.addEventListener("abort", () => wake(), { once: true });
  try {
    response.writeHead(200, {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "private, no-store, no-transform",
      "x-accel-buffering": "no",
    });
    let toldAt = 0;
    const tell = async (text: string): Promise<void> => {
      if (!signal.aborted && !response.write(text)) await waitForDrain(response, { signal, slowMs });
      toldAt = performance.now();
    };
    await tell("retry: 1000\n\n");
    let cursor = from;
    while (!signal.aborted) {
      news = false;
      const page = await changesAfter(database, accountId, cursor, rowsPerWrite);
      cursor = page.cursor;
      if (page.changes.length > 0) await tell(page.changes.map(frame).join(""));
      // By when something was said last, not by when it was woken: what is news may be nothing of this feed's, again and again.
      const quietMs = performance.now() - toldAt;
      if (quietMs >= heartbeatMs) await tell(": still here\n\n");
      if (page.more || news || signal.aborted) continue;
      // After a heartbeat's time the feed is read again too: nothing depends on the live tail alone.
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.max(0, heartbeatMs - (performance.now() - toldAt)));
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    response.end();
  } catch (error) {
    if (!(error instanceof SlowReader)) log.warn({ err: error }, "a live stream broke; its reader resumes");
    response.destroy();
  } finally {
    unfollow();
  }
}

const frame = (change: RemoteChange): string => `id: ${change.cursor}\ndata: ${JSON.stringify(versioned(change))}\n\n`;

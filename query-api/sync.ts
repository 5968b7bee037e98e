import { ProblemError, parse } from "@colloquy/infra/http/problem.ts";
import { requireAccount } from "@colloquy/infra/identity/session.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import { changesAfter, type SyncTables } from "@colloquy/projections/sync/queries.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { position, versioned } from "@colloquy/schemas/payload.ts";
import type { PullResponse, RemoteChange } from "@colloquy/schemas/sync/protocol.ts";
import { type Request, type Response, Router } from "express";
import type { Kysely } from "kysely";
import { z } from "zod";
import type { LiveTail } from "./live-tail.ts";

/** Rows of one write to a stream: what a slow reader keeps in memory at most. */
const rowsPerWrite = 50;

const pullQuery = z.strictObject({
  after: position.default("0"),
  limit: z.coerce.number().int().min(1).max(bounds.sync.changesPerPull).default(bounds.sync.changesPerPull),
});
const streamQuery = z.strictObject({ after: position.default("0") });

export interface SyncOptions {
  database: Kysely<SyncTables>;
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
  const open = new Map<string, number>();
  const router = Router();

  router.get("/api/sync/pull", async (request, response) => {
    const { accountId } = requireAccount(request);
    const { after, limit } = parse(pullQuery, request.query);
    const body: PullResponse = versioned(await changesAfter(database, accountId, after, limit));
    response.set("cache-control", "private, no-store").json(body);
  });

  router.get("/api/sync/stream", async (request, response) => {
    const { accountId } = requireAccount(request);
    const cursor = startOf(request);
    const streams = open.get(accountId) ?? 0;
    if (streams >= bounds.sync.streamsPerAccount || options.signal.aborted)
      throw new ProblemError("rate_limited", { detail: "Too many live connections are open.", retryAfterSeconds: 5 });
    open.set(accountId, streams + 1);
    try {
      await serveStream(options, response, accountId, cursor);
    } finally {
      const left = (open.get(accountId) ?? 1) - 1;
      if (left > 0) open.set(accountId, left);
      else open.delete(accountId);
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

async function serveStream(options: SyncOptions, response: Response, accountId: string, from: string): Promise<void> {
  const { database, tail, log, heartbeatMs = bounds.sync.heartbeatMs, slowMs = 15_000 } = options;
  const closed = new AbortController();
  const signal = AbortSignal.any([closed.signal, options.signal]);
  response.once("close", () => closed.abort());
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
    await send(response, "retry: 1000\n\n", signal, slowMs);
    let cursor = from;
    while (!signal.aborted) {
      news = false;
      const page = await changesAfter(database, accountId, cursor, rowsPerWrite);
      cursor = page.cursor;
      if (page.changes.length > 0) await send(response, page.changes.map(frame).join(""), signal, slowMs);
      if (page.more || news || signal.aborted) continue;
      const beat = await new Promise<boolean>((resolve) => {
        const timer = setTimeout(() => resolve(true), heartbeatMs);
        wake = () => {
          clearTimeout(timer);
          resolve(false);
        };
      });
      // After a heartbeat the feed is read again too: nothing depends on the live tail alone.
      if (beat) await send(response, ": still here\n\n", signal, slowMs);
    }
    response.end();
  } catch (error) {
    if (!(error instanceof SlowReader)) log.warn({ err: error }, "a live stream broke; its reader resumes");
    response.destroy();
  } finally {
    unfollow();
  }
}

/** A reader that does not read on; it is cut off and resumes where it was. */
class SlowReader extends Error {
  override name = "SlowReader";
}

async function send(response: Response, text: string, signal: AbortSignal, slowMs: number): Promise<void> {
  if (signal.aborted || response.write(text)) return;
  const drained = Promise.withResolvers<void>();
  const timer = setTimeout(() => drained.reject(new SlowReader()), slowMs);
  const go = (): void => drained.resolve();
  response.once("drain", go);
  signal.addEventListener("abort", go, { once: true });
  try {
    await drained.promise;
  } finally {
    clearTimeout(timer);
    response.off("drain", go);
    signal.removeEventListener("abort", go);
  }
}

const frame = (change: RemoteChange): string => `id: ${change.cursor}\ndata: ${JSON.stringify(versioned(change))}\n\n`;

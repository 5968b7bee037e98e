import type { EventStore } from "@colloquy/infra/event-store/client.ts";
import { serviceStopping } from "@colloquy/infra/http/frames.ts";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { concurrencyLimitPerAccount } from "@colloquy/infra/http/rate-limit.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import { liveStreamsOpen } from "@colloquy/infra/telemetry/metrics.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { explainerStream, readExplainerEvent } from "@colloquy/schemas/events/explainer.ts";
import { type ExplainerState, evolve, exists, initialState, withUnknownEvent } from "@colloquy/schemas/explainers/state.ts";
import { jobEventOf } from "@colloquy/schemas/explainers/view.ts";
import type { Request, Response } from "express";
import type { JobTail } from "./job-tail.ts";

export interface EventsNeeds {
  store: Pick<EventStore, "read">;
  tail: JobTail;
  log: Logger;
  /** Ends every stream, so that the process can stop. */
  signal: AbortSignal;
  heartbeatMs?: number;
  /** How many films at most are begun before one that waits; null where that is not known. */
  aheadOf?: (jobId: string) => Promise<number | null>;
}

/** `GET …/jobs/:jobId/events`: how a job goes on, from the event behind `Last-Event-ID`, or from how it stands now. */
export function jobEvents({
  store,
  tail,
  log,
  signal,
  heartbeatMs = bounds.explainer.heartbeatMs,
  aheadOf = async () => null,
}: EventsNeeds) {
  const enter = concurrencyLimitPerAccount(
    bounds.explainer.streamsPerAccount,
    "This account watches too many films being made. Close a tab, or try again in a few seconds.",
  );

  /** Reads on, telling how the job stood after each event. */
  async function readOn(jobId: string, before: ExplainerState, tell: (state: ExplainerState, at: string) => void): Promise<ExplainerState> {
    let state = before;
    for await (const stored of store.read(explainerStream(jobId), { from: state.version + 1 })) {
      const event = readExplainerEvent(stored);
      const { revision, metadata } = stored;
      state = event ? evolve(state, { ...event, metadata: { ...metadata, revision } }) : withUnknownEvent(state, revision);
      tell(state, metadata.at ?? stored.created);
    }
    return state;
  }

  return async (request: Request, response: Response, accountId: string, jobId: string): Promise<void> => {
    const last = lastSeen(request);
    const past: { state: ExplainerState; at: string }[] = [];
    let state = await readOn(jobId, initialState, (after, at) => past.push({ state: after, at }));
    if (!exists(state) || state.accountId !== accountId) throw new ProblemError("not_found");
    if (signal.aborted) throw serviceStopping();
    const leave = enter(accountId);
    liveStreamsOpen.inc();
    const closed = new AbortController();
    if (response.closed) closed.abort();
    else response.once("close", () => closed.abort());
    const ending = AbortSignal.any([closed.signal, signal]);
    let news = true;
    let wake: () => void = () => undefined;
    const unfollow = tail.follow(jobId, () => {
      news = true;
      wake();
    });
    ending.addEventListener("abort", () => wake(), { once: true });
    const write = (after: ExplainerState, at: string): boolean =>
      response.write(`id: ${after.version}\ndata: ${JSON.stringify(jobEventOf(after, at))}\n\n`);
    let told: number | null = null;
    /** Its place in the queue, whenever it is another: no event of the job's, so without a number, and nothing is missed by who comes later. */
    const tellPlace = async (): Promise<void> => {
      if (state.state !== "queued") told = null;
      const ahead = state.state === "queued" ? await aheadOf(jobId).catch(() => null) : null;
      if (ahead === null || ahead === told || ending.aborted) return;
      told = ahead;
      response.write(`data: ${JSON.stringify({ ...jobEventOf(state, new Date().toISOString()), ahead })}\n\n`);
    };
    try {
      response.writeHead(200, {
        "content-type": "text/event-stream; charset=utf-8",
        "cache-control": "private, no-store, no-transform",
        "x-accel-buffering": "no",
      });
      response.write("retry: 1000\n\n");
      for (const seen of last === null ? past.slice(-1) : past.filter((one) => one.state.version > last)) write(seen.state, seen.at);
      while (!ending.aborted) {
        await tellPlace();
        if (!news && !ending.aborted) {
          const beat = await new Promise<boolean>((resolve) => {
            const beatMs = state.state === "queued" ? Math.min(heartbeatMs, queueMs) : heartbeatMs;
            const timer = setTimeout(() => resolve(true), beatMs);
            wake = () => {
              clearTimeout(timer);
              resolve(false);
            };
          });
          if (beat && !ending.aborted) response.write(": still here\n\n");
          if (ending.aborted) break;
        }
        // After a heartbeat the stream is read again too: nothing depends on the tail alone.
        news = false;
        state = await readOn(jobId, state, (after, at) => {
          if (exists(after) && !ending.aborted) write(after, at);
        });
        // Whoever does not read on is cut off, and begins again where they were.
        if (!exists(state) || response.writableLength > slowBytes) break;
      }
      if (response.writableLength > slowBytes) response.destroy();
      else response.end();
    } catch (error) {
      log.warn({ err: error }, "a stream of a film's progress broke; its reader resumes");
      response.destroy();
    } finally {
      unfollow();
      liveStreamsOpen.dec();
      leave();
    }
  };
}

/** So often the place of a film that waits is looked at. */
const queueMs = 3_000;
/** What a reader that does not read on may leave in memory. */
const slowBytes = 256 * 1024;

/** The event a browser saw last; null when it saw none. @throws {ProblemError} `invalid_request` */
function lastSeen(request: Request): number | null {
  const given = request.get("last-event-id");
  if (given === undefined || given === "") return null;
  if (!/^\d{1,9}$/.test(given)) throw new ProblemError("invalid_request", { detail: "Last-Event-ID is the number of an event." });
  return Number(given);
}

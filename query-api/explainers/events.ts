import type { EventStore } from "@colloquy/infra/event-store/client.ts";
import { knownEvent } from "@colloquy/infra/event-store/known-event.ts";
import { serviceStopping } from "@colloquy/infra/http/frames.ts";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import { liveStreamsOpen } from "@colloquy/infra/telemetry/metrics.ts";
import { explainerEvents, explainerStream } from "@colloquy/schemas/explainers/events.ts";
import { type ExplainerState, evolve, exists, initialState, withUnknownEvent } from "@colloquy/schemas/explainers/state.ts";
import { jobEventOf } from "@colloquy/schemas/explainers/view.ts";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";
import type { Request, Response } from "express";
import type { JobTail } from "./job-tail.ts";

export interface EventsNeeds {
  store: Pick<EventStore, "read">;
  tail: JobTail;
  log: Logger;
  /** Ends all streams, so that the process can stop. */
  signal: AbortSignal;
  heartbeatMs?: number;
  /** How many jobs at most are ahead of a queued one; null if unknown. */
  aheadOf?: (jobId: string) => Promise<number | null>;
}

/** `GET …/jobs/:jobId/events`: the progress of a job, after `Last-Event-ID`, or from its current state. */
export function jobEvents({ store, tail, log, signal, heartbeatMs = filmBounds.heartbeatMs, aheadOf = async () => null }: EventsNeeds) {
  /** Reads new events and reports the state after each. */
  async function readNewEvents(
    jobId: string,
    before: ExplainerState,
    onState: (state: ExplainerState, at: string) => void,
  ): Promise<ExplainerState> {
    let state = before;
    for await (const stored of store.read(explainerStream(jobId), { from: state.version + 1 })) {
      const event = knownEvent(explainerEvents, stored, { reader: "video progress", log });
      const { revision, metadata } = stored;
      state = event ? evolve(state, { ...event, metadata: { ...metadata, revision } }) : withUnknownEvent(state, revision);
      onState(state, metadata.at ?? stored.created);
    }
    return state;
  }

  return async (request: Request, response: Response, accountId: string, jobId: string): Promise<void> => {
    const last = lastSeen(request);
    const past: { state: ExplainerState; at: string }[] = [];
    let state = await readNewEvents(jobId, initialState, (after, at) => past.push({ state: after, at }));
    if (!exists(state) || state.accountId !== accountId) throw new ProblemError("not_found");
    if (signal.aborted) throw serviceStopping();
    liveStreamsOpen.inc();
    const closed = new AbortController();
    if (response.closed) closed.abort();
    else response.once("close", () => closed.abort());
    const ending = AbortSignal.any([closed.signal, signal]);
    let hasNews = true;
    let wake: () => void = () => undefined;
    const unfollow = tail.follow(jobId, () => {
      hasNews = true;
      wake();
    });
    ending.addEventListener("abort", () => wake(), { once: true });
    const write = (after: ExplainerState, at: string): boolean =>
      response.write(`id: ${after.version}\ndata: ${JSON.stringify(jobEventOf(after, at))}\n\n`);
    let sentPlace: number | null = null;
    /** Sends the place in the queue if it has changed. It is no event of the job, so it has no id and is not repeated. */
    const sendQueuePlace = async (): Promise<void> => {
      if (state.state !== "queued") sentPlace = null;
      const ahead = state.state === "queued" ? await aheadOf(jobId).catch(() => null) : null;
      if (ahead === null || ahead === sentPlace || ending.aborted) return;
      sentPlace = ahead;
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
        await sendQueuePlace();
        if (!hasNews && !ending.aborted) {
          const beat = await new Promise<boolean>((resolve) => {
            const beatMs = state.state === "queued" ? Math.min(heartbeatMs, queuePlaceMs) : heartbeatMs;
            const timer = setTimeout(() => resolve(true), beatMs);
            wake = () => {
              clearTimeout(timer);
              resolve(false);
            };
          });
          if (beat && !ending.aborted) response.write(": still here\n\n");
          if (ending.aborted) break;
        }
        // The stream is also read after a heartbeat, in case the tail missed an event.
        hasNews = false;
        state = await readNewEvents(jobId, state, (after, at) => {
          if (exists(after) && !ending.aborted) write(after, at);
        });
        // A slow reader is disconnected and resumes from its last event.
        if (!exists(state) || response.writableLength > maxBufferedBytes) break;
      }
      if (response.writableLength > maxBufferedBytes) response.destroy();
      else response.end();
    } catch (error) {
      log.warn({ err: error }, "a progress stream of a video failed; its reader resumes");
      response.destroy();
    } finally {
      unfollow();
      liveStreamsOpen.dec();
    }
  };
}

/** How often the place of a queued job is updated, in milliseconds. */
const queuePlaceMs = 3_000;
/** Unsent bytes at which a slow reader is disconnected. */
const maxBufferedBytes = 256 * 1024;

/** The last event that the browser has; null if none. @throws {ProblemError} `invalid_request` */
function lastSeen(request: Request): number | null {
  const given = request.get("last-event-id");
  if (given === undefined || given === "") return null;
  if (!/^\d{1,9}$/.test(given)) throw new ProblemError("invalid_request", { detail: "Last-Event-ID is the number of an event." });
  return Number(given);
}

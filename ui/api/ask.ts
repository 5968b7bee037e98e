import type { AskFrame, AskRequest } from "@colloquy/schemas/ask/ask.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { msg } from "../messages/page.ts";
import { backoffMs, pause } from "./backoff.ts";
import { connectionBroke, problemOfStream, readFrames } from "./frames.ts";
import { type Fetch, send } from "./http.ts";
import { type ClientProblem, problemTitle, RequestFailed } from "./problems.ts";

export type ErrorFrame = Extract<AskFrame, { kind: "error" }>;
export type Question = Omit<AskRequest, "schemaVersion">;
/** Called with true when an answer's connection is lost, and with false when it is back. */
export type OnConnectionLost = (lost: boolean) => void;

const kinds = new Set<string>(["status", "citation", "text_delta", "artifact", "complete", "error"]);

/** The server sends a frame at least every `heartbeatMs`; three missed in a row mean a dead connection. */
const silenceMs = bounds.ask.heartbeatMs * 3.5;
/** Backoff between attempts to reconnect to an answer. */
const backoff = { firstMs: 400, mostMs: 5_000 };
/** How long a question is sent again if its arrival was not confirmed. */
const arrivalMs = 10_000;

const accept = { accept: "application/x-ndjson" };

/**
 * Asks, and yields the answer's frames as they arrive. The last frame is always `complete` or `error`; a refused request, a lost
 * connection, silence and an early end become `error` frames. With `keep`, reconnects after a lost connection, or sends the question again
 * if no frame arrived: the service recognises it by its id. Aborting throws the `AbortError`.
 */
export async function* ask(
  fetch: Fetch,
  question: Question,
  signal: AbortSignal,
  onLost?: OnConnectionLost,
): AsyncGenerator<AskFrame, void> {
  yield* readWithReconnect(() => send(fetch, "POST /api/ai/ask", { body: question }, { signal, headers: accept }), {
    signal,
    onLost,
    seq: 0,
    begun: false,
    again: question.keep ? (seq) => reopen(fetch, question.requestId, seq, signal) : null,
  });
}

/**
 * The frames of a kept answer after frame `seq`, as `ask` yields them. Ends with the error `not_found` if the service no longer keeps the
 * answer.
 */
export async function* resumeAnswer(
  fetch: Fetch,
  requestId: string,
  seq: number,
  signal: AbortSignal,
  onLost?: OnConnectionLost,
): AsyncGenerator<AskFrame, void> {
  const again = (after: number) => reopen(fetch, requestId, after, signal);
  yield* readWithReconnect(() => again(seq), { signal, onLost, seq, begun: true, again });
}

/** Releases a kept answer: stops it, or confirms that it was stored. Retries as long as the service would keep it. */
export async function release(fetch: Fetch, requestId: string): Promise<void> {
  const until = Date.now() + bounds.ask.graceMs;
  for (let failures = 0; ; failures += 1) {
    try {
      await (await send(fetch, "DELETE /api/ai/ask/:requestId", { parameters: { requestId } }, { keepalive: true })).text();
      return;
    } catch (error) {
      const passes = error instanceof RequestFailed && (error.problem.status === 0 || error.problem.status >= 500);
      if (!passes || Date.now() > until) return;
      await pause(backoffMs(failures, { firstMs: 1_000, mostMs: bounds.ask.graceMs }));
    }
  }
}

const reopen = (fetch: Fetch, requestId: string, seq: number, signal: AbortSignal): Promise<Response> =>
  send(
    fetch,
    "GET /api/ai/ask/:requestId",
    { parameters: { requestId }, query: { after: seq } },
    { headers: accept, signal, cache: "no-store" },
  );

/** Reads frames and reconnects for the rest as long as the service may keep the answer. */
async function* readWithReconnect(
  open: () => Promise<Response>,
  options: {
    signal: AbortSignal;
    onLost: OnConnectionLost | undefined;
    seq: number;
    begun: boolean;
    again: ((seq: number) => Promise<Response>) | null;
  },
): AsyncGenerator<AskFrame, void> {
  const { signal, onLost, again } = options;
  let { seq, begun } = options;
  let lostAt = 0;
  let failures = 0;
  for (let request = open; ; request = () => (begun && again !== null ? again(seq) : open())) {
    let problem: ClientProblem;
    try {
      const response = await request();
      begun = true;
      onLost?.(false);
      for await (const frame of readFrames<AskFrame>(response, kinds, silenceMs)) {
        lostAt = 0;
        failures = 0;
        seq = Math.max(seq, frame.seq ?? 0);
        yield frame;
        if (frame.kind === "complete" || frame.kind === "error") return;
      }
      signal.throwIfAborted();
      problem = connectionBroke();
    } catch (error) {
      if (signal.aborted) throw new DOMException("stopped", "AbortError");
      problem = problemOfStream(error);
    }
    lostAt ||= Date.now();
    const passes = problem.status === 0 || problem.status >= 500;
    // Without any response the turn may still run, unless the service refused it or the browser was offline.
    const mayRun = begun || (problem.requestId === "" && navigator.onLine);
    const patienceMs = begun ? bounds.ask.graceMs : arrivalMs;
    if (!again || !passes || !mayRun || Date.now() - lostAt > patienceMs)
      // This title is still true when it is read later, with the service back.
      return yield errorFrame(
        begun && problem.status === 0 && problem.code === "unavailable" && navigator.onLine ? connectionBroke() : problem,
      );
    onLost?.(true);
    await pause(backoffMs(failures, backoff), signal);
    failures += 1;
  }
}

function errorFrame(problem: ClientProblem): ErrorFrame {
  const wait = problem.retryAfterSeconds ? ` ${msg("api.tryAgainInS", { seconds: problem.retryAfterSeconds })}` : "";
  return {
    schemaVersion: 1,
    kind: "error",
    code: problem.code,
    title: wait ? `${problemTitle(problem)}${wait}` : problem.title,
    retryable: problem.retryable,
  };
}

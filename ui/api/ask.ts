import type { AskFrame, AskRequest } from "@colloquy/schemas/ask/ask.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { msg } from "../messages/page.ts";
import { pause } from "./event-stream.ts";
import { type Fetch, jsonInit, send } from "./http.ts";
import { readLines, SilenceError } from "./lines.ts";
import { type ClientProblem, clientProblem, problemOfThrown, problemTitle, RequestFailed } from "./problems.ts";

export type ErrorFrame = Extract<AskFrame, { kind: "error" }>;
export type Question = Omit<AskRequest, "schemaVersion">;
/** Told that the connection an answer comes through is gone while it is come back to, and that it is there again. */
export type OnConnectionLost = (lost: boolean) => void;

const kinds = new Set<string>(["status", "citation", "text_delta", "artifact", "complete", "error"]);

/** The server sends a frame at least every `heartbeatMs`; three missed in a row mean that nobody is there. */
const silenceMs = bounds.ask.heartbeatMs * 3.5;
/** Waits between tries to come back to an answer whose connection was lost. */
const waits = { firstMs: 400, mostMs: 5_000 };
/** How long a kept question is sent again whose arrival nobody confirmed. */
const arrivalMs = 10_000;

const accept = { accept: "application/x-ndjson" };
const pathOf = (requestId: string): string => `/api/ai/ask/${encodeURIComponent(requestId)}`;

/**
 * Asks, and yields the frames of the answer as they arrive. The last is always `complete` or `error`: a refused request,
 * a lost connection, silence and a stream that closes too early are `error` frames. An answer to a question with `keep` is come
 * back to when its connection is lost; when not even its beginning arrives, the question is sent again: the service knows it by its id. Aborting throws the `AbortError`.
 */
export async function* ask(
  fetch: Fetch,
  question: Question,
  signal: AbortSignal,
  onLost?: OnConnectionLost,
): AsyncGenerator<AskFrame, void> {
  const { headers, ...init } = jsonInit(question, signal);
  yield* readFrames(() => send(fetch, "/api/ai/ask", { ...init, headers: { ...headers, ...accept } }), {
    signal,
    onLost,
    seq: 0,
    begun: false,
    again: question.keep ? (seq) => reopen(fetch, question.requestId, seq, signal) : null,
  });
}

/**
 * The frames of a kept answer after frame `seq`, as `ask` yields them. The last is an `error` with the code `not_found` when the
 * answer is not kept any more.
 */
export async function* resumeAnswer(
  fetch: Fetch,
  requestId: string,
  seq: number,
  signal: AbortSignal,
  onLost?: OnConnectionLost,
): AsyncGenerator<AskFrame, void> {
  const again = (after: number) => reopen(fetch, requestId, after, signal);
  yield* readFrames(() => again(seq), { signal, onLost, seq, begun: true, again });
}

/** Lets go of a kept answer: stops it, or says that it was stored. Tried again for as long as the service would go on by itself. */
export async function release(fetch: Fetch, requestId: string): Promise<void> {
  const until = Date.now() + bounds.ask.graceMs;
  for (let waitMs = 1_000; ; waitMs *= 2) {
    try {
      await (await send(fetch, pathOf(requestId), { method: "DELETE", keepalive: true })).text();
      return;
    } catch (error) {
      const passes = error instanceof RequestFailed && (error.problem.status === 0 || error.problem.status >= 500);
      if (!passes || Date.now() > until) return;
      await pause(waitMs);
    }
  }
}

const reopen = (fetch: Fetch, requestId: string, seq: number, signal: AbortSignal): Promise<Response> =>
  send(fetch, `${pathOf(requestId)}?after=${seq}`, { headers: accept, signal, cache: "no-store" });

/** Reads frames, and comes back for the rest as long as the service may have one. */
async function* readFrames(
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
  let waitMs = waits.firstMs;
  for (let request = open; ; request = () => (begun && again !== null ? again(seq) : open())) {
    let problem: ClientProblem;
    try {
      const response = await request();
      begun = true;
      onLost?.(false);
      if (response.body)
        for await (const line of readLines(response.body, { silenceMs, finish: true })) {
          const frame = readFrame(line);
          if (!frame) continue;
          lostAt = 0;
          waitMs = waits.firstMs;
          seq = Math.max(seq, frame.seq ?? 0);
          yield frame;
          if (frame.kind === "complete" || frame.kind === "error") return;
        }
      signal.throwIfAborted();
      problem = connectionBroke();
    } catch (error) {
      if (signal.aborted) throw new DOMException("stopped", "AbortError");
      problem = problemOf(error);
    }
    lostAt ||= Date.now();
    const passes = problem.status === 0 || problem.status >= 500;
    // Its turn may run although no answer came, unless the service itself refused it or the browser had no connection.
    const mayRun = begun || (problem.requestId === "" && navigator.onLine);
    const patienceMs = begun ? bounds.ask.graceMs : arrivalMs;
    if (!again || !passes || !mayRun || Date.now() - lostAt > patienceMs)
      // Still true when it is read later, with the service back.
      return yield errorFrame(
        begun && problem.status === 0 && problem.code === "unavailable" && navigator.onLine ? connectionBroke() : problem,
      );
    onLost?.(true);
    await pause(waitMs, signal);
    waitMs = Math.min(waits.mostMs, waitMs * 2);
  }
}

/** A line that is no frame of ours is passed over: a newer server may send kinds this page does not know. */
function readFrame(line: string): AskFrame | null {
  if (!line.trim()) return null;
  try {
    const frame = JSON.parse(line) as AskFrame;
    return kinds.has(frame?.kind) ? frame : null;
  } catch {
    return null;
  }
}

const connectionBroke = (): ClientProblem => clientProblem("unavailable", { title: msg("api.connectionBrokeBeforeAnswer") });

function problemOf(error: unknown): ClientProblem {
  if (error instanceof SilenceError) return clientProblem("ai_timeout");
  // A stream that breaks is told by a TypeError whose words are not for people.
  return error instanceof TypeError && navigator.onLine ? connectionBroke() : problemOfThrown(error);
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

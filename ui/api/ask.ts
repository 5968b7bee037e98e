import type { AskFrame, AskRequest } from "@colloquy/schemas/ai/ask.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { type Fetch, jsonInit, send } from "./http.ts";
import { readLines, Silence } from "./lines.ts";
import { type ClientProblem, clientProblem, problemOfThrown } from "./problems.ts";

export type ErrorFrame = Extract<AskFrame, { kind: "error" }>;
export type Question = Omit<AskRequest, "schemaVersion">;

const kinds = new Set<string>(["status", "text_delta", "artifact", "complete", "error"]);

/** The server sends a frame at least every `heartbeatMs`; three missed in a row mean that nobody is there. */
const silenceMs = bounds.ask.heartbeatMs * 3.5;

/**
 * Asks, and yields the frames of the answer as they arrive. The last is always `complete` or `error`: a refused request,
 * a lost connection, silence and a stream that closes too early are `error` frames. Aborting throws the `AbortError`.
 */
export async function* ask(fetch: Fetch, question: Question, signal: AbortSignal): AsyncGenerator<AskFrame, void> {
  try {
    const init = jsonInit(question, signal);
    const response = await send(fetch, "/api/ai/ask", { ...init, headers: { ...init.headers, accept: "application/x-ndjson" } });
    if (!response.body) return yield errorFrame(brokenOff());
    for await (const line of readLines(response.body, { silenceMs })) {
      const frame = readFrame(line);
      if (!frame) continue;
      yield frame;
      if (frame.kind === "complete" || frame.kind === "error") return;
    }
    signal.throwIfAborted();
    yield errorFrame(brokenOff());
  } catch (error) {
    if (signal.aborted) throw new DOMException("stopped", "AbortError");
    yield errorFrame(problemOf(error));
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

const brokenOff = (): ClientProblem => clientProblem("unavailable", { title: "The connection broke before the answer was finished." });

function problemOf(error: unknown): ClientProblem {
  if (error instanceof Silence) return clientProblem("ai_timeout");
  // A stream that breaks is told by a TypeError whose words are not for people.
  return error instanceof TypeError && navigator.onLine ? brokenOff() : problemOfThrown(error);
}

function errorFrame(problem: ClientProblem): ErrorFrame {
  const wait = problem.retryAfterSeconds ? ` Try again in ${problem.retryAfterSeconds} s.` : "";
  return { schemaVersion: 1, kind: "error", code: problem.code, title: `${problem.title}${wait}`, retryable: problem.retryable };
}

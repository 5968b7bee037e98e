import { msg } from "../messages/page.ts";
import { type Fetch, type RequestOf, type RouteKey, send } from "./http.ts";
import { readLines, SilenceError } from "./lines.ts";
import { type ClientProblem, clientProblem, problemOfThrown } from "./problems.ts";

interface Frame {
  kind: string;
}
/** The fields of every frame of kind "error". */
type ErrorFrame = Frame & Pick<ClientProblem, "code" | "title" | "retryable"> & { retryAfterSeconds?: number | undefined };

/** Yields the newline-delimited JSON frames of a response up to the last, `complete` or `error`. @throws {SilenceError} */
export async function* readFrames<AnyFrame extends Frame>(
  { body }: Response,
  kinds: ReadonlySet<string>,
  silenceMs: number,
): AsyncGenerator<AnyFrame, void> {
  if (!body) return;
  for await (const line of readLines(body, { silenceMs, finish: true })) {
    const frame = frameOf<AnyFrame>(line, kinds);
    if (!frame) continue;
    yield frame;
    if (frame.kind === "complete" || frame.kind === "error") return;
  }
}

/** Ignores unknown lines: a newer server may send frames that this page does not know. */
function frameOf<AnyFrame extends Frame>(line: string, kinds: ReadonlySet<string>): AnyFrame | null {
  if (!line.trim()) return null;
  try {
    const frame = JSON.parse(line) as AnyFrame;
    return kinds.has(frame?.kind) ? frame : null;
  } catch {
    return null;
  }
}

interface StepRequest<Key extends RouteKey, Failure extends ErrorFrame, ErrorStep> {
  route: Key;
  request: RequestOf<Key>;
  signal: AbortSignal;
  kinds: ReadonlySet<string>;
  silenceMs: number;
  /** The last step of a failed request; `frame` is the service's own, if it sent one. */
  errorStep(problem: ClientProblem, frame: Failure | null): ErrorStep;
}

/**
 * Sends a request and yields its frames; errors become `errorStep`. Aborting throws the `AbortError`. The same request may be sent again
 * after any error: the service recognises its id.
 */
export async function* streamSteps<Key extends RouteKey, Progress extends Frame, Failure extends ErrorFrame, ErrorStep>(
  fetch: Fetch,
  { route, request, signal, kinds, silenceMs, errorStep }: StepRequest<Key, Failure, ErrorStep>,
): AsyncGenerator<Progress | ErrorStep, void> {
  try {
    const response = await send(fetch, route, request, { signal, headers: { accept: "application/x-ndjson" } });
    let isComplete = false;
    for await (const frame of readFrames<Progress | Failure>(response, kinds, silenceMs)) {
      isComplete = frame.kind === "complete" || frame.kind === "error";
      yield isFailure(frame) ? errorStep(problemOfFrame(frame), frame) : frame;
    }
    if (!isComplete) yield errorStep(connectionBroke(), null);
  } catch (error) {
    if (signal.aborted) throw new DOMException("stopped", "AbortError");
    yield errorStep(problemOfStream(error), null);
  }
}

const isFailure = <Progress extends Frame, Failure extends ErrorFrame>(frame: Progress | Failure): frame is Failure =>
  frame.kind === "error";

const problemOfFrame = ({ code, title, retryable, retryAfterSeconds }: ErrorFrame): ClientProblem => ({
  ...clientProblem(code, { title }),
  retryable,
  ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
});

/** The connection to a stream broke: the service may have finished, and the same request can be sent again. */
export const connectionBroke = (): ClientProblem =>
  clientProblem("unavailable", {
    title: msg("api.theConnectionBroke"),
    detail: msg("api.nothingLostTryAgain"),
  });

/** The problem of a stream that ended with an error. Silence is a dead connection: a service whose model is slow still sends heartbeats. */
export function problemOfStream(error: unknown): ClientProblem {
  // A broken stream throws a TypeError whose message is not for people.
  const isBroken = error instanceof SilenceError || error instanceof TypeError;
  return isBroken && navigator.onLine ? connectionBroke() : problemOfThrown(error);
}

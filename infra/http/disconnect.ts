import type { ServerResponse } from "node:http";

/** One for all requests: each would get a stack trace of its own. */
const disconnected = new DOMException("The client has disconnected.", "AbortError");

/** A signal that aborts when the client disconnects. Call it before the first `await`: an earlier disconnect is not reported later. */
export function disconnectSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  if (response.closed || response.destroyed) gone.abort(disconnected);
  else response.once("close", () => gone.abort(disconnected));
  return gone.signal;
}

const hangUps = new Set(["ERR_STREAM_PREMATURE_CLOSE", "ERR_STREAM_UNABLE_TO_PIPE", "ERR_STREAM_DESTROYED", "ECONNRESET", "EPIPE"]);

/** Whether an error only means that the client disconnected. */
export function isDisconnect(error: unknown, response: ServerResponse): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return (response.closed || response.destroyed) && hangUps.has(code);
}

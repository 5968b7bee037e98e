import type { ServerResponse } from "node:http";

/** Aborts once nobody is at the other end. To be asked for before anything is awaited: who hangs up meanwhile is never told of afterwards. */
export function disconnectSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  if (response.closed || response.destroyed) gone.abort();
  else response.once("close", () => gone.abort());
  return gone.signal;
}

const hangUps = new Set(["ERR_STREAM_PREMATURE_CLOSE", "ERR_STREAM_UNABLE_TO_PIPE", "ERR_STREAM_DESTROYED", "ECONNRESET", "EPIPE"]);

/** Whether an error says no more than that whoever asked has hung up, which is nobody's fault. */
export function isDisconnect(error: unknown, response: ServerResponse): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return (response.closed || response.destroyed) && hangUps.has(code);
}

import { type Backoff, backoffMs, pause, withJitter } from "./backoff.ts";
import { type Fetch, type RequestOf, type RouteKey, send } from "./http.ts";
import { readLines } from "./lines.ts";
import { isAbort, RequestFailed } from "./problems.ts";

export interface ServerEvent {
  id: string | null;
  event: string;
  data: string;
}

/** Parses server-sent events. Comments (heartbeats) only prove that the connection is alive. */
export async function* readEvents(body: ReadableStream<Uint8Array>, silenceMs: number): AsyncGenerator<ServerEvent, void> {
  let id: string | null = null;
  let event = "message";
  let data: string[] = [];
  for await (const line of readLines(body, { silenceMs })) {
    if (line === "") {
      if (data.length) yield { id, event, data: data.join("\n") };
      event = "message";
      data = [];
      continue;
    }
    const colon = line.indexOf(":");
    if (colon === 0) continue;
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "id") id = value;
    else if (field === "event") event = value;
    else if (field === "data") data.push(value);
  }
}

export type StreamState = "connecting" | "live" | "waiting";

export interface FollowOptions {
  /** The id of the last event seen, or null for the server's default. */
  from: string | null;
  signal: AbortSignal;
  onState?: (state: StreamState) => void;
  /** Silence after which the stream counts as dead. */
  silenceMs?: number;
  backoff?: Backoff;
}

/**
 * Follows an event stream until `signal` aborts: resumes by `Last-Event-ID`, retries with backoff, and at once when the browser is online
 * again.
 * @throws {RequestFailed} for a refusal that a retry cannot fix (signed out, not allowed)
 */
export async function* follow<Key extends RouteKey>(
  fetch: Fetch,
  route: Key,
  request: RequestOf<Key>,
  options: FollowOptions,
): AsyncGenerator<ServerEvent, void> {
  const { signal, onState, silenceMs = 75_000, backoff = { firstMs: 1_000, mostMs: 30_000 } } = options;
  let last = options.from;
  let failures = 0;
  while (!signal.aborted) {
    onState?.("connecting");
    try {
      const headers: Record<string, string> = { accept: "text/event-stream", ...(last !== null && { "last-event-id": last }) };
      const response = await send(fetch, route, request, { headers, signal, cache: "no-store" });
      onState?.("live");
      if (response.body)
        for await (const event of readEvents(response.body, silenceMs)) {
          failures = 0;
          if (event.id !== null) last = event.id;
          yield event;
        }
    } catch (error) {
      if (signal.aborted || isAbort(error)) return;
      if (error instanceof RequestFailed && error.problem.status >= 400 && error.problem.status < 500 && !error.problem.retryable)
        throw error;
    }
    if (signal.aborted) return;
    onState?.("waiting");
    await pause(withJitter(backoffMs(failures, backoff)), signal);
    failures += 1;
  }
}

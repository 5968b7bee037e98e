import { problemOf, RequestFailed, unreachable } from "./problems.ts";
import { uuidv7 } from "./uuid.ts";

/** The network; replaced in tests. */
export type Fetch = (input: string, init?: RequestInit) => Promise<Response>;

/**
 * Sends a request and resolves once it was accepted.
 * @throws {RequestFailed} with the server's problem, or an "unreachable" problem; aborts are passed on
 */
export async function send(fetch: Fetch, path: string, init: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, { credentials: "same-origin", ...init });
  } catch (error) {
    if (init.signal?.aborted) throw new DOMException("stopped", "AbortError");
    throw new RequestFailed(unreachable(), error);
  }
  if (!response.ok) throw new RequestFailed(await problemOf(response));
  return response;
}

/** Reads a JSON body, which the server validated before sending it. */
export async function getJson<Body>(fetch: Fetch, path: string, signal?: AbortSignal): Promise<Body> {
  const response = await send(fetch, path, { headers: { accept: "application/json" }, ...(signal && { signal }) });
  return readJson<Body>(response);
}

/** Posts a JSON body with the schema version and reads the JSON response. */
export async function postJson<Body>(fetch: Fetch, path: string, body: object, signal?: AbortSignal): Promise<Body> {
  return readJson<Body>(await send(fetch, path, jsonInit(body, signal)));
}

export function jsonInit(body: object, signal?: AbortSignal): RequestInit {
  return {
    method: "POST",
    // The id also appears in the service's log and in the resulting events.
    headers: { "content-type": "application/json", "x-request-id": uuidv7() },
    body: JSON.stringify({ schemaVersion: 1, ...body }),
    ...(signal && { signal }),
  };
}

async function readJson<Body>(response: Response): Promise<Body> {
  try {
    return (await response.json()) as Body;
  } catch (error) {
    throw new RequestFailed(unreachable(), error);
  }
}

/** `path?a=1&b=2`, without undefined values. */
export function withQuery(path: string, query: Record<string, string | number | undefined>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  const text = search.toString();
  return text ? `${path}?${text}` : path;
}

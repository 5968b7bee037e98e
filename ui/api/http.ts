import { addressOf, type Named } from "@colloquy/schemas/contracts/address.ts";
import type { RouteTypes } from "@colloquy/schemas/contracts/route-types.ts";
import { problemOf, RequestFailed, unreachable } from "./problems.ts";
import { uuidv7 } from "./uuid.ts";

/** The network; replaced in tests. */
export type Fetch = (input: string, init?: RequestInit) => Promise<Response>;

/** A route of the services, such as `GET /api/conversations/:conversationId`. */
export type RouteKey = keyof RouteTypes;
/** The parameters, query and body of a route. */
export type RequestOf<Key extends RouteKey> = RouteTypes[Key]["request"];
/** The payload of a route. */
export type AnswerOf<Key extends RouteKey> = RouteTypes[Key]["answer"];
/** The routes that take a JSON body and answer with a stream of frames. */
export type StreamingRoute = { [Key in RouteKey]: AnswerOf<Key> extends AsyncIterable<unknown> ? Key : never }[RouteKey];

/**
 * Sends a request and resolves once it was accepted. Mutations get an id, which also appears in the service's log and in the resulting events.
 * @throws {RequestFailed} with the server's problem, or an "unreachable" problem; aborts are passed on
 */
export async function send<Key extends RouteKey>(
  fetch: Fetch,
  route: Key,
  request: RequestOf<Key>,
  { headers, ...init }: RequestInit = {},
): Promise<Response> {
  const { body, ...named } = request as Named & { body?: object };
  const [method = ""] = route.split(" ");
  const isJson = method === "POST" || method === "PUT";
  let response: Response;
  try {
    response = await fetch(addressOf(route, named), {
      credentials: "same-origin",
      ...(method !== "GET" && { method }),
      ...(isJson && { body: JSON.stringify({ schemaVersion: 1, ...body }) }),
      ...init,
      headers: {
        accept: "application/json",
        ...(isJson && { "content-type": "application/json", "x-request-id": uuidv7() }),
        ...(headers as Record<string, string>),
      },
    });
  } catch (error) {
    if (init.signal?.aborted) throw new DOMException("stopped", "AbortError");
    throw new RequestFailed(unreachable(), error);
  }
  if (!response.ok) throw new RequestFailed(await problemOf(response));
  return response;
}

/** Sends a request and reads the JSON of its response, which the server validated. @throws {RequestFailed} as `send` */
export async function call<Key extends RouteKey>(
  fetch: Fetch,
  route: Key,
  request: RequestOf<Key>,
  init: RequestInit = {},
): Promise<AnswerOf<Key>> {
  const response = await send(fetch, route, request, init);
  try {
    return (await response.json()) as AnswerOf<Key>;
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new RequestFailed(unreachable(), error);
  }
}

/** `init` with the signal, if there is one. */
export const abortedBy = (signal: AbortSignal | undefined): RequestInit => (signal ? { signal } : {});

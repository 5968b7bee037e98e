import { addressOf, type Named } from "@colloquy/schemas/contracts/address.ts";
import { refusalOf } from "./problem.ts";
import { readEvents, readFrames } from "./streams.ts";
import type { AnswerOf, Common, RequestOf, RouteKey } from "./types.ts";

export type { StreamEvent } from "@colloquy/schemas/contracts/route-types.ts";
export type { ErrorCode, FieldError, Problem } from "@colloquy/schemas/errors.ts";
export { RequestRefused } from "./problem.ts";
export type { AnswerOf, Common, RequestOf, RouteKey } from "./types.ts";

export interface ClientOptions {
  /** Where Colloquy is, such as `https://colloquy.example`; in its own pages nothing. */
  address?: string;
  /** Goes with every request: what signs somebody in outside of a browser (`cookie`, or `authorization` of an embed's token). */
  headers?: Readonly<Record<string, string>>;
  /** Instead of the platform's own. */
  fetch?: (address: string, init: RequestInit) => Promise<Response>;
}

/** Every request is written with the version of payloads that these types are of. */
const schemaVersion = 1;

/**
 * A client for every route of the OpenAPI document: `await colloquy("GET /api/courses", {})`. What goes in and what comes out has the types
 * of the service's own schemas; nothing of them is loaded, so that it runs in a browser as it does in Node.
 * @throws {RequestRefused} for an answer that is not ok; whatever `fetch` throws when there is none
 */
export function createClient({ address = "", headers: always = {}, fetch = globalThis.fetch.bind(globalThis) }: ClientOptions = {}) {
  return async <Key extends RouteKey>(route: Key, request: RequestOf<Key>): Promise<AnswerOf<Key>> => {
    const { body, headers, signal, lastEventId, ...named } = request as Untyped;
    const [method = ""] = route.split(" ");
    const isBytes = body instanceof Blob || body instanceof Uint8Array;
    // Also without a body: the service takes mutations as JSON only.
    const isJson = (method === "POST" || method === "PUT") && !isBytes;
    const response = await fetch(address + addressOf(route, named), {
      method,
      headers: {
        ...(isJson && { "content-type": "application/json" }),
        ...(body instanceof Uint8Array && { "content-type": "application/octet-stream" }),
        ...(lastEventId !== undefined && { "last-event-id": lastEventId }),
        ...always,
        ...headers,
      },
      ...(isJson && { body: JSON.stringify({ schemaVersion, ...body }) }),
      ...(isBytes && { body }),
      ...(signal && { signal }),
    });
    if (!response.ok) throw await refusalOf(response);
    return (await read(response)) as AnswerOf<Key>;
  };
}

interface Untyped extends Common, Named {
  body?: object | Blob | Uint8Array<ArrayBuffer>;
}

/** By what the answer says it is. */
async function read(response: Response): Promise<unknown> {
  const [type = ""] = (response.headers.get("content-type") ?? "").split(";");
  if (response.status === 204) return null;
  if (type === "application/json") return response.json();
  if (type === "application/x-ndjson" && response.body) return readFrames(response.body);
  if (type === "text/event-stream" && response.body) return readEvents(response.body);
  return response;
}

import { refusalOf } from "./problem.ts";
import { readEvents, readFrames } from "./streams.ts";
import type { AnswerOf, Common, RequestOf, RouteKey } from "./types.ts";

export type { ErrorCode, FieldError, Problem } from "@colloquy/schemas/errors.ts";
export { RequestRefused } from "./problem.ts";
export type { StreamEvent } from "./streams.ts";
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
    const { parameters, query, body, headers, signal, lastEventId } = request as Untyped;
    const [method = "", path = ""] = route.split(" ");
    const isJson = body !== undefined && !(body instanceof Blob) && !(body instanceof Uint8Array);
    const response = await fetch(`${address}${filled(path, parameters ?? {})}${search(query ?? {})}`, {
      method,
      headers: {
        ...(isJson && { "content-type": "application/json" }),
        ...(body instanceof Uint8Array && { "content-type": "application/octet-stream" }),
        ...(lastEventId !== undefined && { "last-event-id": lastEventId }),
        ...always,
        ...headers,
      },
      ...(body !== undefined && { body: isJson ? JSON.stringify({ schemaVersion, ...body }) : body }),
      ...(signal && { signal }),
    });
    if (!response.ok) throw await refusalOf(response);
    return (await read(response)) as AnswerOf<Key>;
  };
}

interface Untyped extends Common {
  parameters?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, unknown>>;
  body?: object | Blob | Uint8Array<ArrayBuffer>;
}

/** `/courses/:courseId/*slugs` with its names filled in; what stands for several segments keeps its `/`. */
const filled = (path: string, parameters: Readonly<Record<string, string>>): string =>
  path.replaceAll(/([:*])(\w+)/g, (_, kind: string, name: string) => {
    const segments = (parameters[name] ?? "").split(kind === "*" ? "/" : /(?!)/);
    return segments.map(encodeURIComponent).join("/");
  });

function search(query: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)] as [string, string]]));
  const text = new URLSearchParams(given).toString();
  return text && `?${text}`;
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

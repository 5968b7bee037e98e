import type { RouteTypes } from "@colloquy/schemas/contracts/route-types.ts";

/** A route, as `GET /api/conversations/:conversationId`. */
export type RouteKey = keyof RouteTypes;

/** What goes with every request. */
export interface Common {
  /** Beside the client's own, such as `x-course-publish`. */
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal;
  /** Of a stream of events: where to go on, by the id of the last one that came. */
  lastEventId?: string;
}

export type RequestOf<Key extends RouteKey> = RouteTypes[Key]["request"] & Common;

/** What a route gives: a payload, an iterator over a stream's, or the response itself where the body is of another kind. Null for an answer without one (204). */
export type AnswerOf<Key extends RouteKey> = RouteTypes[Key]["answer"];

import type { DescribedRoute } from "@colloquy/schemas/openapi/described.ts";
import type { EveryRoute } from "@colloquy/schemas/openapi/routes.ts";
import type { z } from "zod";

/** What a client sends and gets, route by route, inferred from the schemas that the service checks by: nothing is written twice. */

type KeyOf<Route extends DescribedRoute> = `${Uppercase<Route["method"]>} ${Route["path"]}`;
type Routes = { [Route in EveryRoute as KeyOf<Route>]: Route };

/** A route, as `GET /api/conversations/:conversationId`. */
export type RouteKey = keyof Routes;

/** The names in a path: `conversationId` of `/api/conversations/:conversationId`. */
type ParameterOf<Path extends string> = Path extends `${infer Segment}/${infer Rest}`
  ? ParameterOf<Segment> | ParameterOf<Rest>
  : Path extends `:${infer Name}` | `*${infer Name}`
    ? Name
    : never;

/** Without what the client puts there itself, in each of several forms. */
type WithoutVersion<Payload> = Payload extends unknown ? Omit<Payload, "schemaVersion"> : never;

type Parameters<Route extends DescribedRoute> = [ParameterOf<Route["path"]>] extends [never]
  ? { parameters?: undefined }
  : { parameters: { readonly [Name in ParameterOf<Route["path"]>]: string } };
type Query<Route> = Route extends { query: infer Schema extends z.ZodType }
  ? Record<never, never> extends z.input<Schema>
    ? { query?: z.input<Schema> }
    : { query: z.input<Schema> }
  : { query?: Readonly<Record<string, string>> };
type Body<Route> = Route extends { body: infer Schema extends z.ZodType }
  ? { body: WithoutVersion<z.input<Schema>> }
  : Route extends { bytes: string }
    ? { body: Blob | Uint8Array<ArrayBuffer> }
    : { body?: undefined };

/** What goes with every request. */
export interface Common {
  /** Beside the client's own, such as `x-course-publish`. */
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal;
  /** Of a stream of events: where to go on, by the id of the last one that came. */
  lastEventId?: string;
}

export type RequestOf<Key extends RouteKey> = Parameters<Routes[Key]> & Query<Routes[Key]> & Body<Routes[Key]> & Common;

/** One event of a stream; `id` is what `lastEventId` takes. */
export interface StreamEvent<Data> {
  id: string | null;
  event: string;
  data: Data;
}

type Good<Route extends DescribedRoute> = Route["answers"][keyof Route["answers"] & (200 | 201 | 202)];
type Read<Answer> = Answer extends { type: "application/x-ndjson"; schema: infer Schema extends z.ZodType }
  ? AsyncIterable<z.output<Schema>>
  : Answer extends { type: "text/event-stream"; schema: infer Schema extends z.ZodType }
    ? AsyncIterable<StreamEvent<z.output<Schema>>>
    : Answer extends { schema: infer Schema extends z.ZodType }
      ? z.output<Schema>
      : Response;

/** What a route gives: a payload, an iterator over a stream's, or the response itself where the body is of another kind. Null for an answer without one (204). */
export type AnswerOf<Key extends RouteKey> = Read<Good<Routes[Key]>> | (204 extends keyof Routes[Key]["answers"] ? null : never);

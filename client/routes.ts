import type { DescribedRoute } from "@colloquy/schemas/openapi/described.ts";
import type { EveryRoute } from "@colloquy/schemas/openapi/routes.ts";
import type { z } from "zod";
import type { StreamEvent } from "./streams.ts";

/** What a client sends and gets, route by route, inferred from the schemas that the service checks by: nothing is written twice. */

type KeyOf<Route extends DescribedRoute> = `${Uppercase<Route["method"]>} ${Route["path"]}`;

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

/** As one type, which reads better where an editor shows it. */
type Whole<Parts> = { [Name in keyof Parts]: Parts[Name] };

type Good<Route extends DescribedRoute> = Route["answers"][keyof Route["answers"] & (200 | 201 | 202)];
type Read<Answer> = Answer extends { type: "application/x-ndjson"; schema: infer Schema extends z.ZodType }
  ? AsyncIterable<z.output<Schema>>
  : Answer extends { type: "text/event-stream"; schema: infer Schema extends z.ZodType }
    ? AsyncIterable<StreamEvent<z.output<Schema>>>
    : Answer extends { schema: infer Schema extends z.ZodType }
      ? z.output<Schema>
      : Response;

/** Every route with what it takes and gives. The package has this table written out (`build.ts`), so that it needs neither the schemas nor zod. */
export type RouteTypes = {
  [Route in EveryRoute as KeyOf<Route>]: {
    request: Whole<Parameters<Route> & Query<Route> & Body<Route>>;
    answer: Read<Good<Route>> | (204 extends keyof Route["answers"] ? null : never);
  };
};

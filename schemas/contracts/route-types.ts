import type { z } from "zod";
import type { Contract } from "./contract.ts";
import type { AnyContract } from "./index.ts";

/** One event of a stream; its `id` resumes the stream after it (`Last-Event-ID`). */
export interface StreamEvent<Data> {
  id: string | null;
  event: string;
  data: Data;
}

type KeyOf<Route extends Contract> = `${Route["method"]} ${Route["path"]}`;

/** The names in a path: `conversationId` of `/api/conversations/:conversationId`. */
type ParameterOf<Path extends string> = Path extends `${infer Segment}/${infer Rest}`
  ? ParameterOf<Segment> | ParameterOf<Rest>
  : Path extends `:${infer Name}` | `*${infer Name}`
    ? Name
    : never;

/** Without what the client puts there itself, in each of several forms. */
type WithoutVersion<Payload> = Payload extends unknown ? Omit<Payload, "schemaVersion"> : never;

type Parameters<Route extends Contract> = [ParameterOf<Route["path"]>] extends [never]
  ? { parameters?: undefined }
  : { parameters: { readonly [Name in ParameterOf<Route["path"]>]: string } };
type Query<Route> = Route extends { query: infer Schema extends z.ZodType }
  ? Record<never, never> extends z.input<Schema>
    ? { query?: z.input<Schema> }
    : { query: z.input<Schema> }
  : { query?: Readonly<Record<string, string>> };
type Body<Route> = Route extends { request: infer Schema extends z.ZodType }
  ? { body: WithoutVersion<z.input<Schema>> }
  : Route extends { bytes: string }
    ? { body: Blob | Uint8Array<ArrayBuffer> }
    : { body?: undefined };

/** As one type, which reads better where an editor shows it. */
type Whole<Parts> = { [Name in keyof Parts]: Parts[Name] };

type Good<Route extends Contract> = Route["responses"][keyof Route["responses"] & (200 | 201 | 202)];
type Read<Answer> = Answer extends { mediaType: "application/x-ndjson"; schema: infer Schema extends z.ZodType }
  ? AsyncIterable<z.output<Schema>>
  : Answer extends { mediaType: "text/event-stream"; schema: infer Schema extends z.ZodType }
    ? AsyncIterable<StreamEvent<z.output<Schema>>>
    : Answer extends { schema: infer Schema extends z.ZodType }
      ? z.output<Schema>
      : Response;

/** Every route with what it takes and gives. The package has this table written out (`build.ts`), so that it needs neither the schemas nor zod. */
export type RouteTypes = {
  [Route in AnyContract as KeyOf<Route>]: {
    request: Whole<Parameters<Route> & Query<Route> & Body<Route>>;
    answer: Read<Good<Route>> | (204 extends keyof Route["responses"] ? null : never);
  };
};

import { z } from "zod";
import type { ErrorCode } from "../errors.ts";
import { id } from "../payload.ts";

/** One possible response of a route. A body without a schema is described by its media type alone. */
export interface ContractResponse {
  readonly description: string;
  readonly mediaType?: string;
  readonly schema?: z.ZodType;
}

/** Who may call a route: anybody, a signed-in account, an account with a role, or the holder of a configured token. */
export type Access = "public" | "account" | "auditor" | "owner" | "operator" | "worker";

/** How many calls one account may make, per process. Contracts that share the object share the count. */
export interface RateLimit {
  readonly points: number;
  readonly seconds: number;
  /** Counts only some calls, by their query. */
  readonly counts?: (query: Readonly<Record<string, unknown>>) => boolean;
}

/** Everything there is to say about one route. The documentation and the client types are made from it, and the Express route with its access checks where its handler is bound by `route`. */
export interface Contract {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** As Express writes paths: `:name` is one segment, `*name` one or more. */
  readonly path: string;
  readonly summary: string;
  readonly access: Access;
  /** Whether pages of allowed sites may call it: `public` for anybody there, `learner` with an embed token. */
  readonly embed?: "public" | "learner";
  /** The path names something of the caller's own; for another account it does not exist. */
  readonly owned?: true;
  /** Whether its person must have signed in within `bounds.session.freshMinutes`. */
  readonly freshSignIn?: true;
  /** Accounts that are only auditors change nothing, unless the route says so, always or for some bodies. */
  readonly auditorsMayWrite?: true | ((body: unknown) => boolean);
  readonly parameters?: z.ZodObject;
  /** Unset for pages, which ignore parameters that they do not know. */
  readonly query?: z.ZodObject;
  /** The JSON body. */
  readonly request?: z.ZodType;
  /** Checked instead of `request` where the handler validates the rest itself. */
  readonly envelope?: z.ZodType;
  /** The media type of a body that is not JSON; the handler reads it. */
  readonly bytes?: string;
  /** The largest body, in bytes. */
  readonly maxBytes?: number;
  /** A header that the request must carry, which no form and no page of another site can send. */
  readonly header?: { readonly name: string; readonly value: string; readonly refusal: string };
  readonly limit?: RateLimit;
  /** How many calls of one account may be answered at the same time, and the detail of the refusal. */
  readonly concurrent?: { readonly most: number; readonly refusal: string };
  /** `cache-control` of a successful response; `private, no-store` unless set. */
  readonly cache?: string;
  readonly responses: Readonly<Record<number, ContractResponse>>;
  /** What a call means for the security log, whatever its outcome. */
  readonly security?: "sign-in" | "sign-out" | "embed-grant" | "assistant-access" | "publication" | "erasure";
  /** Beside those that follow from the other fields (`openapi.ts`). */
  readonly problems?: readonly ErrorCode[];
  /** Shown in the reference and sent by a test; ids of `exampleIds` stand for real ones. */
  readonly example?: object;
}

/** Keeps the literal types of a contract, which the clients' types are made of. */
export const contract = <const Described extends Contract>(described: Described): Described => described;

/** `METHOD /path`, by which a route is named in tables, tests and clients. */
export const routeKey = ({ method, path }: Pick<Contract, "method" | "path">): string => `${method} ${path}`;

export const perMinute = (points: number): RateLimit => ({ points, seconds: 60 });

export const json = <Schema extends z.ZodType>(description: string, schema: Schema) =>
  ({ description, mediaType: "application/json", schema }) as const;

/** One JSON value per line. */
export const ndjson = <Schema extends z.ZodType>(description: string, schema: Schema) =>
  ({ description, mediaType: "application/x-ndjson", schema }) as const;

/** Server-sent events whose data is JSON. */
export const events = <Schema extends z.ZodType>(description: string, schema: Schema) =>
  ({ description, mediaType: "text/event-stream", schema }) as const;

/** A body without a schema. */
export const content = <Type extends string>(mediaType: Type, description: string) => ({ description, mediaType }) as const;

export const page = (description = "The page.") => content("text/html", description);
export const redirect = (description: string) => ({ description }) as const;
export const notModified = { description: "The browser's copy is still current (`If-None-Match`)." } as const;

/** The parameters of a path that names one thing by its id. */
export const idIn = <Name extends string>(name: Name): z.ZodObject<Record<Name, typeof id>> =>
  z.object({ [name]: id } as Record<Name, typeof id>);

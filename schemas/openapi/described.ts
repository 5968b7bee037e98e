import type { z } from "zod";
import type { ErrorCode } from "../errors.ts";

/** One answer of a route: a payload of ours, or a body of another kind. */
export interface Answer {
  about: string;
  /** Such as `text/html`; JSON where a schema is given and nothing else is said. */
  type?: string;
  schema?: z.ZodType;
}

export interface DescribedRoute {
  method: "get" | "post" | "put" | "delete";
  /** As Express writes it. */
  path: string;
  summary: string;
  /** Who may: anybody, whoever is signed in, auditors, owners of courses, whoever has the operator's token or the workers'. */
  access: "public" | "account" | "auditor" | "owner" | "operator" | "worker";
  /** Only JSON routes check theirs; pages take any. */
  query?: z.ZodObject;
  body?: z.ZodType;
  /** The type of a body that is no JSON. */
  bytes?: string;
  answers: Readonly<Record<number, Answer>>;
  /** Beside those every JSON route may give (see `document.ts`). */
  errors?: readonly ErrorCode[];
}

/** Routes with all that their description says kept in their type, for clients whose types are made of it (`client/`). */
export const described = <const Routes extends readonly DescribedRoute[]>(routes: Routes): Routes => routes;

export const page = (about: string): { about: string; type: "text/html" } => ({ about, type: "text/html" });
export const notModified: { about: string } = { about: "What the browser has still holds (`If-None-Match`)." };
export const moved = (about: string): { about: string } => ({ about });
export const behind = "read_model_behind";

import { type Account, isAuditorOnly } from "@colloquy/schemas/accounts/account.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { type Contract, type RateLimit, routeKey } from "@colloquy/schemas/contracts/contract.ts";
import { versioned } from "@colloquy/schemas/payload.ts";
import { type Request, type RequestHandler, type Response, Router } from "express";
import type { z } from "zod";
import { actingFor } from "./acting-account.ts";
import { disconnectSignal } from "./disconnect.ts";
import { readJson } from "./json-body.ts";
import { ProblemError, parse } from "./problem.ts";
import { type AccountLimit, concurrencyLimitPerAccount, rateLimitPerAccount } from "./rate-limit.ts";

declare global {
  namespace Express {
    interface Locals {
      /** The contract of the request's route. */
      contract?: Contract;
      /** Who signed in by this request. */
      signedIn?: Account;
    }
  }
}

type Output<Schema, Otherwise = undefined> = Schema extends z.ZodType ? z.output<Schema> : Otherwise;
type Field<One, Name extends string> = One extends { readonly [_ in Name]: infer Value } ? Value : undefined;

/** An allowed request, as its handler gets it. */
export interface Call<One extends Contract = Contract> {
  account: One["access"] extends "account" | "auditor" | "owner" ? Account : Account | null;
  parameters: Output<Field<One, "parameters">>;
  query: Output<Field<One, "query">, Request["query"]>;
  body: Field<One, "envelope"> extends z.ZodType ? Output<Field<One, "envelope">> : Output<Field<One, "request">>;
  /** Aborted when the caller hangs up. */
  signal: AbortSignal;
  /** Names the request in logs and events. */
  requestId: string;
  /** Takes this call out of the contract's limit again. */
  refund(): Promise<void>;
  request: Request;
  response: Response;
}

/** Returned by handlers that wrote the response themselves: streams, files, pages, 304. */
export const sent = null;

type WithoutVersion<Payload> = Payload extends unknown ? Omit<Payload, "schemaVersion"> : never;
type JsonResult<One extends Contract> = One["responses"][200] extends {
  readonly mediaType: "application/json";
  readonly schema: infer Schema extends z.ZodType;
}
  ? WithoutVersion<z.output<Schema>>
  : never;
type Result<One extends Contract> = JsonResult<One> | null;

export interface Route {
  readonly contract: Contract;
  handle(call: Call): Promise<object | null> | object | null;
}

/** Binds a handler to a contract. The handler returns the JSON payload without its version, or `sent`. */
export function route<One extends Contract>(contract: One, handle: (call: Call<One>) => Promise<Result<One>> | Result<One>): Route {
  return { contract, handle: handle as Route["handle"] };
}

/** Refuses a request without the configured token. @throws {ProblemError} */
export type Admission = (request: Request, response: Response) => void;

/**
 * The Express router of some routes. Each checks in this order: size, method, media type, session, access, query and path, limits; only then
 * the body is read and validated. Which origins may call is checked before (`mutations.ts`).
 * @param admit for routes of operators and workers
 */
export function serve(routes: readonly Route[], admit?: Admission): Router {
  const router = Router();
  const limiters = new Map<RateLimit, AccountLimit>();
  for (const { contract, handle } of routes) {
    const { method, path, access, limit } = contract;
    if ((access === "operator" || access === "worker") && !admit) throw new TypeError(`${routeKey(contract)} has nobody to admit callers`);
    if (limit && !limiters.has(limit)) limiters.set(limit, rateLimitPerAccount(limit));
    const handler = handlerOf({ contract, handle }, (limit && limiters.get(limit)) ?? null, admit);
    if (method === "GET") router.get(path, handler);
    else if (method === "POST") router.post(path, handler);
    else if (method === "PUT") router.put(path, handler);
    else router.delete(path, handler);
  }
  return router;
}

function handlerOf({ contract, handle }: Route, limiter: AccountLimit | null, admit: Admission | undefined): RequestHandler {
  const { limit, concurrent, request: schema, maxBytes = bounds.json.bodyBytes } = contract;
  const enter = concurrent ? concurrencyLimitPerAccount(concurrent.most, concurrent.refusal) : null;
  const read = schema && readJson(maxBytes);

  /** What is known of an allowed request before its body is read. A refused one counts to the account's limit, too. */
  async function allowed(request: Request, response: Response) {
    try {
      requireSize(contract, request, maxBytes);
      requireMediaType(contract, request);
      const account = requireAccess(contract, request, response, admit);
      const query = contract.query ? parse(contract.query, request.query) : request.query;
      return { account, query, parameters: contract.parameters && parametersOf(contract.parameters, request) };
    } catch (error) {
      if (request.account) await limiter?.(request.account.accountId);
      throw error;
    }
  }

  return async (request, response) => {
    response.locals.contract = contract;
    const signal = disconnectSignal(response);
    const { account, query, parameters } = await allowed(request, response);
    const accountId = account?.accountId ?? "";
    const counted = limiter && account && limit?.counts?.(query) !== false ? limiter : null;
    const leave = enter?.(accountId);
    try {
      await counted?.(accountId);
      await read?.(request, response);
      if (account) requireWritable(contract, account, request.body);
      const body = schema && parse(contract.envelope ?? schema, request.body);
      if (contract.query) response.set("cache-control", contract.cache ?? "private, no-store");
      const refund = async (): Promise<void> => counted?.refund(accountId);
      const call = { account, parameters, query, body, signal, requestId: request.id, refund, request, response };
      const result = await (account ? actingFor(accountId, () => handle(call as Call)) : handle(call as Call));
      if (result !== sent) response.json(versioned(result));
    } finally {
      leave?.();
    }
  };
}

function requireSize({ request: schema, bytes }: Contract, request: Request, maxBytes: number): void {
  if ((schema || bytes) && Number(request.headers["content-length"]) > maxBytes) throw new ProblemError("too_large");
}

/** Mutations carry JSON, so that no form of another page can send one. */
function requireMediaType({ method, bytes }: Contract, request: Request): void {
  const isJson = (method === "POST" || method === "PUT") && !bytes;
  if (isJson && !request.is("application/json")) throw new ProblemError("json_required");
}

function requireAccess(contract: Contract, request: Request, response: Response, admit: Admission | undefined): Account | null {
  const { access, header } = contract;
  const { account = null } = request;
  if (access === "operator" || access === "worker") admit?.(request, response);
  if (access === "account" || access === "auditor" || access === "owner") {
    if (!account) throw new ProblemError("sign_in_required");
    if (typeof contract.auditorsMayWrite !== "function") requireWritable(contract, account, undefined);
    if (contract.freshSignIn && !isFresh(request)) throw new ProblemError("sign_in_again");
    if (access === "owner" && !account.roles.includes("owner")) throw new ProblemError("not_owner");
    if (access === "auditor" && !account.roles.includes("auditor")) throw new ProblemError("not_allowed");
    // Auditors' reads leave events, which another site's page must not be able to cause.
    if (access === "auditor" && request.get("sec-fetch-site") === "cross-site") throw new ProblemError("cross_site");
  }
  if (header && request.get(header.name) !== header.value) throw new ProblemError("not_allowed", { detail: header.refusal });
  return account;
}

/** Whether somebody proved lately who they are: as the identity provider told it, else by when the session began. */
function isFresh({ openSession }: Request): boolean {
  const since = openSession?.authenticated ?? openSession?.begun;
  return since !== undefined && Date.now() - since.getTime() < bounds.session.freshMinutes * 60_000;
}

/** @throws {ProblemError} `not_allowed` where an account that is only an auditor would change something */
function requireWritable({ method, auditorsMayWrite }: Contract, account: Account, body: unknown): void {
  if (method === "GET" || !isAuditorOnly(account)) return;
  if (typeof auditorsMayWrite === "function" ? auditorsMayWrite(body) : auditorsMayWrite) return;
  throw new ProblemError("not_allowed", { detail: "Auditors read and write nothing. Sign in as a learner to learn." });
}

/** A read of an address that cannot be an id finds nothing; a mutation of one is invalid. */
function parametersOf(schema: z.ZodObject, { method, params }: Request): unknown {
  if (method !== "GET" && method !== "HEAD") return parse(schema, params);
  const { success, data } = schema.safeParse(params);
  if (!success) throw new ProblemError("not_found");
  return data;
}

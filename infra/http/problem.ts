import { type ErrorCode, errorCodes, errorTitles, type FieldError, type Problem } from "@colloquy/schemas/errors.ts";
import { issueWords } from "@colloquy/schemas/text/issue-words.ts";
import type { ErrorRequestHandler } from "express";
import type { z } from "zod";
import { damagedFileAdvice } from "../database/damage.ts";
import { StoreNotWritable } from "../event-store/errors.ts";
import { ObjectStoreRefused } from "../object-store/store.ts";
import type { Logger } from "../telemetry/log.ts";
import { isDisconnect } from "./disconnect.ts";

/** An error that may be shown: one code of the closed list, and words that are safe for anyone to read. */
export class ProblemError extends Error {
  override name = "ProblemError";
  readonly code: ErrorCode;
  readonly detail: string | undefined;
  readonly fields: FieldError[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly live: Problem["live"];
  constructor(
    code: ErrorCode,
    options: { detail?: string; fields?: FieldError[]; retryAfterSeconds?: number; live?: Problem["live"]; cause?: unknown } = {},
  ) {
    super(options.detail ?? errorTitles[code], { cause: options.cause });
    this.code = code;
    this.detail = options.detail;
    this.fields = options.fields;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.live = options.live;
  }
}

/** The body for a problem (RFC 9457). */
export function problemBody(error: ProblemError, requestId: string): Problem {
  const { status, retryable } = errorCodes[error.code];
  const title = errorTitles[error.code];
  return {
    schemaVersion: 1,
    status,
    code: error.code,
    title,
    ...(error.detail && { detail: error.detail }),
    requestId,
    retryable,
    ...(error.fields && { fields: error.fields }),
    ...(error.live && { live: error.live }),
  };
}

/** Turns what zod found into the contract's codes: the most telling one wins, every field is named. */
function problemOfIssues(issues: readonly z.core.$ZodIssue[]): ProblemError {
  const fields: FieldError[] = [];
  let code: ErrorCode = "invalid_request";
  for (const issue of issues) {
    const path = issue.path.map(String).join(".");
    if (issue.code === "unrecognized_keys") {
      code = "unknown_field";
      for (const key of issue.keys) fields.push({ path: path ? `${path}.${key}` : key, message: "this field is not known" });
      continue;
    }
    if (path === "schemaVersion") code = "unsupported_schema_version";
    else if (issue.code === "too_big" && code === "invalid_request")
      code = issue.origin === "array" ? "too_many" : issue.origin === "string" ? "too_long" : code;
    fields.push({ path, message: issue.message });
  }
  return new ProblemError(code, { fields: fields.slice(0, 50) });
}

/** Parses a value by its schema. @throws {ProblemError} with the fields that are wrong. */
export function parse<Type extends z.ZodType>(schema: Type, value: unknown): z.output<Type> {
  const result = schema.safeParse(value, { error: issueWords });
  if (result.success) return result.data;
  throw problemOfIssues(result.error.issues);
}

/** When to try again, in seconds, where nobody knows better: parts come back within moments, room on a disk or a whole file do not. */
const againSeconds = { soon: 2, whenMended: 60 };

/** What `Retry-After` says of a problem: every 503 has one, so that whoever waits knows for how long. */
function retryAfterOf({ code, retryAfterSeconds, cause }: ProblemError): number | undefined {
  if (retryAfterSeconds !== undefined || errorCodes[code].status !== 503) return retryAfterSeconds;
  return cause instanceof StoreNotWritable || damagedFileAdvice(cause) ? againSeconds.whenMended : againSeconds.soon;
}

/** Answers every error of an Express app: problems as they are, anything else as `unavailable`, logged and never shown. */
export function problemHandler(log: Logger): ErrorRequestHandler {
  return (error, request, response, next) => {
    if (isDisconnect(error, response)) return log.debug({ requestId: request.id, path: request.path }, "the client disconnected");
    if (response.headersSent) return next(error);
    const known = error instanceof ProblemError ? error : problemOfHttpError(error);
    if (!known) log.error({ err: error, requestId: request.id, path: request.path }, "request failed");
    const told = known ?? unavailable(error);
    const problem = problemBody(told, request.id);
    const seconds = retryAfterOf(told);
    if (seconds !== undefined) response.set("retry-after", String(seconds));
    response
      .status(problem.status)
      .set("cache-control", "private, no-store")
      .type("application/problem+json")
      .send(JSON.stringify(problem));
  };
}

/** A service that cannot do its work; it says why when the reason is a disk or a damaged file, because waiting does not help then. */
export function unavailable(cause: unknown): ProblemError {
  const detail = cause instanceof StoreNotWritable ? cause.message : damagedFileAdvice(cause);
  return new ProblemError("unavailable", { cause, ...(detail && { detail }) });
}

/** Errors Express and its body parser throw for a bad request. */
function problemOfHttpError(error: unknown): ProblemError | undefined {
  // What an object store answers us (a clock too far from its own, say) is no word on what we were asked.
  if (error instanceof ObjectStoreRefused) return undefined;
  if (!(error instanceof Error) || !("status" in error) || typeof error.status !== "number") return undefined;
  if (error.status === 413) return new ProblemError("too_large", { cause: error });
  if (error.status === 404) return new ProblemError("not_found", { cause: error });
  if (error.status >= 400 && error.status < 500) return new ProblemError("invalid_request", { detail: adviceFor(error), cause: error });
  return undefined;
}

function isJson(body: unknown): boolean {
  try {
    JSON.parse(String(body));
    return true;
  } catch {
    return false;
  }
}

/** What a caller can mend, by the kind of mistake (`type` is body-parser's). */
function adviceFor(error: Error): string {
  const type = "type" in error ? error.type : undefined;
  if (type === "entity.parse.failed")
    return "body" in error && isJson(error.body) ? "The body must be a JSON object." : "The body is not JSON. Send one JSON object.";
  if (type === "encoding.unsupported")
    return "This content-encoding is not understood. Send the body as it is, or with gzip, deflate or br.";
  if (type === "charset.unsupported") return "This character set is not understood. Send the body as UTF-8.";
  if (type === "request.aborted" || type === "request.size.invalid") return "The body did not arrive whole. Send it again.";
  if (error instanceof URIError) return "The address has a % that begins no character. Write a plain % as %25.";
  return "The request cannot be read. Check its address, its headers and its body.";
}

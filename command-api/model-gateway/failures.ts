import { APICallError } from "@ai-sdk/provider";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import type { ErrorCode } from "@colloquy/schemas/errors.ts";
import { modelBounds } from "@colloquy/schemas/model-bounds.ts";

/**
 * Why a call failed. A provider's own message is not kept: it may contain a credential.
 * `unavailable`: unreachable, overloaded or broken off; `limited`: rate limit; `missing`: unknown model; `timeout`; `refused`: the
 * credential was rejected; `invalid`: the request was rejected or the answer is malformed; `empty`: no answer.
 */
export type FailureKind = "unavailable" | "limited" | "missing" | "timeout" | "refused" | "invalid" | "empty";

export class CallFailure extends Error {
  override name = "CallFailure";
  readonly kind: FailureKind;
  readonly status: number | undefined;
  /** From the `Retry-After` header (ms). */
  readonly retryAfterMs: number | undefined;
  constructor(kind: FailureKind, { status, retryAfterMs }: { status?: number | undefined; retryAfterMs?: number | undefined } = {}) {
    super(`model call failed: ${kind}`);
    this.kind = kind;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Sorts an error of the SDK, of fetch or of a stream. */
export function failureOf(error: unknown): CallFailure {
  if (error instanceof CallFailure) return error;
  if (APICallError.isInstance(error)) {
    const { statusCode: status, responseHeaders, cause } = error;
    // The SDK wraps the failure that our own bound on the response threw.
    if (cause instanceof CallFailure) return cause;
    return new CallFailure(kindOfStatus(status), { status, retryAfterMs: retryAfterMs(responseHeaders?.["retry-after"], Date.now()) });
  }
  if (error instanceof Error && /^AI_(JSONParse|TypeValidation|InvalidResponseData|InvalidArgument|InvalidPrompt)Error$/.test(error.name))
    return new CallFailure("invalid");
  // A broken connection, or an error object in the stream.
  return new CallFailure("unavailable");
}

function kindOfStatus(status: number | undefined): FailureKind {
  if (status === 429) return "limited";
  if (status === 404) return "missing";
  if (status === undefined || status >= 500 || status === 408 || status === 425) return "unavailable";
  if (status === 401 || status === 402 || status === 403) return "refused";
  // Another rejection, or a successful status with an unreadable body.
  return "invalid";
}

/** Every model is being skipped; none was called, so the request has cost nothing. */
export class NoModelAvailable extends ProblemError {
  constructor(retryAfterSeconds?: number, code: ErrorCode = "ai_unavailable", detail?: string) {
    super(code, { ...(retryAfterSeconds !== undefined && { retryAfterSeconds }), ...(detail !== undefined && { detail }) });
  }
}

const dayMs = 86_400_000;

/** The account has used up the day's limit of every model of a request. */
export class DailyLimitReached extends NoModelAvailable {
  constructor() {
    const seconds = Math.ceil((dayMs - (Date.now() % dayMs)) / 1_000);
    super(seconds, "quota_exhausted", "You have used up today's limit for this model. Choose another model, or wait until midnight UTC.");
  }
}

/** The problem for the user; with the time to wait if every model is being skipped. */
export function problemOf(failure: CallFailure, retryAfterSeconds?: number): ProblemError {
  return new ProblemError(failure.kind === "timeout" ? "ai_timeout" : "ai_unavailable", {
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}

/** Whether the model was unavailable, as opposed to rejecting the request. */
export function isUnavailability({ kind }: CallFailure): boolean {
  return kind === "unavailable" || kind === "limited" || kind === "missing" || kind === "timeout";
}

/** Whether a failure concerns the whole provider, or only the model. */
export function concernsProvider({ kind }: CallFailure): boolean {
  return kind === "unavailable" || kind === "limited" || kind === "timeout" || kind === "refused";
}

/**
 * Milliseconds of a `Retry-After` header (RFC 9110 §10.2.3: seconds or a date) from `now`, at most `modelBounds.gateway.retryAfterMs`. Undefined
 * without a header, for an invalid one and for a time that has passed.
 * @param now milliseconds since 1970
 */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  const text = header?.trim();
  if (!text) return undefined;
  const wait = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  if (!Number.isFinite(wait) || wait <= 0) return undefined;
  return Math.min(wait, modelBounds.gateway.retryAfterMs);
}

import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { APICallError } from "ai";
import { retryAfterMs } from "./retry-after.ts";

/**
 * Why a call came to nothing. Only this word is kept of a provider's error: its own words may hold a credential.
 * `unavailable`: not reached, overloaded, broken off; `limited`: asked too often; `missing`: it does not have the model;
 * `timeout`: took too long; `refused`: the credential; `invalid`: it refused the request or its answer made no sense;
 * `empty`: it answered nothing.
 */
export type FailureKind = "unavailable" | "limited" | "missing" | "timeout" | "refused" | "invalid" | "empty";

export class CallFailure extends Error {
  override name = "CallFailure";
  readonly kind: FailureKind;
  readonly status: number | undefined;
  /** How long the service asked to be left alone, in milliseconds. */
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
    // The body of a response breaks under the SDK's hands when our own bound cuts it.
    if (cause instanceof CallFailure) return cause;
    return new CallFailure(kindOfStatus(status), { status, retryAfterMs: retryAfterMs(responseHeaders?.["retry-after"], Date.now()) });
  }
  if (error instanceof Error && /^AI_(JSONParse|TypeValidation|InvalidResponseData|InvalidArgument|InvalidPrompt)Error$/.test(error.name))
    return new CallFailure("invalid");
  // What is left: a connection that broke, or an error object sent in the stream.
  return new CallFailure("unavailable");
}

function kindOfStatus(status: number | undefined): FailureKind {
  if (status === 429) return "limited";
  if (status === 404) return "missing";
  if (status === undefined || status >= 500 || status === 408 || status === 425) return "unavailable";
  if (status === 401 || status === 402 || status === 403) return "refused";
  // Another refusal, or a successful status with a body that could not be read.
  return "invalid";
}

/** No model can be asked now, and none was: what is refused so has cost nothing. */
export class NoModelAsked extends ProblemError {
  constructor(retryAfterSeconds?: number) {
    super("ai_unavailable", retryAfterSeconds === undefined ? {} : { retryAfterSeconds });
  }
}

/** What a user may be told; with the time to wait when every model is to be left alone for now. */
export function problemOf(failure: CallFailure, retryAfterSeconds?: number): ProblemError {
  return new ProblemError(failure.kind === "timeout" ? "ai_timeout" : "ai_unavailable", {
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}

/** Whether the model itself could not be had, as opposed to refusing what was asked. */
export function isUnavailability({ kind }: CallFailure): boolean {
  return kind === "unavailable" || kind === "limited" || kind === "missing" || kind === "timeout";
}

/** Whether a failure says something of the whole provider, or only of the model that was asked. */
export function isOfProvider({ kind }: CallFailure): boolean {
  return kind === "unavailable" || kind === "limited" || kind === "timeout" || kind === "refused";
}

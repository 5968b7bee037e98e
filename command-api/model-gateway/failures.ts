import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { APICallError } from "ai";

/**
 * Why a call came to nothing. Only this word is kept of a provider's error: its own words may hold a credential.
 * `unavailable`: not reached, overloaded, broken off; `timeout`: took too long; `refused`: the credential;
 * `invalid`: it refused the request or its answer made no sense; `empty`: it answered nothing.
 */
export type FailureKind = "unavailable" | "timeout" | "refused" | "invalid" | "empty";

export class CallFailure extends Error {
  override name = "CallFailure";
  readonly kind: FailureKind;
  readonly status: number | undefined;
  constructor(kind: FailureKind, status?: number) {
    super(`model call failed: ${kind}`);
    this.kind = kind;
    this.status = status;
  }
}

/** Sorts an error of the SDK, of fetch or of a stream. */
export function failureOf(error: unknown): CallFailure {
  if (error instanceof CallFailure) return error;
  if (APICallError.isInstance(error)) return new CallFailure(kindOfStatus(error), error.statusCode);
  if (error instanceof Error && /^AI_(JSONParse|TypeValidation|InvalidResponseData|InvalidArgument|InvalidPrompt)Error$/.test(error.name))
    return new CallFailure("invalid");
  // What is left: a connection that broke, or an error object sent in the stream.
  return new CallFailure("unavailable");
}

function kindOfStatus(error: APICallError): FailureKind {
  const status = error.statusCode;
  if (status === undefined || status >= 500 || status === 404 || status === 408 || status === 425 || status === 429) return "unavailable";
  if (status === 401 || status === 402 || status === 403) return "refused";
  // Another refusal, or a successful status with a body that could not be read.
  return "invalid";
}

/** What a user may be told. */
export function problemOf(failure: CallFailure): ProblemError {
  return new ProblemError(failure.kind === "timeout" ? "ai_timeout" : "ai_unavailable");
}

/** Whether the model itself could not be had, as opposed to refusing what was asked. */
export function isUnavailability(failure: CallFailure): boolean {
  return failure.kind === "unavailable" || failure.kind === "timeout";
}

import { Metadata, status } from "@grpc/grpc-js";
import { DiskError } from "./disk-error.ts";
import { maximumAppendBytes } from "./limits.ts";
import type { Expected } from "./records.ts";
import type { BadRequest } from "./requests.ts";

/** Errors of a call, told as EventStoreDB tells them: the client reads the metadata, not the text. */
export interface CallError {
  code: status;
  details: string;
  metadata: Metadata;
}

function callError(code: status, details: string, metadata: Record<string, string> = {}): CallError {
  const sent = new Metadata();
  for (const [key, value] of Object.entries(metadata)) {
    // Names outside ASCII cannot stand in a header; the protocol has no other place for them.
    sent.set(key, value.replace(/[^\x20-\x7e]/g, "?"));
  }
  return { code, details, metadata: sent };
}

const expectedNumbers = { any: -2, no_stream: -1, stream_exists: -4 } as const;

export const wrongExpectedVersion = (operation: string, stream: string, expected: Expected, current: number): CallError => {
  const number = String(typeof expected === "bigint" ? BigInt.asIntN(64, expected) : expectedNumbers[expected]);
  return callError(
    status.FAILED_PRECONDITION,
    `${operation} failed due to WrongExpectedVersion. Stream: ${stream}, Expected version: ${number}, Actual version: ${current}`,
    { exception: "wrong-expected-version", "stream-name": stream, "expected-version": number, "actual-version": String(current) },
  );
};

export const streamDeleted = (stream: string): CallError =>
  callError(status.FAILED_PRECONDITION, `Event stream '${stream}' is deleted.`, { exception: "stream-deleted", "stream-name": stream });

export const maximumAppendSizeExceeded = (): CallError =>
  callError(status.INVALID_ARGUMENT, `Maximum Append Size of ${maximumAppendBytes} Exceeded.`, {
    exception: "maximum-append-size-exceeded",
    "maximum-append-size": String(maximumAppendBytes),
  });

/** The client tells a refusal from other errors by the exception's name, and missing or wrong credentials by the code. */
export const accessDenied = (): CallError => callError(status.PERMISSION_DENIED, "Access Denied", { exception: "access-denied" });
export const notAuthenticated = (): CallError =>
  callError(status.UNAUTHENTICATED, "This event store asks for a user name and a password, and these are missing or wrong.");
/** Requests that EventStoreDB refuses by name, and those whose handler throws there. */
export const badRequest = ({ message, isFault, details }: BadRequest): CallError =>
  isFault ? callError(status.UNKNOWN, message) : callError(status.INVALID_ARGUMENT, message, details);
export const unexpectedResult = (what: "ReadStreamResult" | "ReadAllResult"): CallError =>
  callError(status.UNKNOWN, `Unexpected ${what}: Error`);
export const consumerTooSlow = (): CallError =>
  callError(status.ABORTED, "Operation timed out: Consumer too slow to handle event while live. Client resubscription required.");
export const tooManyOpenAppends = (): CallError => callError(status.RESOURCE_EXHAUSTED, "Too many appends were begun and not ended.");
export const deadlineExceeded = (): CallError => callError(status.DEADLINE_EXCEEDED, "The append came too late.");
export const shuttingDown = (): CallError => callError(status.UNAVAILABLE, "The event store is shutting down.");
export const writeFailed = (error: Error): CallError =>
  error instanceof DiskError
    ? callError(error.why === "disk_full" ? status.RESOURCE_EXHAUSTED : status.INTERNAL, error.message)
    : callError(status.INTERNAL, `The event store could not write: ${error.message}`);
export const readFailed = (error: unknown): CallError =>
  callError(status.INTERNAL, `The event store could not read: ${error instanceof Error ? error.message : String(error)}`);

import { Metadata, status } from "@grpc/grpc-js";
import { DiskError } from "./disk-error.ts";
import { maximumAppendBytes } from "./limits.ts";
import type { Expected } from "./records.ts";

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

export const wrongExpectedVersion = (stream: string, expected: Expected, current: number): CallError =>
  callError(status.FAILED_PRECONDITION, `Append failed due to WrongExpectedVersion. Stream: ${stream}, Actual version: ${current}`, {
    exception: "wrong-expected-version",
    "stream-name": stream,
    "expected-version": String(typeof expected === "number" ? expected : expectedNumbers[expected]),
    ...(current < 0 ? {} : { "actual-version": String(current) }),
  });

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
export const invalidArgument = (details: string): CallError => callError(status.INVALID_ARGUMENT, details);
export const tooManyOpenAppends = (): CallError => callError(status.RESOURCE_EXHAUSTED, "Too many appends were begun and not ended.");
export const deadlineExceeded = (): CallError => callError(status.DEADLINE_EXCEEDED, "The append came too late.");
export const shuttingDown = (): CallError => callError(status.UNAVAILABLE, "The event store is shutting down.");
export const writeFailed = (error: Error): CallError =>
  error instanceof DiskError
    ? callError(error.why === "disk_full" ? status.RESOURCE_EXHAUSTED : status.INTERNAL, error.message)
    : callError(status.INTERNAL, `The event store could not write: ${error.message}`);
export const readFailed = (error: unknown): CallError =>
  callError(status.INTERNAL, `The event store could not read: ${error instanceof Error ? error.message : String(error)}`);

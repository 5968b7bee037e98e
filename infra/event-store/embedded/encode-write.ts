import { maximumAppendBytes, noStreamRevision } from "./limits.ts";
import type { Expected } from "./records.ts";
import type { WriteOutcome } from "./store.ts";
import { message, number, whole } from "./wire.ts";

/** Answers of BatchAppend, Append, Delete and Tombstone, as bytes. */

/** What a batch is told, beside what the store settles: it came too late, was too large, is not allowed, or makes no sense. */
export type BatchOutcome =
  | WriteOutcome
  | { kind: "late" }
  | { kind: "too_large" }
  | { kind: "denied" }
  | { kind: "refused"; reason: string };

const position = (field: number, at: number): Uint8Array => message(field, number(1, at), number(2, at));

/** `BatchAppendResp`: one answer on the long-lived stream, told apart by its correlation id. */
export function batchAppendResponse(correlationId: Uint8Array, stream: string, expected: Expected, outcome: BatchOutcome): Buffer {
  return whole(
    message(1, correlationId),
    outcome.kind === "written"
      ? message(
          3,
          outcome.revision < 0 ? message(2) : number(1, outcome.revision),
          outcome.position === null ? message(4) : position(3, outcome.position),
        )
      : message(2, ...status(stream, expected, outcome)),
    message(4, message(3, stream)),
  );
}

/** `google.rpc.Status`, with the details by which the client knows one error from another. */
function status(stream: string, expected: Expected, outcome: Exclude<BatchOutcome, { kind: "written" }>): Uint8Array[] {
  const failure = (code: number, text: string, type: string, ...details: Uint8Array[]): Uint8Array[] => [
    number(1, code),
    message(2, text),
    message(3, message(1, `type.googleapis.com/${type}`), message(2, ...details)),
  ];
  switch (outcome.kind) {
    case "wrong_expected":
      return failure(
        6,
        "WrongExpectedVersion",
        "event_store.client.WrongExpectedVersion",
        outcome.current < 0 ? message(2) : number(1, outcome.current),
        expectedField(expected, { revision: 3, any: 4, stream_exists: 5, no_stream: 6 }),
      );
    case "stream_deleted":
      return failure(5, "StreamDeleted", "event_store.client.StreamDeleted", message(1, message(3, stream)));
    case "too_large":
      return failure(3, "MaximumAppendSizeExceeded", "event_store.client.MaximumAppendSizeExceeded", number(1, maximumAppendBytes));
    case "denied":
      return failure(7, "AccessDenied", "event_store.client.AccessDenied");
    case "late":
      return failure(4, "Timeout", "event_store.client.Timeout");
    case "refused":
      return failure(3, "BadRequest", "event_store.client.BadRequest", message(1, outcome.reason));
    case "failed":
      // The client drops the text of a failure it knows as `Unknown`; of one it does not know it keeps it.
      return failure(13, outcome.error.message, "event_store.client.WriteFailed");
  }
}

function expectedField(
  expected: Expected,
  fields: { revision: number; no_stream: number; any: number; stream_exists: number },
): Uint8Array {
  if (expected === noStreamRevision) return message(fields.no_stream);
  return typeof expected === "bigint" ? number(fields.revision, expected) : message(fields[expected]);
}

/** `AppendResp`: a refusal of the expected revision is an answer here, not an error. It says everything twice, for older clients. */
export function appendResponse(expected: Expected, outcome: Extract<WriteOutcome, { kind: "written" | "wrong_expected" }>): Buffer {
  if (outcome.kind === "wrong_expected") {
    const current = outcome.current < 0 ? [message(2), message(7)] : [number(1, outcome.current), number(6, outcome.current)];
    return whole(message(2, ...current, ...expectedTwice(expected)));
  }
  return whole(
    message(
      1,
      outcome.revision < 0 ? message(2) : number(1, outcome.revision),
      outcome.position === null ? message(4) : position(3, outcome.position),
    ),
  );
}

function expectedTwice(expected: Expected): Uint8Array[] {
  switch (expected) {
    case "any":
      return [message(4), message(9)];
    case "stream_exists":
      return [message(5), message(10)];
    case "no_stream":
      return [number(3, noStreamRevision), message(11)];
    default:
      return [number(3, expected), number(8, expected)];
  }
}

/** `DeleteResp` and `TombstoneResp`. */
export const deleteResponse = (at: number | null): Buffer => whole(at === null ? message(2) : position(1, at));

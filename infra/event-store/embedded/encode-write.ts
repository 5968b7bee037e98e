import { maximumAppendBytes } from "./limits.ts";
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
export function batchAppendResponse(correlationId: string, stream: string, expected: Expected, outcome: BatchOutcome): Buffer {
  return whole(
    message(1, message(2, correlationId)),
    outcome.kind === "written"
      ? message(
          3,
          outcome.revision < 0 ? message(2) : number(1, outcome.revision),
          outcome.position === null ? message(4) : position(3, outcome.position),
        )
      : message(2, ...status(stream, expected, outcome)),
    message(4, message(3, stream)),
    expectedField(expected, { revision: 5, no_stream: 6, any: 7, stream_exists: 8 }),
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
        9,
        "Wrong expected version",
        "event_store.client.WrongExpectedVersion",
        outcome.current < 0 ? message(2) : number(1, outcome.current),
        expectedField(expected, { revision: 3, any: 4, stream_exists: 5, no_stream: 6 }),
      );
    case "stream_deleted":
      return failure(9, "Stream deleted", "event_store.client.StreamDeleted", message(1, message(3, stream)));
    case "too_large":
      return failure(3, "Maximum append size exceeded", "event_store.client.MaximumAppendSizeExceeded", number(1, maximumAppendBytes));
    case "denied":
      return failure(7, "Access denied", "event_store.client.AccessDenied");
    case "late":
      return failure(4, "Deadline exceeded", "event_store.client.Timeout");
    case "refused":
      return failure(3, outcome.reason, "event_store.client.BadRequest", message(1, outcome.reason));
    case "failed":
      // The client drops the text of a failure it knows as `Unknown`; of one it does not know it keeps it.
      return failure(13, outcome.error.message, "event_store.client.WriteFailed");
  }
}

function expectedField(
  expected: Expected,
  fields: { revision: number; no_stream: number; any: number; stream_exists: number },
): Uint8Array {
  return typeof expected === "number" ? number(fields.revision, expected) : message(fields[expected]);
}

/** `AppendResp`: a refusal of the expected revision is an answer here, not an error. */
export function appendResponse(expected: Expected, outcome: Extract<WriteOutcome, { kind: "written" | "wrong_expected" }>): Buffer {
  if (outcome.kind === "wrong_expected")
    return whole(
      message(
        2,
        outcome.current < 0 ? message(7) : number(6, outcome.current),
        expectedField(expected, { revision: 8, any: 9, stream_exists: 10, no_stream: 11 }),
      ),
    );
  return whole(
    message(
      1,
      outcome.revision < 0 ? message(2) : number(1, outcome.revision),
      outcome.position === null ? message(4) : position(3, outcome.position),
    ),
  );
}

/** `DeleteResp` and `TombstoneResp`. */
export const deleteResponse = (at: number | null): Buffer => whole(at === null ? message(2) : position(1, at));

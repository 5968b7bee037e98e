import type { AppendReq, BatchAppendReq, DeleteReq, TombstoneReq } from "@eventstore/db-client/generated/streams_pb.js";
import type { ServerDuplexStream, ServerReadableStream, ServerUnaryCall, sendUnaryData } from "@grpc/grpc-js";
import { appendResponse, type BatchOutcome, batchAppendResponse, deleteResponse } from "./encode-write.ts";
import {
  accessDenied,
  type CallError,
  deadlineExceeded,
  invalidArgument,
  maximumAppendSizeExceeded,
  shuttingDown,
  streamDeleted,
  tooManyOpenAppends,
  writeFailed,
  wrongExpectedVersion,
} from "./errors.ts";
import type { GroupCommit } from "./group-commit.ts";
import { maximumAppendBytes, maximumOpenAppends } from "./limits.ts";
import type { Expected, ProposedEvent } from "./records.ts";
import { BadRequest, eventSize, expectedRevision, idText, type Proposal, proposedEvent, streamName } from "./requests.ts";
import type { RunningCalls } from "./running-calls.ts";
import type { Guard } from "./security/open-security.ts";
import type { WriteOutcome } from "./store.ts";

/** The writing half of Streams: BatchAppend, Append, Delete, Tombstone. */

const asError = (error: unknown): CallError =>
  error instanceof BadRequest ? invalidArgument(error.message) : writeFailed(error instanceof Error ? error : new Error(String(error)));

/** An append that arrives in several messages. */
interface OpenAppend {
  stream: string;
  expected: Expected;
  deadline: number;
  events: ProposedEvent[];
  bytes: number;
  /** Why it will be rejected. */
  refused: BadRequest | null;
}

/** Adds an event. The events of an append that is too large or invalid are dropped, so that it cannot fill the memory. */
function take(append: OpenAppend, proposal: Proposal): void {
  try {
    const event = proposedEvent(proposal);
    append.bytes += eventSize(event);
    append.events.push(event);
  } catch (error) {
    if (!(error instanceof BadRequest)) throw error;
    append.refused ??= error;
  }
  if (append.refused || append.bytes > maximumAppendBytes) append.events = [];
}

export function appendService(commits: GroupCommit, running: RunningCalls, guard: Guard) {
  function write(
    kind: "delete" | "tombstone",
    { request, metadata }: ServerUnaryCall<DeleteReq | TombstoneReq, Buffer>,
    callback: sendUnaryData<Buffer>,
  ): void {
    if (running.stopping()) return void callback(shuttingDown());
    try {
      const options = request.getOptions();
      const stream = streamName(options?.getStreamIdentifier());
      if (!guard.may(metadata, "delete", stream)) return void callback(accessDenied());
      const expected = options ? expectedRevision(options, () => options.getRevision()) : "any";
      commits.submit({ kind, stream, expected }, (settled) => {
        if (settled.kind === "written") callback(null, deleteResponse(settled.position));
        else callback(refusal(stream, expected, settled));
      });
    } catch (error) {
      callback(asError(error));
    }
  }

  return {
    batchAppend(call: ServerDuplexStream<BatchAppendReq, Buffer>): void {
      const open = new Map<string, OpenAppend>();
      let waiting = 0;
      let ended = false;
      // Cancelled or failed: no more messages are read or sent. Event ids make a repeated append of running writes safe.
      let over = false;
      const fail = (error: CallError): void => {
        if (!over) call.emit("error", error);
        over = true;
      };
      if (running.stopping()) return void fail(shuttingDown());
      const forget = running.add(() => fail(shuttingDown()));
      const endWhenAnswered = (): void => {
        if (ended && waiting === 0 && !over) call.end();
      };
      const answer = (correlationId: string, { stream, expected }: OpenAppend, outcome: BatchOutcome): void => {
        if (!over) call.write(batchAppendResponse(correlationId, stream, expected, outcome));
      };

      function submit(correlationId: string, append: OpenAppend): void {
        const { stream, expected, events, bytes, deadline, refused } = append;
        if (refused) return void answer(correlationId, append, { kind: "refused", reason: refused.message });
        if (Date.now() > deadline) return void answer(correlationId, append, { kind: "late" });
        if (bytes > maximumAppendBytes) return void answer(correlationId, append, { kind: "too_large" });
        if (!guard.may(call.metadata, "write", stream)) return void answer(correlationId, append, { kind: "denied" });
        waiting += 1;
        commits.submit({ kind: "append", stream, expected, events }, (settled) => {
          waiting -= 1;
          answer(correlationId, append, settled);
          endWhenAnswered();
        });
        if (commits.full()) {
          call.pause();
          commits.onDrained(() => call.resume());
        }
      }

      call.on("data", (request: BatchAppendReq) => {
        if (over) return;
        try {
          const correlationId = idText(request.getCorrelationId());
          const options = request.getOptions();
          const append = options
            ? {
                stream: streamName(options.getStreamIdentifier()),
                expected: expectedRevision(options, () => options.getStreamPosition()),
                deadline: options.getDeadline()?.toDate().getTime() ?? Number.POSITIVE_INFINITY,
                events: [],
                bytes: 0,
                refused: null,
              }
            : open.get(correlationId);
          if (!append) throw new BadRequest("The first message of an append must name its stream.");
          for (const proposal of request.getProposedMessagesList()) take(append, proposal);
          if (request.getIsFinal()) {
            open.delete(correlationId);
            submit(correlationId, append);
          } else if (open.set(correlationId, append).size > maximumOpenAppends) fail(tooManyOpenAppends());
        } catch (error) {
          fail(asError(error));
        }
      });
      call.on("end", () => {
        ended = true;
        endWhenAnswered();
      });
      call.on("cancelled", () => {
        over = true;
      });
      call.on("close", forget);
    },

    append(call: ServerReadableStream<AppendReq, Buffer>, callback: sendUnaryData<Buffer>): void {
      if (running.stopping()) return void callback(shuttingDown());
      let append: OpenAppend | null = null;
      let answered = false;
      const answer = (error: CallError | null, response?: Buffer): void => {
        forget();
        if (!answered) callback(error, response);
        answered = true;
      };
      const forget = running.add(() => answer(shuttingDown()));
      call.on("data", (request: AppendReq) => {
        if (answered) return;
        try {
          const options = request.getOptions();
          const proposal = request.getProposedMessage();
          if (options) {
            const expected = expectedRevision(options, () => options.getRevision());
            const deadline = new Date(call.getDeadline()).getTime();
            append = { stream: streamName(options.getStreamIdentifier()), expected, deadline, events: [], bytes: 0, refused: null };
          } else if (append && proposal) take(append, proposal);
          else throw new BadRequest("The first message of an append must name its stream.");
        } catch (error) {
          answer(asError(error));
        }
      });
      call.on("end", () => {
        if (answered) return;
        if (!append) return answer(invalidArgument("An append must name its stream."));
        const { stream, expected, events, bytes, refused, deadline } = append;
        if (refused) return answer(asError(refused));
        if (Date.now() > deadline) return answer(deadlineExceeded());
        if (bytes > maximumAppendBytes) return answer(maximumAppendSizeExceeded());
        if (!guard.may(call.metadata, "write", stream)) return answer(accessDenied());
        commits.submit({ kind: "append", stream, expected, events }, (settled) => {
          if (settled.kind === "written" || settled.kind === "wrong_expected") answer(null, appendResponse(expected, settled));
          else answer(refusal(stream, expected, settled));
        });
      });
      call.on("cancelled", forget);
    },

    delete: (call: ServerUnaryCall<DeleteReq, Buffer>, callback: sendUnaryData<Buffer>): void => write("delete", call, callback),
    tombstone: (call: ServerUnaryCall<TombstoneReq, Buffer>, callback: sendUnaryData<Buffer>): void => write("tombstone", call, callback),
  };
}

function refusal(stream: string, expected: Expected, settled: Exclude<WriteOutcome, { kind: "written" }>): CallError {
  switch (settled.kind) {
    case "wrong_expected":
      return wrongExpectedVersion(stream, expected, settled.current);
    case "stream_deleted":
      return streamDeleted(stream);
    case "failed":
      return writeFailed(settled.error);
  }
}

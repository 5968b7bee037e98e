import type { AppendReq, BatchAppendReq, DeleteReq, TombstoneReq } from "@eventstore/db-client/generated/streams_pb.js";
import type { ServerDuplexStream, ServerReadableStream, ServerUnaryCall, sendUnaryData } from "@grpc/grpc-js";
import { appendResponse, type BatchOutcome, batchAppendResponse, deleteResponse } from "./encode-write.ts";
import {
  accessDenied,
  badRequest,
  type CallError,
  deadlineExceeded,
  maximumAppendSizeExceeded,
  shuttingDown,
  streamDeleted,
  tooManyOpenAppends,
  writeFailed,
  wrongExpectedVersion,
} from "./errors.ts";
import type { GroupCommit } from "./group-commit.ts";
import { maximumAppendBytes, maximumOpenAppends, writeTimeoutMs } from "./limits.ts";
import type { Expected, ProposedEvent } from "./records.ts";
import { BadRequest, eventSize, expectedRevision, idText, isMalformed, proposedEvent, streamName } from "./requests.ts";
import type { RunningCalls } from "./running-calls.ts";
import type { Guard } from "./security/open-security.ts";
import type { WriteOutcome } from "./store.ts";
import { structuredId, textId } from "./wire-ids.ts";

/** The writing half of Streams: BatchAppend, Append, Delete, Tombstone. */

const asError = (error: unknown): CallError =>
  error instanceof BadRequest ? badRequest(error) : writeFailed(error instanceof Error ? error : new Error(String(error)));

/** An append that arrives in several messages. */
interface OpenAppend {
  stream: string;
  expected: Expected;
  events: ProposedEvent[];
  bytes: number;
  /** Answers that its time is over, while it is open. */
  timer: NodeJS.Timeout;
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
      const expected = options ? expectedRevision(options, () => (options.hasRevision() ? options.getRevision() : null)) : "any";
      if (!guard.may(metadata, "delete", stream)) return void callback(accessDenied());
      commits.submit({ kind, stream, expected }, (settled) => {
        if (settled.kind === "written") callback(null, deleteResponse(settled.position));
        else callback(refusal("Delete", stream, expected, settled));
      });
    } catch (error) {
      callback(asError(error));
    }
  }

  return {
    batchAppend(call: ServerDuplexStream<BatchAppendReq, Buffer>): void {
      const open = new Map<string, OpenAppend>();
      // Cancelled or failed: no more messages are read or sent. Event ids make a repeated append of running writes safe.
      let over = false;
      const close = (): void => {
        over = true;
        for (const { timer } of open.values()) clearTimeout(timer);
        open.clear();
      };
      const fail = (error: CallError): void => {
        if (!over) call.emit("error", error);
        close();
      };
      if (running.stopping()) return void fail(shuttingDown());
      const forget = running.add(() => fail(shuttingDown()));
      const answer = (correlation: Uint8Array, stream: string, expected: Expected, outcome: BatchOutcome): void => {
        if (!over) call.write(batchAppendResponse(correlation, stream, expected, outcome));
      };

      function submit(correlation: Uint8Array, { stream, expected, events }: OpenAppend): void {
        commits.submit({ kind: "append", stream, expected, events }, (settled) => answer(correlation, stream, expected, settled));
        if (!commits.full()) return;
        call.pause();
        commits.onDrained(() => call.resume());
      }

      /** The append that a message begins or goes on with; null when the message is answered, or belongs to none. */
      function appendOf(key: string, correlation: Uint8Array, options: BatchAppendReq.Options | undefined): OpenAppend | null {
        const known = open.get(key);
        if (!options) return known ?? null;
        const stream = streamName(options.getStreamIdentifier());
        if (!guard.may(call.metadata, "write", stream)) {
          answer(correlation, stream, "any", { kind: "denied" });
          return null;
        }
        const timeout = Math.min(timeLeft(options), writeTimeoutMs);
        if (timeout <= 0) {
          answer(correlation, stream, "any", { kind: "late" });
          return null;
        }
        if (known) return known;
        const expected = expectedRevision(options, () => (options.hasStreamPosition() ? options.getStreamPosition() : null));
        const timer = setTimeout(() => {
          if (open.delete(key)) answer(structuredId(key), stream, expected, { kind: "late" });
        }, timeout).unref();
        const append = { stream, expected, events: [], bytes: 0, timer };
        if (open.set(key, append).size > maximumOpenAppends) fail(tooManyOpenAppends());
        return append;
      }

      function take(request: BatchAppendReq, key: string, correlation: Uint8Array): void {
        const append = appendOf(key, correlation, request.getOptions());
        if (!append || over) return;
        for (const proposal of request.getProposedMessagesList()) {
          const event = proposedEvent(proposal);
          append.bytes += eventSize(event);
          // The events of an append that is too large are dropped, so that it cannot fill the memory.
          if (append.bytes <= maximumAppendBytes) append.events.push(event);
        }
        const isTooLarge = append.bytes > maximumAppendBytes;
        if (!isTooLarge && !request.getIsFinal()) return;
        open.delete(key);
        clearTimeout(append.timer);
        if (isTooLarge) answer(correlation, append.stream, append.expected, { kind: "too_large" });
        else submit(correlation, append);
      }

      call.on("data", (request: BatchAppendReq) => {
        if (over) return;
        const sent = request.getCorrelationId();
        const key = idText(sent);
        const correlation = sent?.hasStructured() ? structuredId(key) : sent?.hasString() ? textId(sent.getString()) : new Uint8Array(0);
        try {
          if (request.getProposedMessagesList().some(isMalformed)) throw new BadRequest("The text is no UTF-8.", { isFault: true });
        } catch (error) {
          return fail(asError(error));
        }
        try {
          if (!key) throw new BadRequest("An append needs a correlation id.");
          take(request, key, correlation);
        } catch (error) {
          if (!(error instanceof BadRequest)) return fail(asError(error));
          const stream = Buffer.from(request.getOptions()?.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString("utf8");
          answer(sent ? correlation : new Uint8Array(0), stream, "any", { kind: "refused", reason: error.message });
        }
      });
      // As in EventStoreDB the answers' half stays open until the caller leaves.
      call.on("cancelled", close);
      call.on("close", () => {
        close();
        forget();
      });
    },

    append(call: ServerReadableStream<AppendReq, Buffer>, callback: sendUnaryData<Buffer>): void {
      if (running.stopping()) return void callback(shuttingDown());
      let append: Omit<OpenAppend, "timer"> | null = null;
      let answered = false;
      const answer = (error: CallError | null, response?: Buffer): void => {
        forget();
        if (!answered) callback(error, response);
        answered = true;
      };
      const forget = running.add(() => answer(shuttingDown()));
      const first = new BadRequest("The first message of an append must name its stream.", { isFault: true });
      const deadline = new Date(call.getDeadline()).getTime();
      call.on("data", (request: AppendReq) => {
        if (answered) return;
        try {
          const options = request.getOptions();
          const proposal = request.getProposedMessage();
          if (options && !append) {
            const expected = expectedRevision(options, () => (options.hasRevision() ? options.getRevision() : null));
            append = { stream: streamName(options.getStreamIdentifier()), expected, events: [], bytes: 0 };
            if (!guard.may(call.metadata, "write", append.stream)) answer(accessDenied());
            return;
          }
          if (!append || !proposal || isMalformed(proposal)) throw first;
          const event = proposedEvent(proposal);
          append.bytes += eventSize(event);
          if (append.bytes > maximumAppendBytes) throw maximumAppendSizeExceeded();
          append.events.push(event);
        } catch (error) {
          answer(isCallError(error) ? error : asError(error));
        }
      });
      call.on("end", () => {
        if (answered) return;
        if (!append) return answer(badRequest(first));
        const { stream, expected, events } = append;
        if (Date.now() > deadline) return answer(deadlineExceeded());
        commits.submit({ kind: "append", stream, expected, events }, (settled) => {
          if (settled.kind === "written" || settled.kind === "wrong_expected") answer(null, appendResponse(expected, settled));
          else answer(refusal("Append", stream, expected, settled));
        });
      });
      call.on("cancelled", forget);
    },

    delete: (call: ServerUnaryCall<DeleteReq, Buffer>, callback: sendUnaryData<Buffer>): void => write("delete", call, callback),
    tombstone: (call: ServerUnaryCall<TombstoneReq, Buffer>, callback: sendUnaryData<Buffer>): void => write("tombstone", call, callback),
  };
}

const isCallError = (error: unknown): error is CallError =>
  typeof error === "object" && error !== null && !(error instanceof Error) && "code" in error && "metadata" in error;

/** How long the caller waits for a batch, in milliseconds. */
const timeLeft = (options: BatchAppendReq.Options): number =>
  (options.getDeadline()?.toDate().getTime() ?? Number.POSITIVE_INFINITY) - Date.now();

function refusal(operation: string, stream: string, expected: Expected, settled: Exclude<WriteOutcome, { kind: "written" }>): CallError {
  switch (settled.kind) {
    case "wrong_expected":
      return wrongExpectedVersion(operation, stream, expected, settled.current);
    case "stream_deleted":
      return streamDeleted(stream);
    case "failed":
      return writeFailed(settled.error);
  }
}

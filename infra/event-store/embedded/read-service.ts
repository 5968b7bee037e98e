import type { ReadReq } from "@eventstore/db-client/generated/streams_pb.js";
import type { ServerWritableStream } from "@grpc/grpc-js";
import { caughtUp, checkpoint, confirmation, encodeEvent, streamNotFound } from "./encode-read.ts";
import { accessDenied, type CallError, invalidArgument, readFailed, shuttingDown, streamDeleted } from "./errors.ts";
import { type ResolvedEvent, resolveLink, unresolved, visible } from "./links.ts";
import { openPacedStream, type PacedStream } from "./paced-stream.ts";
import type { RecordedEvent } from "./records.ts";
import { BadRequest, type ReadRequest, readRequest } from "./requests.ts";
import type { RunningCalls } from "./running-calls.ts";
import type { Guard } from "./security/open-security.ts";
import type { Store } from "./store.ts";
import { allStream } from "./streams.ts";

/** The reading half of Streams: one call, Read, which reads to an end or subscribes. */

/** The call ends with an error rather than an answer: the stream was tombstoned, or the caller may not read it. */
class Refused extends Error {
  readonly error: CallError;
  constructor(error: CallError) {
    super(error.details);
    this.error = error;
  }
}

export function readService(store: Store, running: RunningCalls, guard: Guard) {
  async function answer(request: ReadRequest, show: Show, output: PacedStream): Promise<void> {
    if (request.count === null) {
      if (request.stream === null) await subscribeToAll(store, request, show, output);
      else await subscribeToStream(store, request, show, request.stream, output);
    } else if (request.stream === null) await readAll(store, request, show, request.count, output);
    else await readStream(store, request, show, request.stream, request.count, output);
  }

  return (call: ServerWritableStream<ReadReq, Buffer>): void => {
    const fail = (error: CallError): void => void call.emit("error", error);
    if (running.stopping()) return void fail(shuttingDown());
    const output = openPacedStream(call, store);
    const forget = running.add(() => {
      output.close();
      fail(shuttingDown());
    });
    Promise.resolve()
      .then(() => {
        const request = readRequest(call.request);
        if (!guard.may(call.metadata, "read", request.stream ?? allStream)) throw new Refused(accessDenied());
        const mayRead = (stream: string): boolean => guard.may(call.metadata, "read", stream);
        const show: Show = request.resolveLinks ? (event) => visible(resolveLink(store, event), mayRead) : unresolved;
        return answer(request, show, output);
      })
      .then(
        () => {
          if (output.open()) call.end();
        },
        (error: unknown) => {
          if (!output.open()) return;
          if (error instanceof Refused) fail(error.error);
          else fail(error instanceof BadRequest ? invalidArgument(error.message) : readFailed(error));
        },
      )
      .finally(() => {
        forget();
        output.close();
      });
  };
}

/** How an event is shown to this reader: as it stands, or with its link followed. */
type Show = (event: RecordedEvent) => ResolvedEvent;

/** Sends events, each with the word that is to follow it, if any. */
async function send(
  events: readonly RecordedEvent[],
  show: Show,
  output: PacedStream,
  following: (position: number) => Buffer | null = () => null,
): Promise<void> {
  for (const event of events) {
    const room = output.write(encodeEvent(show(event)));
    if (room !== true && !(await room)) return;
    const word = following(event.position);
    if (word) await output.write(word);
  }
}

async function readStream(
  store: Store,
  request: ReadRequest,
  show: Show,
  stream: string,
  count: number,
  output: PacedStream,
): Promise<void> {
  const { backwards } = request;
  const state = store.state(stream);
  if (state?.condition === "tombstoned") throw new Refused(streamDeleted(stream));
  if (!state || state.next === 0 || state.condition === "deleted") return void (await output.write(streamNotFound(stream)));
  const first = backwards ? state.next - 1 : 0;
  let from: number | null = request.from === "start" ? 0 : request.from === "end" ? (backwards ? first : state.next) : request.from;
  let left = count;
  while (from !== null && left > 0 && output.open()) {
    const turn = store.reader.stream(stream, state, from, backwards, left);
    await send(turn.events, show, output);
    left -= turn.events.length;
    from = turn.next;
  }
}

async function readAll(store: Store, request: ReadRequest, show: Show, count: number, output: PacedStream): Promise<void> {
  const { backwards } = request;
  const head = store.reader.head();
  let from = edgeOf(request, head);
  const read = store.reader.all(request.filter, backwards);
  let left = count;
  while (left > 0 && output.open()) {
    const turn = read(from, left);
    await send(turn.events, show, output);
    left -= turn.events.length;
    from = turn.scannedTo;
    if (turn.done || (!backwards && from >= head)) return;
    await output.yieldToEventLoop();
  }
}

/** Where reading `$all` begins, as a position that is not read itself. A named position is read forwards, and not backwards, as in EventStoreDB. */
function edgeOf({ from, backwards }: ReadRequest, head: number): number {
  if (from === "start") return backwards ? 1 : 0;
  if (from === "end") return backwards ? head + 1 : head;
  return backwards ? Math.min(from, head + 1) : from - 1;
}

async function subscribeToStream(store: Store, request: ReadRequest, show: Show, stream: string, output: PacedStream): Promise<void> {
  const { from } = request;
  let after = from === "start" ? -1 : from === "end" ? (store.state(stream)?.next ?? 0) - 1 : from;
  let live = false;
  await output.write(confirmation(crypto.randomUUID()));
  while (output.open()) {
    const seen = output.commitCount();
    const state = store.state(stream);
    if (state?.condition === "tombstoned") throw new Refused(streamDeleted(stream));
    const turn = state && state.next - 1 > after ? store.reader.stream(stream, state, after + 1, false) : null;
    if (turn) await send(turn.events, show, output);
    // Events that are hidden or purged count as passed.
    after = turn?.next ? turn.next - 1 : Math.max(after, (state?.next ?? 0) - 1);
    if (turn?.next) {
      await output.yieldToEventLoop();
      continue;
    }
    if (!live) await output.write(caughtUp());
    live = true;
    await output.nextCommit(seen);
  }
}

async function subscribeToAll(store: Store, request: ReadRequest, show: Show, output: PacedStream): Promise<void> {
  const read = store.reader.all(request.filter, false);
  let after = request.from === "start" ? 0 : request.from === "end" ? store.reader.head() : request.from;
  let marked = after;
  const mark = (position: number): Buffer | null => {
    if (!request.filter || position - marked < request.checkpointInterval) return null;
    marked = position;
    // At a stored event, never beyond: a checkpoint that runs ahead would make a reader miss what is written next.
    return checkpoint(store.reader.storedAt(position));
  };
  let live = false;
  await output.write(confirmation(crypto.randomUUID()));
  while (output.open()) {
    const seen = output.commitCount();
    const turn = read(after);
    await send(turn.events, show, output, mark);
    after = turn.scannedTo;
    const word = mark(after);
    if (word) await output.write(word);
    if (!turn.done) {
      await output.yieldToEventLoop();
      continue;
    }
    if (!live) await output.write(caughtUp());
    live = true;
    await output.nextCommit(seen);
  }
}

import type { ReadReq } from "@eventstore/db-client/generated/streams_pb.js";
import type { ServerWritableStream } from "@grpc/grpc-js";
import { caughtUp, checkpoint, confirmation, encodeEvent, streamNotFound } from "./encode-read.ts";
import { type CallError, invalidArgument, readFailed, shuttingDown, streamDeleted } from "./errors.ts";
import { checkpointWindow } from "./limits.ts";
import { type Outlet, openOutlet } from "./outlet.ts";
import type { RecordedEvent } from "./records.ts";
import { BadRequest, type ReadRequest, readRequest } from "./requests.ts";
import type { Running } from "./running-calls.ts";
import type { Store } from "./store.ts";

/** The reading half of Streams: one call, Read, which reads to an end or subscribes. */

/** A stream that was tombstoned: the call ends with an error rather than an answer. */
class Tombstoned extends Error {
  readonly error: CallError;
  constructor(stream: string) {
    super(stream);
    this.error = streamDeleted(stream);
  }
}

export function readService(store: Store, running: Running) {
  async function answer(request: ReadRequest, outlet: Outlet): Promise<void> {
    if (request.count === null) {
      if (request.stream === null) await subscribeToAll(store, request, outlet);
      else await subscribeToStream(store, request.stream, request.from, outlet);
    } else if (request.stream === null) await readAll(store, request, request.count, outlet);
    else await readStream(store, request, request.stream, request.count, outlet);
  }

  return (call: ServerWritableStream<ReadReq, Buffer>): void => {
    const fail = (error: CallError): void => void call.emit("error", error);
    if (running.stopping()) return void fail(shuttingDown());
    const outlet = openOutlet(call, store);
    const forget = running.add(() => {
      outlet.shut();
      fail(shuttingDown());
    });
    Promise.resolve()
      .then(() => answer(readRequest(call.request), outlet))
      .then(
        () => {
          if (outlet.open()) call.end();
        },
        (error: unknown) => {
          if (!outlet.open()) return;
          if (error instanceof Tombstoned) fail(error.error);
          else fail(error instanceof BadRequest ? invalidArgument(error.message) : readFailed(error));
        },
      )
      .finally(() => {
        forget();
        outlet.shut();
      });
  };
}

/** Sends events, each with the word that is to follow it, if any. */
async function send(
  events: readonly RecordedEvent[],
  outlet: Outlet,
  following: (position: number) => Buffer | null = () => null,
): Promise<void> {
  for (const event of events) {
    const room = outlet.write(encodeEvent(event));
    if (room !== true && !(await room)) return;
    const word = following(event.position);
    if (word) await outlet.write(word);
  }
}

async function readStream(store: Store, request: ReadRequest, stream: string, count: number, outlet: Outlet): Promise<void> {
  const { backwards } = request;
  const state = store.state(stream);
  if (state?.condition === "tombstoned") throw new Tombstoned(stream);
  if (!state || state.next === 0 || state.condition === "deleted") return void (await outlet.write(streamNotFound(stream)));
  const first = backwards ? state.next - 1 : 0;
  let from: number | null = request.from === "start" ? 0 : request.from === "end" ? (backwards ? first : state.next) : request.from;
  let left = count;
  while (from !== null && left > 0 && outlet.open()) {
    const turn = store.reader.stream(stream, state, from, backwards, left);
    await send(turn.events, outlet);
    left -= turn.events.length;
    from = turn.next;
  }
}

async function readAll(store: Store, request: ReadRequest, count: number, outlet: Outlet): Promise<void> {
  const { backwards } = request;
  const head = store.reader.head();
  let from = edgeOf(request, head);
  const read = store.reader.all(request.filter, backwards);
  let left = count;
  while (left > 0 && outlet.open()) {
    const turn = read(from, left);
    await send(turn.events, outlet);
    left -= turn.events.length;
    from = turn.scannedTo;
    if (turn.done || (!backwards && from >= head)) return;
    await outlet.turn();
  }
}

/** Where reading `$all` begins, as a position that is not read itself. A named position is read forwards, and not backwards, as in EventStoreDB. */
function edgeOf({ from, backwards }: ReadRequest, head: number): number {
  if (from === "start") return backwards ? 1 : 0;
  if (from === "end") return backwards ? head + 1 : head;
  return backwards ? Math.min(from, head + 1) : from - 1;
}

async function subscribeToStream(store: Store, stream: string, from: ReadRequest["from"], outlet: Outlet): Promise<void> {
  let after = from === "start" ? -1 : from === "end" ? (store.state(stream)?.next ?? 0) - 1 : from;
  let live = false;
  await outlet.write(confirmation(crypto.randomUUID()));
  while (outlet.open()) {
    const seen = outlet.commits();
    const state = store.state(stream);
    if (state?.condition === "tombstoned") throw new Tombstoned(stream);
    const turn = state && state.next - 1 > after ? store.reader.stream(stream, state, after + 1, false) : null;
    if (turn) await send(turn.events, outlet);
    // Events that are hidden or purged count as passed.
    after = turn?.next ? turn.next - 1 : Math.max(after, (state?.next ?? 0) - 1);
    if (turn?.next) {
      await outlet.turn();
      continue;
    }
    if (!live) await outlet.write(caughtUp());
    live = true;
    await outlet.nextCommit(seen);
  }
}

async function subscribeToAll(store: Store, request: ReadRequest, outlet: Outlet): Promise<void> {
  const read = store.reader.all(request.filter, false);
  const interval = checkpointWindow * request.checkpointInterval;
  let after = request.from === "start" ? 0 : request.from === "end" ? store.reader.head() : request.from;
  let marked = after;
  const mark = (position: number): Buffer | null => {
    if (!request.filter || position - marked < interval) return null;
    marked = position;
    // At a stored event, never beyond: a checkpoint that runs ahead would make a reader miss what is written next.
    return checkpoint(store.reader.storedAt(position));
  };
  let live = false;
  await outlet.write(confirmation(crypto.randomUUID()));
  while (outlet.open()) {
    const seen = outlet.commits();
    const turn = read(after);
    await send(turn.events, outlet, mark);
    after = turn.scannedTo;
    const word = mark(after);
    if (word) await outlet.write(word);
    if (!turn.done) {
      await outlet.turn();
      continue;
    }
    if (!live) await outlet.write(caughtUp());
    live = true;
    await outlet.nextCommit(seen);
  }
}

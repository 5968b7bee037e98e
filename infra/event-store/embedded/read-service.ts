import type { ReadReq } from "@eventstore/db-client/generated/streams_pb.js";
import type { ServerWritableStream } from "@grpc/grpc-js";
import { firstStreamPosition, lastStreamPosition, streamNotFound } from "./encode-read.ts";
import { accessDenied, badRequest, type CallError, readFailed, shuttingDown, streamDeleted, unexpectedResult } from "./errors.ts";
import { pageEvents } from "./limits.ts";
import { resolveLink, unresolved, visible } from "./links.ts";
import { openPacedStream, type PacedStream } from "./paced-stream.ts";
import { type AllRead, BadRequest, type ReadRequest, readRequest, type StreamRead } from "./requests.ts";
import type { RunningCalls } from "./running-calls.ts";
import type { Guard } from "./security/open-security.ts";
import { Refused, type Show, send } from "./sending.ts";
import type { Store } from "./store.ts";
import { allStream } from "./streams.ts";
import { subscribeToAll, subscribeToStream } from "./subscriptions.ts";

/** The reading half of Streams: one call, Read, which reads to an end or subscribes. */

export function readService(store: Store, running: RunningCalls, guard: Guard) {
  async function answer(request: ReadRequest, show: Show, output: PacedStream): Promise<void> {
    if (request.stream === null) {
      if (request.count === null) await subscribeToAll(store, request, show, output);
      else await readAll(store, request, show, request.count, output);
    } else if (request.count === null) await subscribeToStream(store, request, show, output);
    else await readStream(store, request, show, request.count, output);
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
        const show: Show = request.resolveLinks ? (event, options) => visible(resolveLink(store, event, options), mayRead) : unresolved;
        return answer(request, show, output);
      })
      .then(
        () => {
          if (output.open()) call.end();
        },
        (error: unknown) => {
          if (!output.open()) return;
          if (error instanceof Refused) fail(error.error);
          else fail(error instanceof BadRequest ? badRequest(error) : readFailed(error));
        },
      )
      .finally(() => {
        forget();
        output.close();
      });
  };
}

async function readStream(
  store: Store,
  { stream, from: place, backwards, compatibility }: StreamRead,
  show: Show,
  count: number,
  output: PacedStream,
): Promise<void> {
  if (count === 0 || (place === "end" && !backwards)) throw new Refused(unexpectedResult("ReadStreamResult"));
  const state = store.state(stream);
  if (state?.condition === "tombstoned") throw new Refused(streamDeleted(stream));
  if (!state || state.next === 0 || state.condition === "deleted") return void (await output.write(streamNotFound(stream)));
  const last = state.next - 1;
  const start = place === "start" ? 0 : place === "end" ? last : place;
  let from: number | null = start;
  let left = count;
  while (from !== null && left > 0 && output.open()) {
    const turn = store.reader.stream(stream, state, from, backwards, left);
    if (compatibility >= 1 && !backwards && left === count) await tellFirst(start, turn.events[0]?.revision ?? state.next, output);
    if (!(await send(turn.events, show, output))) return;
    left -= turn.events.length;
    from = turn.next;
  }
  if (compatibility >= 1) await output.write(lastStreamPosition(last));
}

/** Tells where the stream begins when a whole page of it is hidden, or where the next event will stand. */
async function tellFirst(asked: number, first: number, output: PacedStream): Promise<void> {
  if (first !== asked && (first >= asked + pageEvents || first < asked)) await output.write(firstStreamPosition(first));
}

async function readAll(store: Store, request: AllRead, show: Show, count: number, output: PacedStream): Promise<void> {
  const { backwards, from: place } = request;
  if (typeof place === "object" && (!store.isPlace(place.commit) || (backwards && place.commit > store.end())))
    throw new Refused(unexpectedResult("ReadAllResult"));
  const read = store.reader.all(request.filter, backwards);
  let from = edgeOf(store, request);
  let left = count;
  while (left > 0 && output.open()) {
    const { scanned, done } = read(from, left);
    const wanted = scanned.flatMap(({ event }) => event ?? []);
    if (!(await send(wanted, show, output))) return;
    left -= wanted.length;
    if (done) return;
    from = scanned.at(-1)?.position ?? from;
    await output.yieldToEventLoop();
  }
}

/** Where reading `$all` begins, as a position that is not read itself. A named position is read forwards, and not backwards, as in EventStoreDB. */
function edgeOf(store: Store, { from, backwards }: AllRead): number {
  const beyond = store.end();
  if (from === "start") return backwards ? 0 : -1;
  if (from === "end") return backwards ? beyond : beyond - 1;
  if (!backwards) return from.commit - 1;
  // With an older prepare position the event before the place is passed over.
  return from.prepare < from.commit ? store.reader.before(from.commit) : from.commit;
}

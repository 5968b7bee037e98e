import { setTimeout as pause } from "node:timers/promises";
import { caughtUp, checkpoint, confirmation, encodeEvent, encodeShared } from "./encode-read.ts";
import { consumerTooSlow, streamDeleted } from "./errors.ts";
import { absentStreamPauseMs, pageEvents, slowConsumerEvents } from "./limits.ts";
import type { PacedStream } from "./paced-stream.ts";
import type { Scanned } from "./reader.ts";
import { type AllRead, BadRequest, type Place, type StreamRead } from "./requests.ts";
import { Refused, type Show, send } from "./sending.ts";
import type { Store } from "./store.ts";

/** Subscriptions: what is stored, and then what comes. */

const tombstonePauseMs = 10;
const tombstoneRevision = Number.MAX_SAFE_INTEGER;

/** Catches up with what the stream shows, and then delivers every event that is written to it, whatever its limits hide. */
export async function subscribeToStream(store: Store, request: StreamRead, show: Show, output: PacedStream): Promise<void> {
  const { stream, from } = request;
  const lastOf = (): number => {
    const state = store.state(stream);
    return state?.condition === "tombstoned" ? tombstoneRevision : (state?.next ?? 0) - 1;
  };
  let after = from === "start" ? -1 : from === "end" ? lastOf() : from;
  let isConfirmed = false;
  const confirm = async (): Promise<void> => {
    if (!isConfirmed) await output.write(confirmation(crypto.randomUUID()));
    isConfirmed = true;
  };
  if (from !== "end") {
    let next: number | null = after + 1;
    while (output.open()) {
      const state = store.state(stream);
      if (state?.condition === "tombstoned") throw new Refused(streamDeleted(stream));
      await confirm();
      if (!state || state.next === 0 || state.condition === "deleted") {
        await pause(absentStreamPauseMs);
        continue;
      }
      const turn = store.reader.stream(stream, state, next, false);
      if (!(await send(turn.events, show, output))) return;
      after = Math.max(after, turn.events.at(-1)?.revision ?? after);
      if (turn.next === null) {
        // Hidden events count as passed.
        after = Math.max(after, state.next - 1);
        break;
      }
      next = turn.next;
      await output.yieldToEventLoop();
    }
  }
  await confirm();
  await output.write(caughtUp());
  while (output.open()) {
    const seen = output.commitCount();
    const state = store.state(stream);
    const { events, next } = state ? store.reader.streamLive(stream, state, after + 1) : { events: [], next: null };
    if (store.isStrict && events.length >= slowConsumerEvents) throw new Refused(consumerTooSlow());
    if (!(await send(events, show, output, { live: true }))) return;
    after = events.at(-1)?.revision ?? after;
    if (after === tombstoneRevision && events.length > 0) {
      // Whoever deleted it hears of it first.
      await pause(tombstonePauseMs);
      throw new Refused(streamDeleted(stream));
    }
    if (next !== null) await output.yieldToEventLoop();
    else await output.nextCommit(seen);
  }
}

/**
 * Catches up page by page, as EventStoreDB does, which shows in its checkpoints: a page ends after so many wanted events or so many that
 * were looked at, and a checkpoint stands at its last wanted event, or at its beginning. Live, a checkpoint stands at the event itself.
 */
export async function subscribeToAll(store: Store, request: AllRead, show: Show, output: PacedStream): Promise<void> {
  const { from, filter, window, checkpointInterval } = request;
  if (typeof from === "object" && !store.isPlace(from.commit))
    throw new BadRequest(`There is no record at position ${from.commit}.`, { isFault: true });
  const end = store.end();
  let after = from === "start" ? -1 : from === "end" ? end - 1 : Math.min(from.commit, end - 1);
  const pages = pagesOf({ window, interval: checkpointInterval, start: from === "start" ? { commit: 0, prepare: 0 } : null });
  const read = store.reader.all(filter, false);
  let live = from === "end";
  let behind = 0;
  await output.write(confirmation(crypto.randomUUID()));
  if (live) await output.write(caughtUp());
  while (output.open()) {
    const seen = output.commitCount();
    const { scanned, done } = read(after);
    behind = live ? behind + scanned.length : 0;
    if (store.isStrict && behind > slowConsumerEvents) throw new Refused(consumerTooSlow());
    for (const each of scanned) {
      if (each.event) {
        const room = output.write((live ? encodeShared : encodeEvent)(show(each.event, { live })));
        if (room !== true && !(await room)) return;
      }
      const mark = filter ? pages.passed(each, live) : null;
      if (mark && !(await output.write(checkpoint(mark)))) return;
    }
    after = scanned.at(-1)?.position ?? after;
    if (!done) {
      await output.yieldToEventLoop();
      continue;
    }
    behind = 0;
    if (!live) await output.write(caughtUp());
    live = true;
    await output.nextCommit(seen);
  }
}

/** Counts what a filtered subscription has passed. */
function pagesOf({ window, interval, start }: { window: number; interval: number; start: Place | null }) {
  let page: { begins: Place; considered: number; wanted: number; lastWanted: Place | null } | null = null;
  let counter = 0;
  let isFirst = true;
  return {
    /** The checkpoint that follows this event, if any. */
    passed({ position, event }: Scanned, live: boolean): Place | null {
      const here = { commit: position, prepare: position };
      if (live) {
        // What the unfinished page counted goes on counting.
        counter += 1 + (page?.considered ?? 0);
        page = null;
        if (counter < interval) return null;
        counter = 0;
        return here;
      }
      page ??= { begins: isFirst && start ? start : { commit: position, prepare: 0 }, considered: 0, wanted: 0, lastWanted: null };
      isFirst = false;
      page.considered += 1;
      if (event) {
        page.wanted += 1;
        page.lastWanted = here;
      }
      if (page.considered < window && page.wanted < pageEvents) return null;
      const { considered, lastWanted, begins } = page;
      page = null;
      counter += considered;
      if (counter < interval) return null;
      counter %= interval;
      return lastWanted ?? begins;
    },
  };
}

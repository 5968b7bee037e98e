import { groupBufferBytes, parkAgainAfterMs } from "../limits.ts";
import { openConsumers } from "./consumers.ts";
import type { Arrival, Effect, Input, Message, NackAction } from "./messages.ts";
import { type Progress, trackProgress } from "./progress.ts";
import type { GroupSettings } from "./settings.ts";

/**
 * One persistent subscription as a state machine, free of time and of input and output: what happens goes in, with the time it
 * happened; what is to be done comes out. Nothing is done with a message until it is acknowledged, skipped or safely parked.
 */
export interface Group {
  apply(input: Input, now: number): Effect[];
  /** When a `tick` is due next, null when none is. */
  nextDue(): number | null;
  /** The checkpoints as they stand, however few messages they are ahead: for a stop. */
  flush(): Effect[];
  snapshot(): Snapshot;
}

export interface Snapshot {
  live: boolean;
  replaying: boolean;
  checkpoint: number;
  /** Parked messages below are given again, or done. */
  replayedTo: number;
  fresh: number;
  retried: number;
  outstanding: number;
  inFlight: number;
  consumers: { id: string; slots: number; held: number; latencies: readonly number[] }[];
}

export interface GroupStart {
  settings: GroupSettings;
  /** The last event that is done, and so not read. */
  after: number;
  /** How far a filter may have searched in vain before that alone is worth a checkpoint. */
  scanWindow: number;
  now: number;
}

export function openGroup({ settings, after, scanWindow, now: opened }: GroupStart): Group {
  const consumers = openConsumers(settings);
  const source = trackProgress<Message>();
  const replays = trackProgress<Message>();
  /** Waiting to be given: again, from the parked stream, for the first time. Each in its order. */
  const retried: Message[] = [];
  const replayed: Message[] = [];
  const fresh: Message[] = [];
  let freshBytes = 0;
  let unparked: { message: Message; reason: string; due: number }[] = [];

  let now = opened;
  let effects: Effect[] = [];
  let scannedTo = after;
  let reading = false;
  let live = false;
  let woken = false;
  let admitted = 0;

  let checkpoint = after;
  let checkpointSeq = 0;
  let checkpointTime = opened;

  let replay: { next: number; stop: number } | null = null;
  let readingParked = false;
  let replayedTo = 0;
  let truncatedBefore = 0;

  const progressOf = (message: Message): Progress<Message> => (message.replayed ? replays : source);

  function giveAgain(message: Message): void {
    if (message.retries >= settings.maxRetryCount) return void park(message, `Reached retry count of ${settings.maxRetryCount}.`);
    message.retries += 1;
    insert(message.replayed ? replayed : retried, message);
  }

  function park(message: Message, reason: string): void {
    effects.push({ kind: "park", message, reason });
  }

  function acknowledge(consumer: string, id: string): void {
    const message = consumers.release(consumer, id, now) ?? takeLate(id);
    if (message) progressOf(message).finish(message);
  }

  /** An answer that came after the message had timed out, but before it was given again, still counts. */
  function takeLate(id: string): Message | null {
    if (consumers.holder(id)) return null;
    for (const queue of [retried, replayed]) {
      const at = queue.findIndex((message) => message.id === id && message.retries > 0);
      if (at >= 0) return queue.splice(at, 1)[0] ?? null;
    }
    return null;
  }

  function refuse(consumer: string, id: string, action: NackAction, reason: string): void {
    const message = consumers.release(consumer, id, now);
    if (!message) return;
    if (action === "skip") progressOf(message).finish(message);
    else if (action === "park") park(message, `Client explicitly NAK'ed message.\n${reason}`);
    else giveAgain(message);
  }

  function leave(consumer: string): void {
    for (const message of consumers.leave(consumer)) giveAgain(message);
  }

  function admit(arrival: Arrival, seq: number, again: boolean): Message {
    const message: Message = { ...arrival, seq, replayed: again, retries: 0, bytes: sizeOf(arrival), done: false };
    progressOf(message).admit(message);
    return message;
  }

  function take(input: Input): void {
    switch (input.kind) {
      case "connect":
        effects.push({ kind: consumers.join(input.consumer, input.slots) ? "accept" : "refuse", consumer: input.consumer });
        return;
      case "leave":
        return void leave(input.consumer);
      case "ready":
        return void consumers.ready(input.consumer, input.ready);
      case "ack":
        for (const id of input.ids) acknowledge(input.consumer, id);
        return;
      case "nack":
        for (const id of input.ids) refuse(input.consumer, id, input.action, input.reason);
        if (input.action !== "stop" || !consumers.has(input.consumer)) return;
        leave(input.consumer);
        effects.push({ kind: "drop", consumer: input.consumer });
        return;
      case "read":
        reading = false;
        live = input.end;
        scannedTo = input.scannedTo;
        for (const arrival of input.arrivals) {
          admitted += 1;
          const message = admit(arrival, admitted, false);
          fresh.push(message);
          freshBytes += message.bytes;
        }
        return;
      case "unread":
        reading = false;
        readingParked = false;
        return;
      case "wake":
        woken = true;
        return;
      case "tick":
        return;
      case "parked":
        progressOf(input.message).finish(input.message);
        return;
      case "park_failed":
        unparked.push({ message: input.message, reason: input.reason, due: now + parkAgainAfterMs });
        return;
      case "replay": {
        const next = Math.max(input.from, replayedTo);
        truncatedBefore = Math.max(truncatedBefore, input.from);
        if (input.stop > next) replay = { next: replay?.next ?? next, stop: Math.max(input.stop, replay?.stop ?? 0) };
        return;
      }
      case "replayed":
        readingParked = false;
        for (const arrival of input.arrivals) replayed.push(admit(arrival, arrival.order, true));
        replayedTo = input.next;
        if (replay) replay = input.next >= replay.stop ? null : { ...replay, next: input.next };
    }
  }

  function parkAgain(): void {
    const due = unparked.filter((one) => one.due <= now);
    unparked = unparked.filter((one) => one.due > now);
    for (const { message, reason } of due) park(message, reason);
  }

  function dispatch(): void {
    for (const queue of [retried, replayed, fresh])
      for (let at = 0; at < queue.length && consumers.anyFree(); ) {
        const message = queue[at];
        const consumer = message ? consumers.give(message, now) : null;
        if (!message || !consumer) {
          at += 1;
          continue;
        }
        queue.splice(at, 1);
        if (queue === fresh) freshBytes -= message.bytes;
        effects.push({ kind: "deliver", consumer, message });
      }
  }

  /** Asks for more to read, while there is room for it and somebody to give it to. */
  function ask(): void {
    if (consumers.count() === 0) return;
    if (!reading && (!live || woken)) {
      const room = (live ? settings.liveBufferSize : settings.historyBufferSize) - fresh.length;
      // Too much was written at once: what is behind is read like any history.
      if (live && room <= 0) live = false;
      else if ((live || room >= settings.readBatchSize) && freshBytes < groupBufferBytes) {
        reading = true;
        woken = false;
        effects.push({ kind: "read", after: scannedTo, count: Math.min(room, settings.readBatchSize) });
      }
    }
    if (!replay || readingParked || replays.outstanding() + settings.readBatchSize > settings.historyBufferSize) return;
    readingParked = true;
    const { next, stop } = replay;
    effects.push({ kind: "read_parked", from: next, stop: Math.min(stop, next + settings.readBatchSize) });
  }

  /** Where a checkpoint may stand, and how many messages it covers that the last one did not. */
  function standing(): { at: number; count: number; seq: number } {
    const oldest = source.oldest();
    const seq = oldest ? oldest.seq - 1 : admitted;
    return { at: oldest ? oldest.order - 1 : scannedTo, count: seq - checkpointSeq, seq };
  }

  function mark({ at, seq }: { at: number; seq: number }): void {
    checkpoint = at;
    checkpointSeq = seq;
    checkpointTime = now;
    effects.push({ kind: "checkpoint", at });
  }

  function markWhenDue(): void {
    const reached = standing();
    if (reached.at <= checkpoint) return;
    const inTime = now - checkpointTime >= settings.checkpointAfter;
    const enough = reached.count >= Math.max(1, settings.minCheckpointCount) || reached.at - checkpoint >= scanWindow;
    if (reached.count >= settings.maxCheckpointCount || (inTime && enough)) mark(reached);
  }

  function truncate(least: number): void {
    const before = replays.oldest()?.order ?? replayedTo;
    if (before - truncatedBefore < least) return;
    truncatedBefore = before;
    effects.push({ kind: "truncate_parked", before });
  }

  function settle(): void {
    for (const message of consumers.expired(now)) giveAgain(message);
    parkAgain();
    dispatch();
    ask();
    markWhenDue();
    truncate(replays.outstanding() || replay ? settings.maxCheckpointCount : 1);
  }

  function given(): Effect[] {
    const result = effects;
    effects = [];
    return result;
  }

  return {
    apply(input, at) {
      now = at;
      take(input);
      settle();
      return given();
    },
    nextDue() {
      const { at, count } = standing();
      const marks = at > checkpoint && (count >= Math.max(1, settings.minCheckpointCount) || at - checkpoint >= scanWindow);
      const dues = [consumers.nextDue(), marks ? checkpointTime + settings.checkpointAfter : null, ...unparked.map(({ due }) => due)];
      const times = dues.filter((due) => due !== null);
      return times.length ? Math.min(...times) : null;
    },
    flush() {
      const reached = standing();
      if (reached.at > checkpoint) mark(reached);
      truncate(1);
      return given();
    },
    snapshot: () => ({
      live,
      replaying: replay !== null || replays.outstanding() > 0,
      checkpoint,
      replayedTo: Math.max(replayedTo, replay?.stop ?? 0),
      fresh: fresh.length,
      retried: retried.length + replayed.length,
      outstanding: source.outstanding() + replays.outstanding() - fresh.length,
      inFlight: consumers.inFlight(),
      consumers: consumers.list(),
    }),
  };
}

/** Puts a message back in its order. */
function insert(queue: Message[], message: Message): void {
  const at = queue.findLastIndex(({ seq }) => seq < message.seq) + 1;
  queue.splice(at, 0, message);
}

const sizeOf = ({ resolved: { event, link } }: Arrival): number =>
  (event ? event.data.length + event.metadata.length : 0) + (link ? link.data.length + link.metadata.length : 0);

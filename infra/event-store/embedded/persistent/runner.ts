import { encodeEvent } from "../encode-read.ts";
import { type CallError, readFailed } from "../errors.ts";
import type { GroupCommit } from "../group-commit.ts";
import { checkpointWindow } from "../limits.ts";
import { visible } from "../links.ts";
import type { Store } from "../store.ts";
import { allStream } from "../streams.ts";
import type { Definitions, GroupDefinition } from "./definitions.ts";
import { maximumSubscribersReached, subscriptionDropped } from "./errors.ts";
import { openGroup } from "./group.ts";
import type { GroupInfo } from "./info.ts";
import type { Effect, Input, NackAction } from "./messages.ts";
import { openParking } from "./park.ts";
import { openSource, readParked } from "./source.ts";
import { openRate } from "./statistics.ts";

/** Runs a group: carries out what its state machine asks for, and tells it what happens. */
export interface GroupRunner {
  definition(): GroupDefinition;
  /** A consumer more, which hears `confirm` or, when the group is full, `fail`. */
  connect(consumer: ConsumerEnd): Connection;
  /** Something was written to the store. */
  wake(): void;
  /** Gives parked messages again, up to a revision of the parked stream (exclusive) or all. */
  replay(stopAt: number | null): void;
  info(): GroupInfo;
  /** Ends every consumer and keeps how far the group is done. */
  stop(error: CallError): void;
  /** Takes the parked messages away, after a stop. */
  removeParked(): void;
}

/** The way to one consumer. */
export interface ConsumerEnd {
  slots: number;
  from: string;
  username: string;
  connectionName: string;
  mayRead(stream: string): boolean;
  confirm(): void;
  /** False when it should get nothing more until `ready` is said. */
  deliver(bytes: Buffer): boolean;
  /** The call ends with this. */
  fail(error: CallError): void;
}

/** What a consumer answers. */
export interface Connection {
  ack(ids: readonly string[]): void;
  nack(ids: readonly string[], action: NackAction, reason: string): void;
  ready(): void;
  leave(): void;
}

export interface RunnerParts {
  store: Pick<Store, "state" | "reader">;
  commits: Pick<GroupCommit, "submit">;
  definitions: Definitions;
  warn: (message: string, error: unknown) => void;
}

export function runGroup(definition: GroupDefinition, { store, commits, definitions, warn }: RunnerParts): GroupRunner {
  const { settings, source: stream, name } = definition;
  const label = `${stream}::${name}`;
  const source = openSource(store, definition);
  const parking = openParking(store, commits, definition, (error) => warn(`${label}: the parked messages could not be written`, error));
  const scanWindow = stream === allStream && definition.filter ? checkpointWindow : Number.POSITIVE_INFINITY;
  const group = openGroup({ settings, after: definition.checkpoint ?? definition.origin, scanWindow, now: Date.now() });
  const consumers = new Map<string, ConsumerEnd & { rate: ReturnType<typeof openRate> }>();
  const rate = openRate(Date.now());
  let checkpoint = definition.checkpoint;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let ticksAt = Number.POSITIVE_INFINITY;

  // What carrying out an effect leads to waits until all of them are carried out.
  let waiting: Input[] | null = null;
  function tell(input: Input): void {
    if (stopped) return;
    if (waiting) return void waiting.push(input);
    waiting = [input];
    try {
      for (const next of waiting) for (const effect of group.apply(next, Date.now())) carryOut(effect);
    } finally {
      waiting = null;
      schedule();
    }
  }

  function schedule(): void {
    const due = group.nextDue() ?? Number.POSITIVE_INFINITY;
    // A tick that comes too early does nothing; setting the timer anew for every message would cost more.
    if (stopped || due >= ticksAt) return;
    clearTimeout(timer);
    ticksAt = due;
    timer = setTimeout(
      () => {
        ticksAt = Number.POSITIVE_INFINITY;
        tell({ kind: "tick" });
      },
      Math.max(0, due - Date.now()),
    ).unref();
  }

  /** Reads in a turn of its own, so that many groups and readers share the time. */
  function later(what: string, read: () => Input): void {
    setImmediate(() => {
      if (stopped) return;
      let input: Input;
      try {
        input = read();
      } catch (error) {
        warn(`${label}: ${what} could not be read`, error);
        // They come again, and reading is tried again then.
        for (const id of consumers.keys()) end(id, readFailed(error));
        input = { kind: "unread" };
      }
      tell(input);
    });
  }

  function end(id: string, error: CallError): void {
    const consumer = consumers.get(id);
    consumers.delete(id);
    tell({ kind: "leave", consumer: id });
    consumer?.fail(error);
  }

  function saveCheckpoint(at: number): void {
    try {
      definitions.saveCheckpoint(definition, at);
      checkpoint = at;
    } catch (error) {
      warn(`${label}: its checkpoint could not be written; the next one will be tried`, error);
    }
  }

  function carryOut(effect: Effect): void {
    switch (effect.kind) {
      case "accept":
        return void consumers.get(effect.consumer)?.confirm();
      case "deliver": {
        const { message } = effect;
        const consumer = consumers.get(effect.consumer);
        if (!consumer) return;
        rate.count();
        consumer.rate.count();
        if (!consumer.deliver(encodeEvent(visible(message.resolved, consumer.mayRead), message.retries)))
          tell({ kind: "ready", consumer: effect.consumer, ready: false });
        return;
      }
      case "refuse":
        return void end(effect.consumer, maximumSubscribersReached(definition));
      case "drop":
        return void end(effect.consumer, subscriptionDropped(definition));
      case "read":
        return void later("its events", () => ({ kind: "read", ...source.read(effect.after, effect.count) }));
      case "read_parked":
        return void later("its parked messages", () => ({ kind: "replayed", ...readParked(store, definition, effect.from, effect.stop) }));
      case "park":
        return void parking.park(effect.message, effect.reason, (parked) =>
          tell({ kind: parked ? "parked" : "park_failed", message: effect.message, reason: effect.reason }),
        );
      case "checkpoint":
        return void saveCheckpoint(effect.at);
      case "truncate_parked":
        return void parking.truncate(effect.before);
    }
  }

  return {
    definition: () => ({ ...definition, checkpoint }),
    connect(consumer) {
      const id = crypto.randomUUID();
      consumers.set(id, { ...consumer, rate: openRate(Date.now()) });
      tell({ kind: "connect", consumer: id, slots: consumer.slots });
      return {
        ack: (ids) => tell({ kind: "ack", consumer: id, ids }),
        nack: (ids, action, reason) => tell({ kind: "nack", consumer: id, ids, action, reason }),
        ready: () => tell({ kind: "ready", consumer: id, ready: true }),
        leave() {
          if (consumers.delete(id)) tell({ kind: "leave", consumer: id });
        },
      };
    },
    wake: () => tell({ kind: "wake" }),
    replay(stopAt) {
      const { from, end: last } = parking.range();
      tell({ kind: "replay", from, stop: Math.min(stopAt ?? last, last) });
    },
    info() {
      const state = group.snapshot();
      const { from, end: last } = parking.range();
      const now = Date.now();
      return {
        definition: { ...definition, checkpoint },
        state,
        lastKnown: source.last(),
        parked: Math.max(0, last - Math.max(from, state.replayedTo)),
        rate: rate.measure(now),
        connections: state.consumers.map(({ id, slots, held, latencies }) => {
          const consumer = consumers.get(id);
          const { from: address, username, connectionName } = consumer ?? { from: "", username: "", connectionName: "" };
          return { from: address, username, connectionName, slots, held, latencies, rate: (consumer?.rate ?? rate).measure(now) };
        }),
      };
    },
    stop(error) {
      if (stopped) return;
      const ending = [...consumers.values()];
      consumers.clear();
      for (const effect of group.flush()) carryOut(effect);
      stopped = true;
      clearTimeout(timer);
      for (const consumer of ending) consumer.fail(error);
    },
    removeParked: () => parking.remove(),
  };
}

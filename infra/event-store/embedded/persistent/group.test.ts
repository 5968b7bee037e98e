import { expect } from "chai";
import fc from "fast-check";
import { numbers } from "../../testing.ts";
import type { RecordedEvent } from "../records.ts";
import { type Group, openGroup } from "./group.ts";
import type { Arrival, Effect, Input, NackAction } from "./messages.ts";
import type { GroupSettings } from "./settings.ts";

/** The state machine alone: given what happened, when this happens, then that is to be done. */
describe("a persistent subscription's state", () => {
  const usual: GroupSettings = {
    startFrom: "start",
    resolveLinks: false,
    extraStatistics: false,
    messageTimeout: 1_000,
    maxRetryCount: 2,
    checkpointAfter: 5_000,
    minCheckpointCount: 2,
    maxCheckpointCount: 4,
    maxSubscriberCount: 0,
    liveBufferSize: 8,
    historyBufferSize: 8,
    readBatchSize: 4,
    strategy: "RoundRobin",
  };
  const group = (settings: Partial<GroupSettings> = {}): Group =>
    openGroup({ settings: { ...usual, ...settings }, after: -1, scanWindow: Number.POSITIVE_INFINITY, now: 0 });

  const event: RecordedEvent = {
    id: new Uint8Array(16),
    type: "Noted",
    json: true,
    data: new Uint8Array(10),
    metadata: new Uint8Array(0),
    stream: "s",
    revision: 0,
    position: 1,
    created: 0,
  };
  const arrival = (order: number, stream = "s", id = `e${order}`): Arrival => ({
    order,
    id,
    stream,
    resolved: { event, link: null },
  });
  const connect = (consumer: string, slots = 10): Input => ({ kind: "connect", consumer, slots });
  const leave = (consumer: string): Input => ({ kind: "leave", consumer });
  const read = (orders: readonly number[], end = true): Input => ({
    kind: "read",
    arrivals: orders.map((order) => arrival(order)),
    scannedTo: orders.at(-1) ?? -1,
    end,
  });
  const ack = (consumer: string, ...orders: number[]): Input => ({ kind: "ack", consumer, ids: orders.map((order) => `e${order}`) });
  const nack = (consumer: string, action: NackAction, ...orders: number[]): Input => ({
    kind: "nack",
    consumer,
    ids: orders.map((order) => `e${order}`),
    action,
    reason: "because",
  });
  const tick: Input = { kind: "tick" };

  /** What is to be done, in short: `deliver a e1`, `park e1`, `read >3 4`. */
  const short = (effect: Effect): string => {
    switch (effect.kind) {
      case "deliver":
        return `deliver ${effect.consumer} ${effect.message.id}${effect.message.retries ? ` retry ${effect.message.retries}` : ""}`;
      case "park":
        return `park ${effect.message.id}`;
      case "read":
        return `read >${effect.after} ${effect.count}`;
      case "read_parked":
        return `read parked ${effect.from}..${effect.stop}`;
      case "checkpoint":
        return `checkpoint ${effect.at}`;
      case "truncate_parked":
        return `truncate ${effect.before}`;
      default:
        return `${effect.kind} ${effect.consumer}`;
    }
  };
  /** Gives a group what happened (all at time 0) and tells what the last of it led to. */
  const after = (machine: Group, ...inputs: Input[]): string[] =>
    inputs.reduce<string[]>((_earlier, input) => machine.apply(input, 0).map(short), []);
  const at = (machine: Group, now: number, input: Input): string[] => machine.apply(input, now).map(short);

  describe("giving", () => {
    it("reads only while somebody listens, a batch at a time, and gives in order", () => {
      const machine = group();
      expect(after(machine, { kind: "wake" })).to.deep.equal([]);
      expect(after(machine, connect("a"))).to.deep.equal(["accept a", "read >-1 4"]);
      expect(after(machine, read([0, 1, 2, 3], false))).to.deep.equal([
        "deliver a e0",
        "deliver a e1",
        "deliver a e2",
        "deliver a e3",
        "read >3 4",
      ]);
    });

    it("never gives a consumer more than it has room for, and holds no more than the buffer", () => {
      const machine = group();
      after(machine, connect("a", 2), read([0, 1, 2, 3], false));
      expect(after(machine, read([4, 5, 6, 7], false))).to.deep.equal([]);
      expect(machine.snapshot()).to.include({ inFlight: 2, fresh: 6 });
      expect(after(machine, ack("a", 0))).to.deep.equal(["deliver a e2"]);
      expect(after(machine, ack("a", 1))).to.deep.equal(["deliver a e3", "read >7 4"]);
    });

    it("gives a consumer no more once it has much to answer, whatever its buffer", () => {
      const machine = group();
      after(machine, connect("a"));
      const heavy = (order: number): Arrival => ({
        ...arrival(order),
        resolved: { event: { ...event, data: new Uint8Array(10 * 1024 * 1024) }, link: null },
      });
      const arrivals = [0, 1, 2, 3].map(heavy);
      expect(after(machine, { kind: "read", arrivals, scannedTo: 3, end: false })).to.deep.equal(["deliver a e0", "deliver a e1"]);
      expect(after(machine, ack("a", 0, 1))).to.deep.equal(["deliver a e2", "deliver a e3", "read >3 4"]);
    });

    it("reads again when somebody comes, after what could not be read", () => {
      const machine = group();
      after(machine, connect("a"), leave("a"), { kind: "unread" });
      expect(after(machine, connect("a"))).to.deep.equal(["accept a", "read >-1 4"]);
    });

    it("waits for a way that is full", () => {
      const machine = group();
      after(machine, connect("a"), { kind: "ready", consumer: "a", ready: false });
      expect(after(machine, read([0]))).to.deep.equal([]);
      expect(after(machine, { kind: "ready", consumer: "a", ready: true })).to.deep.equal(["deliver a e0"]);
    });

    it("reads what is written once it has caught up, as much as the live buffer holds, and falls back to history beyond that", () => {
      const machine = group({ liveBufferSize: 3 });
      expect(after(machine, connect("a", 1), read([0]))).to.deep.equal(["deliver a e0"]);
      expect(machine.snapshot().live).to.equal(true);
      expect(after(machine, { kind: "wake" })).to.deep.equal(["read >0 3"]);
      expect(after(machine, read([1, 2, 3], false))).to.deep.equal(["read >3 4"]);
      expect(after(machine, read([4, 5, 6], true))).to.deep.equal([]);
      expect(after(machine, { kind: "wake" })).to.deep.equal([]);
      expect(machine.snapshot().live).to.equal(false);
    });

    it("does not forget what was written while it read", () => {
      const machine = group();
      after(machine, connect("a"), { kind: "wake" });
      expect(after(machine, read([]))).to.deep.equal(["read >-1 4"]);
    });

    it("refuses one consumer too many, and takes it once another has left", () => {
      const machine = group({ maxSubscriberCount: 1 });
      expect(after(machine, connect("a"), connect("b"))).to.deep.equal(["refuse b"]);
      expect(after(machine, leave("a"), connect("b"))).to.deep.equal(["accept b"]);
    });

    it("tells two events of one id apart: the second waits for the first", () => {
      const machine = group();
      after(machine, connect("a"));
      const twins: Input = { kind: "read", arrivals: [arrival(0, "s", "twin"), arrival(1, "t", "twin")], scannedTo: 1, end: true };
      expect(after(machine, twins)).to.deep.equal(["deliver a twin"]);
      expect(after(machine, { kind: "ack", consumer: "a", ids: ["twin"] })).to.deep.equal(["deliver a twin"]);
    });
  });

  describe("the strategies", () => {
    it("in turn, past those that are full", () => {
      const machine = group();
      after(machine, connect("a"), connect("b", 1), connect("c"));
      expect(after(machine, read([0, 1, 2, 3, 4])).filter((one) => one.startsWith("deliver"))).to.deep.equal([
        "deliver a e0",
        "deliver b e1",
        "deliver c e2",
        "deliver a e3",
        "deliver c e4",
      ]);
    });

    it("everything to one, and to the next while it is full", () => {
      const machine = group({ strategy: "DispatchToSingle" });
      after(machine, connect("a", 2), connect("b"));
      expect(after(machine, read([0, 1, 2]))).to.deep.equal(["deliver a e0", "deliver a e1", "deliver b e2"]);
    });

    const streams = numbers(60).map((number) => `stream-${number}`);
    const ofStreams = (from: number): Input => ({
      kind: "read",
      arrivals: streams.map((stream, index) => arrival(from + index, stream)),
      scannedTo: from + streams.length - 1,
      end: true,
    });
    /** Who got which stream. */
    const given = (effects: readonly Effect[]): Map<string, string> =>
      new Map(effects.flatMap((effect) => (effect.kind === "deliver" ? [[effect.message.stream, effect.consumer]] : [])));

    it("a stream to one consumer, all to some, and only those of a consumer that left to others", () => {
      const machine = group({ strategy: "Pinned" });
      for (const consumer of ["a", "b", "c"]) machine.apply(connect(consumer, 100), 0);
      const first = given(machine.apply(ofStreams(0), 0));
      expect([...first.keys()]).to.deep.equal(streams);
      expect(new Set(first.values()).size).to.equal(3);
      expect(given(machine.apply(ofStreams(60), 0))).to.deep.equal(first);
      machine.apply(leave("b"), 0);
      const second = given(machine.apply(ofStreams(120), 0));
      for (const [stream, consumer] of first)
        if (consumer === "b") expect(second.get(stream)).to.be.oneOf(["a", "c"]);
        else expect(second.get(stream)).to.equal(consumer);
    });

    it("a newcomer gets a share, but no stream that is under way", () => {
      const machine = group({ strategy: "Pinned", messageTimeout: 0 });
      machine.apply(connect("a", 100), 0);
      machine.apply(
        { kind: "read", arrivals: streams.slice(0, 30).map((stream, order) => arrival(order, stream)), scannedTo: 29, end: true },
        0,
      );
      machine.apply(connect("b", 100), 0);
      const second = given(machine.apply(ofStreams(30), 0));
      for (const stream of streams.slice(0, 30)) expect(second.get(stream)).to.equal("a");
      expect(new Set(second.values())).to.deep.equal(new Set(["a", "b"]));
    });

    it("passes over the streams of a consumer that is full, in the order of each stream", () => {
      const machine = group({ strategy: "Pinned" });
      machine.apply(connect("a", 1), 0);
      machine.apply(connect("b", 100), 0);
      const gave = machine.apply(ofStreams(0), 0);
      expect(gave.filter((effect) => effect.kind === "deliver" && effect.consumer === "a").length).to.equal(1);
      expect(gave.filter((effect) => effect.kind === "deliver" && effect.consumer === "b").length).to.be.greaterThan(10);
    });
  });

  describe("failing", () => {
    it("gives again what was refused, before what is new, and parks it after its last retry", () => {
      const machine = group();
      after(machine, connect("a", 1), read([0, 1]));
      expect(after(machine, nack("a", "retry", 0))).to.deep.equal(["deliver a e0 retry 1"]);
      expect(after(machine, nack("a", "retry", 0))).to.deep.equal(["deliver a e0 retry 2"]);
      expect(after(machine, nack("a", "retry", 0))).to.deep.equal(["park e0", "deliver a e1"]);
    });

    it("gives again what was not answered in time", () => {
      const machine = group();
      after(machine, connect("a", 2), read([0, 1]));
      expect(machine.nextDue()).to.equal(1_000);
      expect(at(machine, 999, tick)).to.deep.equal([]);
      expect(at(machine, 1_000, tick)).to.deep.equal(["deliver a e0 retry 1", "deliver a e1 retry 1"]);
      expect(machine.nextDue()).to.equal(2_000);
    });

    it("waits for ever when no time is set", () => {
      const machine = group({ messageTimeout: 0 });
      after(machine, connect("a", 1), read([0]));
      expect(machine.nextDue()).to.equal(null);
      expect(at(machine, 1e9, tick)).to.deep.equal([]);
    });

    it("takes an answer that came late, unless somebody else has the message by then", () => {
      const machine = group({ maxRetryCount: 5 });
      after(machine, connect("a", 1), read([0]), { kind: "ready", consumer: "a", ready: false });
      expect(at(machine, 1_000, tick)).to.deep.equal([]);
      expect(at(machine, 1_001, ack("a", 0))).to.deep.equal([]);
      expect(machine.snapshot()).to.include({ outstanding: 0, retried: 0 });

      const other = group({ maxRetryCount: 5 });
      after(other, connect("a", 1), read([0]), connect("b", 1));
      expect(at(other, 1_000, tick)).to.deep.equal(["deliver b e0 retry 1"]);
      expect(at(other, 1_001, ack("a", 0))).to.deep.equal([]);
      expect(other.snapshot()).to.include({ outstanding: 1, inFlight: 1 });
    });

    it("gives what a consumer held that left to the others, in order, and counts it as a retry", () => {
      const machine = group();
      after(machine, connect("a", 3), read([0, 1, 2]), connect("b"));
      expect(after(machine, leave("a"))).to.deep.equal(["deliver b e0 retry 1", "deliver b e1 retry 1", "deliver b e2 retry 1"]);
    });

    it("ignores answers to what the consumer does not hold", () => {
      const machine = group();
      after(machine, connect("a", 1), connect("b", 1), read([0, 1]));
      expect(after(machine, ack("a", 1), nack("b", "park", 0), ack("a", 7))).to.deep.equal([]);
      expect(machine.snapshot()).to.include({ inFlight: 2, outstanding: 2 });
    });

    it("skips what is to be skipped and stops the consumer that says stop", () => {
      const machine = group();
      after(machine, connect("a"), connect("b"), read([0, 1]));
      expect(after(machine, nack("a", "skip", 0))).to.deep.equal([]);
      expect(machine.snapshot().outstanding).to.equal(1);
      expect(after(machine, nack("b", "stop", 1))).to.deep.equal(["drop b", "deliver a e1 retry 1"]);
    });

    it("counts a message as done only once it is safely parked, and tries again when that failed", () => {
      const machine = group({ maxCheckpointCount: 1, minCheckpointCount: 0 });
      after(machine, connect("a"), read([0]));
      const [parked] = machine.apply(nack("a", "park", 0), 0);
      if (parked?.kind !== "park") throw new Error("not parked");
      expect(parked.reason).to.equal("Client explicitly NAK'ed message.\nbecause");
      expect(machine.snapshot().outstanding).to.equal(1);
      expect(machine.apply({ kind: "park_failed", message: parked.message, reason: parked.reason }, 10)).to.deep.equal([]);
      expect(at(machine, machine.nextDue() ?? 0, tick)).to.deep.equal(["park e0"]);
      expect(after(machine, { kind: "parked", message: parked.message, reason: parked.reason })).to.deep.equal(["checkpoint 0"]);
    });
  });

  describe("checkpoints", () => {
    it("come at the greatest count, never beyond what is not done", () => {
      const machine = group({ liveBufferSize: 20, historyBufferSize: 20 });
      after(machine, connect("a"), read(numbers(8)));
      expect(after(machine, ack("a", 1, 2, 3, 4, 5))).to.deep.equal([]);
      expect(after(machine, ack("a", 0))).to.deep.equal(["checkpoint 5"]);
      expect(after(machine, ack("a", 6, 7))).to.deep.equal([]);
    });

    it("come after their time once the least count is done", () => {
      const machine = group({ messageTimeout: 0 });
      after(machine, connect("a"), read([0, 1, 2]));
      expect(at(machine, 6_000, ack("a", 0))).to.deep.equal([]);
      expect(machine.nextDue()).to.equal(null);
      expect(at(machine, 6_001, ack("a", 1))).to.deep.equal(["checkpoint 1"]);

      const other = group({ messageTimeout: 0 });
      after(other, connect("a"), read([0, 1, 2]));
      expect(after(other, ack("a", 0, 1))).to.deep.equal([]);
      expect(other.nextDue()).to.equal(5_000);
      expect(at(other, 5_000, tick)).to.deep.equal(["checkpoint 1"]);
    });

    it("come for what a filter passed over, when nothing is under way", () => {
      const machine = openGroup({ settings: { ...usual, messageTimeout: 0 }, after: 0, scanWindow: 100, now: 0 });
      after(machine, connect("a"), { kind: "read", arrivals: [], scannedTo: 99, end: true });
      expect(machine.nextDue()).to.equal(null);
      after(machine, { kind: "read", arrivals: [], scannedTo: 100, end: true });
      expect(machine.nextDue()).to.equal(5_000);
      expect(at(machine, 5_000, tick)).to.deep.equal(["checkpoint 100"]);
    });

    it("are told at a stop, however little is done", () => {
      const machine = group();
      after(machine, connect("a"), read([0, 1, 2]), ack("a", 0));
      expect(machine.flush().map(short)).to.deep.equal(["checkpoint 0"]);
      expect(machine.flush()).to.deep.equal([]);
    });
  });

  describe("replaying parked messages", () => {
    const replayed = (orders: readonly number[], next: number): Input => ({
      kind: "replayed",
      arrivals: orders.map((order) => arrival(order, "s", `p${order}`)),
      next,
    });

    it("reads up to where it is told, gives them with no retry counted, and lets go of them when they are done", () => {
      const machine = group();
      after(machine, connect("a"), read([]));
      expect(after(machine, { kind: "replay", from: 2, stop: 5 })).to.deep.equal(["read parked 2..5"]);
      expect(after(machine, replayed([2, 3, 4], 5))).to.deep.equal(["deliver a p2", "deliver a p3", "deliver a p4"]);
      expect(machine.snapshot()).to.include({ replaying: true, replayedTo: 5 });
      expect(after(machine, { kind: "ack", consumer: "a", ids: ["p3", "p4"] })).to.deep.equal([]);
      expect(after(machine, { kind: "ack", consumer: "a", ids: ["p2"] })).to.deep.equal(["truncate 5"]);
      expect(machine.snapshot().replaying).to.equal(false);
    });

    it("waits for somebody to listen, reads in batches, and takes a second request on from there", () => {
      const machine = group();
      expect(after(machine, { kind: "replay", from: 0, stop: 6 })).to.deep.equal([]);
      expect(machine.snapshot()).to.include({ replaying: true, replayedTo: 6 });
      expect(after(machine, connect("a"))).to.deep.equal(["accept a", "read >-1 4", "read parked 0..4"]);
      expect(after(machine, replayed([0, 1, 2, 3], 4))).to.include("read parked 4..6");
      after(machine, replayed([4, 5], 6), { kind: "ack", consumer: "a", ids: numbers(6).map((order) => `p${order}`) });
      expect(after(machine, { kind: "replay", from: 6, stop: 7 })).to.deep.equal(["read parked 6..7"]);
      expect(after(machine, { kind: "replay", from: 6, stop: 7 })).to.deep.equal([]);
    });

    it("keeps them parked that are not done, and moves no checkpoint of the source", () => {
      const machine = group({ maxCheckpointCount: 1, minCheckpointCount: 0 });
      after(machine, connect("a"), read([]), { kind: "replay", from: 0, stop: 3 }, replayed([0, 1, 2], 3));
      expect(after(machine, { kind: "ack", consumer: "a", ids: ["p0"] })).to.deep.equal(["truncate 1"]);
      expect(after(machine, { kind: "ack", consumer: "a", ids: ["p2"] })).to.deep.equal([]);
      expect(machine.flush()).to.deep.equal([]);
    });
  });

  it("gives everything, holds every limit, and never checkpoints beyond what is done, whatever consumers do", () => {
    const slots = [3, 1, 5];
    const step = fc.oneof(
      fc.record({ do: fc.constantFrom("ack", "retry", "skip", "park", "leave", "connect"), consumer: fc.nat(2), message: fc.nat(9) }),
      fc.record({ do: fc.constant("time"), consumer: fc.constant(0), message: fc.nat(3) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), fc.constantFrom("RoundRobin", "DispatchToSingle", "Pinned"), (steps, strategy) => {
        const total = 60;
        const machine = group({ strategy, maxRetryCount: 3, minCheckpointCount: 1, maxCheckpointCount: 3 });
        // By consumer: what it holds, and since when.
        const held = new Map<string, Map<string, number>>();
        const done = new Set<number>();
        let now = 0;
        const queue: Input[] = [];
        const send = (input: Input): void => {
          queue.push(input);
          for (let next = queue.shift(); next; next = queue.shift())
            for (const effect of machine.apply(next, now)) {
              if (effect.kind === "deliver") {
                for (const ids of held.values()) expect(ids.has(effect.message.id)).to.equal(false);
                held.get(effect.consumer)?.set(effect.message.id, now);
              } else if (effect.kind === "read") {
                const orders = numbers(Math.min(effect.count, total - 1 - effect.after), effect.after + 1);
                const arrivals = orders.map((order) => arrival(order, `stream-${order % 7}`));
                const scannedTo = orders.at(-1) ?? effect.after;
                queue.push({ kind: "read", arrivals, scannedTo, end: scannedTo === total - 1 });
              } else if (effect.kind === "park") {
                done.add(effect.message.order);
                queue.push({ kind: "parked", message: effect.message, reason: effect.reason });
              } else if (effect.kind === "checkpoint") for (const order of numbers(effect.at + 1)) expect(done.has(order)).to.equal(true);
            }
          for (const consumer of machine.snapshot().consumers) expect(consumer.held).to.be.at.most(consumer.slots);
          expect(machine.snapshot().fresh).to.be.at.most(usual.historyBufferSize);
        };
        const join = (consumer: string): void => {
          if (held.has(consumer)) return;
          held.set(consumer, new Map());
          send(connect(consumer, slots[Number(consumer)]));
        };
        const answer = (consumer: string, how: string, id: string): void => {
          held.get(consumer)?.delete(id);
          const order = Number(id.slice(1));
          if (how === "ack" || how === "skip") done.add(order);
          send(how === "ack" ? ack(consumer, order) : nack(consumer, how as NackAction, order));
        };
        for (const one of steps) {
          const consumer = String(one.consumer);
          if (one.do === "time") {
            now += one.message * 400;
            for (const ids of held.values()) for (const [id, since] of ids) if (since + usual.messageTimeout <= now) ids.delete(id);
            send(tick);
          } else if (one.do === "connect") join(consumer);
          else if (one.do === "leave") {
            if (held.delete(consumer)) send(leave(consumer));
          } else {
            const id = [...(held.get(consumer)?.keys() ?? [])][one.message];
            if (id) answer(consumer, one.do, id);
          }
        }
        join("0");
        for (let rounds = 0; done.size < total && rounds < 10 * total; rounds += 1) {
          for (const [consumer, ids] of held) for (const id of [...ids.keys()]) answer(consumer, "ack", id);
          send(tick);
        }
        expect(done.size).to.equal(total);
        machine.flush();
        expect(machine.snapshot()).to.include({ checkpoint: total - 1, outstanding: 0, inFlight: 0, fresh: 0 });
      }),
    );
  });
});

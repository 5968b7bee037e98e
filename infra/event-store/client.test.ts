import { once } from "node:events";
import { createServer } from "node:net";
import { expect } from "chai";
import { createLog } from "../telemetry/log.ts";
import {
  AppendTooLarge,
  type EventStore,
  eventIdFrom,
  openEventStore,
  StoreIsOlder,
  StoreUnavailable,
  StreamTombstoned,
  WrongExpectedRevision,
} from "./client.ts";
import { type EmbeddedEventStore, startEventStore } from "./embedded/server.ts";
import { collect, newEvent, numbers, rejection, temporaryFolder } from "./event-store.fixture.ts";

describe("the typed client of the event store", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let server: EmbeddedEventStore;
  let store: EventStore;
  before(async () => {
    folder = temporaryFolder();
    server = await startEventStore({ dataDir: folder.path, port: 0, insecure: true });
    store = openEventStore(server.url);
  });
  after(async () => {
    await store.close();
    await server.close();
    folder.remove();
  });

  let streams = 0;
  const newStream = (): string => `thing-${++streams}`;
  const events = (count: number, from = 0) => numbers(count, from).map((number) => newEvent({ number }));
  const numberOf = (event: { data: unknown }): number => (event.data as { number: number }).number;

  it("finds the last event and the next one, while the server leaves out what others wrote", async () => {
    const { signal } = new AbortController();
    const looked: string[] = [];
    const look = ({ stream }: { stream: string }): boolean => {
      looked.push(stream);
      return false;
    };
    const looking = openEventStore(server.url);
    try {
      const first = await store.append("wanted-1", events(1), "none");
      const last = await store.append(
        "foreign-1",
        numbers(500).map((number) => ({ ...newEvent({ schemaVersion: 1, number }), type: "Foreign" })),
        "none",
      );
      expect(await looking.head()).to.equal(last.position);
      const prefixes = ["wanted-"];
      expect((await looking.next({ from: null, prefixes, signal }))?.position).to.equal(first.position);
      expect(await looking.next({ from: null, prefixes, wanted: look, signal })).to.equal(null);
      expect(await looking.next({ from: first.position, prefixes, signal })).to.equal(null);
      expect(looked).to.deep.equal(["wanted-1"]);
      const second = await store.append("wanted-2", events(1), "none");
      expect((await looking.next({ from: first.position, prefixes, signal }))?.position).to.equal(second.position);
      const aborted = await rejection(looking.next({ from: null, prefixes, signal: AbortSignal.abort(new Error("enough")) }));
      expect(aborted.message).to.equal("enough");
    } finally {
      await looking.close();
    }
  });

  it("refuses a position behind the last event: the store was set back", async () => {
    await store.append(newStream(), events(1), "none");
    const { signal } = new AbortController();
    const from = String(BigInt((await store.head()) ?? 0) + 1n);
    expect(await rejection(collect(store.subscribe({ from, prefixes: [], signal })))).to.be.instanceOf(StoreIsOlder);
    expect(await rejection(store.next({ from, prefixes: [], signal }))).to.be.instanceOf(StoreIsOlder);
  });

  it("tells of an outage of a subscription once, and once that it is over", async function () {
    this.timeout(120_000);
    const elsewhere = temporaryFolder();
    let one = await startEventStore({ dataDir: elsewhere.path, port: 0, insecure: true });
    const lines: { level: number; msg: string }[] = [];
    const log = createLog("test", { LOG_LEVEL: "info" }, { write: (line) => void lines.push(JSON.parse(line)) });
    const listening = openEventStore(one.url, { log });
    const stopping = new AbortController();
    const stands = Promise.withResolvers<void>();
    const { signal } = stopping;
    const heard = collect(listening.subscribe({ from: null, prefixes: [], signal, name: "listener", onCaughtUp: stands.resolve }), 2);
    try {
      // Of one that had not stood yet it would be no outage.
      await stands.promise;
      await listening.append("thing-1", events(1), "none");
      await one.close();
      while (lines.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
      // Several tries fail meanwhile.
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      one = await startEventStore({ dataDir: elsewhere.path, port: one.port, insecure: true });
      await openEventStoreAndAppend(one.url);
      await heard;
      expect(lines.map(({ level }) => level)).to.deep.equal([40, 30]);
    } finally {
      stopping.abort();
      await listening.close();
      await one.close();
      elsewhere.remove();
    }
    async function openEventStoreAndAppend(url: string): Promise<void> {
      const other = openEventStore(url);
      await other.append("thing-2", events(1), "none");
      await other.close();
    }
  });

  it("gives back what was written, in our words", async () => {
    const stream = newStream();
    const event = newEvent({ schemaVersion: 1, text: "Größe ∑" });
    const { revision, position } = await store.append(stream, [event], "none");
    const [stored] = await collect(store.read(stream));
    expect(stored).to.deep.include({ ...event, stream, revision, position });
    expect(stored?.created).to.match(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  });

  it("says what was expected and where the stream is", async () => {
    const stream = newStream();
    const refused = async (expected: number | "none") => {
      const error = await rejection(store.append(stream, events(1), expected));
      expect(error).to.be.instanceOf(WrongExpectedRevision);
      const { actual, stream: named } = error as WrongExpectedRevision;
      expect(error).to.include({ expected });
      expect(named).to.equal(stream);
      return actual;
    };
    expect(await refused(3)).to.equal("none");
    await store.append(stream, events(2), "none");
    expect(await refused("none")).to.equal(1);
    expect(await refused(0)).to.equal(1);
  });

  it("makes one event of one that is sent twice", async () => {
    const stream = newStream();
    const sent = [newEvent({}, eventIdFrom("request-1", "0"))];
    const first = await store.append(stream, sent, "none");
    await store.append(stream, events(1), 0);
    expect(await store.append(stream, sent, "none")).to.deep.equal(first);
    expect((await collect(store.read(stream))).length).to.equal(2);
  });

  it("derives ids that are the same for the same parts only", () => {
    expect(eventIdFrom("a", "b")).to.equal(eventIdFrom("a", "b"));
    expect(new Set([eventIdFrom("a", "b"), eventIdFrom("ab"), eventIdFrom("a", "", "b"), eventIdFrom("b", "a")]).size).to.equal(4);
    expect(eventIdFrom("x")).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it("refuses what can never be appended", async () => {
    expect(await rejection(store.append(newStream(), [], "any"))).to.be.instanceOf(RangeError);
    expect(await rejection(store.append(newStream(), [newEvent({}, "no-uuid")], "any"))).to.be.instanceOf(RangeError);
    expect(await rejection(store.append(newStream(), [newEvent({ text: "x".repeat(1_100_000) })], "any"))).to.be.instanceOf(AppendTooLarge);
  });

  it("reads both ways, from a revision, as many as asked; nothing of what is missing or deleted", async () => {
    const stream = newStream();
    await store.append(stream, events(5), "none");
    const read = async (...options: Parameters<EventStore["read"]> extends [string, ...infer Rest] ? Rest : never) =>
      (await collect(store.read(stream, ...options))).map(numberOf);
    expect(await read()).to.deep.equal([0, 1, 2, 3, 4]);
    expect(await read({ from: 3 })).to.deep.equal([3, 4]);
    expect(await read({ from: 5 })).to.deep.equal([]);
    expect(await read({ limit: 2 })).to.deep.equal([0, 1]);
    expect(await read({ limit: 0 })).to.deep.equal([]);
    expect(await read({ direction: "backwards" })).to.deep.equal([4, 3, 2, 1, 0]);
    expect(await read({ direction: "backwards", from: 1 })).to.deep.equal([1, 0]);
    expect(await read({ direction: "backwards", limit: 1 })).to.deep.equal([4]);
    expect(await collect(store.read("thing-nobody-wrote"))).to.deep.equal([]);
    await store.delete(stream, 4);
    expect(await read()).to.deep.equal([]);
    expect((await store.append(stream, events(1, 9), "none")).revision).to.equal(5);
    await store.tombstone(stream);
    await store.tombstone(stream);
    expect(await read()).to.deep.equal([]);
    expect(await rejection(store.append(stream, events(1), "any"))).to.be.instanceOf(StreamTombstoned);
    await store.delete(newStream());
    expect(await rejection(store.delete(newStream(), 7))).to.be.instanceOf(WrongExpectedRevision);
  });

  it("folds a stream and says how far", async () => {
    const stream = newStream();
    const sum = (state: number, event: { data: unknown }): number => state + numberOf(event);
    expect(await store.fold(stream, sum, 100)).to.deep.equal({ state: 100, revision: -1, position: null });
    const { position } = await store.append(stream, events(4), "none");
    expect(await store.fold(stream, sum, 100)).to.deep.equal({ state: 106, revision: 3, position });
  });

  it("reads everything behind a position, without the store's own events", async () => {
    const [first, second] = [newStream(), `else-${newStream()}`];
    const { position: from } = await store.append(first, events(1), "none");
    await store.append(second, events(2), "none");
    await store.truncateBefore(second, 1);
    await store.append(first, events(2, 1), 0);
    const read = async (options: Parameters<EventStore["readAll"]>[0]) =>
      (await collect(store.readAll(options))).map((event) => `${event.stream}@${event.revision}`);
    expect(await read({ from })).to.deep.equal([`${second}@1`, `${first}@1`, `${first}@2`]);
    expect(await read({ from, prefixes: [first] })).to.deep.equal([`${first}@1`, `${first}@2`]);
    expect(await read({ from, limit: 2 })).to.deep.equal([`${second}@1`, `${first}@1`]);
    expect((await read({})).length).to.be.greaterThan(3);
  });

  it("truncates without touching other metadata, and never takes a truncation back", async () => {
    const stream = newStream();
    await store.append(stream, events(5), "none");
    const revisions = async () => (await collect(store.read(stream))).map(({ revision }) => revision);
    await Promise.all([store.truncateBefore(stream, 2), store.truncateBefore(stream, 4), store.truncateBefore(stream, 3)]);
    expect(await revisions()).to.deep.equal([4]);
    await store.truncateBefore(stream, 1);
    expect(await revisions()).to.deep.equal([4]);
    const [metadata] = await collect(store.read(`$$${stream}`, { direction: "backwards", limit: 1 }));
    expect(metadata?.data).to.deep.equal({ $tb: 4 });
  });

  describe("a subscription", () => {
    it("brings what was written and what comes, and ends by its signal alone", async () => {
      const prefix = `${newStream()}-`;
      await store.append(`${prefix}a`, events(3), "none");
      const stop = new AbortController();
      const heard: (number | string)[] = [];
      let caughtUp = (): void => {};
      const live = new Promise<void>((resolve) => {
        caughtUp = resolve;
      });
      const onCaughtUp = (): void => {
        heard.push("caught up");
        caughtUp();
      };
      const listening = (async () => {
        for await (const event of store.subscribe({ from: null, prefixes: [prefix], signal: stop.signal, onCaughtUp })) {
          heard.push(numberOf(event));
          if (numberOf(event) === 4) stop.abort();
        }
      })();
      await live;
      await store.append(`${newStream()}`, events(1, 99), "none");
      await store.append(`${prefix}b`, events(2, 3), "none");
      await listening;
      expect(heard).to.deep.equal([0, 1, 2, "caught up", 3, 4]);
      expect(await collect(store.subscribe({ from: null, prefixes: [], signal: stop.signal }))).to.deep.equal([]);
    });

    it("begins behind a position", async () => {
      const prefix = newStream();
      const { position } = await store.append(prefix, events(1), "none");
      await store.append(prefix, events(2, 1), 0);
      const { signal } = new AbortController();
      expect((await collect(store.subscribe({ from: position, prefixes: [prefix], signal }), 2)).map(numberOf)).to.deep.equal([1, 2]);
    });

    it("tells checkpoints and caught up only after the events before them were dealt with", async () => {
      const prefix = newStream();
      const noise = newStream();
      for (const number of numbers(60)) {
        await store.append(prefix, events(9, number * 9), "any");
        await store.append(noise, events(7), "any");
      }
      const stop = new AbortController();
      let dealtWith = "0";
      let last = "0";
      const told: { checkpoint: string; dealtWith: string }[] = [];
      const onCheckpoint = (checkpoint: string): void => void told.push({ checkpoint, dealtWith });
      const stored = (await collect(store.readAll({ prefixes: [prefix] }))).map(({ position }) => Number(position));
      const onCaughtUp = (): void => {
        expect(dealtWith).to.equal(String(stored.at(-1)));
        stop.abort();
      };
      for await (const event of store.subscribe({ from: null, prefixes: [prefix], signal: stop.signal, onCheckpoint, onCaughtUp })) {
        last = event.position;
        // A slow reader: what comes later is told while this one is still being dealt with.
        if (event.revision % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 3));
        dealtWith = last;
      }
      expect(told.length).to.be.greaterThan(1);
      for (const { checkpoint, dealtWith: done } of told)
        expect(stored.filter((position) => position <= Number(checkpoint)).at(-1) ?? 0).to.be.at.most(Number(done));
    });

    it("can be left in the middle", async () => {
      const { signal } = new AbortController();
      for (const _ of numbers(10)) expect((await collect(store.subscribe({ from: null, prefixes: [], signal }), 2)).length).to.equal(2);
    });
  });

  it("says that nobody is there instead of waiting for ever, whether refused or not answered", async () => {
    const silent = createServer(() => {}).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const address = silent.address();
    const port = typeof address === "object" && address ? address.port : 0;
    const stores = [openEventStore(`esdb://127.0.0.1:${port}?tls=false`), openEventStore("esdb://127.0.0.1:1?tls=false")];
    await Promise.all(
      stores.flatMap((nobody) => [
        rejection(nobody.append("s", events(1), "any")).then((error) => expect(error).to.be.instanceOf(StoreUnavailable)),
        rejection(collect(nobody.read("s"))).then((error) => expect(error).to.be.instanceOf(StoreUnavailable)),
      ]),
    );
    await Promise.all(stores.map((nobody) => nobody.close()));
    silent.close();
    expect(await rejection(stores[0]?.append("s", events(1), "any") ?? Promise.resolve())).to.be.instanceOf(StoreUnavailable);
  });
});

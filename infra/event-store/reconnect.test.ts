import { expect } from "chai";
import type { Logger } from "../telemetry/log.ts";
import { type EventStore, openEventStore, type StoredEvent, StoreUnavailable } from "./client.ts";
import { type EmbeddedEventStore, startEventStore } from "./embedded/server.ts";
import { type SpawnedEventStore, spawnEventStore } from "./embedded/spawn-server.fixture.ts";
import { newEvent, numbers, rejection, temporaryFolder } from "./event-store.fixture.ts";

describe("a client whose event store is killed and started again", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let server: SpawnedEventStore;
  let here: EmbeddedEventStore | null;
  let store: EventStore;
  beforeEach(async () => {
    folder = temporaryFolder();
    here = null;
    server = await spawnEventStore(folder.path);
    store = openEventStore(server.url);
  });
  afterEach(async () => {
    await store.close();
    await server.kill();
    await here?.close();
    folder.remove();
  });
  const restart = async (how: "kill" | "stop"): Promise<void> => {
    await server[how]();
    server = await spawnEventStore(folder.path, server.port);
  };

  /** Starts it again where it was killed: in this process, where that takes no longer than a caller waits, however busy the machine is. */
  const startHere = async (): Promise<void> => {
    here = await startEventStore({ dataDir: folder.path, port: server.port, insecure: true });
  };

  /** Listens until it has heard the event numbered `last`. */
  async function listen(last: number, from: string | null = null, prefixes = ["work-"], onCaughtUp?: () => void): Promise<StoredEvent[]> {
    const heard: StoredEvent[] = [];
    const { signal } = new AbortController();
    for await (const event of store.subscribe({ from, prefixes, signal, ...(onCaughtUp && { onCaughtUp }) })) {
      heard.push(event);
      if ((event.data as { number: number }).number === last) break;
    }
    return heard;
  }

  it("awaits a store that is not there yet without a warning, and warns when one that was there is gone", async function () {
    this.timeout(120_000);
    await server.kill();
    const told = { debug: Promise.withResolvers<void>(), info: Promise.withResolvers<void>(), warn: Promise.withResolvers<void>() };
    const order: string[] = [];
    const note = (level: keyof typeof told) => () => {
      order.push(level);
      told[level].resolve();
    };
    const log = { debug: note("debug"), info: note("info"), warn: note("warn") } as unknown as Logger;
    const early = openEventStore(server.url, { log });
    const leaving = new AbortController();
    const stands = Promise.withResolvers<void>();
    const following = (async () => {
      for await (const _ of early.subscribe({ from: null, prefixes: ["work-"], signal: leaving.signal, onCaughtUp: stands.resolve }));
    })();
    try {
      await told.debug.promise;
      server = await spawnEventStore(folder.path, server.port);
      await stands.promise;
      expect(order).not.to.contain("warn");
      await server.kill();
      await told.warn.promise;
    } finally {
      leaving.abort();
      await following;
      await early.close();
    }
  });

  it("goes on with a running subscription, without loss or doubling, and appends again", async function () {
    this.timeout(120_000);
    const total = 300;
    const restarts = new Map([
      [60, "kill"],
      [120, "stop"],
      [180, "kill"],
      [240, "kill"],
    ] as const);
    const stands = Promise.withResolvers<void>();
    const live = listen(total - 1, "end", ["work-"], stands.resolve);
    await stands.promise;
    const listening = Promise.all([listen(total - 1), live, listen(total - 1, null, [])]);
    let restarting: Promise<void> = Promise.resolve();
    let revision = -1;
    const written: { revision: number; position: string }[] = [];
    for (const number of numbers(total)) {
      const how = restarts.get(number as never);
      if (how) {
        await restarting;
        restarting = restart(how);
      }
      // One id for every try: whatever became of the first, it is one event.
      const event = newEvent({ number });
      for (;;) {
        try {
          const result = await store.append("work-1", [event], revision < 0 ? "none" : revision);
          revision = result.revision;
          written.push(result);
          break;
        } catch (error) {
          if (!(error instanceof StoreUnavailable)) throw error;
        }
      }
    }
    await restarting;
    expect(written.map((each) => each.revision)).to.deep.equal(numbers(total));
    for (const heard of await listening) {
      expect(heard.map((event) => event.revision)).to.deep.equal(numbers(total));
      expect(heard.map((event) => event.position)).to.deep.equal(written.map((each) => each.position));
    }
  });

  it("takes a long read up where it was cut off", async function () {
    this.timeout(120_000);
    const total = 8_000;
    for (let from = 0; from < total; from += 500)
      await store.append(
        "work-long",
        numbers(500, from).map((number) => newEvent({ number, text: "x".repeat(300) })),
        from === 0 ? "none" : from - 1,
      );
    const reads = [store.read("work-long"), store.read("work-long", { direction: "backwards" }), store.readAll({ prefixes: ["work-"] })];
    let restarting: Promise<void> | null = null;
    const revisions = await Promise.all(
      reads.map(async (read) => {
        const heard: number[] = [];
        for await (const event of read) {
          if (heard.push(event.revision) === 2_000) restarting ??= server.kill().then(startHere);
        }
        return heard;
      }),
    );
    await restarting;
    expect(revisions[0]).to.deep.equal(numbers(total));
    expect(revisions[1]).to.deep.equal(numbers(total).reverse());
    expect(revisions[2]).to.deep.equal(numbers(total));
  });

  it("fails while the store is away and works again once it is back, with many callers at once", async function () {
    this.timeout(120_000);
    await store.append("work-1", [newEvent({})], "none");
    await server.kill();
    const errors = await Promise.all(numbers(50).map((number) => rejection(store.append(`work-${number}`, [newEvent({})], "any"))));
    for (const error of errors) expect(error).to.be.instanceOf(StoreUnavailable);
    server = await spawnEventStore(folder.path, server.port);
    const results = await Promise.all(numbers(50).map((number) => store.append(`back-${number}`, [newEvent({})], "none")));
    expect(results.map(({ revision }) => revision)).to.deep.equal(Array(50).fill(0));
  });

  it("hides a short restart from those who wait for an append", async function () {
    this.timeout(120_000);
    await store.append("work-1", [newEvent({})], "none");
    await server.kill();
    const appended = store.append("work-1", [newEvent({})], 0);
    await startHere();
    expect((await appended).revision).to.equal(1);
  });
});

import { setTimeout as pause } from "node:timers/promises";
import { expect } from "chai";
import type { Logger } from "../telemetry/log.ts";
import { observedSubscriptions } from "../telemetry/metrics.ts";
import { type EventStore, openEventStore, StoreIsOlder } from "./client.ts";
import { type EmbeddedEventStore, startEventStore } from "./embedded/server.ts";
import { collect, newEvent, numbers, rejection, temporaryFolder } from "./event-store.fixture.ts";

describe("a follower of the event store", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let server: EmbeddedEventStore | undefined;
  let store: EventStore | undefined;
  let leaving: AbortController;
  const logged: string[] = [];
  const log = {
    debug: () => undefined,
    info: (_fields: object, message: string) => void logged.push(message),
    warn: ({ reason }: { reason: string }) => void logged.push(reason),
  } as unknown as Logger;
  const open = async (options: Partial<Parameters<typeof startEventStore>[0]> = {}): Promise<EventStore> => {
    server = await startEventStore({ dataDir: folder.path, port: 0, insecure: true, strict: true, ...options });
    store = openEventStore(server.url, { log });
    return store;
  };
  beforeEach(() => {
    folder = temporaryFolder();
    leaving = new AbortController();
    logged.length = 0;
  });
  afterEach(async () => {
    leaving.abort();
    await store?.close();
    await server?.close();
    [store, server] = [undefined, undefined];
    folder.remove();
  });
  const append = (to: EventStore, count: number, first = 0) =>
    to.append(
      "work-1",
      numbers(count, first).map((number) => newEvent({ number })),
      first === 0 ? "none" : first - 1,
    );
  const numberOf = (event: { data: unknown }): number => (event.data as { number: number }).number;

  it("goes on after credentials were refused, and says so once", async () => {
    const opened = await open({ insecure: false });
    const following = collect(opened.subscribe({ from: null, prefixes: ["work-"], name: "test", signal: leaving.signal }), 2);
    await append(opened, 2);
    expect((await following).map(numberOf)).to.deep.equal([0, 1]);
    expect(logged.filter((line) => line.startsWith("The event store refuses the user name"))).to.have.length.at.most(1);
  });

  it("gets every event once after it was dropped for reading too slowly", async () => {
    const opened = await open();
    await append(opened, 1);
    const heard: number[] = [];
    const caughtUp = Promise.withResolvers<void>();
    const following = (async () => {
      const options = { from: null, prefixes: ["work-"], name: "slow", signal: leaving.signal, onCaughtUp: caughtUp.resolve };
      for await (const event of opened.subscribe(options)) {
        if (heard.push(numberOf(event)) === 3_001) return;
      }
    })();
    await caughtUp.promise;
    for (const first of [1, 1_001, 2_001]) await append(opened, 1_000, first);
    await following;
    expect(heard).to.deep.equal(numbers(3_001));
    expect(logged).to.include("The event store dropped a subscription that read too slowly. It goes on from where it was.");
  });

  it("is shown with its failure while the store is away", async () => {
    const opened = await open();
    await append(opened, 1);
    const caughtUp = Promise.withResolvers<void>();
    const following = collect(
      opened.subscribe({ from: null, prefixes: ["work-"], name: "shown", signal: leaving.signal, onCaughtUp: caughtUp.resolve }),
    );
    await caughtUp.promise;
    const shown = () => observedSubscriptions().find(({ name }) => name === "shown");
    expect(shown()).to.include({ caughtUp: true, failure: null });
    await server?.close();
    while (!shown()?.failure) await pause(5);
    expect(shown()?.caughtUp).to.equal(false);
    leaving.abort();
    await following;
    expect(shown()).to.equal(undefined);
  });

  it("knows an exchanged store by the event that it saw, also where none begins at its position", async () => {
    const opened = await open();
    await append(opened, 3);
    const [first] = await collect(opened.readAll({ prefixes: ["work-"] }), 1);
    if (!first) throw new Error("nothing was written");
    const inside = String(BigInt(first.position) + 7n);
    for (const seen of [
      { position: inside, id: first.id },
      { position: first.position, id: crypto.randomUUID() },
    ]) {
      const options = { from: seen.position, seen, prefixes: ["work-"], signal: leaving.signal };
      expect(await rejection(collect(opened.subscribe(options)))).to.be.instanceOf(StoreIsOlder);
      expect(await rejection(opened.assertSameStore(seen))).to.be.instanceOf(StoreIsOlder);
    }
    await opened.assertSameStore({ position: first.position, id: first.id });
  });

  it("leaves out what streams hide, where it is asked to, and so does every read of all streams", async () => {
    const opened = await open();
    await append(opened, 4);
    await opened.append("work-2", [newEvent({ number: 9 })], "none");
    await opened.truncateBefore("work-1", 2);
    await opened.delete("work-2");
    const follow = (skipHidden: boolean, count: number) =>
      collect(opened.subscribe({ from: null, prefixes: ["work-"], signal: leaving.signal, skipHidden }), count);
    expect((await follow(false, 5)).map(numberOf)).to.deep.equal([0, 1, 2, 3, 9]);
    expect((await follow(true, 2)).map(numberOf)).to.deep.equal([2, 3]);
    expect((await collect(opened.readAll({ prefixes: ["work-"] }))).map(numberOf)).to.deep.equal([2, 3]);
  });

  it("follows through calls that break off in the middle", async () => {
    const opened = await open({ strict: "faults" });
    const following = collect(opened.subscribe({ from: null, prefixes: ["work-"], signal: leaving.signal }), 400);
    for (const first of numbers(40)) await append(opened, 10, first * 10);
    expect((await following).map(numberOf)).to.deep.equal(numbers(400));
    expect((await collect(opened.read("work-1"))).map(numberOf)).to.deep.equal(numbers(400));
  });
});

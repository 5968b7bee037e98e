import { setTimeout as pause } from "node:timers/promises";
import { expect } from "chai";
import { type EventStore, openEventStore, StoreIsOlder, StoreUnavailable } from "./client.ts";
import { type Cluster, startCluster } from "./embedded/cluster.fixture.ts";
import { newEvent, numbers, rejection } from "./event-store.fixture.ts";

describe("a client of three nodes", function () {
  this.timeout(120_000);
  let cluster: Cluster;
  let store: EventStore;
  let leaving: AbortController;
  let following: Promise<unknown>[];
  beforeEach(async () => {
    cluster = await startCluster();
    store = openEventStore(patient(cluster.url));
    leaving = new AbortController();
    following = [];
  });
  afterEach(async () => {
    leaving.abort();
    await Promise.allSettled(following);
    await store.close();
    await cluster.close();
  });

  /** The client's own keep-alive, which leaves a silent node after many seconds, would hide that nothing else does. */
  const patient = (url: string): string => `${url}&keepAliveTimeout=600000`;
  const node = (index: number) => {
    const found = cluster.nodes[index];
    if (!found) throw new Error("There are three nodes.");
    return found;
  };
  let revision: number;
  beforeEach(() => {
    revision = -1;
  });
  /** Appends the next numbered event, as often as it takes. */
  async function append(): Promise<void> {
    const event = newEvent({ number: revision + 1 });
    for (;;) {
      try {
        ({ revision } = await store.append("work-1", [event], revision < 0 ? "none" : revision));
        return;
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
      }
    }
  }
  /** Follows from the start; what was heard, and how it ended. */
  function follow(by = store) {
    const heard: number[] = [];
    const failed: { error?: unknown } = {};
    const run = (async () => {
      for await (const event of by.subscribe({ from: null, prefixes: ["work-"], signal: leaving.signal }))
        heard.push((event.data as { number: number }).number);
    })().catch((error: unknown) => {
      failed.error = error;
    });
    following.push(run);
    return { heard, failed, run };
  }
  const until = async (condition: () => boolean): Promise<void> => {
    while (!condition()) await pause(20);
  };

  it("sends a command to the new leader after the old one died", async () => {
    const { heard } = follow();
    await append();
    await until(() => heard.length === 1);
    cluster.elect(null);
    await node(0).die();
    const appended = append();
    await pause(1_500);
    cluster.elect(1);
    await appended;
    await until(() => heard.length === 2);
  });

  it("leaves a node that froze, with a subscription only, too", async () => {
    const other = openEventStore(patient(cluster.url));
    try {
      const { heard } = follow(other);
      await append();
      await until(() => heard.length === 1);
      await node(0).freeze();
      const appended = append();
      // The others name it the leader until they miss it.
      await pause(3_000);
      cluster.elect(1);
      await appended;
      await until(() => heard.length === 2);
    } finally {
      leaving.abort();
      await other.close();
    }
  });

  it("moves from a node that follows now to the one that leads", async () => {
    const other = openEventStore(patient(cluster.url));
    try {
      const { heard } = follow(other);
      await append();
      await until(() => heard.length === 1);
      await node(0).freeze();
      cluster.elect(1);
      await node(0).thaw();
      node(0).wakeUp();
      node(0).lag();
      await append();
      await until(() => heard.length === 2);
    } finally {
      leaving.abort();
      await other.close();
    }
  });

  it("reads no follower that lags, also while gossip names no leader", async () => {
    await append();
    for (const index of [1, 2]) node(index).lag();
    for (let count = 0; count < 5; count += 1) await append();
    const before = await store.head();
    cluster.elect(null);
    const other = openEventStore(patient(cluster.url));
    try {
      expect(await rejection(other.head())).to.be.instanceOf(StoreUnavailable);
      const read = Array.fromAsync(other.read("work-1"));
      await pause(500);
      cluster.elect(0);
      expect((await read).map(({ revision: at }) => at)).to.deep.equal(numbers(6));
      expect(await other.head()).to.equal(before);
    } finally {
      await other.close();
    }
  });

  it("goes on after a leader came back that for a while still believed in itself", async () => {
    const { heard, failed } = follow();
    await append();
    await until(() => heard.length === 1);
    await node(0).freeze();
    cluster.elect(1);
    for (let count = 0; count < 20; count += 1) await append();
    await until(() => heard.length === 21);
    // The new leader goes, and what remains names the old one, which lacks twenty events.
    await node(1).die();
    cluster.elect(null);
    await node(0).thaw();
    await pause(3_000);
    node(0).wakeUp();
    cluster.elect(0);
    await append();
    await until(() => heard.length === 22 || failed.error !== undefined);
    expect(failed.error).to.equal(undefined);
    expect(heard).to.deep.equal(numbers(22));
  });

  it("takes a store for an older one only when the leader says so for several seconds", async () => {
    await append();
    for (const index of [0, 1, 2]) node(index).lag();
    for (let count = 0; count < 3; count += 1) await append();
    const from = (revision + 1_000).toString().padEnd(9, "0");
    const began = performance.now();
    const error = await rejection(Array.fromAsync(store.subscribe({ from, prefixes: [], signal: leaving.signal })));
    expect(error).to.be.instanceOf(StoreIsOlder);
    expect(performance.now() - began).to.be.above(5_000);
  });

  it("says that nothing can be saved without a majority, and takes commands when there is one again", async () => {
    await append();
    await store.assertQuorum();
    await node(1).die();
    await store.assertQuorum();
    await node(2).die();
    expect(await rejection(store.assertQuorum())).to.match(/Fewer than half/);
    expect(await rejection(store.append("work-1", [newEvent({})], "any"))).to.be.instanceOf(StoreUnavailable);
    cluster.elect(null);
    expect(await rejection(store.head())).to.be.instanceOf(StoreUnavailable);
    await node(1).start();
    cluster.elect(1);
    await append();
    await store.assertQuorum();
  });
});

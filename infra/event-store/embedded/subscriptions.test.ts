import { setImmediate } from "node:timers/promises";
import {
  type AllStreamSubscription,
  binaryEvent,
  END,
  EventStoreDBClient,
  eventTypeFilter,
  excludeSystemEvents,
  jsonEvent,
  StreamDeletedError,
  streamNameFilter,
} from "@eventstore/db-client";
import { expect } from "chai";
import { registry } from "../../telemetry/metrics.ts";
import { collect, numbers, rejection, temporaryFolder } from "../event-store.fixture.ts";
import { readBatch } from "./limits.ts";
import { type EmbeddedEventStore, startEventStore } from "./server.ts";

/** The official client's subscriptions, against a real port. */
describe("subscriptions of the embedded event store", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let server: EmbeddedEventStore;
  let client: EventStoreDBClient;
  beforeEach(async () => {
    folder = temporaryFolder();
    server = await startEventStore({ dataDir: folder.path, port: 0, insecure: true });
    client = EventStoreDBClient.connectionString(server.url);
  });
  afterEach(async () => {
    await client.dispose();
    await server.close();
    folder.remove();
  });

  const event = (type = "Noted") => jsonEvent({ type, data: {} });
  const append = (stream: string, count: number, type?: string) =>
    client.appendToStream(
      stream,
      numbers(count).map(() => event(type)),
    );

  /** What this process, the server's, holds for readers, as Prometheus is told. */
  const untakenBytes = async (): Promise<number> =>
    (await registry.getSingleMetric("colloquy_event_store_untaken_bytes")?.get())?.values[0]?.value ?? Number.NaN;

  /** Everything a subscription says, in order: events as `stream@revision`, and the word that it caught up. */
  function record(subscription: ReturnType<EventStoreDBClient["subscribeToStream"]> | AllStreamSubscription) {
    const heard: string[] = [];
    let woken = (): void => {};
    const hear = (word: string): void => {
      heard.push(word);
      woken();
    };
    subscription.on("caughtUp", () => hear("caught up"));
    subscription.on("data", (resolved: { event?: { streamId: string; revision: bigint } }) =>
      hear(`${resolved.event?.streamId}@${resolved.event?.revision}`),
    );
    return {
      heard,
      /** Waits until so many words were heard. */
      async until(count: number): Promise<string[]> {
        while (heard.length < count)
          await new Promise<void>((resolve) => {
            woken = resolve;
          });
        return heard;
      },
    };
  }

  it("gives a stream's events, says that it caught up, then gives the new ones", async () => {
    await append("a", readBatch.events + 2);
    await append("b", 1);
    const { until } = record(client.subscribeToStream("a"));
    const old = numbers(readBatch.events + 2).map((revision) => `a@${revision}`);
    expect(await until(old.length + 1)).to.have.members([...old, "caught up"]);
    await append("b", 1);
    await append("a", 2);
    expect((await until(old.length + 3)).slice(-2)).to.deep.equal([`a@${old.length}`, `a@${old.length + 1}`]);
  });

  it("begins behind a revision, at the end, or with a stream that nobody has written yet", async () => {
    await append("a", 3);
    const behind = record(client.subscribeToStream("a", { fromRevision: 1n }));
    const end = record(client.subscribeToStream("a", { fromRevision: END }));
    const absent = record(client.subscribeToStream("later"));
    expect(await behind.until(2)).to.have.members(["a@2", "caught up"]);
    expect(await end.until(1)).to.deep.equal(["caught up"]);
    await append("a", 1);
    await append("later", 1);
    expect((await behind.until(3)).at(-1)).to.equal("a@3");
    expect((await end.until(2)).at(-1)).to.equal("a@3");
    expect(await absent.until(2)).to.deep.equal(["later@0", "caught up"]);
  });

  it("goes on through a deletion and ends with a tombstone", async () => {
    await append("a", 2);
    const subscription = client.subscribeToStream("a");
    const { until } = record(subscription);
    const ended = new Promise((resolve) => subscription.once("error", resolve));
    await until(3);
    await client.deleteStream("a");
    await append("a", 1);
    expect((await until(4)).at(-1)).to.equal("a@2");
    await client.tombstoneStream("a");
    expect(await ended).to.be.instanceOf(StreamDeletedError);
    expect(await rejection(collect(client.subscribeToStream("a")))).to.be.instanceOf(StreamDeletedError);
  });

  it("follows $all by prefix and by pattern, of streams and of types", async () => {
    const filters = [
      streamNameFilter({ prefixes: ["x-", "a-"] }),
      streamNameFilter({ regex: "^(a|x)-" }),
      eventTypeFilter({ prefixes: ["Wanted"] }),
      eventTypeFilter({ regex: "^Want" }),
    ];
    const write = async (number: number): Promise<void> => {
      await append(`a-${number}`, 1, "WantedThis");
      await append(`b-${number}`, 2, "NotThat");
      await append(`x-${number}`, 1, "Wanted");
    };
    await write(1);
    const followers = filters.map((filter) => record(client.subscribeToAll({ filter })));
    for (const { until } of followers) expect(await until(3)).to.have.members(["a-1@0", "x-1@0", "caught up"]);
    await write(2);
    for (const { until } of followers) expect((await until(5)).slice(-2)).to.deep.equal(["a-2@0", "x-2@0"]);
    await client.setStreamMetadata("b-1", { maxCount: 1 });
    const plain = record(client.subscribeToAll({ filter: excludeSystemEvents() }));
    expect(await plain.until(9)).to.have.members(["a-1@0", "b-1@0", "b-1@1", "x-1@0", "a-2@0", "b-2@0", "b-2@1", "x-2@0", "caught up"]);
  });

  it("refuses a pattern that cannot be read", async () => {
    expect((await rejection(collect(client.subscribeToAll({ filter: streamNameFilter({ regex: "(" }) })))).message).to.match(
      /regular expression/,
    );
  });

  it("takes up $all exactly behind a position", async () => {
    await append("a", 5);
    const [, second] = await collect(client.readAll({ maxCount: 2 }));
    const fromPosition = second?.event?.position;
    if (!fromPosition) throw new Error("no second event");
    const all = record(client.subscribeToAll({ fromPosition }));
    const end = record(client.subscribeToAll({ fromPosition: END }));
    expect(await all.until(4)).to.have.members(["a@2", "a@3", "a@4", "caught up"]);
    await end.until(1);
    await append("a", 1);
    expect((await all.until(5)).at(-1)).to.equal("a@5");
    expect(await end.until(2)).to.deep.equal(["caught up", "a@5"]);
  });

  it("gives checkpoints at stored events, in order, none beyond what was written, and resumes at each without a loss", async () => {
    for (const number of numbers(40)) await append(number % 10 === 3 ? "wanted-1" : "other-1", 10);
    await client.deleteStream("other-1");
    await append("wanted-1", 1);
    const all = (await collect(client.readAll())).map((resolved) => Number(resolved.event?.position.commit));
    const checkpoints: number[] = [];
    const heard: number[] = [];
    const subscription = client.subscribeToAll({
      filter: streamNameFilter({
        prefixes: ["wanted-"],
        checkpointReached: (_subscription, { commit }) => void checkpoints.push(Number(commit)),
      }),
    });
    subscription.on("data", (resolved) => heard.push(Number(resolved.event?.position.commit)));
    await new Promise<void>((resolve) => subscription.on("caughtUp", () => resolve()));
    await subscription.unsubscribe();
    expect(checkpoints.length).to.be.greaterThan(0);
    expect(checkpoints).to.deep.equal(checkpoints.toSorted((a, b) => a - b));
    expect(checkpoints.at(-1)).to.be.at.most(all.at(-1) ?? 0);
    const wanted = (await collect(client.readStream("wanted-1"))).map((resolved) => Number(resolved.event?.position?.commit));
    for (const checkpoint of checkpoints) {
      const position = { commit: BigInt(checkpoint), prepare: BigInt(checkpoint) };
      const rest = wanted.filter((each) => each > checkpoint);
      const resumed = client.subscribeToAll({ fromPosition: position, filter: streamNameFilter({ prefixes: ["wanted-"] }) });
      expect((await collect(resumed, rest.length)).map((resolved) => Number(resolved.event?.position.commit))).to.deep.equal(rest);
    }
  });

  it("misses and doubles nothing while others write and it goes from catching up to live", async () => {
    const writers = numbers(8);
    const each = 60;
    const writing = writers.map(async (writer) => {
      for (const _ of numbers(each)) await append(`w-${writer}`, 1);
    });
    const subscriptions = numbers(5).map(() =>
      collect(client.subscribeToAll({ filter: streamNameFilter({ prefixes: ["w-"] }) }), writers.length * each),
    );
    await Promise.all(writing);
    for (const heard of await Promise.all(subscriptions)) {
      const positions = heard.map((resolved) => Number(resolved.event?.position.commit));
      expect(positions).to.deep.equal(numbers(writers.length * each, 1));
    }
  });

  it("does not gather in memory what a slow subscriber has not taken", async function () {
    this.timeout(120_000);
    const bytes = 60_000;
    const events = 120;
    const large = () => binaryEvent({ type: "Large", data: Buffer.alloc(bytes, 7) });
    for (const _ of numbers(events / 12)) await client.appendToStream("large", numbers(12).map(large));
    const slow = numbers(3).map(() => client.subscribeToStream("large"));
    while ((await untakenBytes()) === 0) await setImmediate();
    // Whoever reads everything meanwhile gives the others as many turns.
    expect(await collect(client.readStream("large"))).to.have.length(events);
    expect(await untakenBytes()).to.be.within(1, slow.length * (readBatch.bytes + bytes + 1_000));
    const revisions = await Promise.all(
      slow.map(async (subscription) => (await collect(subscription, events)).map((resolved) => Number(resolved.event?.revision))),
    );
    expect(revisions).to.deep.equal(Array(slow.length).fill(numbers(events)));
  });
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import {
  binaryEvent,
  EventStoreDBClient,
  PARK,
  PersistentSubscriptionDroppedError,
  PersistentSubscriptionMaximumSubscribersReachedError,
  type PersistentSubscriptionToStreamSettings,
  PINNED,
  persistentSubscriptionToStreamSettingsFromDefaults,
  RETRY,
  SKIP,
  START,
  STOP,
  UnavailableError,
} from "@eventstore/db-client";
import persistentService from "@eventstore/db-client/generated/persistent_grpc_pb.js";
import persistent from "@eventstore/db-client/generated/persistent_pb.js";
import shared from "@eventstore/db-client/generated/shared_pb.js";
import { credentials, status } from "@grpc/grpc-js";
import { expect } from "chai";
import { collect, numbers, temporaryFolder } from "../../testing.ts";
import { type EmbeddedEventStore, startEventStore } from "../server.ts";
import { acknowledge, type Consumer, consume, eventually, type Got, noted, numberOf, type Subscription } from "./testing.ts";

describe("persistent subscriptions: given, answered, given again", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let server: EmbeddedEventStore;
  let client: EventStoreDBClient;
  before(async () => {
    folder = temporaryFolder();
    server = await startEventStore({ dataDir: folder.path, port: 0 });
    client = EventStoreDBClient.connectionString(server.url);
  });
  after(async () => {
    await client.dispose();
    await server.close();
    folder.remove();
  });

  const silentConsumer = fileURLToPath(new URL("silent-consumer.ts", import.meta.url));
  const group = "group";
  const settingsOf = (changes: Partial<PersistentSubscriptionToStreamSettings> = {}) =>
    persistentSubscriptionToStreamSettingsFromDefaults({ startFrom: START, ...changes });
  let streams = 0;
  /** A stream with so many events, and a group over it from the start. */
  async function prepare(events: number, changes: Partial<PersistentSubscriptionToStreamSettings> = {}): Promise<string> {
    const stream = `stream-${++streams}`;
    if (events) await client.appendToStream(stream, numbers(events).map(noted));
    await client.createPersistentSubscriptionToStream(stream, group, settingsOf(changes));
    return stream;
  }
  const listen = (
    stream: string,
    answer?: (got: Got, subscription: Subscription) => unknown,
    { bufferSize = 10, as = client }: { bufferSize?: number; as?: EventStoreDBClient } = {},
  ): Consumer => consume(as.subscribeToPersistentSubscriptionToStream(stream, group, { bufferSize }), answer);
  const info = (stream: string) => client.getPersistentSubscriptionToStreamInfo(stream, group);
  /** Asks the server until it is so. */
  async function until(stream: string, holds: (stats: Awaited<ReturnType<typeof info>>["stats"]) => boolean): Promise<void> {
    await eventually(async () => holds((await info(stream)).stats));
  }
  const parkedStream = (stream: string): string => `$persistentsubscription-${stream}::${group}-parked`;
  const sorted = (values: readonly number[]): number[] => values.toSorted((one, other) => one - other);

  it("gives what was written and then what is written, each event as it is", async () => {
    const stream = await prepare(3);
    const consumer = listen(stream, acknowledge);
    await consumer.until(3);
    await client.appendToStream(stream, noted(3));
    const got = await consumer.until(4);
    expect(consumer.numbers()).to.deep.equal(numbers(4));
    const [plain] = await collect(client.readStream(stream, { fromRevision: 3n }));
    expect(got[3]).to.deep.equal({ ...plain, retryCount: 0 });
    await consumer.subscription.unsubscribe();
  });

  it("waits for a stream that nobody has written yet", async () => {
    const stream = await prepare(0);
    const consumer = listen(stream, acknowledge);
    await consumer.confirmed;
    await client.appendToStream(stream, noted(0));
    await consumer.until(1);
    await consumer.subscription.unsubscribe();
  });

  it("shares 10,000 events among three consumers, each acknowledged exactly once", async function () {
    this.timeout(120_000);
    const total = 10_000;
    const stream = `stream-${++streams}`;
    await client.createPersistentSubscriptionToStream(stream, group, settingsOf());
    const acknowledged = new Map<number, number>();
    const answer = (got: Got, subscription: Subscription): Promise<void> => {
      acknowledged.set(numberOf(got), (acknowledged.get(numberOf(got)) ?? 0) + 1);
      return subscription.ack(got);
    };
    const consumers = numbers(3).map(() => listen(stream, answer, { bufferSize: 50 }));
    for (const batch of numbers(total / 500)) await client.appendToStream(stream, numbers(500, batch * 500).map(noted));
    await Promise.race(consumers.map((consumer) => consumer.until(() => acknowledged.size === total)));
    await until(stream, ({ outstandingMessagesCount }) => outstandingMessagesCount === 0);
    expect(acknowledged.size).to.equal(total);
    expect([...acknowledged.values()].every((count) => count === 1)).to.equal(true);
    for (const consumer of consumers) {
      expect(consumer.got.length).to.be.greaterThan(total / 10);
      expect(consumer.got.every(({ retryCount }) => retryCount === 0)).to.equal(true);
      await consumer.subscription.unsubscribe();
    }
    expect((await info(stream)).stats).to.include({ totalItems: BigInt(total), parkedMessageCount: 0n, retryBufferCount: 0 });
  });

  it("never gives a consumer more than its buffer, however much there is", async () => {
    const stream = await prepare(100);
    let held = 0;
    let most = 0;
    const slow = (got: Got, subscription: Subscription): void => {
      most = Math.max(most, ++held);
      setTimeout(() => {
        held -= 1;
        subscription.ack(got);
      }, 2);
    };
    const consumer = listen(stream, slow, { bufferSize: 5 });
    await consumer.until(100);
    expect(most).to.equal(5);
    expect(consumer.numbers()).to.deep.equal(numbers(100));
    await consumer.subscription.unsubscribe();
  });

  it("gives what a consumer held that is killed to the other, and loses nothing", async function () {
    this.timeout(120_000);
    const stream = await prepare(40);
    const killed = spawn(process.execPath, [silentConsumer, server.url, stream, group, "8"], { stdio: ["ignore", "pipe", "inherit"] });
    const held = (await collect(createInterface(killed.stdout), 8)).map(Number);
    const acknowledged: number[] = [];
    const other = listen(stream, (got, subscription) => {
      acknowledged.push(numberOf(got));
      return subscription.ack(got);
    });
    await other.until(32);
    expect(sorted([...held, ...acknowledged])).to.deep.equal(numbers(40));
    killed.kill("SIGKILL");
    await other.until(40);
    expect(sorted(acknowledged)).to.deep.equal(numbers(40));
    const again = other.got.filter(({ retryCount }) => retryCount === 1).map(numberOf);
    expect(again).to.deep.equal(sorted(held));
    await other.subscription.unsubscribe();
  });

  it("keeps the events of one stream with one consumer when they are pinned", async () => {
    const links = await prepare(0, { consumerStrategyName: PINNED, resolveLinkTos: true });
    const consumers = numbers(3).map(() => listen(links, acknowledge, { bufferSize: 200 }));
    await Promise.all(consumers.map(({ confirmed }) => confirmed));
    const targets = numbers(30).map((number) => `${links}-target-${number}`);
    for (const target of targets) await client.appendToStream(target, numbers(3).map(noted));
    const linked = numbers(3).flatMap((revision) => targets.map((target) => `${revision}@${target}`));
    await client.appendToStream(
      links,
      linked.map((target) => binaryEvent({ type: "$>", data: Buffer.from(target) })),
    );
    await until(links, ({ totalItems, outstandingMessagesCount }) => totalItems === 90n && outstandingMessagesCount === 0);
    const owners = new Map<string, Set<number>>();
    for (const [index, { got }] of consumers.entries()) {
      expect(got.length).to.be.greaterThan(0);
      for (const { event } of got) {
        const name = event?.streamId ?? "";
        owners.set(name, (owners.get(name) ?? new Set()).add(index));
      }
    }
    expect(owners.size).to.equal(30);
    for (const owner of owners.values()) expect(owner.size).to.equal(1);
    for (const { subscription } of consumers) await subscription.unsubscribe();
  });

  describe("what is refused", () => {
    it("is skipped, and never comes again", async () => {
      const stream = await prepare(2, { checkPointLowerBound: 0, checkPointUpperBound: 1 });
      const consumer = listen(stream, (got, subscription) => subscription.nack(SKIP, "no use", got));
      await consumer.until(2);
      await until(stream, ({ lastCheckpointedEventRevision }) => lastCheckpointedEventRevision === 1n);
      expect(consumer.got.length).to.equal(2);
      expect((await info(stream)).stats).to.include({ parkedMessageCount: 0n, outstandingMessagesCount: 0 });
      await consumer.subscription.unsubscribe();
    });

    it("is given again, counted, and parked after its last retry", async () => {
      const stream = await prepare(1, { maxRetryCount: 3 });
      const consumer = listen(stream, (got, subscription) => subscription.nack(RETRY, "not yet", got));
      await consumer.until(4);
      await until(stream, ({ parkedMessageCount }) => parkedMessageCount === 1n);
      expect(consumer.got.map(({ retryCount }) => retryCount)).to.deep.equal([0, 1, 2, 3]);
      const [parked] = await collect(client.readStream(parkedStream(stream)));
      expect(parked?.event?.metadata)
        .to.have.property("reason")
        .that.matches(/retry count of 3/);
      await consumer.subscription.unsubscribe();
    });

    it("is parked as a link, with the reason and the time", async () => {
      const stream = await prepare(3);
      const consumer = listen(stream, (got, subscription) => subscription.nack(PARK, "cannot read it", got));
      await consumer.until(3);
      await until(stream, ({ parkedMessageCount }) => parkedMessageCount === 3n);
      const plain = await collect(client.readStream(parkedStream(stream)));
      expect(plain.map(({ event }) => [event?.type, Buffer.from(event?.data as Uint8Array).toString()])).to.deep.equal(
        numbers(3).map((revision) => ["$>", `${revision}@${stream}`]),
      );
      const metadata = plain[1]?.event?.metadata as { added: string; reason: string; subscriptionEventNumber: number };
      expect(metadata).to.include({ reason: "Client explicitly NAK'ed message.\ncannot read it", subscriptionEventNumber: 1 });
      expect(Math.abs(Date.now() - Date.parse(metadata.added))).to.be.lessThan(60_000);
      const followed = await collect(client.readStream(parkedStream(stream), { resolveLinkTos: true }));
      expect(followed.map(numberOf)).to.deep.equal(numbers(3));
      await consumer.subscription.unsubscribe();
    });

    it("ends the consumer that says stop, and goes to another", async () => {
      const stream = await prepare(1);
      const stopping = listen(stream, (got, subscription) => subscription.nack(STOP, "enough", got));
      expect(await stopping.failed).to.be.instanceOf(PersistentSubscriptionDroppedError);
      const other = listen(stream, acknowledge);
      const [again] = await other.until(1);
      expect(again?.retryCount).to.equal(1);
      await other.subscription.unsubscribe();
    });

    it("or not answered in time, is given again, and parked after its last retry", async () => {
      const stream = await prepare(1, { messageTimeout: 50, maxRetryCount: 2 });
      const consumer = listen(stream);
      await consumer.until(3);
      await until(stream, ({ parkedMessageCount }) => parkedMessageCount === 1n);
      expect(consumer.got.map(({ retryCount }) => retryCount)).to.deep.equal([0, 1, 2]);
      await consumer.subscription.unsubscribe();
    });
  });

  describe("replaying what is parked", () => {
    it("gives the events themselves again, up to where it is told, and lets go of them when they are acknowledged", async () => {
      const stream = await prepare(5, { checkPointLowerBound: 0, checkPointUpperBound: 1 });
      const consumer = listen(stream, (got, subscription) => (got.link ? subscription.ack(got) : subscription.nack(PARK, "not now", got)));
      await consumer.until(5);
      await until(stream, ({ parkedMessageCount }) => parkedMessageCount === 5n);
      await client.replayParkedMessagesToStream(stream, group, { stopAt: 2 });
      await consumer.until(7);
      await until(stream, ({ parkedMessageCount }) => parkedMessageCount === 3n);
      await client.replayParkedMessagesToStream(stream, group);
      await consumer.until(10);
      expect(consumer.numbers()).to.deep.equal([...numbers(5), ...numbers(5)]);
      const replayed = consumer.got.slice(5);
      expect(replayed.map(({ link }) => Number(link?.revision))).to.deep.equal(numbers(5));
      expect(replayed.every(({ event, retryCount }) => event?.streamId === stream && retryCount === 0)).to.equal(true);
      await until(
        stream,
        ({ parkedMessageCount, outstandingMessagesCount }) => parkedMessageCount === 0n && outstandingMessagesCount === 0,
      );
      await eventually(async () => (await collect(client.readStream(parkedStream(stream)))).length === 0);
      await consumer.subscription.unsubscribe();
    });

    it("parks again what fails again", async () => {
      const stream = await prepare(1);
      const consumer = listen(stream, (got, subscription) => subscription.nack(PARK, "never", got));
      await consumer.until(1);
      await until(stream, ({ parkedMessageCount }) => parkedMessageCount === 1n);
      await client.replayParkedMessagesToStream(stream, group);
      const [, again] = await consumer.until(2);
      expect(again?.event?.data).to.deep.equal({ number: 0 });
      await until(stream, ({ parkedMessageCount }) => parkedMessageCount === 1n);
      const [parked] = (await collect(client.readStream(parkedStream(stream), { resolveLinkTos: true }))).slice(-1);
      expect(parked?.event?.streamId).to.equal(stream);
      await consumer.subscription.unsubscribe();
    });

    it("gives the link alone when its event is gone", async () => {
      const stream = await prepare(2);
      const consumer = listen(stream, (got, subscription) => (got.link ? subscription.ack(got) : subscription.nack(PARK, "not now", got)));
      await consumer.until(2);
      await until(stream, ({ parkedMessageCount }) => parkedMessageCount === 2n);
      await client.setStreamMetadata(stream, { truncateBefore: 1 });
      await client.replayParkedMessagesToStream(stream, group);
      const [, , gone, there] = await consumer.until(4);
      expect(gone).to.not.have.property("event");
      expect(Buffer.from(gone?.link?.data as unknown as Uint8Array).toString()).to.equal(`0@${stream}`);
      expect(there?.event?.data).to.deep.equal({ number: 1 });
      await consumer.subscription.unsubscribe();
    });
  });

  describe("what ends a consumer", () => {
    it("an update, after which the new settings hold and nothing acknowledged comes again", async () => {
      const stream = await prepare(4);
      const consumer = listen(stream, (got, subscription) => (numberOf(got) < 2 ? subscription.ack(got) : undefined));
      await consumer.until(4);
      await until(stream, ({ outstandingMessagesCount }) => outstandingMessagesCount === 2);
      await client.updatePersistentSubscriptionToStream(stream, group, settingsOf({ maxSubscriberCount: 1 }));
      const error = await consumer.failed;
      expect(error).to.be.instanceOf(PersistentSubscriptionDroppedError);
      expect(error).to.include({ streamName: stream, groupName: group });
      const next = listen(stream, acknowledge);
      await next.until(2);
      expect(next.numbers()).to.deep.equal([2, 3]);
      await next.subscription.unsubscribe();
    });

    it("a deletion, with everything that was parked", async () => {
      const stream = await prepare(1);
      const consumer = listen(stream, (got, subscription) => subscription.nack(PARK, "not now", got));
      await consumer.until(1);
      await until(stream, ({ parkedMessageCount }) => parkedMessageCount === 1n);
      await client.deletePersistentSubscriptionToStream(stream, group);
      expect(await consumer.failed).to.be.instanceOf(PersistentSubscriptionDroppedError);
      await client.createPersistentSubscriptionToStream(stream, group, settingsOf());
      expect((await info(stream)).stats.parkedMessageCount).to.equal(0n);
      const next = listen(stream, acknowledge);
      await next.until(1);
      expect(next.got[0]?.retryCount).to.equal(0);
      await next.subscription.unsubscribe();
    });

    it("a deletion just as it connects", async () => {
      for (const _ of numbers(10)) {
        const stream = await prepare(20);
        const consumer = listen(stream, acknowledge);
        await client.deletePersistentSubscriptionToStream(stream, group);
        const error = await consumer.failed;
        expect(error).to.have.property("type").that.is.oneOf(["persistent-subscription-dropped", "persistent-subscription-does-not-exist"]);
      }
    });

    it("a restart of the subsystem, after which it may come again", async () => {
      const stream = await prepare(1);
      const consumer = listen(stream);
      await consumer.until(1);
      await client.restartPersistentSubscriptionSubsystem();
      expect(await consumer.failed).to.be.instanceOf(PersistentSubscriptionDroppedError);
      const next = listen(stream, acknowledge);
      await next.until(1);
      await next.subscription.unsubscribe();
    });

    it("one consumer too many", async () => {
      const stream = await prepare(1, { maxSubscriberCount: 1 });
      const first = listen(stream);
      await first.until(1);
      const error = await listen(stream).failed;
      expect(error).to.be.instanceOf(PersistentSubscriptionMaximumSubscribersReachedError);
      expect(error).to.include({ streamName: stream, groupName: group });
      await first.subscription.unsubscribe();
      await eventually(async () => (await info(stream)).connections.length === 0);
      const next = listen(stream, acknowledge);
      await next.until(1);
      await next.subscription.unsubscribe();
    });

    it("the end of the server, in words", async () => {
      const other = temporaryFolder();
      const stopping = await startEventStore({ dataDir: other.path, port: 0 });
      const own = EventStoreDBClient.connectionString(stopping.url);
      await own.appendToStream("s", noted(0));
      await own.createPersistentSubscriptionToStream("s", group, settingsOf());
      const consumer = listen("s", undefined, { as: own });
      await consumer.until(1);
      await stopping.close();
      expect(await consumer.failed).to.be.instanceOf(UnavailableError);
      await own.dispose();
      other.remove();
    });

    it("the end of the server, to a call that was opened before it and says its group after it", async () => {
      const other = temporaryFolder();
      const stopping = await startEventStore({ dataDir: other.path, port: 0 });
      const own = EventStoreDBClient.connectionString(stopping.url);
      await own.createPersistentSubscriptionToStream("s", group, settingsOf());
      await own.dispose();
      const raw = new persistentService.PersistentSubscriptionsClient(`127.0.0.1:${stopping.port}`, credentials.createInsecure());
      const call = raw.read();
      const failed = once(call, "error") as Promise<[{ code: number }]>;
      await pause(200);
      const closed = stopping.close();
      const options = new persistent.ReadReq.Options();
      options.setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from("s")));
      options.setGroupName(group);
      options.setBufferSize(10);
      options.setUuidOption(new persistent.ReadReq.Options.UUIDOption().setString(new shared.Empty()));
      call.write(new persistent.ReadReq().setOptions(options));
      expect((await failed)[0].code).to.equal(status.UNAVAILABLE);
      raw.close();
      await closed;
      other.remove();
    });
  });
});

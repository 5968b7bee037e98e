import {
  EventStoreDBClient,
  type PersistentSubscriptionToStreamSettings,
  persistentSubscriptionToStreamSettingsFromDefaults,
  START,
} from "@eventstore/db-client";
import { expect } from "chai";
import { collect, numbers, temporaryFolder } from "../../testing.ts";
import { type SpawnedEventStore, spawnEventStore } from "../spawn-server.ts";
import { consume, eventually, noted, numberOf } from "./testing.ts";

describe("persistent subscriptions, when the server goes", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let server: SpawnedEventStore;
  let client: EventStoreDBClient;
  async function start(): Promise<void> {
    server = await spawnEventStore(folder.path);
    client = EventStoreDBClient.connectionString(server.url);
  }
  beforeEach(async function () {
    this.timeout(120_000);
    folder = temporaryFolder();
    await start();
  });
  afterEach(async () => {
    await client.dispose();
    await server.stop();
    folder.remove();
  });

  const stream = "stream";
  const group = "group";
  const create = (changes: Partial<PersistentSubscriptionToStreamSettings>) =>
    client.createPersistentSubscriptionToStream(
      stream,
      group,
      persistentSubscriptionToStreamSettingsFromDefaults({ startFrom: START, ...changes }),
    );
  const stats = async () => (await client.getPersistentSubscriptionToStreamInfo(stream, group)).stats;

  it("go on behind what was acknowledged when it was stopped", async function () {
    this.timeout(120_000);
    await client.appendToStream(stream, numbers(10).map(noted));
    await create({});
    const first = consume(client.subscribeToPersistentSubscriptionToStream(stream, group), (got, subscription) =>
      numberOf(got) < 6 ? subscription.ack(got) : undefined,
    );
    await first.until(10);
    await eventually(async () => (await stats()).outstandingMessagesCount === 4);
    await server.stop();
    await client.dispose();
    await start();
    expect((await stats()).lastCheckpointedEventRevision).to.equal(5n);
    const second = consume(client.subscribeToPersistentSubscriptionToStream(stream, group));
    await second.until(4);
    expect(second.numbers()).to.deep.equal([6, 7, 8, 9]);
  });

  it("lose nothing that was not acknowledged, and skip what is below the checkpoint, when it was killed again and again", async function () {
    this.timeout(120_000);
    const total = 600;
    await client.appendToStream(stream, numbers(total).map(noted));
    await create({ checkPointLowerBound: 5, checkPointUpperBound: 20, checkPointAfter: 50, maxRetryCount: 1_000 });
    const acknowledged = new Set<number>();
    const parked = new Set<number>();
    for (const round of numbers(4)) {
      const goal = ((round + 1) * total) / 4;
      const checkpoint = Number((await stats()).lastCheckpointedEventRevision ?? -1n);
      // Everything below a checkpoint was answered, by us.
      for (const number of numbers(checkpoint + 1)) expect(acknowledged.has(number) || parked.has(number), `${number}`).to.equal(true);
      const consumers = numbers(2).map(() =>
        consume(client.subscribeToPersistentSubscriptionToStream(stream, group, { bufferSize: 15 }), (got, subscription) => {
          const number = numberOf(got);
          const bad = number % 50 === 7;
          (bad ? parked : acknowledged).add(number);
          return (bad ? subscription.nack("park", "bad", got) : subscription.ack(got)).catch(() => {});
        }),
      );
      await Promise.race(consumers.map((consumer) => consumer.until(() => acknowledged.size + parked.size >= goal)));
      if (round < 3) {
        await server.kill();
        await client.dispose();
        for (const { got } of consumers) for (const number of got.map(numberOf)) expect(number).to.be.greaterThan(checkpoint);
        await start();
      }
    }
    await eventually(async () => (await stats()).outstandingMessagesCount === 0);
    expect(acknowledged.size + parked.size).to.equal(total);
    // Nothing that was parked is missing; a kill between parking and the checkpoint may have parked it twice.
    const links = await collect(client.readStream(`$persistentsubscription-${stream}::${group}-parked`, { resolveLinkTos: true }));
    expect(new Set(links.map(numberOf))).to.deep.equal(parked);
  });

  it("keep parked what was being replayed and not acknowledged", async function () {
    this.timeout(120_000);
    await client.appendToStream(stream, numbers(4).map(noted));
    await create({ checkPointLowerBound: 0, checkPointUpperBound: 1 });
    const first = consume(client.subscribeToPersistentSubscriptionToStream(stream, group), (got, subscription) => {
      if (!got.link) return subscription.nack("park", "not now", got);
      return numberOf(got) === 0 ? subscription.ack(got) : undefined;
    });
    await first.until(4);
    await eventually(async () => (await stats()).parkedMessageCount === 4n);
    await client.replayParkedMessagesToStream(stream, group);
    await first.until(8);
    await eventually(async () => (await stats()).outstandingMessagesCount === 3);
    const left = async (): Promise<number[]> =>
      (await collect(client.readStream(`$persistentsubscription-${stream}::${group}-parked`, { resolveLinkTos: true }))).map(numberOf);
    await eventually(async () => (await left()).length === 3);
    await server.kill();
    await client.dispose();
    await start();
    expect(await left()).to.deep.equal([1, 2, 3]);
    expect((await stats()).parkedMessageCount).to.equal(3n);
    await client.replayParkedMessagesToStream(stream, group);
    const second = consume(client.subscribeToPersistentSubscriptionToStream(stream, group));
    await second.until(3);
    expect(second.numbers()).to.deep.equal([1, 2, 3]);
  });
});

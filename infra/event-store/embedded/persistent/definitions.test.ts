import {
  END,
  EventStoreDBClient,
  PersistentSubscriptionDoesNotExistError,
  PersistentSubscriptionExistsError,
  PersistentSubscriptionFailedError,
  type PersistentSubscriptionToAllSettings,
  type PersistentSubscriptionToStreamSettings,
  PINNED,
  persistentSubscriptionToAllSettingsFromDefaults,
  persistentSubscriptionToStreamSettingsFromDefaults,
  START,
} from "@eventstore/db-client";
import { expect } from "chai";
import { rejection, temporaryFolder } from "../../testing.ts";
import { type EmbeddedEventStore, startEventStore } from "../server.ts";
import { acknowledge, consume, noted } from "./testing.ts";

describe("persistent subscriptions: made, changed, listed, removed", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let server: EmbeddedEventStore;
  let client: EventStoreDBClient;
  const start = async (): Promise<void> => {
    server = await startEventStore({ dataDir: folder.path, port: 0 });
    client = EventStoreDBClient.connectionString(server.url);
  };
  const stop = async (): Promise<void> => {
    await client.dispose();
    await server.close();
  };
  before(async () => {
    folder = temporaryFolder();
    await start();
  });
  after(async () => {
    await stop();
    folder.remove();
  });

  const ofStream = persistentSubscriptionToStreamSettingsFromDefaults;
  const ofAll = persistentSubscriptionToAllSettingsFromDefaults;
  const unusual: Omit<PersistentSubscriptionToStreamSettings, "startFrom"> = {
    resolveLinkTos: true,
    extraStatistics: true,
    messageTimeout: 12_345,
    maxRetryCount: 3,
    checkPointAfter: 678,
    checkPointLowerBound: 4,
    checkPointUpperBound: 56,
    maxSubscriberCount: 7,
    liveBufferSize: 89,
    readBatchSize: 12,
    historyBufferSize: 34,
    consumerStrategyName: PINNED,
  };

  it("keeps the settings of a group, and tells them", async () => {
    for (const startFrom of [START, END, 5n] as const) {
      const group = `settings-${startFrom}`;
      await client.createPersistentSubscriptionToStream("kept", group, { ...unusual, startFrom });
      const info = await client.getPersistentSubscriptionToStreamInfo("kept", group);
      expect(info).to.include({ eventSource: "kept", groupName: group });
      expect(info.settings).to.deep.equal({ ...unusual, startFrom });
    }
    for (const startFrom of [START, END, { commit: 5n, prepare: 5n }] as const) {
      const group = `settings-${typeof startFrom === "string" ? startFrom : "position"}`;
      const settings: PersistentSubscriptionToAllSettings = { ...unusual, startFrom };
      await client.createPersistentSubscriptionToAll(group, settings);
      const info = await client.getPersistentSubscriptionToAllInfo(group);
      expect(info).to.include({ eventSource: "$all", groupName: group });
      expect(info.settings).to.deep.equal(settings);
    }
  });

  it("says that a group exists, or does not", async () => {
    await client.createPersistentSubscriptionToStream("named", "größe", ofStream());
    await client.createPersistentSubscriptionToAll("named", ofAll());
    const existing = [
      client.createPersistentSubscriptionToStream("named", "größe", ofStream()),
      client.createPersistentSubscriptionToAll("named", ofAll()),
    ];
    for (const [index, again] of existing.entries()) {
      const error = await rejection(again);
      expect(error).to.be.instanceOf(PersistentSubscriptionExistsError);
      expect((error as PersistentSubscriptionExistsError).streamName).to.equal(["named", "$all"][index]);
    }
    const absent = [
      () => client.updatePersistentSubscriptionToStream("named", "nobody", ofStream()),
      () => client.updatePersistentSubscriptionToAll("nobody", ofAll()),
      () => client.deletePersistentSubscriptionToStream("named", "nobody"),
      () => client.deletePersistentSubscriptionToAll("nobody"),
      () => client.getPersistentSubscriptionToStreamInfo("named", "nobody"),
      () => client.getPersistentSubscriptionToAllInfo("nobody"),
      () => client.replayParkedMessagesToStream("named", "nobody"),
      () => client.replayParkedMessagesToAll("nobody"),
      () => client.listPersistentSubscriptionsToStream("nobody"),
      async () => Promise.reject(await consume(client.subscribeToPersistentSubscriptionToStream("named", "nobody")).failed),
      async () => Promise.reject(await consume(client.subscribeToPersistentSubscriptionToAll("nobody")).failed),
    ];
    for (const call of absent) {
      const error = await rejection(call());
      expect(error, String(call)).to.be.instanceOf(PersistentSubscriptionDoesNotExistError);
    }
  });

  it("refuses settings that cannot be, with the reason, and keeps those there were", async () => {
    const impossible: [Partial<PersistentSubscriptionToStreamSettings>, RegExp][] = [
      [{ readBatchSize: 500, historyBufferSize: 500 }, /larger than readBatchSize/],
      [{ liveBufferSize: 0 }, /liveBufferSize/],
      [{ historyBufferSize: 10_000_000 }, /historyBufferSize/],
      [{ checkPointLowerBound: 11, checkPointUpperBound: 10 }, /minCheckpointCount/],
      [{ checkPointUpperBound: 0 }, /maxCheckpointCount/],
      [{ maxRetryCount: -1 }, /maxRetryCount/],
      [{ messageTimeout: -1 }, /messageTimeout/],
    ];
    await client.createPersistentSubscriptionToStream("refused", "good", ofStream());
    for (const [changes, reason] of impossible)
      for (const refused of [
        client.createPersistentSubscriptionToStream("refused", "bad", ofStream(changes)),
        client.updatePersistentSubscriptionToStream("refused", "good", ofStream(changes)),
      ]) {
        const error = await rejection(refused);
        expect(error).to.be.instanceOf(PersistentSubscriptionFailedError);
        expect((error as PersistentSubscriptionFailedError).reason).to.match(reason);
      }
    const [only, ...others] = await client.listPersistentSubscriptionsToStream("refused");
    expect(others).to.deep.equal([]);
    expect(only?.settings).to.deep.equal(ofStream());
    expect((await rejection(client.createPersistentSubscriptionToStream("refused", "", ofStream()))).message).to.match(/group name/);
  });

  it("lists the groups of a stream, of $all, and all of them", async () => {
    for (const group of ["one", "two"]) await client.createPersistentSubscriptionToStream("listed", group, ofStream());
    await client.createPersistentSubscriptionToAll("listed", ofAll());
    const names = (infos: { eventSource: string; groupName: string }[]): string[] =>
      infos.map(({ eventSource, groupName }) => `${eventSource} ${groupName}`);
    expect(names(await client.listPersistentSubscriptionsToStream("listed"))).to.deep.equal(["listed one", "listed two"]);
    expect(names(await client.listPersistentSubscriptionsToAll())).to.include("$all listed");
    expect(names(await client.listAllPersistentSubscriptions())).to.include.members(["listed one", "listed two", "$all listed"]);
    await client.deletePersistentSubscriptionToStream("listed", "one");
    await client.deletePersistentSubscriptionToAll("listed");
    expect(names(await client.listPersistentSubscriptionsToStream("listed"))).to.deep.equal(["listed two"]);
    expect(names(await client.listAllPersistentSubscriptions())).not.to.include("$all listed");
  });

  it("tells how a group is doing", async () => {
    const stream = "doing";
    const group = "group";
    await client.appendToStream(stream, [0, 1, 2, 3, 4].map(noted));
    await client.createPersistentSubscriptionToStream(
      stream,
      group,
      ofStream({ startFrom: START, extraStatistics: true, checkPointLowerBound: 0, checkPointUpperBound: 1 }),
    );
    const info = () => client.getPersistentSubscriptionToStreamInfo(stream, group);
    expect((await info()).stats).to.include({ lastCheckpointedEventRevision: undefined, lastKnownEventRevision: 4n });
    const consumer = consume(client.subscribeToPersistentSubscriptionToStream(stream, group, { bufferSize: 3 }));
    const [first] = await consumer.until(3);
    const full = await info();
    expect(full.stats).to.include({ totalItems: 3n, totalInFlightMessages: 3, outstandingMessagesCount: 3, parkedMessageCount: 0n });
    const [connection] = full.connections;
    expect(connection).to.include({ availableSlots: 0, inFlightMessages: 3, totalItems: 3n, connectionName: client.connectionName });
    expect(connection?.from).to.match(/127\.0\.0\.1/);
    expect(connection?.extraStatistics).to.equal(undefined);
    if (first) await consumer.subscription.ack(first);
    await consumer.until(4);
    const later = await info();
    expect(later.status).to.equal("Live");
    expect(later.stats).to.include({ lastCheckpointedEventRevision: 0n, totalItems: 4n, countSinceLastMeasurement: 1n });
    expect(later.connections[0]?.extraStatistics?.has("median")).to.equal(true);
    await consumer.subscription.unsubscribe();
  });

  it("keeps groups over a restart of the server", async () => {
    const before = await client.listAllPersistentSubscriptions();
    expect(before.length).to.be.greaterThan(5);
    await stop();
    await start();
    const settings = (infos: typeof before) => infos.map(({ eventSource, groupName, settings }) => ({ eventSource, groupName, settings }));
    expect(settings(await client.listAllPersistentSubscriptions())).to.deep.equal(settings(before));
  });

  it("begins where it is told: at the start, at a revision, and with what is written after it was made", async () => {
    const stream = "begun";
    await client.appendToStream(stream, [0, 1, 2].map(noted));
    const froms = { start: START, revision: 2n, end: END } as const;
    for (const [group, startFrom] of Object.entries(froms))
      await client.createPersistentSubscriptionToStream(stream, group, ofStream({ startFrom }));
    await client.appendToStream(stream, noted(3));
    // The end does not move while nothing is acknowledged, not even by a restart or an update.
    await client.restartPersistentSubscriptionSubsystem();
    await client.updatePersistentSubscriptionToStream(stream, "end", ofStream({ startFrom: END, maxRetryCount: 1 }));
    for (const [group, expected] of [
      ["start", [0, 1, 2, 3]],
      ["revision", [2, 3]],
      ["end", [3]],
    ] as const) {
      const consumer = consume(client.subscribeToPersistentSubscriptionToStream(stream, group), acknowledge);
      await consumer.until(expected.length);
      expect(consumer.numbers(), group).to.deep.equal(expected);
      await consumer.subscription.unsubscribe();
    }
  });
});

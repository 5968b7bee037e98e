import {
  END,
  EVENT_TYPE,
  EventStoreDBClient,
  eventTypeFilter,
  jsonEvent,
  type PersistentSubscriptionToAllSettings,
  persistentSubscriptionToAllSettingsFromDefaults,
  START,
  streamNameFilter,
} from "@eventstore/db-client";
import { expect } from "chai";
import { numbers, temporaryFolder } from "../../testing.ts";
import { type EmbeddedEventStore, startEventStore } from "../server.ts";
import { acknowledge, type Consumer, consume, eventually, noted } from "./testing.ts";

describe("persistent subscriptions to $all", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let server: EmbeddedEventStore;
  let client: EventStoreDBClient;
  beforeEach(async () => {
    folder = temporaryFolder();
    server = await startEventStore({ dataDir: folder.path, port: 0 });
    client = EventStoreDBClient.connectionString(server.url);
    for (const number of numbers(6))
      await client.appendToStream(
        `${number % 2 ? "odd" : "even"}-${number}`,
        jsonEvent({ type: number < 3 ? "Low" : "High", data: { number } }),
      );
  });
  afterEach(async () => {
    await client.dispose();
    await server.close();
    folder.remove();
  });

  const settings = (changes: Partial<PersistentSubscriptionToAllSettings> = {}) =>
    persistentSubscriptionToAllSettingsFromDefaults({ startFrom: START, ...changes });
  const listen = (group: string, ...answer: Parameters<typeof consume> extends [unknown, ...infer Rest] ? Rest : never): Consumer =>
    consume(client.subscribeToPersistentSubscriptionToAll(group), ...answer);

  it("give every event in the order of its position, then what is written", async () => {
    await client.createPersistentSubscriptionToAll("all", settings());
    const consumer = listen("all", acknowledge);
    await consumer.until(6);
    await client.appendToStream("even-6", noted(6));
    await consumer.until(7);
    expect(consumer.numbers()).to.deep.equal(numbers(7));
    const positions = consumer.got.map(({ commitPosition }) => Number(commitPosition));
    expect(positions).to.deep.equal(positions.toSorted((one, other) => one - other));
  });

  it("begin at a position, or with what is written after they were made", async () => {
    const { position } = await client.appendToStream("marked", noted(6));
    if (!position) throw new Error("no position");
    await client.createPersistentSubscriptionToAll("from", settings({ startFrom: position }));
    await client.createPersistentSubscriptionToAll("end", settings({ startFrom: END }));
    await client.appendToStream("marked", noted(7));
    const [from, end] = [listen("from", acknowledge), listen("end", acknowledge)];
    await Promise.all([from.until(2), end.until(1)]);
    expect(from.numbers()).to.deep.equal([6, 7]);
    expect(end.numbers()).to.deep.equal([7]);
  });

  it("filter by stream or type, by prefix or expression, and keep the filter over an update and a restart", async () => {
    const filters = {
      prefix: [streamNameFilter({ prefixes: ["odd-"] }), [1, 3, 5, 7]],
      expression: [streamNameFilter({ regex: "^even-[24]$" }), [2, 4]],
      type: [eventTypeFilter({ prefixes: ["Low", "Last"] }), [0, 1, 2, 7]],
      pattern: [{ filterOn: EVENT_TYPE, regex: "^(High|Last)$", checkpointInterval: 1 }, [3, 4, 5, 7]],
    } as const;
    for (const [group, [filter]] of Object.entries(filters)) await client.createPersistentSubscriptionToAll(group, settings(), { filter });
    for (const group of Object.keys(filters)) await client.updatePersistentSubscriptionToAll(group, settings({ maxRetryCount: 3 }));
    await client.restartPersistentSubscriptionSubsystem();
    await client.appendToStream("odd-7", jsonEvent({ type: "Last", data: { number: 7 } }));
    for (const [group, [, expected]] of Object.entries(filters)) {
      const consumer = listen(group, acknowledge);
      await consumer.until(expected.length);
      expect(consumer.numbers(), group).to.deep.equal(expected);
    }
  });

  it("move their checkpoint past what the filter leaves out", async () => {
    await client.createPersistentSubscriptionToAll("none", settings({ checkPointAfter: 0 }), {
      filter: streamNameFilter({ prefixes: ["nothing"] }),
    });
    const consumer = listen("none");
    await consumer.confirmed;
    const { position } = await client.appendToStream("noise", numbers(100).map(noted));
    const reached = async (): Promise<number> => {
      const { stats } = await client.getPersistentSubscriptionToAllInfo("none");
      return Number(stats.lastCheckpointedEventPosition?.commit ?? -1);
    };
    await eventually(async () => (await reached()) >= Number(position?.commit));
    expect(consumer.got).to.deep.equal([]);
  });

  it("do not get the messages they park, or parking would never end", async () => {
    await client.createPersistentSubscriptionToAll("parks", settings({ checkPointAfter: 0, checkPointLowerBound: 0 }));
    const parks = listen("parks", (event, subscription) => subscription.nack("park", "not now", event));
    await parks.until(6);
    await client.appendToStream("even-6", noted(6));
    await parks.until(7);
    await eventually(async () => (await client.getPersistentSubscriptionToAllInfo("parks")).stats.parkedMessageCount === 7n);
    await client.appendToStream("even-7", noted(7));
    await parks.until(8);
    expect(parks.numbers()).to.deep.equal(numbers(8));
  });

  it("replay what was parked, each event in its own words", async () => {
    await client.createPersistentSubscriptionToAll("again", settings());
    const consumer = listen("again", (event, subscription) =>
      event.link ? subscription.ack(event) : subscription.nack("park", "not now", event),
    );
    await consumer.until(6);
    await eventually(async () => (await client.getPersistentSubscriptionToAllInfo("again")).stats.parkedMessageCount === 6n);
    await client.replayParkedMessagesToAll("again", { stopAt: 4 });
    await consumer.until(10);
    expect(consumer.numbers()).to.deep.equal([...numbers(6), ...numbers(4)]);
    expect(consumer.got.at(-1)?.link?.streamId).to.equal("$persistentsubscription-$all::again-parked");
    expect((await client.getPersistentSubscriptionToAllInfo("again")).stats.parkedMessageCount).to.equal(2n);
  });
});

import {
  AccessDeniedError,
  binaryEvent,
  EventStoreDBClient,
  persistentSubscriptionToAllSettingsFromDefaults,
  persistentSubscriptionToStreamSettingsFromDefaults,
  START,
} from "@eventstore/db-client";
import { expect } from "chai";
import { collect, rejection, temporaryFolder } from "../../testing.ts";
import { eventStoreFolder } from "../running.ts";
import { authorityFile } from "../security/certificate.ts";
import { passwordOf } from "../security/users.ts";
import { type EmbeddedEventStore, startEventStore } from "../server.ts";
import { acknowledge, consume, noted } from "./testing.ts";

describe("persistent subscriptions and links, where rights are asked for", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let server: EmbeddedEventStore;
  const clients: EventStoreDBClient[] = [];
  let admin: EventStoreDBClient;
  let ops: EventStoreDBClient;
  let nobody: EventStoreDBClient;
  before(async function () {
    this.timeout(120_000);
    folder = temporaryFolder();
    server = await startEventStore({ dataDir: folder.path, port: 0, tls: true });
    const authority = encodeURIComponent(authorityFile(eventStoreFolder(folder.path)));
    const clientFor = (who: string): EventStoreDBClient => {
      const client = EventStoreDBClient.connectionString(`esdb://${who}localhost:${server.port}?tls=true&tlsCAFile=${authority}`);
      clients.push(client);
      return client;
    };
    admin = clientFor(`admin:${passwordOf(folder.path, "admin")}@`);
    ops = clientFor(`ops:${passwordOf(folder.path, "ops")}@`);
    nobody = clientFor("");
    await admin.appendToStream("open", noted(0));
    await admin.appendToStream("$reserved", noted(1));
    await admin.appendToStream("links", binaryEvent({ type: "$>", data: Buffer.from("0@$reserved") }));
    for (const stream of ["open", "$reserved", "links"])
      await ops.createPersistentSubscriptionToStream(
        stream,
        "group",
        persistentSubscriptionToStreamSettingsFromDefaults({ startFrom: START, resolveLinkTos: true }),
      );
    await ops.createPersistentSubscriptionToAll("group", persistentSubscriptionToAllSettingsFromDefaults({ startFrom: START }));
  });
  after(async () => {
    await Promise.all(clients.map((client) => client.dispose()));
    await server.close();
    folder.remove();
  });

  it("let nobody in who has not signed in", async () => {
    const settings = persistentSubscriptionToStreamSettingsFromDefaults();
    const deeds = [
      () => nobody.createPersistentSubscriptionToStream("open", "other", settings),
      () => nobody.updatePersistentSubscriptionToStream("open", "group", settings),
      () => nobody.deletePersistentSubscriptionToStream("open", "group"),
      () => nobody.getPersistentSubscriptionToStreamInfo("open", "group"),
      () => nobody.listAllPersistentSubscriptions(),
      () => nobody.replayParkedMessagesToStream("open", "group"),
      () => nobody.restartPersistentSubscriptionSubsystem(),
      async () => Promise.reject(await consume(nobody.subscribeToPersistentSubscriptionToStream("open", "group")).failed),
    ];
    for (const deed of deeds) expect(await rejection(deed()), String(deed)).to.be.instanceOf(AccessDeniedError);
  });

  it("let an operator manage every group, and listen to those whose events it may read", async () => {
    expect((await ops.listAllPersistentSubscriptions()).length).to.equal(4);
    const consumer = consume(ops.subscribeToPersistentSubscriptionToStream("open", "group"), acknowledge);
    await consumer.until(1);
    const [connection] = (await ops.getPersistentSubscriptionToStreamInfo("open", "group")).connections;
    expect(connection?.username).to.equal("ops");
    await consumer.subscription.unsubscribe();
    for (const denied of [
      ops.subscribeToPersistentSubscriptionToStream("$reserved", "group"),
      ops.subscribeToPersistentSubscriptionToAll("group"),
    ])
      expect(await consume(denied).failed).to.be.instanceOf(AccessDeniedError);
  });

  it("let nobody read through a link what it may not read itself", async () => {
    const [hidden] = await collect(ops.readStream("links", { resolveLinkTos: true }));
    expect(hidden).to.not.have.property("event");
    expect(hidden?.link?.streamId).to.equal("links");
    const consumer = consume(ops.subscribeToPersistentSubscriptionToStream("links", "group"));
    const [given] = await consumer.until(1);
    expect(given).to.not.have.property("event");
    await consumer.subscription.unsubscribe();
    const [seen] = await collect(admin.readStream("links", { resolveLinkTos: true }));
    expect(seen?.event?.streamId).to.equal("$reserved");
  });
});

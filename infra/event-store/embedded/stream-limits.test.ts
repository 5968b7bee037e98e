import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { BACKWARDS, END, EventStoreDBClient, jsonEvent, START, StreamDeletedError } from "@eventstore/db-client";
import { expect } from "chai";
import { collect, numbers, rejection, temporaryFolder } from "../event-store.fixture.ts";
import { purgeHidden } from "./compact.ts";
import { eventStoreFolder } from "./running.ts";
import { databaseFile, openDatabase } from "./schema.ts";
import { type EmbeddedEventStore, startEventStore } from "./server.ts";

/** `$maxCount`, `$maxAge` and `$tb`, through the official client. */
describe("the limits of a stream", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let server: EmbeddedEventStore;
  let client: EventStoreDBClient;
  const open = async (): Promise<void> => {
    server = await startEventStore({ dataDir: folder.path, port: 0, insecure: true });
    client = EventStoreDBClient.connectionString(server.url);
  };
  const close = async (): Promise<void> => {
    await client.dispose();
    await server.close();
  };
  beforeEach(async () => {
    folder = temporaryFolder();
    await open();
  });
  afterEach(async () => {
    await close();
    folder.remove();
  });

  const append = (stream: string, count: number, text = "") =>
    client.appendToStream(
      stream,
      numbers(count).map((number) => jsonEvent({ type: "Noted", data: { number, text } })),
    );
  type Found = AsyncIterable<{ event?: { streamId: string; revision: bigint; isJson: boolean } | undefined }>;
  const revisions = async (found: Found, count?: number): Promise<number[]> =>
    (await collect(found, count)).map(({ event }) => Number(event?.revision));
  /** Makes the events of a stream older, as time does. */
  async function age(stream: string, seconds: number): Promise<void> {
    await close();
    const database = new DatabaseSync(databaseFile(eventStoreFolder(folder.path)));
    database
      .prepare("UPDATE events SET created = created - ? WHERE stream = (SELECT id FROM streams WHERE name = ?)")
      .run(seconds * 1000, stream);
    database.close();
    await open();
  }
  const inAll = async (stream: string): Promise<number[]> =>
    (await collect(client.readAll())).filter(({ event }) => event?.streamId === stream).map(({ event }) => Number(event?.revision));
  const bytesOnDisk = (): string =>
    ["events.db", "events.db-wal", "events.db-shm"]
      .map((name) => join(eventStoreFolder(folder.path), name))
      .filter(existsSync)
      .map((file) => readFileSync(file, "latin1"))
      .join("");

  for (const [limit, metadata] of [
    ["$maxCount", { maxCount: 2 }],
    ["$maxAge", { maxAge: 60 }],
    ["$tb", { truncateBefore: 3 }],
  ] as const)
    it(`${limit} bounds reads both ways, from anywhere, and subscriptions`, async () => {
      await append("a", 3);
      await age("a", 61);
      await append("a", 2);
      await client.setStreamMetadata("a", metadata);
      expect(await revisions(client.readStream("a"))).to.deep.equal([3, 4]);
      expect(await revisions(client.readStream("a", { fromRevision: 1n }))).to.deep.equal([3, 4]);
      expect(await revisions(client.readStream("a", { fromRevision: START, maxCount: 1 }))).to.deep.equal([3]);
      expect(await revisions(client.readStream("a", { direction: BACKWARDS, fromRevision: END }))).to.deep.equal([4, 3]);
      expect(await revisions(client.readStream("a", { direction: BACKWARDS, fromRevision: 2n }))).to.deep.equal([]);
      expect(await revisions(client.subscribeToStream("a"), 2)).to.deep.equal([3, 4]);
      expect(await revisions(client.subscribeToStream("a", { fromRevision: 0n }), 2)).to.deep.equal([3, 4]);
      await append("a", 1);
      expect(await revisions(client.readStream("a"))).to.deep.equal(limit === "$maxCount" ? [4, 5] : [3, 4, 5]);
      expect((await append("a", 1)).nextExpectedRevision).to.equal(6n);
    });

  for (const [limit, metadata] of [
    ["$maxCount", { maxCount: 2 }],
    ["$maxAge", { maxAge: 60 }],
  ] as const)
    it(`the text behind ${limit} leaves every file at the next start, and nothing else does`, async () => {
      await append("a", 30, "SECRET-old ".repeat(200));
      await append("b", 30, "SECRET-other ".repeat(200));
      await age("a", 61);
      await append("a", 2, "SECRET-new ".repeat(200));
      await client.setStreamMetadata("a", metadata);
      expect(bytesOnDisk()).to.include("SECRET-old");
      expect((await inAll("a")).length).to.equal(32);
      await close();
      await open();
      expect(bytesOnDisk()).not.to.include("SECRET-old");
      expect(await inAll("a")).to.deep.equal([30, 31]);
      expect(await inAll("b")).to.deep.equal(numbers(30));
      expect(await revisions(client.readStream("a"))).to.deep.equal([30, 31]);
      expect((await client.getStreamMetadata("a")).metadata).to.deep.equal(metadata);
      expect((await append("a", 1)).nextExpectedRevision).to.equal(32n);
    });

  it("forget old metadata and keep tombstones", async () => {
    await client.setStreamMetadata("a", { colour: "SECRET-first" });
    await client.setStreamMetadata("a", { colour: "second", maxAge: 1 });
    await append("a", 1);
    await client.tombstoneStream("a");
    await age("a", 60);
    expect(bytesOnDisk()).not.to.include("SECRET-first");
    expect(await rejection(client.getStreamMetadata("a"))).to.be.instanceOf(StreamDeletedError);
    const all = await collect(client.readAll());
    expect(all.map(({ event }) => event?.type)).to.deep.equal(["$metadata", "$streamDeleted"]);
  });

  it("purge nothing where there are none", async () => {
    await append("a", 3);
    await close();
    const database = openDatabase(eventStoreFolder(folder.path));
    purgeHidden(database, Date.now() + 1e12);
    expect(database.prepare("SELECT total(live) AS live FROM events").get()?.live).to.equal(3);
    database.close();
    await open();
  });
});

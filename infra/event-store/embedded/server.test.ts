import {
  BACKWARDS,
  binaryEvent,
  DeadlineExceededError,
  END,
  EventStoreDBClient,
  jsonEvent,
  MaxAppendSizeExceededError,
  NO_STREAM,
  persistentSubscriptionToStreamSettingsFromDefaults,
  START,
  STREAM_EXISTS,
  StreamDeletedError,
  StreamNotFoundError,
  UnavailableError,
  WrongExpectedVersionError,
} from "@eventstore/db-client";
import { GossipClient } from "@eventstore/db-client/generated/gossip_grpc_pb.js";
import shared from "@eventstore/db-client/generated/shared_pb.js";
import { credentials, status } from "@grpc/grpc-js";
import { expect } from "chai";
import { collect, numbers, rejection, temporaryFolder } from "../event-store.fixture.ts";
import { maximumAppendBytes } from "./limits.ts";
import { type EmbeddedEventStore, startEventStore } from "./server.ts";

/** The official client, unchanged, against a real port. */
describe("the embedded event store, seen by the official client", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let server: EmbeddedEventStore;
  let client: EventStoreDBClient;
  before(async () => {
    folder = temporaryFolder();
    server = await startEventStore({ dataDir: folder.path, port: 0, insecure: true });
    client = EventStoreDBClient.connectionString(server.url);
  });
  after(async () => {
    await client.dispose();
    await server.close();
    folder.remove();
  });

  let streams = 0;
  const newStream = (): string => `stream-${++streams}`;
  const event = (number = 0, id: string = crypto.randomUUID()) =>
    jsonEvent({ id, type: "Noted", data: { number, text: "Größe ∑ 漢字" }, metadata: { accountId: "acc" } });
  const revisions = async (...read: Parameters<EventStoreDBClient["readStream"]>): Promise<number[]> =>
    (await collect(client.readStream(...read))).map((resolved) => Number(resolved.event?.revision));

  // Without credentials the client uses BatchAppend, with them Append.
  for (const [rpc, options] of [
    ["BatchAppend", {}],
    ["Append", { credentials: { username: "u", password: "p" } }],
  ] as const)
    describe(rpc, () => {
      it("appends at the expected revision and says where", async () => {
        const stream = newStream();
        const first = await client.appendToStream(stream, [event(1), event(2)], { expectedRevision: NO_STREAM, ...options });
        expect(first).to.include({ success: true, nextExpectedRevision: 1n });
        const second = await client.appendToStream(stream, event(3), { expectedRevision: 1n, ...options });
        expect(second.nextExpectedRevision).to.equal(2n);
        expect(Number(second.position?.commit)).to.equal(Number(first.position?.commit) + 1);
        expect(
          (await client.appendToStream(stream, event(4), { expectedRevision: STREAM_EXISTS, ...options })).nextExpectedRevision,
        ).to.equal(3n);
        expect((await client.appendToStream(stream, event(5), options)).nextExpectedRevision).to.equal(4n);
      });

      it("tells a wrong expectation with what was expected and what is", async () => {
        const stream = newStream();
        const refused = async (expectedRevision: bigint | "no_stream" | "stream_exists") => {
          const error = await rejection(client.appendToStream(stream, event(), { expectedRevision, ...options }));
          expect(error).to.be.instanceOf(WrongExpectedVersionError);
          const { streamName, expectedVersion, actualVersion } = error as WrongExpectedVersionError;
          expect(streamName).to.equal(stream);
          return [expectedVersion, actualVersion];
        };
        expect(await refused(5n)).to.deep.equal([5n, "no_stream"]);
        expect(await refused(STREAM_EXISTS)).to.deep.equal([STREAM_EXISTS, "no_stream"]);
        await client.appendToStream(stream, [event(), event()], options);
        expect(await refused(NO_STREAM)).to.deep.equal([NO_STREAM, 1n]);
        expect(await refused(0n)).to.deep.equal([0n, 1n]);
      });

      it("takes an append that it has already for that one", async () => {
        const stream = newStream();
        const events = [event(1), event(2)];
        const first = await client.appendToStream(stream, events, { expectedRevision: NO_STREAM, ...options });
        for (const expectedRevision of [NO_STREAM, "any"] as const)
          expect(await client.appendToStream(stream, events, { expectedRevision, ...options })).to.deep.equal(first);
        expect(await revisions(stream)).to.deep.equal([0, 1]);
      });

      it("lets exactly one of many racing writers have a revision", async () => {
        const stream = newStream();
        for (const expectedRevision of [NO_STREAM, 0n, 1n] as const) {
          const settled = await Promise.allSettled(
            numbers(20).map(() => client.appendToStream(stream, event(), { expectedRevision, ...options })),
          );
          const lost = settled.filter((result) => result.status === "rejected");
          expect(lost.length).to.equal(19);
          for (const { reason } of lost) expect(reason).to.be.instanceOf(WrongExpectedVersionError);
        }
        expect(await revisions(stream)).to.deep.equal([0, 1, 2]);
      });

      it("refuses what is too large by name, and takes what just fits", async () => {
        const stream = newStream();
        const large = (bytes: number) => binaryEvent({ type: "Large", data: Buffer.alloc(bytes) });
        for (const events of [
          [large(maximumAppendBytes + 1)],
          [large(maximumAppendBytes / 2), large(maximumAppendBytes / 2), large(1)],
          [large(5_000_000)],
        ]) {
          const error = await rejection(client.appendToStream(stream, events, options));
          expect(error).to.be.instanceOf(MaxAppendSizeExceededError);
          expect((error as MaxAppendSizeExceededError).maxAppendSize).to.equal(maximumAppendBytes);
        }
        await client.appendToStream(stream, large(maximumAppendBytes), options);
        expect(await revisions(stream)).to.deep.equal([0]);
      });

      it("says that a tombstoned stream is deleted", async () => {
        const stream = newStream();
        await client.appendToStream(stream, event(), options);
        await client.tombstoneStream(stream);
        const error = await rejection(client.appendToStream(stream, event(), options));
        expect(error).to.be.instanceOf(StreamDeletedError);
        expect((error as StreamDeletedError).streamName).to.equal(stream);
      });

      it("refuses an event whose id is no UUID, and nothing else", async () => {
        const stream = newStream();
        const [refused, written] = await Promise.allSettled([
          client.appendToStream(stream, [event(), event(0, "no-uuid")], options),
          client.appendToStream(stream, event(), options),
        ]);
        expect(refused.status === "rejected" && String(refused.reason.message)).to.match(/BadRequest|UUID/);
        expect(written.status).to.equal("fulfilled");
        expect(await revisions(stream)).to.deep.equal([0]);
      });
    });

  it("puts an append together that came in several messages", async () => {
    const stream = newStream();
    await client.appendToStream(
      stream,
      numbers(50).map((number) => event(number)),
      { batchAppendSize: 1_000 },
    );
    expect(await revisions(stream)).to.deep.equal(numbers(50));
  });

  it("answers appends of many streams that are under way at once, each with its own", async () => {
    const names = numbers(100).map(newStream);
    const results = await Promise.all(
      names.map((name, index) =>
        client.appendToStream(
          name,
          numbers((index % 3) + 1).map((number) => event(number)),
        ),
      ),
    );
    expect(results.map(({ nextExpectedRevision }) => Number(nextExpectedRevision))).to.deep.equal(numbers(100).map((index) => index % 3));
  });

  it("does not write an append whose deadline has passed", async () => {
    const stream = newStream();
    const error = await rejection(client.appendToStream(stream, event(), { deadline: -1_000 }));
    expect(error).to.be.instanceOf(DeadlineExceededError);
    expect(await rejection(collect(client.readStream(stream)))).to.be.instanceOf(StreamNotFoundError);
  });

  describe("reading a stream", () => {
    const stream = "read-me";
    before(() =>
      client.appendToStream(
        stream,
        numbers(600).map((number) => event(number)),
      ),
    );

    it("gives every event back as it was written", async () => {
      const binary = newStream();
      const id = crypto.randomUUID();
      const data = Uint8Array.from([0, 1, 254, 255]);
      await client.appendToStream(binary, [binaryEvent({ id, type: "Größe ∑", data, metadata: Uint8Array.from([9]) }), event(7)]);
      const [first, second] = await collect(client.readStream(binary));
      expect(first?.event).to.deep.include({ id, type: "Größe ∑", isJson: false, streamId: binary, revision: 0n });
      expect(Buffer.from(first?.event?.data as Uint8Array)).to.deep.equal(Buffer.from(data));
      expect(Buffer.from(first?.event?.metadata as Uint8Array)).to.deep.equal(Buffer.from([9]));
      expect(second?.event?.data).to.deep.equal({ number: 7, text: "Größe ∑ 漢字" });
      expect(second?.event?.metadata).to.deep.equal({ accountId: "acc" });
      expect(Math.abs(Date.now() - Number(second?.event?.created.getTime()))).to.be.lessThan(60_000);
    });

    it("goes forwards from the start, a revision or the end, and backwards, as many as asked", async () => {
      expect(await revisions(stream)).to.deep.equal(numbers(600));
      expect(await revisions(stream, { fromRevision: 597n })).to.deep.equal([597, 598, 599]);
      expect(await revisions(stream, { fromRevision: 9_000n })).to.deep.equal([]);
      expect(await rejection(revisions(stream, { fromRevision: END }))).to.have.property("code", status.UNKNOWN);
      expect(await revisions(stream, { maxCount: 300, fromRevision: START })).to.deep.equal(numbers(300));
      expect(await revisions(stream, { direction: BACKWARDS, fromRevision: END })).to.deep.equal(numbers(600).reverse());
      expect(await revisions(stream, { direction: BACKWARDS, fromRevision: 2n })).to.deep.equal([2, 1, 0]);
      expect(await revisions(stream, { direction: BACKWARDS, fromRevision: END, maxCount: 1 })).to.deep.equal([599]);
      expect(await revisions(stream, { direction: BACKWARDS, fromRevision: START, maxCount: 5 })).to.deep.equal([0]);
      expect((await collect(client.readStream(stream, { resolveLinkTos: true, maxCount: 1 }))).length).to.equal(1);
    });

    it("says that a stream is not there", async () => {
      const error = await rejection(collect(client.readStream("nobody-wrote-this")));
      expect(error).to.be.instanceOf(StreamNotFoundError);
      expect((error as StreamNotFoundError).streamName).to.equal("nobody-wrote-this");
    });

    it("can be left in the middle", async () => {
      for (const _ of numbers(20)) expect((await collect(client.readStream(stream), 3)).length).to.equal(3);
      expect(await revisions(stream, { maxCount: 1 })).to.deep.equal([0]);
    });
  });

  it("reads $all both ways, from the start, the end and a position", async () => {
    const stream = newStream();
    await client.appendToStream(
      stream,
      numbers(3).map((number) => event(number)),
    );
    const forwards = await collect(client.readAll());
    const positions = forwards.map((resolved) => Number(resolved.event?.position.commit));
    expect(positions).to.deep.equal(numbers(positions.length, 1));
    const backwards = await collect(client.readAll({ direction: BACKWARDS, fromPosition: END }));
    expect(backwards.map((resolved) => Number(resolved.event?.position.commit))).to.deep.equal(positions.toReversed());
    const third = forwards[2]?.event?.position;
    if (!third) throw new Error("no third event");
    const at = async (direction: "forwards" | "backwards") =>
      (await collect(client.readAll({ fromPosition: third, direction, maxCount: 2 }))).map((resolved) =>
        Number(resolved.event?.position.commit),
      );
    expect(await at("forwards")).to.deep.equal([3, 4]);
    expect(await at("backwards")).to.deep.equal([2, 1]);
    expect(await collect(client.readAll({ direction: BACKWARDS, fromPosition: START }))).to.deep.equal([]);
    expect(await collect(client.readAll({ fromPosition: END }))).to.deep.equal([]);
  });

  it("deletes a stream at its expected revision, and takes it up again", async () => {
    const stream = newStream();
    await client.appendToStream(stream, [event(), event()]);
    const error = await rejection(client.deleteStream(stream, { expectedRevision: 0n }));
    expect(error).to.be.instanceOf(WrongExpectedVersionError);
    expect(error).to.include({ streamName: stream, expectedVersion: 0n, actualVersion: 1n });
    const { position } = await client.deleteStream(stream, { expectedRevision: 1n });
    expect(Number(position?.commit)).to.be.greaterThan(0);
    expect(await rejection(collect(client.readStream(stream)))).to.be.instanceOf(StreamNotFoundError);
    expect((await client.appendToStream(stream, event(), { expectedRevision: NO_STREAM })).nextExpectedRevision).to.equal(2n);
    expect(await revisions(stream)).to.deep.equal([2]);
  });

  it("tombstones a stream at its expected revision, for good", async () => {
    const stream = newStream();
    await client.appendToStream(stream, event());
    expect(await rejection(client.tombstoneStream(stream, { expectedRevision: 4n }))).to.be.instanceOf(WrongExpectedVersionError);
    expect((await client.tombstoneStream(stream, { expectedRevision: 0n })).position).to.be.an("object");
    for (const again of [() => client.tombstoneStream(stream), () => client.deleteStream(stream), () => collect(client.readStream(stream))])
      expect(await rejection(again())).to.be.instanceOf(StreamDeletedError);
    expect((await client.tombstoneStream(newStream(), { expectedRevision: NO_STREAM })).position).to.be.an("object");
  });

  it("keeps stream metadata and honours it", async () => {
    const stream = newStream();
    expect((await client.getStreamMetadata(stream)).metadata).to.equal(undefined);
    await client.appendToStream(
      stream,
      numbers(5).map((number) => event(number)),
    );
    await client.setStreamMetadata(stream, { maxCount: 2, colour: "blue" });
    expect((await client.getStreamMetadata(stream)).metadata).to.deep.equal({ maxCount: 2, colour: "blue" });
    expect(await revisions(stream)).to.deep.equal([3, 4]);
    await client.setStreamMetadata(stream, { truncateBefore: 4 });
    expect(await revisions(stream)).to.deep.equal([4]);
    await client.setStreamMetadata(stream, { truncateBefore: 5 });
    expect(await revisions(stream)).to.deep.equal([]);
  });

  it("answers a discovery with itself", async () => {
    const discovering = EventStoreDBClient.connectionString(`esdb://127.0.0.1:${server.port},127.0.0.1:${server.port}?tls=false`);
    expect((await discovering.appendToStream(newStream(), event())).success).to.equal(true);
    await discovering.dispose();
    const gossip = new GossipClient(`127.0.0.1:${server.port}`, credentials.createInsecure());
    const members = await new Promise<number[]>((resolve, reject) => {
      gossip.read(new shared.Empty(), (error, info) =>
        error ? reject(error) : resolve(info.getMembersList().map((member) => member.getState())),
      );
    });
    gossip.close();
    expect(members).to.deep.equal([8]);
  });

  it("answers UNIMPLEMENTED to the service of persistent subscriptions", async () => {
    const settings = persistentSubscriptionToStreamSettingsFromDefaults();
    const created = await rejection(client.createPersistentSubscriptionToStream("notes", "group", settings));
    const subscription = client.subscribeToPersistentSubscriptionToStream("notes", "group");
    const subscribed = await new Promise((resolve) => subscription.once("error", resolve));
    for (const error of [created, subscribed]) expect(error).to.include({ code: status.UNIMPLEMENTED });
  });

  it("answers what was written before it stops, and says so to what comes later", async () => {
    const other = temporaryFolder();
    const stopping = await startEventStore({ dataDir: other.path, port: 0, insecure: true });
    const writer = EventStoreDBClient.connectionString(stopping.url);
    await writer.appendToStream("s", event());
    const subscription = writer.subscribeToStream("s");
    const ended = rejection(collect(subscription));
    await new Promise((resolve) => subscription.once("caughtUp", () => resolve(null)));
    const written = writer.appendToStream("s", event()).then(
      () => 2,
      () => null,
    );
    await Promise.all([stopping.close(), stopping.close()]);
    expect(await ended).to.be.instanceOf(UnavailableError);
    expect(await rejection(writer.appendToStream("s", event(), { deadline: 60_000 }))).to.have.property("code", status.UNAVAILABLE);
    await writer.dispose();
    const again = await startEventStore({ dataDir: other.path, port: 0, insecure: true });
    const reader = EventStoreDBClient.connectionString(again.url);
    const found = (await collect(reader.readStream("s"))).length;
    expect(found).to.be.at.least((await written) ?? 1);
    await reader.dispose();
    await again.close();
    other.remove();
  });
});

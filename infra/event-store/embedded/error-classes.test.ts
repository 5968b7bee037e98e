import {
  AccessDeniedError,
  binaryEvent,
  DeadlineExceededError,
  EventStoreDBClient,
  jsonEvent,
  MaxAppendSizeExceededError,
  NO_STREAM,
  STREAM_EXISTS,
  StreamDeletedError,
  StreamNotFoundError,
  UnavailableError,
  UnknownError,
  WrongExpectedVersionError,
} from "@eventstore/db-client";
import { status } from "@grpc/grpc-js";
import { expect } from "chai";
import { collect, rejection, temporaryFolder } from "../event-store.fixture.ts";
import { maximumAppendBytes } from "./limits.ts";
import { passwordOf } from "./security/users.ts";
import { type EmbeddedEventStore, startEventStore } from "./server.ts";

/** Each error a caller can meet, by the class the official client has for it. The server asks for users, so that all of them can be met. */
describe("the errors of the embedded event store, as the official client knows them", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let server: EmbeddedEventStore;
  let admin: EventStoreDBClient;
  let ops: EventStoreDBClient;
  let nobody: EventStoreDBClient;
  before(async function () {
    this.timeout(120_000);
    folder = temporaryFolder();
    server = await startEventStore({ dataDir: folder.path, port: 0 });
    const address = server.url.slice(server.url.indexOf("@") + 1);
    admin = EventStoreDBClient.connectionString(server.url);
    ops = EventStoreDBClient.connectionString(`esdb://ops:${passwordOf(folder.path, "ops")}@${address}`);
    nobody = EventStoreDBClient.connectionString(`esdb://${address}`);
    await admin.appendToStream("written", [event(), event()]);
    await admin.appendToStream("deleted", event());
    await admin.deleteStream("deleted");
    await admin.appendToStream("tombstoned", event());
    await admin.tombstoneStream("tombstoned");
  });
  after(async () => {
    await Promise.all([admin, ops, nobody].map((client) => client.dispose()));
    await server.close();
    folder.remove();
  });

  const event = () => jsonEvent({ type: "Noted", data: {} });
  const large = () => binaryEvent({ type: "Large", data: Buffer.alloc(maximumAppendBytes + 1) });
  // With credentials of its own a call goes over Append, without over BatchAppend: both must tell the same.
  const own = () => ({ credentials: { username: "admin", password: passwordOf(folder.path, "admin") } });
  const opsOwn = () => ({ credentials: { username: "ops", password: passwordOf(folder.path, "ops") } });

  type Kind = abstract new (...given: never[]) => Error;
  const cases: [what: string, kind: Kind, call: () => Promise<unknown>, more?: object][] = [
    [
      "append at a revision the stream is not at",
      WrongExpectedVersionError,
      () => admin.appendToStream("written", event(), { expectedRevision: 0n }),
      { streamName: "written", expectedVersion: 0n, actualVersion: 1n },
    ],
    [
      "Append at a revision the stream is not at",
      WrongExpectedVersionError,
      () => admin.appendToStream("written", event(), { expectedRevision: 0n, ...own() }),
      { streamName: "written", expectedVersion: 0n, actualVersion: 1n },
    ],
    [
      "append to a stream that must not be there",
      WrongExpectedVersionError,
      () => admin.appendToStream("written", event(), { expectedRevision: NO_STREAM }),
      { expectedVersion: NO_STREAM, actualVersion: 1n },
    ],
    [
      "append to a stream that must be there",
      WrongExpectedVersionError,
      () => admin.appendToStream("never", event(), { expectedRevision: STREAM_EXISTS }),
      { expectedVersion: STREAM_EXISTS, actualVersion: "no_stream" },
    ],
    [
      "delete at another revision",
      WrongExpectedVersionError,
      () => admin.deleteStream("written", { expectedRevision: 7n }),
      { actualVersion: 1n },
    ],
    [
      "tombstone at another revision",
      WrongExpectedVersionError,
      () => admin.tombstoneStream("written", { expectedRevision: 7n }),
      { actualVersion: 1n },
    ],
    ["read a stream nobody wrote", StreamNotFoundError, () => collect(admin.readStream("never")), { streamName: "never" }],
    ["read a deleted stream", StreamNotFoundError, () => collect(admin.readStream("deleted")), { streamName: "deleted" }],
    ["read a tombstoned stream", StreamDeletedError, () => collect(admin.readStream("tombstoned")), { streamName: "tombstoned" }],
    ["append to a tombstoned stream", StreamDeletedError, () => admin.appendToStream("tombstoned", event()), { streamName: "tombstoned" }],
    [
      "Append to a tombstoned stream",
      StreamDeletedError,
      () => admin.appendToStream("tombstoned", event(), own()),
      { streamName: "tombstoned" },
    ],
    [
      "subscribe to a tombstoned stream",
      StreamDeletedError,
      () => collect(admin.subscribeToStream("tombstoned"), 1),
      { streamName: "tombstoned" },
    ],
    ["delete a tombstoned stream", StreamDeletedError, () => admin.deleteStream("tombstoned"), { streamName: "tombstoned" }],
    ["read without credentials", AccessDeniedError, () => collect(nobody.readStream("written"))],
    ["append without credentials", AccessDeniedError, () => nobody.appendToStream("written", event())],
    ["append where one may not", AccessDeniedError, () => ops.appendToStream("$reserved", event())],
    ["Append where one may not", AccessDeniedError, () => ops.appendToStream("$reserved", event(), opsOwn())],
    ["read what one may not", AccessDeniedError, () => collect(ops.readAll())],
    ["delete what one may not", AccessDeniedError, () => ops.deleteStream("$reserved")],
    ["append after its deadline", DeadlineExceededError, () => admin.appendToStream("written", event(), { deadline: -1_000 })],
    ["Append after its deadline", DeadlineExceededError, () => admin.appendToStream("written", event(), { deadline: -1_000, ...own() })],
    [
      "append more than fits",
      MaxAppendSizeExceededError,
      () => admin.appendToStream("written", large()),
      { maxAppendSize: maximumAppendBytes },
    ],
    [
      "Append more than fits",
      MaxAppendSizeExceededError,
      () => admin.appendToStream("written", large(), own()),
      { maxAppendSize: maximumAppendBytes },
    ],
    [
      "append an event whose id is none",
      UnknownError,
      () => admin.appendToStream("written", jsonEvent({ id: "none", type: "Noted", data: {} })),
    ],
    [
      "read by a pattern that is none",
      UnknownError,
      () =>
        collect(
          admin.subscribeToAll({ filter: { filterOn: "streamName", checkpointInterval: 1, maxSearchWindow: 32, regex: "(" } as never }),
          1,
        ),
    ],
  ];
  for (const [what, kind, call, more] of cases)
    it(`${what}: ${kind.name}`, async () => {
      const error = await rejection(call());
      expect(error).to.be.instanceOf(kind);
      if (more) expect(error).to.include(more);
    });

  it("what runs while it shuts down: UnavailableError, and UNAVAILABLE for whatever is asked after", async () => {
    const other = temporaryFolder();
    const stopping = await startEventStore({ dataDir: other.path, port: 0, insecure: true });
    const client = EventStoreDBClient.connectionString(stopping.url);
    await client.appendToStream("a", event());
    const live = client.subscribeToStream("a");
    const ended = rejection(collect(live));
    await new Promise((resolve) => live.once("caughtUp", () => resolve(null)));
    const closed = stopping.close();
    expect(await ended).to.be.instanceOf(UnavailableError);
    await closed;
    // The client keeps the transport's own error when it does not get as far as the call.
    for (const ask of [() => client.appendToStream("a", event()), () => collect(client.readStream("a")), () => client.deleteStream("a")])
      expect(await rejection(ask())).to.have.property("code", status.UNAVAILABLE);
    await client.dispose();
    other.remove();
  });
});

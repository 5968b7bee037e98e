import { BACKWARDS, binaryEvent, END, EventStoreDBClient, jsonEvent, type ResolvedEvent } from "@eventstore/db-client";
import { expect } from "chai";
import { collect, numbers, temporaryFolder } from "../event-store.fixture.ts";
import { linkTarget } from "./links.ts";
import { type EmbeddedEventStore, startEventStore } from "./server.ts";

describe("links", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let server: EmbeddedEventStore;
  let client: EventStoreDBClient;
  before(async () => {
    folder = temporaryFolder();
    server = await startEventStore({ dataDir: folder.path, port: 0, insecure: true });
    client = EventStoreDBClient.connectionString(server.url);
    await client.appendToStream(
      "notes@home",
      numbers(4).map((number) => jsonEvent({ type: "Noted", data: { number } })),
    );
    await client.appendToStream("links", [
      link("0@notes@home"),
      link("2@notes@home"),
      link("9@notes@home"),
      link("0@nobody"),
      link("nonsense"),
      jsonEvent({ type: "Plain", data: {} }),
    ]);
    // A target that is hidden is as good as gone.
    await client.setStreamMetadata("notes@home", { truncateBefore: 1 });
  });
  after(async () => {
    await client.dispose();
    await server.close();
    folder.remove();
  });

  const link = (target: string) => binaryEvent({ type: "$>", data: Buffer.from(target) });
  /** `revision of the link -> revision of its target`, or `-` for what is not there. */
  const shown = ({ event, link: found }: ResolvedEvent): string => `${found?.revision ?? "-"}>${event?.revision ?? "-"}`;
  const expected = ["0>-", "1>2", "2>-", "3>-", "->4", "->5"];

  it("are followed when a stream is read, in both directions, and kept when their target is gone", async () => {
    expect((await collect(client.readStream("links", { resolveLinkTos: true }))).map(shown)).to.deep.equal(expected);
    const backwards = await collect(client.readStream("links", { resolveLinkTos: true, direction: BACKWARDS, fromRevision: END }));
    expect(backwards.map(shown)).to.deep.equal(expected.toReversed());
    expect((await collect(client.readStream("links"))).map(shown)).to.deep.equal(numbers(6).map((revision) => `->${revision}`));
  });

  it("come with the event they point to, in its own words, at the position of the link", async () => {
    const [, followed] = await collect(client.readStream("links", { resolveLinkTos: true }));
    const [, plain] = await collect(client.readStream("links"));
    expect(followed?.event).to.deep.include({ streamId: "notes@home", type: "Noted", data: { number: 2 } });
    expect(followed?.link).to.deep.include({ streamId: "links", type: "$>", id: plain?.event?.id });
    expect(followed?.commitPosition).to.equal(plain?.event?.position?.commit);
  });

  it("are followed when $all is read and when either is subscribed to", async () => {
    const ofLinks = (events: ResolvedEvent[]): string[] =>
      events.filter(({ event, link: found }) => (found ?? event)?.streamId === "links").map(shown);
    expect(ofLinks(await collect(client.readAll({ resolveLinkTos: true })))).to.deep.equal(expected);
    expect((await collect(client.subscribeToStream("links", { resolveLinkTos: true }), 6)).map(shown)).to.deep.equal(expected);
    const head = (await collect(client.readAll())).length;
    expect(ofLinks(await collect(client.subscribeToAll({ resolveLinkTos: true }), head))).to.deep.equal(expected);
  });

  it("name their target by revision and stream, and nothing else does", () => {
    const data = Buffer.from("7@a@b");
    expect(linkTarget({ type: "$>", data })).to.deep.equal({ stream: "a@b", revision: 7n });
    expect(linkTarget({ type: "Noted", data })).to.equal(null);
    const targetOf = (text: string) => linkTarget({ type: "$>", data: Buffer.from(text) });
    for (const text of ["", "@", "@s", "1.5@s", "x@s", "99999999999999999999@s"]) expect(targetOf(text), text).to.equal("text");
    for (const text of ["7@", "7", "-2@s"]) expect(targetOf(text), text).to.equal("broken");
    // The last event of the stream.
    expect(targetOf("-1@s")).to.deep.equal({ stream: "s", revision: -1n });
  });
});

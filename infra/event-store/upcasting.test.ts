import type { Upcasters } from "@colloquy/schemas/events/upcasting.ts";
import { expect } from "chai";
import { type EventStore, openEventStore } from "./client.ts";
import { type EmbeddedEventStore, startEventStore } from "./embedded/server.ts";
import { collect, newEvent, temporaryFolder } from "./event-store.fixture.ts";

/** An invented past of the tests' event: what is `text` today was once `body`. */
const upcasters: Upcasters = {
  Noted: {
    1: ({ data: { body, ...rest } }) => {
      if (typeof body !== "string") throw new TypeError("body is missing");
      return { data: { ...rest, schemaVersion: 2, text: body } };
    },
  },
};

describe("events of old versions, read through the client", () => {
  const folder = temporaryFolder();
  let server: EmbeddedEventStore;
  let store: EventStore;
  before(async () => {
    server = await startEventStore({ dataDir: folder.path, port: 0 });
    store = openEventStore(server.url, { upcasters });
    await store.append("note-1", [newEvent({ schemaVersion: 1, body: "old" }), newEvent({ schemaVersion: 2, text: "new" })], "none");
    await store.append("note-2", [newEvent({ schemaVersion: 1 }), newEvent({ schemaVersion: 2, text: "after" })], "none");
  });
  after(async () => {
    await store.close();
    await server.close();
    folder.remove();
  });

  const upToDate = [
    { schemaVersion: 2, text: "old" },
    { schemaVersion: 2, text: "new" },
  ];
  it("are of the present version however they are read", async () => {
    expect((await collect(store.read("note-1"))).map(({ data }) => data)).to.deep.equal(upToDate);
    expect((await store.fold("note-1", (seen: unknown[], { data }) => [...seen, data], [])).state).to.deep.equal(upToDate);
    expect((await collect(store.readAll({ limit: 2 }))).map(({ data }) => data)).to.deep.equal(upToDate);
    const stop = new AbortController();
    const subscription = store.subscribe({ from: null, prefixes: ["note-1"], signal: stop.signal });
    expect((await collect(subscription, 2)).map(({ data }) => data)).to.deep.equal(upToDate);
    stop.abort();
  });

  it("are kept as they are when that fails, and stop nobody who reads on", async () => {
    const [broken, fine] = await collect(store.read("note-2"));
    expect(broken?.data).to.deep.equal({ schemaVersion: 1 });
    expect(broken?.unreadable).to.equal("Noted could not be upcast: body is missing");
    expect(fine).to.not.have.property("unreadable");
    expect(fine?.data).to.deep.equal({ schemaVersion: 2, text: "after" });
  });

  it("stay in the store as they were written", async () => {
    const plain = openEventStore(server.url);
    expect((await collect(plain.read("note-1", { limit: 1 })))[0]?.data).to.deep.equal({ schemaVersion: 1, body: "old" });
    await plain.close();
  });
});

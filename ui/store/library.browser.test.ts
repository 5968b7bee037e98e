import { expect } from "chai";
import { createApi } from "../api/client.ts";
import { uuidv7 } from "../api/uuid.ts";
import { until } from "../workspace/testing/browser.ts";
import { record } from "../workspace/testing/history-seed.ts";
import { PlayedService } from "../workspace/testing/service.ts";
import { type AccountStore, openAccountStore } from "./account-store.ts";
import { Library } from "./library.ts";
import { Preferences } from "./preferences.ts";

describe("an account's conversations", () => {
  let store: AccountStore;
  let service: PlayedService;
  let library: Library;
  const another = (type: string, entityId: string, data: object = {}) =>
    service.receive({
      changeId: uuidv7(),
      deviceId: "another-device",
      domain: "conversation",
      entityId,
      type,
      at: new Date().toISOString(),
      data: data as Record<string, unknown>,
    });

  beforeEach(async () => {
    store = await openAccountStore(`acc_${uuidv7()}`);
    service = new PlayedService();
    library = await Library.open(createApi(service.fetch), store);
  });
  afterEach(async () => {
    library.stop();
    await store.remove();
  });

  it("are listed and follow other devices", async () => {
    const first = record(service, "First?", "Yes.", "2026-11-19T10:00:00.000Z");
    await library.start();
    await until(() => library.summaries.length === 1 && library.connection === "live", "the list");
    const second = record(service, "Second?", "Yes.", "2026-11-20T10:00:00.000Z");
    await until(() => library.summaries.length === 2, "a conversation of another device");
    expect(library.summaries.map((summary) => summary.conversationId)).to.deep.equal([second, first]);
    another("renamed", first, { title: "Renamed elsewhere" });
    await until(() => library.summaries.some((summary) => summary.title === "Renamed elsewhere"), "the new name");
  });

  it("are shown from the store while the service is down", async () => {
    const id = record(service, "Kept?", "Yes.", "2026-11-20T10:00:00.000Z");
    await library.start();
    await library.open(id);
    await until(() => library.loaded, "the list");
    library.stop();
    service.unreachable = true;
    const later = await Library.open(createApi(service.fetch), store);
    await later.start();
    expect(later.summaries.map((summary) => summary.conversationId)).to.deep.equal([id]);
    expect((await later.stored(id))?.turns[0]?.answer).to.equal("Yes.");
    later.stop();
  });

  it("keep a local change before, while and after it is sent", async () => {
    const id = record(service, "Own?", "Yes.", "2026-11-20T10:00:00.000Z");
    await library.start();
    await library.open(id);
    service.pushFails = true;
    await library.commit([{ conversationId: id, type: "renamed", data: { title: "My name" } }]);
    expect(library.cached(id)?.title).to.equal("My name");
    // The server does not know of it yet; reading it anew must not undo it.
    expect((await library.open(id))?.title).to.equal("My name");
    expect(library.summaries[0]?.title).to.equal("My name");
    service.pushFails = false;
    await library.outbox.send();
    expect((await library.open(id))?.title).to.equal("My name");
  });

  it("are read again after the service was restored from a backup", async () => {
    const id = record(service, "Before?", "Yes.", "2026-11-20T10:00:00.000Z");
    await library.start();
    await library.open(id);
    another("renamed", id, { title: "Lost with the restore" });
    await until(() => library.summaries[0]?.title === "Lost with the restore", "the change");
    service.setBack();
    const streams = () => service.requested.filter((path) => path === "/api/sync/stream").length;
    await until(() => streams() >= 3 && library.connection === "live", "a stream without the cursor");
    expect(library.replica.cursor).to.equal("2");
    expect(library.summaries[0]?.title).to.equal("Before?");
    another("renamed", id, { title: "After the restore" });
    await until(() => library.summaries[0]?.title === "After the restore", "what comes afterwards");
  });

  it("lose every stored text when another device deletes them", async () => {
    const id = record(service, "Secret?", "A secret answer.", "2026-11-20T10:00:00.000Z");
    await library.start();
    await library.open(id);
    await store.traces.put({
      key: "turn-0001",
      conversationId: id,
      phases: [],
      sources: 1,
      elapsedMs: 1,
      followUps: ["secret"],
      references: [],
    });
    await until(() => library.connection === "live", "the stream");
    let told: unknown = "nothing";
    library.events.on("record", (event) => {
      told = event.record;
    });
    another("deleted", id);
    await until(() => told === null, "the deletion");
    await until(() => library.summaries.length === 0, "the row to go");
    expect(await store.records.get(id)).to.equal(undefined);
    expect(await store.summaries.get(id)).to.equal(undefined);
    expect(await store.traces.getAll()).to.deep.equal([]);
  });

  it("resume from the stored cursor", async () => {
    const id = record(service, "Before?", "Yes.", "2026-11-20T10:00:00.000Z");
    await library.start();
    await until(() => library.connection === "live", "the stream");
    another("renamed", id, { title: "Seen" });
    await until(() => library.summaries[0]?.title === "Seen", "the first change");
    library.stop();
    another("pinned", id);
    const asked: (string | null)[] = [];
    const later = await Library.open(
      createApi((path, init) => {
        if (String(path).startsWith("/api/sync/pull")) asked.push(/after=\d+/.exec(String(path))?.[0] ?? null);
        return service.fetch(path, init);
      }),
      store,
    );
    await later.start();
    await until(() => later.summaries[0]?.pinned, "what happened meanwhile");
    expect(asked[0]).to.equal("after=1002");
    later.stop();
  });

  it("report when the account has to sign in again", async () => {
    service.account = null;
    let told = false;
    library.events.on("signed-out", () => {
      told = true;
    });
    await library.start();
    await until(() => told, "the sign-in");
  });

  it("continue after an error while a change was applied", async () => {
    const id = record(service, "First?", "Yes.", "2026-11-19T10:00:00.000Z");
    await library.start();
    await until(() => library.connection === "live", "the stream");
    const { receive } = library.replica;
    let failures = 1;
    library.replica.receive = async (...given) => {
      if (failures-- > 0) throw new Error("the browser's store is locked");
      return receive.apply(library.replica, given);
    };
    another("renamed", id, { title: "Renamed elsewhere" });
    await until(() => library.summaries.some(({ title }) => title === "Renamed elsewhere"), "the new name");
  });

  it("stay while the service does not know them yet", async () => {
    await library.start();
    service.pushFails = true;
    const conversationId = uuidv7();
    await library.commit([
      { conversationId, type: "started", data: { mode: "ask", model: { choice: "automatic" }, references: [], title: "Begun here" } },
    ]);
    await store.drafts.put({ key: `${conversationId} tab`, text: "half a question", references: [], model: null, savedAt: Date.now() });
    expect((await library.open(conversationId))?.title).to.equal("Begun here");
    expect((await store.drafts.get(`${conversationId} tab`))?.text).to.equal("half a question");
  });
});

describe("the account's other domains", () => {
  it("apply local and remote changes; the server's order decides", async () => {
    const store = await openAccountStore(`acc_${uuidv7()}`);
    const service = new PlayedService();
    const library = await Library.open(createApi(service.fetch), store);
    const preferences = new Preferences(library);
    const elsewhere = (type: string, data: Record<string, unknown>) =>
      service.receive({
        changeId: uuidv7(),
        deviceId: "another-device",
        domain: "preferences",
        entityId: "workspace",
        type,
        data,
        at: new Date().toISOString(),
      });
    try {
      await library.start();
      await until(() => library.connection === "live", "the stream");
      service.pushFails = true;
      await preferences.choose({ theme: "dark" });
      await preferences.hideModel("p1/one", true);
      elsewhere("chosen", { theme: "light", motion: "reduced" });
      elsewhere("model_hidden", { modelId: "p2/two" });
      await until(() => preferences.hiddenModels.size === 2, "the other device's choices");
      expect(preferences.choices.motion).to.equal("reduced");
      // What was chosen here is not with the server yet, and stands on top until it is.
      expect(preferences.choices.theme).to.equal("dark");
      expect([...preferences.hiddenModels]).to.deep.equal(["p1/one", "p2/two"]);
      service.pushFails = false;
      await library.outbox.send();
      await until(() => library.outbox.status.unsent === 0, "everything is sent");
      const other = await openAccountStore(`acc_${uuidv7()}`);
      const there = await Library.open(createApi(service.fetch), other);
      await there.start();
      await until(() => there.loaded, "the other device");
      expect(new Preferences(there).choices).to.deep.equal({ theme: "dark", motion: "reduced" });
      there.stop();
      await other.remove();
    } finally {
      library.stop();
      await store.remove();
    }
  });
});

describe("a browser store that is full or shared by tabs", () => {
  it("continues in memory and reports it", async () => {
    const store = await openAccountStore(`acc_${uuidv7()}`);
    const service = new PlayedService();
    const id = record(service, "Before?", "Yes.", "2026-11-20T10:00:00.000Z");
    const library = await Library.open(createApi(service.fetch), store);
    const { put } = IDBObjectStore.prototype;
    let refused = 0;
    store.events.on("refused", () => {
      refused += 1;
    });
    try {
      await library.start();
      await until(() => library.loaded, "the history");
      IDBObjectStore.prototype.put = () => {
        throw new DOMException("full", "QuotaExceededError");
      };
      await library.commit([{ conversationId: id, type: "renamed", data: { title: "While it is full" } }]);
      const later = record(service, "After?", "Yes.", "2026-11-20T11:00:00.000Z");
      await until(() => library.summaries.some(({ conversationId }) => conversationId === later), "what comes from elsewhere");
      expect(library.summaries.map(({ title }) => title)).to.deep.equal(["After?", "While it is full"]);
      expect([store.persistent, refused]).to.deep.equal([false, 1]);
      await library.outbox.send();
      expect(service.pushed.map(({ type }) => type)).to.deep.equal(["renamed"]);
    } finally {
      IDBObjectStore.prototype.put = put;
      library.stop();
      await store.remove();
    }
  });

  it("shows other tabs' changes, also offline, and overwrites nothing", async () => {
    const accountId = `acc_${uuidv7()}`;
    const [one, other] = [await openAccountStore(accountId), await openAccountStore(accountId)];
    const service = new PlayedService();
    const id = record(service, "Shared?", "Yes.", "2026-11-20T10:00:00.000Z");
    const here = await Library.open(createApi(service.fetch), one);
    const there = await Library.open(createApi(service.fetch), other);
    try {
      for (const library of [here, there]) await library.start();
      await until(() => here.loaded && there.loaded, "the history in both");
      service.pushFails = true;
      await Promise.all([
        here.commit([{ conversationId: id, type: "renamed", data: { title: "Renamed here" } }]),
        there.commit([{ conversationId: id, type: "pinned", data: {} }]),
      ]);
      for (const library of [here, there])
        await until(() => library.summaries[0]?.title === "Renamed here" && library.summaries[0].pinned, "both changes in both tabs");
      service.pushFails = false;
      await here.outbox.send();
      await until(() => service.pushed.length === 2, "both changes at the service, once");
      for (const library of [here, there]) expect(library.summaries[0]).to.deep.include({ title: "Renamed here", pinned: true });
    } finally {
      here.stop();
      there.stop();
      other.close();
      await one.remove();
    }
  });
});

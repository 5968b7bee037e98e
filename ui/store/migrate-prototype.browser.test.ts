import { expect } from "chai";
import { createApi } from "../api/client.ts";
import { uuidv7 } from "../api/uuid.ts";
import { until } from "../workspace/testing/browser.ts";
import { PlayedService } from "../workspace/testing/service.ts";
import { type AccountStore, openAccountStore } from "./account-store.ts";
import { Library } from "./library.ts";
import { type MigrationReport, migratePrototype } from "./migrate-prototype.ts";
import { prototypeKey, sharedSetAsideKey } from "./prototype.ts";
import { adoptSetAside, readSetAside } from "./set-aside.ts";

const createdAt = "2025-05-01T10:00:00.000Z";
const message = (role: string, content: unknown) => ({ role, content, createdAt });
const whole = {
  id: "old-1",
  title: "Pipes",
  pinned: true,
  archived: false,
  messages: [message("user", "What is a pipe?"), message("assistant", "It joins programs."), message("user", "And then?")],
};
const archived = {
  id: "old-2",
  title: "",
  pinned: false,
  archived: true,
  messages: [message("user", "Loops?"), message("assistant", "They repeat.")],
};
const broken = [
  null,
  { id: "old-3", title: "No messages" },
  { id: "old-4", messages: [message("robot", "?")] },
  { ...whole, title: "The same id" },
];
const old = JSON.stringify({ version: 0, conversations: [whole, ...broken, archived] });

describe("the prototype's record", () => {
  let store: AccountStore;
  let service: PlayedService;
  let library: Library;
  const open = async () => {
    library = await Library.open(createApi(service.fetch), store);
    await library.start();
    await until(() => library.loaded, "the history");
  };
  const migrate = (more: Partial<Parameters<typeof migratePrototype>[0]> = {}) =>
    migratePrototype({ store, library, storage: localStorage, ...more });
  const migrateFully = async (): Promise<MigrationReport> => {
    for (;;) {
      const report = await migrate();
      if (report) return report;
      await library.outbox.send();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const shown = async () =>
    Promise.all(
      library.all
        .toSorted((one, other) => (one.title < other.title ? -1 : 1))
        .map(async ({ conversationId, title, pinned, state }) => {
          const record = await library.stored(conversationId);
          return [title, pinned, state, record?.turns.map(({ question, answer, outcome, at }) => [question, answer, outcome, at])];
        }),
    );
  const expected = [
    ["Loops?", false, "archived", [["Loops?", "They repeat.", "finished", createdAt]]],
    [
      "Pipes",
      true,
      "active",
      [
        ["What is a pipe?", "It joins programs.", "finished", createdAt],
        ["And then?", "", "stopped", createdAt],
      ],
    ],
  ];
  beforeEach(async () => {
    localStorage.setItem(prototypeKey, old);
    store = await openAccountStore(`acc_${uuidv7()}`);
    service = new PlayedService();
    await open();
  });
  afterEach(async () => {
    library.stop();
    await store.remove();
    localStorage.removeItem(prototypeKey);
    localStorage.removeItem(sharedSetAsideKey);
  });

  it("becomes conversations; unreadable entries are set aside unchanged", async () => {
    const report = await migrateFully();
    expect(await shown()).to.deep.equal(expected);
    expect(report.migrated).to.equal(2);
    expect(report.setAside.map(({ entry }) => entry)).to.deep.equal(broken);
    expect(await readSetAside(store)).to.deep.equal(report.setAside);
    expect(localStorage.getItem(prototypeKey)).to.equal(null);
    expect(await migrate()).to.equal(null);
    expect(service.pushed.map(({ type }) => type)).to.have.length(7);
  });

  for (const step of ["read", "planned", "stored", "verified", "set aside", "removed"] as const)
    it(`is taken over once where the page went away at "${step}"`, async () => {
      let crashed = false;
      const crash = (reached: string): void => {
        if (reached !== step || crashed) return;
        crashed = true;
        throw new Error("the page went away");
      };
      while (!crashed) {
        await migrate({ reached: crash }).catch(() => undefined);
        await library.outbox.send();
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      if (step !== "removed") expect(localStorage.getItem(prototypeKey)).to.equal(old);
      library.stop();
      await open();
      if (step !== "removed") await migrateFully();
      expect(await shown()).to.deep.equal(expected);
      expect(localStorage.getItem(prototypeKey)).to.equal(null);
      expect(await readSetAside(store)).to.have.length(broken.length);
      expect(new Set(service.pushed.map(({ changeId }) => changeId)).size).to.equal(service.pushed.length);
    });

  it("stays until the service has answered, and without storage", async () => {
    service.pushFails = true;
    expect(await migrate()).to.equal(null);
    expect(await shown()).to.deep.equal(expected);
    expect(localStorage.getItem(prototypeKey)).to.equal(old);
    const refusing = { ...store, persistent: false };
    expect(await migrate({ store: refusing })).to.equal(null);
    expect(localStorage.getItem(prototypeKey)).to.equal(old);
  });

  it("is set aside if unknown, and entry by entry if rejected", async () => {
    service.refuses = "too_many";
    const report = await migrateFully();
    expect(report.migrated).to.equal(0);
    expect(report.setAside).to.have.length(broken.length + 2);
    localStorage.setItem(prototypeKey, "{not json");
    expect((await migrateFully()).setAside.map(({ entry }) => entry)).to.deep.equal(["{not json"]);
    expect(await readSetAside(store)).to.have.length(broken.length + 3);
  });

  it("leaves no set-aside entries when the account leaves the browser", async () => {
    await migrateFully();
    expect(await readSetAside(store)).to.have.length(broken.length);
    expect(JSON.stringify({ ...localStorage })).to.not.contain("No messages");
    await store.remove();
    const again = await openAccountStore(store.accountId);
    expect(await readSetAside(again)).to.deep.equal([]);
    again.close();
  });

  it("moves set-aside entries from shared storage to the account", async () => {
    const entry = { entry: "old", reason: "It could not be read." };
    localStorage.setItem(sharedSetAsideKey, JSON.stringify([entry]));
    await adoptSetAside({ ...store, persistent: false }, localStorage);
    expect(localStorage.getItem(sharedSetAsideKey)).to.not.equal(null);
    await adoptSetAside(store, localStorage);
    expect(await readSetAside(store)).to.deep.equal([entry]);
    expect(localStorage.getItem(sharedSetAsideKey)).to.equal(null);
  });
});

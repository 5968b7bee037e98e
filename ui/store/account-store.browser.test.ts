import { expect } from "chai";
import { Dexie } from "dexie/dist/modern/dexie.mjs";
import { uuidv7 } from "../api/uuid.ts";
import { openAccountStore } from "./account-store.ts";
import { databaseName } from "./database.ts";
import { FallbackTable, MemoryTable } from "./memory-table.ts";
import type { DraftRow, Table } from "./rows.ts";

const draft = (key: string, text = "half a thought"): DraftRow => ({ key, text, references: [], model: null, savedAt: 1 });

describe("the account store", () => {
  const accounts: string[] = [];
  const account = () => {
    const id = `acc_${uuidv7()}`;
    accounts.push(id);
    return id;
  };
  after(async () => {
    for (const id of accounts) await Dexie.delete(databaseName(id));
  });

  it("keeps its rows and the device id after the page was closed", async () => {
    const id = account();
    const first = await openAccountStore(id);
    await first.drafts.put(draft("conversation-1"));
    first.close();
    const second = await openAccountStore(id);
    expect((await second.drafts.get("conversation-1"))?.text).to.equal("half a thought");
    expect(second.deviceId).to.equal(first.deviceId);
    expect(second.persistent).to.equal(true);
    second.close();
  });

  it("is separate for each account", async () => {
    const [one, other] = [await openAccountStore(account()), await openAccountStore(account())];
    await one.drafts.put(draft("conversation-1"));
    expect(await other.drafts.get("conversation-1")).to.equal(undefined);
    one.close();
    other.close();
  });

  it("lists rows in key order", async () => {
    const store = await openAccountStore(account());
    for (const key of ["b", "c", "a"]) await store.drafts.put(draft(key));
    expect((await store.drafts.getAll()).map((row) => row.key)).to.deep.equal(["a", "b", "c"]);
    store.close();
  });

  it("is deleted by signing out", async () => {
    const id = account();
    const store = await openAccountStore(id);
    await store.drafts.put(draft("conversation-1"));
    await store.remove();
    expect(await Dexie.exists(databaseName(id))).to.equal(false);
  });

  it("is deleted after pending writes, without being blocked", async () => {
    const store = await openAccountStore(account());
    const { warn } = console;
    const said: unknown[] = [];
    console.warn = (...words) => said.push(...words);
    try {
      const writing = Array.from({ length: 20 }, (_, index) => store.drafts.put(draft(`conversation-${index}`)));
      const together = store.atomically(async ({ meta, summaries }) => {
        await summaries.getAll();
        await meta.put({ key: "cursor", value: "7" });
      });
      await store.remove();
      await Promise.all([...writing, together]);
    } finally {
      console.warn = warn;
    }
    expect(said).to.deep.equal([]);
    expect(store.persistent).to.equal(true);
  });

  it("continues in memory and reports it when the browser refuses to store", async () => {
    const open = IDBFactory.prototype.open;
    IDBFactory.prototype.open = () => {
      throw new DOMException("The operation is insecure.", "SecurityError");
    };
    try {
      const store = await openAccountStore(account());
      expect(store.persistent).to.equal(false);
      await store.drafts.put(draft("conversation-1"));
      expect((await store.drafts.get("conversation-1"))?.text).to.equal("half a thought");
      expect(await store.drafts.getAll()).to.have.length(1);
    } finally {
      IDBFactory.prototype.open = open;
    }
  });
});

describe("a database of an older version", () => {
  it("keeps local rows and turns hidden models into changes", async () => {
    const accountId = `acc_${uuidv7()}`;
    const before = new Dexie(databaseName(accountId));
    const names = ["drafts", "outbox", "running", "traces", "quizzes", "summaries", "records", "meta", "preferences"];
    before.version(3).stores(Object.fromEntries(names.map((name) => [name, "key"])));
    await before.open();
    await before.table("meta").bulkPut([
      { key: "deviceId", value: "device-of-before" },
      { key: "cursor", value: "12" },
    ]);
    await before.table("drafts").put(draft("conversation-1"));
    await before.table("summaries").put({ key: "conversation-1", summary: {} });
    await before.table("preferences").put({ key: "workspace", at: "", data: { hiddenModels: ["p1/one"] } });
    before.close();
    const later = await openAccountStore(accountId);
    expect(later.persistent).to.equal(true);
    expect(later.deviceId).to.equal("device-of-before");
    expect((await later.drafts.get("conversation-1"))?.text).to.equal("half a thought");
    expect(await later.summaries.getAll()).to.deep.equal([]);
    expect(await later.meta.get("cursor")).to.equal(undefined);
    expect((await later.outbox.getAll()).map(({ change }) => [change.type, change.data])).to.deep.equal([
      ["model_hidden", { modelId: "p1/one" }],
    ]);
    await later.remove();
  });
});

describe("a table whose storage is full", () => {
  const full = (): Table<DraftRow> & { rows: MemoryTable<DraftRow>; full: boolean } => {
    const rows = new MemoryTable<DraftRow>();
    const refuse = async () => {
      throw new DOMException("full", "QuotaExceededError");
    };
    return {
      rows,
      full: false,
      get: (key) => rows.get(key),
      getAll: () => rows.getAll(),
      put(row) {
        return this.putAll([row]);
      },
      putAll(all) {
        return this.full ? refuse() : rows.putAll(all);
      },
      getMany: (keys) => rows.getMany(keys),
      delete(key) {
        return this.deleteAll([key]);
      },
      deleteAll(keys) {
        return this.full ? refuse() : rows.deleteAll(keys);
      },
    };
  };

  it("shows stored rows, newer ones first, and hides deleted ones", async () => {
    const stored = full();
    const refusals: unknown[] = [];
    const table = new FallbackTable<DraftRow>(stored, (error) => refusals.push(error));
    await table.put(draft("a", "old"));
    await table.put(draft("b", "stays"));
    await table.put(draft("c", "goes"));
    expect(refusals).to.have.length(0);
    stored.full = true;
    await table.put(draft("a", "new"));
    await table.put(draft("d", "memory only"));
    await table.delete("c");
    expect(refusals.length).to.be.greaterThan(0);
    expect((await table.getAll()).map((row) => row.text)).to.deep.equal(["new", "stays", "memory only"]);
    expect((await table.get("a"))?.text).to.equal("new");
    expect(await table.get("c")).to.equal(undefined);
  });
});

import { expect } from "chai";
import { uuidv7 } from "../api/uuid.ts";
import { type AccountStore, openAccountStore } from "./account-store.ts";
import { Preferences } from "./preferences.ts";

describe("the preferences", () => {
  let store: AccountStore;
  beforeEach(async () => {
    store = await openAccountStore(`acc_${uuidv7()}`);
  });
  afterEach(() => store.remove());

  it("keep which models are hidden, for the next page too", async () => {
    const preferences = await Preferences.open(store);
    let told = 0;
    preferences.events.on("change", () => {
      told += 1;
    });
    expect([...preferences.hiddenModels]).to.deep.equal([]);
    await preferences.hideModel("p1/one", true);
    await preferences.hideModel("p2/two", true);
    await preferences.hideModel("p2/two", true);
    await preferences.hideModel("p1/one", false);
    expect([...preferences.hiddenModels]).to.deep.equal(["p2/two"]);
    expect([...(await Preferences.open(store)).hiddenModels]).to.deep.equal(["p2/two"]);
    expect(told).to.equal(4);
  });

  it("take in what another tab wrote later", async () => {
    const here = await Preferences.open(store);
    const there = await Preferences.open(store);
    await there.hideModel("p1/one", true);
    expect([...here.hiddenModels]).to.deep.equal([]);
    await here.reread();
    expect([...here.hiddenModels]).to.deep.equal(["p1/one"]);
  });

  it("find a place in a database an older page made", async () => {
    const { Dexie } = await import("dexie/dist/modern/dexie.mjs");
    const { databaseName } = await import("./database.ts");
    const accountId = `acc_${uuidv7()}`;
    const before = new Dexie(databaseName(accountId));
    before
      .version(1)
      .stores({ drafts: "key", outbox: "key", running: "key", traces: "key", summaries: "key", records: "key", meta: "key" });
    await before.open();
    await before.table("meta").put({ key: "deviceId", value: "device-of-before" });
    before.close();
    const later = await openAccountStore(accountId);
    expect(later.deviceId).to.equal("device-of-before");
    await (await Preferences.open(later)).hideModel("p1/one", true);
    expect(later.persistent).to.equal(true);
    await later.remove();
  });
});

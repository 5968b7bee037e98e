import { expect } from "chai";
import { uuidv7 } from "../api/uuid.ts";
import { type AccountStore, openAccountStore } from "./account-store.ts";
import { Drafts, visitorDraft } from "./drafts.ts";
import { hold, tabLock } from "./locks.ts";

const draft = (text: string) => ({ text, references: [], model: null });

describe("drafts", () => {
  let store: AccountStore;
  let drafts: Drafts;
  beforeEach(async () => {
    sessionStorage.clear();
    store = await openAccountStore(`acc_${uuidv7()}`);
    drafts = await Drafts.open(store);
  });
  afterEach(async () => {
    drafts.close();
    await store.remove();
  });

  it("are there at once, and written when the page is hidden or left", async () => {
    drafts.write("conversation-1", draft("half a thought"));
    expect((await drafts.read("conversation-1"))?.text).to.equal("half a thought");
    dispatchEvent(new PageTransitionEvent("pagehide"));
    await drafts.flush();
    expect((await store.drafts.get("conversation-1"))?.text).to.equal("half a thought");
  });

  it("go when nothing is left of them", async () => {
    drafts.write("conversation-1", draft("half a thought"));
    await drafts.flush();
    drafts.write("conversation-1", draft(""));
    await drafts.flush();
    expect(await store.drafts.all()).to.deep.equal([]);
  });

  it("of a closed tab come back in the next one that is opened", async () => {
    drafts.write(null, draft("left behind"));
    await drafts.flush();
    drafts.close();
    sessionStorage.clear();
    drafts = await Drafts.open(store);
    expect((await drafts.read(null))?.text).to.equal("left behind");
    expect(await store.drafts.all()).to.have.length(1);
  });

  it("of a tab that is still open are left to it", async () => {
    const release = hold(tabLock("another-tab"));
    await store.drafts.put({ key: "new-another-tab", ...draft("still being written"), savedAt: Date.now() });
    drafts.close();
    sessionStorage.clear();
    drafts = await Drafts.open(store);
    expect(await drafts.read(null)).to.equal(null);
    release();
  });

  it("of a duplicated tab are each tab's own", async () => {
    // A duplicate brings the storage of its original, which still holds its place.
    const duplicate = await Drafts.open(store);
    drafts.write(null, draft("original"));
    duplicate.write(null, draft("duplicate"));
    await Promise.all([drafts.flush(), duplicate.flush()]);
    expect((await drafts.read(null))?.text).to.equal("original");
    expect((await duplicate.read(null))?.text).to.equal("duplicate");
    duplicate.close();
  });

  it("of a visitor are given back once", () => {
    visitorDraft.write({ text: "before signing in", reference: null });
    expect(visitorDraft.take()?.text).to.equal("before signing in");
    expect(visitorDraft.take()).to.equal(null);
  });
});

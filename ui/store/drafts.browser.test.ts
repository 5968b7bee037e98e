import { expect } from "chai";
import { uuidv7 } from "../api/uuid.ts";
import { type AccountStore, openAccountStore } from "./account-store.ts";
import { Drafts, visitorDraft } from "./drafts.ts";
import { holdLock, tabLock } from "./locks.ts";

const draft = (text: string) => ({ text, references: [], model: null });

/** A page that goes away lets go of its locks before the next one is there. */
async function untilReleased(tabId: string): Promise<void> {
  await navigator.locks.request(tabLock(tabId), async () => undefined);
}

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

  it("are readable at once and stored when the page is hidden or left", async () => {
    drafts.write("conversation-1", draft("half a thought"));
    expect((await drafts.read("conversation-1"))?.text).to.equal("half a thought");
    dispatchEvent(new PageTransitionEvent("pagehide"));
    await drafts.flush();
    expect((await store.drafts.getAll()).map(({ text }) => text)).to.deep.equal(["half a thought"]);
  });

  it("are stored while somebody keeps typing", async () => {
    const end = performance.now() + 20_000;
    for (let words = "on"; (await store.drafts.getAll()).length === 0; words += " and on") {
      drafts.write("conversation-1", draft(words));
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(performance.now(), "nothing is written").to.be.below(end);
    }
  });

  it("survive leaving the page before the database has them", async () => {
    const { put } = store.drafts;
    store.drafts.put = () => new Promise(() => undefined);
    drafts.write("conversation-1", draft("half a thought"));
    drafts.write(null, draft("a new one"));
    void drafts.flush();
    drafts.write(null, draft("a newer one"));
    dispatchEvent(new PageTransitionEvent("pagehide"));
    const { tabId } = drafts;
    drafts.close();
    store.drafts.put = put;
    await untilReleased(tabId);
    drafts = await Drafts.open(store);
    expect([(await drafts.read("conversation-1"))?.text, (await drafts.read(null))?.text]).to.deep.equal(["half a thought", "a newer one"]);
    expect(Object.keys(sessionStorage)).to.deep.equal(["colloquy-tab"]);
  });

  it("stashed by a page belong to its account and go at sign-out", async () => {
    const leave = () => {
      store.drafts.put = () => new Promise(() => undefined);
      drafts.write(null, draft("mine"));
      dispatchEvent(new PageTransitionEvent("pagehide"));
      expect(JSON.stringify(sessionStorage)).to.contain("mine");
      drafts.close();
    };
    leave();
    const another = await openAccountStore(`acc_${uuidv7()}`);
    drafts = await Drafts.open(another);
    expect(await drafts.read(null)).to.equal(null);
    expect(JSON.stringify(sessionStorage)).not.to.contain("mine");
    drafts.close();
    await another.remove();
    drafts = await Drafts.open(store);
    leave();
    await store.remove();
    expect(JSON.stringify(sessionStorage)).not.to.contain("mine");
  });

  it("are deleted when nothing is left of them", async () => {
    drafts.write("conversation-1", draft("half a thought"));
    await drafts.flush();
    drafts.write("conversation-1", draft(""));
    await drafts.flush();
    expect(await store.drafts.getAll()).to.deep.equal([]);
  });

  it("of a closed tab come back in the next opened one", async () => {
    drafts.write(null, draft("left behind"));
    await drafts.flush();
    const { tabId } = drafts;
    drafts.close();
    sessionStorage.clear();
    await untilReleased(tabId);
    drafts = await Drafts.open(store);
    expect((await drafts.read(null))?.text).to.equal("left behind");
    expect(await store.drafts.getAll()).to.have.length(1);
  });

  it("of an open tab stay in it", async () => {
    const release = holdLock(tabLock("another-tab"));
    await store.drafts.put({ key: "new-another-tab", ...draft("still being written"), savedAt: Date.now() });
    drafts.close();
    sessionStorage.clear();
    drafts = await Drafts.open(store);
    expect(await drafts.read(null)).to.equal(null);
    release();
  });

  it("of a duplicated tab are separate", async () => {
    // A duplicate brings the storage of its original, which still holds its place.
    const duplicate = await Drafts.open(store);
    drafts.write(null, draft("original"));
    duplicate.write(null, draft("duplicate"));
    await Promise.all([drafts.flush(), duplicate.flush()]);
    expect((await drafts.read(null))?.text).to.equal("original");
    expect((await duplicate.read(null))?.text).to.equal("duplicate");
    duplicate.close();
  });

  describe("of a conversation in two tabs", () => {
    it("are separate for each tab, also after a reload", async () => {
      const other = await Drafts.open(store);
      drafts.write("conversation-1", draft("one"));
      other.write("conversation-1", draft("two"));
      await Promise.all([drafts.flush(), other.flush()]);
      const { tabId } = drafts;
      drafts.close();
      sessionStorage.setItem("colloquy-tab", tabId);
      await untilReleased(tabId);
      drafts = await Drafts.open(store);
      expect(drafts.tabId).to.equal(tabId);
      expect((await drafts.read("conversation-1"))?.text).to.equal("one");
      expect((await other.read("conversation-1"))?.text).to.equal("two");
      other.close();
    });

    it("come back newest first once their tabs are closed", async () => {
      const release = holdLock(tabLock("living"));
      await store.drafts.putAll([
        { key: "conversation-1 older", ...draft("older"), savedAt: 1 },
        { key: "conversation-1 newer", ...draft("newer"), savedAt: 2 },
        { key: "conversation-1 living", ...draft("still being written"), savedAt: 3 },
        { key: "conversation-10 closed", ...draft("of another conversation"), savedAt: 4 },
      ]);
      const other = await Drafts.open(store);
      const read = await Promise.all([drafts, other].map((tab) => tab.read("conversation-1")));
      expect(read.map((found) => found?.text).sort()).to.deep.equal(["newer", "older"]);
      expect(await store.drafts.getAll()).to.have.length(4);
      other.close();
      release();
    });

    it("are migrated from the version with one draft for all tabs", async () => {
      await store.drafts.put({ key: "conversation-1", ...draft("kept before"), savedAt: 1 });
      expect((await drafts.read("conversation-1"))?.text).to.equal("kept before");
      drafts.write("conversation-1", draft(""));
      await drafts.flush();
      expect(await store.drafts.getAll()).to.deep.equal([]);
    });
  });

  it("of a visitor are returned once", () => {
    visitorDraft.write({ text: "before signing in", reference: null });
    expect(visitorDraft.take()?.text).to.equal("before signing in");
    expect(visitorDraft.take()).to.equal(null);
  });
});

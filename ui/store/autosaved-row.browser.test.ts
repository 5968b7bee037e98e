import { expect } from "chai";
import { memoryTables } from "./account-store.ts";
import { AutosavedRow } from "./autosaved-row.ts";

describe("an autosaved row", () => {
  /** Of its own: a row of a page that is gone, of the test before, hears of this page being left, too. */
  let key = "";
  const left = () => Object.keys(sessionStorage).filter((name) => name === `colloquy-left ${key}`);
  const leave = () => dispatchEvent(new PageTransitionEvent("pagehide"));
  const rowOf = (store: ConstructorParameters<typeof AutosavedRow>[0]) => new AutosavedRow<{ text: string }>(store, key);
  let store: ReturnType<typeof memoryTables> & { accountId: string };
  beforeEach(() => {
    key = crypto.randomUUID();
    store = { ...memoryTables(), accountId: "account-1" };
  });

  it("survives leaving the page before the database has it, for its account only", async () => {
    const { put } = store.workspace;
    store.workspace.put = () => new Promise(() => undefined);
    rowOf(store).write({ text: "half an answer" });
    leave();
    store.workspace.put = put;
    expect(await rowOf(store).read()).to.deep.equal({ text: "half an answer" });
    expect(left()).to.deep.equal([]);
    store.workspace.put = () => new Promise(() => undefined);
    rowOf(store).write({ text: "another one" });
    leave();
    expect(await rowOf({ ...memoryTables(), accountId: "account-2" }).read()).to.equal(undefined);
  });

  it("is written when the page is left; a restored page leaves no stash", async () => {
    const row = rowOf(store);
    row.write({ text: "half an answer" });
    leave();
    await row.flush();
    await Promise.resolve();
    expect(await store.workspace.get(key)).to.deep.include({ value: { text: "half an answer" } });
    expect(left()).to.deep.equal([]);
    row.write(null);
    await row.flush();
    expect(await row.read()).to.equal(undefined);
  });

  it("is empty if the stash cannot be read", async () => {
    sessionStorage.setItem(`colloquy-left ${key}`, "{");
    expect(await rowOf(store).read()).to.equal(undefined);
    expect(left()).to.deep.equal([]);
  });

  it("lasts as long as the page for an element without an account", async () => {
    const { workspace } = memoryTables();
    rowOf({ workspace }).write({ text: "half an answer" });
    leave();
    expect(left()).to.deep.equal([]);
    expect(await rowOf({ workspace }).read()).to.deep.equal({ text: "half an answer" });
  });
});

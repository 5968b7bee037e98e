import { expect } from "chai";
import { memoryTables } from "../store/account-store.ts";
import { holdLock, isLockHeld, tabLock } from "../store/locks.ts";
import { layoutOf, openBeside, type Tab } from "./layout/layout.ts";
import { toStored } from "./layout/stored.ts";
import { conversationTarget, newConversation } from "./layout/target.ts";
import { LayoutKeeper } from "./layout-keeper.ts";

const talk = (id: string): Tab => ({ id, target: conversationTarget(id) });
const layout = openBeside(layoutOf(talk("a"), "p1"), talk("b"), "p1", "right", { pane: "p2", split: "s" });

describe("the layout keeper", () => {
  const fresh = () => ({ workspace: memoryTables().workspace });

  it("restores a tab's layout", async () => {
    const store = fresh();
    const keeper = await LayoutKeeper.open(store, "tab-1");
    expect(keeper.restored).to.equal(null);
    keeper.keep(layout);
    await keeper.flush();
    keeper.close();
    const later = await LayoutKeeper.open(store, "tab-1");
    expect(later.restored).to.deep.equal(layout);
    later.close();
  });

  it("stores no conversation that has not begun", async () => {
    const store = fresh();
    const keeper = await LayoutKeeper.open(store, "tab-1");
    keeper.keep(layoutOf({ id: "a", target: newConversation }, "p1"));
    await keeper.flush();
    expect(await store.workspace.getAll()).to.deep.equal([]);
    keeper.close();
  });

  it("gives a closed tab's layout to a new tab, never an open one's", async () => {
    const store = fresh();
    const release = holdLock(tabLock("tab-open"));
    while (!(await isLockHeld(tabLock("tab-open")))) await new Promise((resolve) => setTimeout(resolve, 5));
    await store.workspace.put({ key: "layout-tab-open", value: toStored(layoutOf(talk("open"), "p1")), savedAt: 3 });
    await store.workspace.put({ key: "layout-tab-closed", value: toStored(layout), savedAt: 2 });
    await store.workspace.put({ key: "layout-tab-older", value: toStored(layoutOf(talk("older"), "p1")), savedAt: 1 });
    const keeper = await LayoutKeeper.open(store, "tab-new");
    expect(keeper.restored).to.deep.equal(layout);
    expect((await store.workspace.getAll()).map(({ key }) => key)).to.deep.equal(["layout-tab-new", "layout-tab-open"]);
    keeper.close();
    release();
  });

  it("sets an invalid layout aside, reports it, and starts over", async () => {
    const store = fresh();
    const broken = { version: 1, layout: { root: { kind: "pane", id: "p", tabs: [], active: "" }, focused: "p" } };
    await store.workspace.put({ key: "layout-tab-1", value: broken, savedAt: 1 });
    const keeper = await LayoutKeeper.open(store, "tab-1");
    expect(keeper.restored).to.equal(null);
    expect(keeper.broken).to.equal(true);
    expect((await store.workspace.getAll()).map(({ key, value }) => [key, value])).to.deep.equal([["set-aside", broken]]);
    keeper.close();
  });
});

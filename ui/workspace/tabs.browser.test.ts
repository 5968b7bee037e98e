import { expect } from "chai";
import { uuidv7 } from "../api/uuid.ts";
import type { Arrangement } from "./arrangement.ts";
import { tabsOf } from "./layout/layout.ts";
import { conversationTarget, ledgerTarget, newConversation } from "./layout/target.ts";
import { deep, settled, unmountAll, until } from "./testing/browser.ts";
import { pipesPage } from "./testing/fixtures.ts";
import { record, seedHistory } from "./testing/history-seed.ts";
import { address, live, wholeWorkspace, write } from "./testing/whole.ts";

describe("the tabs of the workspace", () => {
  const whole = wholeWorkspace();

  it("open a conversation by address and go back and forward", async () => {
    const newest = seedHistory(whole.service);
    const workspace = await whole.open(`/ai?conversation=${newest}`);
    await until(() => workspace.querySelector("colloquy-answer p"), "the conversation");
    await live(workspace);
    const other = await until(
      () => [...(workspace.querySelector("colloquy-history")?.shadowRoot?.querySelectorAll("a") ?? [])].at(-1),
      "rows",
    );
    other.click();
    await until(() => workspace.querySelector("h1")?.textContent === other.textContent?.trim(), "the other one");
    expect(address()).to.contain(other.getAttribute("href"));
    history.back();
    await until(() => workspace.querySelector("h1")?.textContent?.startsWith("If sort"), "the first one again");
    expect(address()).to.equal(`/ai?conversation=${newest}`);
  });

  it("stay visible when something scrolls in their pane", async () => {
    const newest = seedHistory(whole.service);
    const workspace = await whole.open(`/ai?conversation=${newest}`);
    const answer = await until(() => workspace.querySelector("colloquy-answer p"), "the conversation");
    const pane = answer.closest("section.pane") ?? expect.fail("no pane");
    // As words for screen readers are, deep in what scrolls.
    const deepDown = Object.assign(document.createElement("p"), {
      style: "position: absolute; inset-block-start: 300vh",
      textContent: ".",
    });
    pane.querySelector(".panel")?.append(deepDown);
    deepDown.scrollIntoView();
    expect(pane.scrollTop).to.equal(0);
  });

  it("close after a local deletion and report a remote one", async () => {
    const newest = seedHistory(whole.service);
    const workspace = await whole.open(`/ai?conversation=${newest}`);
    const tabs = () => [...workspace.querySelectorAll("[role=tab]")].map((tab) => tab.getAttribute("href"));
    await until(() => workspace.querySelector("colloquy-answer p"), "the conversation");
    workspace.querySelector<HTMLButtonElement>("colloquy-tab-strip .menu")?.click();
    const item = () => [...workspace.querySelectorAll<HTMLButtonElement>("[role=menuitem]")].find((one) => one.textContent === "Delete…");
    (await until(item, "the menu")).click();
    (await until(() => document.querySelector<HTMLButtonElement>("dialog[open] [value=delete]"), "the question")).click();
    await until(() => !tabs().some((href) => href?.includes(newest)), "the tab to close");
    expect(address()).to.equal("/ai");
    const first = () => deep<HTMLAnchorElement>(workspace, "colloquy-history", "a");
    await until(() => !first().href.includes(newest), "its row to go");
    first().click();
    await until(() => workspace.querySelector(".panel:not([inert]) colloquy-answer p"), "the next one");
    const id = new URL(location.href).searchParams.get("conversation") ?? "";
    whole.service.receive({
      domain: "conversation",
      entityId: id,
      type: "deleted",
      data: {},
      changeId: uuidv7(),
      at: new Date().toISOString(),
      deviceId: "another",
    } as Parameters<typeof whole.service.receive>[0]);
    await until(() => workspace.querySelector(".panel:not([inert]) .absent"), "the words");
    expect(tabs().some((href) => href?.includes(id))).to.equal(true);
  });

  it("close when everything is deleted on another device", async () => {
    const newest = seedHistory(whole.service);
    const workspace = await whole.open(`/ai?conversation=${newest}`);
    const tabs = () => [...workspace.querySelectorAll("[role=tab]")].map((tab) => tab.getAttribute("href"));
    await until(() => workspace.querySelector("colloquy-answer p"), "the conversation");
    await live(workspace);
    const gone = (domain: string, entityId: string, type: string) =>
      whole.service.receive({
        domain,
        entityId,
        type,
        data: {},
        changeId: uuidv7(),
        at: new Date().toISOString(),
        deviceId: "service",
      } as Parameters<typeof whole.service.receive>[0]);
    gone("conversation", newest, "deleted");
    await until(() => workspace.querySelector(".panel:not([inert]) .absent"), "the words");
    gone("preferences", "workspace", "erased");
    await until(() => !tabs().some((href) => href?.includes(newest)), "the tab to close");
    expect(address()).to.equal("/ai");
    expect(workspace.querySelector(".absent")).to.equal(null);
  });

  it("render nothing again while panes are resized", async () => {
    const newest = seedHistory(whole.service);
    const workspace = await whole.open(`/ai?conversation=${newest}`);
    await until(() => workspace.querySelector("colloquy-answer p"), "the conversation");
    workspace.querySelector<HTMLButtonElement>("colloquy-tab-strip .split")?.click();
    const separator = await until(() => workspace.querySelector("colloquy-separator"), "the separator");
    await until(() => workspace.querySelectorAll("colloquy-conversation").length === 2, "the second conversation");
    await until(() => separator.ariaValueNow, "the separator's code");
    await live(workspace);
    await settled(workspace);
    let updates = 0;
    for (const conversation of workspace.querySelectorAll("colloquy-conversation")) {
      const original = conversation.requestUpdate.bind(conversation);
      conversation.requestUpdate = (...given) => {
        updates += 1;
        original(...given);
      };
    }
    for (let count = 0; count < 5; count += 1) {
      separator.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft", bubbles: true, cancelable: true }));
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    await until(() => separator.ariaValueNow === "40", "the first pane is narrower");
    expect(updates).to.equal(0);
  });

  it("are restored after a reload, with drafts of inactive ones", async () => {
    const workspace = await whole.open();
    await live(workspace);
    await write(workspace, "Half a question");
    const { arrangement } = workspace as unknown as { arrangement: Arrangement };
    arrangement.showBeside({ kind: "page", href: pipesPage.href, title: "Pipes" }, arrangement.layout.focused);
    const page = arrangement.current.id;
    arrangement.show(conversationTarget(record(whole.service, "Before?", "Yes.", new Date().toISOString())));
    arrangement.activate(page);
    const stood = tabsOf(arrangement.layout);
    expect(stood).to.have.length(3);
    dispatchEvent(new PageTransitionEvent("pagehide"));
    unmountAll();
    const later = await whole.open(null);
    const again = await until(() => (later as unknown as { arrangement: Arrangement | null }).arrangement, "the panes");
    expect(tabsOf(again.layout)).to.deep.equal(stood);
    expect(again.current.id).to.equal(page);
    again.show(newConversation);
    await until(() => [...later.querySelectorAll("colloquy-composer")].some(({ text }) => text === "Half a question"), "the draft");
  });

  it("show a page once, by its present address or a former one", async () => {
    const workspace = await whole.open();
    await live(workspace);
    const { arrangement } = workspace as unknown as { arrangement: Arrangement };
    const page = (href: string) => ({ kind: "page", href, title: "Pipes" }) as const;
    const pages = () => tabsOf(arrangement.layout).filter(({ target }) => target.kind === "page");
    arrangement.show(page(pipesPage.href));
    const first = arrangement.current.id;
    const former = "/courses/shell-novice/former-address";
    arrangement.show(page(`${former}?mark=a#b`));
    const second = arrangement.current.id;
    expect(second).to.not.equal(first);
    arrangement.updateTarget(second, page(`${pipesPage.href}?mark=a#b`));
    const shown = () => [pages().length, arrangement.current.id, arrangement.current.target];
    expect(shown()).to.deep.equal([1, first, page(`${pipesPage.href}?mark=a#b`)]);
    arrangement.show(page(`${former}?mark=c#d`));
    expect(shown()).to.deep.equal([1, first, page(`${pipesPage.href}?mark=c#d`)]);
  });

  it("show a ledger once, by session or by conversation", async () => {
    const workspace = await whole.open();
    await live(workspace);
    const { arrangement } = workspace as unknown as { arrangement: Arrangement };
    arrangement.show(ledgerTarget("session-1"));
    const first = arrangement.current.id;
    arrangement.show(ledgerTarget("conversation-1"));
    const second = arrangement.current.id;
    expect(second).to.not.equal(first);
    arrangement.updateTarget(second, ledgerTarget("session-1"));
    expect(tabsOf(arrangement.layout).filter(({ target }) => target.kind === "ledger")).to.have.length(1);
    expect(arrangement.current.id).to.equal(first);
  });
});

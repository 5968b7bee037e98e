import { setViewport } from "@web/test-runner-commands";
import { expect } from "chai";
import { Dexie } from "dexie/dist/modern/dexie.mjs";
import { html } from "lit";
import { createApi } from "../api/client.ts";
import { uuidv7 } from "../api/uuid.ts";
import { HideModelEvent } from "../composer/events.ts";
import { openAccountStore } from "../store/account-store.ts";
import { hold, openPagePaths, pageLock } from "../store/locks.ts";
import type { Arrangement } from "./arrangement.ts";
import { tabsOf } from "./layout/layout.ts";
import { conversationTarget, ledgerTarget, newConversation } from "./layout/target.ts";
import { deep, expectAccessible, loadTheme, mount, unmountAll, until } from "./testing/browser.ts";
import { answerText, followUps, models, pipesPage, question } from "./testing/fixtures.ts";
import { record, seedHistory } from "./testing/history-seed.ts";
import { PlayedService } from "./testing/service.ts";
import "./workspace.ts";
import type { Workspace } from "./workspace.ts";

describe("the workspace", () => {
  let service: PlayedService;
  const home = location.href;
  before(loadTheme);
  beforeEach(async () => {
    await setViewport({ width: 1280, height: 800 });
    sessionStorage.clear();
    service = new PlayedService();
    if (service.account) service.account = { ...service.account, accountId: `acc_${uuidv7()}` };
  });
  afterEach(async () => {
    unmountAll();
    history.replaceState(null, "", home);
    for (const name of await Dexie.getDatabaseNames()) await Dexie.delete(name);
  });

  const open = async (address = "/ai", demo = true): Promise<Workspace> => {
    history.replaceState(null, "", address);
    return mount<Workspace>(html`<colloquy-workspace .api=${createApi(service.fetch)} ?demo=${demo}></colloquy-workspace>`);
  };
  const field = (workspace: Workspace) =>
    until(() => workspace.querySelector("colloquy-composer")?.shadowRoot?.querySelector("textarea"), "the composer");
  const write = async (workspace: Workspace, text: string) => {
    const textarea = await field(workspace);
    textarea.value = text;
    textarea.dispatchEvent(new InputEvent("input", { inputType: "insertText", bubbles: true, composed: true }));
  };
  const ask = async (workspace: Workspace, text: string) => {
    await write(workspace, text);
    (await field(workspace)).dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, composed: true, cancelable: true }));
  };
  const rows = (workspace: Workspace) =>
    [...(workspace.querySelector("colloquy-history")?.shadowRoot?.querySelectorAll("a") ?? [])].map((link) => link.textContent?.trim());
  const chips = (workspace: Workspace) =>
    [...(workspace.querySelector("colloquy-composer")?.shadowRoot?.querySelectorAll(".chips b") ?? [])].map((chip) => chip.textContent);
  const address = () => `${location.pathname}${location.search}`;
  const answered = (workspace: Workspace) => until(() => workspace.querySelector("colloquy-exchange .acts"), "the answer");
  const live = (workspace: Workspace) => until(() => !workspace.querySelector("colloquy-history")?.loading, "the history");

  it("opens on a live composer; an abandoned opening leaves nothing", async () => {
    const workspace = await open();
    await live(workspace);
    await write(workspace, "half a thought");
    expect(address()).to.equal("/ai");
    expect(rows(workspace)).to.deep.equal([]);
    expect(service.pushed).to.deep.equal([]);
    await until(() => workspace.querySelector("colloquy-welcome")?.shadowRoot?.querySelector("button"), "places to begin with");
    await expectAccessible(workspace);
  });

  it("claims the address with the first turn, in the same entry, and never reloads the answer being written", async () => {
    service.script = { kind: "answer", delayMs: 2, chunk: 8 };
    const workspace = await open();
    const { length } = history;
    await ask(workspace, question);
    await until(() => workspace.querySelector("colloquy-answer p"), "the first words");
    expect(address()).to.match(/^\/ai\?conversation=[0-9a-f-]{36}$/);
    expect(history.length).to.equal(length);
    expect(rows(workspace)).to.have.length(1);
    const answer = workspace.querySelector("colloquy-answer");
    await answered(workspace);
    expect(workspace.querySelector("colloquy-answer")).to.equal(answer);
    expect(service.asked).to.have.length(1);
    expect(document.title).to.contain("If sort has to see");
    await expectAccessible(workspace);
  });

  it("gives the address up again when the first turn came to nothing", async () => {
    service.script = { kind: "refused", code: "ai_unavailable" };
    const workspace = await open();
    await ask(workspace, question);
    await until(() => workspace.querySelector(".problem"), "the words");
    expect(address()).to.equal("/ai");
    expect((await field(workspace)).value).to.equal(question);
    expect(rows(workspace)).to.deep.equal([]);
    await expectAccessible(workspace);
  });

  it("carries a page into the next new conversation once, as a chip that can be removed", async () => {
    const workspace = await open(`/ai?page=${encodeURIComponent(pipesPage.href)}`);
    await until(() => chips(workspace).length, "the chip");
    expect(chips(workspace)).to.deep.equal(["Pipes and Filters"]);
    expect(address()).to.equal("/ai");
    deep<HTMLButtonElement>(workspace, "colloquy-composer", ".chip button").click();
    await until(() => !chips(workspace).length, "the chip to go");
  });

  it("offers the page it came from again, and pages that are open in other tabs", async () => {
    const release = hold(pageLock("/courses/shell-novice/loops"));
    const workspace = await open(`/ai?page=${encodeURIComponent(pipesPage.href)}`);
    const offered = () => workspace.querySelector("colloquy-composer")?.shadowRoot?.querySelector(".add b")?.textContent;
    await until(() => chips(workspace).includes("Pipes and Filters"), "the chip");
    await until(() => offered() === "Loops", "the open page");
    deep<HTMLButtonElement>(workspace, "colloquy-composer", ".chip button").click();
    await until(() => offered() === "Pipes and Filters", "the page one came from");
    release();
    while ((await openPagePaths()).length) await new Promise((resolve) => setTimeout(resolve, 10));
    window.dispatchEvent(new Event("focus"));
    deep<HTMLButtonElement>(workspace, "colloquy-composer", ".add").click();
    await until(() => offered() === undefined, "nothing to be left");
  });

  it("does not carry a page that leads nowhere, or to another site", async () => {
    for (const page of ["/courses/nothing", "https://elsewhere.test/x", "//elsewhere.test"]) {
      const workspace = await open(`/ai?page=${encodeURIComponent(page)}`);
      await live(workspace);
      expect(chips(workspace)).to.deep.equal([]);
      unmountAll();
    }
  });

  it("opens a conversation by its address, and goes back and forward between them", async () => {
    const newest = seedHistory(service);
    const workspace = await open(`/ai?conversation=${newest}`);
    await until(() => workspace.querySelector("colloquy-answer p"), "the conversation");
    const other = [...(workspace.querySelector("colloquy-history")?.shadowRoot?.querySelectorAll("a") ?? [])].at(-1);
    other?.click();
    await until(() => workspace.querySelector("h1")?.textContent === other?.textContent?.trim(), "the other one");
    expect(address()).to.contain(other?.getAttribute("href"));
    history.back();
    await until(() => workspace.querySelector("h1")?.textContent?.startsWith("If sort"), "the first one again");
    expect(address()).to.equal(`/ai?conversation=${newest}`);
  });

  it("shows what was found, how long it took and what could be asked next after a reload of the same browser, too", async () => {
    const told = (workspace: Workspace) => ({
      trace: deep(workspace, "colloquy-trace", "summary").textContent?.replace(/\s+/g, " "),
      next: [...workspace.querySelectorAll("colloquy-exchange .next button")].map((button) => button.textContent),
    });
    const workspace = await open();
    await ask(workspace, question);
    await answered(workspace);
    await until(() => service.pushed.length === 2, "the record");
    await until(() => told(workspace).next.length, "what could be asked next");
    const before = told(workspace);
    expect(before.next).to.deep.equal(followUps);
    const here = address();
    unmountAll();
    const later = await open(here);
    await answered(later);
    await until(() => told(later).next.length, "what could be asked next");
    expect(told(later)).to.deep.equal(before);
    expect(before.trace).to.match(/Read 6 passages, wrote from 2 \d/);
  });

  it("offers pages of every course to begin with, none twice", async () => {
    const workspace = await open();
    const starts = () => [...(workspace.querySelector("colloquy-welcome")?.shadowRoot?.querySelectorAll("button") ?? [])];
    await until(() => starts().length, "places to begin with");
    expect(starts().map((button) => button.textContent?.split("\n")[0]?.trim())).to.deep.equal([
      "Pipes and Filters",
      "Loops",
      "Finding Things",
      "Directions that keep their line",
    ]);
  });

  it("asks for the models again when it was not told", async () => {
    service.unavailable.add("/api/ai/models");
    const workspace = await open();
    await live(workspace);
    await until(() => service.requested.filter((path) => path === "/api/ai/models").length > 1, "the second try");
    expect(workspace.querySelector("colloquy-composer")?.shadowRoot?.querySelector("colloquy-model-picker")).to.equal(null);
    service.unavailable.clear();
    window.dispatchEvent(new Event("online"));
    await until(() => workspace.querySelector("colloquy-composer")?.shadowRoot?.querySelector("colloquy-model-picker"), "the picker");
  });

  it("keeps which models are listed for the account in this browser", async () => {
    const workspace = await open();
    const listed = (at: Workspace) => [...(at.querySelector("colloquy-composer")?.hiddenModels ?? [])];
    await field(workspace);
    workspace.dispatchEvent(new HideModelEvent("p5/routed", true));
    await until(() => listed(workspace).length, "the choice");
    unmountAll();
    const later = await open();
    await until(() => listed(later)[0] === "p5/routed", "the choice after a reload");
  });

  it("lets an answer go on while another conversation is read", async () => {
    service.script = { kind: "answer", delayMs: 3, chunk: 10 };
    const workspace = await open();
    await ask(workspace, question);
    await until(() => workspace.querySelector("colloquy-answer p"), "the first words");
    const first = address();
    document.dispatchEvent(new KeyboardEvent("keydown", { key: "j", ctrlKey: true, bubbles: true, cancelable: true }));
    await until(() => address() === "/ai", "the new conversation");
    await until(() => service.pushed.length === 2, "the record of the first");
    expect(address()).to.equal("/ai");
    expect(service.pushed[1]?.data.answer).to.equal(answerText);
    history.back();
    await until(() => address() === first, "the first one again");
    await answered(workspace);
  });

  it("shows at once what another browser of the account does", async () => {
    const workspace = await open();
    await live(workspace);
    record(service, "Asked elsewhere?", "Yes.", new Date().toISOString());
    await until(() => rows(workspace).includes("Asked elsewhere?"), "the row");
  });

  it("says that there is nothing at an address that leads nowhere", async () => {
    const workspace = await open("/ai?conversation=conversation-nowhere");
    await until(() => workspace.querySelector(".absent"), "the words");
    await expectAccessible(workspace);
  });

  it("announces what happens in one region outside the transcript", async () => {
    const workspace = await open();
    await ask(workspace, question);
    const region = () => workspace.querySelector("colloquy-announcer")?.textContent?.trim();
    await until(() => region() === "Answer complete", "the announcement");
    expect(workspace.querySelectorAll("[aria-live=polite]")).to.have.length(2);
  });

  it("says where one's words are when the service is away or the browser offline", async () => {
    service.pushFails = true;
    const workspace = await open();
    await ask(workspace, question);
    await until(() => workspace.querySelector("colloquy-tab-strip small")?.textContent === "In this browser only", "where it is");
    await until(() => workspace.querySelector(".notice"), "the notice");
    const { onLine } = Object.getOwnPropertyDescriptors(Navigator.prototype);
    Object.defineProperty(navigator, "onLine", { configurable: true, get: () => false });
    dispatchEvent(new Event("offline"));
    await until(() => workspace.querySelector(".notice")?.textContent?.includes("You are offline"), "the notice");
    await expectAccessible(workspace);
    Object.defineProperty(navigator, "onLine", { configurable: true, ...onLine });
    Reflect.deleteProperty(navigator, "onLine");
    dispatchEvent(new Event("online"));
    await until(() => !workspace.querySelector(".notice")?.textContent?.includes("You are offline"), "the notice to change");
  });

  it("keeps a conversation in view when the sign-in runs out, and says how to go on", async () => {
    const newest = seedHistory(service);
    const workspace = await open(`/ai?conversation=${newest}`);
    await until(() => workspace.querySelector("colloquy-answer p"), "the conversation");
    service.account = null;
    service.cutStreams();
    const way = await until(() => workspace.querySelector<HTMLAnchorElement>(".notice a"), "the way to sign in");
    expect(new URL(way.href).searchParams.get("return")).to.equal(`/ai?conversation=${newest}`);
    expect(workspace.querySelector("colloquy-answer")).not.to.equal(null);
    expect(deep<HTMLButtonElement>(workspace, "colloquy-composer", ".send").ariaDisabled).to.equal("true");
  });

  it("neither shows nor writes under the account that signs in after it", async () => {
    const newest = seedHistory(service);
    const workspace = await open(`/ai?conversation=${newest}`);
    await until(() => workspace.querySelector("colloquy-answer p"), "the conversation");
    let left = 0;
    workspace.leftPage = () => {
      left += 1;
    };
    service.account = { accountId: `acc_${uuidv7()}`, name: "Tomas", roles: ["learner"] };
    await ask(workspace, "Whose question is this?");
    await until(() => left > 0, "the page to be left");
    expect(service.asked).to.deep.equal([]);
    expect(service.pushed).to.deep.equal([]);
    const before = left;
    document.dispatchEvent(new Event("visibilitychange"));
    await until(() => left > before, "another look when the tab is shown");
  });

  it("is left when the account signs out in another tab, though it has only begun to open", async () => {
    const workspace = await open();
    const leaving = new Promise<void>((resolve) => {
      workspace.leftPage = resolve;
    });
    await until(() => (workspace as unknown as { account: unknown }).account, "the account");
    const other = new BroadcastChannel("colloquy-account");
    other.postMessage({ accountId: service.account?.accountId, from: "another-tab" });
    await leaving;
    other.close();
  });

  it("tells when a change is refused, and shows the server's word again", async () => {
    const newest = seedHistory(service);
    const workspace = await open(`/ai?conversation=${newest}`);
    await until(() => chips(workspace).length === 1, "the conversation");
    service.refuses = "too_many";
    deep<HTMLButtonElement>(workspace, "colloquy-composer", ".chip button").click();
    await until(
      () => workspace.querySelector(".notice")?.textContent?.includes("This conversation is as long as one may be"),
      "the reason",
    );
    await until(() => chips(workspace).length === 1, "the chip to come back");
    workspace.querySelector<HTMLButtonElement>(".notice button")?.click();
    await until(() => !workspace.querySelector(".notice"), "the notice to go");
  });

  it("goes between what is written and what was said by F6", async () => {
    const newest = seedHistory(service);
    const workspace = await open(`/ai?conversation=${newest}`);
    const transcript = await until(() => workspace.querySelector("colloquy-transcript"), "the conversation");
    const textarea = await field(workspace);
    textarea.focus();
    const press = () =>
      (document.activeElement as HTMLElement).dispatchEvent(
        new KeyboardEvent("keydown", { key: "F6", bubbles: true, composed: true, cancelable: true }),
      );
    press();
    expect(document.activeElement).to.equal(transcript);
    press();
    expect(workspace.querySelector("colloquy-composer")?.shadowRoot?.activeElement).to.equal(textarea);
  });

  it("does not draw the history anew for every word that arrives", async () => {
    service.script = { kind: "answer", chunk: 4 };
    const workspace = await open();
    await live(workspace);
    const list = workspace.querySelector("colloquy-history");
    let updates = 0;
    const original = list?.requestUpdate.bind(list);
    if (list && original)
      list.requestUpdate = (...given) => {
        updates += 1;
        original(...given);
      };
    await ask(workspace, question);
    await answered(workspace);
    expect(updates).to.be.lessThan(60);
    expect(answerText.length / 4).to.be.greaterThan(150);
  });

  it("closes the tab of a conversation that is deleted here, and says so in one that is deleted elsewhere", async () => {
    const newest = seedHistory(service);
    const workspace = await open(`/ai?conversation=${newest}`);
    const tabs = () => [...workspace.querySelectorAll("[role=tab]")].map((tab) => tab.getAttribute("href"));
    await until(() => workspace.querySelector("colloquy-answer p"), "the conversation");
    workspace.querySelector<HTMLButtonElement>("colloquy-tab-strip .menu")?.click();
    const item = () => [...workspace.querySelectorAll<HTMLButtonElement>("[role=menuitem]")].find((one) => one.textContent === "Delete…");
    (await until(item, "the menu")).click();
    (await until(() => document.querySelector<HTMLButtonElement>("dialog[open] [value=delete]"), "the question")).click();
    await until(() => !tabs().some((href) => href?.includes(newest)), "the tab to close");
    expect(address()).to.equal("/ai");
    const next = deep<HTMLAnchorElement>(workspace, "colloquy-history", "a");
    next.click();
    await until(() => workspace.querySelector(".panel:not([inert]) colloquy-answer p"), "the next one");
    const id = new URL(location.href).searchParams.get("conversation") ?? "";
    service.receive({
      ...{ domain: "conversation", entityId: id, type: "deleted", data: {}, changeId: uuidv7(), at: new Date().toISOString() },
      deviceId: "another",
    } as Parameters<typeof service.receive>[0]);
    await until(() => workspace.querySelector(".panel:not([inert]) .absent"), "the words");
    expect(tabs().some((href) => href?.includes(id))).to.equal(true);
  });

  it("closes the tabs of what is gone when everything is deleted on another device", async () => {
    const newest = seedHistory(service);
    const workspace = await open(`/ai?conversation=${newest}`);
    const tabs = () => [...workspace.querySelectorAll("[role=tab]")].map((tab) => tab.getAttribute("href"));
    await until(() => workspace.querySelector("colloquy-answer p"), "the conversation");
    await live(workspace);
    const gone = (domain: string, entityId: string, type: string) =>
      service.receive({
        ...{ domain, entityId, type, data: {}, changeId: uuidv7(), at: new Date().toISOString() },
        deviceId: "service",
      } as Parameters<typeof service.receive>[0]);
    gone("conversation", newest, "deleted");
    await until(() => workspace.querySelector(".panel:not([inert]) .absent"), "the words");
    gone("preferences", "workspace", "erased");
    await until(() => !tabs().some((href) => href?.includes(newest)), "the tab to close");
    expect(address()).to.equal("/ai");
    expect(workspace.querySelector(".absent")).to.equal(null);
  });

  it("draws no conversation anew while panes are resized", async () => {
    const newest = seedHistory(service);
    const workspace = await open(`/ai?conversation=${newest}`);
    await until(() => workspace.querySelector("colloquy-answer p"), "the conversation");
    workspace.querySelector<HTMLButtonElement>("colloquy-tab-strip .split")?.click();
    const separator = await until(() => workspace.querySelector("colloquy-separator"), "the separator");
    await until(() => workspace.querySelectorAll("colloquy-conversation").length === 2, "the second conversation");
    await until(() => separator.ariaValueNow, "the separator's code");
    let updates = 0;
    for (const conversation of workspace.querySelectorAll("colloquy-conversation")) {
      const original = conversation.requestUpdate.bind(conversation);
      conversation.requestUpdate = (...given) => {
        updates += 1;
        original(...given);
      };
    }
    // What comes late to a conversation has come when nothing is drawn any more.
    for (let seen = -1; seen !== updates; await new Promise((resolve) => setTimeout(resolve, 500))) seen = updates;
    updates = 0;
    for (let count = 0; count < 5; count += 1) {
      separator.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft", bubbles: true, cancelable: true }));
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    await until(() => separator.ariaValueNow === "40", "the first pane is narrower");
    expect(updates).to.equal(0);
  });

  it("says what to set when no model is configured", async () => {
    service.models = [];
    const workspace = await open();
    await until(() => workspace.querySelector("colloquy-composer")?.shadowRoot?.querySelector(".note"), "the note");
    await expectAccessible(workspace);
    service.models = models;
  });

  describe("for somebody who is not signed in", () => {
    beforeEach(() => {
      service.account = null;
    });

    it("invites to sign in and to come back here, with the carried page", async () => {
      const workspace = await open(`/ai?page=${encodeURIComponent(pipesPage.href)}`);
      const way = await until(() => workspace.querySelector<HTMLAnchorElement>(".ways .button-primary"), "the invitation");
      const target = new URL(way.href);
      expect(target.pathname).to.equal("/auth/demo");
      expect(target.searchParams.get("as")).to.equal("learner");
      expect(target.searchParams.get("return")).to.equal(`/ai?page=${encodeURIComponent(pipesPage.href)}`);
      expect(workspace.querySelector("h2")?.textContent).to.contain("Pipes and Filters");
      await expectAccessible(workspace);
    });

    it("offers no demo account where there are none", async () => {
      const workspace = await open("/ai", false);
      const way = await until(() => workspace.querySelector<HTMLAnchorElement>(".ways .button-primary"), "the invitation");
      expect(new URL(way.href).pathname).to.equal("/auth/login");
      expect(workspace.querySelector("[href*='/auth/demo']")).to.equal(null);
    });

    it("keeps what was written, and gives it back after signing in", async () => {
      const workspace = await open();
      await until(() => workspace.querySelector(".invite"), "the invitation");
      await write(workspace, "What I wanted to know");
      unmountAll();
      service.account = { accountId: `acc_${uuidv7()}`, name: "Mira", roles: ["learner"] };
      const later = await open();
      await until(() => later.querySelector("colloquy-composer")?.text === "What I wanted to know", "the draft");
    });

    it("has the composer ready, and Enter leads to signing in with what was written", async () => {
      const workspace = await open(`/ai?page=${encodeURIComponent(pipesPage.href)}`);
      const went: string[] = [];
      workspace.goTo = (href) => went.push(href);
      await until(() => workspace.querySelector("colloquy-composer")?.matches(":focus"), "the focus");
      await ask(workspace, "What I wanted to know");
      await until(() => went.length, "the way to sign in");
      expect(went).to.deep.equal([`/sign-in?return=${encodeURIComponent(`/ai?page=${encodeURIComponent(pipesPage.href)}`)}`]);
      expect(workspace.querySelector("colloquy-composer")?.text).to.equal("What I wanted to know");
      unmountAll();
      const back = await open();
      await until(() => back.querySelector("colloquy-composer")?.text === "What I wanted to know", "the text after a reload");
    });
  });

  it("has its tabs again after a reload as they were, with what was written in one that is not worked in", async () => {
    const workspace = await open();
    await live(workspace);
    await write(workspace, "Half a question");
    const { arrangement } = workspace as unknown as { arrangement: Arrangement };
    arrangement.showBeside({ kind: "page", href: pipesPage.href, title: "Pipes" }, arrangement.layout.focused);
    const page = arrangement.current.id;
    arrangement.show(conversationTarget(record(service, "Before?", "Yes.", new Date().toISOString())));
    arrangement.activate(page);
    const stood = tabsOf(arrangement.layout);
    expect(stood).to.have.length(3);
    dispatchEvent(new PageTransitionEvent("pagehide"));
    await new Promise((resolve) => setTimeout(resolve, 100));
    unmountAll();
    const later = await mount<Workspace>(html`<colloquy-workspace .api=${createApi(service.fetch)} demo></colloquy-workspace>`);
    const again = await until(() => (later as unknown as { arrangement: Arrangement | null }).arrangement, "the panes");
    expect(tabsOf(again.layout)).to.deep.equal(stood);
    expect(again.current.id).to.equal(page);
    again.show(newConversation);
    await until(() => [...later.querySelectorAll("colloquy-composer")].some(({ text }) => text === "Half a question"), "the draft");
  });

  it("has one tab for a ledger, whether it was asked for by its session or by its conversation", async () => {
    const workspace = await open();
    await live(workspace);
    const { arrangement } = workspace as unknown as { arrangement: Arrangement };
    arrangement.show(ledgerTarget("session-1"));
    const first = arrangement.current.id;
    arrangement.show(ledgerTarget("conversation-1"));
    const second = arrangement.current.id;
    expect(second).to.not.equal(first);
    arrangement.arrived(second, ledgerTarget("session-1"));
    expect(tabsOf(arrangement.layout).filter(({ target }) => target.kind === "ledger")).to.have.length(1);
    expect(arrangement.current.id).to.equal(first);
  });

  it("goes on showing an answer whose browser has no room to keep it, and says so", async () => {
    const { put, add } = IDBObjectStore.prototype;
    const workspace = await open();
    await live(workspace);
    IDBObjectStore.prototype.put = IDBObjectStore.prototype.add = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
    try {
      await ask(workspace, question);
      await answered(workspace);
      await until(() => service.pushed.length === 2, "the turn at the service");
      await until(() => workspace.querySelector(".where")?.textContent?.includes("keeps nothing"), "says so");
      expect(workspace.querySelector(".absent")).to.equal(null);
      expect(workspace.querySelector("colloquy-answer")?.textContent).to.contain(answerText.slice(0, 12));
    } finally {
      Object.assign(IDBObjectStore.prototype, { put, add });
    }
  });

  it("asks before signing out loses what is not saved, and takes the database away", async () => {
    service.pushFails = true;
    const workspace = await open();
    await ask(workspace, question);
    await until(() => workspace.querySelector("colloquy-tab-strip small")?.textContent === "In this browser only", "the unsaved turn");
    workspace.querySelector<HTMLButtonElement>(".account")?.click();
    const item = () => [...workspace.querySelectorAll<HTMLButtonElement>("[role=menuitem]")].find((one) => one.textContent === "Sign out");
    (await until(item, "the menu")).click();
    const dialog = await until(() => workspace.querySelector<HTMLDialogElement>("dialog.ask[open]"), "the question");
    expect(dialog.textContent).to.contain("2 changes that are not saved yet");
    await expectAccessible(dialog);
  });

  it("asks before signing out throws away what is written and not sent; who stays has it still", async () => {
    const workspace = await open();
    await live(workspace);
    await write(workspace, "Half a question");
    workspace.querySelector<HTMLButtonElement>(".account")?.click();
    const item = () => [...workspace.querySelectorAll<HTMLButtonElement>("[role=menuitem]")].find((one) => one.textContent === "Sign out");
    (await until(item, "the menu")).click();
    const dialog = await until(() => workspace.querySelector<HTMLDialogElement>("dialog.ask[open]"), "the question");
    expect(dialog.textContent).to.contain("1 question you wrote and have not sent");
    await expectAccessible(dialog);
    dialog.querySelector<HTMLButtonElement>("button[value='']")?.click();
    await until(() => !dialog.isConnected, "the question to go");
    expect((await field(workspace)).value).to.equal("Half a question");
  });

  it("has what could not be taken over of an earlier version in the settings, to be saved", async () => {
    const { accountId } = service.account ?? { accountId: "" };
    const store = await openAccountStore(accountId);
    await store.meta.put({ key: "set-aside", value: JSON.stringify([{ entry: "old", reason: "It could not be read." }]) });
    store.close();
    const workspace = await open();
    await live(workspace);
    workspace.querySelector<HTMLButtonElement>(".account")?.click();
    const item = () => [...workspace.querySelectorAll<HTMLButtonElement>("[role=menuitem]")].find((one) => one.textContent === "Settings");
    (await until(item, "the menu")).click();
    const line = await until(() => workspace.querySelector("colloquy-settings .aside"), "the line");
    expect(line.textContent).to.contain("1 conversation of an earlier version could not be read");
    await expectAccessible(workspace.querySelector("colloquy-settings dialog") as Element);
    const { click } = HTMLAnchorElement.prototype;
    let saved = "";
    HTMLAnchorElement.prototype.click = function (this: HTMLAnchorElement) {
      saved = this.download;
    };
    line.querySelector("button")?.click();
    HTMLAnchorElement.prototype.click = click;
    expect(saved).to.equal("colloquy-set-aside.json");
  });

  it("has the history in a sheet on a phone", async () => {
    await setViewport({ width: 390, height: 800 });
    const newest = seedHistory(service);
    const workspace = await open(`/ai?conversation=${newest}`);
    await until(() => workspace.querySelector("colloquy-answer p"), "the conversation");
    expect(document.documentElement.scrollWidth).to.equal(390);
    workspace.querySelector<HTMLButtonElement>("[aria-label=Conversations]")?.click();
    const sheet = await until(() => workspace.querySelector<HTMLDialogElement>("dialog.sheet[open]"), "the sheet");
    await expectAccessible(sheet);
    sheet.querySelector("colloquy-history")?.shadowRoot?.querySelectorAll("a")[2]?.click();
    await until(() => !sheet.open, "the sheet to close");
    await expectAccessible(workspace);
  });
});

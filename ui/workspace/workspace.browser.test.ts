import { setViewport } from "@web/test-runner-commands";
import { expect } from "chai";
import { GoalEvent, HideModelEvent } from "../composer/events.ts";
import { holdLock, openPagePaths, pageLock } from "../store/locks.ts";
import { NearPages } from "./near-pages.ts";
import { deep, expectAccessible, unmountAll, until } from "./testing/browser.ts";
import { answerText, followUps, models, pipesPage, question } from "./testing/fixtures.ts";
import { record, seedHistory } from "./testing/history-seed.ts";
import { address, answered, ask, chips, field, live, rows, wholeWorkspace, write } from "./testing/whole.ts";
import type { Workspace } from "./workspace.ts";

describe("the workspace", () => {
  const whole = wholeWorkspace();

  it("opens a working composer and stores nothing by itself", async () => {
    const workspace = await whole.open();
    await live(workspace);
    await write(workspace, "half a thought");
    expect(address()).to.equal("/ai");
    expect(rows(workspace)).to.deep.equal([]);
    expect(whole.service.pushed).to.deep.equal([]);
    await until(() => workspace.querySelector("colloquy-welcome")?.shadowRoot?.querySelector("button"), "places to begin with");
    await expectAccessible(workspace);
  });

  it("takes its address with the first turn, without rendering again", async () => {
    whole.service.script = { kind: "answer", delayMs: 2, chunk: 8 };
    const workspace = await whole.open();
    const { length } = history;
    await ask(workspace, question);
    await until(() => workspace.querySelector("colloquy-answer p"), "the first words");
    expect(address()).to.match(/^\/ai\?conversation=[0-9a-f-]{36}$/);
    expect(history.length).to.equal(length);
    expect(rows(workspace)).to.have.length(1);
    const answer = workspace.querySelector("colloquy-answer");
    await answered(workspace);
    expect(workspace.querySelector("colloquy-answer")).to.equal(answer);
    expect(whole.service.asked).to.have.length(1);
    expect(document.title).to.contain("If sort has to see");
    await expectAccessible(workspace);
  });

  it("gives the address up after a failed first turn", async () => {
    whole.service.script = { kind: "refused", code: "ai_unavailable" };
    const workspace = await whole.open();
    await ask(workspace, question);
    await until(() => workspace.querySelector(".problem"), "the words");
    expect(address()).to.equal("/ai");
    expect((await field(workspace)).value).to.equal(question);
    expect(rows(workspace)).to.deep.equal([]);
    await expectAccessible(workspace);
  });

  it("attaches a page once, as a removable chip", async () => {
    const workspace = await whole.open(`/ai?page=${encodeURIComponent(pipesPage.href)}`);
    await until(() => chips(workspace).length, "the chip");
    expect(chips(workspace)).to.deep.equal(["Pipes and Filters"]);
    expect(address()).to.equal("/ai");
    deep<HTMLButtonElement>(workspace, "colloquy-composer", ".chip button").click();
    await until(() => !chips(workspace).length, "the chip to go");
  });

  it("starts the tutor with the course of the page that led here", async () => {
    const workspace = await whole.open(`/ai?page=${encodeURIComponent(pipesPage.href)}&start=tutor`);
    await until(() => chips(workspace).length, "the chip");
    await until(() => workspace.querySelector("colloquy-tutor-start")?.courseId, "the course");
    expect(workspace.querySelector("colloquy-tutor-start")?.courseId).to.equal("shell-novice");
    expect(address()).to.equal("/ai");
  });

  it("starts with that course also for a goal that is sent while the tutor loads", async () => {
    const workspace = await whole.open(`/ai?page=${encodeURIComponent(pipesPage.href)}&start=tutor`);
    await until(() => chips(workspace).length, "the chip");
    workspace.querySelector("colloquy-composer")?.dispatchEvent(new GoalEvent("Combine commands"));
    await until(() => whole.service.requested.includes("/api/ai/tutor/start"), "the start");
  });

  it("writes a quiz command but sends nothing for a link of another site", async () => {
    const workspace = await whole.open(`/ai?page=${encodeURIComponent(pipesPage.href)}&start=quiz`);
    await until(() => chips(workspace).length, "the chip");
    const textarea = await field(workspace);
    // The test's document was opened by the test runner, not by a page of the site.
    await until(() => textarea.value === "/quiz ", "the command");
    expect(whole.service.asked).to.deep.equal([]);
  });

  it("makes a quiz at once for a link on a page of the workspace", async () => {
    const workspace = await whole.open();
    await live(workspace);
    const link = Object.assign(document.createElement("a"), { href: `/ai?page=${encodeURIComponent(pipesPage.href)}&start=quiz` });
    workspace.querySelector("section.pane .panel")?.append(link);
    link.click();
    await until(() => whole.service.asked.length, "the question");
    expect(whole.service.asked[0]).to.deep.include({ message: "/quiz" });
    expect(whole.service.asked[0]?.references.map(({ href }) => href)).to.deep.equal([pipesPage.href]);
  });

  it("says that the page that led here was not found", async () => {
    const workspace = await whole.open(`/ai?page=${encodeURIComponent("/courses/nothing")}`);
    const notice = await until(() => workspace.querySelector(".notice"), "the notice");
    expect(notice.textContent).to.contain("The page you came from was not found");
    await expectAccessible(workspace);
    notice.querySelector("button")?.click();
    await until(() => !workspace.querySelector(".notice"), "the notice to go");
  });

  it("suggests the referring page and pages open in other tabs", async () => {
    const release = holdLock(pageLock("/courses/shell-novice/loops"));
    const workspace = await whole.open(`/ai?page=${encodeURIComponent(pipesPage.href)}`);
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

  it("suggests no page that is attached under an address and an id from before it moved", async () => {
    const attached = {
      href: "/courses/shell-novice/old-pipes",
      sourceId: "topic-old-pipes",
      revisionId: pipesPage.revisionId,
      kind: "page",
      title: pipesPage.title,
    } as const;
    const near = new NearPages(
      { source: async (path) => (path === attached.href || path === pipesPage.href ? pipesPage : null) },
      () => undefined,
    );
    near.setOpenPages([pipesPage.href], []);
    await until(() => near.pages.length > 0, "the open page");
    near.setOpenPages([pipesPage.href], [attached.href]);
    await until(() => near.pages.length === 0, "the attached page to go");
  });

  it("suggests no page that moved while it was attached and open", async () => {
    const before = { ...pipesPage, href: "/courses/shell-novice/old-pipes", sourceId: "topic-old-pipes", revisionId: "0".repeat(64) };
    let hasMoved = false;
    const near = new NearPages({ source: async () => (hasMoved ? pipesPage : before) }, () => undefined);
    near.addReferrer(before.href);
    near.setOpenPages([], [before.href]);
    await until(() => near.pages[0]?.href === before.href, "the attached page");
    hasMoved = true;
    near.setOpenPages([pipesPage.href], [before.href]);
    await until(() => near.pages.length === 0, "the moved page to go");
  });

  it("attaches no unknown or foreign page", async () => {
    for (const page of ["/courses/nothing", "https://elsewhere.test/x", "//elsewhere.test"]) {
      const workspace = await whole.open(`/ai?page=${encodeURIComponent(page)}`);
      await live(workspace);
      expect(chips(workspace)).to.deep.equal([]);
      unmountAll();
    }
  });

  it("shows trace and follow-ups after a reload", async () => {
    const told = (workspace: Workspace) => ({
      trace: deep(workspace, "colloquy-trace", "summary").textContent?.replace(/\s+/g, " "),
      next: [...workspace.querySelectorAll("colloquy-exchange .next button")].map((button) => button.textContent),
    });
    const workspace = await whole.open();
    await ask(workspace, question);
    await answered(workspace);
    await until(() => whole.service.pushed.length === 2, "the record");
    await until(() => told(workspace).next.length, "what could be asked next");
    const before = told(workspace);
    expect(before.next).to.deep.equal(followUps);
    const here = address();
    unmountAll();
    const later = await whole.open(here);
    await answered(later);
    await until(() => told(later).next.length, "what could be asked next");
    expect(told(later)).to.deep.equal(before);
    expect(before.trace).to.match(/Read 6 passages, wrote from 2 \d/);
  });

  it("suggests pages of every course, none twice", async () => {
    const workspace = await whole.open();
    const starts = () => [...(workspace.querySelector("colloquy-welcome")?.shadowRoot?.querySelectorAll("button") ?? [])];
    await until(() => starts().length, "places to begin with");
    expect(starts().map((button) => button.textContent?.split("\n")[0]?.trim())).to.deep.equal([
      "Pipes and Filters",
      "Loops",
      "Finding Things",
      "Directions that keep their line",
    ]);
  });

  it("retries loading the models", async () => {
    whole.service.unavailable.add("/api/ai/models");
    const workspace = await whole.open();
    await live(workspace);
    await until(() => whole.service.requested.filter((path) => path === "/api/ai/models").length > 1, "the second try");
    expect(workspace.querySelector("colloquy-composer")?.shadowRoot?.querySelector("colloquy-model-picker")).to.equal(null);
    whole.service.unavailable.clear();
    window.dispatchEvent(new Event("online"));
    await until(() => workspace.querySelector("colloquy-composer")?.shadowRoot?.querySelector("colloquy-model-picker"), "the picker");
  });

  it("keeps hidden models per account", async () => {
    const workspace = await whole.open();
    const listed = (at: Workspace) => [...(at.querySelector("colloquy-composer")?.hiddenModels ?? [])];
    await field(workspace);
    workspace.dispatchEvent(new HideModelEvent("p5/routed", true));
    await until(() => listed(workspace).length, "the choice");
    unmountAll();
    const later = await whole.open();
    await until(() => listed(later)[0] === "p5/routed", "the choice after a reload");
  });

  it("continues an answer while another conversation is shown", async () => {
    whole.service.script = { kind: "answer", delayMs: 3, chunk: 10 };
    const workspace = await whole.open();
    await ask(workspace, question);
    await until(() => workspace.querySelector("colloquy-answer p"), "the first words");
    const first = address();
    document.dispatchEvent(new KeyboardEvent("keydown", { key: "j", ctrlKey: true, bubbles: true, cancelable: true }));
    await until(() => address() === "/ai", "the new conversation");
    await until(() => whole.service.pushed.length === 2, "the record of the first");
    expect(address()).to.equal("/ai");
    expect(whole.service.pushed[1]?.data.answer).to.equal(answerText);
    history.back();
    await until(() => address() === first, "the first one again");
    await answered(workspace);
  });

  it("shows another browser's changes at once", async () => {
    const workspace = await whole.open();
    await live(workspace);
    record(whole.service, "Asked elsewhere?", "Yes.", new Date().toISOString());
    await until(() => rows(workspace).includes("Asked elsewhere?"), "the row");
  });

  it("reports an unknown address", async () => {
    const workspace = await whole.open("/ai?conversation=conversation-nowhere");
    await until(() => workspace.querySelector(".absent"), "the words");
    await expectAccessible(workspace);
  });

  it("announces in one region outside the transcript", async () => {
    const workspace = await whole.open();
    await ask(workspace, question);
    const region = () => document.querySelector("colloquy-announcer")?.textContent?.trim();
    await until(() => region() === "Answer complete", "the announcement");
    expect(document.querySelectorAll("[aria-live=polite]")).to.have.length(2);
  });

  it("says where unsaved text is while offline", async () => {
    whole.service.pushFails = true;
    const workspace = await whole.open();
    await ask(workspace, question);
    await until(() => workspace.querySelector("colloquy-tab-strip small")?.textContent === "Only in this browser", "where it is");
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

  it("reports a rejected change and shows the server's state", async () => {
    const newest = seedHistory(whole.service);
    const workspace = await whole.open(`/ai?conversation=${newest}`);
    await until(() => chips(workspace).length === 1, "the conversation");
    whole.service.refuses = "too_many";
    deep<HTMLButtonElement>(workspace, "colloquy-composer", ".chip button").click();
    await until(
      () => workspace.querySelector(".notice")?.textContent?.includes("This conversation reached its maximum length"),
      "the reason",
    );
    await until(() => chips(workspace).length === 1, "the chip to come back");
    workspace.querySelector<HTMLButtonElement>(".notice button")?.click();
    await until(() => !workspace.querySelector(".notice"), "the notice to go");
  });

  it("reports nothing if the service recorded the turn itself", async () => {
    const { service } = whole;
    const conversationId = record(service, "Earlier?", "Yes.", new Date().toISOString());
    service.script = { kind: "hanging-after", characters: 60 };
    const workspace = await whole.open(`/ai?conversation=${conversationId}`);
    await until(() => workspace.querySelectorAll("colloquy-answer").length === 1, "the conversation");
    await ask(workspace, question);
    await until(() => workspace.querySelectorAll("colloquy-answer p").length > 1, "the first words");
    // It was stopped meanwhile, and had more of the answer than came here.
    service.refuses = "request_id_reused";
    const turn = { turnId: service.asked[0]?.keep?.turnId, question, answer: "More of it.", citations: [], outcome: "stopped" };
    service.receive({
      changeId: "by-the-service",
      deviceId: null,
      domain: "conversation",
      entityId: conversationId,
      at: new Date().toISOString(),
      type: "turn_recorded",
      data: { ...turn, provider: "p1", model: "reader-large", fallbackDepth: 0 },
    });
    deep<HTMLButtonElement>(workspace, "colloquy-composer", "button.stop").click();
    const last = (path: string) => service.requested.lastIndexOf(path);
    await until(() => last("/api/sync/push") > 0 && last(`/api/conversations/${conversationId}`) > last("/api/sync/push"), "the refusal");
    await until(() => [...workspace.querySelectorAll("colloquy-answer")].at(-1)?.textContent?.includes("More of it."), "what is kept");
    await workspace.updateComplete;
    expect(workspace.querySelector(".notice")).to.equal(null);
  });

  it("moves between composer and transcript by F6", async () => {
    const newest = seedHistory(whole.service);
    const workspace = await whole.open(`/ai?conversation=${newest}`);
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

  it("does not render the history for every word", async () => {
    whole.service.script = { kind: "answer", chunk: 4 };
    const workspace = await whole.open();
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

  it("says what to configure without a model", async () => {
    whole.service.models = [];
    const workspace = await whole.open();
    await until(() => workspace.querySelector("colloquy-composer")?.shadowRoot?.querySelector(".note"), "the note");
    await expectAccessible(workspace);
    whole.service.models = models;
  });

  it("shows an answer without storage, and says so", async () => {
    const { put, add } = IDBObjectStore.prototype;
    const workspace = await whole.open();
    await live(workspace);
    IDBObjectStore.prototype.put = IDBObjectStore.prototype.add = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
    try {
      await ask(workspace, question);
      await answered(workspace);
      await until(() => whole.service.pushed.length === 2, "the turn at the service");
      await until(() => workspace.querySelector(".notice")?.textContent?.includes("does not store data"), "says so");
      expect(workspace.querySelector(".absent")).to.equal(null);
      expect(workspace.querySelector("colloquy-answer")?.textContent).to.contain(answerText.slice(0, 12));
      whole.service.account = null;
      whole.service.cutStreams();
      await until(() => workspace.querySelector(".notice")?.textContent?.includes("is lost when you leave"), "promises nothing");
    } finally {
      Object.assign(IDBObjectStore.prototype, { put, add });
    }
  });

  it("folds the sidebar also before its state was read", async () => {
    const workspace = await whole.open();
    const hide = () => workspace.querySelector<HTMLButtonElement>('[aria-label="Hide conversations"]');
    await new Promise<void>((resolve) => {
      const observer = new MutationObserver(() => {
        if (!hide()) return;
        observer.disconnect();
        hide()?.click();
        resolve();
      });
      observer.observe(workspace, { childList: true, subtree: true });
    });
    await until(() => workspace.classList.contains("folded"), "folded");
  });

  it("has the history in a sheet on a phone", async () => {
    await setViewport({ width: 390, height: 800 });
    const newest = seedHistory(whole.service);
    const workspace = await whole.open(`/ai?conversation=${newest}`);
    await until(() => workspace.querySelector("colloquy-answer p"), "the conversation");
    expect(document.documentElement.scrollWidth).to.equal(390);
    workspace.querySelector<HTMLButtonElement>("[aria-label=Conversations]")?.click();
    const sheet = await until(() => workspace.querySelector<HTMLDialogElement>("dialog.sheet[open]"), "the sheet");
    await expectAccessible(sheet);
    (await until(() => sheet.querySelector("colloquy-history")?.shadowRoot?.querySelectorAll("a")[2], "its rows")).click();
    await until(() => !sheet.open, "the sheet to close");
    await expectAccessible(workspace);
  });
});

import type { ConversationSummary } from "@colloquy/schemas/conversations/requests.ts";
import { expect } from "chai";
import { html } from "lit";
import { createApi } from "../api/client.ts";
import { uuidv7 } from "../api/uuid.ts";
import { type AccountStore, openAccountStore } from "../store/account-store.ts";
import { HistorySearch } from "../store/history-search.ts";
import { Library } from "../store/library.ts";
import "./history.ts";
import type { History } from "./history.ts";
import { groupHistory } from "./history-groups.ts";
import { expectAccessible, loadTheme, mount, unmountAll, until } from "./testing/browser.ts";
import { record } from "./testing/history-seed.ts";
import { PlayedService } from "./testing/service.ts";

const row = (conversationId: string, updatedAt: Date, more: Partial<ConversationSummary> = {}): ConversationSummary => ({
  conversationId,
  title: `Title of ${conversationId}`,
  mode: "ask",
  state: "active",
  pinned: false,
  updatedAt: updatedAt.toISOString(),
  turns: 1,
  ...more,
});
const now = new Date(2026, 10, 20, 0, 30);
const daysAgo = (days: number, hour = 23) => new Date(2026, 10, 20 - days, hour);

describe("the history's groups", () => {
  it("are by local days, pinned first", () => {
    const groups = groupHistory(
      [
        row("now", now),
        row("late-yesterday", daysAgo(1)),
        row("early-yesterday", daysAgo(1, 0)),
        row("week", daysAgo(7)),
        row("older", daysAgo(8)),
        row("pinned", daysAgo(300), { pinned: true }),
      ],
      now,
    );
    expect(groups.map(({ name, rows }) => [name, rows.map((one) => one.conversationId)])).to.deep.equal([
      ["workspace.pinned", ["pinned"]],
      ["workspace.today", ["now"]],
      ["workspace.yesterday", ["late-yesterday", "early-yesterday"]],
      ["workspace.lastWeek", ["week"]],
      ["workspace.older", ["older"]],
    ]);
  });

  it("omit empty ones and treat the future as today", () => {
    expect(groupHistory([row("future", new Date(now.getTime() + 3_600_000 * 30))], now).map((group) => group.name)).to.deep.equal([
      "workspace.today",
    ]);
  });
});

describe("the history", () => {
  before(loadTheme);
  afterEach(unmountAll);
  const show = (rows: ConversationSummary[], more: Partial<History> = {}) =>
    mount<History>(
      html`<colloquy-history .conversations=${rows} .now=${now} .current=${"now"} .loading=${more.loading ?? false} .running=${more.running ?? new Set()}></colloquy-history>`,
    );
  const links = (history: History) => [...(history.shadowRoot?.querySelectorAll("a") ?? [])];

  it("is accessible, full and empty", async () => {
    await expectAccessible(await show([row("now", now), row("pinned", now, { pinned: true })], { running: new Set(["now"]) }));
    await expectAccessible(await show([]));
  });

  it("links its rows and marks the current one", async () => {
    const history = await show([row("now", now), row("other-one", now)]);
    expect(links(history).map((link) => [link.getAttribute("href"), link.getAttribute("aria-current")])).to.deep.equal([
      ["/ai?conversation=now", "page"],
      ["/ai?conversation=other-one", null],
    ]);
  });

  it("opens a row on a plain click only", async () => {
    const history = await show([row("now", now)]);
    const opened: string[] = [];
    history.addEventListener("colloquy-open-conversation", (event) =>
      opened.push(event.opened.kind === "conversation" ? (event.opened.conversationId ?? "") : ""),
    );
    const click = (more: MouseEventInit) => {
      const event = new MouseEvent("click", { bubbles: true, composed: true, cancelable: true, ...more });
      let prevented = false;
      addEventListener(
        "click",
        (seen) => {
          prevented = seen.defaultPrevented;
          seen.preventDefault();
        },
        { once: true },
      );
      links(history)[0]?.dispatchEvent(event);
      return prevented;
    };
    expect(click({ ctrlKey: true })).to.equal(false);
    expect(click({ button: 1 })).to.equal(false);
    expect(opened).to.deep.equal([]);
    expect(click({})).to.equal(true);
    expect(opened).to.deep.equal(["now"]);
  });

  it("says that it is loading, or what it is for", async () => {
    expect((await show([], { loading: true })).shadowRoot?.textContent).to.contain("Loading");
    expect((await show([])).shadowRoot?.textContent).to.contain("appear here");
  });

  it("never renders a title as markup", async () => {
    const history = await show([row("now", now, { title: "<b>bold</b>" })]);
    expect(links(history)[0]?.textContent?.trim()).to.equal("<b>bold</b>");
  });
});

describe("the history of an account", () => {
  let store: AccountStore;
  let service: PlayedService;
  let library: Library;
  let history: History;
  before(loadTheme);
  beforeEach(async () => {
    store = await openAccountStore(`acc_${uuidv7()}`);
    service = new PlayedService();
    const day = (number: number) => `2026-11-${String(number).padStart(2, "0")}T10:00:00.000Z`;
    record(service, "How do pipes work?", "A pipe joins programs; **sort** waits for all of its lines.", day(18));
    record(service, "What does sort do?", "It orders lines.", day(19));
    record(service, "Étude in loops", "A loop repeats.", day(17));
    const api = createApi(service.fetch);
    library = await Library.open(api, store);
    await library.start();
    await until(() => library.loaded, "the history");
    const search = new HistorySearch(library, store, api);
    history = await mount<History>(html`<colloquy-history style="block-size: 500px" .library=${library} .search=${search}
      .conversations=${library.summaries} .now=${now}></colloquy-history>`);
    library.events.on("summaries", () => {
      history.conversations = library.summaries;
    });
  });
  afterEach(async () => {
    unmountAll();
    for (const left of document.querySelectorAll("dialog.ask, .undo")) left.remove();
    library.stop();
    await store.remove();
  });
  const root = () => history.shadowRoot as ShadowRoot;
  const titles = () => [...root().querySelectorAll("a b")].map((title) => title.textContent);
  const field = () => root().querySelector(".find input") as HTMLInputElement;
  const write = (text: string) => {
    field().value = text;
    field().dispatchEvent(new Event("input"));
  };
  const press = (key: string, on: Element | null = root().activeElement) =>
    on?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, composed: true, cancelable: true }));
  const first = () => root().querySelector("a") as HTMLAnchorElement;
  const choose = async (words: string) => {
    first().parentElement?.querySelector<HTMLElement>(".more")?.click();
    const item = () => [...root().querySelectorAll("colloquy-menu button")].find((button) => button.textContent === words);
    ((await until(item, words)) as HTMLElement).click();
  };

  it("finds titles before texts, marks matches, and works offline", async () => {
    service.unreachable = true;
    write("sor");
    await until(() => titles().length === 2, "what was found");
    expect(titles()).to.deep.equal(["What does sort do?", "How do pipes work?"]);
    await until(() => root().querySelector("small mark"), "the mark in the text");
    const beneath = () => [...root().querySelectorAll("small")].map((small) => small.textContent);
    await until(() => beneath().every((text) => text?.trim()), "words beneath every title");
    expect(beneath().join(" ")).not.to.match(/[*`#]|\[\^/);
    history.style.inlineSize = "9rem";
    const right = (element: Element | null) => element?.getBoundingClientRect().right ?? Number.NaN;
    for (const beneath of root().querySelectorAll("small")) expect(right(beneath)).to.be.below(right(beneath.closest("a")));
    expect(new Set([...root().querySelectorAll("mark")].map((mark) => mark.textContent))).to.deep.equal(new Set(["sor"]));
    await expectAccessible(history);
    write("etude loop");
    await until(() => titles().length === 1, "both words");
    expect(titles()).to.deep.equal(["Étude in loops"]);
    write("nowhere");
    await until(() => root().textContent?.includes("No results"), "the word that nothing is");
    press("Escape", field());
    await until(() => titles().length === 3, "the history again");
  });

  it("moves by arrow keys and renames by F2, for all devices", async () => {
    first().focus();
    press("ArrowDown");
    await until(() => root().activeElement?.textContent?.includes("pipes"), "the second row");
    press("F2");
    const input = (await until(() => root().querySelector("li input"), "the field")) as HTMLInputElement;
    input.value = "Pipes, joined";
    press("Enter", input);
    await until(() => titles().includes("Pipes, joined"), "the new title");
    await until(() => service.pushed.some(({ type, data }) => type === "renamed" && data.title === "Pipes, joined"), "the change");
    await until(() => root().activeElement?.textContent?.includes("Pipes, joined"), "the focus on its row");
  });

  it("keeps a typed title when another device renames or moves the row", async () => {
    const { conversationId } = history.conversations.find(({ title }) => first().textContent?.includes(title)) ?? expect.fail("no row");
    const own = () => service.pushed.filter(({ type }) => type === "renamed").map(({ data }) => data.title);
    const elsewhere = async (change: { type: "renamed"; data: { title: string } } | { type: "pinned"; data: Record<string, never> }) => {
      await library.commit([{ conversationId, ...change }]);
      await history.updateComplete;
    };
    first().focus();
    press("F2");
    const before = (await until(() => root().querySelector("li input"), "the field")) as HTMLInputElement;
    before.value = "Half typed";
    before.setSelectionRange(4, 4);
    await elsewhere({ type: "renamed", data: { title: "Named elsewhere" } });
    await until(() => history.conversations.some(({ title }) => title === "Named elsewhere"), "the other title");
    expect([before.isConnected, before.value]).to.deep.equal([true, "Half typed"]);
    await elsewhere({ type: "pinned", data: {} });
    await until(() => root().querySelector("h2")?.textContent === "Pinned", "the group");
    const after = (await until(() => root().querySelector("li input:focus"), "the field, in its new place")) as HTMLInputElement;
    expect([after.value, after.selectionStart]).to.deep.equal(["Half typed", 4]);
    expect(own().filter((title) => title !== "Named elsewhere")).to.deep.equal([]);
    press("Escape", after);
    await until(() => titles().includes("Named elsewhere"), "the title given elsewhere");
    await library.outbox.send();
    expect(own()).to.deep.equal(["Named elsewhere"]);
  });

  it("archives with Undo, pins, and lists archived ones", async () => {
    await choose("Archive");
    await until(() => titles().length === 2, "the row to go");
    const undo = (await until(() => document.querySelector(".undo button"), "the way back")) as HTMLElement;
    undo.click();
    await until(() => titles().length === 3, "the row again");
    expect(document.querySelector(".undo")).to.equal(null);
    await choose("Archive");
    await until(() => root().querySelector(".switch"), "the way to what is archived");
    (root().querySelector(".switch") as HTMLElement).click();
    await until(() => titles().join() === "What does sort do?", "what is archived");
    await choose("Restore");
    await until(() => titles().length === 3, "everything");
    await choose("Pin");
    await until(() => root().querySelector("h2")?.textContent === "Pinned", "the group");
  });

  it("says where everything is once all is archived", async () => {
    await library.commit(library.summaries.map(({ conversationId }) => ({ conversationId, type: "archived", data: {} })));
    await until(() => titles().length === 0, "the rows to go");
    expect(root().querySelector(".list")?.textContent).to.contain("All your conversations are archived.");
    expect(root().querySelector(".switch")?.textContent).to.contain("Archived (3)");
  });

  it("deletes only after confirmation", async () => {
    first().focus();
    press("Delete");
    const dialog = () => document.querySelector("dialog.ask") as HTMLDialogElement;
    await until(dialog, "the question");
    expect(dialog().textContent).to.contain("What does sort do?").and.contain("1 question with its answer");
    (dialog().querySelector("button[value='']") as HTMLElement).click();
    await until(() => !document.querySelector("dialog.ask"), "the question to go");
    expect(titles()).to.have.length(3);
    press("Delete", first());
    await until(dialog, "the question again");
    (dialog().querySelector("button[value='delete']") as HTMLElement).click();
    await until(() => titles().length === 2, "the row to go");
    await until(() => service.pushed.some(({ type }) => type === "deleted"), "the change");
  });

  it("renders only visible rows of ten thousand, and scrolls to the end", async () => {
    history.conversations = Array.from({ length: 10_000 }, (_, index) =>
      row(`conversation-${index}`, new Date(now.getTime() - index * 60_000)),
    );
    await history.updateComplete;
    expect(root().querySelectorAll("a").length).to.be.lessThan(80);
    first().focus();
    press("End");
    await until(() => root().activeElement?.textContent?.includes("conversation-9999"), "the last row");
    expect(root().activeElement?.parentElement?.getAttribute("aria-posinset")).to.equal("10000");
    expect(root().querySelectorAll("a").length).to.be.lessThan(80);
  });
});

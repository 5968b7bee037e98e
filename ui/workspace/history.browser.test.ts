import type { ConversationSummary } from "@colloquy/schemas/conversations.ts";
import { expect } from "chai";
import { html } from "lit";
import "./history.ts";
import type { History } from "./history.ts";
import { groupHistory } from "./history-groups.ts";
import { expectAccessible, loadTheme, mount, unmountAll } from "./testing/browser.ts";

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
  it("go by the reader's own days, what is pinned first", () => {
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
      ["Pinned", ["pinned"]],
      ["Today", ["now"]],
      ["Yesterday", ["late-yesterday", "early-yesterday"]],
      ["Last week", ["week"]],
      ["Older", ["older"]],
    ]);
  });

  it("leave out what is empty, and take a clock that runs ahead for today", () => {
    expect(groupHistory([row("future", new Date(now.getTime() + 3_600_000 * 30))], now).map((group) => group.name)).to.deep.equal([
      "Today",
    ]);
  });
});

describe("the history", () => {
  before(loadTheme);
  afterEach(unmountAll);
  const show = (rows: ConversationSummary[], more: Partial<History> = {}) =>
    mount<History>(html`<colloquy-history .conversations=${rows} .now=${now} .current=${"now"} .loading=${more.loading ?? false}
      .hasOlder=${more.hasOlder ?? false} .running=${more.running ?? new Set()}></colloquy-history>`);
  const links = (history: History) => [...(history.shadowRoot?.querySelectorAll("a") ?? [])];

  it("is accessible, full and empty", async () => {
    await expectAccessible(
      await show([row("now", now), row("pinned", now, { pinned: true })], { hasOlder: true, running: new Set(["now"]) }),
    );
    await expectAccessible(await show([]));
  });

  it("has rows with addresses of their own, the current one marked", async () => {
    const history = await show([row("now", now), row("other-one", now)]);
    expect(links(history).map((link) => [link.getAttribute("href"), link.getAttribute("aria-current")])).to.deep.equal([
      ["/ai?conversation=now", "page"],
      ["/ai?conversation=other-one", null],
    ]);
  });

  it("opens a row in place for a plain click and leaves every other click to the browser", async () => {
    const history = await show([row("now", now)]);
    const opened: string[] = [];
    history.addEventListener("colloquy-open-conversation", (event) => opened.push(event.conversationId));
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

  it("says what it waits for, and what it is for", async () => {
    expect((await show([], { loading: true })).shadowRoot?.textContent).to.contain("Looking for");
    expect((await show([])).shadowRoot?.textContent).to.contain("will be listed here");
  });

  it("never shows a title as markup", async () => {
    const history = await show([row("now", now, { title: "<b>bold</b>" })]);
    expect(links(history)[0]?.textContent?.trim()).to.equal("<b>bold</b>");
  });
});

import type { AuthoredCourse } from "@colloquy/schemas/courses/authored.ts";
import { findBlock } from "@colloquy/schemas/courses/editing/edit.ts";
import { insertableTypes } from "@colloquy/schemas/courses/editing/starters.ts";
import { parseBlock } from "@colloquy/schemas/courses/parse.ts";
import { expect } from "chai";
import { html, LitElement } from "lit";
import { customElement, property } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import type { AnnounceEvent } from "../../controls/announce-event.ts";
import { expectAccessible, loadTheme, mount, unmountAll, until } from "../../workspace/testing/browser.ts";
import { EditingSession } from "../session.ts";
import { threePages } from "../testing/three-pages.ts";
import { followBlockDrags } from "./move-block.ts";
import "./block-insert.ts";
import "./block-toolbar.ts";
import type { BlockShownEvent } from "./events.ts";

/** As the editor lays out a page: a keyed list of blocks, each with its toolbar. */
@customElement("test-block-list")
class BlockList extends LitElement {
  @property({ attribute: false }) session!: EditingSession;
  protected override createRenderRoot() {
    return this;
  }
  override connectedCallback(): void {
    super.connectedCallback();
    this.session.addEventListener("change", () => this.requestUpdate());
  }
  protected override render() {
    const blocks = this.session.state.course.topics[0]?.blocks ?? [];
    return html`${repeat(
      blocks,
      ({ id }) => id,
      ({ id, source }) =>
        html`<section data-block-id=${id} style="padding-block: 20px; min-block-size: ${source.length * 8}px"><colloquy-block-toolbar .session=${this.session} .blockId=${id}></colloquy-block-toolbar><p>${source}</p></section>`,
    )}<colloquy-block-insert .session=${this.session} .topicId=${"topic-small-1"} .at=${blocks.length}></colloquy-block-insert>`;
  }
}

async function page(course: AuthoredCourse = threePages(), direction = "ltr") {
  const session = new EditingSession({ base: { sequence: 1, revisionId: "revision-1" }, baseCourse: course, course, renamedIds: [] });
  const list = await mount<BlockList>(
    html`<test-block-list dir=${direction} style="display: block; padding-block: 400px" .session=${session}></test-block-list>`,
  );
  const said: string[] = [];
  const shown: { blockId: string; topicId: string; focus: string }[] = [];
  list.addEventListener("colloquy-announce", ({ text }: AnnounceEvent) => said.push(text));
  list.addEventListener("colloquy-block-shown", ({ blockId, topicId, focus }: BlockShownEvent) => shown.push({ blockId, topicId, focus }));
  await until(() => list.querySelectorAll(".actions").length === course.topics[0]?.blocks.length, "the toolbars stand");
  const toolbar = (id: string) => list.querySelector(`[data-block-id="${id}"] colloquy-block-toolbar`) as HTMLElement;
  const order = () => (session.state.course.topics[0]?.blocks ?? []).map(({ id }) => id.split("-")[1]);
  return { session, list, said, shown, toolbar, order };
}

const key = (target: EventTarget, name: string, more: KeyboardEventInit = {}) =>
  target.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, composed: true, cancelable: true, ...more }));
const named = (element: ParentNode, name: string) =>
  [...element.querySelectorAll<HTMLElement>("button")].find(
    (one) => (one.getAttribute("aria-label") ?? one.textContent)?.trim() === name,
  ) ?? expect.fail(`no ${name}`);
const item = (name: string) =>
  until(
    () =>
      [...document.querySelectorAll<HTMLElement>("colloquy-menu:popover-open [role=menuitem]")].find(
        (one) => one.textContent?.trim() === name,
      ),
    name,
  );
/** As fast as presses can follow each other: each is a task of its own. */
const pressed = () => new Promise((resolve) => setTimeout(resolve));
const first = "block-first-0001";
const second = "block-second-001";
const third = "block-third-0001";

describe("block editing", () => {
  before(loadTheme);
  afterEach(unmountAll);

  it("has accessible toolbars with arrow keys", async () => {
    const { list, toolbar } = await page();
    await expectAccessible(list);
    expect(toolbar(second).querySelector("[role=toolbar]")?.getAttribute("aria-label")).to.equal("Text, 2 of 3");
    named(toolbar(second), "Move up").focus();
    key(document.activeElement as Element, "ArrowRight");
    expect(document.activeElement).to.equal(named(toolbar(second), "Move down"));
    expect(named(toolbar(first), "Move up").getAttribute("aria-disabled")).to.equal("true");
  });

  it("moves blocks by buttons and Alt+arrow, keeping focus and position", async () => {
    const { said, toolbar, order } = await page();
    const down = named(toolbar(first), "Move down");
    down.focus();
    down.scrollIntoView({ block: "center" });
    const top = down.getBoundingClientRect().top;
    down.click();
    await pressed();
    expect([document.activeElement, Math.round(down.getBoundingClientRect().top)]).to.deep.equal([down, Math.round(top)]);
    expect([order(), said.at(-1)]).to.deep.equal([["second", "first", "third"], "Moved to 2 of 3"]);
    key(down, "ArrowDown", { altKey: true });
    await pressed();
    expect([document.activeElement, Math.round(down.getBoundingClientRect().top)]).to.deep.equal([down, Math.round(top)]);
    expect([order(), said.at(-1)]).to.deep.equal([["second", "third", "first"], "Moved to 3 of 3"]);
    key(down, "ArrowDown", { altKey: true });
    expect([order(), said.at(-1)]).to.deep.equal([["second", "third", "first"], "Already the last of 3"]);
  });

  it("moves a block many times quickly as one undo step", async () => {
    const blocks = Array.from({ length: 30 }, (_, index) => ({
      id: `block-${index}-00000`,
      type: "core.theory" as const,
      source: "x".repeat(1 + ((index * 7) % 23)),
    }));
    const { session, toolbar, order, said } = await page(threePages(blocks));
    const down = named(toolbar("block-0-00000"), "Move down");
    down.focus();
    down.scrollIntoView({ block: "center" });
    const top = down.getBoundingClientRect().top;
    for (let press = 0; press < 20; press += 1) {
      key(document.activeElement as Element, "ArrowDown", { altKey: true });
      await pressed();
      expect(document.activeElement, `after press ${press + 1}`).to.equal(down);
    }
    expect([order().indexOf("0"), said.at(-1)]).to.deep.equal([20, "Moved to 21 of 30"]);
    expect(down.getBoundingClientRect().top).to.be.closeTo(top, 2);
    session.undo();
    expect(order().indexOf("0")).to.equal(0);
  });

  it("duplicates, deletes with undo, and converts blocks", async () => {
    const { session, said, shown, toolbar, order } = await page();
    named(toolbar(first), "Duplicate").click();
    const copy = session.state.course.topics[0]?.blocks[1];
    expect([copy?.source, copy?.id === first]).to.deep.equal(["One", false]);
    expect(shown.at(-1)).to.deep.equal({ blockId: copy?.id, topicId: "topic-small-1", focus: "block" });
    session.undo();
    named(toolbar(second), "Delete").click();
    expect([order(), said.at(-1)]).to.deep.equal([["first", "third"], "Text deleted. Undo brings it back."]);
    expect(shown.at(-1)?.blockId, "goes on with the next").to.equal(third);
    expect(session.undoLabel).to.equal("Block deleted");
    session.undo();
    expect(order()).to.deep.equal(["first", "second", "third"]);
    const convert = named(await until(() => toolbar(second), "drawn again"), "Convert");
    convert.focus();
    convert.click();
    const points = await item("Key points");
    await expectAccessible(points.closest("colloquy-menu") as Element);
    points.click();
    expect(findBlock(session.state.course, second)?.block).to.deep.equal({ id: second, type: "core.key-points", source: "- Two" });
    expect([said.at(-1), document.activeElement]).to.deep.equal(["Now: Key points", convert]);
  });

  it("refuses to convert a block with errors", async () => {
    const { session, said, toolbar } = await page(threePages([{ id: first, type: "core.callout", source: "---\nkind: none\n---\nA" }]));
    named(toolbar(first), "Convert").click();
    expect(said).to.deep.equal(["Fix the errors in this block before you convert it."]);
    expect(session.changed).to.equal(false);
  });

  it("moves a block to a page found by typing", async () => {
    const { session, said, toolbar, order } = await page();
    named(toolbar(first), "Move to…").focus();
    named(toolbar(first), "Move to…").click();
    const picker = await until(() => document.querySelector("colloquy-page-picker dialog[open]"), "asks where to");
    await expectAccessible(picker);
    const pages = () => [...picker.querySelectorAll(".pages button")].map((one) => one.textContent?.replace(/\s+/g, " ").trim());
    expect(pages()).to.deep.equal(["LoopsBasics", "Scripts"]);
    const find = picker.querySelector("input") as HTMLInputElement;
    expect(document.activeElement).to.equal(find);
    find.value = "scr";
    find.dispatchEvent(new InputEvent("input"));
    await until(() => pages().length === 1, "found");
    key(find, "ArrowDown");
    (document.activeElement as HTMLElement).click();
    await until(() => order().length === 2, "moved");
    expect(session.state.course.topics[2]?.blocks.map(({ id }) => id)).to.deep.equal(["block-scripts-01", first]);
    expect(said.at(-1)).to.equal("Moved to the end of “Scripts”. Undo brings it back.");
    await until(() => !document.querySelector("colloquy-page-picker"), "the dialog is gone");
  });

  it("inserts every type with a valid starter source", async () => {
    const { session, list, shown } = await page();
    const insert = named(list.querySelector("colloquy-block-insert") as Element, "Insert block");
    for (const [index, type] of insertableTypes.entries()) {
      insert.click();
      const items = await until(() => {
        const open = [...document.querySelectorAll<HTMLElement>("colloquy-menu:popover-open [role=menuitem]")];
        return open.length === insertableTypes.length ? open : null;
      }, "the menu");
      items[index]?.click();
      const block = session.state.course.topics[0]?.blocks.at(-1);
      expect(block?.type).to.equal(type);
      expect(block && parseBlock(block).ok, type).to.equal(true);
      expect(shown.at(-1)).to.deep.equal({ blockId: block?.id, topicId: "topic-small-1", focus: "field" });
      await (list as BlockList).updateComplete;
    }
  });

  it("shows the source of other types on request", async () => {
    const { toolbar, shown } = await page(threePages([{ id: first, type: "core.code", source: "```bash\nls\n```" }]));
    expect([...toolbar(first).querySelectorAll("button")].some(({ textContent }) => textContent?.includes("Convert"))).to.equal(false);
    named(toolbar(first), "Source").click();
    expect(shown).to.deep.equal([{ blockId: first, topicId: "topic-small-1", focus: "field" }]);
  });

  it("drags a block by its handle; Escape cancels", async () => {
    const { session, list, toolbar, order } = await page();
    const end = followBlockDrags(list, session);
    const grip = toolbar(first).querySelector<HTMLElement>(".grip") as HTMLElement;
    // A played pointer is none that can be captured.
    grip.setPointerCapture = () => undefined;
    grip.scrollIntoView({ block: "center" });
    const say = (type: string, y: number) =>
      grip.dispatchEvent(new PointerEvent(type, { pointerId: 3, button: 0, clientY: y, bubbles: true, cancelable: true }));
    const below = () => (list.querySelector(`[data-block-id="${second}"]`) as HTMLElement).getBoundingClientRect().bottom - 2;
    say("pointerdown", grip.getBoundingClientRect().top);
    say("pointermove", below());
    key(document.body, "Escape");
    say("pointerup", below());
    expect(order()).to.deep.equal(["first", "second", "third"]);
    say("pointerdown", grip.getBoundingClientRect().top);
    say("pointermove", below());
    expect(
      [...document.querySelectorAll("div")].some(({ style }) => style.position === "fixed" && style.display === "block"),
      "a line shows where",
    ).to.equal(true);
    say("pointerup", below());
    expect(order()).to.deep.equal(["second", "first", "third"]);
    end();
    say("pointerdown", grip.getBoundingClientRect().top);
    say("pointermove", 0);
    say("pointerup", 0);
    expect(order(), "it listens no more").to.deep.equal(["second", "first", "third"]);
  });
});

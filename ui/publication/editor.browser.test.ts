import { deleteBlock, editBlockSource, moveBlock } from "@colloquy/schemas/courses/editing/edit.ts";
import { resetMouse, sendKeys, sendMouse } from "@web/test-runner-commands";
import { expect } from "chai";
import { loadTheme, until } from "../workspace/testing/browser.ts";
import type { EditorBlock } from "./block.ts";
import "./editor.ts";
import { prepareRendering } from "./draft-rendering.ts";
import type { EditorElement } from "./editor.ts";
import { EditingSession } from "./session.ts";
import { longCourse, smallCourse } from "./testing/course.ts";

const base = { sequence: 1, revisionId: "revision-1" };

describe("the editor page", () => {
  let editor: EditorElement;
  let session: EditingSession;
  async function open(course = smallCourse(), pageId: string | null = "topic-one", made = new Map<string, Element>()): Promise<void> {
    session = new EditingSession({ base, baseCourse: course, course, renamedIds: [] });
    await prepareRendering(course);
    editor = document.createElement("colloquy-editor");
    Object.assign(editor, { session, pageId, reusable: made });
    document.body.append(editor);
    await editor.updateComplete;
  }
  afterEach(() => editor.remove());

  const block = (id: string) =>
    editor.querySelector<EditorBlock>(`colloquy-editor-block[data-block-id="${id}"]`) ?? expect.fail(`no block ${id}`);
  const shown = (id: string) => block(id).querySelector<HTMLElement>(".drawn") ?? expect.fail(`nothing drawn of ${id}`);
  const order = () => [...editor.querySelectorAll<EditorBlock>("colloquy-editor-block")].map(({ dataset }) => dataset.blockId);
  const press = (on: Element, key: string, more: KeyboardEventInit = {}) => {
    const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, composed: true, ...more });
    on.dispatchEvent(event);
    return event;
  };
  const focusIn = (selector: string) => until(() => (document.activeElement?.closest(selector) ? true : null), `the focus in ${selector}`);

  it("shows a topic's blocks as readers will see them", async () => {
    await open();
    await until(() => shown("block-text").querySelector("strong"), "the text");
    expect(shown("block-text").querySelector("h2")?.textContent).to.equal("Why");
    await until(() => shown("block-points").querySelector("li"), "the points");
    expect(order()).to.deep.equal(["block-text", "block-code", "block-points"]);
  });

  it("puts the caret on the clicked word", async () => {
    await open();
    const strong = await until(() => shown("block-text").querySelector("strong"), "the text");
    const { left, top, height } = strong.getBoundingClientRect();
    await sendMouse({ type: "click", position: [Math.round(left + 2), Math.round(top + height / 2)] });
    await focusIn("colloquy-block-field");
    const { value, selectionStart } = document.activeElement as HTMLTextAreaElement;
    expect(value.slice(0, selectionStart)).to.equal("One is a **");
    await resetMouse();
  });

  it("leaves a field of the page's head by Escape for its row, which Enter leaves for the field", async () => {
    await open();
    await until(() => editor.querySelector("[data-field=title]"), "the title");
    const fields = [...editor.querySelectorAll<HTMLElement>("colloquy-page-fields [data-field]")];
    expect(fields.map(({ dataset }) => dataset.field)).to.include.members(["title", "summary", "slug"]);
    for (const field of fields) {
      field.focus();
      expect(press(field, "Escape").defaultPrevented).to.equal(true);
      const row = document.activeElement ?? expect.fail("no focus");
      expect([row.contains(field), row.role, row.ariaLabel !== ""], field.dataset.field).to.deep.equal([true, "group", true]);
      // The next Escape is the page's.
      expect(press(row, "Escape").defaultPrevented).to.equal(false);
      expect(press(row, "Enter").defaultPrevented).to.equal(true);
      expect(document.activeElement).to.equal(field);
      expect(row.hasAttribute("tabindex")).to.equal(false);
    }
  });

  it("redraws only the changed block and keeps moved elements", async () => {
    await open();
    await until(() => (shown("block-points").hasChildNodes() ? true : null), "all blocks");
    const before = new Map(order().map((id) => [id, shown(id ?? "").firstElementChild]));
    session.apply({ label: "x" }, (course) => editBlockSource(course, "block-text", "One is a **small** number."));
    await until(() => (shown("block-text").textContent?.includes("small") ? true : null), "the change");
    session.apply({ label: "x" }, (course) => moveBlock(course, "block-points", 0));
    await until(() => (order()[0] === "block-points" ? true : null), "the new order");
    for (const id of ["block-code", "block-points"]) expect(shown(id).firstElementChild).to.equal(before.get(id));
  });

  it("reuses elements of the published page", async () => {
    const made = document.createElement("section");
    made.textContent = "as the page has it";
    await open(smallCourse(), "topic-one", new Map([["block-text", made]]));
    await block("block-text").updateComplete;
    expect(shown("block-text").firstElementChild).to.equal(made);
  });

  it("opens the source of a clicked block with focus; Escape closes it", async () => {
    await open();
    await until(() => shown("block-text").querySelector("p"), "the text");
    shown("block-text").querySelector("p")?.click();
    const field = await until(() => block("block-text").querySelector<HTMLTextAreaElement>("textarea"), "the field");
    await focusIn("textarea");
    expect(field.value).to.contain("**number**");
    expect(block("block-text").querySelector("colloquy-block-toolbar")).not.to.equal(null);
    expect(press(field, "Escape").defaultPrevented).to.equal(true);
    await until(() => (document.activeElement === block("block-text") ? true : null), "the focus on the block");
    expect(block("block-text").querySelector("textarea")).to.equal(null);
    // Nothing is chosen any more: Escape is the page's.
    expect(press(block("block-text"), "Escape").defaultPrevented).to.equal(false);
  });

  it("keeps focus in the field opened by a double-click", async () => {
    await open();
    const text = await until(() => shown("block-text").querySelector("p"), "the text");
    const press = (target: Element, detail: number) =>
      target.dispatchEvent(new MouseEvent("mousedown", { detail, bubbles: true, cancelable: true }));
    expect(press(text, 1)).to.equal(true);
    text.click();
    await focusIn("textarea");
    const preview = await until(() => block("block-text").querySelector(".preview p"), "the preview");
    expect(press(preview, 2), "the focus stays").to.equal(false);
    for (const detail of [1, 2]) expect(press(preview, detail)).to.equal(true);
  });

  it("selects the placeholder text of an inserted block", async () => {
    await loadTheme();
    await open();
    for (const [type, words, left] of [
      ["Text", "## A heading\n\nWrite the text here.", "Own."],
      ["Call-out", "Write what readers should notice.", "---\nkind: note\n---\nOwn."],
    ]) {
      const seen = [...editor.querySelectorAll<HTMLElement>("colloquy-block-insert button")].filter((one) =>
        one.checkVisibility({ visibilityProperty: true }),
      );
      expect(seen, "one way to put a block in at the end").to.have.length(1);
      seen[0]?.click();
      const item = await until(
        () =>
          [...document.querySelectorAll<HTMLElement>("colloquy-menu:popover-open [role=menuitem]")].find(
            (one) => one.textContent?.trim() === type,
          ),
        `${type} in the menu`,
      );
      item.click();
      const field = await until(() => {
        const { activeElement } = document;
        return activeElement instanceof HTMLTextAreaElement && activeElement.selectionEnd > 0 ? activeElement : null;
      }, "the selection");
      expect(field.value.slice(field.selectionStart, field.selectionEnd)).to.equal(words);
      await sendKeys({ type: "Own." });
      expect(session.state.course.topics[0]?.blocks.at(-1)?.source).to.equal(left);
    }
  });

  it("renders the typed source when the field is closed", async () => {
    await open();
    await editor.showBlock("topic-one", "block-text", "field");
    const field = await until(() => block("block-text").querySelector<HTMLTextAreaElement>("textarea"), "the field");
    field.value = "Typed *here*.";
    field.dispatchEvent(new InputEvent("input", { bubbles: true }));
    press(field, "Escape");
    await until(() => (shown("block-text").querySelector("em")?.textContent === "here" ? true : null), "what was typed");
  });

  it("moves between blocks by arrow keys as one tab stop; Enter opens", async () => {
    await open();
    expect(
      [...editor.querySelectorAll("colloquy-editor-block")].filter(({ tabIndex }: Element & { tabIndex?: number }) => tabIndex === 0),
    ).to.have.length(1);
    block("block-text").focus();
    press(block("block-text"), "ArrowDown");
    expect(document.activeElement).to.equal(block("block-code"));
    press(block("block-code"), "End");
    expect(document.activeElement).to.equal(block("block-points"));
    press(block("block-points"), "Enter");
    await focusIn("textarea");
  });

  it("focuses a clicked block without a field; Tab leads to its toolbar", async () => {
    await loadTheme();
    const closed = new AbortController();
    await open();
    const code = block("block-code");
    await until(() => shown("block-code").querySelector("pre"), "the code");
    const before = session.state.course;
    (shown("block-code").querySelector("pre") as HTMLElement).click();
    const tools = await until(() => code.querySelector("colloquy-block-toolbar button"), "its tools");
    await until(() => (document.activeElement === code ? true : null), "the focus on the block");
    expect(getComputedStyle(code).boxShadow, "the focus is seen, though a pointer brought it").not.to.equal("none");
    expect([code.ariaLabel, code.ariaCurrent]).to.deep.equal(["Code, block 2 of 3", "true"]);
    const keys: KeyboardEvent[] = [];
    addEventListener("keydown", (event) => keys.push(event), { capture: true, signal: closed.signal });
    for (const key of ["Space", "Enter", "Space"]) {
      await sendKeys({ press: key });
      expect([document.activeElement === code, session.state.course === before], key).to.deep.equal([true, true]);
    }
    expect(
      keys.map(({ defaultPrevented }) => defaultPrevented),
      "the page does not scroll either",
    ).to.deep.equal([true, true, true]);
    await sendKeys({ press: "Tab" });
    expect(document.activeElement).to.equal(tools);
    expect(code.querySelector("textarea")).to.equal(null);
    closed.abort();
  });

  it("deselects a deleted block and hides tools in read-only mode", async () => {
    await open();
    await editor.showBlock("topic-one", "block-text", "block");
    session.apply({ label: "x" }, (course) => deleteBlock(course, "block-text"));
    await until(() => (order().length === 2 ? true : null), "the block to go");
    editor.still = true;
    await editor.updateComplete;
    expect(
      editor.querySelectorAll("colloquy-block-toolbar, colloquy-block-insert, colloquy-page-fields, colloquy-editor-block[tabindex]"),
    ).to.have.length(0);
    shown("block-points").click();
    await editor.updateComplete;
    expect(editor.querySelector("textarea")).to.equal(null);
  });

  it("names each block with its type and position", async () => {
    await open();
    expect(block("block-code").ariaLabel).to.equal("Code, block 2 of 3");
    expect(block("block-code").role).to.equal("group");
  });

  it("draws 300 blocks and redraws only the one that changes", async () => {
    await open(longCourse(300));
    await until(() => (shown("block-299").hasChildNodes() ? true : null), "the last block");
    const changed = new Set<Node>();
    const watch = new MutationObserver((records) => {
      for (const { target } of records)
        changed.add((target instanceof Element ? target : target.parentElement)?.closest("colloquy-editor-block") ?? target);
    });
    watch.observe(editor, { subtree: true, childList: true, characterData: true });
    session.apply({ label: "x" }, (course) => editBlockSource(course, "block-150", "Only this."));
    await until(() => (shown("block-150").textContent?.trim() === "Only this." ? true : null), "the change");
    watch.takeRecords();
    watch.disconnect();
    expect([...changed]).to.deep.equal([block("block-150")]);
  });
});

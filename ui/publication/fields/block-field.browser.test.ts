import type { AuthoredCourse, Block } from "@colloquy/schemas/courses/authored.ts";
import { editBlockSource, findBlock } from "@colloquy/schemas/courses/editing/edit.ts";
import { expect } from "chai";
import { html } from "lit";
import { setPageLanguage } from "../../messages/load.ts";
import { expectAccessible, loadTheme, mount, unmountAll, until } from "../../workspace/testing/browser.ts";
import { EditingSession } from "../session.ts";
import { threePages } from "../testing/three-pages.ts";
import "./block-field.ts";
import type { BlockField } from "./block-field.ts";
import type { SendPicture } from "./send-picture.ts";
import { Uploads } from "./uploads.ts";

const png = Uint8Array.from(
  atob("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABh6FO1AAAAABJRU5ErkJggg=="),
  (letter) => letter.charCodeAt(0),
);
const pngFile = (name = "A tree.png") => new File([png], name, { type: "image/png" });

async function field(block: Partial<Block> = {}, { send, width = 1100 }: { send?: SendPicture; width?: number } = {}) {
  const course: AuthoredCourse = threePages([{ id: "block-first-0001", type: "core.theory", source: "One **two** three", ...block }]);
  const session = new EditingSession({ base: { sequence: 1, revisionId: "revision-1" }, baseCourse: course, course, renamedIds: [] });
  const uploads = new Uploads({ session, accountId: "acc_owner001", send: send ?? (() => new Promise(() => undefined)) });
  const holder = await mount(
    html`<div style="inline-size: ${width}px"><colloquy-block-field .session=${session} .blockId=${"block-first-0001"} .uploads=${uploads}></colloquy-block-field></div>`,
  );
  const element = holder.querySelector("colloquy-block-field") as BlockField;
  await element.updateComplete;
  const text = element.querySelector("textarea") as HTMLTextAreaElement;
  const preview = element.querySelector(".preview") as HTMLElement;
  await until(() => preview.childElementCount, "the preview is drawn");
  const source = () => findBlock(session.state.course, "block-first-0001")?.block.source;
  const type = (words: string) => document.execCommand("insertText", false, words);
  return { element, session, uploads, text, preview, source, type };
}

const key = (target: EventTarget, name: string, more: KeyboardEventInit = {}) => {
  const event = new KeyboardEvent("keydown", { key: name, bubbles: true, composed: true, cancelable: true, ...more });
  target.dispatchEvent(event);
  return event;
};
const named = (element: Element, name: string) =>
  [...element.querySelectorAll<HTMLButtonElement>("button")].find(
    (one) => (one.getAttribute("aria-label") ?? one.textContent)?.trim() === name,
  ) ?? expect.fail(`no ${name}`);

describe("the block field", () => {
  before(loadTheme);
  afterEach(async () => {
    await setPageLanguage("en", "all");
    unmountAll();
  });

  it("shows source and preview side by side or stacked, accessibly", async () => {
    const { element, text, preview } = await field();
    expect(text.value).to.equal("One **two** three");
    expect(preview.querySelector("strong")?.textContent).to.equal("two");
    expect(preview.getBoundingClientRect().left).to.be.greaterThan(text.getBoundingClientRect().right - 2);
    await expectAccessible(element);
    const narrow = await field({}, { width: 330 });
    expect(narrow.preview.getBoundingClientRect().top).to.be.greaterThan(narrow.text.getBoundingClientRect().bottom - 2);
    await expectAccessible(narrow.element);
  });

  it("applies typing at once as one undo step and grows", async () => {
    const { session, text, preview, source, type } = await field();
    const height = text.getBoundingClientRect().height;
    text.focus();
    text.setSelectionRange(text.value.length, text.value.length);
    for (const letter of " four") type(letter);
    expect(source()).to.equal("One **two** three four");
    await until(() => preview.textContent?.includes("four"), "the preview follows");
    type("\n\nfive\n\nsix\n\nseven\n\neight");
    await until(() => text.getBoundingClientRect().height > height, "grows");
    expect(text.scrollHeight).to.be.lessThan(text.clientHeight + 2);
    session.undo();
    expect(source()).to.equal("One **two** three");
    expect(text.value).to.equal("One **two** three");
  });

  it("keeps the helper bar visible while scrolling a long text", async () => {
    const { element, text } = await field({ source: "A line.\n\n".repeat(120) });
    text.scrollIntoView({ block: "end" });
    const { top } = (element.querySelector(".helpers") as HTMLElement).getBoundingClientRect();
    expect(text.getBoundingClientRect().top).to.be.lessThan(-300);
    expect(top).to.be.closeTo(52, 1);
  });

  it("typesets a formula as a block once it is on its own line", async () => {
    const { text, preview, type } = await field({ source: "We find $$x^2$" });
    await until(() => preview.querySelector(".katex"), "the formula in the line");
    text.focus();
    text.setSelectionRange(text.value.length, text.value.length);
    type("$");
    await until(() => preview.querySelector(".math-display .katex-display"), "the formula on its own");
    type(" by hand.");
    await until(() => preview.textContent?.includes("by hand"), "the preview follows");
    expect(preview.querySelectorAll(".math-display .katex-display")).to.have.length(1);
  });

  it("keeps unchanged elements of the preview", async () => {
    const { text, preview, type } = await field({ source: "First $x^2$\n\nSecond" });
    await until(() => preview.querySelector(".katex"), "the formula is set");
    const [formula, first] = [preview.querySelector(".katex"), preview.querySelector("p")];
    text.focus();
    text.setSelectionRange(text.value.length, text.value.length);
    type(" and more");
    await until(() => preview.textContent?.includes("and more"), "follows");
    expect(preview.querySelector(".katex")).to.equal(formula);
    expect(preview.querySelector("p")).to.equal(first);
  });

  it("applies text of an input method when composition ends", async () => {
    const { session, text, source } = await field({ source: "に" });
    text.focus();
    text.dispatchEvent(new CompositionEvent("compositionstart", { bubbles: true }));
    text.value = "にほ";
    text.dispatchEvent(new InputEvent("input", { bubbles: true, isComposing: true }));
    expect(source()).to.equal("に");
    session.apply({ label: "elsewhere" }, (course) => ({ ...course, manifest: { ...course.manifest, title: "Other" } }));
    expect(text.value, "nothing is written into it").to.equal("にほ");
    expect(key(text, "Enter", { isComposing: true }).defaultPrevented).to.equal(false);
    text.value = "日本";
    text.dispatchEvent(new CompositionEvent("compositionend", { bubbles: true, data: "日本" }));
    expect(source()).to.equal("日本");
  });

  it("keeps the caret when the text changes from elsewhere", async () => {
    const { session, text, source } = await field({ source: "The end." });
    text.focus();
    text.setSelectionRange(8, 8);
    session.apply({ label: "elsewhere" }, (course) => editBlockSource(course, "block-first-0001", "Before. The end."));
    expect([text.value, text.selectionStart]).to.deep.equal(["Before. The end.", 16]);
    expect(source()).to.equal("Before. The end.");
  });

  it("applies Markdown helpers with native undo", async () => {
    const { element, text, source } = await field({ source: "a word" });
    text.focus();
    text.setSelectionRange(2, 6);
    named(element, "Bold").click();
    expect([source(), document.activeElement]).to.deep.equal(["a **word**", text]);
    document.execCommand("undo");
    expect([text.value, source()]).to.deep.equal(["a word", "a word"]);
    for (const [name, more, then] of [
      ["b", {}, "a **word**"],
      ["i", {}, "a *word*"],
      ["e", {}, "a `word`"],
      ["E", { shiftKey: true }, "a $word$"],
      ["k", {}, "a [word](https://)"],
      ["H", { shiftKey: true }, "## a word"],
      ["*", { shiftKey: true, code: "Digit8" }, "- a word"],
    ] as const) {
      text.setSelectionRange(2, 6);
      expect(key(text, name, { ctrlKey: true, ...more }).defaultPrevented, name).to.equal(true);
      expect(source(), name).to.equal(then);
      document.execCommand("undo");
      expect(source(), `${name} undone`).to.equal("a word");
    }
    expect(key(text, "b", { ctrlKey: true, altKey: true }).defaultPrevented, "AltGr writes").to.equal(false);
  });

  it("moves through helpers by arrow keys and continues lists by Enter", async () => {
    const { element, text, source } = await field({ source: "- one" });
    named(element, "Bold").focus();
    key(document.activeElement as Element, "ArrowRight");
    expect(document.activeElement).to.equal(named(element, "Italic"));
    text.focus();
    text.setSelectionRange(5, 5);
    key(text, "Enter");
    expect(source()).to.equal("- one\n- ");
    key(text, "Enter");
    expect(source()).to.equal("- one\n");
    expect(key(text, "Enter").defaultPrevented, "an ordinary line end").to.equal(false);
  });

  it("inserts a link to a page found by title", async () => {
    const { element, text, source } = await field({ source: "See here." });
    text.focus();
    text.setSelectionRange(4, 8);
    named(element, "Link to a page of the course").click();
    const picker = await until(() => document.querySelector("colloquy-page-picker dialog[open]"), "asks which");
    (
      [...picker.querySelectorAll<HTMLElement>(".pages button")].find(({ textContent }) => textContent?.includes("Scripts")) as HTMLElement
    ).click();
    await until(() => source() === "See [here](topic:topic-small-3).", "linked");
    expect(document.activeElement).to.equal(text);
    document.execCommand("undo");
    expect(source()).to.equal("See here.");
  });

  it("lists errors by line, marks them and keeps accepting text", async () => {
    const { element, text, preview, source, type } = await field({ type: "core.callout", source: "---\nkind: note\n---\nAll is well." });
    text.focus();
    text.setSelectionRange(14, 14);
    type("s");
    const row = await until(() => element.querySelector<HTMLButtonElement>(".errors button"), "says so");
    expect(row.textContent).to.match(/^Line 2`kind: notes` is not known/);
    expect(text.getAttribute("aria-invalid")).to.equal("true");
    expect(source()).to.include("kind: notes");
    expect(preview.textContent, "as it was last understood").to.include("All is well.");
    const mark = await until(() => element.querySelector('mark[data-line="2"]'), "marks the line");
    const line = Number.parseFloat(getComputedStyle(text).lineHeight);
    const expected = text.getBoundingClientRect().top + Number.parseFloat(getComputedStyle(text).paddingTop) + line;
    expect(mark.getBoundingClientRect().top).to.be.closeTo(expected, 3);
    const list = row.closest<HTMLElement>(".errors") as HTMLElement;
    expect(text.getAttribute("aria-describedby")).to.equal(list.id);
    for (const width of ["30rem", "60rem"]) {
      element.style.inlineSize = width;
      const [above, errors, shown] = [text.parentElement as Element, list, preview.parentElement as Element].map((one) =>
        one.getBoundingClientRect(),
      ) as [DOMRect, DOMRect, DOMRect];
      expect(errors.top, `${width}: directly below the text`).to.be.closeTo(above.bottom, 1);
      expect(shown.top >= errors.bottom - 1 || shown.left >= errors.right - 1, `${width}: and not below the preview`).to.equal(true);
    }
    element.style.inlineSize = "";
    await expectAccessible(element);
    text.blur();
    row.click();
    await until(() => document.activeElement === text, "leads there");
    expect(text.value.slice(text.selectionStart, text.selectionEnd)).to.equal("kind: notes");
    text.setSelectionRange(15, 15);
    document.execCommand("delete");
    await until(() => !element.querySelector(".errors"), "and is content again");
  });

  it("reports broken links and missing pictures", async () => {
    const { element } = await field({
      source: "See [there](topic:topic-gone).\n\n![A](assets/none.png) [here](topic:topic-small-1#block-first-0001)",
    });
    const rows = await until(
      () => (element.querySelectorAll(".errors li").length === 2 ? [...element.querySelectorAll(".errors li")] : null),
      "both",
    );
    expect(rows.map((row) => row.querySelector("b")?.textContent)).to.deep.equal(["Line 1", "Line 3"]);
  });

  it("reports errors in the language of the page", async () => {
    for (const [language, words] of [
      ["de", "Zeile 1die Seite „Pipes“ hat keine Stelle „gone“: ändern oder entfernen Sie den Link „#gone“"],
      ["ar", "السطر 1ليس في الصفحة «Pipes» موضع «gone»: غيّر الرابط «#gone» أو أزِله"],
    ] as const) {
      await setPageLanguage(language, "all");
      const { element } = await field({ source: "See [there](#gone)." });
      const row = await until(() => element.querySelector(".errors li"), "says so");
      expect(row.textContent?.trim()).to.equal(words);
    }
  });

  it("warns about a formula that cannot be typeset and goes to it", async () => {
    const { element, text, source, type } = await field({ source: "Good $x^2$\nand $\\frac{1$ here" });
    const row = await until(() => element.querySelector<HTMLButtonElement>(".warning button"), "says so");
    expect(row.textContent).to.match(/^Line 2This formula has an error: /);
    expect(row.querySelector("[lang=en]")?.textContent, "the renderer's own words are English").to.match(/^\S/);
    expect(text.getAttribute("aria-invalid")).to.equal("false");
    await expectAccessible(element);
    row.click();
    await until(() => text.value.slice(text.selectionStart, text.selectionEnd) === "\\frac{1", "leads there");
    type("y");
    expect(source()).to.equal("Good $x^2$\nand $y$ here");
    await until(() => !element.querySelector(".errors"), "all can be set");
  });

  it("dispatches an event on blur so that the draft is saved", async () => {
    const { element, text } = await field();
    let left = 0;
    element.addEventListener("colloquy-field-left", () => (left += 1));
    text.focus();
    text.blur();
    expect(left).to.equal(1);
  });

  it("inserts a picture after its upload at the right place", async () => {
    let arrive: (() => void) | undefined;
    const send: SendPicture = ({ sha256, bytes, onProgress }) =>
      new Promise((resolve) => {
        onProgress(0.5);
        arrive = () => resolve({ schemaVersion: 1, sha256, bytes: bytes.length, type: "image/png" });
      });
    const { element, session, uploads, text, source, type } = await field({ source: "Before. After." }, { send });
    text.focus();
    text.setSelectionRange(8, 8);
    const data = new DataTransfer();
    data.items.add(pngFile());
    text.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    await until(() => element.querySelector<HTMLProgressElement>("progress")?.value === 0.5, "says how far it is");
    await expectAccessible(element);
    expect([source(), uploads.pending]).to.deep.equal(["Before. After.", 1]);
    text.setSelectionRange(0, 0);
    type("Long ");
    let settled = false;
    void uploads.settled().then(() => (settled = true));
    arrive?.();
    await until(() => settled, "whoever publishes goes on");
    expect(source()).to.equal("Long Before. After.\n\n![Describe the picture](assets/a-tree.png)");
    expect(text.value).to.equal(source());
    expect(text.selectionStart, "the caret stands").to.equal(5);
    expect(session.state.course.assets.map(({ path, type: kind }) => [path, kind])).to.deep.equal([["assets/a-tree.png", "image/png"]]);
    session.undo();
    expect([source(), session.state.course.assets.length], "one step").to.deep.equal(["Long Before. After.", 0]);
  });

  it("selects a picture's placeholder description and warns until replaced", async () => {
    const send: SendPicture = ({ sha256, bytes }) => Promise.resolve({ schemaVersion: 1, sha256, bytes: bytes.length, type: "image/png" });
    const { element, text, source, type } = await field({ source: "- One and two\n- Three" }, { send });
    text.focus();
    text.setSelectionRange(5, 5);
    const data = new DataTransfer();
    data.items.add(pngFile());
    text.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    await until(() => text.value.includes("!["), "the picture");
    const selected = () => text.value.slice(text.selectionStart, text.selectionEnd);
    await until(() => selected() === "Describe the picture", "its description is selected");
    const warning = await until(() => element.querySelector<HTMLButtonElement>(".errors .warning button"), "says that it is missing");
    expect(warning.textContent).to.match(/^Line 3This picture needs a description/);
    expect(text.getAttribute("aria-invalid")).to.equal("false");
    await until(() => element.querySelector('mark.warning[data-line="3"]'), "marks the line");
    await expectAccessible(element);
    text.setSelectionRange(0, 0);
    warning.click();
    await until(() => selected() === "Describe the picture", "leads there");
    type("A tree");
    expect(source()).to.equal("- One and two\n\n  ![A tree](assets/a-tree.png)\n\n- Three");
    await until(() => !element.querySelector(".errors"), "nothing is missing");
    document.execCommand("undo");
    expect(source(), "the browser's undo").to.include("![Describe the picture](");
    document.execCommand("undo");
    expect(source()).to.equal("- One and two\n- Three");
  });

  it("inserts several pictures one below the other", async () => {
    const arrive: (() => void)[] = [];
    const send: SendPicture = ({ sha256, bytes }) =>
      new Promise((resolve) => arrive.push(() => resolve({ schemaVersion: 1, sha256, bytes: bytes.length, type: "image/png" })));
    const { uploads, source } = await field({ source: "One two" }, { send });
    uploads.add(pngFile("a.png"), "block-first-0001", 3);
    uploads.add(new File([png, "more"], "b.png", { type: "image/png" }), "block-first-0001", 3);
    await until(() => arrive.length === 2, "both on their way");
    for (const one of arrive) one();
    await uploads.settled();
    expect(source()).to.include("assets/a.png").and.include("assets/b.png");
    expect(source()).to.match(/^One two\n\n!\[[^\]]*\]\(\S+\)\n\n!\[[^\]]*\]\(\S+\)$/);
  });

  it("reports a failed upload, retries and cancels it", async () => {
    let tries = 0;
    const failing: SendPicture = () => {
      tries += 1;
      return Promise.reject(new TypeError("Failed to fetch"));
    };
    const { element, uploads, source } = await field({ source: "Text" }, { send: failing });
    uploads.add(pngFile("one.png"), "block-first-0001", 4);
    await until(() => element.querySelector(".failed")?.textContent?.includes("Nothing you wrote is lost"), "says so");
    expect(uploads.pending).to.equal(0);
    await expectAccessible(element);
    named(element, "Try again").click();
    await until(() => tries === 2 && uploads.pending === 0 && element.querySelector(".failed"), "failed again");
    named(element, "Dismiss").click();
    uploads.add(new File(["no picture"], "notes.txt"), "block-first-0001", 4);
    await until(() => element.querySelector(".failed")?.textContent?.startsWith("“notes.txt” is not a supported picture"), "refused");
    named(element, "Dismiss").click();
    await until(() => !element.querySelector(".uploads"), "gone");
    const waiting = await field({ source: "Text" });
    waiting.uploads.add(pngFile(), "block-first-0001", 4);
    await until(() => waiting.element.querySelector("progress"), "on its way");
    named(waiting.element, "Stop").click();
    await until(() => waiting.uploads.pending === 0, "stopped");
    expect([source(), waiting.source()]).to.deep.equal(["Text", "Text"]);
  });

  it("shows a failed upload near the caret of a long text", async () => {
    const { element, uploads, text } = await field({ source: "A line.\n\n".repeat(300) });
    text.focus({ preventScroll: true });
    scrollTo(0, 0);
    uploads.add(new File(["no picture"], "notes.txt"), "block-first-0001", 0);
    const row = await until(() => element.querySelector(".uploads"), "refused");
    await until(() => row.querySelector(".failed"), "why");
    const { top, bottom } = row.getBoundingClientRect();
    expect(text.getBoundingClientRect().bottom).to.be.greaterThan(innerHeight);
    expect(top).to.be.greaterThan(text.getBoundingClientRect().top);
    expect(bottom).to.be.at.most(innerHeight + 1);
  });

  it("uploads a dropped picture and never navigates to a file", async () => {
    const { text, uploads } = await field();
    const data = new DataTransfer();
    data.items.add(pngFile());
    const { left, top } = text.getBoundingClientRect();
    const more = { dataTransfer: data, bubbles: true, cancelable: true, clientX: left + 30, clientY: top + 20 };
    const dragged = new DragEvent("dragover", more);
    text.dispatchEvent(dragged);
    expect(dragged.defaultPrevented).to.equal(true);
    const dropped = new DragEvent("drop", more);
    text.dispatchEvent(dropped);
    expect([dropped.defaultPrevented, uploads.pending]).to.deep.equal([true, 1]);
  });

  it("shows the source of other types without helpers", async () => {
    const { element, text } = await field({ type: "core.code", source: "```bash\nls\n```" });
    expect(element.querySelector(".helpers")).to.equal(null);
    expect([text.getAttribute("aria-label"), text.spellcheck]).to.deep.equal(["Code: source", false]);
  });
});

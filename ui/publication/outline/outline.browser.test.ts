import { coursePlaces } from "@colloquy/schemas/courses/places.ts";
import { setViewport } from "@web/test-runner-commands";
import { expect } from "chai";
import { html } from "lit";
import { expectAccessible, loadTheme, mount, unmountAll, until } from "../../workspace/testing/browser.ts";
import { EditingSession } from "../session.ts";
import { threePages } from "../testing/three-pages.ts";
import type { PageWantedEvent } from "./events.ts";
import { rename } from "./outline-actions.ts";
import "./outline-dialog.ts";
import type { OutlineDialog } from "./outline-dialog.ts";
import "./page-fields.ts";
import type { PageFields } from "./page-fields.ts";

const newSession = (course = threePages()) =>
  new EditingSession({ base: { sequence: 1, revisionId: "revision-1" }, baseCourse: course, course, renamedIds: [] });
const key = (target: EventTarget, name: string, more: KeyboardEventInit = {}) =>
  target.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, composed: true, cancelable: true, ...more }));
const named = (element: ParentNode, name: string) =>
  [...element.querySelectorAll<HTMLElement>("button")].find(
    (one) => (one.getAttribute("aria-label") ?? one.textContent)?.trim() === name,
  ) ?? expect.fail(`no ${name}`);
const fieldOf = (element: ParentNode, name: string) => element.querySelector(`[data-field="${name}"]`) as HTMLInputElement;
function write(field: HTMLInputElement, text: string): void {
  field.focus();
  field.select();
  document.execCommand("insertText", false, text);
}

async function outline(direction = "ltr", opened = "topic-small-1") {
  const session = newSession();
  const element = await mount<OutlineDialog>(html`<colloquy-outline dir=${direction} .session=${session}></colloquy-outline>`);
  const shown: (string | null)[] = [];
  element.addEventListener("colloquy-page-wanted", ({ pageId }: PageWantedEvent) => shown.push(pageId));
  await element.show(opened);
  const rows = () =>
    [...element.querySelectorAll<HTMLElement>("[role=treeitem]")].map(
      (row) => `${row.getAttribute("aria-level")} ${row.querySelector("bdi")?.textContent}`,
    );
  const focused = () => (document.activeElement as HTMLElement).querySelector("bdi")?.textContent;
  const press = async (name: string, more: KeyboardEventInit = {}) => {
    key(document.activeElement as Element, name, more);
    await element.updateComplete;
    await element.updateComplete;
  };
  await until(() => focused() === "Pipes", "the open page is chosen");
  return { session, element, shown, rows, focused, press };
}

describe("the outline dialog", () => {
  before(loadTheme);
  afterEach(unmountAll);

  it("opens at the id of a page that was refused", async () => {
    const { element } = await outline();
    element.querySelector("dialog")?.close();
    await element.showId("topic-small-1");
    const field = element.querySelector<HTMLInputElement>("input[name=id]") ?? expect.fail("no id");
    expect([document.activeElement === field, field.value]).to.deep.equal([true, "topic-small-1"]);
    const { bottom } = field.getBoundingClientRect();
    expect(bottom).to.be.lessThan(element.querySelector("dialog")?.getBoundingClientRect().bottom ?? 0);
  });

  it("shows the whole id and its refusal when they are opened", async () => {
    await setViewport({ width: 900, height: 420 });
    try {
      const { element } = await outline();
      const about = element.querySelector(".about") ?? expect.fail("no fields");
      const isSeen = (part: Element | null) => part !== null && part.getBoundingClientRect().bottom <= about.getBoundingClientRect().bottom;
      element.querySelector("summary")?.click();
      await until(() => isSeen(element.querySelector("details form")), "the whole form");
      write(element.querySelector("details input") as HTMLInputElement, "no");
      named(element, "Change the id").click();
      await until(() => isSeen(element.querySelector(".wrong")), "the refusal");
    } finally {
      await setViewport({ width: 800, height: 600 });
    }
  });

  it("drags rows vertically and into and out of parts", async () => {
    for (const direction of ["ltr", "rtl"] as const) {
      const { element, session, rows, focused } = await outline(direction);
      const row = (title: string) =>
        [...element.querySelectorAll<HTMLElement>("[role=treeitem]")].find((one) => one.querySelector("bdi")?.textContent === title) ??
        expect.fail(`no ${title}`);
      const drag = async (title: string, below: string, aside: number, escaped = false) => {
        const grip = row(title).querySelector<HTMLElement>(".grip") ?? expect.fail("no grip");
        // A played pointer is none that can be captured.
        grip.setPointerCapture = () => undefined;
        const from = grip.getBoundingClientRect();
        const to = { x: from.x + (direction === "rtl" ? -aside : aside), y: row(below).getBoundingClientRect().bottom - 2 };
        const say = (type: string, { x, y }: { x: number; y: number }) =>
          grip.dispatchEvent(new PointerEvent(type, { pointerId: 3, button: 0, clientX: x, clientY: y, bubbles: true, cancelable: true }));
        say("pointerdown", from);
        say("pointermove", to);
        if (escaped) key(document.body, "Escape");
        say("pointerup", to);
        await element.updateComplete;
      };
      const before = rows();
      await drag("Scripts", "Pipes", 18, true);
      expect(rows(), "Escape").to.deep.equal(before);
      await drag("Scripts", "Pipes", 18);
      expect(rows()).to.deep.equal(["1 A small course", "2 Basics", "3 Pipes", "3 Scripts", "3 Loops"]);
      await until(() => focused() === "Scripts", "what was moved is chosen");
      await drag("Pipes", "Loops", -18);
      expect(rows()).to.deep.equal(["1 A small course", "2 Basics", "3 Scripts", "3 Loops", "2 Pipes"]);
      await drag("Basics", "Pipes", 0);
      expect(rows()).to.deep.equal(["1 A small course", "2 Pipes", "2 Basics", "3 Scripts", "3 Loops"]);
      session.undo();
      await element.updateComplete;
      expect(rows()[1]).to.equal("2 Basics");
      unmountAll();
    }
  });

  it("lists pages and parts as an accessible tree with keys", async () => {
    const { element, rows, focused, press } = await outline();
    expect(rows()).to.deep.equal(["1 A small course", "2 Basics", "3 Pipes", "3 Loops", "2 Scripts"]);
    await expectAccessible(element);
    await press("ArrowDown");
    expect(focused()).to.equal("Loops");
    await press("Home");
    expect(focused()).to.equal("A small course");
    await press("s");
    expect(focused()).to.equal("Scripts");
    await expectAccessible(element);
  });

  it("moves the selected row by Alt+arrow and keeps it focused", async () => {
    const { element, session, rows, focused, press } = await outline();
    await press("ArrowDown", { altKey: true });
    expect(rows()).to.deep.equal(["1 A small course", "2 Basics", "3 Loops", "3 Pipes", "2 Scripts"]);
    expect(focused()).to.equal("Pipes");
    await press("ArrowLeft", { altKey: true });
    expect(rows()).to.deep.equal(["1 A small course", "2 Basics", "3 Loops", "2 Pipes", "2 Scripts"]);
    expect(focused()).to.equal("Pipes");
    await press("ArrowRight", { altKey: true });
    expect(rows()[3]).to.equal("3 Pipes");
    await until(
      () => [...element.querySelectorAll("[aria-live]")].some(({ textContent }) => textContent === "Moved into “Basics”"),
      "says so",
    );
    await press("z", { ctrlKey: true });
    expect(session.changed, "moves of one page in a row are one step").to.equal(false);
  });

  it("mirrors the arrow keys right-to-left", async () => {
    const { rows, press } = await outline("rtl");
    await press("ArrowRight", { altKey: true });
    expect(rows()).to.deep.equal(["1 A small course", "2 Basics", "3 Loops", "2 Pipes", "2 Scripts"]);
  });

  it("moves into a chosen part with a new slug if its own is taken", async () => {
    const { element, session, press } = await outline();
    await press("End");
    write(fieldOf(element, "slug"), "loops");
    named(element, "Move to…").click();
    const picker = await until(() => document.querySelector("colloquy-page-picker dialog[open]"), "asks");
    await expectAccessible(picker);
    named(picker, "Basics").click();
    await until(() => session.state.course.collections[0]?.children.length === 3, "moved");
    expect(coursePlaces(session.state.course).get("topic-small-3")?.path).to.equal("basics/loops-2");
  });

  it("adds pages and parts and deletes them with undo", async () => {
    const { element, session, rows, press } = await outline();
    named(element, "Page").click();
    await until(() => document.activeElement === fieldOf(element, "title"), "the title is to be written");
    document.execCommand("insertText", false, "Filters");
    await element.updateComplete;
    expect(rows()).to.deep.equal(["1 A small course", "2 Basics", "3 Pipes", "3 Filters", "3 Loops", "2 Scripts"]);
    named(element, "From the title").click();
    expect(session.state.course.topics.at(-1)?.slug).to.equal("filters");
    (element.querySelector('[data-id="coll-basics-1"]') as HTMLElement).click();
    await element.updateComplete;
    await press("Delete");
    expect(rows()).to.deep.equal(["1 A small course", "2 Scripts"]);
    await until(
      () =>
        [...element.querySelectorAll("[aria-live]")].some(
          ({ textContent }) => textContent === "“Basics” and 3 pages deleted. Undo brings them back.",
        ),
      "says so",
    );
    await press("Delete");
    expect(rows(), "the last page stays").to.have.length(2);
    named(element, "Undo").click();
    await element.updateComplete;
    expect(rows()).to.have.length(6);
  });

  it("opens the chosen page, or another if the present one was deleted", async () => {
    const one = await outline();
    await one.press("ArrowDown");
    named(one.element, "Edit this page").click();
    await until(() => one.shown.length, "leads there");
    expect(one.shown).to.deep.equal(["topic-small-2"]);
    unmountAll();
    const two = await outline();
    await two.press("Delete");
    named(two.element, "Close").click();
    await until(() => two.shown.length, "leads on");
    expect(two.shown).to.deep.equal(["topic-small-2"]);
    unmountAll();
    const three = await outline();
    named(three.element, "Close").click();
    await new Promise((resolve) => setTimeout(resolve));
    expect(three.shown).to.deep.equal([]);
  });

  it("changes the id of a page together with its contents", async () => {
    const { element, session, shown } = await outline();
    const id = element.querySelector("details input") as HTMLInputElement;
    const change = named(element, "Change the id");
    (element.querySelector("details") as HTMLDetailsElement).open = true;
    write(id, "no");
    change.click();
    await until(() => element.querySelector(".wrong")?.textContent?.startsWith("8 to 64 letters"), "refused in words");
    write(id, "topic-small-2");
    change.click();
    await until(() => element.querySelector(".wrong")?.textContent === "This id is taken already: choose another.", "refused");
    await expectAccessible(element);
    write(id, "topic-filters");
    change.click();
    await element.updateComplete;
    expect(session.state.renamedIds.map(({ from }) => from)).to.include.members(["topic-small-1", "block-first-0001"]);
    expect(session.state.course.topics[0]?.id).to.equal("topic-filters");
    named(element, "Close").click();
    await until(() => shown.length, "the page goes on under its new id");
    expect(shown).to.deep.equal(["topic-filters"]);
  });

  it("gives no page the id that another was published under", async () => {
    const { element, session } = await outline();
    rename(session, "topic-small-2", "topic-other");
    await element.updateComplete;
    (element.querySelector("details") as HTMLDetailsElement).open = true;
    write(element.querySelector("details input") as HTMLInputElement, "topic-small-2");
    named(element, "Change the id").click();
    const said = 'the id "topic-small-2" belonged to something else before: choose another id for this page';
    await until(() => element.querySelector(".wrong")?.textContent?.replaceAll(/[\u2066-\u2069]/g, "") === said, "refused in words");
    await expectAccessible(element);
    expect(session.state.course.topics[0]?.id).to.equal("topic-small-1");
  });
});

describe("the page fields", () => {
  before(loadTheme);
  afterEach(unmountAll);

  async function fields(pageId: string | null, head = false) {
    const session = newSession();
    const element = await mount<PageFields>(
      html`<colloquy-page-fields .session=${session} .pageId=${pageId} ?head=${head}></colloquy-page-fields>`,
    );
    return { session, element, topic: () => session.state.course.topics[0] };
  }

  it("has title, summary, address and objectives; a title is one line", async () => {
    const { element, topic, session } = await fields("topic-small-1", true);
    await expectAccessible(element);
    write(fieldOf(element, "title"), "Pipes and\nfilters");
    write(fieldOf(element, "summary"), "How they are joined.");
    expect([topic()?.title, topic()?.summary]).to.deep.equal(["Pipes and filters", "How they are joined."]);
    write(fieldOf(element, "summary"), " ");
    document.execCommand("delete");
    expect(Object.hasOwn(topic() ?? {}, "summary"), "an empty summary is none").to.equal(false);
    fieldOf(element, "title").focus();
    key(fieldOf(element, "title"), "Enter");
    expect(document.activeElement).to.equal(fieldOf(element, "summary"));
    session.undo();
    session.undo();
    session.undo();
    await element.updateComplete;
    expect([topic()?.title, fieldOf(element, "title").value]).to.deep.equal(["Pipes", "Pipes"]);
  });

  it("reports an invalid address and shows the full one", async () => {
    const { element, topic } = await fields("topic-small-1");
    const said = () => element.querySelector(".slug .wrong")?.textContent ?? null;
    expect(element.querySelector(".slug small")?.textContent).to.match(/^\/courses\/small-course\/basics\/pipesYou can change the address/);
    for (const [slug, words] of [
      ["Pipes!", "Only lower-case letters, digits and single hyphens between them."],
      ["loops", "“Loops” has this address already: choose another."],
      ["filters", null],
    ] as const) {
      write(fieldOf(element, "slug"), slug);
      await element.updateComplete;
      expect([topic()?.slug, said()]).to.deep.equal([slug, words]);
      await expectAccessible(element);
    }
  });

  it("previews summaries and objectives that contain formulas", async () => {
    const { element, topic } = await fields("topic-small-1", true);
    const shown = (name: string) => fieldOf(element, name).closest(".field")?.querySelector(".as-read");
    expect(element.querySelector(".as-read"), "plain words need no preview").to.equal(null);
    write(fieldOf(element, "summary"), "Where $A v = \\lambda v$ holds.");
    await until(() => shown("summary")?.querySelector(".katex"), "the formula of the summary, set");
    expect(shown("summary")?.textContent).to.match(/^Where .* holds\.$/s);
    named(element, "Add an objective").click();
    await until(() => document.activeElement?.getAttribute("aria-label") === "Objective 1", "goes there");
    document.execCommand("insertText", false, "Find $\\lambda$.");
    const id = topic()?.objectives[0]?.id ?? expect.fail("no objective");
    await until(() => shown(id)?.querySelector(".katex"), "the formula of the objective, set");
    await expectAccessible(element);
    write(fieldOf(element, "summary"), "Plain again.");
    await until(() => !shown("summary"), "no preview");
  });

  it("keeps objectives in order with their ids", async () => {
    const { element, topic } = await fields("topic-small-1");
    named(element, "Add an objective").click();
    await until(() => document.activeElement?.getAttribute("aria-label") === "Objective 1", "goes there");
    document.execCommand("insertText", false, "Join commands.");
    named(element, "Add an objective").click();
    await until(() => document.activeElement?.getAttribute("aria-label") === "Objective 2", "goes there");
    expect(element.querySelector(".aims .wrong")?.textContent).to.equal("This must not be empty.");
    document.execCommand("insertText", false, "Count lines.");
    const ids = topic()?.objectives.map(({ id }) => id) ?? [];
    await element.updateComplete;
    named(element, "Move objective 2 up").click();
    expect(topic()?.objectives.map(({ id, text }) => [id, text])).to.deep.equal([
      [ids[1], "Count lines."],
      [ids[0], "Join commands."],
    ]);
    await element.updateComplete;
    await expectAccessible(element);
    named(element, "Delete objective 1").click();
    expect(topic()?.objectives.map(({ text }) => text)).to.deep.equal(["Join commands."]);
  });

  it("gives objectives full width and touchable buttons on a phone", async () => {
    await setViewport({ width: 390, height: 800 });
    try {
      const { element } = await fields("topic-small-1");
      named(element, "Add an objective").click();
      const text = await until(() => element.querySelector<HTMLElement>(".aims textarea"), "an objective");
      const boxes = [...element.querySelectorAll(".aims .line button")].map((button) => button.getBoundingClientRect());
      expect(text.getBoundingClientRect().width).to.equal(text.parentElement?.getBoundingClientRect().width);
      expect(new Set(boxes.map(({ top }) => top)).size, "rows").to.equal(1);
      for (const { top, width, height } of boxes) {
        expect(top).to.be.at.least(text.getBoundingClientRect().bottom);
        expect([width, height].every((size) => size >= 44)).to.equal(true);
      }
      await expectAccessible(element);
    } finally {
      await setViewport({ width: 1280, height: 800 });
    }
  });

  it("shows title, summary, language and licence of the course", async () => {
    const { element, session } = await fields(null);
    write(fieldOf(element, "language"), "english");
    await element.updateComplete;
    expect(element.querySelector(".language .wrong")?.textContent).to.equal("A language tag, such as en or pt-BR.");
    write(fieldOf(element, "language"), "de");
    write(fieldOf(element, "license"), "CC BY 4.0");
    expect([session.state.course.manifest.language, session.state.course.manifest.license]).to.deep.equal(["de", "CC BY 4.0"]);
    await element.updateComplete;
    await expectAccessible(element);
  });
});

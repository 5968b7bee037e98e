import { setViewport } from "@web/test-runner-commands";
import { expect } from "chai";
import { html } from "lit";
import { expectAccessible, loadTheme, mount, unmountAll, until } from "../../workspace/testing/browser.ts";
import { EditingSession } from "../session.ts";
import { threePages } from "../testing/three-pages.ts";
import "./contents-list.ts";
import type { ContentsList } from "./contents-list.ts";

describe("the contents list", () => {
  before(loadTheme);
  afterEach(unmountAll);

  async function list(shown: string | null = null, direction = "ltr", course = threePages()) {
    if (direction === "rtl") course.manifest.language = "ar";
    const session = new EditingSession({ base: { sequence: 1, revisionId: "revision-1" }, baseCourse: course, course, renamedIds: [] });
    const element = await mount<ContentsList>(html`<colloquy-contents-list .session=${session} .shown=${shown}></colloquy-contents-list>`);
    const said: string[] = [];
    const wanted: (string | null)[] = [];
    element.addEventListener("colloquy-announce", ({ text }) => said.push(text));
    element.addEventListener("colloquy-page-wanted", ({ pageId }) => wanted.push(pageId));
    const entries = () => [...element.querySelectorAll<HTMLElement>(".entry")];
    const titles = () => entries().map((one) => `${one.getAttribute("aria-level")} ${one.querySelector(".title")?.textContent}`);
    const entry = (id: string) => element.querySelector<HTMLElement>(`[data-id="${id}"]`) ?? expect.fail(`no ${id}`);
    const press = async (key: string, more: KeyboardEventInit = {}) => {
      const event = new KeyboardEvent("keydown", { key, bubbles: true, composed: true, cancelable: true, ...more });
      (document.activeElement as Element).dispatchEvent(event);
      await element.updateComplete;
      await element.updateComplete;
      return event;
    };
    const button = (name: string) =>
      [...element.querySelectorAll<HTMLElement>("button")].find(
        (one) => (one.getAttribute("aria-label") ?? one.textContent)?.trim() === name,
      ) ?? expect.fail(`no ${name}`);
    const field = (name: string) => element.querySelector<HTMLTextAreaElement>(`[data-field="${name}"]`);
    return { session, element, said, wanted, entries, titles, entry, press, button, field };
  }
  const isFocused = (element: Element) => document.activeElement === element;

  it("lists entries in order as one accessible tab stop", async () => {
    const { element, entries, titles, entry, press } = await list();
    expect(titles()).to.deep.equal(["1 Basics", "2 Pipes", "2 Loops", "1 Scripts"]);
    expect(entries().filter(({ tabIndex }) => tabIndex === 0)).to.deep.equal([entry("coll-basics-1")]);
    await expectAccessible(element);
    entry("coll-basics-1").focus();
    await press("ArrowDown");
    expect(isFocused(entry("topic-small-1"))).to.equal(true);
    await press("End");
    expect(isFocused(entry("topic-small-3"))).to.equal(true);
    await press("ArrowDown");
    expect(isFocused(entry("topic-small-3")), "nothing comes after the last").to.equal(true);
    await press("l");
    expect(isFocused(entry("topic-small-2"))).to.equal(true);
  });

  it("drags an entry into a part and out of it", async () => {
    const { element, said, titles, entry } = await list();
    const drag = async (id: string, below: string, aside: number) => {
      const grip = entry(id).querySelector<HTMLElement>(".grip") ?? expect.fail("no grip");
      // A played pointer is none that can be captured.
      grip.setPointerCapture = () => undefined;
      const { x, y } = grip.getBoundingClientRect();
      const aim = { clientX: x + aside, clientY: entry(below).getBoundingClientRect().bottom - 2 };
      const say = (type: string, at: { clientX: number; clientY: number }) =>
        grip.dispatchEvent(new PointerEvent(type, { pointerId: 3, button: 0, bubbles: true, cancelable: true, ...at }));
      say("pointerdown", { clientX: x, clientY: y });
      say("pointermove", aim);
      say("pointerup", aim);
      await element.updateComplete;
    };
    await drag("topic-small-3", "topic-small-1", 24);
    expect(titles()).to.deep.equal(["1 Basics", "2 Pipes", "2 Scripts", "2 Loops"]);
    expect(said.at(-1)).to.equal("Moved into “Basics”");
    await until(() => isFocused(entry("topic-small-3")), "the focus goes along");
    await drag("topic-small-1", "topic-small-2", -24);
    expect(titles()).to.deep.equal(["1 Basics", "2 Scripts", "2 Loops", "1 Pipes"]);
  });

  it("moves entries by Alt+arrow with focus and announcements", async () => {
    const { said, titles, entry, press, session } = await list();
    entry("topic-small-1").focus();
    await press("ArrowDown", { altKey: true });
    expect(titles()).to.deep.equal(["1 Basics", "2 Loops", "2 Pipes", "1 Scripts"]);
    expect(isFocused(entry("topic-small-1"))).to.equal(true);
    await press("ArrowDown", { altKey: true });
    await press("ArrowLeft", { altKey: true });
    expect(titles()).to.deep.equal(["1 Basics", "2 Loops", "1 Pipes", "1 Scripts"]);
    expect(said).to.deep.equal(["Moved to 2 of 2", "Already the last of 2", "Moved into “A small course”"]);
    session.undo();
    expect(session.changed, "moves of one page in a row are one step").to.equal(false);
  });

  it("selects another row when an entry moves to another page", async () => {
    const { titles, entry, entries, press, session } = await list("coll-basics-1");
    expect(titles()).to.deep.equal(["1 Pipes", "1 Loops"]);
    entry("topic-small-2").focus();
    await press("ArrowLeft", { altKey: true });
    expect(titles()).to.deep.equal(["1 Pipes"]);
    await until(() => entries()[0] && isFocused(entries()[0] as Element), "the focus is not lost");
    expect(session.state.course.manifest.root.map(({ id }) => id)).to.deep.equal(["coll-basics-1", "topic-small-2", "topic-small-3"]);
  });

  it("opens an entry by Enter or click; Escape closes it first", async () => {
    const { element, entry, press, button, field, session, wanted } = await list();
    entry("topic-small-1").focus();
    await press("Enter");
    const title = await until(() => field("title"), "its title");
    await until(() => isFocused(title), "the focus in it");
    await expectAccessible(element);
    title.select();
    document.execCommand("insertText", false, "Joined");
    expect(session.state.course.topics[0]?.title).to.equal("Joined");
    expect((await press("Escape")).defaultPrevented).to.equal(true);
    await until(() => isFocused(entry("topic-small-1")), "the focus on the entry");
    expect(element.querySelector(".actions")).to.equal(null);
    expect((await press("Escape")).defaultPrevented).to.equal(false);
    entry("coll-basics-1").querySelector<HTMLElement>(".line")?.click();
    await element.updateComplete;
    button("Edit this part").click();
    expect(wanted).to.deep.equal(["coll-basics-1"]);
    entry("coll-basics-1").querySelector<HTMLElement>(".line")?.click();
    await element.updateComplete;
    expect(element.querySelector(".actions"), "a second click closes it").to.equal(null);
  });

  it("keeps focus on the move buttons", async () => {
    const { element, entry, titles, button } = await list();
    entry("topic-small-1").querySelector<HTMLElement>(".line")?.click();
    await element.updateComplete;
    button("Move down").focus();
    button("Move down").click();
    await until(() => titles()[2] === "2 Pipes" && isFocused(button("Move down")), "the button goes along");
    button("Move up").focus();
    button("Move up").click();
    await until(() => titles()[1] === "2 Pipes" && isFocused(button("Move up")), "and back");
  });

  it("adds pages and parts and focuses their titles", async () => {
    const { element, entry, titles, button, field, said, session } = await list();
    entry("topic-small-1").querySelector<HTMLElement>(".line")?.click();
    await element.updateComplete;
    button("Page").click();
    await until(() => document.activeElement === field("title"), "the title is to be written");
    document.execCommand("insertText", false, "Filters");
    await element.updateComplete;
    expect(titles()).to.deep.equal(["1 Basics", "2 Pipes", "2 Filters", "2 Loops", "1 Scripts"]);
    expect(session.state.course.topics.at(-1)?.slug, "its address goes along").to.equal("filters");
    expect(said.at(-1)).to.equal("Page added to “Basics”. Write its title.");
    button("Add a part").click();
    await until(() => titles().at(-1) === "1 New part" && document.activeElement === field("title"), "the part at the end");
  });

  it("deletes an entry with undo, but never the last page", async () => {
    const { said, entry, titles, press, session } = await list();
    entry("topic-small-3").focus();
    await press("Delete");
    expect(titles()).to.deep.equal(["1 Basics", "2 Pipes", "2 Loops"]);
    expect(isFocused(entry("coll-basics-1"))).to.equal(true);
    await press("Delete");
    expect(said).to.deep.equal(["“Scripts” deleted. Undo brings it back.", "A course needs at least one page."]);
    session.undo();
    expect(session.changed).to.equal(false);
  });

  it("shows an empty part with a button that adds its first page", async () => {
    const course = threePages();
    const empty = { ...course, collections: course.collections.map((one) => ({ ...one, children: [] })) };
    const { element, titles, button, field, session } = await list("coll-basics-1", "ltr", empty);
    expect(element.textContent).to.contain("This page is empty.");
    await expectAccessible(element);
    button("Add a page").click();
    await until(() => titles().length === 1 && document.activeElement === field("title"), "the first page");
    expect(session.state.course.collections[0]?.children).to.have.length(1);
    session.undo();
    await until(() => element.querySelector(".none"), "empty again");
  });

  it("drops a page into an empty part and separates the entry after it", async () => {
    const course = threePages();
    const hollow = { id: "coll-hollow-01", slug: "hollow", title: "Hollow", children: [] };
    const { element, entry, titles, button, field, said } = await list(null, "ltr", {
      ...course,
      collections: [...course.collections, hollow],
      manifest: { ...course.manifest, root: [...course.manifest.root, { kind: "collection", id: hollow.id }] },
    });
    expect(entry(hollow.id).textContent).to.contain("This part is empty.");
    await expectAccessible(element);
    const left = (id: string) => entry(id).querySelector(".title")?.getBoundingClientRect().left ?? 0;
    const gap = (id: string, above: string) => entry(id).getBoundingClientRect().top - entry(above).getBoundingClientRect().bottom;
    // Behind the part: at its own depth, and with room and a line between.
    button("Add a page").click();
    await until(() => titles().at(-1) === "1 New page" && document.activeElement === field("title"), "the page at the end");
    expect(said.at(-1)).to.equal("Page added to “A small course”. Write its title.");
    const last = () => element.querySelectorAll<HTMLElement>(".entry").item(element.querySelectorAll(".entry").length - 1).dataset.id ?? "";
    expect(gap(last(), hollow.id)).to.be.above(16);
    expect(gap("topic-small-3", "topic-small-2")).to.be.above(16);
    const behind = last();
    // Within it: deeper, with the line of the part beside it.
    button("Add a page to “Hollow”").click();
    await until(() => titles().at(-2) === "2 New page" && document.activeElement === field("title"), "the page in the part");
    expect(said.at(-1)).to.equal("Page added to “Hollow”. Write its title.");
    const within = element.querySelectorAll<HTMLElement>(".entry").item(5).dataset.id ?? "";
    expect(left(within)).to.be.above(left(behind));
    expect(gap(within, hollow.id)).to.be.below(16);
    expect(Number.parseFloat(getComputedStyle(entry(within), "::before").inlineSize)).to.be.above(10);
    expect(getComputedStyle(entry(behind), "::before").inlineSize).to.equal("0px");
    expect(element.querySelector(".hollow"), "it is empty no more").to.equal(null);
    await expectAccessible(element);
  });

  it("mirrors the arrow keys right-to-left and fits a phone", async () => {
    await setViewport({ width: 390, height: 800 });
    try {
      const { element, titles, entry, press } = await list(null, "rtl");
      // As its course reads, whatever the page around it does.
      expect([element.dir, getComputedStyle(entry("topic-small-2")).direction]).to.deep.equal(["rtl", "rtl"]);
      entry("topic-small-2").focus();
      await press("ArrowRight", { altKey: true });
      expect(titles()).to.deep.equal(["1 Basics", "2 Pipes", "1 Loops", "1 Scripts"]);
      await press("Enter");
      await until(() => element.querySelector(".actions"), "the tools");
      // As a page has it around its text.
      element.style.marginInline = "16px";
      expect(document.documentElement.scrollWidth).to.be.at.most(390);
      await expectAccessible(element);
    } finally {
      await setViewport({ width: 1280, height: 800 });
    }
  });

  it("shows no tools in read-only mode", async () => {
    const { element, entry } = await list();
    element.still = true;
    await element.updateComplete;
    entry("topic-small-1").querySelector<HTMLElement>(".line")?.click();
    await element.updateComplete;
    expect(element.querySelectorAll("button, [tabindex], colloquy-page-fields")).to.have.length(0);
  });
});

import type { Stroke } from "@colloquy/schemas/sync/changes.ts";
import { setViewport } from "@web/test-runner-commands";
import { expect } from "chai";
import { html } from "lit";
import { pageRefreshedEvent } from "../courses/refresh/events.ts";
import { Emitter } from "../store/emitter.ts";
import { type PersonalStates, personalAfter } from "../store/personal-fold.ts";
import { expectAccessible, loadTheme, mount, unmountAll, until } from "../workspace/testing/browser.ts";
import "./drawing.ts";
import type { DrawingElement } from "./drawing.ts";
import { encodePoints } from "./ink.ts";
import { PageInk } from "./page-ink.ts";

const at = "2026-11-21T08:00:00Z";
/** A line across the block, half way down a tenth of its width. */
const across = (strokeId: string, blockId: string | null, y = 40): Stroke => ({
  strokeId,
  blockId,
  tool: "pen",
  colour: "ink",
  width: 6,
  points: encodePoints([
    [100, y, 0.5],
    [300, y, 0.5],
    [600, y, 0.5],
  ]),
});

/** An article of two blocks with ink over it. */
async function drawing(strokes: Stroke[] = [], direction = "ltr") {
  const states = new Map<string, PersonalStates["annotation"]>();
  const events = new Emitter<{ personal: { domains: ReadonlySet<"annotation"> } }>();
  const take = (entityId: string, type: string, data: Record<string, unknown>): void => {
    const state = personalAfter("annotation", states.get(entityId) ?? null, { changeId: "change-0001", type, at, data });
    if (state) states.set(entityId, state);
    events.emit("personal", { domains: new Set(["annotation"]) });
  };
  const place = { courseId: "course-1", topicId: "topic-1" };
  if (strokes.length) take("drawing-1", "drawn", { ...place, strokes });
  const commitPersonal = async (changes: { entityId: string; type: string; data: Record<string, unknown> }[]) => {
    for (const { entityId, type, data } of changes) take(entityId, type, data);
    return [];
  };
  const library = { events, replica: { allPersonal: () => states }, commitPersonal };
  const article = await mount<HTMLElement>(
    html`<article style="position: relative; inline-size: 500px"><section class="block" id="block-one" style="block-size: 120px">One</section><section class="block" id="block-two" style="block-size: 120px">Two</section></article>`,
  );
  const element = document.createElement("colloquy-drawing");
  element.ink = new PageInk({ ...place, library } as unknown as ConstructorParameters<typeof PageInk>[0]);
  element.article = article;
  element.dir = direction;
  article.append(element);
  await element.updateComplete;
  const turn = async (active: boolean) => {
    element.active = active;
    await element.updateComplete;
  };
  return { element, article, ink: element.ink, take, turn, place };
}

const paths = (element: Element) => [...element.querySelectorAll(".strokes path")];
const drawn = (element: Element, count: number) => until(() => paths(element).length === count, `${count} strokes are shown`);
const named = (element: Element, name: string) =>
  [...element.querySelectorAll<HTMLButtonElement>(".tools button")].find(
    (one) => (one.getAttribute("aria-label") ?? one.textContent)?.trim() === name,
  ) ?? expect.fail(`no ${name}`);
const key = (target: EventTarget, name: string, more: KeyboardEventInit = {}) =>
  target.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, composed: true, cancelable: true, ...more }));

/** The pointer goes over a block from the left to the right, so many pixels below its top. */
function go(element: DrawingElement, block: string, down: number, more: PointerEventInit = {}): void {
  const surface = element.querySelector(".surface") as HTMLElement;
  // A played pointer is none that can be captured.
  surface.setPointerCapture = () => undefined;
  const { left, top } = (document.getElementById(block) as HTMLElement).getBoundingClientRect();
  const say = (type: string, x: number) =>
    surface.dispatchEvent(
      new PointerEvent(type, {
        pointerId: 7,
        pointerType: "mouse",
        button: type === "pointermove" ? -1 : 0,
        bubbles: true,
        cancelable: true,
        clientX: left + x,
        clientY: top + down,
        ...more,
      }),
    );
  say("pointerdown", 60);
  for (let x = 70; x <= 200; x += 10) say("pointermove", x);
  say("pointerup", 200);
}

describe("the drawing over an article", () => {
  before(loadTheme);
  afterEach(unmountAll);

  it("positions strokes by block and ignores pointers outside drawing mode", async () => {
    const { element, article } = await drawing([across("one", "block-one"), across("two", "block-two")]);
    await drawn(element, 2);
    const [one, two] = paths(element).map((path) => path.getBoundingClientRect());
    const corner = article.getBoundingClientRect();
    expect((one?.top ?? 0) - corner.top).to.be.closeTo(20, 4);
    expect((two?.top ?? 0) - corner.top).to.be.closeTo(140, 4);
    expect(element.querySelector(".tools")).to.equal(null);
    const hit = document.elementFromPoint(corner.left + 100, corner.top + 20);
    expect(hit?.id).to.equal("block-one");
  });

  it("draws the icons of its tools as lines, whatever fills its strokes", async () => {
    const { element, turn } = await drawing([across("one", "block-one")]);
    await turn(true);
    const paths = [named(element, "Undo"), named(element, "Redo")].flatMap((button) => [...(button?.querySelectorAll("path") ?? [])]);
    expect(paths).not.to.have.length(0);
    for (const path of paths) expect(getComputedStyle(path).fill).to.equal("none");
  });

  it("has an accessible toolbar of radio groups with keyboard support", async () => {
    const { element, turn } = await drawing([across("one", "block-one")]);
    await turn(true);
    const toolbar = element.querySelector("[role=toolbar]");
    expect(toolbar?.getAttribute("aria-label")).to.equal("Drawing");
    expect([...element.querySelectorAll("[role=radiogroup]")].map((group) => group.getAttribute("aria-label"))).to.deep.equal([
      "Tool",
      "Colour",
      "Width",
    ]);
    for (const group of element.querySelectorAll("[role=radiogroup]"))
      expect(group.querySelectorAll("[aria-checked=true]"), group.getAttribute("aria-label") ?? "").to.have.length(1);
    await expectAccessible(element);
    await element.focusTools();
    expect(document.activeElement).to.equal(named(element, "Pen"));
    key(document.activeElement as Element, "ArrowRight");
    expect(document.activeElement).to.equal(named(element, "Highlighter"));
    key(document.activeElement as Element, "End");
    expect(document.activeElement).to.equal(named(element, "Done"));
    key(document.activeElement as Element, "ArrowRight");
    expect(document.activeElement, "round to the first").to.equal(named(element, "Pen"));
    named(element, "Eraser").click();
    await element.updateComplete;
    named(element, "Red").click();
    await element.updateComplete;
    expect(named(element, "Pen").getAttribute("aria-checked"), "a colour means to draw").to.equal("true");
  });

  it("mirrors the toolbar's arrow keys right-to-left", async () => {
    const { element, turn } = await drawing([], "rtl");
    await turn(true);
    await element.focusTools();
    key(document.activeElement as Element, "ArrowLeft");
    expect(document.activeElement).to.equal(named(element, "Highlighter"));
    key(document.activeElement as Element, "ArrowRight");
    expect(document.activeElement).to.equal(named(element, "Pen"));
  });

  it("draws on the block below the pointer and drops a cancelled stroke", async () => {
    const { element, ink, turn } = await drawing();
    await turn(true);
    go(element, "block-two", 30);
    await drawn(element, 1);
    const [stroke] = ink.strokes;
    expect([stroke?.blockId, stroke?.tool, stroke?.colour]).to.deep.equal(["block-two", "pen", "ink"]);
    const box = paths(element)[0]?.getBoundingClientRect();
    const block = (document.getElementById("block-two") as HTMLElement).getBoundingClientRect();
    expect((box?.left ?? 0) - block.left).to.be.closeTo(60, 4);
    expect((box?.top ?? 0) - block.top).to.be.closeTo(30, 4);
    const surface = element.querySelector(".surface") as HTMLElement;
    const begin = { pointerId: 8, pointerType: "mouse", button: 0, clientX: block.left + 20, clientY: block.top + 60 };
    surface.dispatchEvent(new PointerEvent("pointerdown", begin));
    surface.dispatchEvent(new PointerEvent("pointercancel", begin));
    surface.dispatchEvent(new PointerEvent("pointerup", begin));
    expect(ink.strokes).to.have.length(1);
    expect(element.querySelector(".growing path")?.getAttribute("d")).to.equal("");
  });

  it("lets fingers scroll unless they may draw, and after a pen was used", async () => {
    const { element, ink, turn } = await drawing();
    await turn(true);
    const finger = named(element, "Draw with finger");
    if (finger.getAttribute("aria-pressed") === "true") finger.click();
    await element.updateComplete;
    go(element, "block-one", 20, { pointerType: "touch" });
    expect(ink.strokes).to.have.length(0);
    named(element, "Draw with finger").click();
    await element.updateComplete;
    go(element, "block-one", 20, { pointerType: "touch" });
    expect(ink.strokes).to.have.length(1);
    go(element, "block-one", 40, { pointerType: "pen", pressure: 0.7 });
    await element.updateComplete;
    expect(ink.strokes).to.have.length(2);
    go(element, "block-one", 60, { pointerType: "touch" });
    expect(ink.strokes, "a palm beside the pen").to.have.length(2);
  });

  it("erases touched strokes; undo and redo keys ignore typing", async () => {
    const { element, ink, turn } = await drawing([across("one", "block-one"), across("two", "block-two")]);
    await turn(true);
    await drawn(element, 2);
    named(element, "Eraser").click();
    await element.updateComplete;
    go(element, "block-one", 20);
    await drawn(element, 1);
    expect(ink.strokes.map(({ strokeId }) => strokeId)).to.deep.equal(["two"]);
    key(document, "z", { ctrlKey: true });
    await drawn(element, 2);
    key(document, "Z", { ctrlKey: true, shiftKey: true });
    await drawn(element, 1);
    key(document, "z", { metaKey: true });
    await drawn(element, 2);
    key(document, "y", { ctrlKey: true });
    await drawn(element, 1);
    const field = await mount<HTMLInputElement>(html`<input aria-label="Note">`);
    key(field, "z", { ctrlKey: true });
    await element.updateComplete;
    expect(paths(element), "typing undoes its own").to.have.length(1);
    named(element, "Clear the page").click();
    await drawn(element, 0);
    expect(named(element, "Clear the page").getAttribute("aria-disabled")).to.equal("true");
    named(element, "Undo").click();
    await drawn(element, 1);
  });

  it("hides drawings until the next stroke; Escape ends drawing mode", async () => {
    const { element, turn } = await drawing([across("one", "block-one")]);
    await turn(true);
    named(element, "Hide ink").click();
    await element.updateComplete;
    expect(named(element, "Hide ink").getAttribute("aria-pressed")).to.equal("true");
    expect(getComputedStyle(element.querySelector(".strokes") as Element).visibility).to.equal("hidden");
    go(element, "block-two", 20);
    await element.updateComplete;
    expect(getComputedStyle(element.querySelector(".strokes") as Element).visibility).to.equal("visible");
    let ended = 0;
    element.addEventListener("colloquy-drawn", () => (ended += 1));
    key(document, "Escape");
    expect(ended).to.equal(1);
    await turn(false);
    key(document, "Escape");
    expect(ended, "it listens no more").to.equal(1);
  });

  it("counts no stroke as lost while its page is hidden behind a draft", async () => {
    const { element, article, turn } = await drawing([across("one", "block-one")]);
    await drawn(element, 1);
    article.hidden = true;
    await turn(true);
    expect(element.querySelector(".tools [role=status]")).to.equal(null);
    article.hidden = false;
  });

  it("notices strokes whose text a new revision took away", async () => {
    const { element, turn } = await drawing([across("one", "block-one")]);
    await turn(true);
    document.getElementById("block-one")?.remove();
    dispatchEvent(new Event(pageRefreshedEvent));
    await until(() => element.querySelector(".tools [role=status]"), "the strokes that are lost");
  });

  it("reserves room for its tools, so that nothing covers them", async () => {
    const { element, turn } = await drawing();
    const room = () => Number.parseFloat(document.documentElement.style.getPropertyValue("--drawing-room"));
    await turn(true);
    const tools = element.querySelector<HTMLElement>(".tools") ?? expect.fail("no tools");
    await until(() => room() > tools.offsetHeight, "the room");
    // On a phone, notes stand 7 px above the edge and above this room.
    await setViewport({ width: 390, height: 844 });
    await until(() => innerHeight - tools.getBoundingClientRect().top < room() + 2, "the tools at the edge");
    await setViewport({ width: 800, height: 600 });
    await turn(false);
    expect(room()).to.deep.equal(Number.NaN);
  });

  it("finds the block of its article, also where an editor before it has the same id", async () => {
    const editor = document.createElement("section");
    editor.id = "block-one";
    document.body.prepend(editor);
    try {
      const { element, turn } = await drawing([across("one", "block-one")]);
      await turn(true);
      await drawn(element, 1);
      expect(element.querySelector(".tools [role=status]")).to.equal(null);
    } finally {
      editor.remove();
    }
  });

  it("counts and hides strokes whose block is gone", async () => {
    const { element, turn, take, place } = await drawing([across("one", "block-one"), across("gone", "block-gone")]);
    await turn(true);
    const said = () => element.querySelector("[role=status]")?.textContent;
    await until(() => said() === "1 stroke stood on text that is gone from this page.", "says so");
    take("drawing-1", "drawn", { ...place, strokes: [across("gone-2", "block-gone", 60)] });
    await until(() => said() === "2 strokes stood on text that is gone from this page.", "counts");
    const shown = paths(element).filter((path) => path.getBoundingClientRect().width > 0);
    expect(shown).to.have.length(1);
    await expectAccessible(element);
  });

  it("shows and erases strokes of a renamed block at its new place", async () => {
    const { element, ink, turn } = await drawing([across("one", "block-before"), across("two", "block-two")]);
    await turn(true);
    const said = () => element.querySelector("[role=status]")?.textContent;
    await until(() => said() === "1 stroke stood on text that is gone from this page.", "says so");
    ink.follow([
      { from: "block-before", to: "block-one" },
      { from: "block-two", to: "block-one" },
    ]);
    await until(() => said() === undefined, "nothing is gone");
    const tops = () => paths(element).map((path) => Math.round(path.getBoundingClientRect().top));
    const top = (id: string) => (document.getElementById(id) as HTMLElement).getBoundingClientRect().top;
    const [one = 0, two = 0] = tops();
    expect(one - top("block-one")).to.be.within(0, 60);
    expect(two - top("block-two"), "a block that is here is itself").to.be.within(0, 60);
    named(element, "Eraser").click();
    await element.updateComplete;
    go(element, "block-one", 20);
    await drawn(element, 1);
    expect(ink.strokes.map(({ strokeId }) => strokeId)).to.deep.equal(["two"]);
  });

  it("moves strokes with their block without redrawing", async () => {
    const { element, article } = await drawing([across("two", "block-two")]);
    await drawn(element, 1);
    const [path] = paths(element);
    const before = path?.getBoundingClientRect();
    (document.getElementById("block-one") as HTMLElement).style.blockSize = "220px";
    await until(() => (path?.getBoundingClientRect().top ?? 0) - (before?.top ?? 0) > 95, "moved");
    article.style.inlineSize = "250px";
    await until(() => Math.abs((path?.getBoundingClientRect().width ?? 0) - (before?.width ?? 0) / 2) < 3, "half as wide");
    expect(paths(element)[0]).to.equal(path);
  });
});

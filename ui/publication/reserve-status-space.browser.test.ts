import { setViewport } from "@web/test-runner-commands";
import { expect } from "chai";
import { html } from "lit";
import { mount, unmountAll, until } from "../workspace/testing/browser.ts";
import { reserveStatusSpace } from "./reserve-status-space.ts";

describe("the space reserved for the status", () => {
  const ended = new AbortController();
  let above: HTMLElement;
  let box: HTMLElement;
  let text: HTMLTextAreaElement;
  beforeEach(async () => {
    await setViewport({ width: 800, height: 600 });
    const page = await mount<HTMLElement>(html`<div style="padding-block: 900px">
      <div class="editor" style="padding-block-end: calc(var(--status-room, 0px) + 5rem)"><p class="above" style="block-size: 60px; margin: 0">Not drawn yet</p>
        <colloquy-block-field style="display: block"><div class="box"><textarea aria-label="Text" style="display: block; block-size: 100px"></textarea></div></colloquy-block-field></div>
      <div class="status" style="position: fixed; inset: auto 0 10px"><div class="pill" style="block-size: 50px"></div></div></div>`);
    const at = (selector: string) => page.querySelector<HTMLElement>(selector) ?? expect.fail(`no ${selector}`);
    [above, box, text] = [at(".above"), at(".box"), at("textarea") as HTMLTextAreaElement];
    reserveStatusSpace(at(".editor"), at(".status"), ended.signal);
    text.focus({ preventScroll: true });
    scrollTo(0, 0);
    scrollBy(0, foot() - 530);
  });
  afterEach(() => {
    unmountAll();
    scrollTo(0, 0);
  });
  after(() => ended.abort());

  const foot = () => Math.round(box.getBoundingClientRect().bottom);
  /** Above the pill, whose upper edge this is. */
  const isInSight = () => foot() <= 540;
  const grow = (by: number) => {
    text.style.blockSize = `${text.offsetHeight + by}px`;
  };
  const laidOut = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));

  it("keeps the bottom of a growing field visible", async () => {
    await laidOut();
    grow(40);
    await until(isInSight, "after it grew");
    const { scrollY } = window;
    above.style.blockSize = "176px";
    await until(() => window.scrollY > scrollY && isInSight(), "after the block above was drawn");
    grow(40);
    await until(isInSight, "after it grew once more");
  });

  it("follows the status's height without observing its own padding", async () => {
    const pill = document.querySelector<HTMLElement>(".pill") ?? expect.fail("no pill");
    const errors: string[] = [];
    const { signal } = ended;
    addEventListener("error", ({ message }) => errors.push(message), { signal });
    for (const height of [120, 0, 80]) {
      pill.style.blockSize = `${height}px`;
      await until(() => document.documentElement.style.getPropertyValue("--status-room") === `${height + 10}px`, `${height} px`);
      await laidOut();
    }
    expect(errors).to.deep.equal([]);
  });

  it("does not scroll back a field that its author scrolled away", async () => {
    await laidOut();
    scrollBy(0, -200);
    await laidOut();
    const { scrollY } = window;
    grow(40);
    await laidOut();
    expect([window.scrollY, isInSight()]).to.deep.equal([scrollY, false]);
  });
});

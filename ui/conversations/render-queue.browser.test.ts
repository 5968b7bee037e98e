import { emulateMedia, setViewport } from "@web/test-runner-commands";
import { expect } from "chai";
import { loadAnswerWriter } from "../answers/answer.ts";
import { expectAccessible, loadTheme, unmountAll, until } from "../workspace/testing/browser.ts";
import type { ReadingPlace } from "./events.ts";
import type { ExchangeElement } from "./exchange.ts";
import { answer, exchange, frame, loadEngines, running, settle, show } from "./testing/transcripts.ts";
import type { Transcript } from "./transcript.ts";

const long = (count: number) =>
  Array.from({ length: count }, (_, number) =>
    exchange(`turn-${number}`, { question: `Question ${number}?`, answers: [answer(`turn-${number}`)] }),
  );
const parts = (transcript: Transcript) => [...transcript.querySelectorAll<ExchangeElement>("colloquy-exchange")];
const drawn = (transcript: Transcript) => parts(transcript).map((part) => part.querySelector("colloquy-answer p") !== null);
const isDrawn = (transcript: Transcript, milliseconds = 80_000) =>
  until(() => drawn(transcript).every(Boolean), "all to be drawn", milliseconds);
const inView = (transcript: Transcript) => {
  const { top, bottom } = transcript.getBoundingClientRect();
  return parts(transcript).filter((part) => part.getBoundingClientRect().bottom > top && part.getBoundingClientRect().top < bottom);
};
const topOf = (part: Element | undefined) => part?.getBoundingClientRect().top ?? Number.NaN;

/** Idle times come only when they are called for. */
function holdIdle(): { give(): boolean; restore(): void } {
  const { requestIdleCallback: request, cancelIdleCallback: cancel } = window;
  let waiting: IdleRequestCallback[] = [];
  window.requestIdleCallback = (callback) => waiting.push(callback);
  window.cancelIdleCallback = () => {
    waiting = [];
  };
  return {
    give: () => {
      const had = waiting.splice(0);
      for (const callback of had) callback({ didTimeout: false, timeRemaining: () => 0 });
      return had.length > 0;
    },
    restore: () => Object.assign(window, { requestIdleCallback: request, cancelIdleCallback: cancel }),
  };
}

describe("a long transcript", () => {
  let idle: ReturnType<typeof holdIdle>;
  before(async () => {
    await loadTheme();
    await loadAnswerWriter();
    await loadEngines();
    // Without motion, so that a place is a place at once.
    await emulateMedia({ reducedMotion: "reduce" });
  });
  after(() => emulateMedia({ reducedMotion: "no-preference" }));
  beforeEach(async () => {
    await setViewport({ width: 1000, height: 800 });
    idle = holdIdle();
  });
  afterEach(() => {
    idle.restore();
    unmountAll();
  });

  it("renders only its end with the first frame", async () => {
    const transcript = await show(long(60));
    await new Promise(requestAnimationFrame);
    expect(inView(transcript).length).to.be.greaterThan(0);
    expect(inView(transcript).filter((part) => part.waiting)).to.deep.equal([]);
    const end = parts(transcript).at(-1)?.querySelector(".end")?.getBoundingClientRect().bottom ?? 0;
    expect(end).to.be.within(0, transcript.getBoundingClientRect().bottom);
    expect(drawn(transcript).filter(Boolean).length).to.be.lessThan(6);
  });

  it("renders the rest upwards without moving anything", async () => {
    const transcript = await show(long(30));
    await settle(transcript);
    const [first] = inView(transcript);
    const [before, { scrollHeight }] = [topOf(first), transcript];
    for (let step = 0; drawn(transcript).includes(false); step += 1) {
      if (step > 40) throw new Error("drawing does not come to an end");
      const missing = drawn(transcript).lastIndexOf(false);
      await until(() => idle.give(), "quiet is waited for");
      await until(() => drawn(transcript).lastIndexOf(false) < missing, "the next one");
      expect(drawn(transcript).lastIndexOf(false), "the one before is the next").to.equal(missing - 1);
      await frame();
      expect(topOf(first)).to.be.closeTo(before, 1);
    }
    await frame();
    expect(topOf(first)).to.be.closeTo(before, 1);
    expect(transcript.scrollHeight).to.be.greaterThan(scrollHeight * 0.5);
    await expectAccessible(transcript);
  });

  for (const anchoring of ["auto", "none"])
    it(`leaves in its place what a reader scrolled to, where the browser's own anchoring is ${anchoring}`, async () => {
      const transcript = await show(long(30));
      transcript.style.overflowAnchor = anchoring;
      await frame();
      transcript.dispatchEvent(new WheelEvent("wheel"));
      transcript.scrollTop -= 1_500;
      await settle(transcript);
      expect(inView(transcript).filter((part) => part.waiting)).to.deep.equal([]);
      const reading = inView(transcript).find((part) => topOf(part) > topOf(transcript)) ?? inView(transcript)[0];
      const before = topOf(reading);
      for (let step = 0; drawn(transcript).includes(false) && step < 1_000; step += 1) {
        idle.give();
        await frame();
        expect(topOf(reading)).to.be.closeTo(before, 1.5);
      }
      expect(drawn(transcript)).not.to.contain(false);
    });

  it("renders at once what a reader jumps to", async () => {
    const transcript = await show(long(80));
    await frame();
    // By hand: a key glides there where frames are slow, and what it passes is drawn, too.
    transcript.dispatchEvent(new WheelEvent("wheel"));
    transcript.scrollTop = 0;
    await until(() => inView(transcript)[0] === parts(transcript)[0], "the beginning");
    await settle(transcript);
    await until(() => !inView(transcript).some((part) => part.waiting), "what is in view");
    expect(drawn(transcript)[0]).to.equal(true);
    expect(drawn(transcript)[40]).to.equal(false);
  });

  it("opens at its reading position and stays there", async () => {
    const left = await show(long(40));
    await frame();
    left.dispatchEvent(new WheelEvent("wheel"));
    left.scrollTop -= 4_000;
    const place = await new Promise<ReadingPlace | null>((resolve) =>
      left.addEventListener("colloquy-reading-place", (event) => resolve(event.place), { once: true }),
    );
    const said = inView(left).map((part) => part.exchange?.key);
    expect(place?.key).to.equal(said[0]);
    unmountAll();

    const transcript = await show(long(40), false, place);
    await frame();
    const shown = () => inView(transcript).find((part) => part.exchange?.key === place?.key);
    const off = () => topOf(shown()) - topOf(transcript);
    expect(inView(transcript).filter((part) => part.waiting)).to.deep.equal([]);
    expect(off()).to.be.closeTo(place?.offset ?? 0, 1.5);
    for (let step = 0; drawn(transcript).includes(false) && step < 1_000; step += 1) {
      idle.give();
      await frame();
      expect(off()).to.be.closeTo(place?.offset ?? 0, 1.5);
    }
    expect(drawn(transcript)).not.to.contain(false);
  });

  it("is complete in the end, with 500 exchanges in order", async function () {
    // A slow machine takes minutes.
    this.timeout(300_000);
    idle.restore();
    const transcript = await show(long(500));
    await isDrawn(transcript, 280_000);
    expect(parts(transcript).map((part) => part.querySelector(".said p")?.textContent)).to.deep.equal(
      long(500).map(({ question }) => question),
    );
    expect(transcript.querySelectorAll("[waiting]")).to.have.length(0);
  });

  it('renders everything for "Find" and "Select all"', async () => {
    const transcript = await show(long(40));
    await frame();
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "f", ctrlKey: true, bubbles: true }));
    await isDrawn(transcript);
  });

  it("prints completely", async () => {
    const transcript = await show(long(40));
    await frame();
    dispatchEvent(new Event("beforeprint"));
    // What is printed is laid out as soon as nothing is left to be run, before any timer.
    for (let turn = 0; turn < 60; turn += 1) await null;
    expect(drawn(transcript)).not.to.contain(false);
  });

  it("renders new exchanges at once while the rest is deferred", async () => {
    const former = long(40);
    const transcript = await show(former);
    await frame();
    transcript.exchanges = [...former, exchange("n", { answers: [running("n", "It is being written.")] })];
    await until(() => parts(transcript).at(-1)?.textContent?.includes("It is being written."), "the answer");
    await settle(transcript);
    const said = parts(transcript).at(-1)?.querySelector(".said");
    const before = topOf(said ?? undefined);
    for (let step = 0; drawn(transcript).includes(false) && step < 1_000; step += 1) {
      idle.give();
      transcript.exchanges = [...former, exchange("n", { answers: [running("n", `It is being written. ${"More. ".repeat(step)}`)] })];
      await frame();
      expect(topOf(said ?? undefined)).to.be.closeTo(before, 1);
    }
    expect(drawn(transcript)).not.to.contain(false);
  });

  it("renders by a timer without idle callbacks", async () => {
    idle.restore();
    const { requestIdleCallback } = window;
    Reflect.deleteProperty(window, "requestIdleCallback");
    try {
      await isDrawn(await show(long(30)));
    } finally {
      window.requestIdleCallback = requestIdleCallback;
    }
  });
});

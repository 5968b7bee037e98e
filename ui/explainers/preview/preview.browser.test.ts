import type { Scene } from "@colloquy/schemas/explainers/storyboard.ts";
import { emulateMedia, sendKeys, setViewport } from "@web/test-runner-commands";
import { expect } from "chai";
import { expectAccessible, loadTheme, unmountAll, until } from "../../workspace/testing/browser.ts";
import { asked, button, explainer, shows, words } from "../element.fixture.ts";
import { fakeService, job, jobId, previewOf, problem, storyboard } from "../explainer.fixture.ts";

type Colour = readonly [red: number, green: number, blue: number];

/** The colour of a canvas at a place of the design. */
function colourAt(canvas: HTMLCanvasElement, x: number, y: number): Colour {
  const scale = canvas.width / 1280;
  const [red = 0, green = 0, blue = 0] = canvas.getContext("2d")?.getImageData(x * scale, y * scale, 1, 1).data ?? [];
  return [red, green, blue];
}
const isPaper = (colour: Colour) => Math.min(...colour) > 240;

describe("the preview of a storyboard", () => {
  before(loadTheme);
  afterEach(unmountAll);

  async function previewed(service = fakeService()) {
    service.put(job());
    const { element } = await explainer(service, { film: jobId });
    const player = await until(() => element.querySelector("colloquy-preview"), "the preview");
    const canvas = () => player.querySelector("canvas") as HTMLCanvasElement;
    return { service, element, player, canvas };
  }
  async function drawn(service = fakeService()) {
    const all = await previewed(service);
    await until(() => !all.player.querySelector<HTMLButtonElement>(".play")?.disabled, "it can be played");
    return all;
  }
  const requests = ({ asked: all }: ReturnType<typeof fakeService>) => all.filter(({ path }) => path === `/jobs/${jobId}/preview`);
  const range = (player: Element) => player.querySelector<HTMLInputElement>("input[type=range]") as HTMLInputElement;
  const startOf = (index: number) =>
    storyboard.scenes.slice(0, index).reduce((sum, { seconds }) => sum + Math.ceil(seconds * 30 - 1e-6), 0) / 30;

  it("shows all of the first scene, with the video's length and a mark for each scene", async () => {
    const { element, player, canvas, service } = await drawn();
    await until(() => !isPaper(colourAt(canvas(), 500, 200)), "what comes last");
    expect(player.querySelectorAll(".scrub i")).to.have.length(storyboard.scenes.length - 1);
    expect(Number(range(player).max) / 1_000).to.be.closeTo(startOf(storyboard.scenes.length), 0.1);
    expect(requests(service)[0]?.body).to.deep.include({ aspect: "16:9", scenes: storyboard.scenes });
    expect(canvas().getAttribute("aria-label")).to.equal(storyboard.title);
    await expectAccessible(element);
  });

  it("shows each moment as it is sought: what comes later is not there yet", async () => {
    const { player, canvas } = await drawn();
    const seek = (seconds: number) => {
      range(player).value = String(seconds * 1_000);
      range(player).dispatchEvent(new Event("input", { bubbles: true }));
    };
    seek(startOf(1) + 0.5);
    await until(() => isPaper(colourAt(canvas(), 500, 200)) && !isPaper(colourAt(canvas(), 200, 200)), "the first surface alone");
    seek(startOf(2) - 0.2);
    await until(() => !isPaper(colourAt(canvas(), 500, 200)), "both surfaces");
    expect(range(player).getAttribute("aria-valuetext")).to.match(/^0:\d\d of 0:\d\d: What stays$/);
    expect(words(player, ".captions p")).not.to.equal("");
  });

  it("plays and is sought by keyboard, and never plays by itself", async () => {
    const { player } = await drawn();
    const time = () => Number(range(player).value);
    expect(time()).to.equal(0);
    range(player).focus();
    await sendKeys({ press: "End" });
    await until(() => time() === Number(range(player).max), "the end");
    await sendKeys({ press: "Home" });
    await until(() => time() === 0, "the beginning");
    await sendKeys({ press: "ArrowRight" });
    await until(() => time() === 5_000, "five seconds on");
    await sendKeys({ press: "j" });
    await until(() => time() === 0, "ten back");
    await sendKeys({ press: "5" });
    await until(() => Math.abs(time() - Number(range(player).max) / 2) <= 50, "the middle");
    await sendKeys({ press: "0" });
    await until(() => time() === 0, "the beginning");
    await sendKeys({ press: " " });
    await until(() => time() > 0, "it plays");
    expect(player.querySelector(".play")?.getAttribute("aria-label")).to.equal("Pause");
    await sendKeys({ press: " " });
    await until(() => player.querySelector(".play")?.getAttribute("aria-label") === "Play", "it stands");
    await sendKeys({ press: "c" });
    await until(() => player.querySelector(".captions") === null, "no captions");
  });

  it("goes to the scene whose picture is chosen", async () => {
    const { element, player } = await drawn();
    const still = await until(() => element.querySelectorAll<HTMLElement>("colloquy-scene-still button")[3], "the pictures");
    expect(still.getAttribute("aria-label")).to.match(/^Show in the preview: /);
    still.click();
    await until(() => Math.abs(Number(range(player).value) / 1_000 - startOf(3)) < 0.06, "the scene's beginning");
    expect(document.activeElement).to.equal(player.querySelector(".play"));
  });

  it("has each scene's last picture on its card, and its words for who cannot see it", async () => {
    const { element } = await drawn();
    const card = element.querySelectorAll(".scene")[1] as Element;
    const canvas = await until(() => card.querySelector("canvas"), "the picture");
    await until(() => !isPaper(colourAt(canvas, 500, 200)), "what comes last");
    expect(words(card, ".shows .heading")).to.equal("What stays");
    expect(card.querySelector(".shows")?.className).to.contain("visually-hidden");
  });

  it("shows an edited scene once typing stops, and asks for it alone", async () => {
    const { service, element } = await drawn();
    const card = element.querySelectorAll<HTMLElement>(".scene")[1] as HTMLElement;
    button(card, "Change").click();
    const heading = (await until(() => card.querySelector(".form input"), "the fields")) as HTMLInputElement;
    for (const text of ["W", "What", "What turns"]) {
      heading.value = text;
      heading.dispatchEvent(new Event("input", { bubbles: true }));
      await element.updateComplete;
    }
    await until(() => requests(service).length === 2, "the second request");
    const { scenes, wanted } = (requests(service)[1]?.body ?? {}) as { scenes: Scene[]; wanted: string[] };
    expect(wanted).to.deep.equal([scenes[1]?.sceneId]);
    expect(scenes[1]?.content).to.include({ heading: "What turns" });
  });

  it("says why a scene cannot be drawn, in the preview and on its card", async () => {
    const service = fakeService();
    const shown = storyboard.scenes.map((scene, index) =>
      index === 0
        ? { sceneId: scene.sceneId, shown: { kind: "refused", findings: ["Things would lie on one another."] } }
        : previewOf(scene, "16:9"),
    );
    service.instead = (_, path) => (path.endsWith("/preview") ? Response.json({ schemaVersion: 1, scenes: shown }) : null);
    const { element, player } = await previewed(service);
    await until(() => words(player, ".over-picture").includes("Things would lie on one another."), "the reason");
    expect(words(element, ".scene:first-child .frame .findings")).to.equal("Things would lie on one another.");
    await expectAccessible(element);
  });

  it("shows words while the service refuses, and the preview when it answers again", async () => {
    const service = fakeService();
    service.instead = (_, path) =>
      path.endsWith("/preview") ? problem(429, "rate_limited", { retryable: true, retryAfterSeconds: 60 }) : null;
    const { element, player } = await previewed(service);
    await shows(player, "Try again");
    expect(element.querySelector(".scene .frame.shows .heading")?.textContent).to.equal(storyboard.title);
    await expectAccessible(element);
    service.instead = null;
    button(player, "Try again").click();
    await until(() => element.querySelector(".scene canvas") && !player.querySelector(".over-picture"), "the preview");
  });

  it("is upright on a phone that is held upright", async () => {
    await setViewport({ width: 390, height: 844 });
    try {
      const { canvas, service } = await drawn();
      expect(requests(service)[0]?.body?.aspect).to.equal("9:16");
      const { width, height } = canvas();
      expect(height / width).to.be.closeTo(16 / 9, 0.02);
    } finally {
      await setViewport({ width: 800, height: 600 });
    }
  });

  it("is dark where the page is", async () => {
    document.documentElement.dataset.theme = "dark";
    try {
      const { canvas } = await drawn();
      await until(() => Math.max(...colourAt(canvas(), 1_000, 600)) < 60, "dark paper");
    } finally {
      delete document.documentElement.dataset.theme;
    }
  });

  it("stands still with reduced motion until it is played, and can be sought", async () => {
    await emulateMedia({ reducedMotion: "reduce" });
    try {
      const { player } = await drawn();
      range(player).focus();
      await sendKeys({ press: "ArrowRight" });
      await until(() => range(player).value === "5000", "it is sought");
      expect(player.querySelector(".play")?.getAttribute("aria-label")).to.equal("Play");
    } finally {
      await emulateMedia({ reducedMotion: "no-preference" });
    }
  });

  it("asks for nothing while its storyboard is folded away", async () => {
    const service = fakeService();
    service.put(job({ state: "queued" }));
    const { element } = await explainer(service, { film: jobId });
    await until(() => element.querySelector("details colloquy-preview"), "the preview, out of sight");
    expect(asked(service, `/jobs/${jobId}/preview`)).to.equal(undefined);
    element.querySelector<HTMLElement>("details summary")?.click();
    await until(() => asked(service, `/jobs/${jobId}/preview`), "it is asked for");
  });

  it("is loaded when a busy page tells at once that it was out of sight and is in sight", async () => {
    const { IntersectionObserver } = window;
    // When the browser delivers several changes at once cannot be arranged.
    window.IntersectionObserver = class extends IntersectionObserver {
      constructor(told: IntersectionObserverCallback, options?: IntersectionObserverInit) {
        const changes: IntersectionObserverEntry[] = [];
        super((entries, observer) => {
          changes.push(...entries);
          if (entries.at(-1)?.isIntersecting) told(changes.splice(0), observer);
        }, options);
      }
    };
    try {
      const service = fakeService();
      service.put(job({ state: "queued" }));
      const { element } = await explainer(service, { film: jobId });
      await until(() => element.querySelector("details colloquy-preview"), "the preview, out of sight");
      await new Promise((resolve) => setTimeout(resolve, 200));
      element.querySelector<HTMLElement>("details summary")?.click();
      await until(() => asked(service, `/jobs/${jobId}/preview`), "it is asked for", 5_000);
    } finally {
      window.IntersectionObserver = IntersectionObserver;
    }
  });
});

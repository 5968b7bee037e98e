import { setViewport } from "@web/test-runner-commands";
import { expect } from "chai";
import { nothing, render } from "lit";
import { expectAccessible, loadTheme, unmountAll, until } from "../workspace/testing/browser.ts";
import { asked, button, explainer, shows, words } from "./element.fixture.ts";
import { fakeService, film, job, jobId, problem, storyboard, transcript } from "./explainer.fixture.ts";
import type { FilmElement } from "./film.ts";
import { captionsView, transcriptView } from "./transcript-view.ts";

describe("the explainer of a page, with a film", () => {
  before(loadTheme);
  afterEach(unmountAll);

  it("plays by keyboard with captions, chapters and transcript", async () => {
    const service = fakeService();
    service.put(job({ state: "completed", version: 6, films: [film] }));
    const { element } = await explainer(service, { film: jobId });
    const player = (await until(() => element.querySelector("colloquy-film"), "the film")) as FilmElement;
    const video = (await until(() => player.querySelector<HTMLVideoElement>("video[src]"), "the video")) as HTMLVideoElement;
    await until(() => video.readyState >= 1, "it can be sought");
    expect([video.paused, video.autoplay]).to.deep.equal([true, false]);
    const track = [...video.textTracks].find(({ kind }) => kind === "captions");
    await until(
      () => track?.mode === "hidden" && track.cues?.length === 9,
      "the captions, which the browser does not draw over the picture",
    );
    await until(() => player.querySelectorAll(".chapters button").length === 9, "the chapters");
    await expectAccessible(element);
    const press = (key: string, at: Element = player.querySelector(".play") as Element) =>
      at.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    press("l");
    await until(() => video.currentTime === 10, "ten seconds on");
    press("ArrowLeft");
    await until(() => video.currentTime === 5, "five back");
    press("0");
    await until(() => video.currentTime === 0, "the beginning");
    press("5");
    await until(() => Math.abs(video.currentTime - video.duration / 2) < 0.1, "the middle");
    await until(() => words(player, ".captions p") !== "", "the caption of that moment");
    const [picture, captions] = [video, player.querySelector(".captions")].map((one) => one?.getBoundingClientRect());
    expect(captions?.top).to.be.at.least(picture?.bottom ?? Number.NaN);
    press("c");
    await until(() => player.querySelector(".captions") === null, "no captions");
    press(">");
    expect(video.playbackRate).to.equal(1.25);
    player.querySelectorAll<HTMLElement>(".chapters button")[4]?.click();
    await until(() => player.querySelectorAll(".chapters button")[4]?.getAttribute("aria-current") === "true", "the chapter");
    (player.querySelector(".transcript summary") as HTMLElement).click();
    expect(words(player, ".transcript p [aria-current]")).to.equal("One line of a program finds both of them.");
    await until(() => player.querySelector(".transcript .shows .katex"), "a typeset formula");
    expect(words(player, ".transcript .shows"), "a line of an earlier version").to.equal("On screen: What is shown");
    expect(player.querySelector(".transcript .from a")?.getAttribute("href")).to.match(/^\/courses\/linear-maps\/eigenvectors\?mark=/);
    expect(press("k", player.querySelector("select") as Element), "a list keeps its letters").to.equal(true);
    // Without a hand on the page a browser plays what makes no sound.
    video.muted = true;
    press("k");
    await until(() => !video.paused, "it plays");
    press("k");
    await until(() => video.paused, "it stands");
    await expectAccessible(element);
  });

  it("resumes after an outage and remakes a damaged video", async () => {
    const service = fakeService();
    service.put(job({ state: "completed", version: 6, films: [film] }));
    const { element, announced } = await explainer(service, { film: jobId });
    const video = () => element.querySelector("video") as HTMLVideoElement;
    await until(() => element.querySelector("video[src]") && video().readyState >= 1, "it can be sought");
    video().currentTime = 12;
    await until(() => words(element, ".controls .time").startsWith("0:12"), "the place");
    service.instead = (_, path) => (path.endsWith("/artifact") ? problem(503, "unavailable", { retryable: true }) : null);
    video().dispatchEvent(new Event("error"));
    await shows(element, "Retrying automatically.");
    await expectAccessible(element);
    service.instead = null;
    await until(() => element.querySelector(".broken") === null && video().currentTime === 12, "it stands where it was");
    expect(announced).to.include("The video can be played again");
    service.instead = (_, path) => (path.endsWith("/artifact") ? problem(404, "not_found") : null);
    video().dispatchEvent(new Event("error"));
    await shows(element, "A part of this video was lost or damaged");
    await expectAccessible(element);
    button(element, "Make it again").click();
    await until(() => asked(service, `/jobs/${jobId}/render`), "it is approved again");
    expect(asked(service, `/jobs/${jobId}/render`)?.body?.settings).to.deep.equal(film.settings);
    await shows(element, "It is being made again.");
  });

  it("always has a caption in its box, also before the first is spoken and in a pause", async () => {
    const service = fakeService();
    service.put(job({ state: "completed", version: 6, films: [film] }));
    const { element } = await explainer(service, { film: jobId });
    await until(() => element.querySelector(".captions"), "the captions");
    expect(words(element, ".captions p")).not.to.equal("");
    expect(captionsView([{ startMs: 2_000, endMs: 3_000, text: "First" }], 0, "en")).not.to.equal(nothing);
    expect(captionsView([], 0, "en")).to.equal(nothing);
    const at = (milliseconds: number) => {
      const box = document.createElement("div");
      const cues = [
        { startMs: 2_000, endMs: 3_000, text: "First" },
        { startMs: 5_000, endMs: 6_000, text: "Second" },
      ];
      render(captionsView(cues, milliseconds, "en"), box);
      return box.textContent;
    };
    expect([0, 2_500, 4_000, 5_000, 9_000].map(at)).to.deep.equal(["First", "First", "First", "Second", "Second"]);
  });

  it("names its title and a scene's title once on a phone, in rows without holes", async () => {
    await setViewport({ width: 390, height: 844 });
    try {
      const service = fakeService();
      service.put(job({ state: "completed", version: 6, films: [film], topicTitle: storyboard.title }));
      const { element } = await explainer(service, { film: jobId });
      const row = await until(() => element.querySelector<HTMLElement>(".chapters > ol > li"), "the chapters");
      expect(words(element, ".film-head .about")).not.to.contain(storyboard.title);
      expect(words(row, "b")).to.equal(storyboard.title);
      const link = row.querySelector(".from a") as HTMLElement;
      expect(link.textContent?.trim()).to.match(/^Source\b/);
      expect(link.querySelector(".visually-hidden")?.textContent).to.contain(storyboard.title);
      const [button, source] = [row.querySelector("button") as HTMLElement, link].map((one) => one.getBoundingClientRect());
      expect(Math.abs((button?.top ?? 0) + (button?.height ?? 0) / 2 - (source?.top ?? 0) - (source?.height ?? 0) / 2)).to.be.below(2);
    } finally {
      await setViewport({ width: 800, height: 600 });
    }
  });

  it("joins the terms of a formula without a sign between them", () => {
    const terms = ["T(v+w)", "=T(v)", "+T(w)"].map((text) => ({ as: "formula" as const, text, label: "" }));
    const shows = [...terms, { as: "words" as const, text: "The rule", label: "" }];
    const scenes = transcript.scenes.slice(0, 1).map((scene) => ({ ...scene, shows }));
    const box = document.createElement("div");
    render(
      transcriptView({ ...transcript, scenes }, [], 0, () => undefined),
      box,
    );
    expect(box.querySelector(".shows")?.textContent?.match(/·/g)).to.have.length(1);
  });

  it("shows a tall video on a phone with its controls in view", async () => {
    // What the bars of a browser leave of it.
    await setViewport({ width: 390, height: 667 });
    try {
      const service = fakeService();
      const tall = { ...film, settings: { ...film.settings, aspect: "9:16" as const } };
      service.put(job({ state: "completed", version: 6, films: [tall] }));
      const { element } = await explainer(service, { film: jobId });
      const play = await until(() => element.querySelector<HTMLElement>(".controls .play"), "the film");
      await until(() => element.querySelector(".captions"), "the captions");
      expect(play.getBoundingClientRect().bottom).to.be.at.most(innerHeight);
      expect(element.querySelector("video")?.getBoundingClientRect().height, "and large enough").to.be.at.least(innerHeight / 3);
    } finally {
      await setViewport({ width: 800, height: 600 });
    }
  });

  it("fits all controls at 320 px and with text of twice the size", async () => {
    const service = fakeService();
    const spoken = { ...film, settings: { ...film.settings, voice: "spoken" as const } };
    service.put(job({ state: "completed", version: 6, films: [spoken] }));
    const { element } = await explainer(service, { film: jobId });
    const player = await until(() => element.querySelector("colloquy-film"), "the film");
    await until(() => player.querySelector(".save") && player.querySelector(".chapters button"), "all of it");
    const controls = player.querySelector(".controls") as HTMLElement;
    for (const [width, size] of [
      [320, 100],
      [195, 100],
      [640, 200],
      [320, 200],
    ] as const) {
      element.style.inlineSize = `${width}px`;
      document.documentElement.style.fontSize = `${size}%`;
      const { right, left } = player.getBoundingClientRect();
      const outside = [...controls.querySelectorAll("button, select, a, input")].filter((one) => {
        const box = one.getBoundingClientRect();
        return box.right > right || box.left < left;
      });
      const sideways = element.scrollWidth - element.clientWidth;
      document.documentElement.style.removeProperty("font-size");
      expect({ outside, sideways }, `at ${width} px and ${size} %`).to.deep.equal({ outside: [], sideways: 0 });
    }
  });
});

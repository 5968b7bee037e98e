import type { RenderSettings } from "@colloquy/schemas/explainers/film.ts";
import { setViewport } from "@web/test-runner-commands";
import { expect } from "chai";
import { expectAccessible, loadTheme, unmountAll, until } from "../workspace/testing/browser.ts";
import { asked, button, drawn, explainer, holdUprightInTheDark, type Service, shows, sitBeforeAScreen, words } from "./element.fixture.ts";
import { courseId, fakeService, film, job, jobId, problem, topicId, topicTitle } from "./explainer.fixture.ts";

describe("the explainer of a page", () => {
  before(loadTheme);
  afterEach(unmountAll);

  it("loads the page's title when the address lacks it", async () => {
    const named = async (service: Service) => {
      const { element } = await explainer(service);
      await until(() => element.ariaLabel === `Video: ${topicTitle}`, "it is called by its page");
      return element;
    };
    const element = await named(fakeService());
    expect(words(element, ".about")).to.include(topicTitle);
    expect(element.pageTitle, "what a tab is called by").to.equal(topicTitle);
    await expectAccessible(element);
    unmountAll();
    const service = fakeService();
    service.put(job({ state: "completed", version: 6, films: [film] }));
    expect(words(await named(service), ".about")).to.include(topicTitle);
    expect(asked(service, `/api/courses/${courseId}`), "its films say it").to.equal(undefined);
  });

  describe("as wide and dark as the page", () => {
    after(sitBeforeAScreen);
    const asThePage = (aspect: "16:9" | "9:16", theme: "light" | "dark"): RenderSettings => ({ aspect, height: 720, theme, voice: "none" });
    const pages = [
      { page: "on a screen in the light", become: sitBeforeAScreen, settings: asThePage("16:9", "light") },
      { page: "on an upright phone in the dark", become: holdUprightInTheDark, settings: asThePage("9:16", "dark") },
    ];
    it("says of an offered film that AI may have drafted it, not that the authors made it", async () => {
      const service = fakeService();
      const film = { topicId, emphasis: "intuition", title: "Directions that stay" };
      Object.assign(service.offer, { prepared: [{ ...film, filmId: "job-offered-01" }] });
      const { element } = await explainer(service);
      await shows(element, "Offered by the owners of this course. It may have been drafted with AI");
      expect(element.textContent).not.to.include("Made by the authors");
    });

    for (const { page, become, settings } of pages) {
      it(`makes a film of the course's authors at one press ${page}`, async () => {
        await become();
        const service = fakeService();
        const prepared = [{ topicId, emphasis: "intuition", title: "Directions that stay" }];
        Object.assign(service.offer, {
          prepared: [...prepared, { topicId: "topic-other-01", emphasis: "intuition", title: "Another page" }],
        });
        const { element } = await explainer(service);
        await shows(element, "Directions that stay");
        expect(element.textContent).not.to.include("Another page");
        await expectAccessible(element);
        button(element, "Watch the video").click();
        await until(() => asked(service, "/storyboard"), "the request");
        const next = job();
        service.put(next);
        service.frame({ kind: "complete", jobId: next.jobId, version: next.version, review: next.review } as never);
        const render = `/jobs/${next.jobId}/render`;
        await until(() => asked(service, render), "the approval");
        expect(asked(service, render)?.body?.settings).to.deep.equal(settings);
      });

      const [viewer, other] = [
        { ...film, renderId: "render-viewer", settings },
        { ...film, renderId: "render-other", settings: asThePage(settings.aspect === "9:16" ? "16:9" : "9:16", "light") },
      ];
      const shown = (element: Element) => element.querySelector("colloquy-film")?.film?.renderId;

      it(`shows the version that suits ${page}, and not the newest`, async () => {
        await become();
        const service = fakeService();
        service.put(job({ state: "completed", films: [viewer, other] }));
        const { element } = await explainer(service, { film: jobId });
        await until(() => shown(element), "a film");
        expect(shown(element)).to.equal(viewer.renderId);
        expect(element.textContent).to.not.match(/Watch the \w+ version/u);
      });

      it(`makes the version that suits ${page} when it is asked for, beside the one there is`, async () => {
        await become();
        const service = fakeService();
        service.put(job({ state: "completed", films: [other] }));
        const { element } = await explainer(service, { film: jobId });
        const name = settings.aspect === "9:16" ? "Watch the tall version" : "Watch the wide version";
        await until(() => button(element, name), "the button");
        expect(asked(service, `/jobs/${jobId}/render`)).to.equal(undefined);
        await expectAccessible(element);
        button(element, name).click();
        const render = await until(() => asked(service, `/jobs/${jobId}/render`), "the approval");
        expect(render.body?.settings).to.deep.equal(settings);
        await until(() => service.telling, "it is followed");
        await until(() => element.querySelector(".making progress"), "the progress");
        expect(shown(element)).to.equal(other.renderId);
        expect(button(element, name)).to.equal(undefined);
        service.put(job({ state: "completed", version: 6, films: [other, viewer] }));
        service.tell({ version: 6, state: "completed", percent: 100 });
        await until(() => shown(element) === viewer.renderId, "the version that suits");
      });

      const offered = { topicId, emphasis: "intuition", title: job().storyboard.title };
      const drafts = (service: Service) => service.asked.filter(({ path }) => path === "/storyboard").length;

      it(`makes the version of the account's copy that suits ${page} at one press`, async () => {
        await become();
        const service = fakeService();
        Object.assign(service.offer, { prepared: [offered] });
        service.put(job({ state: "completed", films: [other] }));
        const { element } = await explainer(service);
        await until(() => button(element, "Watch the video"), "the offer");
        button(element, "Watch the video").click();
        await until(() => asked(service, `/jobs/${jobId}/render`), "the approval");
        expect(asked(service, `/jobs/${jobId}/render`)?.body?.settings).to.deep.equal(settings);
        expect(drafts(service)).to.equal(0);
      });

      it(`makes a drafted film ${page}, unless the learner chooses otherwise`, async () => {
        await become();
        const service = fakeService();
        const { element } = await explainer(service);
        await drawn(service, element);
        (element.querySelector("input[name='film-height']:not(:checked)") as HTMLElement).click();
        button(element.querySelector(".approve") as Element, "Make the video").click();
        const render = await until(() => asked(service, `/jobs/${job().jobId}/render`), "the approval");
        expect(render.body?.settings).to.deep.equal({ ...settings, height: 1080 });
      });
    }
  });

  describe("in a pane of a wide page", () => {
    const inPane = async (service: Service, { width, height, film }: { width: number; height: number; film?: string }) => {
      await setViewport({ width: 1_280, height });
      const { element } = await explainer(service, film === undefined ? {} : { film });
      element.style.inlineSize = `${width}px`;
      return element;
    };
    afterEach(sitBeforeAScreen);

    for (const { name, width, height, aspect } of [
      { name: "an upright film where it is narrow", width: 390, height: 900, aspect: "9:16" },
      { name: "a wide film where it is narrow and low", width: 390, height: 500, aspect: "16:9" },
      { name: "a wide film where there is room for one", width: 640, height: 900, aspect: "16:9" },
    ] as const)
      it(`makes ${name}`, async () => {
        const service = fakeService();
        Object.assign(service.offer, { prepared: [{ topicId, emphasis: "intuition", title: job().storyboard.title }] });
        const element = await inPane(service, { width, height });
        (await until(() => button(element, "Watch the video"), "the offer")).click();
        await until(() => asked(service, "/storyboard"), "the request");
        service.put(job());
        service.frame({ kind: "complete", jobId, version: job().version, review: job().review } as never);
        const render = await until(() => asked(service, `/jobs/${jobId}/render`), "the approval");
        expect(render.body?.settings).to.include({ aspect });
      });

    it("shows the upright version once it is narrow, with text of at least 12 px while it plays", async () => {
      const service = fakeService();
      const settings = { ...film.settings, theme: "light" as const };
      const wide = { ...film, renderId: "render-wide", settings: { ...settings, aspect: "16:9" as const } };
      const tall = { ...film, renderId: "render-tall", settings: { ...settings, aspect: "9:16" as const } };
      service.put(job({ state: "completed", films: [tall, wide] }));
      const element = await inPane(service, { width: 800, height: 900, film: jobId });
      const shown = () => element.querySelector("colloquy-film")?.film?.renderId;
      await until(() => shown() === wide.renderId, "the wide version");
      element.style.inlineSize = "390px";
      await until(() => shown() === tall.renderId, "the tall version");
      const video = await until(() => element.querySelector("video"), "the picture");
      video.dispatchEvent(new Event("play"));
      await until(() => element.querySelector("[data-begun]"), "it begins");
      const { width, height } = video.getBoundingClientRect();
      expect(element.querySelector("colloquy-film")?.clientWidth).to.be.closeTo(350, 2);
      // A tall film is laid out 720 wide and 1280 high.
      expect(25 * Math.min(width / 720, height / 1_280)).to.be.at.least(12);
    });
  });

  it("says what to do when a draft moves too little, and no percentages", async () => {
    const service = fakeService();
    const { element } = await explainer(service);
    (await until(() => element.querySelector<HTMLElement>("[data-emphasis='exam-recap']"), "the choice")).click();
    await until(() => asked(service, "/storyboard"), "the request");
    const detail = "Pictures change for 34 % of the film, and 35 % is the least.";
    const findings = [{ sceneId: "scene-000001", problem: "layout", detail, by: "application" }];
    service.frame({ kind: "error", code: "storyboard_rejected", title: "x", retryable: true, findings } as never);
    await shows(element, "Choose another focus");
    expect(element.textContent).to.not.include("34 %");
  });

  it("offers the authors' films of a page of which no storyboard passes", async () => {
    const service = fakeService();
    Object.assign(service.offer, { prepared: [{ topicId, emphasis: "intuition", title: "Directions that stay" }] });
    const { element } = await explainer(service);
    (await until(() => element.querySelector<HTMLElement>("[data-emphasis='exam-recap']"), "the choice")).click();
    await until(() => asked(service, "/storyboard"), "the request");
    service.frame({
      kind: "error",
      code: "storyboard_rejected",
      title: "x",
      retryable: true,
      findings: [{ sceneId: null, problem: "unsupported", detail: "This page has too little to show.", by: "model" }],
    } as never);
    await shows(element, "This page has too little to show.");
    expect(element.textContent, "nothing was reviewed").to.not.match(/review|Not in the source/);
    await expectAccessible(element);
    service.asked.length = 0;
    (await until(() => button(element, "Watch the video"), "the authors' film")).click();
    const request = await until(() => asked(service, "/storyboard"), "the request");
    expect(request.body?.emphasis).to.equal("intuition");
  });

  it("joins the account's copy of a film that is being made already", async () => {
    const service = fakeService();
    Object.assign(service.offer, { prepared: [{ topicId, emphasis: "intuition", title: job().storyboard.title }] });
    service.put(job({ jobId: "job-film-other", state: "completed", emphasis: "exam-recap", films: [film] }));
    const { element } = await explainer(service, { film: "job-film-other" });
    service.put(job({ state: "rendering", version: 5 }));
    (await until(() => button(element, "Another"), "the way to a new one")).click();
    (await until(() => button(element, "Watch the video"), "the offer")).click();
    await until(() => service.telling, "it is followed");
    expect(asked(service, "/storyboard")).to.equal(undefined);
    expect(asked(service, `/jobs/${jobId}/render`)).to.equal(undefined);
  });

  it("says why nothing can be made or shown", async () => {
    const says = async (change: (service: Service) => void, text: string, more = {}) => {
      const service = fakeService();
      change(service);
      const { element } = await explainer(service, more);
      await shows(element, text);
      await expectAccessible(element);
      unmountAll();
    };
    await says((service) => Object.assign(service.offer, { left: 0 }), "today's limit of videos");
    await says((service) => Object.assign(service.offer, { offered: false }), "This course has no videos");
    await says((service) => (service.instead = () => problem(403, "not_allowed")), "No videos here");
    await says((service) => (service.instead = () => problem(401, "sign_in_required")), "Sign in to continue");
    await says((service) => (service.instead = () => problem(503, "unavailable", { retryable: true })), "Try again");
    await says(() => undefined, "This video was deleted", { film: "job-unknown-1" });
    const service = fakeService();
    const { element } = await explainer(service);
    service.instead = (method) => (method === "POST" ? problem(429, "quota_exhausted") : null);
    (element.querySelector("[data-emphasis]") as HTMLElement).click();
    await shows(element, "You can still watch and change the ones you have.");
    expect(button(element, "Try again")).to.equal(undefined);
    const full = fakeService();
    const { element: other } = await explainer(full);
    await drawn(full, other);
    full.instead = (method) => (method === "POST" ? problem(429, "quota_exhausted") : null);
    button(other.querySelector(".approve") as Element, "Make the video").click();
    await shows(other, "Too many of your videos are in the queue");
    expect(other.textContent, "it is no storyboard that there are too many of").to.not.include("today's limit of videos");
  });
});

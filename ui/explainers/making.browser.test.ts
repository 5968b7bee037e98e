import { expect } from "chai";
import { expectAccessible, loadTheme, unmountAll, until } from "../workspace/testing/browser.ts";
import { asked, button, drawn, explainer, shows, words } from "./element.fixture.ts";
import { fakeService, film, job, jobId, problem, storyboard } from "./explainer.fixture.ts";

describe("the explainer of a page, while a film is made", () => {
  before(loadTheme);
  afterEach(unmountAll);

  it("shows progress after approval and after a broken connection", async () => {
    const service = fakeService();
    const { element, announced } = await explainer(service);
    await drawn(service, element);
    (element.querySelector("input[name='film-theme']:not(:checked)") as HTMLElement).click();
    button(element.querySelector(".approve") as Element, "Make the video").click();
    await until(() => service.telling, "it is followed");
    expect(asked(service, `/jobs/${jobId}/render`)?.body).to.deep.include({
      expectedVersion: 2,
      settings: { aspect: "16:9", height: 720, theme: "dark", voice: "none" },
    });
    service.tell({ version: 4, state: "rendering", percent: 40, remainingMs: 4_000, progress: { stage: "drawing", done: 4, total: 10 } });
    await until(() => element.querySelector<HTMLProgressElement>("progress")?.value === 40, "how far it is");
    expect(words(element, ".making")).to.include("Drawing the frames").and.include("a few seconds left").and.include("dark");
    await expectAccessible(element);
    service.breakOff();
    await shows(element, "reconnecting");
    await until(() => service.telling, "it is followed again");
    expect(asked(service, `/jobs/${jobId}/events`)?.lastEventId).to.equal("4");
    service.put(job({ state: "completed", version: 6, films: [film] }));
    service.tell({ version: 6, state: "completed", percent: 100 });
    await until(() => element.querySelector("colloquy-film"), "the film");
    expect(announced).to.include.members(["The video is being made", "The video is ready"]);
    expect(element.querySelectorAll(".making progress").length).to.equal(0);
  });

  it("shows the place in the queue and offers Cancel", async () => {
    const service = fakeService();
    service.put(job({ state: "queued", version: 4 }));
    const { element } = await explainer(service);
    await until(() => service.telling, "it is followed");
    service.tell({ version: 4, state: "queued", ahead: 3 });
    await shows(element, "At most 3 videos are ahead in the queue. You can leave this page, or cancel it.");
    await expectAccessible(element);
    service.tell({ version: 4, state: "queued", ahead: 0 });
    await shows(element, "It is next in the queue.");
    service.tell({ version: 5, state: "rendering", percent: 1 });
    await shows(element, "You can leave this page. The video will be here when you come back.");
    expect(button(element, "Cancel").disabled).to.equal(false);
  });

  it("shows the same state in the list and on the card", async () => {
    const service = fakeService();
    const other = job({ jobId: "job-film-0002", state: "queued", version: 4 });
    service.put(other);
    service.put(job({ state: "queued", version: 4 }));
    const { element } = await explainer(service, { film: jobId });
    const listed = () => [...element.querySelectorAll(".films li em")].map((one) => one.textContent);
    await until(() => service.telling, "it is followed");
    expect(listed()).to.deep.equal(["Waiting", "Waiting"]);
    service.tell({ version: 5, state: "rendering", percent: 31 });
    await until(() => element.querySelector<HTMLProgressElement>("progress")?.value === 31, "how far it is");
    expect(listed()).to.deep.equal(["Rendering", "Waiting"]);
    service.jobs = [job({ state: "rendering", version: 5 }), { ...other, state: "completed", version: 6, films: [film] }];
    (element.querySelector(".films li:nth-child(2) button") as HTMLElement).click();
    await until(() => element.querySelector("colloquy-film"), "the other film");
    expect(listed()).to.deep.equal(["Rendering", "Ready"]);
  });

  it("hides the remaining time while no events arrive", async () => {
    const service = fakeService();
    service.put(job({ state: "rendering", version: 5, attempt: 1 }));
    const { element, announced } = await explainer(service);
    await until(() => service.telling, "it is followed");
    const progress = { stage: "drawing" as const, done: 3, total: 10 };
    service.tell({ version: 5, state: "rendering", percent: 31, remainingMs: 4_000, progress });
    await shows(element, "a few seconds left");
    await shows(element, "This takes longer than usual.");
    expect(words(element, ".making")).to.not.include("left");
    expect(announced.filter((text) => text.startsWith("This takes longer"))).to.have.length(1);
    await expectAccessible(element);
    service.tell({ version: 6, state: "rendering", attempt: 2, percent: 40, remainingMs: 9_000, progress: { ...progress, done: 4 } });
    await shows(element, "about 10 seconds left");
    expect(words(element, ".making")).to.include("try 2 of 4").and.not.include("longer");
  });

  it("finds a running render after a reload, cancels it, explains failures", async () => {
    const service = fakeService();
    service.put(job({ state: "rendering", version: 5, attempt: 2, progress: { stage: "encoding", done: 1, total: 2 } }));
    const { element } = await explainer(service);
    await until(() => service.telling, "it is followed");
    expect(words(element, ".making")).to.include("Joining them into a video").and.include("try 2 of 4");
    button(element, "Cancel").click();
    await shows(element, "You cancelled it");
    await expectAccessible(element);
    unmountAll();
    service.put(job({ state: "failed", version: 9, attempt: 4, failure: { code: "out_of_memory", retryable: true } }));
    const { element: later } = await explainer(service, { film: jobId });
    await shows(later, "choose the smaller size");
    expect(words(later, ".trouble")).to.include("It was tried 4 times.");
    await expectAccessible(later);
    button(later, "Try again").click();
    await until(() => later.querySelector(".making"), "it is made again");
  });

  it("recovers when the service returns and announces it once", async () => {
    const service = fakeService();
    service.put(job({ state: "rendering", version: 5, attempt: 1 }));
    let refused = 0;
    const away = () => {
      refused += 1;
      return problem(503, "unavailable", { retryable: true, title: "The service is not available right now." });
    };
    service.instead = away;
    const { element, announced } = await explainer(service);
    await until(() => refused >= 4, "it is asked for again by itself");
    await expectAccessible(element);
    service.instead = null;
    await until(() => service.telling, "it is followed");
    expect(announced).to.deep.equal(["The service is not available right now.", "The service is back"]);
    service.tell({ version: 5, state: "rendering", percent: 60 });
    await until(() => element.querySelector<HTMLProgressElement>("progress")?.value === 60, "how far it is");
    service.instead = (method) => (method === "GET" ? away() : null);
    service.put(job({ state: "completed", version: 6, films: [film] }));
    service.tell({ version: 6, state: "completed", percent: 100 });
    await shows(element, "The service does not respond");
    expect(element.querySelectorAll(".scene"), "what was shown stays").to.have.length(9);
    await expectAccessible(element);
    service.instead = null;
    await until(() => element.querySelector("colloquy-film"), "the film");
    expect(element.textContent).to.not.include("The service does not respond");
    expect(announced.filter((text) => text === "The service is back")).to.have.length(2);
  });

  it("offers to remake a video after checked edits", async () => {
    const service = fakeService();
    const tall = { ...film, settings: { ...film.settings, aspect: "9:16" as const, theme: "dark" as const } };
    const edited = { ...storyboard, storyboardId: "storyboard-0002" };
    service.put(job({ state: "drafted", version: 9, films: [tall], storyboard: edited }));
    const { element } = await explainer(service, { film: jobId });
    await shows(element, "Your changes are checked.");
    expect(words(element, ".next")).to.include("tall, dark, 720p").and.include("Only changed scenes are drawn again");
    await expectAccessible(element);
    button(element, "Make it again").click();
    await until(() => element.querySelector(".making"), "it is made");
    expect(asked(service, `/jobs/${jobId}/render`)?.body?.settings).to.deep.equal(tall.settings);
    await shows(element, "Until it is ready, you see the video of the earlier storyboard.");
    expect(button(element, "Make it again")).to.equal(undefined);
  });

  it("offers no video for a course without videos, and explains a refusal", async () => {
    const service = fakeService();
    service.put(job());
    const { element } = await explainer(service, { film: jobId });
    await until(() => element.querySelector(".approve"), "what can be made");
    service.instead = (method) => (method === "POST" ? problem(403, "not_allowed") : null);
    button(element, "Make the video").click();
    await shows(element, "No new ones can be made");
    service.instead = null;
    service.offer = { ...service.offer, offered: false };
    const { element: later } = await explainer(service, { film: jobId });
    await shows(later, "No new ones can be made");
    expect(later.querySelector(".approve")).to.equal(null);
    await expectAccessible(later);
  });

  it("offers a silent video when speech failed", async () => {
    const service = fakeService();
    service.offer.voices = true;
    const settings = { ...film.settings, height: 1080 as const, voice: "spoken" as const };
    service.put(job({ state: "failed", version: 9, settings, failure: { code: "speech_unavailable", retryable: true } }));
    const { element } = await explainer(service, { film: jobId });
    await shows(element, "make a silent video");
    await expectAccessible(element);
    (element.querySelector("[name='film-theme']:not(:checked)") as HTMLElement).click();
    button(element, "Make it silent").click();
    await until(() => element.querySelector(".making"), "it is made");
    expect(asked(service, `/jobs/${jobId}/render`)?.body).to.deep.include({ settings: { ...settings, voice: "none" }, expectedVersion: 9 });
    await until(() => service.telling, "it is followed");
    const made = { ...settings, voice: "none" as const };
    service.put(job({ state: "completed", version: 12, settings: made, films: [{ ...film, settings: made }] }));
    service.tell({ version: 12, state: "completed" });
    await until(() => element.querySelector("colloquy-film"), "the film");
    const silent = await until(() => element.querySelector<HTMLInputElement>("[name='film-voice']"), "how it can be made");
    expect(silent.checked, "the voice is not wished for any more").to.equal(true);
  });
});

import { bounds } from "@colloquy/schemas/bounds.ts";
import type { StoryboardFrame } from "@colloquy/schemas/explainer/requests.ts";
import { setViewport } from "@web/test-runner-commands";
import { expect } from "chai";
import { html } from "lit";
import { type AccountStore, memoryTables } from "../store/account-store.ts";
import { expectAccessible, loadTheme, mount, unmountAll, until } from "../workspace/testing/browser.ts";
import { courseId, film, job, jobId, playedService, problem, storyboard, topicId, topicTitle } from "./explainer.fixture.ts";
import "./explainer.ts";
import type { ExplainerElement } from "./explainer.ts";
import type { FilmElement } from "./film.ts";

type Service = ReturnType<typeof playedService>;

async function explainer(service: Service, more: { film?: string; session?: string; store?: Pick<AccountStore, "workspace"> } = {}) {
  const announced: string[] = [];
  const recorded: string[] = [];
  const element =
    await mount<ExplainerElement>(html`<colloquy-explainer foreign .of=${`${courseId}.${topicId}`} .film=${more.film ?? null} .fetch=${service.fetch}
    .store=${more.store ?? null} .sessionOf=${() => more.session ?? null} .onRecorded=${(sessionId: string) => recorded.push(sessionId)} @colloquy-announce=${(event: Event & { text: string }) => announced.push(event.text)}></colloquy-explainer>`);
  await until(() => element.ariaBusy === "false", "something is shown");
  return { element, announced, recorded };
}

const words = (element: Element, selector: string) => element.querySelector(selector)?.textContent?.replaceAll(/\s+/g, " ").trim() ?? "";
const button = (element: Element, text: string) =>
  [...element.querySelectorAll("button")].find(
    (one) => one.textContent?.includes(text) || one.ariaLabel?.includes(text),
  ) as HTMLButtonElement;
const shows = (element: Element, text: string) => until(() => element.textContent?.replaceAll(/\s+/g, " ").includes(text), `shows ${text}`);
const asked = (service: Service, path: string) => service.asked.findLast((one) => one.path === path);
const status = (phase: "retrieving" | "drafting" | "validating" | "reviewing", detail?: object) =>
  ({ kind: "status", phase, elapsedMs: 1, ...(detail && { detail }) }) as unknown as StoryboardFrame;

/** Draws up a storyboard until it is there. */
async function drawn(service: Service, element: ExplainerElement, next = job()) {
  (element.querySelector("[data-emphasis='intuition']") as HTMLElement).click();
  await until(() => asked(service, "/storyboard"), "the request");
  service.put(next);
  service.frame({ kind: "artifact", artifact: storyboard } as never);
  service.frame({ kind: "complete", jobId, version: next.version, review: next.review } as never);
  await until(() => element.querySelector(".approve"), "the storyboard");
}

describe("the explainer of a page", () => {
  before(loadTheme);
  afterEach(unmountAll);

  it("asks what the film is to do, draws the storyboard up before one's eyes, and can be stopped", async () => {
    const service = playedService();
    const { element, announced } = await explainer(service);
    expect([...element.querySelectorAll("[data-emphasis]")].map((one) => one.querySelector("b")?.textContent)).to.deep.equal([
      "Intuition",
      "Worked example",
      "Common mistakes",
      "Exam recap",
    ]);
    await expectAccessible(element);
    (element.querySelector("[data-emphasis='exam-recap']") as HTMLElement).click();
    await until(() => asked(service, "/storyboard"), "the request");
    expect(asked(service, "/storyboard")?.body)
      .to.include({ courseId, topicId, emphasis: "exam-recap" })
      .and.deep.include({ model: { choice: "automatic" } });
    service.frame(status("retrieving", { sources: 4 }));
    service.frame(status("drafting"));
    await until(() => words(element, ".phases .here").startsWith("Writing the scenes"), "the phase");
    expect(words(element, ".phases .over")).to.include("4 sources");
    service.frame({ kind: "artifact", artifact: storyboard } as never);
    await until(() => element.querySelectorAll(".scene").length === 9, "the scenes");
    service.frame(status("reviewing", { repairing: true }));
    await shows(element, "mending what was found, once");
    await expectAccessible(element);
    button(element, "Stop").click();
    await until(() => element.querySelector("[data-emphasis]"), "the choice again");
    expect(announced).to.include("Stopped");
  });

  it("finds out what its page is called where the address does not say it, with and without films of it", async () => {
    const named = async (service: Service) => {
      const { element } = await explainer(service);
      await until(() => element.ariaLabel === `Film: ${topicTitle}`, "it is called by its page");
      return element;
    };
    const element = await named(playedService());
    expect(words(element, ".about")).to.include(topicTitle);
    expect(element.pageTitle, "what a tab is called by").to.equal(topicTitle);
    await expectAccessible(element);
    unmountAll();
    const service = playedService();
    service.put(job({ state: "completed", version: 6, films: [film] }));
    expect(words(await named(service), ".about")).to.include(topicTitle);
    expect(asked(service, `/api/courses/${courseId}`), "its films say it").to.equal(undefined);
  });

  it("shows every layout with what it stands on, and findings at their scene", async () => {
    const service = playedService();
    const { element } = await explainer(service);
    const sceneId = storyboard.scenes[2]?.sceneId ?? null;
    const findings = [
      { sceneId, problem: "level" as const, detail: "It needs matrices.", by: "model" as const },
      { sceneId: null, problem: "order" as const, detail: "The example comes late.", by: "application" as const },
    ];
    await drawn(service, element, job({ review: { approved: true, repaired: true, findings } }));
    await until(() => element.querySelector(".scene .katex"), "the formula");
    expect(words(element, `[data-scene="${sceneId}"] .findings`)).to.equal(
      "Too hard or too easy It needs matrices. found by the second look",
    );
    expect(words(element, ".findings.whole")).to.include("found by Colloquy's own checks");
    expect(element.querySelector("svg.diagram")?.ariaLabel).to.equal(
      "Write the equation to Find the numbers: determinant; Find the numbers to Solve for arrows: each; Solve for arrows to Find the numbers: next",
    );
    expect(element.querySelectorAll("svg.plot .curve")).to.have.length(1);
    const equals = await until(() => element.querySelector(".term:nth-child(2) .katex-html"), "the sign between two terms");
    expect(equals.querySelectorAll(".mspace"), "it has the room it has within a formula, on either side").to.have.length(2);
    const chip = element.querySelector<HTMLAnchorElement>(".scene .sources a");
    expect(chip?.getAttribute("href")).to.equal(
      `/courses/linear-maps/eigenvectors?mark=${encodeURIComponent(storyboard.sources[0]?.quote ?? "")}#block-1`,
    );
    await expectAccessible(element);
  });

  it("changes, moves and drops scenes, says at once what is not as it must be, takes back, and has it checked again", async () => {
    const service = playedService();
    const { element } = await explainer(service);
    await drawn(service, element);
    const card = (index: number) => element.querySelectorAll<HTMLElement>(".scene")[index] as HTMLElement;
    button(card(1), "Change").click();
    const heading = (await until(() => card(1).querySelector(".form input"), "the fields")) as HTMLInputElement;
    await until(() => heading.getBoundingClientRect().bottom <= innerHeight, "the fields in sight");
    await expectAccessible(element);
    const write = (text: string) => {
      heading.value = text;
      heading.dispatchEvent(new Event("input", { bubbles: true }));
    };
    write("x".repeat(81));
    await until(() => heading.ariaInvalid === "true" || heading.getAttribute("aria-invalid") === "true", "the trouble");
    expect(words(card(1), ".field .note")).to.equal("Too long. 81 of 80 letters");
    expect(button(element, "Check again").disabled).to.equal(true);
    write("What stays the same");
    await until(() => !button(element, "Check again").disabled, "it is whole");
    expect(words(card(1), ".frame .heading")).to.equal("What stays the same");
    expect(element.querySelector(".approve"), "what was changed is checked before it is made").to.equal(null);
    button(card(1), "Later").click();
    await until(() => words(card(2), ".frame .heading") === "What stays the same", "moved");
    button(card(7), "Drop").click();
    await until(() => element.querySelectorAll(".scene").length === 8, "dropped");
    button(element, "Undo").click();
    await until(() => element.querySelectorAll(".scene").length === 9, "taken back");
    const whyKept = (index: number) => {
      const drop = button(card(index), "Drop");
      expect(drop.ariaDisabled, "it is off, and can be reached to hear why").to.equal("true");
      return card(index).querySelector(`#${drop.getAttribute("aria-describedby")}`)?.textContent;
    };
    expect(whyKept(0)).to.equal("Every film begins with its title and ends with its question.");
    button(element, "Check again").click();
    const put = await until(() => asked(service, `/jobs/${jobId}/storyboard`), "the request");
    expect([put.method, put.body?.expectedVersion]).to.deep.equal(["PUT", 2]);
    const sent = (put.body?.scenes ?? []) as { content: { heading?: string } }[];
    expect(sent[2]?.content.heading).to.equal("What stays the same");
    service.frame({
      kind: "error",
      code: "storyboard_rejected",
      title: "x",
      retryable: true,
      findings: [{ sceneId: storyboard.scenes[1]?.sceneId, problem: "unsupported", detail: "No such words.", by: "model" }],
    } as never);
    await shows(element, "Your changes did not pass the review");
    expect(element.textContent).to.not.include("No storyboard passed the review");
    expect(words(card(2), ".frame .heading"), "nothing that was written is lost").to.equal("What stays the same");
    expect(words(card(2), ".findings")).to.include("Not in the source");
    await expectAccessible(element);
    button(element, "Close the fields").click();
    await until(() => element.querySelector(".form") === null, "the fields are closed");
    button(element, "Change the scene it is about").click();
    await until(() => document.activeElement?.closest(`[data-scene="${storyboard.scenes[1]?.sceneId}"]`), "its fields have the keyboard");
    const [leave] = [...element.querySelectorAll(".trouble button")].slice(-1) as HTMLButtonElement[];
    expect(leave?.textContent).to.equal("Leave all changes");
    leave?.click();
    await until(() => element.querySelector(".trouble") === null && element.querySelector(".changes") === null, "all is as it was checked");
    expect(words(card(1), ".frame .heading")).to.equal("What stays");
    await until(() => element.querySelector(".approve"), "it can be made as it was");
  });

  it("says why no more scenes can be dropped where they are the fewest a film can have", async () => {
    const service = playedService();
    const { min } = bounds.explainer.scenes;
    const { scenes } = storyboard;
    service.put(job({ storyboard: { ...storyboard, scenes: [...scenes.slice(0, min), ...scenes.slice(-1)] } }));
    const { element } = await explainer(service, { film: jobId });
    const cards = () => [...element.querySelectorAll<HTMLElement>(".scene")];
    const [, second, third] = cards() as [HTMLElement, HTMLElement, HTMLElement];
    expect(button(second, "Drop").ariaDisabled).to.equal(null);
    button(second, "Drop").click();
    await until(() => cards().length === min, "dropped");
    const drop = button(third, "Drop");
    expect(drop.ariaDisabled).to.equal("true");
    const reason = third.querySelector<HTMLElement>(`#${drop.getAttribute("aria-describedby")}`);
    expect(reason?.textContent).to.equal(`A film has at least ${min} scenes.`);
    expect(reason?.checkVisibility()).to.equal(true);
    await expectAccessible(element);
    drop.click();
    await element.updateComplete;
    expect(cards()).to.have.length(min);
  });

  it("keeps what was changed when the film moved on elsewhere, and checks it against how it stands now", async () => {
    const service = playedService();
    const before = job({ state: "completed", version: 6, films: [film] });
    service.put(before);
    const { element } = await explainer(service, { film: jobId });
    const card = await until(() => element.querySelectorAll<HTMLElement>(".scene")[1], "the scenes");
    button(card, "Change").click();
    const heading = (await until(() => card.querySelector(".form input"), "the fields")) as HTMLInputElement;
    heading.value = "What stays the same";
    heading.dispatchEvent(new Event("input", { bubbles: true }));
    await shows(element, "You changed scenes that are not checked yet");
    await expectAccessible(element);
    const check = async () => {
      const many = service.asked.length;
      await until(() => !button(element, "Check again")?.disabled, "it can be checked");
      button(element, "Check again").click();
      return until(() => service.asked.slice(many).find(({ method }) => method === "PUT"), "it is checked");
    };
    expect((await check()).body?.expectedVersion).to.equal(6);
    service.put({ ...before, version: 8 });
    service.frame({ kind: "error", code: "stale_session", title: "The session moved on elsewhere.", retryable: true } as never);
    await shows(element, "The film moved on elsewhere meanwhile");
    expect(words(card, ".frame .heading")).to.equal("What stays the same");
    expect((await check()).body?.expectedVersion).to.equal(8);
  });

  it("leads from checked changes to making the film anew, as it was made before", async () => {
    const service = playedService();
    const tall = { ...film, settings: { ...film.settings, aspect: "9:16" as const, theme: "dark" as const } };
    const edited = { ...storyboard, storyboardId: "storyboard-0002" };
    service.put(job({ state: "drafted", version: 9, films: [tall], storyboard: edited }));
    const { element } = await explainer(service, { film: jobId });
    await shows(element, "Your changes are checked.");
    expect(words(element, ".next")).to.include("tall, dark, 720p").and.include("only those you changed are drawn again");
    await expectAccessible(element);
    button(element, "Make it anew").click();
    await until(() => element.querySelector(".making"), "it is made");
    expect(asked(service, `/jobs/${jobId}/render`)?.body?.settings).to.deep.equal(tall.settings);
    await shows(element, "Until it is ready you see the film of the storyboard as it was before.");
    expect(button(element, "Make it anew")).to.equal(undefined);
  });

  it("goes on by itself once the service answers again, keeps what was shown, and says so once", async () => {
    const service = playedService();
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
    expect(announced).to.deep.equal(["The service is not available right now.", "The service answers again"]);
    service.tell({ version: 5, state: "rendering", percent: 60 });
    await until(() => element.querySelector<HTMLProgressElement>("progress")?.value === 60, "how far it is");
    service.instead = (method) => (method === "GET" ? away() : null);
    service.put(job({ state: "completed", version: 6, films: [film] }));
    service.tell({ version: 6, state: "completed", percent: 100 });
    await shows(element, "What is shown stays");
    expect(element.querySelectorAll(".scene"), "what was shown stays").to.have.length(9);
    await expectAccessible(element);
    service.instead = null;
    await until(() => element.querySelector("colloquy-film"), "the film");
    expect(element.textContent).to.not.include("What is shown stays");
    expect(announced.filter((text) => text === "The service answers again")).to.have.length(2);
  });

  it("sends what was drawn up again, with its id, when the connection breaks, and goes on", async () => {
    const service = playedService();
    const { element, announced } = await explainer(service);
    (element.querySelector("[data-emphasis='intuition']") as HTMLElement).click();
    await until(() => asked(service, "/storyboard"), "the request");
    service.frame(status("drafting"));
    await until(() => words(element, ".phases .here").startsWith("Writing the scenes"), "the phase");
    service.endFrames();
    await shows(element, "It goes on by itself as soon as the service answers.");
    const requests = () => service.asked.filter(({ path }) => path === "/storyboard");
    await until(() => requests().length === 2, "it is sent again");
    expect(requests()[1]?.body?.requestId).to.equal(requests()[0]?.body?.requestId);
    service.put(job());
    service.frame({ kind: "complete", jobId, version: 2, review: job().review } as never);
    await until(() => element.querySelector(".approve"), "the storyboard");
    expect(announced.filter((text) => text === "The connection broke.")).to.have.length(1);
  });

  it("plays a film again where it was once it can be had again, and has a damaged one made again", async () => {
    const service = playedService();
    service.put(job({ state: "completed", version: 6, films: [film] }));
    const { element, announced } = await explainer(service, { film: jobId });
    const video = () => element.querySelector("video") as HTMLVideoElement;
    await until(() => element.querySelector("video[src]") && video().readyState >= 1, "it can be sought");
    video().currentTime = 12;
    await until(() => words(element, ".controls .time").startsWith("0:12"), "the place");
    service.instead = (_, path) => (path.endsWith("/artifact") ? problem(503, "unavailable", { retryable: true }) : null);
    video().dispatchEvent(new Event("error"));
    await shows(element, "It is tried again by itself.");
    await expectAccessible(element);
    service.instead = null;
    await until(() => element.querySelector(".broken") === null && video().currentTime === 12, "it stands where it was");
    expect(announced).to.include("The film can be played again");
    service.instead = (_, path) => (path.endsWith("/artifact") ? problem(404, "not_found") : null);
    video().dispatchEvent(new Event("error"));
    await shows(element, "A part of this film was lost or damaged");
    await expectAccessible(element);
    button(element, "Make it again").click();
    await until(() => asked(service, `/jobs/${jobId}/render`), "it is approved again");
    expect(asked(service, `/jobs/${jobId}/render`)?.body?.settings).to.deep.equal(film.settings);
    await shows(element, "It is being made again.");
  });

  it("keeps what was changed and not checked in this browser, until it is checked or left, or the storyboard is another", async () => {
    const service = playedService();
    const store = memoryTables();
    const before = job();
    service.put(before);
    const heading = (element: Element) => words(element.querySelectorAll(".scene")[1] as Element, ".frame .heading");
    /** Waits until what is kept is so, as text. */
    const untilKept = async (so: (rows: string) => boolean, name: string) => {
      let rows = "";
      const watch = setInterval(async () => (rows = JSON.stringify(await store.workspace.all())), 10);
      await until(() => rows !== "" && so(rows), name).finally(() => clearInterval(watch));
    };
    const change = async (element: ExplainerElement, text: string) => {
      const card = element.querySelectorAll<HTMLElement>(".scene")[1] as HTMLElement;
      button(card, "Change").click();
      const field = (await until(() => card.querySelector(".form input"), "the fields")) as HTMLInputElement;
      field.value = text;
      field.dispatchEvent(new Event("input", { bubbles: true }));
      await untilKept((rows) => rows.includes(text), "it is kept");
    };
    const { element: first } = await explainer(service, { film: jobId, store });
    await change(first, "What stays the same");
    unmountAll();
    const { element: second } = await explainer(service, { film: jobId, store });
    await until(() => heading(second) === "What stays the same", "it is there again");
    expect((await store.workspace.all()).map(({ key }) => key)).to.deep.equal([`film-edits-${jobId}`]);
    button(second, "Undo").click();
    await untilKept((rows) => rows === "[]", "what was taken back is not kept");
    await change(second, "What stays as it is");
    unmountAll();
    service.put({ ...before, version: before.version + 1, storyboard: { ...before.storyboard, storyboardId: "storyboard-0002" } });
    const { element: third } = await explainer(service, { film: jobId, store });
    await untilKept((rows) => rows === "[]", "of another storyboard nothing is kept");
    expect(heading(third)).to.not.equal("What stays as it is");
  });

  it("makes the film once it is approved, tells how far it is, and goes on telling after the connection broke", async () => {
    const service = playedService();
    const { element, announced } = await explainer(service);
    await drawn(service, element);
    (element.querySelector("input[name='film-theme']:not(:checked)") as HTMLElement).click();
    button(element.querySelector(".approve") as Element, "Make the film").click();
    await until(() => service.telling, "it is followed");
    expect(asked(service, `/jobs/${jobId}/render`)?.body).to.deep.include({
      expectedVersion: 2,
      settings: { aspect: "16:9", height: 720, theme: "dark", voice: "none" },
    });
    service.tell({ version: 4, state: "rendering", percent: 40, remainingMs: 4_000, progress: { stage: "drawing", done: 4, total: 10 } });
    await until(() => element.querySelector<HTMLProgressElement>("progress")?.value === 40, "how far it is");
    expect(words(element, ".making")).to.include("Drawing the pictures").and.include("a few seconds left").and.include("dark");
    await expectAccessible(element);
    service.breakOff();
    await shows(element, "looking again");
    await until(() => service.telling, "it is followed again");
    expect(asked(service, `/jobs/${jobId}/events`)?.lastEventId).to.equal("4");
    service.put(job({ state: "completed", version: 6, films: [film] }));
    service.tell({ version: 6, state: "completed", percent: 100 });
    await until(() => element.querySelector("colloquy-film"), "the film");
    expect(announced).to.include.members(["The film is being made", "The film is ready"]);
    expect(element.querySelector("progress")).to.equal(null);
  });

  it("says of a film that waits how many come before it, as that changes, and that it can be cancelled", async () => {
    const service = playedService();
    service.put(job({ state: "queued", version: 4 }));
    const { element } = await explainer(service);
    await until(() => service.telling, "it is followed");
    service.tell({ version: 4, state: "queued", ahead: 3 });
    await shows(element, "At most 3 films are made before it. You can leave this page, or cancel it.");
    await expectAccessible(element);
    service.tell({ version: 4, state: "queued", ahead: 0 });
    await shows(element, "It is the next one to be made.");
    service.tell({ version: 5, state: "rendering", percent: 1 });
    await shows(element, "You can leave this page: it is here when you come back.");
    expect(button(element, "Cancel").disabled).to.equal(false);
  });

  it("tells in the list of films what the card tells of the film that is shown, and of the others what the service told last", async () => {
    const service = playedService();
    const other = job({ jobId: "job-film-0002", state: "queued", version: 4 });
    service.put(other);
    service.put(job({ state: "queued", version: 4 }));
    const { element } = await explainer(service, { film: jobId });
    const listed = () => [...element.querySelectorAll(".films li em")].map((one) => one.textContent);
    await until(() => service.telling, "it is followed");
    expect(listed()).to.deep.equal(["Waiting", "Waiting"]);
    service.tell({ version: 5, state: "rendering", percent: 31 });
    await until(() => element.querySelector<HTMLProgressElement>("progress")?.value === 31, "how far it is");
    expect(listed()).to.deep.equal(["Being made", "Waiting"]);
    service.jobs = [job({ state: "rendering", version: 5 }), { ...other, state: "completed", version: 6, films: [film] }];
    (element.querySelector(".films li:nth-child(2) button") as HTMLElement).click();
    await until(() => element.querySelector("colloquy-film"), "the other film");
    expect(listed()).to.deep.equal(["Being made", "Ready"]);
  });

  it("does not go on telling what is left once nothing was heard for a while, until there is news", async () => {
    const service = playedService();
    service.put(job({ state: "rendering", version: 5, attempt: 1 }));
    const { element, announced } = await explainer(service);
    await until(() => service.telling, "it is followed");
    const progress = { stage: "drawing" as const, done: 3, total: 10 };
    service.tell({ version: 5, state: "rendering", percent: 31, remainingMs: 4_000, progress });
    await shows(element, "a few seconds left");
    await shows(element, "This takes longer than it should. It is watched over");
    expect(words(element, ".making")).to.not.include("left");
    expect(announced.filter((text) => text.startsWith("This takes longer"))).to.have.length(1);
    await expectAccessible(element);
    service.tell({ version: 6, state: "rendering", attempt: 2, percent: 40, remainingMs: 9_000, progress: { ...progress, done: 4 } });
    await shows(element, "about 10 seconds left");
    expect(words(element, ".making")).to.include("try 2 of 4").and.not.include("longer");
  });

  it("finds a film that is being made after a reload, can cancel it, and says why one was not made", async () => {
    const service = playedService();
    service.put(job({ state: "rendering", version: 5, attempt: 2, progress: { stage: "encoding", done: 1, total: 2 } }));
    const { element } = await explainer(service);
    await until(() => service.telling, "it is followed");
    expect(words(element, ".making")).to.include("Making the film of them").and.include("try 2 of 4");
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

  it("says what keeps it from anything: a used-up quota, no films, no permission, nobody signed in, nothing there", async () => {
    const says = async (change: (service: Service) => void, text: string, more = {}) => {
      const service = playedService();
      change(service);
      const { element } = await explainer(service, more);
      await shows(element, text);
      await expectAccessible(element);
      unmountAll();
    };
    await says((service) => Object.assign(service.offer, { left: 0 }), "as many films as you may today");
    await says((service) => Object.assign(service.offer, { offered: false }), "No films of this course");
    await says((service) => (service.instead = () => problem(403, "not_allowed")), "No films here");
    await says((service) => (service.instead = () => problem(401, "sign_in_required")), "Sign in to go on");
    await says((service) => (service.instead = () => problem(503, "unavailable", { retryable: true })), "Try again");
    await says(() => undefined, "This film is not there any more", { film: "job-unknown-1" });
    const service = playedService();
    const { element } = await explainer(service);
    service.instead = (method) => (method === "POST" ? problem(429, "quota_exhausted") : null);
    (element.querySelector("[data-emphasis]") as HTMLElement).click();
    await shows(element, "Those you have can be watched and changed.");
    expect(button(element, "Try again")).to.equal(undefined);
    const full = playedService();
    const { element: other } = await explainer(full);
    await drawn(full, other);
    full.instead = (method) => (method === "POST" ? problem(429, "quota_exhausted") : null);
    button(other.querySelector(".approve") as Element, "Make the film").click();
    await shows(other, "Too many of your films wait to be made");
    expect(other.textContent, "it is no storyboard that there are too many of").to.not.include("as you may today");
  });

  it("shows a tall film on a phone with what operates it in sight", async () => {
    // What the bars of a browser leave of it.
    await setViewport({ width: 390, height: 667 });
    try {
      const service = playedService();
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

  it("plays by keyboard, with captions, chapters and a transcript whose present line is marked, and never by itself", async () => {
    const service = playedService();
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

  it("has room for everything that operates a spoken film, on a phone of 320 px and with text of twice the size", async () => {
    const service = playedService();
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

  it("leads to the receipt of an answer, or says why it counts nowhere, also when it was answered earlier", async () => {
    const service = playedService();
    const evidence = { sessionId: "session-00001", objectiveId: "objective-1", objective: "See it", receipt: 7 };
    const answered = { choice: 1, right: 1, explanation: "So.", evidence, unrecorded: null };
    service.put(job({ state: "completed", version: 6, films: [film], answered }));
    const { element } = await explainer(service, { film: jobId });
    element.foreign = false;
    const link = await until(() => element.querySelector(".outcome a"), "the receipt");
    expect(link.getAttribute("href")).to.equal("/ai?ledger=session-00001&event=7");
    await expectAccessible(element);
    service.put(job({ state: "completed", version: 7, films: [film], answered: { ...answered, evidence: null, unrecorded: "mastered" } }));
    const { element: other } = await explainer(service, { film: jobId });
    await shows(other, "It counts nowhere: you have mastered this in your tutoring session already");
    await expectAccessible(other);
  });

  it("asks the closing question, says where the answer counts, and takes a report of a mistake", async () => {
    const service = playedService();
    service.put(job({ state: "completed", version: 6, films: [film] }));
    const { element, recorded } = await explainer(service, { film: jobId, session: "session-00001" });
    await until(() => element.querySelector(".question"), "the question");
    (element.querySelectorAll(".question input")[0] as HTMLElement).click();
    await until(() => !button(element, "Check").disabled, "it can be checked");
    button(element, "Check").click();
    await shows(element, "It counts in your tutoring session as event 7, for “See what a map keeps”: less than an answer without help");
    expect(recorded).to.deep.equal(["session-00001"]);
    expect(asked(service, `/jobs/${jobId}/answer`)?.body).to.include({ choice: 0, sessionId: "session-00001" });
    expect(words(element, ".choice.wrong em")).to.equal(": Not right");
    expect(words(element, ".choice.right")).to.equal("It stretches it: Right");
    await until(() => document.activeElement?.classList.contains("outcome"), "the outcome has the keyboard");
    await expectAccessible(element);
    button(element, "Report a mistake").click();
    const text = (await until(() => element.querySelector(".correction textarea"), "the report")) as HTMLTextAreaElement;
    text.value = "The sign is wrong.";
    text.dispatchEvent(new Event("input", { bubbles: true }));
    await until(() => !button(element, "Send the report").disabled, "it can be sent");
    await expectAccessible(element);
    button(element, "Send the report").click();
    await shows(element, "You reported a mistake.");
    expect(asked(service, `/jobs/${jobId}/corrections`)?.body).to.include({ text: "The sign is wrong." });
    expect(words(element, ".note.warn")).to.include("Its text may be wrong");
    await expectAccessible(element);
  });

  it("warns of the film that was reported, and not of the one that was made after it was mended", async () => {
    const service = playedService();
    const mended = { ...storyboard, storyboardId: "storyboard-0002" };
    const correction = {
      correctionId: "correction-01",
      sceneId: null,
      text: "The sign is wrong.",
      at: "2026-11-21T16:00:00Z",
      settledAt: null,
    };
    const tall = { ...film.settings, aspect: "9:16" as const };
    const films = [
      { ...film, marked: true },
      { ...film, renderId: "render-00002", storyboardId: mended.storyboardId, settings: tall },
    ];
    service.put(job({ state: "completed", version: 9, storyboard: mended, films, corrections: [correction] }));
    const { element } = await explainer(service, { film: jobId });
    await shows(element, "You reported a mistake.");
    expect(element.querySelector(".note.warn")).to.equal(null);
    const select = element.querySelector(".made select") as HTMLSelectElement;
    select.value = film.renderId;
    select.dispatchEvent(new Event("change", { bubbles: true }));
    await shows(element, "Its text may be wrong");
  });

  it("offers no check of a question that was changed by hand, and says why", async () => {
    const service = playedService();
    service.put(job({ state: "completed", version: 8, films: [film], answerable: false }));
    const { element } = await explainer(service, { film: jobId });
    await shows(element, "only you know which choice is right");
    expect([...element.querySelectorAll(".question button")]).to.deep.equal([]);
    expect([...element.querySelectorAll<HTMLInputElement>(".question input")].every(({ disabled }) => disabled)).to.equal(true);
    expect([...element.querySelectorAll(".question em")]).to.deep.equal([]);
    await expectAccessible(element);
  });

  it("reports a mistake in a film from the cache under the scenes of its own storyboard", async () => {
    const service = playedService();
    const own = storyboard.scenes.map((scene) => ({ ...scene, sceneId: `${scene.sceneId}-own` }));
    service.put(job({ state: "completed", version: 6, storyboard: { ...storyboard, scenes: own }, films: [{ ...film, reused: true }] }));
    const { element } = await explainer(service, { film: jobId });
    await until(() => element.querySelector(".chapters button"), "the transcript");
    button(element, "Report a mistake").click();
    const text = (await until(() => element.querySelector(".correction textarea"), "the report")) as HTMLTextAreaElement;
    text.value = "The sign is wrong.";
    text.dispatchEvent(new Event("input", { bubbles: true }));
    await until(() => !button(element, "Send the report").disabled, "it can be sent");
    button(element, "Send the report").click();
    await until(() => asked(service, `/jobs/${jobId}/corrections`), "the report is sent");
    expect(asked(service, `/jobs/${jobId}/corrections`)?.body).to.include({ sceneId: own[0]?.sceneId });
  });
});

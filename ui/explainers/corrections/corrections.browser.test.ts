import type { ReportedCorrection } from "@colloquy/schemas/explainers/corrections.ts";
import { expect } from "chai";
import { html } from "lit";
import { expectAccessible, loadTheme, mount, unmountAll, until } from "../../workspace/testing/browser.ts";
import { problem } from "../explainer.fixture.ts";
import "./corrections.ts";
import type { CorrectedPlace } from "./correction-item.ts";
import type { CorrectionsElement } from "./corrections.ts";
import { offerCorrections } from "./offer.ts";

const courseId = "linear-maps";
const reported = (name: string, more: Partial<ReportedCorrection> = {}): ReportedCorrection => ({
  correctionId: `correction-${name}`,
  at: "2026-11-21T16:00:00Z",
  topicId: "topic-eigen-01",
  topicTitle: "Eigenvectors",
  courseRevisionId: "rev-linear-0003",
  emphasis: "intuition",
  sceneTitle: `Scene ${name}`,
  narration: "The sign stays as it was.",
  onScreen: [],
  edited: false,
  quotes: [{ sourceId: "src-1", quote: "the map only stretches them", href: "/courses/linear-maps/eigenvectors#block-1" }],
  text: `What is wrong in ${name}.`,
  href: "/courses/linear-maps/eigenvectors",
  settledAt: null,
  ...more,
});
const whole = reported("whole", { narration: "", quotes: [] });

/** A fake service with its reports, received requests and overridden answers. */
function playedService(corrections: ReportedCorrection[]) {
  const service = {
    corrections,
    asked: [] as { path: string; body: Record<string, unknown> | null }[],
    instead: null as (() => Response | Promise<Response>) | null,
    fetch: async (input: string, init: RequestInit = {}): Promise<Response> => {
      const path = input.replace("/api/visual-explainers/corrections", "");
      service.asked.push({ path, body: typeof init.body === "string" ? (JSON.parse(init.body) as Record<string, unknown>) : null });
      if (service.instead) return service.instead();
      if (init.method !== "POST") return Response.json({ schemaVersion: 1, corrections: service.corrections });
      const id = path.split("/")[1];
      const settledAt = "2026-11-21T17:00:00Z";
      service.corrections = service.corrections.map((one) => (one.correctionId === id ? { ...one, settledAt } : one));
      return Response.json({ schemaVersion: 1, correctionId: id, settledAt, position: "1" });
    },
  };
  return service;
}

const words = (element: Element, selector: string) => element.querySelector(selector)?.textContent?.replaceAll(/\s+/g, " ").trim() ?? "";
const shows = (element: Element, text: string) => until(() => element.textContent?.replaceAll(/\s+/g, " ").includes(text), `shows ${text}`);
const named = (element: Element, text: string) =>
  [...element.querySelectorAll<HTMLButtonElement>("button")].find((one) => one.textContent?.includes(text)) as HTMLButtonElement;

describe("reported mistakes in a course's videos", () => {
  const { fetch } = window;
  before(loadTheme);
  afterEach(() => {
    window.fetch = fetch;
    unmountAll();
  });

  async function opened(service: ReturnType<typeof playedService>, corrections: ReportedCorrection[] | null = service.corrections) {
    const led: CorrectedPlace[] = [];
    const element =
      await mount<CorrectionsElement>(html`<colloquy-corrections .courseId=${courseId} .fetch=${service.fetch} .corrections=${corrections}
      .edit=${(place: CorrectedPlace) => led.push(place)}></colloquy-corrections>`);
    element.querySelector<HTMLElement>(".count")?.click();
    return { element, led, dialog: element.querySelector("dialog") as HTMLDialogElement };
  }

  it("renders formulas in a scene's sources", async () => {
    const quotes = [{ sourceId: "src-1", quote: "$$ T(v + w) = T(v) + T(w) $$", href: "/courses/linear-maps/linear-maps#block-2" }];
    const { element } = await opened(playedService([reported("formula", { quotes })]));
    await until(() => element.querySelector("q math, q .katex"), "a formula that is set");
    expect(element.querySelector("q")?.textContent).to.not.include("$$");
  });

  it("shows the scene's lines, and says if the learner had edited it", async () => {
    const onScreen: ReportedCorrection["onScreen"] = [
      { as: "formula", text: "A v = \\lambda v", label: "the $map$" },
      { as: "code", text: "echo $HOME\n  ls $PATH", label: "" },
      { as: "words", text: "costs $a$ <b>much</b>", label: "" },
    ];
    const film = reported("film", { narration: "", quotes: [], edited: true });
    const { element } = await opened(
      playedService([reported("shown", { onScreen, edited: true }), film, reported("one", { edited: null })]),
    );
    const item = (name: string) => element.querySelector(`[data-correction='correction-${name}']`) as HTMLElement;
    await until(() => item("shown").querySelector("dd math, dd .katex"), "a formula that is set");
    expect([...item("shown").querySelectorAll("dt")].map((one) => one.textContent)).to.include("On screen");
    expect(item("shown").querySelectorAll("colloquy-line")).to.have.length(1);
    expect(item("shown").querySelector("pre")?.textContent).to.equal("echo $HOME\n  ls $PATH");
    const text = item("shown").textContent ?? "";
    expect(text).to.include("(the $map$)").and.include("costs $a$ <b>much</b>").and.include("The learner had changed this scene.");
    expect(item("film").textContent).to.include("The learner had changed this video.").and.not.include("On screen");
    expect(item("one").textContent).to.not.include("had changed");
    await expectAccessible(element);
  });

  it("shows a count, and each report with narration and sources", async () => {
    const service = playedService([reported("one"), whole, reported("done", { settledAt: "2026-11-21T17:00:00Z" })]);
    const { element, led, dialog } = await opened(service);
    expect(words(element, ".count")).to.equal("2 corrections reported");
    expect(dialog.open).to.equal(true);
    const first = element.querySelector("[data-correction='correction-one']") as HTMLElement;
    expect([...first.querySelectorAll("dt, dd")].map((one) => one.textContent)).to.deep.equal([
      "What was reported",
      "What is wrong in one.",
      "What the video says",
      "The sign stays as it was.",
      "Source",
      "the map only stretches them",
    ]);
    expect(words(first, ".soft")).to.match(/^Eigenvectors · .*21.*2026/);
    const passage = "/courses/linear-maps/eigenvectors?mark=the%20map%20only%20stretches%20them#block-1";
    expect([...first.querySelectorAll("a")].map((link) => link.getAttribute("href"))).to.deep.equal([passage, passage]);
    expect(words(element, "summary")).to.equal("Resolved (1)");
    await expectAccessible(element);
    named(first, "Edit in the course").click();
    expect([dialog.open, led]).to.deep.equal([false, [{ topicId: "topic-eigen-01", blockId: "block-1" }]]);
    element.querySelector<HTMLElement>(".count")?.click();
    named(element.querySelector("[data-correction='correction-whole']") as HTMLElement, "Edit in the course").click();
    expect(led.at(-1)).to.deep.equal({ topicId: "topic-eigen-01", blockId: null });
  });

  it("marks one as done with one request id and focuses the next", async () => {
    const service = playedService([reported("one"), reported("two")]);
    const { element } = await opened(service);
    await until(() => service.asked.length === 1, "it is read anew");
    const first = () => element.querySelector("[data-correction='correction-one']") as HTMLElement;
    service.instead = () => problem(503, "unavailable", { retryable: true, title: "The service is not available right now." });
    named(first(), "Mark as resolved").click();
    await shows(element, "It could not be marked yet.");
    await expectAccessible(element);
    service.instead = null;
    named(first(), "Mark as resolved").click();
    await until(() => document.activeElement?.closest("[data-correction='correction-two']"), "the next has the keyboard");
    const sent = service.asked.filter(({ path }) => path === "/correction-one/settle");
    expect(new Set(sent.map(({ body }) => body?.requestId)).size).to.equal(1);
    expect(sent).to.have.length(2);
    expect([words(element, ".count"), words(element, "[role='status']")]).to.deep.equal(["1 correction reported", "Marked as resolved"]);
    named(element.querySelector("[data-correction='correction-two']") as HTMLElement, "Mark as resolved").click();
    await shows(element, "All reports are resolved.");
    expect(words(element, ".count")).to.equal("No open corrections");
    expect(document.activeElement?.id).to.equal("colloquy-corrections-title");
    await expectAccessible(element);
  });

  it("retries after a failure, and shows the last reports offline", async () => {
    const service = playedService([reported("one")]);
    let answer: (response: Response) => void = () => undefined;
    service.instead = () => new Promise<Response>((resolve) => (answer = resolve));
    const { element } = await opened(service, null);
    await until(() => element.querySelector(".waits"), "it waits");
    await expectAccessible(element);
    answer(problem(503, "unavailable", { retryable: true, title: "The service is not available right now." }));
    await shows(element, "The service is not available right now.");
    await expectAccessible(element);
    service.instead = null;
    named(element, "Try again").click();
    await until(() => element.querySelector("[data-correction='correction-one']"), "it is there");
    expect(element.querySelector(".note")).to.equal(null);
    Object.defineProperty(navigator, "onLine", { value: false, configurable: true });
    dispatchEvent(new Event("offline"));
    await shows(element, "You are offline. This list may be out of date");
    expect(named(element, "Mark as resolved").disabled).to.equal(true);
    await expectAccessible(element);
    Reflect.deleteProperty(navigator, "onLine");
    dispatchEvent(new Event("online"));
    await until(() => !named(element, "Mark as resolved").disabled, "it can be marked");
  });

  it("is offered to an owner only if there are open reports", async () => {
    const bar = (await mount(html`<section></section>`)) as HTMLElement;
    const offered = async (service: ReturnType<typeof playedService>) => {
      window.fetch = ((input: string, init?: RequestInit) => service.fetch(input, init)) as typeof window.fetch;
      await offerCorrections({ bar, courseId, accountId: "acc_owner000", edit: () => undefined });
      return bar.querySelector("colloquy-corrections");
    };
    const refused = playedService([reported("one")]);
    refused.instead = () => problem(403, "not_owner");
    expect(await offered(refused)).to.equal(null);
    expect(await offered(playedService([reported("one", { settledAt: "2026-11-21T17:00:00Z" })]))).to.equal(null);
    const element = await offered(playedService([reported("one")]));
    await until(() => element && words(element, ".count") === "1 correction reported", "the count");
  });
});

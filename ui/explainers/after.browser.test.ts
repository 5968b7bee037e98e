import { expect } from "chai";
import { expectAccessible, loadTheme, unmountAll, until } from "../workspace/testing/browser.ts";
import { asked, button, explainer, shows, words } from "./element.fixture.ts";
import { fakeService, film, job, jobId, problem, storyboard } from "./explainer.fixture.ts";
import type { FilmElement } from "./film.ts";

describe("the explainer of a page, after a film", () => {
  before(loadTheme);
  afterEach(unmountAll);

  it("asks the closing question and accepts a report of a mistake", async () => {
    const service = fakeService();
    service.put(job({ state: "completed", version: 6, films: [film] }));
    const { element, recorded } = await explainer(service, { film: jobId, session: "session-00001" });
    const section = await until(() => element.querySelector(".closing-question"), "the question");
    expect(getComputedStyle(section).boxShadow, "not the card of a course's question").to.equal("none");
    (element.querySelectorAll(".closing-question input")[0] as HTMLElement).click();
    await until(() => !button(element, "Check").disabled, "it can be checked");
    button(element, "Check").click();
    await shows(
      element,
      "It is recorded in your tutoring session as event 7, for “See what a map keeps”. A right answer does not count towards mastery",
    );
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

  it("links an answer's receipt, or says why it does not count", async () => {
    const service = fakeService();
    const evidence = { sessionId: "session-00001", objectiveId: "objective-1", objective: "See it", receipt: 7 };
    const answered = { choice: 1, right: 1, explanation: "So.", evidence, unrecorded: null };
    service.put(job({ state: "completed", version: 6, films: [film], answered }));
    const { element } = await explainer(service, { film: jobId });
    element.embedded = false;
    const link = await until(() => element.querySelector(".outcome a"), "the receipt");
    expect(link.getAttribute("href")).to.equal("/ai?ledger=session-00001&event=7");
    await expectAccessible(element);
    service.put(job({ state: "completed", version: 7, films: [film], answered: { ...answered, evidence: null, unrecorded: "mastered" } }));
    const { element: other } = await explainer(service, { film: jobId });
    await shows(other, "It does not count: you have already mastered this");
    await expectAccessible(other);
  });

  it("does not check an edited closing question, and says why", async () => {
    const service = fakeService();
    service.put(job({ state: "completed", version: 8, films: [film], answerable: false }));
    const { element } = await explainer(service, { film: jobId });
    await shows(element, "its answer key was not checked against the course");
    expect([...element.querySelectorAll(".closing-question button")]).to.deep.equal([]);
    expect([...element.querySelectorAll<HTMLInputElement>(".closing-question input")].every(({ disabled }) => disabled)).to.equal(true);
    expect([...element.querySelectorAll(".closing-question em")]).to.deep.equal([]);
    await expectAccessible(element);
  });

  it("warns about the reported video only, not about the fixed one", async () => {
    const service = fakeService();
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

  it("reports a mistake in a cached video under its own scenes", async () => {
    const service = fakeService();
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

  it("reports a mistake under the scenes of the watched video", async () => {
    const service = fakeService();
    const [, ...rest] = storyboard.scenes;
    const mended = { ...storyboard, storyboardId: "storyboard-0002", scenes: rest };
    const films = [film, { ...film, renderId: "render-00002", storyboardId: mended.storyboardId }];
    service.put(job({ state: "completed", version: 9, storyboard: mended, films }));
    const { element } = await explainer(service, { film: jobId });
    const select = (await until(() => element.querySelector(".made select"), "which film")) as HTMLSelectElement;
    select.value = film.renderId;
    select.dispatchEvent(new Event("change", { bubbles: true }));
    const player = element.querySelector("colloquy-film") as FilmElement;
    await until(() => player.film?.renderId === film.renderId && player.scenes.length > rest.length, "the scenes of the older film");
    button(element, "Report a mistake").click();
    const text = (await until(() => element.querySelector(".correction textarea"), "the report")) as HTMLTextAreaElement;
    const where = [...element.querySelectorAll<HTMLOptionElement>(".correction option")];
    expect(where.map(({ value }) => value)).to.deep.equal(["", ...storyboard.scenes.map(({ sceneId }) => sceneId)]);
    expect(where.find(({ selected }) => selected)?.value, "the one that is shown, which was dropped since").to.equal(
      storyboard.scenes[0]?.sceneId,
    );
    text.value = "The sign is wrong.";
    text.dispatchEvent(new Event("input", { bubbles: true }));
    await until(() => !button(element, "Send the report").disabled, "it can be sent");
    service.instead = (_, path) => (path.endsWith("/corrections") ? problem(422, "unknown_reference") : null);
    button(element, "Send the report").click();
    await shows(element, "report it again");
    expect(text.value, "what was written stays").to.equal("The sign is wrong.");
    service.instead = null;
    button(element, "Send the report").click();
    await shows(element, "Its text may be wrong");
    expect(asked(service, `/jobs/${jobId}/corrections`)?.body).to.deep.include({
      renderId: film.renderId,
      sceneId: storyboard.scenes[0]?.sceneId,
    });
    select.value = "render-00002";
    select.dispatchEvent(new Event("change", { bubbles: true }));
    await until(() => !element.querySelector(".note.warn"), "the other film is not marked");
  });
});

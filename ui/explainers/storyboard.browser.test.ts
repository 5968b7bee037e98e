import { filmBounds } from "@colloquy/schemas/film-bounds.ts";
import { expect } from "chai";
import { memoryTables } from "../store/account-store.ts";
import { expectAccessible, loadTheme, unmountAll, until } from "../workspace/testing/browser.ts";
import { asked, button, drawn, explainer, shows, status, words } from "./element.fixture.ts";
import { courseId, fakeService, film, job, jobId, storyboard, topicId } from "./explainer.fixture.ts";
import type { ExplainerElement } from "./explainer.ts";

describe("the explainer of a page, with a storyboard", () => {
  before(loadTheme);
  afterEach(unmountAll);

  it("asks for the emphasis, streams the storyboard, and can be stopped", async () => {
    const service = fakeService();
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
    await shows(element, "fixing the findings, once");
    await expectAccessible(element);
    button(element, "Stop").click();
    await until(() => element.querySelector("[data-emphasis]"), "the choice again");
    expect(announced).to.include("Stopped");
  });

  it("shows every scene in words with sources, and findings at their scene", async () => {
    const service = fakeService();
    const { element } = await explainer(service);
    const sceneId = storyboard.scenes[2]?.sceneId ?? null;
    const findings = [
      { sceneId, problem: "level" as const, detail: "It needs matrices.", by: "model" as const },
      { sceneId: null, problem: "order" as const, detail: "The example comes late.", by: "application" as const },
    ];
    await drawn(service, element, job({ review: { approved: true, repaired: true, findings } }));
    await until(() => element.querySelector(".scene .katex"), "the formula");
    expect(words(element, `[data-scene="${sceneId}"] .findings`)).to.equal(
      "Remark Wrong difficulty It needs matrices. found by the review",
    );
    expect(words(element, ".finding-count")).to.equal("1 warning, 1 remark");
    expect(words(element, ".findings.whole")).to.include("Warning Wrong order");
    expect(words(element, ".findings.whole")).to.include("found by Colloquy's own checks");
    const [source] = storyboard.sources;
    const chip = element.querySelector<HTMLAnchorElement>(".scene .sources a");
    expect(chip?.getAttribute("href")).to.equal(
      `/courses/linear-maps/eigenvectors?mark=${encodeURIComponent(source?.quote ?? "")}&revision=${source?.revisionId}#block-1`,
    );
    await expectAccessible(element);
  });

  it("edits, moves and drops scenes with validation, undo and a check", async () => {
    const service = fakeService();
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
    expect(words(card(1), ".field .note")).to.equal("Too long. 81 of 80 characters");
    expect(button(element, "Check again").disabled).to.equal(true);
    write("What stays the same");
    await until(() => !button(element, "Check again").disabled, "it is whole");
    expect(words(card(1), ".shows .heading")).to.equal("What stays the same");
    expect(element.querySelector(".approve"), "what was changed is checked before it is made").to.equal(null);
    button(card(1), "Later").click();
    await until(() => words(card(2), ".shows .heading") === "What stays the same", "moved");
    button(card(7), "Remove").click();
    await until(() => element.querySelectorAll(".scene").length === 8, "dropped");
    button(element, "Undo").click();
    await until(() => element.querySelectorAll(".scene").length === 9, "taken back");
    const whyKept = (index: number) => {
      const drop = button(card(index), "Remove");
      expect(drop.ariaDisabled, "it is off, and can be reached to hear why").to.equal("true");
      return card(index).querySelector(`#${drop.getAttribute("aria-describedby")}`)?.textContent;
    };
    expect(whyKept(0)).to.equal("Every video starts with its title and ends with its question.");
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
    expect(words(card(2), ".shows .heading"), "nothing that was written is lost").to.equal("What stays the same");
    expect(words(card(2), ".findings")).to.include("Error Not in the source");
    await expectAccessible(element);
    button(element, "Close the fields").click();
    await until(() => element.querySelector(".form") === null, "the fields are closed");
    button(element, "Change the scene it is about").click();
    await until(() => document.activeElement?.closest(`[data-scene="${storyboard.scenes[1]?.sceneId}"]`), "its fields have the keyboard");
    const [leave] = [...element.querySelectorAll(".trouble button")].slice(-1) as HTMLButtonElement[];
    expect(leave?.textContent).to.equal("Discard all changes");
    leave?.click();
    await until(() => element.querySelector(".trouble") === null && element.querySelector(".changes") === null, "all is as it was checked");
    expect(words(card(1), ".shows .heading")).to.equal("What stays");
    await until(() => element.querySelector(".approve"), "it can be made as it was");
  });

  it("says why no more scenes can be dropped at the minimum", async () => {
    const service = fakeService();
    const { min } = filmBounds.scenes;
    const { scenes } = storyboard;
    service.put(job({ storyboard: { ...storyboard, scenes: [...scenes.slice(0, min), ...scenes.slice(-1)] } }));
    const { element } = await explainer(service, { film: jobId });
    const cards = () => [...element.querySelectorAll<HTMLElement>(".scene")];
    const [, second, third] = cards() as [HTMLElement, HTMLElement, HTMLElement];
    expect(button(second, "Remove").ariaDisabled).to.equal(null);
    button(second, "Remove").click();
    await until(() => cards().length === min, "dropped");
    const drop = button(third, "Remove");
    expect(drop.ariaDisabled).to.equal("true");
    const reason = third.querySelector<HTMLElement>(`#${drop.getAttribute("aria-describedby")}`);
    expect(reason?.textContent).to.equal(`A video has at least ${min} scenes.`);
    expect(reason?.checkVisibility()).to.equal(true);
    await expectAccessible(element);
    drop.click();
    await element.updateComplete;
    expect(cards()).to.have.length(min);
  });

  it("keeps edits when the job changed elsewhere, and checks them again", async () => {
    const service = fakeService();
    const before = job({ state: "completed", version: 6, films: [film] });
    service.put(before);
    const { element } = await explainer(service, { film: jobId });
    const card = await until(() => element.querySelectorAll<HTMLElement>(".scene")[1], "the scenes");
    button(card, "Change").click();
    const heading = (await until(() => card.querySelector(".form input"), "the fields")) as HTMLInputElement;
    heading.value = "What stays the same";
    heading.dispatchEvent(new Event("input", { bubbles: true }));
    await shows(element, "Some changed scenes are not checked yet");
    await expectAccessible(element);
    const check = async () => {
      const many = service.asked.length;
      await until(() => !button(element, "Check again")?.disabled, "it can be checked");
      button(element, "Check again").click();
      return until(() => service.asked.slice(many).find(({ method }) => method === "PUT"), "it is checked");
    };
    expect((await check()).body?.expectedVersion).to.equal(6);
    service.put({ ...before, version: 8 });
    service.frame({ kind: "error", code: "stale_session", title: "The session continued in another window.", retryable: true } as never);
    await shows(element, "The video was changed in another window");
    expect(words(card, ".shows .heading")).to.equal("What stays the same");
    expect((await check()).body?.expectedVersion).to.equal(8);
  });

  it("resends the request with its id after a broken connection", async () => {
    const service = fakeService();
    const { element, announced } = await explainer(service);
    (element.querySelector("[data-emphasis='intuition']") as HTMLElement).click();
    await until(() => asked(service, "/storyboard"), "the request");
    service.frame(status("drafting"));
    await until(() => words(element, ".phases .here").startsWith("Writing the scenes"), "the phase");
    service.endFrames();
    await shows(element, "It continues automatically when the service responds.");
    const requests = () => service.asked.filter(({ path }) => path === "/storyboard");
    await until(() => requests().length === 2, "it is sent again");
    expect(requests()[1]?.body?.requestId).to.equal(requests()[0]?.body?.requestId);
    service.put(job());
    service.frame({ kind: "complete", jobId, version: 2, review: job().review } as never);
    await until(() => element.querySelector(".approve"), "the storyboard");
    expect(announced.filter((text) => text === "The connection broke.")).to.have.length(1);
  });

  it("stores unchecked edits until checked, discarded or outdated", async () => {
    const service = fakeService();
    const store = memoryTables();
    const before = job();
    service.put(before);
    const heading = (element: Element) => words(element.querySelectorAll(".scene")[1] as Element, ".shows .heading");
    /** Waits until what is kept is so, as text. */
    const untilKept = async (so: (rows: string) => boolean, name: string) => {
      let rows = "";
      const watch = setInterval(async () => (rows = JSON.stringify(await store.workspace.getAll())), 10);
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
    expect((await store.workspace.getAll()).map(({ key }) => key)).to.deep.equal([`film-edits-${jobId}`]);
    button(second, "Undo").click();
    await untilKept((rows) => rows === "[]", "what was taken back is not kept");
    await change(second, "What stays as it is");
    unmountAll();
    service.put({ ...before, version: before.version + 1, storyboard: { ...before.storyboard, storyboardId: "storyboard-0002" } });
    const { element: third } = await explainer(service, { film: jobId, store });
    await untilKept((rows) => rows === "[]", "of another storyboard nothing is kept");
    expect(heading(third)).to.not.equal("What stays as it is");
  });
});

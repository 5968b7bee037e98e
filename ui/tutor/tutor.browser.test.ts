import type { TutorSession } from "@colloquy/schemas/tutor/session.ts";
import { sendKeys } from "@web/test-runner-commands";
import { expect } from "chai";
import { html } from "lit";
import { expectAccessible, loadTheme, mount, unmountAll, until } from "../workspace/testing/browser.ts";
import { models } from "../workspace/testing/fixtures.ts";
import "./tutor.ts";
import type { TutorCommand } from "./events.ts";
import { afterGraded, afterWrong, complete, problem, type Script, session, tutor } from "./tutor.fixture.ts";
import type { TutorElement } from "./tutor.ts";

interface Options {
  stands?: TutorSession | null;
  live?: string | null;
  scripts?: Script[];
  width?: number;
}

async function show({ width = 1200, ...options }: Options = {}) {
  const played = await tutor(options);
  const element = await mount<TutorElement>(
    html`<colloquy-tutor style="inline-size:${width}px;block-size:800px" .tutoring=${played.tutoring} .models=${models}></colloquy-tutor>`,
  );
  const commands: TutorCommand[] = [];
  element.addEventListener("colloquy-tutor", ({ command }) => {
    commands.push(command);
    if (command.kind === "act") void played.tutoring.act(command.action);
    if (command.kind === "retry") void played.tutoring.retry({ choice: "automatic" });
    if (command.kind === "choose") played.tutoring.choose(command.choiceIds);
    if (command.kind === "stop") played.tutoring.stop();
    if (command.kind === "choose-course") played.tutoring.chooseCourse(command.courseId);
  });
  await settled(element);
  return { ...played, element, commands };
}

async function settled(element: TutorElement): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 60));
  await element.updateComplete;
  await until(() => !element.querySelector("[data-pending]"), "formulas and code");
}

const button = (within: ParentNode, name: string): HTMLButtonElement =>
  [...within.querySelectorAll("button")].find((one) => one.textContent?.trim() === name) ?? expect.fail(`no button ${name}`);
const words = (element: Element, selector: string) => element.querySelector(selector)?.textContent?.replace(/\s+/g, " ").trim() ?? "";

describe("the tutor", () => {
  before(loadTheme);
  afterEach(unmountAll);

  it("shows path, lesson, question and progress, all of it reachable and named", async () => {
    const { element } = await show();
    expect(element.regions.map((region) => region.getAttribute("aria-label"))).to.deep.equal(["Path", "Tutor", "Progress"]);
    expect(words(element, "[aria-current=step]")).to.contain("Connect programs with a pipe, now. question 1");
    expect(words(element, "colloquy-tutor-progress")).to.contain("Mastered at event 14");
    expect(element.querySelector("[role=meter]")?.getAttribute("aria-valuetext")).to.equal("97 %, mastered");
    expect(element.querySelector("colloquy-tutor-card form")?.getAttribute("aria-labelledby")).to.contain("prompt");
    await expectAccessible(element);
  });

  it("lets a learner choose by the keyboard, look again, and confirm; then the keyboard is at the next question", async () => {
    const { element, asked } = await show({ scripts: [[complete(afterWrong)]] });
    const confirm = button(element, "Confirm choice");
    expect(confirm.getAttribute("aria-disabled")).to.equal("true");
    confirm.click();
    expect(asked).to.deep.equal([]);
    element.querySelector<HTMLInputElement>("colloquy-tutor-card input")?.focus();
    await sendKeys({ press: " " });
    await sendKeys({ press: "Enter" });
    await settled(element);
    expect(asked, "Enter in a choice confirms nothing").to.deep.equal([]);
    button(element, "Confirm choice").focus();
    await sendKeys({ press: "Enter" });
    await until(() => element.querySelector("colloquy-tutor-answered .outcome"), "the verdict");
    await settled(element);
    expect(asked[0]).to.deep.include({ action: { type: "answer", itemId: "item-check-1", choiceIds: ["choice-one"] } });
    expect(words(element, "colloquy-tutor-answered .words")).to.contain("Not right").and.contain("event 16");
    expect(words(element, "colloquy-tutor-answered")).to.contain("A pipe needs no file");
    expect(words(element, ".line.why")).to.contain("from another side");
    expect(document.activeElement?.closest("colloquy-tutor-card")?.textContent).to.contain("What does the second program read?");
    await expectAccessible(element);
  });

  it("leaves the keyboard where it is when it was not in the tutor", async () => {
    const { element, tutoring } = await show({ scripts: [[complete(afterWrong)]] });
    const outside = document.createElement("input");
    outside.ariaLabel = "Elsewhere";
    element.parentElement?.append(outside);
    outside.focus();
    tutoring.choose(["choice-one"]);
    await tutoring.act({ type: "answer", itemId: "item-check-1", choiceIds: ["choice-one"] });
    await settled(element);
    expect(document.activeElement).to.equal(outside);
  });

  it("says of every hint that the answer now counts less", async () => {
    const hinted: TutorSession = {
      ...session,
      version: 21,
      current: session.current && { ...session.current, aided: true, hints: { given: 1, most: 2 } },
      messages: [
        ...session.messages,
        {
          kind: "hint",
          messageId: "message-hint",
          at: session.startedAt,
          receipt: 16,
          itemId: "item-check-1",
          level: 1,
          text: "Read it again.",
        },
      ],
    };
    const { element } = await show({ scripts: [[complete(hinted)]] });
    expect(words(element, ".note")).to.contain("After a hint");
    button(element, "Hint").click();
    await until(() => element.querySelector(".help section"), "the hint");
    expect(words(element, ".help h4")).to.equal("Hint 1 of 2");
    expect(words(element, ".note")).to.equal("With help, this answer counts less");
    await expectAccessible(element);
  });

  it("marks a model's grade as such, with its reasons and a way to dispute it", async () => {
    const { element, commands } = await show({ stands: afterGraded, scripts: ["hangs"] });
    expect(words(element, "colloquy-tutor-answered .words")).to.contain("graded by a model (Reader Large)");
    expect(words(element, ".criteria")).to.contain("It names a file.");
    button(element, "Dispute this grade").click();
    const field = await until(() => element.querySelector<HTMLTextAreaElement>(".dispute textarea"), "the form");
    field.value = "A pipe is a file, too.";
    await expectAccessible(element);
    button(element, "Set the grade aside").click();
    expect(commands).to.deep.equal([{ kind: "act", action: { type: "dispute", itemId: "item-check-1", text: "A pipe is a file, too." } }]);
  });

  it("shows what it is doing, with Stop, and the card again once it was stopped", async () => {
    const { element } = await show({ scripts: ["hangs"] });
    element.querySelectorAll<HTMLInputElement>("colloquy-tutor-card input")[1]?.click();
    await settled(element);
    const confirm = button(element, "Confirm choice");
    confirm.focus();
    confirm.click();
    const stop = await until(() => element.querySelector<HTMLButtonElement>(".working .stop"), "the work");
    await until(() => words(element, ".working").startsWith("Reading your answer"), "its words");
    await until(() => document.activeElement === stop, "the keyboard on Stop");
    await expectAccessible(element);
    stop.click();
    await until(() => element.querySelector("colloquy-tutor-card"), "the card");
    await settled(element);
    expect(element.querySelectorAll<HTMLInputElement>("colloquy-tutor-card input")[1]?.checked).to.equal(true);
  });

  it("offers the same again after a failure", async () => {
    const { element, asked } = await show({ scripts: [[problem("ai_timeout")], [complete(afterWrong)]] });
    element.querySelector<HTMLInputElement>("colloquy-tutor-card input")?.click();
    await settled(element);
    button(element, "Confirm choice").click();
    await until(() => element.querySelector(".problem"), "the problem");
    await expectAccessible(element);
    expect(element.querySelector<HTMLInputElement>("colloquy-tutor-card input")?.checked).to.equal(true);
    button(element, "Try again").click();
    await until(() => element.querySelector("colloquy-tutor-answered .outcome"), "the verdict");
    expect(asked[1]).to.deep.equal(asked[0]);
  });

  for (const [name, stands, live, title] of [
    ["paused", { ...session, paused: true }, undefined, "Paused at “Connect programs with a pipe”"],
    ["complete", { ...session, phase: "completed", current: null }, undefined, "1 of 2 mastered"],
    ["on a course published anew", session, "revision-later-1", "The course has been published anew"],
    ["on a course that is gone", session, null, "This course is not published any more"],
    ["without a plan", { ...session, phase: "planning", current: null, path: [] }, undefined, "The path is not planned yet"],
  ] as [string, TutorSession, string | null | undefined, string][])
    it(`has a card with a way on when it is ${name}`, async () => {
      const { element } = await show({ stands, ...(live !== undefined && { live }) });
      expect(words(element, ".standing h3")).to.equal(title);
      expect(element.querySelector(".standing button")).not.to.equal(null);
      expect(element.querySelector("colloquy-tutor-card")).to.equal(null);
      await expectAccessible(element);
    });

  it("says when what to review, more urgently what is not mastered", async () => {
    const { element } = await show({ stands: { ...session, phase: "completed", current: null } });
    expect([...element.querySelectorAll(".standing time")].map((one) => one.textContent)).to.deep.equal(["in 8 days", "tomorrow"]);
  });

  it("begins with a choice of courses, none chosen", async () => {
    const { element, tutoring, commands } = await show({ stands: null });
    await tutoring.loadCourses();
    await settled(element);
    const radios = [...element.querySelectorAll<HTMLInputElement>("input[type=radio]")];
    expect(radios.map(({ checked }) => checked)).to.deep.equal([false, false]);
    await expectAccessible(element);
    radios[1]?.click();
    expect(commands).to.deep.equal([{ kind: "choose-course", courseId: "course-number-1" }]);
  });

  it("keeps its rails in sheets where there is no room", async () => {
    const { element } = await show({ width: 390 });
    await until(() => !element.querySelector(".rail"), "no rails");
    button(element, "Progress").click();
    const dialog = await until(() => element.querySelector<HTMLDialogElement>(":scope > dialog[open]"), "the sheet");
    expect(words(dialog, "h3")).to.contain("Progress");
    await expectAccessible(element);
    element.querySelector<HTMLButtonElement>(".close")?.click();
    await until(() => !dialog.open, "closed");
  });

  it("folds a rail away and back", async () => {
    const { element } = await show();
    const path = button(element, "Path");
    expect(path.ariaExpanded).to.equal("true");
    path.click();
    await until(() => !element.querySelector(".rail.path"), "folded");
    expect(path.ariaExpanded).to.equal("false");
    path.click();
    await until(() => element.querySelector(".rail.path"), "there again");
  });
});

import type { TutorGoalResponse } from "@colloquy/schemas/tutor/requests.ts";
import type { TutorMessage, TutorSession } from "@colloquy/schemas/tutor/session.ts";
import { sendKeys } from "@web/test-runner-commands";
import { expect } from "chai";
import { html } from "lit";
import { expectAccessible, loadTheme, mount, settled, unmountAll, until } from "../workspace/testing/browser.ts";
import { citations, models } from "../workspace/testing/fixtures.ts";
import "./tutor.ts";
import type { TutorCommand } from "./events.ts";
import { afterCompared, afterGraded, afterWrong, complete, problem, type Script, session, tutor } from "./tutor.fixture.ts";
import type { TutorElement } from "./tutor.ts";

interface Options {
  newest?: TutorSession | null;
  earlier?: TutorSession[];
  isUnreachable?: boolean;
  live?: string | null;
  daysToReview?: Record<string, number>;
  related?: TutorGoalResponse;
  scripts?: Script[];
  busyUntil?: Promise<void>;
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

/** The session after the learner asked back at the open question. */
const replied: TutorSession = {
  ...session,
  version: 21,
  current: session.current && { ...session.current, aided: true },
  messages: [
    ...session.messages,
    {
      kind: "asked",
      messageId: "message-asked",
      at: session.startedAt,
      receipt: 16,
      itemId: "item-check-1",
      text: "Why no file?",
      reply: "The second program reads what the first one writes.[^1]",
      citations: citations.slice(0, 1),
      outcome: "finished",
      provider: "p1",
      model: "reader-large",
      fallbackDepth: 0,
    },
  ],
};

const button = (within: ParentNode, name: string): HTMLButtonElement =>
  [...within.querySelectorAll("button")].find((one) => one.textContent?.trim() === name) ?? expect.fail(`no button ${name}`);
const words = (element: Element, selector: string) => element.querySelector(selector)?.textContent?.replace(/\s+/g, " ").trim() ?? "";

describe("the tutor", () => {
  before(loadTheme);
  afterEach(unmountAll);

  it("shows path, lesson, question and progress, accessible and named", async () => {
    const { element } = await show();
    expect(element.regions.map((region) => region.getAttribute("aria-label"))).to.deep.equal(["Path", "Tutor", "Progress"]);
    expect(words(element, "[aria-current=step]")).to.contain("Connect programs with a pipe, now. question 1");
    expect(words(element, "colloquy-tutor-progress")).to.contain("Mastered for now");
    expect(words(element, "colloquy-tutor-progress li")).to.contain("sent by an assistant");
    const [answered, unanswered] = element.querySelectorAll("[role=meter]");
    expect(answered?.getAttribute("aria-valuetext")).to.equal("97%, mastered for now");
    expect([unanswered?.ariaValueNow, unanswered?.ariaValueText]).to.deep.equal(["0", "Nothing answered yet"]);
    expect(words(element, "colloquy-tutor-card .kind > span"), "what is asked about stands on a line of its own").to.equal("Check");
    expect(element.querySelector<HTMLElement>("colloquy-tutor-card .about")?.title).to.equal(words(element, "colloquy-tutor-card .about"));
    expect(element.querySelector("colloquy-tutor-card form")?.getAttribute("aria-labelledby")).to.contain("prompt");
    await expectAccessible(element);
  });

  it("answers by keyboard and moves the focus to the next question", async () => {
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
    expect(words(element, ".line.why")).to.contain("comes again");
    expect(document.activeElement?.closest("colloquy-tutor-card")?.textContent).to.contain("What does the second program read?");
    await expectAccessible(element);
  });

  it("warns about an off-topic goal before starting and follows the choice", async () => {
    const linear = { courseId: "course-number-1", title: "Linear maps", language: "en" };
    const related = { schemaVersion: 1 as const, related: false, language: "en", elsewhere: [linear] };
    const { element, tutoring, asked, commands } = await show({ newest: null, related, scripts: [[complete(session)]] });
    await tutoring.loadCourses();
    tutoring.chooseCourse("course-number-0");
    const begin = { conversationId: "conversation-1", goal: "Bake bread", references: [], model: { choice: "automatic" as const } };
    expect(await tutoring.start(begin)).to.equal(false);
    await settled(element);
    expect(asked, "nothing began").to.deep.equal([]);
    expect(words(element, ".strange")).to.contain("“The Unix Shell” does not cover this goal").and.contain("You wrote: Bake bread");
    expect(document.activeElement).to.equal(element.querySelector(".strange"));
    await expectAccessible(element);
    for (const name of ["Rephrase the goal", "Go through the whole course", "Linear maps"]) button(element, name).click();
    expect(commands.slice(-3)).to.deep.equal([
      { kind: "reword" },
      { kind: "begin-anyway" },
      { kind: "begin-anyway", courseId: "course-number-1" },
    ]);
    tutoring.chooseCourse("course-number-1");
    await settled(element);
    expect(element.querySelector(".strange"), "another course is another question").to.equal(null);
    expect(await tutoring.start({ ...begin, confirmedCourseId: "course-number-1" })).to.equal(true);
    expect(asked[0]).to.deep.include({ goal: "Bake bread", courseId: "course-number-1" });
  });

  it("shows the application's hints and objectives in the reader's language", async () => {
    const newest: TutorSession = {
      ...session,
      language: "de",
      mastery: session.mastery.map((one) => ({ ...one, title: "Say what “Rohre und Filter” teaches, and use it." })),
      messages: [
        ...session.messages,
        {
          kind: "hint",
          messageId: "message-hint",
          at: session.startedAt,
          receipt: 16,
          itemId: "item-check-1",
          level: 1,
          text: "It stands in [Rohre](/courses/shell-novice/pipes-and-filters). Read it again, then decide.",
        },
      ],
    };
    const { element } = await show({ newest });
    expect(element.querySelector("colloquy-tutor-progress .name bdi")?.getAttribute("lang")).to.equal("de");
    expect(words(element, "colloquy-tutor-progress .name")).to.equal("Say what “Rohre und Filter” teaches, and use it.");
    const hint = element.querySelector(".help colloquy-quiz-text");
    expect([hint?.hasAttribute("lang"), hint?.querySelector("a")?.textContent]).to.deep.equal([false, "Rohre"]);
    expect(element.querySelector("colloquy-tutor-card .prompt")?.getAttribute("lang")).to.equal("de");
  });

  it("mirrors steps and bars on a right-to-left page", async () => {
    document.documentElement.dir = "rtl";
    try {
      const { element } = await show();
      const box = (selector: string) => (element.querySelector(selector) ?? expect.fail(selector)).getBoundingClientRect();
      const [bar, filled, dot, item] = [
        box(".objective .bar"),
        box(".objective .bar s"),
        box("colloquy-tutor-path i"),
        box("colloquy-tutor-path li"),
      ];
      expect(filled.right).to.be.closeTo(bar.right, 1);
      expect(dot.right).to.be.closeTo(item.right, 1);
      const line = getComputedStyle(element.querySelector("colloquy-tutor-path li") ?? element, "::before");
      expect(Number.parseFloat(line.right), "the line runs through the dots").to.be.within(0, dot.width);
    } finally {
      document.documentElement.dir = "";
    }
  });

  it("leaves the focus where it is outside the tutor", async () => {
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

  it("says of every hint that a right answer does not count now", async () => {
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
    expect(words(element, ".note")).to.equal("With help, a right answer does not count towards mastery");
    await expectAccessible(element);
  });

  it("answers a learner who asks back at the open question, which goes on waiting", async () => {
    const { element, commands } = await show({ scripts: ["hangs", [complete(replied)]] });
    const field = element.querySelector<HTMLTextAreaElement>("colloquy-tutor-ask textarea") ?? expect.fail("no field");
    expect(words(element, "colloquy-tutor-ask small")).to.contain("Asking is help");
    field.focus();
    await sendKeys({ type: "Why no file?" });
    await sendKeys({ press: "Enter" });
    await until(() => element.querySelector("colloquy-tutor-card .exchange .stop"), "the work at the question");
    expect(words(element, "colloquy-tutor-card .exchange .asked")).to.equal("Why no file?");
    expect(document.activeElement, "the focus stays in the field").to.equal(field);
    await expectAccessible(element);
    button(element, "Stop").click();
    await until(() => !element.querySelector(".exchange"), "the end of the work");
    expect(field.value, "what was written stays until it is answered").to.equal("Why no file?");
    field.focus();
    await sendKeys({ press: "Enter" });
    await until(() => element.querySelector("colloquy-tutor-card .exchange colloquy-answer"), "the answer");
    await settled(element);
    expect(commands.filter(({ kind }) => kind === "act")).to.deep.equal([
      { kind: "act", action: { type: "ask", text: "Why no file?" } },
      { kind: "act", action: { type: "ask", text: "Why no file?" } },
    ]);
    expect([field.value, document.activeElement === field]).to.deep.equal(["", true]);
    expect(words(element, "colloquy-tutor-card .exchange colloquy-answer")).to.contain("reads what the first one writes");
    expect(words(element, ".note")).to.equal("With help, a right answer does not count towards mastery");
    await expectAccessible(element);
  });

  it("keeps a question that was not sent, for the next time the page is opened", async () => {
    const { element, tutoring } = await show({});
    const fieldIn = (root: Element) => root.querySelector<HTMLTextAreaElement>("textarea") ?? expect.fail("no field");
    const field = fieldIn(element.querySelector("colloquy-tutor-ask") ?? expect.fail("no way to ask"));
    field.focus();
    await sendKeys({ type: "Why no file?" });
    await tutoring.question.flush();
    const again = await mount(html`<colloquy-tutor-ask .row=${tutoring.question}></colloquy-tutor-ask>`);
    await until(() => fieldIn(again).value === "Why no file?", "what was written");
  });

  it("brings the answer to what was asked back into view under a question taller than the window", async () => {
    const { promise: busyUntil, resolve: go } = Promise.withResolvers<void>();
    const { element } = await show({ scripts: [[complete(replied)]], busyUntil });
    element.style.blockSize = "300px";
    await settled(element);
    const flow = element.querySelector<HTMLElement>("colloquy-tutor-flow") ?? expect.fail("no flow");
    const view = () => flow.getBoundingClientRect();
    expect(element.querySelector("colloquy-tutor-card form")?.getBoundingClientRect().height).to.be.greaterThan(view().height);
    flow.dispatchEvent(new WheelEvent("wheel"));
    flow.scrollTop = flow.scrollHeight;
    await settled(element);
    button(element, "Give me an example").click();
    const isInView = (selector: string) => () => {
      const box = element.querySelector(`colloquy-tutor-card ${selector}`)?.getBoundingClientRect();
      return box && box.top >= view().top && box.bottom <= view().bottom;
    };
    await until(isInView(".exchange .trace"), "the work in view");
    go();
    await until(() => element.querySelector("colloquy-tutor-card .exchange colloquy-answer p"), "the answer");
    await settled(element);
    await until(isInView(".exchange"), "the answer in view");
  });

  it("shows an explanation once that is no more than the right answer", async () => {
    const said = "A pipe joins two programs of a line.";
    const explained: TutorMessage = {
      kind: "explanation",
      messageId: "message-explained",
      at: session.startedAt,
      receipt: 16,
      itemId: "item-check-1",
      text: said,
      right: [],
      modelAnswer: said,
      citations,
    };
    const { element } = await show({ newest: { ...session, messages: [...session.messages, explained] } });
    expect(element.querySelector(".explained")?.textContent?.split(said)).to.have.length(2);
  });

  it("says that the course has no other explanation, with the page to read again", async () => {
    const messages = session.messages.map((message) =>
      message.kind === "teaching" ? { ...message, text: "", nothingElse: true as const } : message,
    );
    const { element } = await show({ newest: { ...session, messages } });
    const taught = element.querySelector(".taught");
    expect(taught?.querySelector(".ended")?.textContent).to.contain("explains this in no other way");
    expect([taught?.querySelector("colloquy-answer"), taught?.querySelectorAll("colloquy-sources").length]).to.deep.equal([null, 1]);
  });

  it("asks why by one button", async () => {
    const { element, commands } = await show({ scripts: ["hangs"] });
    button(element, "Why?").click();
    expect(commands).to.deep.equal([{ kind: "act", action: { type: "ask", text: "Why?" } }]);
  });

  it("answers a learner who asks back while the session is paused, and shows no question", async () => {
    const { element } = await show({ newest: { ...session, paused: true }, scripts: [[complete({ ...replied, paused: true })]] });
    button(element, "Why?").click();
    await until(() => element.querySelector(".exchange colloquy-answer"), "the answer");
    await settled(element);
    expect(words(element, ".exchange colloquy-answer")).to.contain("reads what the first one writes");
    expect(element.querySelector("colloquy-tutor-card")).to.equal(null);
    expect(words(element, ".standing.paused h3")).to.contain("Paused");
    await expectAccessible(element);
  });

  it("says of a question that nobody checked in time that it counts nothing", async () => {
    const current = session.current && { ...session.current, counts: false, unchecked: true as const };
    const { element } = await show({ newest: { ...session, current } });
    expect(words(element, ".note")).to.contain("could not be checked in time");
  });

  it("marks a model's grade as such, with its reasons and a way to dispute it", async () => {
    const { element, commands } = await show({ newest: afterGraded, scripts: ["hangs"] });
    expect(words(element, "colloquy-tutor-answered .words")).to.contain("graded by a model (Reader Large)");
    expect(words(element, ".criteria")).to.contain("It names a file.");
    button(element, "Dispute this grade").click();
    const field = await until(() => element.querySelector<HTMLTextAreaElement>(".dispute textarea"), "the form");
    field.value = "A pipe is a file, too.";
    await expectAccessible(element);
    button(element, "Do not count this grade").click();
    expect(commands).to.deep.equal([{ kind: "act", action: { type: "dispute", itemId: "item-check-1", text: "A pipe is a file, too." } }]);
  });

  it("shows own words that no model can judge beside the course's, without a verdict", async () => {
    const { element } = await show({ newest: afterCompared });
    const outcome = words(element, "colloquy-tutor-answered .outcome");
    expect(outcome)
      .to.match(/^Compare with what the course says/)
      .and.contain("What the first one writes.");
    expect(outcome).to.not.match(/Not right|It names a file|Dispute/);
    await expectAccessible(element);
  });

  it("says of an objective that its answer was compared with the course", async () => {
    const mastery = session.mastery.map((one) => ({
      ...one,
      standing: "none" as const,
      evidence: one.evidence.map((answer) => ({ ...answer, compared: true as const })),
    }));
    const { element } = await show({ newest: { ...session, mastery } });
    expect(words(element, "colloquy-tutor-progress summary")).to.equal("Compared with the course");
    expect(words(element, "colloquy-tutor-progress li"))
      .to.contain("Compared with the course")
      .and.not.match(/graded by a model|%/);
  });

  it("says beside an objective that its course has too few questions on it", async () => {
    const [first, ...rest] = session.mastery;
    const marked = first && { ...first, because: { kind: "course" as const }, evidence: [], mastered: false, standing: "none" as const };
    const { element } = await show({ newest: { ...session, mastery: marked ? [{ ...marked, tooFewQuestions: true }, ...rest] : [] } });
    expect(words(element, ".chosen")).to.contain("too few questions on this to show mastery");
  });

  it("calls a step of practice practised, not left for later", async () => {
    const path = session.path.map((step) => ({ ...step, state: "skipped" as const }));
    const { element } = await show({ newest: { ...session, path, practice: true } });
    expect(words(element, "colloquy-tutor-path")).to.contain("practised").and.not.contain("left for later");
  });

  it("shows progress with Stop, and the question again after stopping", async () => {
    const { element } = await show({ scripts: ["hangs"] });
    element.querySelectorAll<HTMLInputElement>("colloquy-tutor-card input")[1]?.click();
    await settled(element);
    const confirm = button(element, "Confirm choice");
    confirm.focus();
    confirm.click();
    const stop = await until(() => element.querySelector<HTMLButtonElement>(".working .stop"), "the work");
    await until(() => words(element, ".working").startsWith("Grading your answer"), "its words");
    await until(() => document.activeElement === stop, "the keyboard on Stop");
    await expectAccessible(element);
    stop.click();
    await until(() => element.querySelector("colloquy-tutor-card"), "the card");
    await settled(element);
    expect(element.querySelectorAll<HTMLInputElement>("colloquy-tutor-card input")[1]?.checked).to.equal(true);
  });

  it("brings a failure into view", async () => {
    const { element } = await show({ scripts: [[problem("ai_timeout")]] });
    element.style.blockSize = "260px";
    await settled(element);
    const flow = element.querySelector<HTMLElement>("colloquy-tutor-flow") ?? expect.fail("no flow");
    flow.scrollTop = 0;
    element.querySelector<HTMLInputElement>("colloquy-tutor-card input")?.click();
    await settled(element);
    button(element, "Confirm choice").click();
    const found = await until(() => element.querySelector(".problem"), "the failure");
    const [view, it] = [() => flow.getBoundingClientRect(), () => found.getBoundingClientRect()];
    await until(() => it().bottom <= view().bottom && it().top >= view().top, "the failure in view");
  });

  it("opens on the whole first question, and offers no way down while it is in view", async () => {
    const [pipes] = session.mastery.slice(1);
    const mastery = Array.from({ length: 8 }, (_, index) => ({
      ...(pipes ?? expect.fail("no objective")),
      objectiveId: `objective-${index}`,
      because: { kind: "goal" as const, words: ["pipes"] },
    }));
    const newest = { ...session, mastery, messages: session.messages.filter(({ kind }) => kind === "goal" || kind === "question") };
    const { element } = await show({ newest, width: 390 });
    const flow = element.querySelector<HTMLElement>("colloquy-tutor-flow") ?? expect.fail("no flow");
    const view = () => flow.getBoundingClientRect();
    const it = () => (element.querySelector("colloquy-tutor-card form") ?? expect.fail("no card")).getBoundingClientRect();
    expect(element.querySelector(".chosen")?.getBoundingClientRect().height).to.be.greaterThan(200);
    for (const height of [800, it().height + 140]) {
      element.style.blockSize = `${height}px`;
      await until(() => it().top >= view().top && it().bottom <= view().bottom, "the whole question");
      expect(flow.querySelector(".jump")).to.equal(null);
    }
    flow.dispatchEvent(new WheelEvent("wheel"));
    // The new height may move the text once more; the reader scrolls on.
    await until(() => {
      if (flow.scrollTop > 0) flow.scrollTop = 0;
      return flow.querySelector(".jump button");
    }, "the way down");
  });

  it("says what to do where no question can count, and offers practice", async () => {
    const { element, tutoring, commands } = await show({ newest: null, scripts: [[problem("no_questions")]] });
    await tutoring.loadCourses();
    tutoring.chooseCourse("course-number-0");
    await tutoring.start({ conversationId: "conversation-1", goal: "Bake bread", references: [], model: { choice: "automatic" } });
    const notice = await until(() => element.querySelector(".unproven"), "the notice");
    expect(notice.querySelector("h3")?.textContent).to.equal("No question on this goal can count yet.");
    expect(element.querySelector(".problem")).to.equal(null);
    await expectAccessible(notice);
    button(element, "Practise without counting").click();
    expect(commands.at(-1)).to.deep.equal({ kind: "retry", practice: true });
  });

  it("brings what hinders the beginning into view: the work, a failure, an off-topic goal", async () => {
    const related = { schemaVersion: 1 as const, related: false, language: "en", elsewhere: [] };
    for (const refused of [false, true]) {
      const { element, tutoring } = await show({
        newest: null,
        width: 390,
        scripts: [[problem("ai_timeout")]],
        ...(refused && { related }),
      });
      element.style.blockSize = "420px";
      await tutoring.loadCourses();
      tutoring.chooseCourse("course-number-0");
      await settled(element);
      await tutoring.start({ conversationId: "conversation-1", goal: "Bake bread", references: [], model: { choice: "automatic" } });
      const flow = element.querySelector<HTMLElement>("colloquy-tutor-flow") ?? expect.fail("no flow");
      const found = await until(() => flow.querySelector(refused ? ".strange" : ".problem"), "the notice");
      const [view, it] = [() => flow.getBoundingClientRect(), () => found.getBoundingClientRect()];
      await until(() => it().top >= view().top && Math.min(it().bottom, it().top + 300) <= view().bottom, "the notice in view");
      unmountAll();
    }
  });

  it("scrolls to what is not right, where the next question does not fit below it", async () => {
    const { element } = await show({ scripts: [[complete(afterWrong)]] });
    element.style.blockSize = "320px";
    await settled(element);
    const flow = element.querySelector<HTMLElement>("colloquy-tutor-flow") ?? expect.fail("no flow");
    element.querySelector<HTMLInputElement>("colloquy-tutor-card input")?.click();
    await settled(element);
    button(element, "Confirm choice").click();
    const outcome = await until(() => element.querySelector("colloquy-tutor-answered .outcome"), "the verdict");
    const top = () => outcome.getBoundingClientRect().top - flow.getBoundingClientRect().top;
    await until(() => element.querySelector("colloquy-tutor-card form") && top() >= 0 && top() < 80, "the verdict at the top");
    expect(flow.querySelector(".pinned")).to.equal(null);
  });

  it("scrolls to a right answer's verdict and the whole next question, else to the question with the verdict pinned above it", async () => {
    const isRight = (message: TutorMessage): TutorMessage => (message.kind === "answer" ? { ...message, correct: true } : message);
    const afterRight = { ...afterWrong, messages: afterWrong.messages.map(isRight) };
    for (const room of ["both", "card", "neither"] as const) {
      const { element } = await show({ scripts: [[complete(afterRight)]] });
      element.style.blockSize = room === "both" ? "2000px" : "320px";
      await settled(element);
      const flow = element.querySelector<HTMLElement>("colloquy-tutor-flow") ?? expect.fail("no flow");
      element.querySelector<HTMLInputElement>("colloquy-tutor-card input")?.click();
      await settled(element);
      const height = element.querySelector("colloquy-tutor-card form")?.getBoundingClientRect().height ?? expect.fail("no card");
      // Beside the flow there are the session's bar and the pinned verdict.
      if (room === "card") element.style.blockSize = `${height + 260}px`;
      button(element, "Confirm choice").click();
      const outcome = await until(() => element.querySelector("colloquy-tutor-answered .outcome"), "the verdict");
      const next = await until(() => element.querySelector("colloquy-tutor-card form"), "the next question");
      const view = () => flow.getBoundingClientRect();
      const top = (one: Element) => one.getBoundingClientRect().top - view().top;
      const bottom = () => view().bottom - next.getBoundingClientRect().bottom;
      if (room === "both") await until(() => top(outcome) >= 0 && bottom() >= 0, "both in view");
      else if (room === "card") await until(() => top(next) >= 0 && bottom() >= 0, "all of the card in view");
      else {
        await until(() => top(next) >= 0 && top(next) < 80, "the card's top in view");
        const pinned = await until(() => flow.querySelector<HTMLElement>(".pinned button"), "the verdict");
        expect(pinned.textContent).to.contain("Right");
        expect(top(pinned)).to.be.within(0, top(next));
        pinned.click();
        await until(() => top(outcome) >= 0 && flow.querySelector(".pinned") === null, "the reason");
      }
      unmountAll();
    }
  });

  it("keeps the scroll position that the reader chose during grading", async () => {
    const { promise: busyUntil, resolve: go } = Promise.withResolvers<void>();
    const { element } = await show({ scripts: [[complete(afterWrong)]], busyUntil });
    element.style.blockSize = "320px";
    await settled(element);
    const flow = element.querySelector<HTMLElement>("colloquy-tutor-flow") ?? expect.fail("no flow");
    element.querySelector<HTMLInputElement>("colloquy-tutor-card input")?.click();
    await settled(element);
    button(element, "Confirm choice").click();
    await until(() => element.querySelector(".working"), "the work");
    flow.dispatchEvent(new WheelEvent("wheel"));
    let scrolled = false;
    flow.addEventListener("scroll", () => (scrolled ||= flow.scrollTop === 0));
    // What is written meanwhile may move the text once more; the reader scrolls again.
    await until(() => {
      if (!scrolled) flow.scrollTop = flow.scrollTop === 0 ? 1 : 0;
      return scrolled;
    }, "the beginning");
    go();
    await until(() => element.querySelector("colloquy-tutor-answered .outcome"), "the verdict");
    await settled(element);
    expect(flow.scrollTop).to.equal(0);
  });

  it("offers a retry after a failure", async () => {
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

  it("offers a new turn when no plan could be verified", async () => {
    const { element, service, asked } = await show({ scripts: [[problem("plan_unverified")], [complete(afterWrong)]] });
    service.newest = { ...session, version: session.version + 4, phase: "planning", current: null };
    element.querySelector<HTMLInputElement>("colloquy-tutor-card input")?.click();
    await settled(element);
    button(element, "Confirm choice").click();
    await until(() => element.querySelector(".standing"), "the way on");
    expect(words(element, ".standing h3")).to.equal("The path is not planned yet");
    expect(element.querySelector(".problem")).to.equal(null);
    button(element, "Try again").click();
    await until(() => asked.length > 1, "another try");
    expect(asked[1]).to.deep.include({ action: { type: "resume" }, expectedVersion: session.version + 4 });
  });

  for (const [name, newest, live, title] of [
    ["paused", { ...session, paused: true }, undefined, "Paused at “Connect programs with a pipe”"],
    ["complete", { ...session, phase: "completed", current: null }, undefined, "1 of 2 mastered"],
    ["complete practice", { ...session, practice: true, phase: "completed", current: null }, undefined, "Practice complete"],
    ["on a course published anew", session, "revision-later-1", "The course was updated"],
    ["on a course that is gone", session, null, "This course is no longer published"],
    ["without a plan", { ...session, phase: "planning", current: null, path: [] }, undefined, "The path is not planned yet"],
  ] as [string, TutorSession, string | null | undefined, string][])
    it(`has a card with a way on when it is ${name}`, async () => {
      const { element } = await show({ newest, ...(live !== undefined && { live }) });
      expect(words(element, ".standing h3")).to.equal(title);
      expect(element.querySelector(".standing button")).not.to.equal(null);
      expect(element.querySelector("colloquy-tutor-card")).to.equal(null);
      await expectAccessible(element);
    });

  it("says that asking is help only where the question counts", async () => {
    const { element } = await show();
    expect(words(element, "colloquy-tutor-ask small")).to.contain("does not count");
    const { current } = session;
    const { element: practising } = await show({
      newest: { ...session, practice: true, current: current && { ...current, counts: false } },
    });
    expect(words(practising, "colloquy-tutor-ask small")).to.equal("Answered from the course");
  });

  it("shows at the end of practice what was practised, without a review schedule", async () => {
    const mastery = session.mastery.map((one) => ({
      ...one,
      standing: "none" as const,
      evidence: one.evidence.map((answer) => ({ ...answer, counts: false, disputed: false })),
    }));
    const { element } = await show({ newest: { ...session, mastery, practice: true, phase: "completed", current: null } });
    expect(words(element, ".standing h4")).to.equal("What you practised");
    expect(words(element, ".standing li small")).to.match(/^\d of \d right$/);
  });

  it("scrolls to the stale notice and keeps the uncounted answer visible", async () => {
    const { element, tutoring, service } = await show({ scripts: [[problem("stale_course_revision")]], width: 700 });
    element.style.blockSize = "320px";
    service.live = "revision-later-1";
    element.querySelector<HTMLInputElement>("colloquy-tutor-card input")?.click();
    await settled(element);
    expect(tutoring.chosen?.choiceIds).to.have.lengthOf(1);
    button(element, "Confirm choice").click();
    const standing = await until(() => element.querySelector(".standing"), "what stands in its way");
    expect(words(element, "colloquy-tutor-answered[lapsed]")).to.contain("Your answer").and.contain("Not counted");
    expect(element.querySelectorAll("colloquy-tutor-answered[lapsed] .mine").length).to.equal(1);
    const flow = element.querySelector("colloquy-tutor-flow") ?? expect.fail("no flow");
    const startNew = () => button(element, "Start a new session with your progress").getBoundingClientRect();
    await until(
      () => startNew().bottom <= flow.getBoundingClientRect().bottom && startNew().top >= flow.getBoundingClientRect().top,
      "the way on",
    );
    expect(standing.isConnected).to.equal(true);
    await expectAccessible(element);
  });

  it("shows how many answers were carried over", async () => {
    const mastery = session.mastery.map((one) => ({ ...one, evidence: one.evidence.map((each) => ({ ...each, carried: true })) }));
    const { element } = await show({ newest: { ...session, mastery, carriedFrom: "session-tutor-0" } });
    expect(words(element, ".line")).to.equal("1 of your answers still counts: its text is unchanged.");
    const before: TutorSession = { ...session, sessionId: "session-tutor-0", startedAt: "2026-01-01T00:00:00.000Z" };
    const less = await show({ newest: { ...session, mastery: mastery.slice(0, 1), carriedFrom: before.sessionId }, earlier: [before] });
    expect(words(less.element, ".line")).to.contain("1 objective is no longer in the course.");
    const none = await show({ newest: { ...session, carriedFrom: "session-tutor-0" } });
    expect(words(none.element, ".line")).to.contain("None of your answers could be kept");
  });

  it("shows each objective's review date, or nothing without one", async () => {
    const newest: TutorSession = { ...session, phase: "completed", current: null };
    const [first = "", second = ""] = newest.mastery.map(({ objectiveId }) => objectiveId);
    const times = (element: Element) => [...element.querySelectorAll(".standing time")].map((one) => one.textContent);
    const { element } = await show({ newest, daysToReview: { [first]: 8, [second]: 0 } });
    expect(times(element)).to.deep.equal(["in 8 days", "today"]);
    expect(element.querySelector<HTMLAnchorElement>(".standing a[href='/review']")).not.to.equal(null);
    const without = await show({ newest });
    expect(times(without.element)).to.deep.equal([]);
    const dueAt = new Date(Date.now() + 20 * 3_600_000).toISOString();
    const provisional = {
      ...newest,
      mastery: newest.mastery.map((one) => ({ ...one, mastered: true, standing: "provisional" as const, dueAt })),
    };
    const early = await show({ newest: provisional, daysToReview: { [first]: 0 } });
    expect(times(early.element), "not before an answer can confirm").to.deep.equal(["tomorrow"]);
    expect(words(early.element, ".standing h3")).to.equal("You have mastered all of it for now");
    const confirmed = { ...newest, mastery: newest.mastery.map((one) => ({ ...one, mastered: true, standing: "confirmed" as const })) };
    expect(words((await show({ newest: confirmed })).element, ".standing h3")).to.equal("You can do all of it");
  });

  it("lists the course of an attached page first", async () => {
    const { element, tutoring } = await show({ newest: null });
    element.references = [{ href: "/courses/course-number-1/a", sourceId: "topic-a", revisionId: "rev", kind: "topic", title: "A" }];
    await tutoring.loadCourses();
    await settled(element);
    const values = [...element.querySelectorAll<HTMLInputElement>("input[type=radio]")].map(({ value }) => value);
    expect(values).to.deep.equal(["course-number-1", "course-number-0"]);
  });

  it("starts with the attached page at one press, once its course is chosen", async () => {
    const { element, tutoring, commands } = await show({ newest: null });
    element.references = [{ href: "/courses/course-number-1/a", sourceId: "topic-a", revisionId: "rev", kind: "topic", title: "Pipes" }];
    await tutoring.loadCourses();
    const start = () => element.querySelector<HTMLButtonElement>("colloquy-tutor-start .button");
    tutoring.chooseCourse("course-number-0");
    await settled(element);
    expect(start()).to.equal(null);
    tutoring.chooseCourse("course-number-1");
    await settled(element);
    await expectAccessible(element);
    expect(start()?.textContent?.trim()).to.equal("Start with “Pipes”");
    start()?.click();
    expect(commands).to.deep.equal([{ kind: "begin", goal: "Pipes" }]);
  });

  it("starts with a list of courses, none selected", async () => {
    const { element, tutoring, commands } = await show({ newest: null });
    await tutoring.loadCourses();
    await settled(element);
    const radios = [...element.querySelectorAll<HTMLInputElement>("input[type=radio]")];
    expect(radios.map(({ checked }) => checked)).to.deep.equal([false, false]);
    await expectAccessible(element);
    radios[1]?.click();
    expect(commands).to.deep.equal([{ kind: "choose-course", courseId: "course-number-1" }]);
  });

  it("reports that the courses failed to load and retries", async () => {
    const { element, tutoring, service, commands } = await show({ newest: null });
    service.isUnreachable = true;
    await tutoring.loadCourses();
    await settled(element);
    expect(element.textContent).to.contain("The courses could not be loaded.");
    await expectAccessible(element);
    service.isUnreachable = false;
    button(element, "Try again").click();
    expect(commands).to.deep.equal([{ kind: "load" }]);
    await tutoring.loadCourses();
    await settled(element);
    expect(element.querySelectorAll("input[type=radio]").length).to.equal(2);
  });

  it("reports that tutoring cannot load while unreachable", async () => {
    const { element, commands } = await show({ isUnreachable: true });
    expect(words(element, ".problem")).to.contain("cannot be loaded right now");
    await expectAccessible(element);
    button(element, "Try again").click();
    expect(commands).to.deep.equal([{ kind: "load" }]);
  });

  it("says up front that a model cannot tutor", async () => {
    const unable = models.find(({ capabilities }) => !capabilities.tutor) ?? expect.fail("no such model");
    const { element, asked } = await show();
    element.model = { choice: "pinned", id: unable.id, allowFallbackWhenPinned: false };
    await settled(element);
    const flow = element.querySelector("colloquy-tutor-flow") as HTMLElement & { updateComplete: Promise<unknown> };
    await flow.updateComplete;
    expect(words(element, ".problem")).to.contain(`${unable.name} cannot tutor`);
    expect(asked).to.deep.equal([]);
    await expectAccessible(element);
  });

  it("opens the other sessions of the conversation", async () => {
    const before: TutorSession = {
      ...session,
      sessionId: "session-tutor-0",
      goal: "Know the file system",
      startedAt: "2026-01-01T00:00:00.000Z",
      phase: "completed",
      current: null,
    };
    const { element, commands, tutoring } = await show({ earlier: [before] });
    const select = element.querySelector<HTMLSelectElement>("select[aria-label=Session]") ?? expect.fail("no list");
    expect(select.options[1]?.text, "told apart by its beginning").to.match(/^Know the file system · complete · .*202[56]/);
    select.value = "session-tutor-0";
    select.dispatchEvent(new Event("change"));
    expect(commands).to.deep.equal([{ kind: "open", sessionId: "session-tutor-0" }]);
    await expectAccessible(element);
    tutoring.leave();
    await settled(element);
    expect([...element.querySelectorAll("#tutor-earlier + ul button")].length).to.equal(2);
    await expectAccessible(element);
  });

  it("shows the rails as sheets on a narrow screen", async () => {
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

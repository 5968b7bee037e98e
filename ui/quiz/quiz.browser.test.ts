import type { Quiz } from "@colloquy/schemas/quiz/quiz.ts";
import type { ConversationChangeData } from "@colloquy/schemas/sync/changes.ts";
import { sendKeys } from "@web/test-runner-commands";
import { expect } from "chai";
import { html } from "lit";
import type { AnnounceEvent } from "../controls/announce-event.ts";
import { accessibleName, expectAccessible, loadTheme, mount, unmountAll, until } from "../workspace/testing/browser.ts";
import type { QuizAttempt, QuizDraft } from "./progress.ts";
import { choicesOf } from "./progress.ts";
import { sampleQuiz } from "./quiz.fixture.ts";
import "./quiz.ts";
import type { QuizElement } from "./quiz.ts";

/** A quiz with someone who keeps what it says, as the session does. */
interface Shown {
  quiz: QuizElement;
  drafts: (QuizDraft | null)[];
  attempts: ConversationChangeData["quiz_attempted"][];
  said: string[];
}

async function show(quiz: Quiz, options: { attempts?: QuizAttempt[]; draft?: QuizDraft; wanted?: number } = {}): Promise<Shown> {
  const { attempts = [], draft = null, wanted = null } = options;
  const element = await mount<QuizElement>(
    html`<colloquy-quiz .quiz=${quiz} .attempts=${attempts} .draft=${draft} .wanted=${wanted}></colloquy-quiz>`,
  );
  const shown: Shown = { quiz: element, drafts: [], attempts: [], said: [] };
  element.addEventListener("colloquy-quiz-draft", (event) => shown.drafts.push(event.draft));
  element.addEventListener("colloquy-quiz-attempt", (event) => shown.attempts.push(event.attempt));
  element.addEventListener("colloquy-announce", (event: AnnounceEvent) => shown.said.push(event.text));
  await settled(element);
  return shown;
}

/** The element and all questions in it have been drawn, their formulas too. */
async function settled(quiz: QuizElement): Promise<void> {
  await quiz.updateComplete;
  await Promise.all([...quiz.querySelectorAll("colloquy-quiz-question")].map((question) => question.updateComplete));
  await until(() => !quiz.querySelector("[data-pending]"), "formulas and code");
}

const inputOf = (quiz: QuizElement, number: number, choiceId: string): HTMLInputElement => {
  const question = [...quiz.querySelectorAll("colloquy-quiz-question")][number - 1];
  const texts = question?.question?.choices.find((choice) => choice.choiceId === choiceId)?.text;
  const label = [...(question?.querySelectorAll("label") ?? [])].find((one) => one.querySelector("colloquy-quiz-text")?.text === texts);
  return label?.querySelector("input") ?? expect.fail(`no choice ${choiceId}`);
};
const button = (quiz: ParentNode, name: string): HTMLButtonElement =>
  [...quiz.querySelectorAll("button")].find((one) => one.textContent?.trim() === name) ?? expect.fail(`no button ${name}`);
const outcomes = (quiz: QuizElement): string[] =>
  [...quiz.querySelectorAll(".outcome .words")].map((one) => one.textContent?.replace(/\s+/g, " ").trim() ?? "");

async function choose(quiz: QuizElement, ...choices: [number, string][]): Promise<void> {
  for (const [number, id] of choices) {
    inputOf(quiz, number, id).click();
    await settled(quiz);
  }
}

const right: [number, string][] = [
  [1, "choice-11"],
  [2, "choice-21"],
  [2, "choice-22"],
  [3, "choice-31"],
  [3, "choice-32"],
  [3, "choice-33"],
];
const attempt = (answers: QuizAttempt["answers"], score: number): QuizAttempt => ({
  quizId: sampleQuiz.quizId,
  answers,
  score,
  at: "2026-11-20T10:00:00.000Z",
});
const [first, second, third] = sampleQuiz.questions.map(({ questionId }) => questionId) as [string, string, string];

describe("a quiz in the transcript", function () {
  this.timeout(120_000);
  before(loadTheme);
  afterEach(unmountAll);

  it("uses native, named controls and passes axe in every state", async () => {
    const { quiz } = await show(sampleQuiz);
    const kinds = [...quiz.querySelectorAll("fieldset")].map((set) =>
      [...new Set([...set.querySelectorAll("input")].map(({ type }) => type))].join(),
    );
    expect(kinds).to.deep.equal(["radio", "checkbox", "checkbox"]);
    expect(quiz.querySelector("legend")?.textContent).to.match(/Question 1 of 3, choose one\s+What does the shell do/);
    expect(quiz.querySelectorAll(".katex").length).to.be.greaterThan(3);
    expect(quiz.querySelector("legend pre code")?.textContent).to.contain("ls | wc -l");
    expect(quiz.querySelector("legend button, label button, label a")).to.equal(null);
    for (const label of quiz.querySelectorAll("label")) expect(label.getBoundingClientRect().height).to.be.at.least(44);
    await expectAccessible(quiz);
    await choose(quiz, [1, "choice-12"]);
    button(quiz, "Check").click();
    await settled(quiz);
    await expectAccessible(quiz);
    button(quiz, "Check all").click();
    await settled(quiz);
    await expectAccessible(quiz);
  });

  it("names choices and questions by rendered formulas, never by TeX", async () => {
    const { quiz } = await show(sampleQuiz);
    const names = (): string => [...quiz.querySelectorAll("input, fieldset")].map(accessibleName).join("\n");
    expect(names())
      .to.match(/^det ?\( ?A − λ I ?\) = 0$/m)
      .and.to.match(/keeps the direction of v, and 5 < 7/)
      .and.to.match(/For A v = λ v with v ≠ 0/);
    expect(names()).not.to.match(/\\[a-z]|\$\\|lambda/);
    await choose(quiz, [2, "choice-21"]);
    button(quiz, "Check all").click();
    await settled(quiz);
    expect(accessibleName(inputOf(quiz, 2, "choice-21"))).to.match(/λ.*: Your answer, right$/);
  });

  it("works by keyboard alone and moves the focus to each result", async () => {
    const { quiz } = await show(sampleQuiz);
    inputOf(quiz, 1, "choice-11").focus();
    await sendKeys({ press: "Space" });
    await settled(quiz);
    expect(inputOf(quiz, 1, "choice-11").checked).to.equal(true);
    await sendKeys({ press: "ArrowDown" });
    await settled(quiz);
    expect(inputOf(quiz, 1, "choice-12").checked).to.equal(true);
    await sendKeys({ press: "Enter" });
    await settled(quiz);
    const outcome = await until(() => document.activeElement?.closest(".outcome"), "the focus on the outcome");
    expect(outcome.textContent).to.match(/Not right\s*0 of 1 point/);
    const describes = (name: string) => document.getElementById(outcome.getAttribute(name) ?? "")?.textContent ?? "";
    expect(describes("aria-labelledby")).to.contain("Not right");
    expect(describes("aria-describedby")).to.contain("vertical bar");
    await sendKeys({ press: "Tab" });
    expect(document.activeElement?.matches("a.cite")).to.equal(true);
    await sendKeys({ press: "Tab" });
    expect(document.activeElement).to.equal(inputOf(quiz, 2, "choice-21"));
  });

  it("states the chosen and right choices in words, with sources", async () => {
    const { quiz } = await show(sampleQuiz);
    await choose(quiz, [1, "choice-12"], [2, "choice-21"], [2, "choice-23"]);
    for (const check of [...quiz.querySelectorAll<HTMLButtonElement>(".check")].slice(0, 2)) check.click();
    await settled(quiz);
    const words = (number: number, id: string) =>
      inputOf(quiz, number, id).closest("label")?.querySelector(".verdict")?.textContent?.replace(": ", "") ?? "";
    expect([words(1, "choice-11"), words(1, "choice-12"), words(1, "choice-13")]).to.deep.equal([
      "Right answer",
      "Your answer, not right",
      "",
    ]);
    expect([words(2, "choice-21"), words(2, "choice-22"), words(2, "choice-23"), words(2, "choice-24")]).to.deep.equal([
      "Your answer, right",
      "Right answer",
      "Your answer, not right",
      "",
    ]);
    expect(outcomes(quiz)).to.deep.equal(["Not right0 of 1 point", "Not right0 of 1 point"]);
    const [chip] = quiz.querySelectorAll<HTMLAnchorElement>("a.cite");
    expect(chip?.getAttribute("href")).to.contain("/courses/shell/pipes?mark=").and.contain("#b1");
    expect(chip?.getAttribute("aria-label")).to.equal("Source 1: Pipes and Filters");
    expect(inputOf(quiz, 1, "choice-11").disabled).to.equal(true);
  });

  it("emits each draft and finally the attempt once, keeping the focus", async () => {
    const { quiz, drafts, attempts, said } = await show(sampleQuiz);
    await choose(quiz, ...right);
    expect(drafts.at(-1)).to.deep.equal({
      round: 0,
      checked: [],
      answers: { [first]: ["choice-11"], [second]: ["choice-21", "choice-22"], [third]: ["choice-31", "choice-32", "choice-33"] },
    });
    for (const check of [...quiz.querySelectorAll<HTMLButtonElement>(".check")]) {
      expect(attempts).to.deep.equal([]);
      check.click();
      await settled(quiz);
    }
    expect(attempts).to.deep.equal([{ quizId: sampleQuiz.quizId, answers: drafts.at(-1)?.answers, score: 1 }]);
    expect(said).to.deep.equal(["Quiz finished: 3 of 3 points"]);
    expect(document.activeElement?.closest("colloquy-quiz-question")?.number).to.equal(3);
    expect(quiz.querySelector(".result")?.textContent).to.contain("All correct.");
  });

  it("checks all at once and focuses the named result", async () => {
    const { quiz, attempts, said } = await show(sampleQuiz);
    expect(button(quiz, "Check all").disabled).to.equal(true);
    await choose(quiz, [1, "choice-11"], [2, "choice-21"]);
    expect(quiz.querySelector(".foot")?.textContent).to.contain("1 of 3 not answered yet.");
    button(quiz, "Check all").click();
    await settled(quiz);
    expect(attempts).to.deep.equal([
      { quizId: sampleQuiz.quizId, answers: { [first]: ["choice-11"], [second]: ["choice-21"] }, score: 0.5 },
    ]);
    expect(outcomes(quiz)).to.deep.equal(["Right1 of 1 point", "Partly right0.5 of 1 point", "Not answered0 of 1 point"]);
    const result = await until(() => document.activeElement?.closest(".result"), "the focus on the result");
    expect(document.getElementById(result.getAttribute("aria-labelledby") ?? "")?.textContent).to.equal("1.5 of 3 points");
    expect(said, "the focus says it").to.deep.equal([]);
  });

  it("asks missed questions again in another order, or all of them", async () => {
    const shown = await show(sampleQuiz, { attempts: [attempt({ [first]: ["choice-11"], [second]: ["choice-24"] }, 1 / 3)] });
    const { quiz, drafts, attempts } = shown;
    expect(quiz.querySelector(".score")?.textContent).to.equal("1 of 3 points");
    button(quiz, "Repeat the 2 I missed").click();
    await settled(quiz);
    expect(drafts.at(-1)).to.deep.equal({ round: 1, checked: [first], answers: { [first]: ["choice-11"] } });
    await until(
      () => document.activeElement === quiz.querySelectorAll("fieldset")[1]?.querySelector("input"),
      "the focus on the first question asked again",
    );
    expect(outcomes(quiz)).to.deep.equal(["Right1 of 1 point"]);
    await choose(quiz, ...right.slice(1));
    button(quiz, "Check all").click();
    await settled(quiz);
    expect(attempts.at(-1)?.score).to.equal(1);
    expect(quiz.querySelector(".tries")?.textContent).to.contain("Your attempts: 33%, 100%.");
    button(quiz, "Repeat all questions").click();
    await settled(quiz);
    expect(drafts.at(-1)).to.deep.equal({ round: 2, checked: [], answers: {} });
    const orders = [0, 1, 2, 3].map((round) =>
      sampleQuiz.questions.flatMap((question) => choicesOf(question, round).map(({ choiceId }) => choiceId)).join(),
    );
    expect(new Set(orders).size).to.equal(4);
    expect([...quiz.querySelectorAll("label colloquy-quiz-text")].map((one) => (one as HTMLElement & { text: string }).text)).to.deep.equal(
      sampleQuiz.questions.flatMap((question) => choicesOf(question, 2).map(({ text }) => text)),
    );
    expect(inputOf(quiz, 1, "choice-13").closest("label")?.matches(":last-of-type"), "“None of the above” stays last").to.equal(true);
  });

  it("resumes a draft and reports an attempt from another device", async () => {
    const draft = { round: 0, checked: [first], answers: { [first]: ["choice-12"], [second]: ["choice-22"] } };
    const { quiz, drafts } = await show(sampleQuiz, { draft });
    expect(inputOf(quiz, 2, "choice-22").checked).to.equal(true);
    expect(outcomes(quiz)).to.deep.equal(["Not right0 of 1 point"]);
    quiz.attempts = [attempt({ [first]: ["choice-11"] }, 1 / 3)];
    await settled(quiz);
    expect(inputOf(quiz, 2, "choice-22").checked, "what is in progress stays").to.equal(true);
    expect(quiz.querySelector(".elsewhere")?.textContent).to.contain("You finished this on another device with 1 of 3 points.");
    button(quiz, "Show that instead of these answers").click();
    await settled(quiz);
    expect(drafts.at(-1)).to.equal(null);
    expect(quiz.querySelector(".score")?.textContent).to.equal("1 of 3 points");
    expect(inputOf(quiz, 1, "choice-11").checked).to.equal(true);
  });

  it("can be answered while more questions stream in", async () => {
    const soFar = { ...sampleQuiz, questions: sampleQuiz.questions.slice(0, 1) };
    const { quiz, attempts } = await show(soFar, { wanted: 3 });
    expect(quiz.querySelector("legend")?.textContent).to.contain("Question 1 of 3");
    expect(quiz.querySelector(".foot")?.textContent).to.contain("1 of 3 so far");
    await choose(quiz, [1, "choice-11"]);
    button(quiz, "Check").click();
    await settled(quiz);
    expect(attempts, "not over before all is there").to.deep.equal([]);
    const node = quiz.querySelector("fieldset");
    quiz.quiz = sampleQuiz;
    quiz.wanted = null;
    await settled(quiz);
    expect(quiz.querySelector("fieldset")).to.equal(node);
    expect(outcomes(quiz)).to.deep.equal(["Right1 of 1 point"]);
    expect(quiz.querySelectorAll("fieldset")).to.have.length(3);
  });

  it("offers the result if all questions were checked while streaming", async () => {
    const draft = { round: 0, checked: [first], answers: { [first]: ["choice-11"] } };
    const { quiz, attempts } = await show({ ...sampleQuiz, questions: sampleQuiz.questions.slice(0, 1) }, { draft });
    button(quiz, "See the result").click();
    await settled(quiz);
    expect(attempts.map(({ score }) => score)).to.deep.equal([1]);
  });

  it("saves each export as a file", async () => {
    const { quiz, said } = await show(sampleQuiz);
    const saved: { name: string; size: Promise<number> }[] = [];
    const caught = (event: Event) => {
      const link = event.composedPath()[0];
      if (!(link instanceof HTMLAnchorElement) || !link.download) return;
      event.preventDefault();
      saved.push({ name: link.download, size: fetch(link.href).then(async (response) => (await response.arrayBuffer()).byteLength) });
    };
    const click = HTMLAnchorElement.prototype.click;
    HTMLAnchorElement.prototype.click = function () {
      caught({ composedPath: () => [this], preventDefault: () => {} } as unknown as Event);
    };
    try {
      quiz.querySelector<HTMLElement>("summary")?.click();
      for (const [index, item] of [...quiz.querySelectorAll<HTMLButtonElement>("colloquy-quiz-export li button")].entries()) {
        item.click();
        await until(() => said.length === index + 1, "the file");
      }
    } finally {
      HTMLAnchorElement.prototype.click = click;
    }
    expect(saved.map(({ name }) => name)).to.deep.equal([
      "Quiz-pipes-filters.qti3.zip",
      "Quiz-pipes-filters.gift.txt",
      "Quiz-pipes-filters.anki.txt",
    ]);
    for (const { size } of saved) expect(await size).to.be.greaterThan(800);
    expect(said).to.deep.equal(["QTI 3 file saved", "Moodle GIFT file saved", "Anki file saved"]);
    await expectAccessible(quiz);
  });
});

import type { Question, Quiz } from "@colloquy/schemas/quiz/quiz.ts";
import { quizPoints } from "@colloquy/schemas/quiz/quiz-score.ts";
import { html, nothing } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import { classMap } from "lit/directives/class-map.js";
import { repeat } from "lit/directives/repeat.js";
import { AnnounceEvent } from "../controls/announce-event.ts";
import { LightElement } from "../controls/light-element.ts";
import { formatNumber, msg, rich } from "../messages/page.ts";
import { QuizAttemptEvent, QuizDraftEvent } from "./events.ts";
import "./export-menu.ts";
import {
  attemptOf,
  isAllChecked,
  isAnswered,
  missedOf,
  nextRound,
  pointsText,
  progressOf,
  type QuizAttempt,
  type QuizDraft,
  type QuizProgress,
  withAnswer,
  withChecked,
  withChoice,
} from "./progress.ts";
import "./course-question.ts";
import type { QuizCourseQuestion } from "./course-question.ts";
import "./question.ts";
import type { QuizQuestion } from "./question.ts";
import type { AnswerEvent, CheckEvent, ChoiceEvent } from "./question-events.ts";
import { quizStyles } from "./quiz.styles.ts";

let serial = 0;

/**
 * @summary A quiz in the transcript: questions are answered in any order and checked one by one or all at once. The last check finishes the
 * attempt; then the missed questions, or all, can be asked again.
 * @event {QuizDraftEvent} colloquy-quiz-draft
 * @event {QuizAttemptEvent} colloquy-quiz-attempt
 */
@customElement("colloquy-quiz")
export class QuizElement extends LightElement {
  static override lightStyles = [quizStyles];

  @property({ attribute: false }) quiz: Quiz | null = null;
  /** Attempts of this quiz, oldest first. */
  @property({ attribute: false }) attempts: readonly QuizAttempt[] = [];
  @property({ attribute: false }) draft: QuizDraft | null = null;
  /** Total number of questions while they are being generated; null when complete. */
  @property({ attribute: false }) wanted: number | null = null;
  @query(".result") private result!: HTMLElement | null;
  /** Distinguishes two copies of a quiz on one page. */
  readonly #name = `quiz-${serial++}`;
  /** An attempt finished here, and the number before it; shown until it arrives in `attempts`. */
  #finishedHere: { attempt: QuizAttempt; before: number } | null = null;

  get #attempts(): readonly QuizAttempt[] {
    const made = this.#finishedHere;
    return made && this.attempts.length <= made.before ? [...this.attempts, made.attempt] : this.attempts;
  }
  get #draft(): QuizDraft | null {
    return this.draft && this.#finishedHere && this.draft.round <= this.#finishedHere.before ? null : this.draft;
  }
  #progress(quiz: Quiz): QuizProgress {
    return progressOf(quiz, this.#attempts, this.#draft);
  }

  protected override render() {
    const { quiz } = this;
    if (!quiz) return nothing;
    const progress = this.#progress(quiz);
    const several = quiz.questions.some((question) => ("key" in question ? question.key : question).kind === "multiple");
    return html`<section aria-labelledby=${this.#name}>
      <h3 dir="auto" id=${this.#name}>${quiz.title}</h3>
      ${progress.finished ? html`<p class="standing">${this.#resultWords(quiz, progress)}</p>` : nothing}
      <p class="rule">${msg("quiz.eachQuestionGives1")}${several ? ` ${msg("quiz.multipleChoiceQuestionsWrongChoiceCancels")}` : ""}</p>
      <ol class="questions" @colloquy-quiz-choice=${this.#chose} @colloquy-quiz-answer=${this.#answered} @colloquy-quiz-check=${this.#check}>
        ${repeat(
          quiz.questions,
          ({ questionId }) => questionId,
          (question, index) => html`<li>${this.#question(quiz, question, index + 1, progress)}</li>`,
        )}
      </ol>
      ${this.wanted === null ? (progress.finished ? this.#result(quiz, progress) : this.#footer(quiz, progress)) : this.#growing(quiz, this.wanted)}
    </section>`;
  }

  #question(quiz: Quiz, question: Question, number: number, { answers, checked, round }: QuizProgress) {
    const answer = answers[question.questionId];
    const isChecked = checked.includes(question.questionId);
    const of = this.wanted ?? quiz.questions.length;
    return "key" in question
      ? html`<colloquy-quiz-course-question .question=${question} .sources=${quiz.sources} .number=${number} .of=${of} .round=${round} .answer=${answer} ?checked=${isChecked}></colloquy-quiz-course-question>`
      : html`<colloquy-quiz-question .question=${question} .sources=${quiz.sources} .number=${number} .of=${of} .round=${round} .chosen=${Array.isArray(answer) ? answer : []} ?checked=${isChecked}></colloquy-quiz-question>`;
  }

  #growing({ questions }: Quiz, wanted: number) {
    return html`<p class="foot">${msg("quiz.writingQuestionsSoFar", { made: questions.length, wanted })}</p>`;
  }

  #footer(quiz: Quiz, { answers, checked, round }: QuizProgress) {
    const open = quiz.questions.filter(({ questionId }) => !checked.includes(questionId));
    const without = open.filter((question) => !isAnswered(question, answers[question.questionId])).length;
    const left = open.length - without;
    return html`<div class="foot">
      <button type="button" class="primary" ?disabled=${open.length > 0 && left === 0} @click=${() => this.#checkAll(quiz)}>${open.length ? msg("quiz.checkAll") : msg("editor.seeTheResult")}</button>
      <span>${open.length === 0 ? msg("quiz.everyQuestionIsChecked") : without ? msg("quiz.ofNotAnsweredYet", { count: without, all: quiz.questions.length }) : msg("quiz.everyQuestionIsAnswered")}</span>
      <colloquy-quiz-export .quiz=${quiz}></colloquy-quiz-export>
      ${this.#otherAttemptNotice(quiz, round)}
    </div>`;
  }

  /** The notice of an attempt from another device while answers are in progress here. */
  #otherAttemptNotice(quiz: Quiz, round: number) {
    const last = this.#attempts.at(-1);
    if (!last || this.#attempts.length <= round) return nothing;
    return html`<p class="elsewhere">${msg("quiz.finishedAnotherDevicePoints", { points: pointsText(quizPoints(quiz, last.answers)), all: quiz.questions.length })}
      <button type="button" class="word" @click=${() => this.#emitDraft(null)}>${msg("quiz.showInsteadTheseAnswers")}</button></p>`;
  }

  #result(quiz: Quiz, { answers }: QuizProgress) {
    const points = quizPoints(quiz, answers);
    const count = quiz.questions.length;
    const missed = missedOf(quiz, answers);
    return html`<div class="result" tabindex="-1" role="group" aria-labelledby="${this.#name}-score" aria-describedby="${this.#name}-tries">
      <p class="score" id="${this.#name}-score">${rich("quiz.ofPoints", { n: count, points: html`<b>${pointsText(points)}</b>` })}</p>
      <p class="tries" id="${this.#name}-tries">${missed.length ? msg("quiz.correctReview", { right: count - missed.length, missed: missed.length }) : msg("quiz.allCorrect")}${this.#attemptsText()}</p>
      <div class="foot">
        ${missed.length && missed.length < count ? html`<button type="button" class="primary" @click=${() => this.#startAgain(quiz, "missed")}>${missed.length === 1 ? msg("quiz.askOneIMissed") : msg("quiz.askIMissedAgain", { n: missed.length })}</button>` : nothing}
        <button type="button" class=${classMap({ primary: missed.length === count })} @click=${() => this.#startAgain(quiz, "all")}>${msg("quiz.repeatAllQuestions")}</button>
        <colloquy-quiz-export .quiz=${quiz}></colloquy-quiz-export>
      </div>
    </div>`;
  }

  #attemptsText(): string {
    if (this.#attempts.length < 2) return "";
    const scores = this.#attempts.map(({ score }) => formatNumber(score, { style: "percent" }));
    const shown = scores.length > 5 ? `${scores[0]}, …, ${scores.slice(-3).join(", ")}` : scores.join(", ");
    return ` ${msg("quiz.yourTries", { tries: shown })}`;
  }

  readonly #chose = ({ question, choiceId, on }: ChoiceEvent) => {
    const { quiz } = this;
    if (quiz) this.#emitDraft(withChoice(this.#progress(quiz), question, choiceId, on));
  };

  readonly #answered = ({ question, response }: AnswerEvent) => {
    const { quiz } = this;
    if (quiz) this.#emitDraft(withAnswer(this.#progress(quiz), question, response));
  };

  readonly #check = ({ question }: CheckEvent) => {
    const { quiz } = this;
    if (!quiz) return;
    const draft = withChecked(this.#progress(quiz), [question.questionId]);
    this.#emitDraft(draft);
    void this.updateComplete.then(() => this.#elementOf(question)?.focusOutcome());
    if (this.wanted !== null || !isAllChecked(quiz, draft)) return;
    this.#finish(quiz, draft);
    this.dispatchEvent(new AnnounceEvent(msg("quiz.quizFinished", { result: this.#resultWords(quiz, draft) })));
  };

  #checkAll(quiz: Quiz): void {
    const all = quiz.questions.map(({ questionId }) => questionId);
    this.#finish(quiz, withChecked(this.#progress(quiz), all));
    // The result is announced when it receives the focus.
    void this.updateComplete.then(() => this.result?.focus());
  }

  #finish(quiz: Quiz, { answers }: QuizDraft): void {
    const attempt = attemptOf(quiz, answers);
    this.#finishedHere = { attempt: { ...attempt, at: new Date().toISOString() }, before: this.#attempts.length };
    this.requestUpdate();
    this.dispatchEvent(new QuizAttemptEvent(attempt));
  }

  #resultWords(quiz: Quiz, { answers }: QuizDraft): string {
    return `${pointsText(quizPoints(quiz, answers))} of ${quiz.questions.length} points`;
  }

  #startAgain(quiz: Quiz, which: "all" | "missed"): void {
    const draft = nextRound(quiz, this.#attempts, which);
    this.#emitDraft(draft);
    const first = quiz.questions.find(({ questionId }) => !draft.checked.includes(questionId));
    void this.updateComplete.then(() => first && this.#elementOf(first)?.focusChoices());
  }

  #emitDraft(draft: QuizDraft | null): void {
    const { quiz } = this;
    if (!quiz) return;
    this.draft = draft;
    this.dispatchEvent(new QuizDraftEvent(quiz.quizId, draft));
  }

  #elementOf(question: Question): QuizQuestion | QuizCourseQuestion | undefined {
    const elements = this.querySelectorAll<QuizQuestion | QuizCourseQuestion>("colloquy-quiz-question, colloquy-quiz-course-question");
    return [...elements].find((element) => element.question === question);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-quiz": QuizElement;
  }
}

import type { QuestionResponse, ShownQuestion } from "@colloquy/schemas/questions/response.ts";
import { withoutKey } from "@colloquy/schemas/questions/shown.ts";
import { solutionOf } from "@colloquy/schemas/questions/solution.ts";
import type { CourseQuestion, QuizAnswer } from "@colloquy/schemas/quiz/quiz.ts";
import { pointsOf } from "@colloquy/schemas/quiz/quiz-score.ts";
import type { Citation } from "@colloquy/schemas/sources/citations.ts";
import { html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { LightElement } from "../controls/light-element.ts";
import { msg } from "../messages/page.ts";
import { markWithErrors } from "../questions/error-words.ts";
import type { QuestionDraftEvent, QuestionResponseEvent } from "../questions/events.ts";
import { howTo, type QuestionFields, type QuestionResult } from "../questions/fields.ts";
import { markdownTexts } from "../questions/markdown-texts.ts";
import "../questions/question.ts";
import { courseQuestionStyles } from "./course-question.styles.ts";
import { pointsText } from "./progress.ts";
import { AnswerEvent, CheckEvent } from "./question-events.ts";
import { questionSources } from "./question-sources.ts";

const texts = markdownTexts();

/**
 * @summary A quiz question of the course's own, of any kind, as Tutor and Review show it; once checked with its feedback, what is right, why,
 * and the passages.
 * @event {AnswerEvent} colloquy-quiz-answer
 * @event {CheckEvent} colloquy-quiz-check
 */
@customElement("colloquy-quiz-course-question")
export class QuizCourseQuestion extends LightElement {
  static override lightStyles = [courseQuestionStyles];

  @property({ attribute: false }) question: CourseQuestion | null = null;
  @property({ attribute: false }) sources: readonly Citation[] = [];
  /** From 1. */
  @property({ type: Number }) number = 1;
  @property({ type: Number }) of = 1;
  /** Decides the order of the parts. */
  @property({ type: Number }) round = 0;
  @property({ attribute: false }) answer: QuizAnswer | undefined = undefined;
  @property({ type: Boolean }) checked = false;
  /** The same objects until the question or its round changes, so that what is rendered stays. */
  #shown: { of: CourseQuestion; round: number; question: ShownQuestion } | null = null;

  /** Moves the focus to the result once it is rendered. */
  async focusOutcome(): Promise<void> {
    await this.updateComplete;
    this.querySelector<HTMLElement>(".marked")?.focus();
  }

  /** Moves the focus to the first control. */
  async focusChoices(): Promise<void> {
    await this.updateComplete;
    await this.querySelector<QuestionFields>("colloquy-question-fields")?.focusField();
  }

  protected override render() {
    const { question, checked } = this;
    if (!question) return nothing;
    const shown = this.#shownOf(question);
    const name = msg("quiz.questionOf", { number: this.number, all: this.of, how: howTo(shown) });
    return html`<div class="ask" role="group" aria-label=${name}>
      <p class="number">${name}</p>
      <colloquy-question .question=${shown} .texts=${texts} .response=${this.#response} .result=${checked ? this.#result(question) : null}
        @colloquy-question-draft=${this.#onDraft} @colloquy-question-response=${this.#onResponse}></colloquy-question>
      ${checked ? this.#marked(question) : nothing}
    </div>`;
  }

  get #response(): QuestionResponse | null {
    return this.answer === undefined || Array.isArray(this.answer) ? null : this.answer;
  }

  #shownOf(question: CourseQuestion): ShownQuestion {
    if (this.#shown?.of !== question || this.#shown.round !== this.round)
      this.#shown = { of: question, round: this.round, question: withoutKey(question.key, `${question.questionId}/${this.round}`) };
    return this.#shown.question;
  }

  #result({ key }: CourseQuestion): QuestionResult {
    const marking = this.#response ? markWithErrors(key, this.#response) : { correct: false };
    return { ...marking, solution: solutionOf(key), ...(key.explanation !== undefined && { explanation: key.explanation }) };
  }

  #marked(question: CourseQuestion) {
    const points = msg("quiz.of1Point", { points: pointsText(pointsOf(question, this.answer)) });
    const words = this.#response ? points : `${msg("quiz.notAnswered")} · ${points}`;
    return html`<div class="marked" tabindex="-1" role="group" aria-label=${words}><p class="points">${words}</p>${questionSources(question, this.sources)}</div>`;
  }

  readonly #onDraft = ({ response }: QuestionDraftEvent) => {
    if (this.question && !this.checked) this.dispatchEvent(new AnswerEvent(this.question, response));
  };

  readonly #onResponse = ({ response }: QuestionResponseEvent) => {
    if (!this.question || this.checked) return;
    this.dispatchEvent(new AnswerEvent(this.question, response));
    this.dispatchEvent(new CheckEvent(this.question));
  };
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-quiz-course-question": QuizCourseQuestion;
  }
}

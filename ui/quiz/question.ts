import type { ChoiceQuestion } from "@colloquy/schemas/quiz/quiz.ts";
import { pointsOf } from "@colloquy/schemas/quiz/quiz-score.ts";
import type { Citation } from "@colloquy/schemas/sources/citations.ts";
import { html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { icons } from "../controls/icons.ts";
import { LightElement } from "../controls/light-element.ts";
import { msg } from "../messages/page.ts";
import { choicesOf, pointsText } from "./progress.ts";
import { questionStyles } from "./question.styles.ts";
import { CheckEvent, ChoiceEvent } from "./question-events.ts";
import { questionSources } from "./question-sources.ts";
import "./quiz-text.ts";

let serial = 0;

/**
 * @summary A quiz question with native radio buttons or checkboxes; once checked, the right answer and why. Results are shown by words and
 * icons, not by colour alone.
 * @event {ChoiceEvent} colloquy-quiz-choice
 * @event {CheckEvent} colloquy-quiz-check
 */
@customElement("colloquy-quiz-question")
export class QuizQuestion extends LightElement {
  static override lightStyles = [questionStyles];

  @property({ attribute: false }) question: ChoiceQuestion | null = null;
  @property({ attribute: false }) sources: readonly Citation[] = [];
  /** From 1. */
  @property({ type: Number }) number = 1;
  @property({ type: Number }) of = 1;
  /** Decides the order of the choices. */
  @property({ type: Number }) round = 0;
  @property({ attribute: false }) chosen: readonly string[] = [];
  @property({ type: Boolean }) checked = false;
  readonly #name = `question-${serial++}`;

  /** Moves the focus to the result once it is rendered. */
  async focusOutcome(): Promise<void> {
    await this.updateComplete;
    this.querySelector<HTMLElement>(".outcome")?.focus();
  }

  /** Moves the focus to the first choice. */
  async focusChoices(): Promise<void> {
    await this.updateComplete;
    this.querySelector("input")?.focus();
  }

  protected override render() {
    const { question, checked, chosen } = this;
    if (!question) return nothing;
    const how = question.kind === "single" ? msg("quiz.chooseOne2") : msg("quiz.chooseAllThatApply2");
    return html`<div class="ask ${checked ? "checked" : ""}" @keydown=${this.#pressed}>
      <fieldset aria-labelledby="${this.#name}-asks">
        <legend id="${this.#name}-asks"><span class="number">${msg("quiz.questionOf", { number: this.number, all: this.of, how })}</span>
          <colloquy-quiz-text plain .text=${question.prompt} .citations=${this.sources}></colloquy-quiz-text></legend>
        ${repeat(
          choicesOf(question, this.round),
          ({ choiceId }) => choiceId,
          ({ choiceId, text }) => this.#choice(question, choiceId, text),
        )}
      </fieldset>
      ${checked ? this.#outcome(question) : html`<button class="check" type="button" ?disabled=${chosen.length === 0} @click=${this.#check}>${msg("explainer.checkDo")}</button>`}
    </div>`;
  }

  #choice(question: ChoiceQuestion, choiceId: string, text: string) {
    const { checked } = this;
    const chosen = this.chosen.includes(choiceId);
    const verdict = checked ? verdictOf(question, choiceId, chosen) : null;
    const id = `${this.#name}-${choiceId}`;
    // Named by the rendered text, because a label would leave out formulas.
    return html`<label dir="auto" class="choice ${verdict?.kind ?? ""} ${chosen ? "chosen" : ""}">
      <input type=${question.kind === "single" ? "radio" : "checkbox"} name=${this.#name} .checked=${chosen} ?disabled=${checked} aria-labelledby=${verdict ? `${id}-text ${id}-verdict` : `${id}-text`}
        @change=${(event: Event) => this.dispatchEvent(new ChoiceEvent(question, choiceId, (event.currentTarget as HTMLInputElement).checked))} />
      <colloquy-quiz-text plain id="${id}-text" .text=${text} .citations=${this.sources}></colloquy-quiz-text>
      ${verdict ? html`<span class="verdict" id="${id}-verdict">${verdict.icon}<span class="visually-hidden">: </span>${verdict.words}</span>` : nothing}
    </label>`;
  }

  #outcome(question: ChoiceQuestion) {
    const points = pointsOf(question, this.chosen);
    const words =
      points === 1
        ? msg("common.right")
        : points > 0
          ? msg("quiz.partlyRight")
          : this.chosen.length
            ? msg("common.notRight")
            : msg("quiz.notAnswered");
    const of = msg("quiz.of1Point", { points: pointsText(points) });
    return html`<div class="outcome" tabindex="-1" role="group" aria-labelledby="${this.#name}-words" aria-describedby="${this.#name}-why">
      <p id="${this.#name}-words" class="words ${points === 1 ? "good" : points > 0 ? "partly" : "bad"}">${points === 1 ? icons.check : points > 0 ? icons.partly : icons.close}<b>${words}</b><span class="points">${of}</span></p>
      <colloquy-quiz-text id="${this.#name}-why" .text=${question.explanation} .citations=${this.sources}></colloquy-quiz-text>
      ${questionSources(question, this.sources)}
    </div>`;
  }

  readonly #check = () => {
    if (this.question && !this.checked && this.chosen.length) this.dispatchEvent(new CheckEvent(this.question));
  };

  /** Enter on a choice checks the answer, as it would submit a form. */
  readonly #pressed = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    this.#check();
  };
}

type Verdict = { kind: "right" | "wrong" | "missed"; icon: unknown; words: string };

/** The verdict on a choice of a checked question; null for a wrong choice that was not selected. */
function verdictOf({ correct }: ChoiceQuestion, choiceId: string, chosen: boolean): Verdict | null {
  const right = correct.includes(choiceId);
  if (right && chosen) return { kind: "right", icon: icons.check, words: msg("quiz.yourAnswerRight") };
  if (right) return { kind: "missed", icon: icons.check, words: msg("quiz.rightAnswer") };
  return chosen ? { kind: "wrong", icon: icons.close, words: msg("quiz.yourAnswerNotRight") } : null;
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-quiz-question": QuizQuestion;
  }
}

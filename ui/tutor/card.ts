import { bounds } from "@colloquy/schemas/bounds.ts";
import type { QuestionResponse } from "@colloquy/schemas/questions/response.ts";
import type { Card } from "@colloquy/schemas/tutor/session.ts";
import { html, nothing, type PropertyValues } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { repeat } from "lit/directives/repeat.js";
import { AnnounceEvent } from "../controls/announce-event.ts";
import { icons } from "../controls/icons.ts";
import { onScreenKeyboard } from "../controls/keyboard.ts";
import { LightElement } from "../controls/light-element.ts";
import { msg } from "../messages/page.ts";
import "../answers/sources.ts";
import type { QuestionDraftEvent } from "../questions/events.ts";
import "../questions/fields.ts";
import type { QuestionFields } from "../questions/fields.ts";
import { markdownTexts } from "../questions/markdown-texts.ts";
import { missingWords } from "../questions/missing.ts";
import { emptyResponse, fits, isComplete } from "../questions/response.ts";
import "../quiz/quiz-text.ts";
import { cardStyles } from "./card.styles.ts";
import { type TutorCommand, TutorEvent } from "./events.ts";
import { exchangeNow, exchangeView } from "./exchange.ts";
import type { AskedQuestion } from "./flow.ts";
import { hintText } from "./localized-text.ts";
import type { RunningWork } from "./running-work.ts";
import type { UnconfirmedChoice } from "./saved-choice.ts";

let serial = 0;

/** Renders the Markdown of questions of a course's own. */
const questionTexts = markdownTexts();

/**
 * @summary The open question: the learner chooses, then confirms. Hints come one at a time; each hint and the full explanation say that
 * a right answer does not count now.
 * @event {TutorEvent} colloquy-tutor
 */
@customElement("colloquy-tutor-card")
export class TutorCard extends LightElement {
  static override lightStyles = [cardStyles];

  @property({ attribute: false }) card: Card | null = null;
  /** The question with the hints and the explanation given so far. */
  @property({ attribute: false }) asked: AskedQuestion | null = null;
  /** The names of the objectives that the question is about. */
  @property({ attribute: false }) about = "";
  /** The language of the course's text. */
  @property({ attribute: false }) language = "";
  @property({ attribute: false }) chosen: UnconfirmedChoice | null = null;
  /** What the learner is asking back about it now. */
  @property({ attribute: false }) asking: RunningWork | null = null;
  /** The answer was sent back for its spelling. */
  @property({ type: Boolean }) misspelled = false;
  /** A request is running: the buttons do nothing. */
  @property({ type: Boolean }) busy = false;
  /** The learner wanted to send what is not complete. */
  @state() private early = false;
  @query("form") private form!: HTMLFormElement | null;
  @query("colloquy-question-fields") private fields!: QuestionFields | null;
  readonly #name = `tutor-card-${serial++}`;

  /** Moves the focus to the question, or to the answer that is to be looked at again. */
  async focusCard(): Promise<void> {
    await this.updateComplete;
    if (this.misspelled) return this.fields?.focusField();
    this.form?.focus({ preventScroll: true });
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("card") && changed.get("card")?.itemId !== this.card?.itemId) this.early = false;
  }

  protected override render() {
    const { card, busy } = this;
    if (!card) return nothing;
    const isComplete = this.#answer(card) !== null;
    const ready = isComplete && !busy;
    const kind = html`<span class="kind" id="${this.#name}-kind"><span>${kindWords(card)}</span>${this.about ? html` <span class="about" dir="auto" title=${this.about}>${this.about}</span>` : nothing}</span>`;
    return html`<form class="card" tabindex="-1" aria-labelledby="${this.#name}-kind ${this.#name}-prompt" @submit=${this.#confirm} @keydown=${this.#pressed}>
      ${
        card.question
          ? html`${kind}<colloquy-question-fields id="${this.#name}-prompt" .question=${card.question} .texts=${questionTexts} .response=${this.#response(card)} .language=${this.language}
        ?locked=${busy} @colloquy-question-draft=${this.#respond}></colloquy-question-fields>`
          : html`<fieldset aria-labelledby="${this.#name}-kind ${this.#name}-prompt" aria-describedby="${this.#name}-note">
        <legend>${kind}
          <colloquy-quiz-text plain class="prompt" lang=${this.language} id="${this.#name}-prompt" .text=${card.prompt}></colloquy-quiz-text></legend>
        ${card.selection === "text" ? this.#field(card) : this.#choices(card)}
      </fieldset>`
      }
      ${this.#help()}
      ${this.misspelled ? html`<p class="again">${icons.alert}<span>${msg("problem.check_spelling")}</span></p>` : nothing}
      ${isComplete ? nothing : html`<p class="again" id="${this.#name}-missing" ?hidden=${!this.early}>${icons.alert}<span>${missingIn(card)}</span></p>`}
      <div class="ways">
        <button class="primary" aria-disabled=${ready ? nothing : "true"} aria-describedby=${isComplete ? nothing : `${this.#name}-missing`}>${card.question || card.selection === "text" ? msg("tutor.sendAnswer") : msg("tutor.confirmChoice")}</button>
        ${
          card.hints.given < card.hints.most
            ? html`<button type="button" class="quiet" aria-disabled=${busy ? "true" : nothing} aria-describedby="${this.#name}-note"
              @click=${() => this.#act({ kind: "act", action: { type: "hint", itemId: card.itemId } })}>${card.hints.given ? msg("tutor.anotherHint") : msg("common.hint")}</button>`
            : nothing
        }
        ${
          this.asked?.explanation
            ? nothing
            : html`<button type="button" class="word" aria-disabled=${busy ? "true" : nothing} aria-describedby="${this.#name}-note"
              @click=${() => this.#act({ kind: "act", action: { type: "explanation", itemId: card.itemId } })}>${msg("tutor.explainItInstead")}</button>`
        }
        <button type="button" class="word" aria-disabled=${busy ? "true" : nothing}
          @click=${() => this.#act({ kind: "act", action: { type: "replace", itemId: card.itemId } })}>${msg("tutor.anotherQuestion")}</button>
        <small class="note" id="${this.#name}-note">${noteWords(card)}</small>
      </div>
    </form>`;
  }

  /** What was given so far to a question of the course's own. */
  #response({ itemId }: Card): QuestionResponse | null {
    return (this.chosen?.itemId === itemId && this.chosen.response) || null;
  }

  readonly #respond = ({ response }: QuestionDraftEvent) => {
    this.dispatchEvent(new TutorEvent({ kind: "respond", response }));
  };

  #choices({ choices, selection, itemId }: Card) {
    const chosen = this.#chosenIds(itemId);
    return html`<div class="choices">${repeat(
      choices,
      ({ choiceId }) => choiceId,
      ({ choiceId, text }) => html`<label dir="auto" class="choice ${chosen.includes(choiceId) ? "on" : ""}">
        <input type=${selection === "single" ? "radio" : "checkbox"} name=${this.#name} value=${choiceId} .checked=${live(chosen.includes(choiceId))}
          aria-labelledby="${this.#name}-${choiceId}" @change=${this.#choose} />
        <colloquy-quiz-text plain id="${this.#name}-${choiceId}" lang=${this.language} .text=${text}></colloquy-quiz-text></label>`,
    )}</div>`;
  }

  #field({ itemId }: Card) {
    const text = this.chosen?.itemId === itemId ? this.chosen.text : "";
    return html`<textarea rows="3" dir="auto" aria-labelledby="${this.#name}-prompt" maxlength=${bounds.tutor.answerLength} .value=${live(text)} placeholder=${msg("tutor.inYourOwnWords")}
      @input=${(event: Event) => this.#act({ kind: "write", text: (event.currentTarget as HTMLTextAreaElement).value })}></textarea>`;
  }

  /** The hints and the explanation given so far. */
  #help() {
    const { asked, card, asking } = this;
    if (!card || !asked || (!asked.hints.length && !asked.exchanges.length && !asked.explanation && !asking)) return nothing;
    const { explanation } = asked;
    const right = explanation ? card.choices.filter(({ choiceId }) => explanation.right.includes(choiceId)) : [];
    return html`<div class="help">
      ${asked.hints.map(
        (hint) =>
          html`<section><h4>${icons.hint}${msg("tutor.hintOf", { level: hint.level, most: card.hints.most })}</h4>${hintView(hint.text, this.language)}</section>`,
      )}
      ${asked.exchanges.map(exchangeView)}${asking ? exchangeNow(asking, () => this.dispatchEvent(new TutorEvent({ kind: "stop" }))) : nothing}
      ${
        explanation
          ? html`<section class="explained"><h4>${msg("tutor.explained")}</h4>
            ${
              right.length
                ? html`<p class="right">${icons.check}<span>${right.map(({ text }) => html`<colloquy-quiz-text plain lang=${this.language} .text=${text}></colloquy-quiz-text>`)}</span></p>`
                : explanation.modelAnswer
                  ? html`<colloquy-quiz-text lang=${this.language} .text=${explanation.modelAnswer} .citations=${explanation.citations}></colloquy-quiz-text>`
                  : nothing
            }
            ${
              // Of a question without an explanation of its own it is the right answer, which stands above it.
              explanation.text === explanation.modelAnswer
                ? nothing
                : html`<colloquy-quiz-text lang=${this.language} .text=${explanation.text} .citations=${explanation.citations}></colloquy-quiz-text>`
            }
            <div class="from"><colloquy-sources .citations=${explanation.citations}></colloquy-sources></div></section>`
          : nothing
      }</div>`;
  }

  #chosenIds(itemId: string): readonly string[] {
    return this.chosen?.itemId === itemId ? this.chosen.choiceIds : [];
  }

  /** The command that confirms the choice; null while nothing is chosen. */
  #answer(card: Card): TutorCommand | null {
    const { itemId, question } = card;
    if (question) {
      const given = this.#response(card);
      const response = given && fits(question, given) ? given : emptyResponse(question);
      return isComplete(question, response) ? { kind: "act", action: { type: "answer", itemId, response } } : null;
    }
    const text = this.chosen?.itemId === itemId ? this.chosen.text.trim() : "";
    const choiceIds = [...this.#chosenIds(itemId)];
    if (card.selection === "text") return text ? { kind: "act", action: { type: "answer", itemId, text } } : null;
    return choiceIds.length ? { kind: "act", action: { type: "answer", itemId, choiceIds } } : null;
  }

  readonly #choose = () => {
    const inputs = [...(this.form?.querySelectorAll<HTMLInputElement>("input:checked") ?? [])];
    this.dispatchEvent(new TutorEvent({ kind: "choose", choiceIds: inputs.map(({ value }) => value) }));
  };

  readonly #confirm = (event: Event) => {
    event.preventDefault();
    const { card } = this;
    if (!card || this.busy) return;
    const answer = this.#answer(card);
    this.early = answer === null;
    if (answer) return this.#act(answer);
    this.dispatchEvent(new AnnounceEvent(missingIn(card)));
    if (this.fields) void this.fields.focusField();
    else this.form?.querySelector<HTMLElement>("input, textarea")?.focus();
  };

  /** Enter on a choice would confirm by accident, so only the button confirms, or Ctrl+Enter in a text. */
  readonly #pressed = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.isComposing) return;
    // A short answer is confirmed by Enter, as in any form.
    if (event.target instanceof HTMLInputElement && event.target.type !== "text") event.preventDefault();
    if (event.target instanceof HTMLTextAreaElement && (event.ctrlKey || event.metaKey) && !onScreenKeyboard()) this.#confirm(event);
  };

  #act(command: TutorCommand): void {
    if (!this.busy || command.kind === "write") this.dispatchEvent(new TutorEvent(command));
  }
}

/** A hint written by the application is in the reader's language; a model's hint is in the course's. */
function hintView(hint: string, language: string) {
  const { text, own } = hintText(hint);
  return html`<colloquy-quiz-text lang=${own ? language : nothing} .text=${text}></colloquy-quiz-text>`;
}

const missingIn = ({ question, selection }: Card): string => missingWords(question?.kind ?? (selection === "text" ? "text" : "single"));

function kindWords({ kind, selection, question }: Card): string {
  const what = kind === "probe" ? msg("ledger.firstQuestion") : msg("common.check");
  const how = selection === "multiple" && !question ? msg("quiz.chooseAllThatApply2") : "";
  return [what, how].filter(Boolean).join(" · ");
}

function noteWords({ aided, gradedBy, hints, counts, unchecked }: Card): string {
  if (unchecked) return msg("tutor.uncheckedCountsNothing");
  if (counts === false) return msg("tutor.practiceCountsNothing");
  if (aided) return msg("tutor.withHelpNotCounted");
  if (gradedBy === "model") return msg("tutor.modelGradesGivesReasons");
  return hints.most ? msg("tutor.afterHelpNotCounted") : msg("tutor.afterExplanationNotCounted");
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-tutor-card": TutorCard;
  }
}

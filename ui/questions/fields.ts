import { promptMarkdown } from "@colloquy/schemas/questions/gaps.ts";
import type { QuestionResponse, ShownPart, ShownQuestion } from "@colloquy/schemas/questions/response.ts";
import type { ResponseError } from "@colloquy/schemas/questions/response-errors.ts";
import type { QuestionSolution } from "@colloquy/schemas/questions/solution.ts";
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { icons } from "../controls/icons.ts";
import { LightElement } from "../controls/light-element.ts";
import { msg, pageLanguage } from "../messages/page.ts";
import { QuestionDraftEvent } from "./events.ts";
import { fieldsStyles } from "./fields.styles.ts";
import { emptyResponse, fits, withChoice, withGap, withMoved, withPair } from "./response.ts";

/** How a response was marked, and what is shown of the key. */
export interface QuestionResult {
  /** Null for free text, which the learner compares. */
  correct: boolean | null;
  /** Of each choice, item, gap or pair of the response (`markResponse`). */
  parts?: readonly boolean[];
  /** What is wrong in this response. */
  errors?: readonly ResponseError[];
  /** Markdown: what the author says about this response. */
  feedback?: readonly string[];
  /** Markdown. */
  explanation?: string;
  solution?: QuestionSolution;
}

/**
 * Makes an element of a Markdown text of the question. `onReady` is to be called if the element changes later: gaps are then looked for
 * again (`[data-gap]`).
 */
export type QuestionTexts = (markdown: string, onReady: () => void) => HTMLElement;

const plainTexts: QuestionTexts = (markdown) => Object.assign(document.createElement("div"), { textContent: markdown });

let serial = 0;

/**
 * @summary The prompt of a question with its native controls: choices, fields, gaps within the prompt, a list to put in order, or selects to
 * match. It has no buttons of its own but those that move an item, so that it fits into another form. Verdicts are words and icons.
 * @event {QuestionDraftEvent} colloquy-question-draft
 */
@customElement("colloquy-question-fields")
export class QuestionFields extends LightElement {
  static override lightStyles = [fieldsStyles];

  @property({ attribute: false }) question: ShownQuestion | null = null;
  @property({ attribute: false }) texts: QuestionTexts = plainTexts;
  /** What the learner gave so far; null to begin. */
  @property({ attribute: false }) response: QuestionResponse | null = null;
  @property({ attribute: false }) result: QuestionResult | null = null;
  /** Nothing can be changed: a response is being marked. */
  @property({ type: Boolean }) locked = false;
  /** The language of the course's text. */
  @property({ attribute: false }) language = "";
  /** What is shown: `response`, then what the learner makes of it. A parent that renders again resets nothing. */
  @state() private current: QuestionResponse | null = null;
  @state() private moved = "";
  readonly #name = `question-fields-${serial++}`;
  #texts = new Map<string, { markdown: string; element: HTMLElement }>();

  /** The response, or the one to begin with. */
  get given(): QuestionResponse | null {
    const { question, current } = this;
    return question && (current && fits(question, current) ? current : emptyResponse(question));
  }

  /** Moves the focus to the choice taken, or to the first control that is empty. */
  async focusField(): Promise<void> {
    await this.updateComplete;
    const all = [...this.querySelectorAll<HTMLInputElement>("input, textarea, select, .mover")];
    const field = all.find(({ checked }) => checked) ?? all.find(({ value }) => value === "") ?? all[0];
    field?.focus();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("question") || changed.has("texts")) this.#texts = new Map();
    if (changed.has("question") || changed.has("response")) this.current = this.response;
  }

  protected override render() {
    const { question, given } = this;
    if (!question || !given) return nothing;
    const how = howTo(question);
    return html`<fieldset aria-labelledby="${this.#name}-prompt ${this.#name}-how">
      <legend class="visually-hidden" id="${this.#name}-how">${how}</legend>
      <div class="prompt" id="${this.#name}-prompt">${this.#text("prompt", promptMarkdown(question))}</div>
      ${question.kind === "gap" ? nothing : html`<p class="how" aria-hidden="true" lang=${pageLanguage()}><bdi>${how}</bdi></p>`}
      ${this.#controls(question, given)}
      <p class="visually-hidden" role="status" lang=${pageLanguage()}>${this.moved}</p>
    </fieldset>`;
  }

  #controls(question: ShownQuestion, given: QuestionResponse): unknown {
    switch (question.kind) {
      case "single":
      case "multiple":
        return this.#choices(question, "choiceIds" in given ? given.choiceIds : []);
      case "order":
        return this.#order(question.items, "choiceIds" in given ? given.choiceIds : []);
      case "match":
        return this.#match(question, "pairs" in given ? given.pairs : []);
      case "gap":
        return nothing;
      default:
        return this.#field(question, "text" in given ? given.text : "");
    }
  }

  /** A text is made once, so that a render around it changes nothing in it. */
  #text(slot: string, markdown: string): HTMLElement {
    const known = this.#texts.get(slot);
    if (known?.markdown === markdown) return known.element;
    const element = this.texts(markdown, () => this.requestUpdate());
    element.classList.add("question-text");
    element.dir ||= "auto";
    if (this.language) element.lang = this.language;
    this.#texts.set(slot, { markdown, element });
    return element;
  }

  #choices(question: Extract<ShownQuestion, { choices: unknown }>, chosenIds: readonly string[]) {
    const isSingle = question.kind === "single";
    const { result } = this;
    const rights = result?.solution && "choiceIds" in result.solution ? result.solution.choiceIds : [];
    return html`<div class="choices">${repeat(
      question.choices,
      ({ id }) => id,
      ({ id, markdown }) => {
        const at = chosenIds.indexOf(id);
        const chosen = at >= 0;
        const right = chosen ? result?.parts?.[at] : undefined;
        const verdict = right === undefined ? (!chosen && rights.includes(id) ? "missed" : null) : right ? "right" : "wrong";
        const name = `${this.#name}-${id}`;
        return html`<label class="choice ${verdict ?? ""} ${chosen ? "chosen" : ""}">
          <input type=${isSingle ? "radio" : "checkbox"} name=${this.#name} .checked=${chosen} ?disabled=${this.#closed}
            aria-labelledby=${verdict ? `${name}-text ${name}-verdict` : `${name}-text`}
            @change=${(event: Event) => this.#give(withChoice(this.given as QuestionResponse, id, (event.currentTarget as HTMLInputElement).checked, isSingle))} />
          <span class="choice-text" id="${name}-text">${this.#text(id, markdown)}</span>
          ${verdict ? this.#verdict(verdict, `${name}-verdict`) : nothing}
        </label>`;
      },
    )}</div>`;
  }

  #order(items: readonly ShownPart[], ids: readonly string[]) {
    const byId = new Map(items.map((item) => [item.id, item]));
    return html`<ol class="order">${repeat(
      ids,
      (id) => id,
      (id, index) => {
        const right = this.result?.parts?.[index];
        const name = `${this.#name}-${id}`;
        return html`<li class=${verdictOf(right)} data-item=${id} @keydown=${(event: KeyboardEvent) => this.#pressed(event, id)}>
          <span class="place" aria-hidden="true">${index + 1}</span>
          <span class="item-text" id=${name}>${this.#text(id, byId.get(id)?.markdown ?? "")}</span>
          ${right === undefined ? nothing : this.#verdict(verdictOf(right), `${name}-verdict`)}
          <span class="movers">${this.#mover(id, -1, index === 0)}${this.#mover(id, 1, index === ids.length - 1)}</span>
        </li>`;
      },
    )}</ol>`;
  }

  #mover(id: string, by: -1 | 1, atEnd: boolean) {
    const name = `${this.#name}-${id}-${by < 0 ? "up" : "down"}`;
    return html`<button type="button" class="mover ${by < 0 ? "up" : "down"}" id=${name} lang=${pageLanguage()} aria-label=${by < 0 ? msg("question.moveUp") : msg("question.moveDown")}
      aria-labelledby="${name} ${this.#name}-${id}" aria-disabled=${atEnd || this.#closed ? "true" : nothing} @click=${() => this.#move(id, by)}>${icons.down}</button>`;
  }

  /** Arrow keys on an item's buttons move the item. */
  #pressed(event: KeyboardEvent, id: string): void {
    if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
    event.preventDefault();
    this.#move(id, event.key === "ArrowUp" ? -1 : 1);
  }

  #move(id: string, by: -1 | 1): void {
    const { given } = this;
    if (!given || this.#closed) return;
    const moved = withMoved(given, id, by);
    if (moved === given || !("choiceIds" in moved)) return;
    this.#give(moved);
    this.moved = msg("question.nowAt", { place: moved.choiceIds.indexOf(id) + 1, count: moved.choiceIds.length });
    // Moving an element in the document takes its focus away.
    void this.updateComplete.then(() => this.querySelector<HTMLElement>(`[data-item="${id}"] .mover.${by < 0 ? "up" : "down"}`)?.focus());
  }

  #match({ lefts, rights }: Extract<ShownQuestion, { lefts: unknown }>, pairs: readonly { left: string; right: string }[]) {
    // An option holds plain text only: rights with formulas or code are listed, and chosen by their letters.
    const lettered = rights.some(({ markdown }) => !isPlain(markdown));
    const letter = (index: number): string => String.fromCharCode(65 + index);
    return html`${lettered ? html`<ol class="rights">${rights.map(({ id, markdown }, index) => html`<li><b class="letter">${letter(index)}</b>${this.#text(`right-${id}`, markdown)}</li>`)}</ol>` : nothing}
      <ul class="match">${lefts.map(({ id, markdown }) => {
        const at = pairs.findIndex(({ left }) => left === id);
        const right = at < 0 ? undefined : this.result?.parts?.[at];
        const name = `${this.#name}-${id}`;
        return html`<li class=${verdictOf(right)}>
          <span class="item-text" id=${name}>${this.#text(id, markdown)}</span>
          <select aria-labelledby=${right === undefined ? name : `${name} ${name}-verdict`} dir="auto" ?disabled=${this.#closed}
            @change=${(event: Event) => this.#give(withPair(this.given as QuestionResponse, id, (event.currentTarget as HTMLSelectElement).value))}>
            <option value="" ?selected=${at < 0} lang=${pageLanguage()}>${msg("question.choose")}</option>
            ${rights.map((one, index) => html`<option value=${one.id} ?selected=${pairs[at]?.right === one.id}>${lettered ? letter(index) : one.markdown}</option>`)}
          </select>
          ${right === undefined ? nothing : this.#verdict(verdictOf(right), `${name}-verdict`)}
        </li>`;
      })}</ul>`;
  }

  #field(question: Extract<ShownQuestion, { kind: "text" | "number" | "free" }>, text: string) {
    const name = `${this.#name}-prompt ${this.#name}-how`;
    const onInput = (event: Event) => this.#give({ text: (event.currentTarget as HTMLInputElement | HTMLTextAreaElement).value });
    if (question.kind === "free")
      return html`<textarea rows="5" dir="auto" aria-labelledby=${name} .value=${text} ?readonly=${this.#closed} @input=${onInput}></textarea>`;
    const verdict = this.result ? verdictOf(this.result.correct ?? undefined) : "";
    return html`<p class="field ${verdict}">
      <input type="text" dir="auto" inputmode=${question.kind === "number" ? "text" : nothing} autocomplete="off" autocapitalize="off" spellcheck="false"
        aria-labelledby=${question.kind === "number" && question.unit ? `${name} ${this.#name}-unit` : name} .value=${text} ?readonly=${this.#closed} @input=${onInput}
        aria-describedby=${question.kind === "number" && !this.#closed ? `${this.#name}-form` : nothing} />
      ${question.kind === "number" && question.unit ? html`<span class="unit" id="${this.#name}-unit">${question.unit}</span>` : nothing}
      ${question.kind === "number" && !this.#closed ? html`<small id="${this.#name}-form">${msg("question.numberForm")}</small>` : nothing}
    </p>`;
  }

  protected override updated(): void {
    const { question, given } = this;
    if (question?.kind === "gap" && given && "texts" in given) this.#placeGaps(given.texts);
  }

  /** Puts a field into each place of the prompt that stands for a gap, and shows in it what was given. */
  #placeGaps(texts: readonly string[]): void {
    const prompt = this.querySelector(".prompt");
    if (!prompt) return;
    // A place that came later, with its formula or code, takes the field over.
    for (const line of prompt.querySelectorAll<HTMLElement>("p[data-line]"))
      if (prompt.querySelector(`.gap[data-gap="${line.dataset.line}"]`)) line.remove();
    for (const place of prompt.querySelectorAll<HTMLElement>(".gap[data-gap]")) {
      const number = Number(place.dataset.gap);
      if (number >= 1 && number <= texts.length && !place.querySelector("input")) place.replaceChildren(this.#gapField(number));
    }
    // A gap within a formula has no place: its field follows the prompt.
    texts.forEach((_, index) => {
      if (prompt.querySelector(`input[data-gap="${index + 1}"]`) || prompt.querySelector("[data-pending]")) return;
      const line = document.createElement("p");
      line.dataset.line = String(index + 1);
      line.append(this.#gapField(index + 1));
      prompt.append(line);
    });
    for (const field of prompt.querySelectorAll<HTMLInputElement>("input[data-gap]")) {
      const index = Number(field.dataset.gap) - 1;
      const right = this.result?.parts?.[index];
      if (field.value !== texts[index]) field.value = texts[index] ?? "";
      field.readOnly = this.#closed;
      field.className = verdictOf(right);
      field.setAttribute(
        "aria-label",
        [msg("question.gap", { number: index + 1 }), right === undefined ? "" : verdictWords(verdictOf(right))].filter(Boolean).join(": "),
      );
    }
  }

  #gapField(number: number): HTMLInputElement {
    const field = document.createElement("input");
    Object.assign(field, { type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: false, size: 8, dir: "auto" });
    field.dataset.gap = String(number);
    field.addEventListener("input", () => this.#give(withGap(this.given as QuestionResponse, number, field.value)));
    return field;
  }

  #verdict(verdict: string, id: string): TemplateResult {
    return html`<span class="verdict" id=${id} lang=${pageLanguage()}>${verdict === "wrong" ? icons.close : icons.check}<span class="visually-hidden">: </span><bdi>${verdictWords(verdict)}</bdi></span>`;
  }

  get #closed(): boolean {
    return this.locked || this.result !== null;
  }

  #give(response: QuestionResponse): void {
    if (this.#closed) return;
    this.current = response;
    this.dispatchEvent(new QuestionDraftEvent(response));
  }
}

const verdictOf = (right: boolean | undefined): string => (right === undefined ? "" : right ? "right" : "wrong");

const verdictWords = (verdict: string): string =>
  verdict === "missed" ? msg("quiz.rightAnswer") : verdict === "right" ? msg("common.right") : msg("common.notRight");

/** Whether Markdown is shown as it is written. */
const isPlain = (markdown: string): boolean => !/[`$*_\\[\]<>~\n&]/.test(markdown);

/** What is to be done. */
export function howTo(question: ShownQuestion): string {
  switch (question.kind) {
    case "single":
      return msg("quiz.chooseOne");
    case "multiple":
      return msg("quiz.chooseAllThatApply");
    case "order":
      return msg("question.putInOrder");
    case "match":
      return msg("question.matchEach");
    case "gap":
      return msg("question.fillGaps");
    default:
      return msg("question.yourAnswer");
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-question-fields": QuestionFields;
  }
}

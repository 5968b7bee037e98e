import type { QuestionResponse, ShownQuestion } from "@colloquy/schemas/questions/response.ts";
import { html, nothing } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { icons } from "../controls/icons.ts";
import { LightElement } from "../controls/light-element.ts";
import { msg, onLanguageChange, pageLanguage } from "../messages/page.ts";
import { errorWords } from "./error-words.ts";
import { QuestionHelpEvent, QuestionResponseEvent } from "./events.ts";
import "./fields.ts";
import type { QuestionFields, QuestionResult, QuestionTexts } from "./fields.ts";
import { missingWords } from "./missing.ts";
import { questionStyles } from "./question.styles.ts";
import { emptyResponse, isComplete } from "./response.ts";

let serial = 0;

/**
 * @summary A question in a form of its own: the learner answers, has it checked and sees the result, with hints, another try and the solution
 * as far as its owner offers them. The owner marks: it hears the response and sets `result`.
 * @event {QuestionResponseEvent} colloquy-question-response
 * @event {QuestionDraftEvent} colloquy-question-draft
 * @event {QuestionHelpEvent} colloquy-question-help
 */
@customElement("colloquy-question")
export class QuestionElement extends LightElement {
  static override lightStyles = [questionStyles];

  /** Without its key. */
  @property({ attribute: false }) question: ShownQuestion | null = null;
  /** Renders the question's Markdown; plain text if absent. */
  @property({ attribute: false }) texts: QuestionTexts | null = null;
  /** What the learner gave before. */
  @property({ attribute: false }) response: QuestionResponse | null = null;
  /** Null until the response was marked, and again for another try. */
  @property({ attribute: false }) result: QuestionResult | null = null;
  /** Markdown of the hints shown so far. */
  @property({ attribute: false }) hints: readonly string[] = [];
  @property({ type: Number }) hintsLeft = 0;
  /** Whether another try and the solution are offered after a result. */
  @property({ type: Boolean }) retries = false;
  /** The response is being marked. */
  @property({ type: Boolean }) busy = false;
  /** Where the answer stands, to read again after a wrong response. */
  @property({ attribute: false }) passages: readonly { href: string; title: string }[] = [];
  /** The language of the course's text. */
  @property({ attribute: false }) language = "";
  /** The learner asked for a check of what is not complete. */
  @state() private early = false;
  @query("colloquy-question-fields") private fields!: QuestionFields | null;
  @query("button.primary") private button!: HTMLButtonElement | null;
  readonly #name = `question-${serial++}`;
  #gone: AbortController | null = null;
  #texts = new Map<string, HTMLElement>();

  override connectedCallback(): void {
    super.connectedCallback();
    this.#gone = new AbortController();
    onLanguageChange(() => this.requestUpdate(), this.#gone.signal);
  }
  override disconnectedCallback(): void {
    this.#gone?.abort();
    super.disconnectedCallback();
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (changed.has("question") || changed.has("texts")) this.#texts = new Map();
    if (changed.has("question")) this.early = false;
  }

  protected override updated(changed: Map<PropertyKey, unknown>): void {
    // What was operated before may be gone; the focus stays with the question.
    if (changed.has("result") && changed.get("result") !== undefined && this.#hadFocus)
      if (this.result) this.button?.focus();
      else void this.fields?.focusField();
  }

  get #hadFocus(): boolean {
    const root = this.getRootNode() as Document | ShadowRoot;
    return this.contains(root.activeElement) || root.activeElement === null || root.activeElement === document.body;
  }

  protected override render() {
    const { question, result, retries } = this;
    if (!question) return nothing;
    const canRetry = retries && result !== null;
    const missing = this.#missing(question);
    const canReveal = retries && result !== null && !result.correct && !result.solution;
    return html`<form @submit=${this.#submit} @keydown=${this.#pressed} novalidate>
      <colloquy-question-fields .question=${question} .texts=${this.texts ?? plain} .response=${this.response} .result=${result} .language=${this.language} ?locked=${this.busy}
        @colloquy-question-draft=${() => this.requestUpdate()}></colloquy-question-fields>
      <div class="hints" aria-live="polite">${this.hints.map((hint, index) => html`<div class="hint"><p class="hint-name" lang=${pageLanguage()}>${icons.hint}<bdi>${msg("rendering.hint", { number: index + 1 })}</bdi></p>${this.#text(`hint-${index}`, hint)}</div>`)}</div>
      ${this.#outcome(question, result)}
      <div class="ways" lang=${pageLanguage()}>
        ${
          result === null || canRetry
            ? html`<button class=${result?.correct ? "primary quiet" : "primary"} aria-disabled=${this.#isReady(question) || result ? nothing : "true"}
              aria-describedby=${missing ? `${this.#name}-missing` : nothing}>${result ? msg("common.tryAgain") : question.kind === "free" ? msg("question.compare") : msg("explainer.checkDo")}</button>`
            : nothing
        }${missing ? html`<span hidden id="${this.#name}-missing">${missing}</span>` : nothing}
        ${
          this.hintsLeft > 0 && !result?.correct && !result?.solution
            ? html`<button type="button" class="quiet" @click=${() => this.#help("hint")}>${msg("question.showHint")}</button>`
            : nothing
        }
        ${canReveal ? html`<button type="button" class="quiet" @click=${() => this.#help("solution")}>${msg("question.showSolution")}</button>` : nothing}
      </div>
    </form>`;
  }

  /** Why nothing can be checked yet; null once it can. */
  #missing(question: ShownQuestion): string | null {
    return this.result || this.busy || this.#isReady(question) ? null : missingWords(question.kind);
  }

  #isReady(question: ShownQuestion): boolean {
    const given = this.fields?.given ?? this.response ?? emptyResponse(question);
    return !this.busy && isComplete(question, given);
  }

  #outcome(question: ShownQuestion, result: QuestionResult | null) {
    const missing = this.early ? this.#missing(question) : null;
    const kind = result === null ? "" : result.correct === null ? "none" : result.correct ? "good" : "bad";
    return html`<div class="outcome ${kind}">
      <div role="status">${
        result
          ? html`${result.correct === null ? nothing : html`<p class="words" lang=${pageLanguage()}>${result.correct ? icons.check : icons.close}<bdi><b>${result.correct ? msg("common.right") : msg("common.notRight")}</b>${this.#share(question, result)}</bdi></p>`}
            ${result.errors?.map((error) => html`<p class="error" lang=${pageLanguage()}><bdi>${errorWords(error, question, this.response)}</bdi></p>`)}
            ${result.feedback?.map((text, index) => this.#text(`feedback-${index}`, text)) ?? nothing}`
          : missing
            ? html`<p class="error" lang=${pageLanguage()}><bdi>${missing}</bdi></p>`
            : nothing
      }</div>
      ${result?.correct === false && this.passages.length > 0 ? html`<p class="again"><bdi lang=${pageLanguage()}>${msg("question.readAgain")}</bdi> ${this.passages.map(({ href, title }) => html`<a href=${href} dir="auto" lang=${this.language || nothing}>${title}</a> `)}</p>` : nothing}
      ${result?.solution ? this.#solution(question, result.solution) : nothing}
      ${result?.explanation ? html`<div class="why"><p class="name" lang=${pageLanguage()}><bdi>${msg("question.explanation")}</bdi></p>${this.#text("explanation", result.explanation)}</div>` : nothing}
    </div>`;
  }

  /** How much of a response in parts is right. */
  #share(question: ShownQuestion, { correct, parts }: QuestionResult): string {
    if (correct !== false || !parts || question.kind === "single") return "";
    const right = parts.filter(Boolean).length;
    if (question.kind === "multiple") return right === parts.length ? ` · ${msg("question.incomplete")}` : "";
    return ` · ${msg("question.partsRight", { right, count: parts.length })}`;
  }

  #solution(question: ShownQuestion, solution: NonNullable<QuestionResult["solution"]>) {
    // Right choices are marked where they stand.
    if (question.kind === "single" || question.kind === "multiple") return nothing;
    const name = question.kind === "free" ? msg("question.modelAnswer") : msg("quiz.rightAnswer");
    return html`<div class="solution"><p class="name" lang=${pageLanguage()}><bdi>${name}</bdi></p>${this.#solutionParts(question, solution)}</div>`;
  }

  #solutionParts(question: ShownQuestion, solution: NonNullable<QuestionResult["solution"]>) {
    const markdownOf = (parts: readonly { id: string; markdown: string }[], id: string): string =>
      parts.find((one) => one.id === id)?.markdown ?? "";
    if ("answer" in solution)
      return html`${this.#text("answer", solution.answer)}
        <fieldset class="rubric"><legend lang=${pageLanguage()}><bdi>${msg("question.doesYours")}</bdi></legend>${solution.rubric.map(
          (criterion, index) =>
            html`<label><input type="checkbox" aria-labelledby="${this.#name}-rubric-${index}" /><span id="${this.#name}-rubric-${index}">${this.#text(`rubric-${index}`, criterion)}</span></label>`,
        )}</fieldset>`;
    if ("choiceIds" in solution && question.kind === "order")
      return html`<ol>${solution.choiceIds.map((id) => html`<li>${this.#text(`right-${id}`, markdownOf(question.items, id))}</li>`)}</ol>`;
    if ("pairs" in solution && question.kind === "match")
      return html`<ul class="pairs">${solution.pairs.map(
        ({ left, right }) =>
          html`<li>${this.#text(`left-${left}`, markdownOf(question.lefts, left))}<span class="arrow">${icons.next}</span>${this.#text(`right-${right}`, markdownOf(question.rights, right))}</li>`,
      )}</ul>`;
    if ("texts" in solution)
      return html`<ol class="gaps">${solution.texts.map((text) => html`<li><code dir="auto">${text}</code></li>`)}</ol>`;
    return "text" in solution ? this.#text("solution", solution.text) : nothing;
  }

  #text(slot: string, markdown: string): HTMLElement {
    const key = `${slot} ${markdown}`;
    const known = this.#texts.get(key);
    if (known) return known;
    const element = (this.texts ?? plain)(markdown, () => this.requestUpdate());
    element.classList.add("question-text");
    element.dir ||= "auto";
    if (this.language) element.lang = this.language;
    this.#texts.set(key, element);
    return element;
  }

  readonly #submit = (event: Event): void => {
    event.preventDefault();
    const { question, fields } = this;
    if (!question || !fields?.given) return;
    if (this.result) {
      if (this.retries) this.#help("retry");
      return;
    }
    this.early = !this.#isReady(question);
    if (this.early) {
      void fields.focusField();
      return;
    }
    this.response = fields.given;
    this.dispatchEvent(new QuestionResponseEvent(fields.given));
  };

  /** Enter in a select or on a choice checks, as in a text field. */
  readonly #pressed = (event: KeyboardEvent): void => {
    const { target } = event;
    if (event.key !== "Enter" || event.isComposing) return;
    const isChoice = target instanceof HTMLInputElement && target.type !== "text" && !target.closest(".rubric");
    if (!isChoice && !(target instanceof HTMLSelectElement)) return;
    event.preventDefault();
    this.querySelector("form")?.requestSubmit();
  };

  #help(help: QuestionHelpEvent["help"]): void {
    this.dispatchEvent(new QuestionHelpEvent(help));
  }
}

const plain: QuestionTexts = (markdown) => Object.assign(document.createElement("div"), { textContent: markdown });

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-question": QuestionElement;
  }
}

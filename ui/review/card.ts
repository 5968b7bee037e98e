import { directionOf } from "@colloquy/schemas/languages.ts";
import type { QuestionResponse } from "@colloquy/schemas/questions/response.ts";
import { solutionOf } from "@colloquy/schemas/questions/solution.ts";
import type { ReviewAnswerReply, ReviewAsk, ReviewPassage, ReviewQuestion } from "@colloquy/schemas/review/requests.ts";
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { icons } from "../controls/icons.ts";
import { LightElement } from "../controls/light-element.ts";
import { msg, rich } from "../messages/page.ts";
import { markWithErrors } from "../questions/error-words.ts";
import type { QuestionDraftEvent, QuestionResponseEvent } from "../questions/events.ts";
import type { QuestionResult } from "../questions/fields.ts";
import { markdownTexts } from "../questions/markdown-texts.ts";
import "../questions/question.ts";
import "../quiz/quiz-text.ts";
import { safeHref } from "../rendering/links.ts";
import { passageMarkdown } from "./plain-text.ts";
import type { ReviewItem } from "./queue.ts";
import { type Grade, grades, type Interval } from "./schedule.ts";
import { gradeWords, intervalWords, masteryWords, promptWords, questionOf, shortInterval } from "./words.ts";

/** Renders the Markdown of questions. */
const questionTexts = markdownTexts();

/** The learner rated a card. */
export class GradeEvent extends Event {
  static readonly type = "colloquy-grade";
  readonly grade: Grade;
  constructor(grade: Grade) {
    super(GradeEvent.type, { bubbles: true });
    this.grade = grade;
  }
}
/** The learner asks for the answer. */
export class RevealEvent extends Event {
  static readonly type = "colloquy-reveal";
  constructor() {
    super(RevealEvent.type, { bubbles: true });
  }
}
/** A course page should open beside the card. */
export class BesideEvent extends Event {
  static readonly type = "colloquy-beside";
  readonly href: string;
  constructor(href: string) {
    super(BesideEvent.type, { bubbles: true });
    this.href = href;
  }
}

/**
 * @summary One review card: the question and, once revealed, the course's answer and four ratings with their next intervals. Space reveals,
 * 1 to 4 rate, while the focus is inside.
 * @event {RevealEvent} colloquy-reveal
 * @event {QuestionResponseEvent} colloquy-question-response
 * @event {GradeEvent} colloquy-grade
 * @event {BesideEvent} colloquy-beside
 */
@customElement("colloquy-review-card")
export class ReviewCardElement extends LightElement {
  @property({ attribute: false }) item: ReviewItem | null = null;
  @property({ attribute: false }) intervals: Record<Grade, Interval> | null = null;
  @property({ type: Boolean }) revealed = false;
  /** The question of the course's own that is asked; null for recall without one. */
  @property({ attribute: false }) ask: ReviewAsk | null = null;
  /** What was given before the page was left. */
  @property({ attribute: false }) draft: QuestionResponse | null = null;
  /** What the learner gave so far. */
  @state() private response: QuestionResponse | null = null;
  /** How the answer was marked. */
  @property({ attribute: false }) marked: ReviewAnswerReply | null = null;
  /** The answer is being marked. */
  @property({ type: Boolean }) busy = false;
  /** Why it could not be marked. */
  @property({ attribute: false }) problem: string | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    this.addEventListener("keydown", this.#pressed);
    document.addEventListener("keydown", this.#unfocused);
  }
  override disconnectedCallback(): void {
    this.removeEventListener("keydown", this.#pressed);
    document.removeEventListener("keydown", this.#unfocused);
    super.disconnectedCallback();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("ask")) this.response = null;
    if ((changed.has("ask") || changed.has("draft")) && this.draft && !this.response) this.response = this.draft;
  }

  /** Moves the focus to the question or, once revealed, to how it was marked or the answer. */
  reach(): void {
    const place = this.marked ? "#review-marked" : this.revealed ? ".answer h3" : ".asked";
    this.querySelector<HTMLElement>(place)?.focus({ preventScroll: !this.revealed });
  }

  /** After navigation nothing has the focus; the card's keys work anyway. */
  readonly #unfocused = (event: KeyboardEvent) => {
    if (event.target === document.body && !document.querySelector("dialog[open]")) this.#pressed(event);
  };

  readonly #pressed = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    const isOn = (selector: string) => event.target instanceof Element && event.target.closest(selector) !== null;
    if (isOn("input, select, textarea")) return;
    if (!this.revealed && !this.ask && (event.key === " " || event.key === "Enter") && !isOn("button, a, summary"))
      this.dispatchEvent(new RevealEvent());
    else if (this.marked && event.key === "Enter" && !isOn("button, a, summary")) this.#rate(ratingOf(this.marked));
    else if (this.revealed && /^[1-4]$/.test(event.key)) this.dispatchEvent(new GradeEvent(Number(event.key) as Grade));
    else return;
    event.preventDefault();
  };

  protected override render() {
    const { item, revealed } = this;
    if (!item) return nothing;
    const { card, schedule } = item;
    const question = questionOf(item);
    const kind = card.kind === "objective" ? msg("audit.objective") : msg("review.keyPoint");
    return html`<article class="asked" tabindex="-1" aria-labelledby="review-asked">
      <p class="from"><span class="kind">${kind}</span>${schedule ? nothing : html`<span class="fresh">${msg("review.newCard")}</span>`}<span lang=${card.language} dir="auto">${card.courseTitle} · ${card.topicTitle}</span></p>
      ${this.ask ? this.#asked(this.ask) : question ? this.#question(question) : this.#plain(item)}
      ${
        revealed
          ? this.#answer(item, question)
          : html`<div class="reveal"><button type="button" class=${this.ask ? "button" : "button button-primary"} ?disabled=${this.busy} @click=${() => this.dispatchEvent(new RevealEvent())}>${msg("review.showTheAnswer")}${this.ask ? nothing : html` <kbd>${msg("review.spaceKey")}</kbd>`}</button></div>`
      }</article>`;
  }

  /** A question that the service marks. Shown without an answer, it stays as it was filled in. */
  #asked({ question }: ReviewAsk): TemplateResult {
    const { marked, response, revealed, busy } = this;
    const { language, title } = (this.item as ReviewItem).card;
    return html`<h2 id="review-asked" class="visually-hidden" lang=${language} dir="auto"><colloquy-quiz-text plain .text=${title}></colloquy-quiz-text></h2>
      ${
        revealed && !marked
          ? html`<colloquy-question-fields .question=${question} .texts=${questionTexts} .response=${response} .language=${language} locked></colloquy-question-fields>`
          : html`<colloquy-question .question=${question} .texts=${questionTexts} .response=${response} .result=${marked && resultOf(marked, response)} .language=${language} ?busy=${busy}
              @colloquy-question-draft=${(event: QuestionDraftEvent) => (this.response = event.response)}
              @colloquy-question-response=${(event: QuestionResponseEvent) => (this.response = event.response)}></colloquy-question>`
      }
      ${this.problem === null ? nothing : html`<p class="where" role="alert">${this.problem}</p>`}
      ${marked ? html`<p id="review-marked" class="soft" tabindex="-1">${masteryWords(marked)}</p>` : nothing}`;
  }

  #plain({ card }: ReviewItem): TemplateResult {
    return html`<h2 id="review-asked"><small>${promptWords(card)}</small> <span class="prompt" lang=${card.language} dir="auto"><colloquy-quiz-text plain .text=${card.title}></colloquy-quiz-text></span></h2>`;
  }

  #question({ prompt, choices }: ReviewQuestion): TemplateResult {
    const { card } = this.item as ReviewItem;
    return html`<h2 id="review-asked"><span class="prompt" lang=${card.language} dir=${directionOf(card.language)}><colloquy-quiz-text plain .text=${prompt}></colloquy-quiz-text></span></h2>
      ${
        choices.length > 0
          ? html`<ul class="choices" lang=${card.language} dir=${directionOf(card.language)}>${choices.map(
              ({ text, right }) =>
                html`<li class=${this.revealed && right ? "right" : ""}><colloquy-quiz-text plain .text=${text}></colloquy-quiz-text>${this.revealed && right ? html`<b>${icons.check}${msg("common.right")}</b>` : nothing}</li>`,
            )}</ul>`
          : nothing
      }`;
  }

  #answer({ card }: ReviewItem, question: ReviewQuestion | null): TemplateResult {
    return html`<section class="answer" aria-labelledby="review-answer"><h3 id="review-answer" tabindex="-1">${msg("review.course")}</h3>
        ${card.answer.map((passage) => this.#passage(passage))}
        ${card.answer.length === 0 ? html`<p class="soft">${rich("review.citedPassageNoLongerCourseCurrent", { topic: html`<a href=${safeHref(card.href) ?? nothing} lang=${card.language} @click=${this.#beside}>${card.topicTitle}</a>` })}</p>` : nothing}
        ${(question || this.ask) && card.kind === "objective" ? html`<p class="soft">${rich("review.objective", { objective: html`<span lang=${card.language} dir="auto">${card.title}</span>` })}</p>` : nothing}</section>
      ${this.marked ? this.#next(this.marked) : this.#grades()}`;
  }

  #rate(grade: Grade): void {
    this.dispatchEvent(new GradeEvent(grade));
  }

  /** A marked answer is its own rating, which can be changed. */
  #next(marked: ReviewAnswerReply): TemplateResult {
    const grade = ratingOf(marked);
    const interval = this.intervals?.[grade];
    return html`<div class="reveal"><button type="button" class="button button-primary" @click=${() => this.#rate(grade)}>${msg("review.nextCard")}</button>
        ${interval ? html`<span class="soft">${msg("review.comesAgain2", { rating: gradeWords(grade), when: intervalWords(interval) })}</span>` : nothing}</div>
      <details class="how-much"><summary>${msg("review.changeRating")}</summary>${this.#grades()}</details>`;
  }

  #grades(): TemplateResult {
    const { intervals } = this;
    return html`<div class="grades" role="group" aria-label=${msg("review.howWellDidRecall")}>${grades.map((grade) => {
      const interval = intervals?.[grade];
      return html`<button type="button" class="grade g${grade}" aria-keyshortcuts=${grade} @click=${() => this.#rate(grade)}>
          <b>${gradeWords(grade)}</b><span class="visually-hidden">${interval ? msg("review.comesAgain", { when: intervalWords(interval) }) : ""}</span><span aria-hidden="true">${interval ? shortInterval(interval) : ""}</span><kbd aria-hidden="true">${grade}</kbd></button>`;
    })}</div>`;
  }

  #passage({ href, title, text, format }: ReviewPassage): TemplateResult {
    const { language } = (this.item as ReviewItem).card;
    return html`<figure><blockquote lang=${language} dir="auto"><colloquy-quiz-text .text=${format === "markdown" ? text : passageMarkdown(text)}></colloquy-quiz-text></blockquote>
      <figcaption><a href=${safeHref(href) ?? nothing} @click=${this.#beside}>${rich("review.inTheCourse", { place: html`<span lang=${language} dir="auto">${title}</span>` })}</a></figcaption></figure>`;
  }

  /** A plain click opens the page beside; modified clicks stay with the browser. */
  readonly #beside = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    this.dispatchEvent(new BesideEvent((event.currentTarget as HTMLAnchorElement).getAttribute("href") ?? ""));
  };
}

/** "Good" for a right answer, "Again" for a wrong one. */
const ratingOf = ({ correct }: ReviewAnswerReply): Grade => (correct ? 3 : 1);

/** What is right is marked on the choices; the solution is shown where the response was not right. */
function resultOf({ key, correct, explanation }: ReviewAnswerReply, response: QuestionResponse | null): QuestionResult {
  return {
    ...(response && markWithErrors(key, response)),
    correct,
    explanation,
    ...(!correct && { solution: solutionOf(key) }),
  };
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-review-card": ReviewCardElement;
  }
  interface HTMLElementEventMap {
    "colloquy-grade": GradeEvent;
    "colloquy-reveal": RevealEvent;
    "colloquy-beside": BesideEvent;
  }
}

import { bounds } from "@colloquy/schemas/bounds.ts";
import type { QuestionResponse } from "@colloquy/schemas/questions/response.ts";
import type { ReviewAnswerReply, ReviewAsk } from "@colloquy/schemas/review/requests.ts";
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import type { Api } from "../api/client.ts";
import { isAbort, problemOfThrown, problemTitle } from "../api/problems.ts";
import { uuidv7 } from "../api/uuid.ts";
import { AnnounceEvent } from "../controls/announce-event.ts";
import { icons } from "../controls/icons.ts";
import { LightElement } from "../controls/light-element.ts";
import { fromEnglish, msg } from "../messages/page.ts";
import type { QuestionDraftEvent, QuestionResponseEvent } from "../questions/events.ts";
import "./card.ts";
import type { BesideEvent, GradeEvent, ReviewCardElement } from "./card.ts";
import { dayDoneView, nothingYetView, setAsideLists } from "./day-done-view.ts";
import { draftOf, keepDraft } from "./drafts.ts";
import type { Queue, ReviewItem } from "./queue.ts";
import { forecastOf } from "./reminder-forecast.ts";
import "./reminders.ts";
import { reviewStyles } from "./review.styles.ts";
import type { Reviewing } from "./reviewing.ts";
import type { Grade } from "./schedule.ts";
import { gradeWords, intervalWords, leftWords, retentions, retentionWords } from "./words.ts";

/** Interval in ms at which the queue is recomputed, for cards that become due and new days. */
const tickMs = 30_000;

/**
 * @summary The day's review: one card at a time, with undo, and at the end the date of the next cards.
 */
@customElement("colloquy-review")
export class Review extends LightElement {
  static override lightStyles = [reviewStyles];

  @property({ attribute: false }) reviewing: Reviewing | null = null;
  /** For reminders; without it they are not offered. */
  @property({ attribute: false }) api: Pick<Api, "send"> | null = null;
  /** Ratings are waiting to be sent. */
  @property({ type: Boolean }) waiting = false;
  @state() private shown: ReviewItem | null = null;
  @state() private revealed = false;
  /** The address of the course page shown beside the card. */
  @state() private beside: string | null = null;
  @query("colloquy-review-card") private cardElement!: ReviewCardElement | null;
  /** The question that the shown card asks, kept while the cards are read again, and how its answer was marked. */
  @state() private asked: {
    ask: ReviewAsk;
    requestId: string;
    marked: ReviewAnswerReply | null;
    problem: string | null;
    busy: boolean;
    /** The learner was told to check the spelling: what is sent next is marked as it stands. */
    confirmed: boolean;
    /** What was given before the page was left. */
    draft: QuestionResponse | null;
  } | null = null;
  #since = 0;
  #stop: AbortController | null = null;
  #shouldFocus = false;
  #busy = false;

  override disconnectedCallback(): void {
    this.#stop?.abort();
    super.disconnectedCallback();
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("reviewing")) this.#subscribe();
  }

  #subscribe(): void {
    this.#stop?.abort();
    const { reviewing } = this;
    if (!reviewing) return;
    const stop = new AbortController();
    this.#stop = stop;
    const release = reviewing.events.on("change", () => {
      this.#showNext();
      this.querySelector("colloquy-reminders")?.reviewsChanged();
    });
    const timer = setInterval(() => reviewing.tick(), tickMs);
    stop.signal.addEventListener("abort", () => {
      release();
      clearInterval(timer);
    });
    this.addEventListener("keydown", this.#pressed, { signal: stop.signal });
    this.#showNext();
  }

  /** Shows the next card, or keeps the current one while it is still in the queue. */
  #showNext(): void {
    const queue = this.reviewing?.queue ?? null;
    const same = queue?.left.find(({ card }) => card.itemId === this.shown?.card.itemId);
    // Rated on another device meanwhile, so it is not asked again.
    const isAsked = same && same.state.reviews.length === this.shown?.state.reviews.length;
    this.#show(isAsked ? same : (queue?.left[0] ?? null), isAsked ? this.revealed : false);
  }

  #show(item: ReviewItem | null, revealed: boolean): void {
    if (item?.card.itemId !== this.shown?.card.itemId || item?.state.reviews.length !== this.shown?.state.reviews.length) this.#begin(item);
    this.shown = item;
    this.revealed = revealed;
    this.requestUpdate();
  }

  /** Asks the course's own question, where the service that marks it can be reached; else the card is recalled. */
  #begin(item: ReviewItem | null, problem: string | null = null): void {
    this.#since = performance.now();
    const ask = navigator.onLine && !this.reviewing?.problem ? item?.card.ask : undefined;
    this.asked = ask ? { ask, requestId: uuidv7(), marked: null, problem, busy: false, confirmed: false, draft: null } : null;
    if (ask) void this.#takeUpDraft(ask);
  }

  async #takeUpDraft(ask: ReviewAsk): Promise<void> {
    const draft = this.reviewing && (await draftOf(this.reviewing.meta, ask));
    if (draft && this.asked?.ask === ask && !this.asked.marked) this.asked = { ...this.asked, draft };
  }

  /** Has the answer marked; where the service cannot be reached, the course's answer can be looked at instead. */
  async #answer(response: QuestionResponse): Promise<void> {
    const { reviewing, shown, asked } = this;
    if (!reviewing || !shown || !asked || asked.busy || this.revealed) return;
    this.asked = { ...asked, busy: true, problem: null };
    const isStill = () => this.asked?.requestId === asked.requestId;
    try {
      const marked = await reviewing.answer(shown, asked.ask, response, asked);
      if (!isStill()) return;
      this.asked = { ...asked, marked };
      void keepDraft(reviewing.meta, asked.ask, null);
      this.#reveal();
    } catch (error) {
      if (isAbort(error) || !isStill()) return;
      const { code, title } = problemOfThrown(error);
      const problem = problemTitle({ title });
      this.asked = { ...asked, problem, confirmed: asked.confirmed || code === "check_spelling" };
      // Answered in another window, or changed in the course: the next question is asked.
      if (code !== "stale_course_revision" && code !== "not_found" && code !== "wrong_phase") return;
      await reviewing.refresh();
      if (isStill() && !this.revealed) this.#begin(this.shown, problem);
    }
  }

  protected override updated(): void {
    if (!this.#shouldFocus) return;
    this.#shouldFocus = false;
    void this.updateComplete.then(async () => {
      await this.cardElement?.updateComplete;
      if (this.cardElement) this.cardElement.reach();
      else this.querySelector<HTMLElement>(".standing")?.focus();
    });
  }

  readonly #reveal = () => {
    this.revealed = true;
    this.#shouldFocus = true;
  };

  async #grade(grade: Grade): Promise<void> {
    const { reviewing, shown } = this;
    if (!reviewing || !shown || !this.revealed || this.#busy) return;
    const interval = reviewing.intervals(shown)[grade];
    const position = this.asked?.marked?.position;
    if (this.asked) void keepDraft(reviewing.meta, this.asked.ask, null);
    await this.#alone(() => reviewing.rate(shown, grade, performance.now() - this.#since));
    // Another question is asked the next time.
    if (position) void reviewing.refresh(position);
    const comes = msg("review.comesAgain2", { rating: gradeWords(grade), when: intervalWords(interval) });
    this.#announce(this.shown ? comes : `${comes} ${msg("review.allDoneToday")}`);
  }

  #announce(text: string): void {
    this.dispatchEvent(new AnnounceEvent(text));
  }

  async #setAside(kind: "putOff" | "suspend"): Promise<void> {
    const { reviewing, shown } = this;
    if (!reviewing || !shown || this.#busy) return;
    await this.#alone(() => reviewing[kind](shown));
    this.#announce(kind === "putOff" ? msg("review.putOffToTomorrow") : msg("review.suspendedUntilResume"));
  }

  async #undo(): Promise<void> {
    const { reviewing } = this;
    if (!reviewing?.lastAction || this.#busy) return;
    const itemId = await this.#alone(() => reviewing.undo());
    const item = reviewing.queue?.left.find(({ card }) => card.itemId === itemId);
    if (item) this.#show(item, false);
    if (itemId) this.#announce(msg("review.undone"));
  }

  /** Runs one action at a time, so that a double key press does not rate the next card; then moves the focus. */
  async #alone<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#busy = true;
    try {
      return await work();
    } finally {
      this.#busy = false;
      this.#shouldFocus = true;
      this.requestUpdate();
    }
  }

  readonly #pressed = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || !(event.target instanceof Element)) return;
    if (event.target.closest("input, select, textarea, aside, dialog")) return;
    const act = { u: () => this.#undo(), b: () => this.#setAside("putOff"), s: () => this.#setAside("suspend") }[event.key.toLowerCase()];
    if (!act) return;
    event.preventDefault();
    void act();
  };

  protected override render(): TemplateResult {
    const { reviewing } = this;
    const queue = reviewing?.queue ?? null;
    return html`<div class="review-body ${this.beside === null ? "" : "with-beside"}">
      <div class="column" @colloquy-beside=${(event: BesideEvent) => this.#openBeside(event.href)}>${queue && reviewing ? this.#day(reviewing, queue) : this.#waiting()}</div>
      ${this.beside === null ? nothing : this.#besideView(this.beside)}</div>
`;
  }

  #waiting(): TemplateResult {
    const problem = this.reviewing?.problem;
    if (!problem) return html`<p class="soft" role="status">${msg("review.lookingForYourCards")}</p>`;
    return html`<section class="standing" aria-labelledby="review-problem"><h2 id="review-problem">${msg("review.cardsCannotReadRight")}</h2><p>${fromEnglish(problem)} ${msg("review.nothingLostTryAgain")}</p>
      <p><button type="button" class="button button-primary" @click=${() => void this.reviewing?.refresh()}>${msg("common.tryAgain")}</button></p></section>`;
  }

  #day(reviewing: Reviewing, queue: Queue): TemplateResult {
    const { shown } = this;
    const all = queue.done + queue.left.length;
    return html`${
      all > 0
        ? html`<div class="how-far"><progress max=${all} value=${queue.done} aria-label=${msg("review.reviewedToday")}></progress><p>${msg("review.of", { done: queue.done, all })}<span class="soft">${leftWords(queue)}</span></p></div>`
        : nothing
    }
      ${this.#connectionNotice(reviewing)}
      ${
        queue.items.length === 0 && reviewing.retired.length === 0
          ? nothingYetView()
          : shown
            ? html`<colloquy-review-card .item=${shown} .intervals=${reviewing.intervals(shown)} ?revealed=${this.revealed}
                .ask=${this.asked?.ask ?? null} .marked=${this.asked?.marked ?? null} .draft=${this.asked?.draft ?? null} .problem=${this.asked?.problem ?? null} ?busy=${this.asked?.busy ?? false}
                @colloquy-question-draft=${(event: QuestionDraftEvent) => void (this.asked && keepDraft(reviewing.meta, this.asked.ask, event.response))}
                @colloquy-question-response=${(event: QuestionResponseEvent) => void this.#answer(event.response)}
                @colloquy-reveal=${this.#reveal} @colloquy-grade=${(event: GradeEvent) => void this.#grade(event.grade)}></colloquy-review-card>`
            : dayDoneView(queue, reviewing.newPerDay)
      }
      <div class="tools" role="group" aria-label=${msg("review.thisCard")}>
        ${reviewing.lastAction ? html`<button type="button" class="quiet" aria-keyshortcuts="U" @click=${() => void this.#undo()}>${msg("common.undo")} <kbd>U</kbd></button>` : nothing}
        ${
          shown
            ? html`<button type="button" class="quiet" aria-keyshortcuts="B" @click=${() => void this.#setAside("putOff")}>${msg("review.notToday")} <kbd>B</kbd></button>
              <button type="button" class="quiet" aria-keyshortcuts="S" @click=${() => void this.#setAside("suspend")}>${msg("review.suspend")} <kbd>S</kbd></button>`
            : nothing
        }</div>
      <footer class="below"><p class="soft">${msg("review.ratingsOnlyScheduleReviewsTutorCounts")}</p>
        ${setAsideLists(queue, reviewing.retired, (item) => void reviewing.resume(item.card.itemId))}
        ${queue.items.length > 0 ? html`${this.#settings(reviewing)}<colloquy-reminders .api=${this.api} .forecast=${this.#forecast}></colloquy-reminders>` : nothing}</footer>`;
  }

  #connectionNotice(reviewing: Reviewing): TemplateResult | typeof nothing {
    if (reviewing.problem || this.waiting)
      return html`<p class="where" role="status">${this.waiting ? msg("review.offlineRatingsKeptSent") : msg("review.serviceCannotReachedThese")}</p>`;
    return nothing;
  }

  #settings(reviewing: Reviewing): TemplateResult {
    const { newPerDay, retention } = reviewing;
    const nearest = retentions.reduce((best, one) => (Math.abs(one - retention) < Math.abs(best - retention) ? one : best));
    const { min, max } = bounds.review.newPerDay;
    return html`<details class="how-much"><summary>${msg("review.dailyGoals")}</summary>
      <label><span>${msg("review.recalledWhenCardComes")}</span><select @change=${(event: Event) => void reviewing.saveSetting({ reviewRetention: Number((event.target as HTMLSelectElement).value) })}>
        ${retentions.map((value) => html`<option value=${value} ?selected=${value === nearest}>${retentionWords(value)}</option>`)}</select></label>
      <label><span>${msg("review.newCardsADay")}</span><input type="number" inputmode="numeric" min=${min} max=${max} step="1" .value=${String(newPerDay)} @change=${this.#chooseNew}></label>
      <p class="soft">${msg("review.daysStart4MBothSettings")}</p></details>`;
  }

  readonly #forecast = async () => this.reviewing && forecastOf(this.reviewing);

  readonly #chooseNew = (event: Event) => {
    const input = event.target as HTMLInputElement;
    const { min, max } = bounds.review.newPerDay;
    const wanted = Math.round(Number(input.value));
    const count = Number.isFinite(wanted) && input.value !== "" ? Math.min(max, Math.max(min, wanted)) : (this.reviewing?.newPerDay ?? min);
    input.value = String(count);
    void this.reviewing?.saveSetting({ reviewNewPerDay: count });
  };

  async #openBeside(href: string): Promise<void> {
    await import("../courses/course-page.ts");
    this.beside = href;
    await this.updateComplete;
    this.querySelector("colloquy-course-page")?.reach();
  }

  #besideView(href: string): TemplateResult {
    const close = () => {
      this.beside = null;
      this.#shouldFocus = true;
    };
    return html`<aside aria-label=${msg("review.besidePageCourse")} @keydown=${(event: KeyboardEvent) => event.key === "Escape" && close()} @click=${this.#followed}>
      <header><a href=${href}>${msg("review.openThePageItself")}</a><button type="button" class="square" aria-label=${msg("review.closeThePageBeside")} @click=${close}>${icons.close}</button></header>
      <colloquy-course-page .href=${href} tabId="review"></colloquy-course-page></aside>`;
  }

  /** Links within the course open beside the card. */
  readonly #followed = (event: MouseEvent) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.composedPath().find((node): node is HTMLAnchorElement => node instanceof HTMLAnchorElement);
    const href = link?.getAttribute("href") ?? "";
    if (!href.startsWith("/courses/") || link?.closest("header")?.parentElement?.tagName === "ASIDE") return;
    event.preventDefault();
    this.beside = href;
  };
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-review": Review;
  }
}

import type { ModelChoice } from "@colloquy/schemas/models.ts";
import type { Citation } from "@colloquy/schemas/sources/citations.ts";
import { css, html, nothing, type PropertyValues } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import { classMap } from "lit/directives/class-map.js";
import { repeat } from "lit/directives/repeat.js";
import { loadAnswerWriter } from "../answers/answer.ts";
import type { CitationCard } from "../answers/citation-card.ts";
import { CitationHover } from "../answers/citation-hover.ts";
import { icons } from "../controls/icons.ts";
import { LightElement } from "../controls/light-element.ts";
import { msg } from "../messages/page.ts";
import type { ExchangeElement } from "./exchange.ts";
import { RenderQueue } from "./render-queue.ts";
import "./exchange.ts";
import { FollowTail } from "../answers/follow-tail.ts";
import { firstBelow } from "../answers/scroll-anchor.ts";
import { type ReadingPlace, ReadingPlaceEvent } from "./events.ts";
import type { Exchange } from "./exchanges.ts";
import type { QuizStates } from "./quizzes.ts";

/** Scrolling counts as finished after this long. */
const restMs = 150;

/**
 * @summary All exchanges in order. Scrolls by itself and never moves what is being read; contains no live region.
 * @event {ReadingPlaceEvent} colloquy-reading-place
 */
@customElement("colloquy-transcript")
export class Transcript extends LightElement {
  static override lightStyles = [
    css`
      colloquy-transcript { display: block; overflow: hidden auto; container-type: size; scrollbar-gutter: stable both-edges; scrollbar-width: thin; scrollbar-color: var(--line-strong) transparent; overscroll-behavior: contain; }
      colloquy-transcript:focus-visible { outline: 2px solid var(--accent); outline-offset: -3px; }
      colloquy-transcript > .flow { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--s7); max-inline-size: calc(38.5rem + 2 * var(--s5)); margin-inline: auto; padding: var(--s5) var(--s5) var(--s6); }
      colloquy-transcript .anchored { min-block-size: calc(100cqb - var(--s5) - var(--s6)); }
      colloquy-transcript .jump { position: sticky; inset-block-end: 12px; display: grid; justify-items: center; block-size: 0; align-content: end; pointer-events: none; }
      colloquy-transcript .jump button { pointer-events: auto; display: inline-flex; align-items: center; gap: 6px; min-block-size: 34px; padding: 6px 14px; border: 1px solid var(--line-strong); border-radius: var(--r-pill); background: var(--raised); color: var(--ink); box-shadow: var(--shadow-2); font: 550 var(--text-s)/1.3 var(--font-ui); cursor: pointer; }
      colloquy-transcript .jump button.round { padding: 6px; inline-size: 36px; block-size: 36px; justify-content: center; }
      colloquy-transcript .jump button.round .icon { font-size: 18px; }
      colloquy-transcript .jump button:focus-visible { outline: 2px solid transparent; box-shadow: var(--focus); }
      @media (pointer: coarse) { colloquy-transcript .jump button { min-block-size: 44px; } colloquy-transcript .jump button.round { inline-size: 44px; block-size: 44px; } }
      @media (max-width: 760px) { colloquy-transcript > .flow { padding: var(--s4) var(--s4) var(--s5); gap: var(--s6); } colloquy-transcript { scrollbar-gutter: auto; } }
      /* In the margin, or where there is none, what it stands on fades out. */
      @container (min-width: 62rem) { colloquy-transcript .jump { justify-items: end; padding-inline-end: 12px; } }
      @container (max-width: 61.99rem) {
        colloquy-transcript .jump::before { content: ""; position: absolute; inset: auto 0 -12px; block-size: 84px; background: linear-gradient(to top, var(--paper) 68%, transparent); }
        colloquy-transcript .jump button { position: relative; }
      }
    `,
  ];

  @property({ attribute: false }) exchanges: Exchange[] = [];
  @property({ attribute: false }) shown: ReadonlyMap<string, string> = new Map();
  @property({ attribute: false }) quizzes: QuizStates = new Map();
  @property({ attribute: false }) models: ModelChoice[] = [];
  @property({ type: Boolean }) busy = false;
  /** The conversation's title: several transcripts may be side by side. */
  @property({ attribute: false }) name = "";
  /** The reading position to open at; the end by default. */
  @property({ attribute: false, hasChanged: () => false }) place: ReadingPlace | null = null;
  /** Loaded after the transcript is shown; until then a citation is a plain link. */
  @query("colloquy-citation-card:defined") private card!: CitationCard | null;
  /** The question that was sent while this transcript was visible: it stays near the top. */
  #anchored: string | null = null;
  #opened = false;
  #resting: ReturnType<typeof setTimeout> | undefined;
  /** The last exchange's quiz. */
  #quiz: string | null = null;
  readonly #tail = new FollowTail(this, (): Element | null => this.#last?.querySelector(".end") ?? null);
  readonly #renderQueue = new RenderQueue(this, () => this.#parts, loadAnswerWriter);
  readonly #citationHover = new CitationHover(
    this,
    () => this.card,
    (chip) => this.#citationOf(chip),
  );

  override connectedCallback(): void {
    super.connectedCallback();
    void Promise.all([loadAnswerWriter(), import("../answers/citation-card.ts")]).catch(() => undefined);
    this.tabIndex = 0;
    this.setAttribute("role", "region");
    this.addEventListener("scroll", this.#onScroll, { passive: true });
  }

  readonly #onScroll = (): void => {
    clearTimeout(this.#resting);
    this.#resting = setTimeout(() => this.dispatchEvent(new ReadingPlaceEvent(this.#placeNow())), restMs);
  };

  #placeNow(): ReadingPlace | null {
    if (!this.#tail.below) return null;
    const { top } = this.getBoundingClientRect();
    const part = firstBelow([...this.#parts], top) as ExchangeElement | null;
    return part?.exchange ? { key: part.exchange.key, offset: part.getBoundingClientRect().top - top } : null;
  }

  get #parts(): Iterable<ExchangeElement> {
    return (this.firstElementChild?.children ?? []) as HTMLCollectionOf<ExchangeElement> | [];
  }
  get #last(): ExchangeElement | null {
    return (this.firstElementChild?.lastElementChild ?? null) as ExchangeElement | null;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("exchanges")) this.#renderQueue.track(this.exchanges.map(({ key }) => key));
    const before = changed.get("exchanges");
    const running = this.exchanges.find((exchange) => exchange.answers.at(-1)?.state === "running");
    if (before && running && !before.some((exchange) => exchange.key === running.key)) this.#anchored = running.key;
    this.setAttribute("aria-busy", String(this.busy));
    this.setAttribute("aria-label", this.name ? msg("conversation.conversation2", { name: this.name }) : msg("conversation.conversation3"));
  }

  protected override render() {
    const { exchanges } = this;
    return html`<div class="flow">
        ${repeat(
          exchanges,
          (exchange) => exchange.key,
          (
            exchange,
            index,
          ) => html`<colloquy-exchange class=${classMap({ anchored: exchange.key === this.#anchored })} .exchange=${exchange}
            .waiting=${this.#renderQueue.isDeferred(exchange.key)} .shown=${this.shown.get(exchange.key)} .quizzes=${this.quizzes} .models=${this.models} ?last=${index === exchanges.length - 1} ?busy=${this.busy}></colloquy-exchange>`,
        )}
      </div>
      ${
        this.#tail.below
          ? html`<div class="jump"><button type="button" class=${classMap({ round: !this.busy })} aria-label=${msg("conversation.jumpToLatest")} @click=${() => this.#tail.jump()}>${icons.toEnd}${this.busy ? msg("conversation.jumpToLatest") : nothing}</button></div>`
          : nothing
      }
      <colloquy-citation-card></colloquy-citation-card>`;
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.get("busy") === false) this.#tail.resumeFollowing();
    if (!changed.has("exchanges")) return;
    const before = changed.get("exchanges") ?? [];
    const last = this.#last;
    const key = this.exchanges.at(-1)?.key;
    const quiz = this.exchanges.at(-1)?.answers.at(-1)?.artifact?.quizId ?? null;
    const placed = this.#opened ? undefined : [...this.#parts].find(({ exchange }) => exchange?.key === this.place?.key);
    if (placed && this.place) this.#tail.openAt(placed, this.place.offset);
    // A quiz opens at its beginning, whether new or reopened.
    else if (quiz && quiz !== this.#quiz && last) this.#tail.anchor(last);
    else if (key && key === this.#anchored && !before.some((exchange) => exchange.key === key) && last) this.#tail.anchor(last);
    else if (!this.#opened && this.exchanges.length) this.#tail.open();
    else this.#tail.contentChanged();
    if (this.#opened) void this.#revealFailure(before);
    this.#opened ||= this.exchanges.length > 0;
    this.#quiz = quiz;
  }

  /** A failure is shown below the partial answer, where the reader may not be looking. */
  async #revealFailure(before: readonly Exchange[]): Promise<void> {
    const failed = ({ answers }: Exchange) => answers.some(({ problem }) => problem !== null);
    const ran = new Set(before.filter((exchange) => !failed(exchange)).map(({ key }) => key));
    const { key } = this.exchanges.find((exchange) => ran.has(exchange.key) && failed(exchange)) ?? {};
    const element = [...this.#parts].find(({ exchange }) => exchange?.key === key);
    if (!key || !element) return;
    await element.updateComplete;
    const problem = element.querySelector(".problem");
    if (problem) this.#tail.reveal(problem);
  }

  #citationOf(chip: HTMLElement): Citation | null {
    const exchange = chip.closest("colloquy-exchange")?.exchange;
    const answer = exchange?.answers.find((candidate) => candidate.turnId === this.shown.get(exchange.key)) ?? exchange?.answers.at(-1);
    return answer?.citations.find((citation) => citation.number === Number(chip.dataset.citation)) ?? null;
  }

  override disconnectedCallback(): void {
    this.removeEventListener("scroll", this.#onScroll);
    clearTimeout(this.#resting);
    this.#citationHover.hide();
    super.disconnectedCallback();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-transcript": Transcript;
  }
}

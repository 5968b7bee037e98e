import type { Citation } from "@colloquy/schemas/ai/citations.ts";
import type { ModelChoice } from "@colloquy/schemas/ai/models.ts";
import { css, html, nothing, type PropertyValues } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import { classMap } from "lit/directives/class-map.js";
import { repeat } from "lit/directives/repeat.js";
import { icons } from "../controls/icons.ts";
import { LightElement } from "../controls/light-element.ts";
import "./citation-card.ts";
import type { CitationCard } from "./citation-card.ts";
import { CitationPointing } from "./citation-pointing.ts";
import "./exchange.ts";
import type { Exchange } from "./exchanges.ts";
import { FollowTail } from "./follow-tail.ts";
import type { QuizStates } from "./quizzes.ts";

/**
 * @summary Everything that was asked and answered, in order. It scrolls by itself and never moves what is being read; nothing in it is a
 * live region.
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
      @media (pointer: coarse) { colloquy-transcript .jump button { position: relative; min-block-size: 36px; } colloquy-transcript .jump button::before { content: ""; position: absolute; inset: -5px; } }
      @media (max-width: 760px) { colloquy-transcript > .flow { padding: var(--s4) var(--s4) var(--s5); gap: var(--s6); } colloquy-transcript { scrollbar-gutter: auto; } }
    `,
  ];

  @property({ attribute: false }) exchanges: Exchange[] = [];
  @property({ attribute: false }) shown: ReadonlyMap<string, string> = new Map();
  @property({ attribute: false }) quizzes: QuizStates = new Map();
  @property({ attribute: false }) models: ModelChoice[] = [];
  @property({ type: Boolean }) busy = false;
  /** What the conversation is called: several may stand beside each other. */
  @property({ attribute: false }) name = "";
  @query("colloquy-citation-card") private card!: CitationCard | null;
  /** The question that was sent while this transcript was in view: it keeps its place near the top. */
  #anchored: string | null = null;
  #opened = false;
  /** The quiz that stands last. */
  #quiz: string | null = null;
  readonly #tail = new FollowTail(this, (): Element | null => this.querySelector(":scope > .flow > colloquy-exchange:last-of-type .end"));
  readonly #pointing = new CitationPointing(
    this,
    () => this.card,
    (chip) => this.#citationOf(chip),
  );

  override connectedCallback(): void {
    super.connectedCallback();
    this.tabIndex = 0;
    this.setAttribute("role", "region");
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const before = changed.get("exchanges");
    const running = this.exchanges.find((exchange) => exchange.answers.at(-1)?.state === "running");
    if (before && running && !before.some((exchange) => exchange.key === running.key)) this.#anchored = running.key;
    this.setAttribute("aria-busy", String(this.busy));
    this.setAttribute("aria-label", this.name ? `Conversation: ${this.name}` : "Conversation");
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
            .shown=${this.shown.get(exchange.key)} .quizzes=${this.quizzes} .models=${this.models} ?last=${index === exchanges.length - 1} ?busy=${this.busy}></colloquy-exchange>`,
        )}
      </div>
      ${
        this.#tail.below
          ? html`<div class="jump"><button type="button" class=${classMap({ round: !this.busy })} aria-label="Jump to latest" @click=${() => this.#tail.jump()}>${icons.toEnd}${this.busy ? "Jump to latest" : nothing}</button></div>`
          : nothing
      }
      <colloquy-citation-card></colloquy-citation-card>`;
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (!changed.has("exchanges")) return;
    const before = changed.get("exchanges") ?? [];
    const last = this.querySelector<HTMLElement>(":scope > .flow > colloquy-exchange:last-of-type");
    const key = this.exchanges.at(-1)?.key;
    const quiz = this.exchanges.at(-1)?.answers.at(-1)?.artifact?.quizId ?? null;
    // A quiz is begun at its beginning, whether it was just made or is come back to.
    if (quiz && quiz !== this.#quiz && last) this.#tail.anchor(last);
    else if (key && key === this.#anchored && !before.some((exchange) => exchange.key === key) && last) this.#tail.anchor(last);
    else if (!this.#opened && this.exchanges.length) this.#tail.open();
    else this.#tail.grown();
    this.#opened ||= this.exchanges.length > 0;
    this.#quiz = quiz;
  }

  #citationOf(chip: HTMLElement): Citation | null {
    const exchange = chip.closest("colloquy-exchange")?.exchange;
    const answer = exchange?.answers.find((candidate) => candidate.turnId === this.shown.get(exchange.key)) ?? exchange?.answers.at(-1);
    return answer?.citations.find((citation) => citation.number === Number(chip.dataset.citation)) ?? null;
  }

  override disconnectedCallback(): void {
    this.#pointing.hide();
    super.disconnectedCallback();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-transcript": Transcript;
  }
}

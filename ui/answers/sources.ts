import type { Citation } from "@colloquy/schemas/sources/citations.ts";
import { css, html, nothing } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { icons } from "../controls/icons.ts";
import { LightElement } from "../controls/light-element.ts";
import { openModal } from "../controls/overlay-history.ts";
import { msg } from "../messages/page.ts";
import { citationHref } from "../rendering/citations.ts";
import { safeHref } from "../rendering/links.ts";
import "./quote.ts";

const phone = matchMedia("(max-width: 760px)");

/** @summary The sources of an answer behind a button: quote, location, link. On a phone in a sheet. */
@customElement("colloquy-sources")
export class Sources extends LightElement {
  static override lightStyles = [
    css`
      colloquy-sources { display: contents; font: var(--text-s)/1.4 var(--font-ui); }
      colloquy-sources details { display: contents; }
      colloquy-sources summary { display: inline-flex; align-items: center; min-block-size: 28px; padding: 0 11px; border: 1px solid var(--line); border-radius: var(--r-pill); color: var(--ink-soft); font: 450 var(--text-s)/1.4 var(--font-ui); cursor: pointer; list-style: none; }
      colloquy-sources summary::-webkit-details-marker { display: none; }
      colloquy-sources summary:hover, colloquy-sources details[open] summary { border-color: var(--line-strong); color: var(--ink); }
      colloquy-sources details[open] summary { background: var(--sunken); }
      colloquy-sources ol { list-style: none; margin: 0; padding: 0; display: grid; gap: var(--s1); order: 9; flex-basis: 100%; inline-size: 100%; }
      colloquy-sources li { display: grid; grid-template-columns: 22px 1fr; gap: 2px 10px; padding: 10px 0; border-block-start: 1px solid var(--line); }
      colloquy-sources li:first-child { border: 0; }
      colloquy-sources .opens { display: inline-flex; align-items: center; min-block-size: 28px; padding: 0 11px; border: 1px solid var(--line); border-radius: var(--r-pill); color: var(--ink-soft); }
      colloquy-sources dialog { position: fixed; inset: auto 0 0; inline-size: 100%; max-inline-size: none; max-block-size: 82dvh; margin: 0; padding: var(--s3) var(--s4) calc(var(--s5) + env(safe-area-inset-bottom)); border: 0; border-radius: var(--r-l) var(--r-l) 0 0; background: var(--paper); color: var(--ink); box-shadow: var(--shadow-2); overscroll-behavior: contain; }
      colloquy-sources dialog[open] { animation: colloquy-sheet var(--calm) var(--ease); }
      colloquy-sources dialog::backdrop { background: oklch(20% .02 265 / .38); }
      colloquy-sources dialog form { display: flex; align-items: center; justify-content: space-between; }
      colloquy-sources dialog h2 { font: 600 var(--text-m)/1.4 var(--font-ui); }
      colloquy-sources dialog form button { display: grid; place-items: center; inline-size: 44px; block-size: 44px; margin-inline-end: -10px; border-radius: var(--r-m); font-size: 18px; color: var(--ink-soft); }
      @keyframes colloquy-sheet { from { translate: 0 100%; } }
      colloquy-sources .number { display: grid; place-items: center; inline-size: 20px; block-size: 20px; border-radius: 5px; background: var(--accent-wash); color: var(--accent); font: 600 12px/1 var(--font-ui); }
      colloquy-sources a { color: var(--ink); font-weight: 550; text-decoration: underline; text-decoration-color: var(--line-strong); text-underline-offset: 3px; border-radius: 3px; }
      colloquy-sources a:hover { text-decoration-color: var(--accent); }
      colloquy-sources .trail { color: var(--ink-faint); font-size: var(--text-xs); }
      colloquy-sources q { grid-column: 2; quotes: none; font: .9375rem/1.5 var(--font-read); color: var(--ink-soft); margin-block-start: 2px; display: -webkit-box; -webkit-line-clamp: 3; -webkit-box-orient: vertical; overflow: hidden; }
      @media (pointer: coarse) { colloquy-sources :is(summary, .opens) { min-block-size: 44px; } colloquy-sources a { display: inline-flex; align-items: center; min-block-size: 44px; min-inline-size: 44px; } colloquy-sources .number { margin-block-start: 12px; } }
    `,
  ];

  @property({ attribute: false }) citations: Citation[] = [];

  @state() private narrow = phone.matches;
  @query("dialog") private sheet!: HTMLDialogElement | null;
  readonly #resized = () => (this.narrow = phone.matches);

  override connectedCallback(): void {
    super.connectedCallback();
    phone.addEventListener("change", this.#resized);
  }
  override disconnectedCallback(): void {
    phone.removeEventListener("change", this.#resized);
    super.disconnectedCallback();
  }

  protected override render() {
    const { citations, narrow } = this;
    if (!citations.length) return nothing;
    const words = msg("conversation.sources", { n: citations.length });
    const list = html`<ol>${citations.map(
      (citation) => html`<li><span class="number" aria-hidden="true">${citation.number}</span>
          <span><a dir="auto" href=${safeHref(citationHref(citation)) ?? nothing}>${citation.title}</a>${
            citation.trail.length ? html`<br /><span class="trail" dir="auto">${citation.trail.join(" › ")}</span>` : nothing
          }</span>
          ${citation.quote ? html`<q dir="auto"><colloquy-quote .text=${citation.quote}></colloquy-quote></q>` : nothing}</li>`,
    )}</ol>`;
    if (!narrow) return html`<details><summary>${words}</summary>${list}</details>`;
    return html`<button type="button" class="opens" aria-haspopup="dialog" @click=${() => this.sheet && openModal(this.sheet)}>${words}</button>
      <dialog aria-label=${words} @click=${this.#chosen}><form method="dialog"><h2>${words}</h2><button aria-label=${msg("conversation.closeTheSources")}>${icons.close}</button></form>${list}</dialog>`;
  }

  /** A click outside the sheet, or on a source's link, closes it. */
  readonly #chosen = (event: Event) => {
    const target = event.target as Element;
    if (target === this.sheet || target.closest("a")) this.sheet?.close();
  };
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-sources": Sources;
  }
}

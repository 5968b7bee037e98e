import type { Citation } from "@colloquy/schemas/sources/citations.ts";
import { css, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { LightElement } from "../controls/light-element.ts";
import { closeOnBack } from "../controls/overlay-history.ts";
import { placeBeside } from "../controls/place.ts";
import { msg } from "../messages/page.ts";
import { citationHref } from "../rendering/citations.ts";
import { safeHref } from "../rendering/links.ts";
import { unsupportedText } from "./unsupported-citations.ts";
import "./quote.ts";

/** @summary The source of a citation, beside its number in the top layer: quoted text, location, link. */
@customElement("colloquy-citation-card")
export class CitationCard extends LightElement {
  static override lightStyles = [
    css`
      colloquy-citation-card { position: fixed; inset: auto; margin: 0; inline-size: min(24rem, calc(100vw - 16px)); padding: 14px 18px 10px; color: var(--ink); background: var(--raised); border: 1px solid var(--line-strong); border-radius: var(--r-l); box-shadow: var(--shadow-2); font: var(--text-s)/1.45 var(--font-ui); overflow: visible; }
      colloquy-citation-card:popover-open { animation: colloquy-rise var(--fast) var(--ease); }
      @keyframes colloquy-rise { from { opacity: 0; translate: 0 4px; } }
      colloquy-citation-card .trail { color: var(--ink-faint); font-size: var(--text-xs); }
      colloquy-citation-card .title { font: 600 1rem/1.35 var(--font-read); margin: 2px 0 8px; }
      colloquy-citation-card blockquote { margin: 0 0 10px; font: 1rem/1.55 var(--font-read); max-block-size: 11rem; overflow: auto; }
      colloquy-citation-card mark { background: var(--mark); color: inherit; border-radius: 3px; padding: .05em .15em; box-decoration-break: clone; -webkit-box-decoration-break: clone; }
      colloquy-citation-card .doubt { margin: 0 0 8px; padding-inline-start: 10px; border-inline-start: 2px dashed var(--line-strong); color: var(--ink-soft); }
      colloquy-citation-card a { display: inline-flex; align-items: center; gap: 6px; min-block-size: 28px; color: var(--accent); font-weight: 600; text-decoration: none; border-radius: 4px; }
      colloquy-citation-card a:hover { text-decoration: underline; text-underline-offset: 3px; }
      @media (pointer: coarse) { colloquy-citation-card { padding-block-end: 2px; } colloquy-citation-card blockquote { margin-block-end: 2px; } colloquy-citation-card a { min-block-size: 44px; } }
      @media (forced-colors: active) { colloquy-citation-card mark { outline: 1px solid Mark; } }
    `,
  ];

  @property({ attribute: false }) citation: Citation | null = null;
  @state() private doubt: string | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    this.popover = "manual";
  }

  get shown(): boolean {
    return this.matches(":popover-open");
  }

  /** Shows a citation beside its number. */
  async show(anchor: Element, citation: Citation): Promise<void> {
    this.citation = citation;
    this.doubt = unsupportedText(anchor);
    await this.updateComplete;
    // A number that wraps has several boxes; the first is where the reader looks.
    const [box] = anchor.getClientRects();
    if (!box || !this.isConnected) return;
    this.showPopover();
    closeOnBack(this);
    placeBeside(box, this, { side: "below" });
  }

  hide(): void {
    if (this.isConnected && this.shown) this.hidePopover();
  }

  protected override render() {
    const { citation } = this;
    if (!citation) return nothing;
    return html`${citation.trail.length ? html`<div class="trail" dir="auto">${citation.trail.join(" › ")}</div>` : nothing}
      <div class="title" dir="auto">${citation.title}</div>
      ${citation.quote ? html`<blockquote dir="auto"><mark><colloquy-quote .text=${citation.quote}></colloquy-quote></mark></blockquote>` : nothing}
      ${this.doubt === null ? nothing : html`<p class="doubt">${this.doubt}</p>`}
      <a href=${safeHref(citationHref(citation)) ?? nothing}>${msg("conversation.readCourse")}</a>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-citation-card": CitationCard;
  }
}

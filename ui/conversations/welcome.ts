import type { ReferenceResult } from "@colloquy/schemas/sources/references.ts";
import type { AttachedReference } from "@colloquy/schemas/sync/changes.ts";
import { css, html, LitElement, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { AttachEvent } from "../composer/events.ts";
import { icons } from "../controls/icons.ts";
import { rootStyles } from "../controls/styles.ts";
import { msg } from "../messages/page.ts";
import { TranscriptActionEvent } from "./events.ts";

/** Suggested questions for any place. */
const prompts = (title: string): string[] => [
  msg("conversation.mainIdea", { title }),
  msg("conversation.explainHardestStepExample"),
  msg("conversation.shouldIRemember"),
];

const mostPages = 5;

/** Suggested pages among recently published places: no courses, no repeated titles. Pure. */
function startingPages(recent: readonly ReferenceResult[]): ReferenceResult[] {
  const byName = new Map(recent.filter(({ kind }) => kind === "topic").map((place) => [place.title, place]));
  return [...byName.values()].slice(0, mostPages);
}

/**
 * @summary A new conversation: suggested questions for the attached page, or pages to start with.
 * @event {TranscriptActionEvent} colloquy-transcript-action
 * @event {AttachEvent} colloquy-attach
 */
@customElement("colloquy-welcome")
export class Welcome extends LitElement {
  static override styles = [
    rootStyles,
    css`
      :host { display: grid; align-content: start; overflow: auto; font: var(--text-m)/1.5 var(--font-ui); color: var(--ink-soft); }
      .inner { max-inline-size: calc(38.5rem + 2 * var(--s5)); inline-size: 100%; margin-inline: auto; padding: max(var(--s5), 13vh) var(--s5) var(--s5); display: grid; gap: var(--s5); }
      h2 { font: 600 clamp(1.6rem, 1.2rem + 1.6vw, 2.125rem)/1.2 var(--font-read); letter-spacing: -.012em; color: var(--ink); margin: 0; text-wrap: balance; }
      p { margin: 8px 0 0; text-wrap: pretty; }
      .group { margin: 0 0 var(--s2); font-size: var(--text-s); color: var(--ink-faint); font-weight: 500; }
      ul { list-style: none; margin: 0; padding: 0; display: grid; margin-inline: calc(-1 * var(--s3)); }
      li { padding-block: 1px; background: linear-gradient(var(--line), var(--line)) var(--s3) 0 / calc(100% - 2 * var(--s3)) 1px no-repeat; }
      button { inline-size: 100%; display: grid; grid-template-columns: minmax(0, 1fr) auto; align-items: center; gap: 1px 12px; padding: 11px var(--s3); border-radius: var(--r-m); font: 1.0625rem/1.45 var(--font-read); color: var(--ink); text-align: start; transition: background var(--fast) var(--ease); }
      button:hover { background: var(--sunken); }
      button small { grid-column: 1; }
      button .icon { grid-area: 1 / 2; color: var(--ink-faint); font-size: 16px; transition: translate var(--fast) var(--ease), color var(--fast) var(--ease); }
      button small ~ .icon { grid-row: 1 / span 2; }
      button [dir] { text-align: -webkit-match-parent; text-align: match-parent; }
      button .icon:dir(rtl) { scale: -1 1; }
      button:hover .icon { color: var(--accent); translate: 3px 0; }
      button:hover .icon:dir(rtl) { translate: -3px 0; }
      button small { font: var(--text-s)/1.4 var(--font-ui); color: var(--ink-faint); }
      @media (max-width: 760px) { .inner { padding: max(var(--s4), 9vh) var(--s4) var(--s4); } }
    `,
  ];

  /** The attached references. */
  @property({ attribute: false }) references: AttachedReference[] = [];
  /** Recently published places. */
  @property({ attribute: false }) recent: ReferenceResult[] = [];

  protected override render() {
    const [attached] = this.references;
    const pages = startingPages(this.recent);
    return html`<div class="inner">
      <div><h2>${attached ? msg("common.askAbout", { title: attached.title }) : msg("page.wouldLikeUnderstand")}</h2>
        <p>${msg("page.answersWrittenCoursesPoint")}</p></div>
      ${attached ? this.#asks(attached) : pages.length ? this.#places(pages) : nothing}
    </div>`;
  }

  #asks(attached: AttachedReference) {
    return html`<div><h3 class="group">${msg("conversation.suggestions")}</h3><ul>
      ${prompts(attached.title).map(
        (text) =>
          html`<li><button type="button" @click=${() => this.dispatchEvent(new TranscriptActionEvent({ kind: "ask", text }))}><span dir="auto">${text}</span>${icons.next}</button></li>`,
      )}</ul></div>`;
  }

  #places(places: ReferenceResult[]) {
    return html`<div><h3 class="group">${msg("conversation.beginWithAPage")}</h3><ul>
      ${places.map(
        (
          place,
        ) => html`<li><button type="button" @click=${() => this.dispatchEvent(new AttachEvent(place))}><span dir="auto">${place.title}</span>
          <small dir="auto">${place.trail.join(" · ")}</small>${icons.next}</button></li>`,
      )}</ul></div>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-welcome": Welcome;
  }
}

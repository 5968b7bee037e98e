import type { CourseDraft } from "@colloquy/schemas/publication/draft.ts";
import { css, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { LightElement } from "../controls/light-element.ts";
import { formatDate, formatNumber, formatRelative, msg } from "../messages/page.ts";
import type { PageChange } from "./describe-changes.ts";
import { downloadJson, draftFileName } from "./download.ts";
import type { Copy } from "./drafts.ts";

/** The author chose what to do with a stored draft. */
export class OfferAnsweredEvent extends Event {
  static readonly type = "colloquy-offer-answered";
  readonly answer: { do: "continue" | "discard" | "postpone" } | { do: "use-copy" | "delete-copy"; key: string };
  constructor(answer: OfferAnsweredEvent["answer"]) {
    super(OfferAnsweredEvent.type, { bubbles: true, composed: true });
    this.answer = answer;
  }
}

/** Gap between the offer and a note above it, in pixels. */
const noteGap = 10;
/** Pages listed by name; the rest is a count. */
const mostLines = 8;

/**
 * @summary Offers a draft that is stored in this browser: its age, base revision and changes. Nothing happens to the draft before the author
 * chooses; discarding asks for confirmation.
 * @event {OfferAnsweredEvent} colloquy-offer-answered
 */
@customElement("colloquy-return-offer")
export class ReturnOffer extends LightElement {
  static override lightStyles = [
    css`
      colloquy-return-offer { position: fixed; z-index: 4; inset-block-end: calc(max(20px, env(safe-area-inset-bottom)) + var(--drawing-room, 0px)); inset-inline: 0; inline-size: min(36rem, calc(100vw - 24px)); max-block-size: min(70dvh, 34rem); margin-inline: auto; padding: var(--s4) var(--s5); overflow-y: auto; overscroll-behavior: contain; border: 1px solid var(--line-strong); border-radius: var(--r-l); background: var(--raised); color: var(--ink-soft); box-shadow: var(--shadow-2); font: var(--text-s)/1.5 var(--font-ui); }
      colloquy-return-offer h2 { font: 600 var(--text-m)/1.4 var(--font-ui); color: var(--ink); }
      colloquy-return-offer p + p, colloquy-return-offer details { margin-block-start: var(--s1); }
      colloquy-return-offer .scope { color: var(--warn); font-weight: 550; }
      colloquy-return-offer summary { min-block-size: 28px; inline-size: fit-content; color: var(--accent); font-weight: 550; cursor: pointer; }
      colloquy-return-offer ul { margin-block: var(--s1); padding-inline-start: 1.2em; }
      colloquy-return-offer .ways { display: flex; flex-wrap: wrap; gap: var(--s2); align-items: center; margin-block-start: var(--s3); }
      colloquy-return-offer .button { min-block-size: 36px; padding: 6px 14px; font-size: var(--text-s); }
      colloquy-return-offer .plain { min-block-size: 36px; padding-inline: 10px; border-radius: var(--r-s); font-weight: 550; }
      colloquy-return-offer .plain:hover { background: var(--sunken); color: var(--ink); }
      colloquy-return-offer .copies { margin-block-start: var(--s3); padding-block-start: var(--s3); border-block-start: 1px solid var(--line); }
      @media (pointer: coarse) { colloquy-return-offer :is(.button, .plain, summary) { min-block-size: 44px; } }
    `,
  ];

  @property({ attribute: false }) draft: CourseDraft | null = null;
  /** Another tab of this browser is editing it. */
  @property({ attribute: false }) elsewhere = false;
  /** Sequence of the live revision. */
  @property({ attribute: false }) live: number | null = null;
  /** Whether the live revision was sent from this draft without an answer arriving; null while unknown. */
  @property({ attribute: false }) own: boolean | null = false;
  /** What the draft changes; null while unknown. */
  @property({ attribute: false }) difference: readonly PageChange[] | null = null;
  /** The base revision no longer exists: changes are relative to the live one. */
  @property({ attribute: false }) baseLost = false;
  /** The base revision could not be loaded. */
  @property({ attribute: false }) sourceUnavailable = false;
  @property({ attribute: false }) copies: readonly Copy[] = [];
  @property({ attribute: false }) unreadable: readonly { key: string; value: unknown }[] = [];
  /** What the author is asked to confirm deleting: `draft` or the key of a copy. */
  @state() private confirming: string | null = null;

  readonly #size = new ResizeObserver(() => document.documentElement.style.setProperty("--offer-room", `${this.offsetHeight + noteGap}px`));

  override connectedCallback(): void {
    super.connectedCallback();
    this.#size.observe(this, { box: "border-box" });
    this.role = "region";
    this.ariaLabel = msg("editor.draftCourse");
  }

  override disconnectedCallback(): void {
    this.#size.disconnect();
    document.documentElement.style.removeProperty("--offer-room");
    super.disconnectedCallback();
  }

  protected override render() {
    const { draft } = this;
    return html`${draft ? this.#main(draft) : nothing}${this.copies.map((copy) => this.#copy(copy))}${this.unreadable.map((one) => this.#unreadable(one))}
      ${draft ? nothing : html`<div class="ways">${this.#later()}</div>`}`;
  }

  #main(draft: CourseDraft) {
    return html`<h2>${this.elsewhere ? msg("editor.anotherTabEditingCourse") : msg("editor.draftCourse2")}</h2>
      <p>${msg("editor.lastChanged", { when: ageOf(draft.savedAt) })} <span class="scope">${msg("editor.savedBrowserOnly")}</span></p>
      <p>${this.#origin(draft.base.sequence)}</p>${this.#difference()}
      ${this.confirming === "draft" ? this.#sure(() => this.#answer({ do: "discard" }), draft) : this.#ways()}`;
  }

  /** The base of the draft, and what that means for publishing it. */
  #origin(sequence: number): string {
    const base = formatNumber(sequence);
    const { live, own, baseLost } = this;
    if (baseLost) return msg("editor.basedRevisionWhichNoLongerStored", { base });
    if (live === null || live <= sequence) return msg("editor.beganRevisionOnePublished", { base });
    const values = { base, live: formatNumber(live) };
    if (own === null) return msg("editor.beganRevisionRevisionPublished", values);
    if (own) return msg("editor.beganRevisionRevisionPublishedNow", values);
    return msg("editor.beganRevisionRevisionPublishedNowBefore", values);
  }

  #originOfCopy({ base: { sequence }, sent }: CourseDraft): string {
    const { live } = this;
    const base = formatNumber(sequence);
    if (live === null || live <= sequence) return msg("editor.beganRevisionOnePublished", { base });
    const values = { base, live: formatNumber(live) };
    // It was sent without an answer and may be the live revision.
    return sent?.length
      ? msg("editor.beganRevisionRevisionPublished", values)
      : msg("editor.beganRevisionRevisionPublishedNowBefore", values);
  }

  #difference() {
    const { difference, sourceUnavailable, own, baseLost } = this;
    // Compared with the live revision, changes of others would count as well.
    if (baseLost) return nothing;
    if (sourceUnavailable) return html`<p>${msg("editor.changesCannotShownJust")}</p>`;
    if (!difference) return html`<p>${msg("editor.lookingChanges")}</p>`;
    if (own && !difference.length) return html`<p>${msg("editor.everythingPublished")}</p>`;
    const rest = difference.length - mostLines;
    return html`<details><summary>${msg("editor.itChangesPages", { n: difference.length })}</summary><ul>${difference
      .slice(0, mostLines)
      .map(({ title, what }) => html`<li><b><bdi>${title}</bdi></b>: ${what}</li>`)}${
      rest > 0 ? html`<li>${msg("editor.andPagesMore", { n: rest })}</li>` : nothing
    }</ul></details>`;
  }

  #ways() {
    return html`<div class="ways"><button type="button" class="button button-primary" @click=${() => this.#answer({ do: "continue" })}>${msg("editor.continueEditing")}</button>
      ${this.elsewhere ? nothing : html`<button type="button" class="plain" @click=${() => (this.confirming = "draft")}>${msg("editor.discard")}</button>`}${this.#later()}</div>`;
  }

  #later() {
    return html`<button type="button" class="plain" @click=${() => this.#answer({ do: "postpone" })}>${msg("common.notNow")}</button>`;
  }

  #sure(yes: () => void, draft: CourseDraft | null) {
    return html`<p><b>${msg("editor.discardPermanently")}</b></p><div class="ways"><button type="button" class="button" @click=${() => (this.confirming = null)}>${msg("editor.keepIt")}</button>
      ${draft ? html`<button type="button" class="plain" @click=${() => downloadJson(draftFileName(draft), draft)}>${msg("editor.downloadItFirst")}</button>` : nothing}
      <button type="button" class="plain" @click=${yes}>${msg("editor.throwItAway")}</button></div>`;
  }

  #copy({ key, draft }: Copy) {
    return html`<div class="copies"><p>${msg("editor.copyAnotherTab", { when: ageOf(draft.savedAt) })} ${msg("editor.keptApartBecauseTwo")}</p><p>${this.#originOfCopy(draft)}</p>${
      this.confirming === key
        ? this.#sure(() => this.#answer({ do: "delete-copy", key }), draft)
        : html`<div class="ways"><button type="button" class="button" @click=${() => this.#answer({ do: "use-copy", key })}>${msg("editor.goCopy")}</button>
          <button type="button" class="plain" @click=${() => downloadJson(draftFileName(draft), draft)}>${msg("editor.downloadTheDraft")}</button>
          <button type="button" class="plain" @click=${() => (this.confirming = key)}>${msg("editor.discard")}</button></div>`
    }</div>`;
  }

  #unreadable({ key, value }: { key: string; value: unknown }) {
    return html`<div class="copies"><p>${msg("editor.draftAnotherVersionEditor")}</p>${
      this.confirming === key
        ? this.#sure(() => this.#answer({ do: "delete-copy", key }), null)
        : html`<div class="ways"><button type="button" class="button" @click=${() => downloadJson("draft.json", value)}>${msg("editor.downloadTheDraft")}</button>
          <button type="button" class="plain" @click=${() => (this.confirming = key)}>${msg("editor.discard")}</button></div>`
    }</div>`;
  }

  #answer(answer: OfferAnsweredEvent["answer"]): void {
    this.confirming = null;
    this.dispatchEvent(new OfferAnsweredEvent(answer));
  }
}

/** Relative time for a week, then the date. */
function ageOf(time: string): string {
  const seconds = (Date.parse(time) - Date.now()) / 1_000;
  const past = -seconds;
  if (past < 60) return msg("editor.justNow");
  if (past < 3_600) return formatRelative(Math.round(seconds / 60), "minute");
  if (past < 86_400) return formatRelative(Math.round(seconds / 3_600), "hour");
  if (past < 7 * 86_400) return formatRelative(Math.round(seconds / 86_400), "day");
  return formatDate(new Date(time), { dateStyle: "long" });
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-return-offer": ReturnOffer;
  }
  interface GlobalEventHandlersEventMap {
    "colloquy-offer-answered": OfferAnsweredEvent;
  }
}

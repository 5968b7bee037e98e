import type { CourseDraft } from "@colloquy/schemas/publication/draft.ts";
import { css, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { LightElement } from "../controls/light-element.ts";
import { formatDate, formatNumber, formatRelative, msg } from "../messages/page.ts";
import type { DifferenceLine } from "./difference.ts";
import { downloadJson, draftFileName } from "./download.ts";
import type { Copy } from "./drafts.ts";

/** What is to become of a draft that was left here. */
export class OfferAnsweredEvent extends Event {
  static readonly type = "colloquy-offer-answered";
  readonly answer: { go: "on" } | { go: "away" } | { use: string } | { drop: string } | { later: true };
  constructor(answer: OfferAnsweredEvent["answer"]) {
    super(OfferAnsweredEvent.type, { bubbles: true, composed: true });
    this.answer = answer;
  }
}

/** Between the offer and a note above it, in pixels. */
const noteGap = 10;
/** More pages than this are only counted. */
const mostLines = 8;

/**
 * @summary A draft that was left in this browser: how old it is, what it began from, what it changes. It lies over nothing that is read, and
 * nothing happens to the draft before somebody says so, twice where it would be thrown away.
 * @event {OfferAnsweredEvent} colloquy-offer-answered
 */
@customElement("colloquy-return-offer")
export class ReturnOffer extends LightElement {
  static override lightStyles = [
    css`
      colloquy-return-offer { position: fixed; z-index: 4; inset-block-end: max(20px, env(safe-area-inset-bottom)); inset-inline: 0; inline-size: min(36rem, calc(100vw - 24px)); max-block-size: min(70dvh, 34rem); margin-inline: auto; padding: var(--s4) var(--s5); overflow-y: auto; overscroll-behavior: contain; border: 1px solid var(--line-strong); border-radius: var(--r-l); background: var(--raised); color: var(--ink-soft); box-shadow: var(--shadow-2); font: var(--text-s)/1.5 var(--font-ui); }
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
  /** Another tab of this browser is at work in it. */
  @property({ attribute: false }) elsewhere = false;
  /** The sequence that is published now. */
  @property({ attribute: false }) live: number | null = null;
  /** What is published now went out from this draft, and the answer was lost; null while that is not known. */
  @property({ attribute: false }) own: boolean | null = false;
  /** What the draft changes; null while it is not known. */
  @property({ attribute: false }) difference: readonly DifferenceLine[] | null = null;
  /** What the draft began from is kept no more: the difference is from what is published. */
  @property({ attribute: false }) baseLost = false;
  /** What the draft began from could not be read. */
  @property({ attribute: false }) unknown = false;
  @property({ attribute: false }) copies: readonly Copy[] = [];
  @property({ attribute: false }) unreadable: readonly { key: string; value: unknown }[] = [];
  /** What was asked to be thrown away: asked once more. */
  @state() private doomed: string | null = null;

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
      ${this.doomed === "draft" ? this.#sure(() => this.#answer({ go: "away" }), draft) : this.#ways()}`;
  }

  /** What the draft stands on, and what that means for publishing it. */
  #origin(sequence: number): string {
    const base = formatNumber(sequence);
    const { live, own, baseLost } = this;
    if (baseLost) return msg("editor.beganRevisionKeptAny", { base });
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
    // What went out of it unanswered may be what is published.
    return sent?.length
      ? msg("editor.beganRevisionRevisionPublished", values)
      : msg("editor.beganRevisionRevisionPublishedNowBefore", values);
  }

  #difference() {
    const { difference, unknown, own, baseLost } = this;
    // From what is published now it may differ by what others changed.
    if (baseLost) return nothing;
    if (unknown) return html`<p>${msg("editor.changesCannotShownJust")}</p>`;
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
    return html`<div class="ways"><button type="button" class="button button-primary" @click=${() => this.#answer({ go: "on" })}>${msg("editor.goOnEditing")}</button>
      ${this.elsewhere ? nothing : html`<button type="button" class="plain" @click=${() => (this.doomed = "draft")}>${msg("editor.throwAway")}</button>`}${this.#later()}</div>`;
  }

  #later() {
    return html`<button type="button" class="plain" @click=${() => this.#answer({ later: true })}>${msg("common.notNow")}</button>`;
  }

  #sure(yes: () => void, draft: CourseDraft | null) {
    return html`<p><b>${msg("editor.throwAwayGood")}</b></p><div class="ways"><button type="button" class="button" @click=${() => (this.doomed = null)}>${msg("editor.keepIt")}</button>
      ${draft ? html`<button type="button" class="plain" @click=${() => downloadJson(draftFileName(draft), draft)}>${msg("editor.downloadItFirst")}</button>` : nothing}
      <button type="button" class="plain" @click=${yes}>${msg("editor.throwItAway")}</button></div>`;
  }

  #copy({ key, draft }: Copy) {
    return html`<div class="copies"><p>${msg("editor.copyAnotherTab", { when: ageOf(draft.savedAt) })} ${msg("editor.keptApartBecauseTwo")}</p><p>${this.#originOfCopy(draft)}</p>${
      this.doomed === key
        ? this.#sure(() => this.#answer({ drop: key }), draft)
        : html`<div class="ways"><button type="button" class="button" @click=${() => this.#answer({ use: key })}>${msg("editor.goCopy")}</button>
          <button type="button" class="plain" @click=${() => downloadJson(draftFileName(draft), draft)}>${msg("editor.downloadTheDraft")}</button>
          <button type="button" class="plain" @click=${() => (this.doomed = key)}>${msg("editor.throwAway")}</button></div>`
    }</div>`;
  }

  #unreadable({ key, value }: { key: string; value: unknown }) {
    return html`<div class="copies"><p>${msg("editor.draftAnotherVersionEditor")}</p>${
      this.doomed === key
        ? this.#sure(() => this.#answer({ drop: key }), null)
        : html`<div class="ways"><button type="button" class="button" @click=${() => downloadJson("draft.json", value)}>${msg("editor.downloadTheDraft")}</button>
          <button type="button" class="plain" @click=${() => (this.doomed = key)}>${msg("editor.throwAway")}</button></div>`
    }</div>`;
  }

  #answer(answer: OfferAnsweredEvent["answer"]): void {
    this.doomed = null;
    this.dispatchEvent(new OfferAnsweredEvent(answer));
  }
}

/** When something was, as one says it: minutes, hours and days ago, then the day. */
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

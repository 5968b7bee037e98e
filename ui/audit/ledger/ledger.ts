import type { EvidenceEntry } from "@colloquy/schemas/tutor/ledger.ts";
import type { TutorSession } from "@colloquy/schemas/tutor/session.ts";
import { html, nothing, type PropertyValues } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { repeat } from "lit/directives/repeat.js";
import { type ClientProblem, isAbort, problemOfThrown, problemTitle as titleOfProblem } from "../../api/problems.ts";
import type { TutorApi } from "../../api/tutor.ts";
import { AnnounceEvent } from "../../controls/announce-event.ts";
import { LightElement } from "../../controls/light-element.ts";
import { fromEnglish, msg } from "../../messages/page.ts";
import { rerenderOnLanguageChange } from "../../messages/rerender.ts";
import { ledgerHref } from "../../tutor/ledger-address.ts";
import { phaseWords, sessionWords } from "../../tutor/words.ts";
import { checkView } from "./check-view.ts";
import { entryView } from "./entry-view.ts";
import { ledgerStyles } from "./ledger.styles.ts";
import { masteryView } from "./mastery-view.ts";
import { type Reading, readLedger, type Verdict, verify } from "./reading.ts";
import { masteryChanges } from "./words.ts";

/** A ledger was read; carries its session and goal, for the tab's title. */
export class LedgerReadEvent extends Event {
  static readonly type = "colloquy-ledger-read";
  readonly shown: { kind: "ledger"; of: string; title: string; event: number | null };
  constructor(of: string, title: string, event: number | null) {
    super(LedgerReadEvent.type, { bubbles: true, composed: true });
    this.shown = { kind: "ledger", of, title, event };
  }
}

/**
 * @summary The ledger of the learner's own tutoring session: every event in plain words with its number and change of mastery, and a check
 * of the chain in this browser.
 * @event {LedgerReadEvent} colloquy-ledger-read
 */
@customElement("colloquy-ledger")
export class LedgerElement extends LightElement {
  static override lightStyles = [ledgerStyles];

  /** A session id, or a conversation id for its newest session. */
  @property({ attribute: false }) of = "";
  /** The event to scroll to. */
  @property({ attribute: false }) event: number | null = null;
  /** The session's version as this page knows it; a change reloads the ledger. */
  @property({ attribute: false }) version = 0;
  @property({ attribute: false }) api: TutorApi | null = null;
  @state() private reading: Reading | null = null;
  @state() private trouble: ClientProblem | "none" | null = null;
  @state() private verdict: Verdict | null = null;
  /** Show only events that changed mastery. */
  @state() private movingOnly = false;
  @state() private offline = !navigator.onLine;
  #loading: AbortController | null = null;
  #stop: AbortController | null = null;
  /** Move the focus here once the ledger has loaded. */
  #shouldFocus = false;

  override connectedCallback(): void {
    super.connectedCallback();
    this.tabIndex = 0;
    this.role = "region";
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    rerenderOnLanguageChange(this, signal);
    this.onConnectivityChange(() => this.#connection(), signal);
    // The session may have continued on another device.
    addEventListener("focus", () => !this.closest("[inert]") && void this.#load(), { signal });
    if (this.hasUpdated) void this.#load();
  }
  override disconnectedCallback(): void {
    this.#stop?.abort();
    this.#loading?.abort();
    super.disconnectedCallback();
  }

  /** Moves the focus into the ledger, now or once it has loaded. */
  reach(): void {
    this.#shouldFocus = !this.reading;
    if (this.reading) this.focus({ preventScroll: true });
  }

  /** Scrolls to the event that the address names. */
  look(): void {
    if (this.event === null) return;
    if (this.movingOnly && !this.#shown.some(({ index }) => index === this.event)) this.movingOnly = false;
    void this.updateComplete.then(() => this.querySelector("[aria-current]")?.scrollIntoView({ block: "center" }));
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const { session } = this.reading ?? {};
    const another = changed.has("of") && this.of !== session?.sessionId;
    if (another) this.reading = this.verdict = null;
    if (another || (changed.has("version") && session && this.version > session.version)) void this.#load();
    else if (changed.has("event") && session) this.look();
  }

  protected override render() {
    const { reading, trouble } = this;
    const title = reading ? titleOf(reading.session) : "";
    this.ariaLabel = title ? msg("ledger.ledger", { title }) : msg("ledger.ledgerOfASession");
    this.ariaBusy = String(!reading && !trouble);
    if (trouble && !reading) return this.#problemView(trouble);
    if (!reading)
      return html`<div class="waits"><i style="inline-size:64%;block-size:1.8rem"></i><i style="inline-size:38%"></i><i></i><i style="inline-size:92%"></i><i style="inline-size:71%"></i></div>`;
    const { session, entries } = reading;
    return html`<div class="sheet">
      ${trouble ? html`<p class="note" role="status">${this.offline ? msg("ledger.offlineLedgerReadLast") : msg("ledger.serviceDoesNotRespondLastLoaded")}</p>` : nothing}
      ${reading.sessions.length > 1 ? this.#sessions(reading) : nothing}
      <h2 dir="auto">${title}</h2>
      <p class="about"><a href="/courses/${encodeURIComponent(session.courseId)}" dir="auto">${session.courseTitle}</a> · ${phaseWords(session)} · ${msg("ledger.events", { n: entries.length })}</p>
      ${checkView(this.verdict, reading, () => void this.#check())}
      ${this.#ways(session)}
      <h3>${msg("ledger.howMasteryMoved")}</h3>
      ${masteryView(session, entries)}
      <div class="entries-head"><h3>${msg("ledger.whatHappened")}</h3><label><input type="checkbox" .checked=${live(this.movingOnly)} @change=${(event: Event) => (this.movingOnly = (event.target as HTMLInputElement).checked)}>${msg("ledger.onlyWhatMovedMastery")}</label></div>
      ${
        this.#shown.length
          ? html`<ol class="entries">${repeat(
              this.#shown,
              ({ index }) => index,
              (entry) => entryView(entry, session, entry.index === this.event),
            )}</ol>`
          : html`<p class="about">${msg("ledger.nothingMovedMasteryOnly")}</p>`
      }</div>`;
  }

  get #shown(): EvidenceEntry[] {
    const { reading } = this;
    if (!reading) return [];
    return this.movingOnly ? reading.entries.filter((entry) => masteryChanges(entry, reading.session).length > 0) : reading.entries;
  }

  /** A select of the conversation's sessions; each has its own ledger. */
  #sessions({ sessions, session }: Reading) {
    const open = (event: Event) => {
      this.of = (event.currentTarget as HTMLSelectElement).value;
      this.event = null;
    };
    return html`<select aria-label=${msg("ledger.session")} .value=${live(session.sessionId)} @change=${open}>${repeat(
      sessions,
      (one) => one.sessionId,
      (one) => html`<option value=${one.sessionId} ?selected=${one.sessionId === session.sessionId}>${sessionWords(one)}</option>`,
    )}</select>`;
  }

  #ways({ sessionId, conversationId }: TutorSession) {
    const exported = `/api/tutor/sessions/${encodeURIComponent(sessionId)}/ledger`;
    return html`<p class="ways"><a href="/ai?conversation=${encodeURIComponent(conversationId)}">${msg("ledger.toTheConversation")}</a>${
      this.offline
        ? nothing
        : html`<a href=${exported} download>${msg("ledger.saveAsNdjson")}</a><a href="${exported}?format=xapi" download>${msg("ledger.saveAsXapi")}</a>`
    }</p>`;
  }

  #problemView(trouble: ClientProblem | "none") {
    if (trouble === "none")
      return html`<div class="says"><h2>${msg("ledger.ledgerNotFound")}</h2><p>${msg("ledger.sessionNotStartedDeletedConversationBelongs")}</p><p><a href="/ai">${msg("conversation.beginANewConversation")}</a></p></div>`;
    if (trouble.code === "sign_in_required")
      return html`<div class="says"><h2>${msg("common.signGo")}</h2><p>${msg("ledger.ledgerOnlyShownWhoever")}</p><p><a href="/sign-in?return=${encodeURIComponent(ledgerHref(this.of, this.event))}">${msg("common.signIn")}</a></p></div>`;
    return html`<div class="says"><h2>${this.offline ? msg("common.youAreOffline") : msg("ledger.ledgerCouldNotLoaded")}</h2>
      <p>${this.offline ? msg("ledger.ledgerKeptServiceOpens") : trouble.detail ? fromEnglish(trouble.detail) : titleOfProblem(trouble)}</p>
      <button type="button" class="button" @click=${() => void this.#load()}>${msg("common.tryAgain")}</button></div>`;
  }

  #connection(): void {
    this.offline = !navigator.onLine;
    if (!this.offline && this.trouble && this.trouble !== "none") void this.#load();
  }

  async #load(): Promise<void> {
    const { api, of } = this;
    this.#loading?.abort();
    if (!api || !of) return;
    this.#loading = new AbortController();
    const { signal } = this.#loading;
    this.offline = !navigator.onLine;
    if (!this.reading) this.trouble = null;
    try {
      const reading = await readLedger(api, of, signal);
      if (signal.aborted) return;
      this.trouble = reading ? null : "none";
      if (!reading) {
        this.reading = null;
        return;
      }
      const first = this.reading === null;
      const same = this.reading?.session.sessionId === reading.session.sessionId && this.reading.entries.length === reading.entries.length;
      this.reading = reading;
      this.dispatchEvent(new LedgerReadEvent(reading.session.sessionId, titleOf(reading.session), this.event));
      if (first) this.look();
      if (first && this.#shouldFocus) void this.updateComplete.then(() => this.reach());
      if (!same) await this.#check();
    } catch (error) {
      if (isAbort(error) || signal.aborted) return;
      this.trouble = problemOfThrown(error);
      this.dispatchEvent(new AnnounceEvent(titleOfProblem(this.trouble)));
    }
  }

  async #check(): Promise<void> {
    const { api, reading } = this;
    const { signal } = this.#loading ?? new AbortController();
    if (!api || !reading) return;
    this.verdict = null;
    const verdict = await verify(reading, api, signal);
    if (this.reading === reading) this.verdict = verdict;
  }
}

const titleOf = ({ goal, courseTitle }: TutorSession): string => goal || courseTitle;

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-ledger": LedgerElement;
  }
  interface GlobalEventHandlersEventMap {
    "colloquy-ledger-read": LedgerReadEvent;
  }
}

import type { ModelChoice, ModelSelection } from "@colloquy/schemas/models.ts";
import type { AttachedReference } from "@colloquy/schemas/sync/changes.ts";
import type { TutorSession } from "@colloquy/schemas/tutor/session.ts";
import { html, nothing } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { repeat } from "lit/directives/repeat.js";
import { activeElementNear } from "../controls/active-element.ts";
import { icons } from "../controls/icons.ts";
import { LightElement } from "../controls/light-element.ts";
import { openModal } from "../controls/overlay-history.ts";
import { onChange } from "../controls/subscription.ts";
import { msg } from "../messages/page.ts";
import { TutorEvent } from "./events.ts";
import "./flow-view.ts";
import type { TutorFlow } from "./flow-view.ts";
import "./path-rail.ts";
import "./progress-rail.ts";
import type { RailName } from "./rails.ts";
import { tutorStyles } from "./tutor.styles.ts";
import type { Tutoring } from "./tutoring.ts";
import { phaseWords, sessionWords } from "./words.ts";

/** Minimum width in pixels for both rails beside the lesson. */
const roomyPx = 980;
const railWords = { path: "audit.path", progress: "tutor.progress" } as const satisfies Record<RailName, string>;

/**
 * @summary The tutor of a conversation: path, lesson and progress side by side. The rails can be folded per conversation; on narrow
 * screens they are sheets.
 * @event {TutorEvent} colloquy-tutor
 */
@customElement("colloquy-tutor")
export class TutorElement extends LightElement {
  static override lightStyles = [tutorStyles];

  @property({ attribute: false }) tutoring: Tutoring | null = null;
  @property({ attribute: false }) models: readonly ModelChoice[] = [];
  @property({ attribute: false }) model: ModelSelection = { choice: "automatic" };
  @property({ attribute: false }) references: readonly AttachedReference[] = [];
  @state() private roomy = true;
  /** The rail that is open as a sheet. */
  @state() private sheet: RailName | null = null;
  @query(":scope > dialog") private dialog!: HTMLDialogElement | null;
  @query("colloquy-tutor-flow") private flow!: TutorFlow | null;
  readonly #sizes = new ResizeObserver(([size]) => {
    const roomy = (size?.contentRect.width ?? roomyPx) >= roomyPx;
    if (roomy !== this.roomy) requestAnimationFrame(() => (this.roomy = roomy));
  });
  /** The focus was inside when a command was sent, so it moves to the result. */
  #shouldRestoreFocus = false;
  #wasBusy = false;

  constructor() {
    super();
    onChange(this, () => this.tutoring?.events);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#sizes.observe(this);
    this.addEventListener("colloquy-tutor", this.#beforeCommand);
  }
  override disconnectedCallback(): void {
    this.#sizes.disconnect();
    this.removeEventListener("colloquy-tutor", this.#beforeCommand);
    super.disconnectedCallback();
  }

  /** The regions that F6 cycles through, in visual order. */
  get regions(): HTMLElement[] {
    return [...this.querySelectorAll<HTMLElement>(".rail, colloquy-tutor-flow")];
  }

  focusCourses(): void {
    this.flow?.focusCourses();
  }

  protected override render() {
    const { tutoring, models, model, references } = this;
    if (!tutoring) return nothing;
    const { session } = tutoring;
    const rail = (name: RailName) =>
      session && this.roomy && !tutoring.rails.isFolded(name)
        ? html`<section class="rail ${name}" role="region" aria-label=${msg(railWords[name])} tabindex="0">${this.#rail(name, tutoring)}</section>`
        : nothing;
    return html`${session ? this.#bar(tutoring) : nothing}
      <div class="columns">${rail("path")}
        <colloquy-tutor-flow .tutoring=${tutoring} .models=${models} .model=${model} .references=${references}></colloquy-tutor-flow>
        ${rail("progress")}</div>
      <dialog aria-label=${msg(railWords[this.sheet ?? "path"])} @close=${() => (this.sheet = null)} @click=${this.#closeOnClick}>
        ${
          this.sheet
            ? html`<div class="sheet"><button type="button" class="close" aria-label=${msg("common.close")} @click=${() => this.dialog?.close()}>${icons.close}</button>${this.#rail(this.sheet, tutoring)}</div>`
            : nothing
        }</dialog>`;
  }

  #rail(name: RailName, { session, busy }: Tutoring) {
    return name === "path"
      ? html`<colloquy-tutor-path .session=${session}></colloquy-tutor-path>`
      : html`<colloquy-tutor-progress .session=${session} ?busy=${busy}></colloquy-tutor-progress>`;
  }

  #bar(tutoring: Tutoring) {
    const { session, busy } = tutoring;
    if (!session) return nothing;
    const rail = (
      name: RailName,
    ) => html`<button type="button" class="tool" aria-expanded=${this.roomy ? !tutoring.rails.isFolded(name) : nothing}
      aria-haspopup=${this.roomy ? nothing : "dialog"} @click=${() => void this.#toggleRail(name)}>${icons[name]}<span>${msg(railWords[name])}</span></button>`;
    const pausable = !session.paused && session.phase !== "completed" && !tutoring.stale;
    return html`<header class="bar"><h2 class="visually-hidden">${msg("common.tutor")}</h2>${rail("path")}
      <p>${tutoring.sessions.length > 1 ? this.#sessions(tutoring, session) : html`<b lang=${session.language} dir="auto">${session.courseTitle}</b>`}<span>${phaseWords(session)}</span></p>
      ${
        pausable
          ? html`<button type="button" class="tool" aria-disabled=${busy ? "true" : nothing} @click=${this.#pause}>${icons.pause}<span>${msg("common.pause")}</span></button>`
          : nothing
      }${rail("progress")}</header>`;
  }

  /** A select of the conversation's sessions. */
  #sessions({ sessions, busy }: Tutoring, { sessionId }: TutorSession) {
    const open = (event: Event) =>
      this.dispatchEvent(new TutorEvent({ kind: "open", sessionId: (event.currentTarget as HTMLSelectElement).value }));
    return html`<select aria-label=${msg("ledger.session")} ?disabled=${busy} .value=${live(sessionId)} @change=${open}>${repeat(
      sessions,
      (one) => one.sessionId,
      (one) => html`<option value=${one.sessionId} ?selected=${one.sessionId === sessionId}>${sessionWords(one)}</option>`,
    )}</select>`;
  }

  readonly #pause = () => {
    if (!this.tutoring?.busy) this.dispatchEvent(new TutorEvent({ kind: "act", action: { type: "pause" } }));
  };

  async #toggleRail(name: RailName): Promise<void> {
    if (this.roomy) {
      await this.tutoring?.rails.toggle(name);
      this.requestUpdate();
      return;
    }
    this.sheet = name;
    await this.updateComplete;
    if (this.dialog) openModal(this.dialog);
  }

  /** Closes the sheet on a click beside it and when a link in it is followed. */
  readonly #closeOnClick = (event: MouseEvent) => {
    const followed = event.target instanceof Element && event.target.closest("a") && !event.metaKey && !event.ctrlKey && !event.shiftKey;
    if (event.target === this.dialog || followed) this.dialog?.close();
  };

  readonly #beforeCommand = ({ command }: TutorEvent) => {
    if (command.kind !== "act" && command.kind !== "retry" && command.kind !== "carry-over") return;
    this.#shouldRestoreFocus = this.contains(activeElementNear(this)) || this.#shouldRestoreFocus;
    if (this.dialog?.open) this.dialog.close();
  };

  protected override updated(): void {
    if (this.roomy && this.dialog?.open) this.dialog.close();
    const busy = this.tutoring?.busy ?? false;
    if (busy !== this.#wasBusy) void this.#restoreFocus(busy);
    this.#wasBusy = busy;
  }

  /** The pressed control disappears while the request runs, so the focus waits on Stop and then moves to the result. */
  async #restoreFocus(busy: boolean): Promise<void> {
    if (!this.#shouldRestoreFocus) return;
    await this.flow?.updateComplete;
    const focused = activeElementNear(this);
    const elsewhere = focused !== null && !this.contains(focused);
    if (!busy) this.#shouldRestoreFocus = false;
    if (elsewhere) return;
    const lost = focused === null;
    if (busy && lost) this.flow?.focusStop();
    else if (!busy && (lost || focused?.matches(".stop") || this.#hasNewQuestion)) await this.flow?.focusCard();
    this.#lastItemId = this.tutoring?.session?.current?.itemId ?? null;
  }

  #lastItemId: string | null = null;
  /** The open question differs from the previous one. */
  get #hasNewQuestion(): boolean {
    const card = this.tutoring?.session?.current?.itemId ?? null;
    return card !== null && card !== this.#lastItemId;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-tutor": TutorElement;
  }
}

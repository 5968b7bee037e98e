import { bounds } from "@colloquy/schemas/bounds.ts";
import { html, nothing, type PropertyValues } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { icons } from "../controls/icons.ts";
import { onScreenKeyboard } from "../controls/keyboard.ts";
import { LightElement } from "../controls/light-element.ts";
import { msg } from "../messages/page.ts";
import type { AutosavedRow } from "../store/autosaved-row.ts";
import { askBackStyles } from "./ask-back.styles.ts";
import { TutorEvent } from "./events.ts";

let serial = 0;

/**
 * @summary Lets the learner ask back at any time of a session. What was written stays until it was answered.
 * @event {TutorEvent} colloquy-tutor
 */
@customElement("colloquy-tutor-ask")
export class TutorAsk extends LightElement {
  static override lightStyles = [askBackStyles];

  /** The number of questions that were answered so far. */
  @property({ type: Number }) answered = 0;
  /** A question that counts waits, for which asking is help. */
  @property({ type: Boolean }) waiting = false;
  /** A request is running: nothing can be sent. */
  @property({ type: Boolean }) busy = false;
  /** Keeps what was written over a reload. */
  @property({ attribute: false }) row: AutosavedRow<{ text: string }> | null = null;
  @state() private text = "";
  readonly #name = `tutor-ask-${serial++}`;

  protected override willUpdate(changed: PropertyValues<this>): void {
    const before = changed.get("answered");
    if (before !== undefined && this.answered > before) this.#keep("");
    if (changed.has("row")) void this.#restore();
  }

  async #restore(): Promise<void> {
    const kept = await this.row?.read().catch(() => undefined);
    // The learner may have written while the row was read.
    if (this.text === "" && typeof kept?.text === "string") this.text = kept.text;
  }

  #keep(text: string): void {
    this.text = text;
    this.row?.write(text.trim() === "" ? null : { text });
  }

  protected override render() {
    const ready = this.text.trim() !== "" && !this.busy;
    const quick = [msg("tutor.askWhy"), msg("tutor.askForExample")];
    return html`<form aria-label=${msg("tutor.askTheTutor")} @submit=${this.#submit}>
      <div class="quick">${quick.map((words) => html`<button type="button" aria-disabled=${this.busy ? "true" : nothing} @click=${() => this.#ask(words)}>${words}</button>`)}</div>
      <div class="field">
        <textarea rows="1" dir="auto" aria-label=${msg("tutor.askTheTutor")} aria-describedby="${this.#name}-note" maxlength=${bounds.tutor.askLength} placeholder=${msg("tutor.askAboutStep")}
          .value=${live(this.text)} @input=${this.#write} @keydown=${this.#pressed}></textarea>
        <button class="send" aria-disabled=${ready ? nothing : "true"}>${icons.send}<span>${msg("common.ask")}</span></button>
      </div>
      <small id="${this.#name}-note">${this.waiting ? msg("tutor.askingCountsAsHelp") : msg("tutor.answeredFromCourse")}</small>
    </form>`;
  }

  readonly #write = (event: Event): void => {
    this.#keep((event.currentTarget as HTMLTextAreaElement).value);
  };

  readonly #submit = (event: Event): void => {
    event.preventDefault();
    this.#ask(this.text.trim());
  };

  /** Enter sends, as in the composer. */
  readonly #pressed = (event: KeyboardEvent): void => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing && !onScreenKeyboard()) this.#submit(event);
  };

  #ask(text: string): void {
    if (text && !this.busy) this.dispatchEvent(new TutorEvent({ kind: "act", action: { type: "ask", text } }));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-tutor-ask": TutorAsk;
  }
}

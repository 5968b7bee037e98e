import type { ModelChoice, ModelSelection } from "@colloquy/schemas/ai/models.ts";
import type { ReferenceResult } from "@colloquy/schemas/ai/references.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import type { AttachedReference } from "@colloquy/schemas/sync/changes.ts";
import { html, LitElement, nothing, type PropertyValues } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { AnnounceEvent } from "../controls/announce-event.ts";
import { icons } from "../controls/icons.ts";
import { isComposing, onScreenKeyboard } from "../controls/keyboard.ts";
import { kindName } from "../controls/kinds.ts";
import { chipStyles, rootStyles } from "../controls/styles.ts";
import { composerStyles } from "./composer.styles.ts";
import { AttachEvent, DetachEvent, DraftEvent, SendEvent, StopEvent } from "./events.ts";
import "./model-picker.ts";
import { type Mention, mentionAt, ReferenceSearch, type Search } from "./reference-search.ts";

type Popup = { mention: Mention; results: ReferenceResult[]; state: "searching" | "found" | "failed"; active: number };

const { messageLength, references: mostReferences } = bounds.ask;
/** From here on the bound is shown. */
const nearLength = messageLength * 0.8;
const searchWaitMs = 120;

/**
 * @summary Where a question is written: attached references, the text, who answers, and one button that sends or stops.
 * @slot - notices above the text
 * @event {SendEvent} colloquy-send
 * @event {StopEvent} colloquy-stop
 * @event {DraftEvent} colloquy-draft
 * @event {AttachEvent} colloquy-attach
 * @event {DetachEvent} colloquy-detach
 * @event {ChooseModelEvent} colloquy-choose-model
 * @csspart box - the frame around everything
 * @csspart text - the field
 * @csspart send - the button
 */
@customElement("colloquy-composer")
export class Composer extends LitElement {
  static override styles = [rootStyles, chipStyles, composerStyles];

  @property({ attribute: false }) references: AttachedReference[] = [];
  @property({ attribute: false }) models: ModelChoice[] = [];
  @property({ type: Boolean }) automatic = false;
  @property({ attribute: false }) model: ModelSelection = { choice: "automatic" };
  /** An answer is being written. */
  @property({ type: Boolean }) busy = false;
  /** Models are configured; null while that is not known. */
  @property({ attribute: false }) configured: boolean | null = null;
  /** Why nothing can be sent, in plain words. */
  @property({ attribute: false }) blocked: string | null = null;
  @property({ attribute: false }) search: Search = async () => [];
  @property() placeholder = "Ask about your course. @ to add a source";
  @state() private length = 0;
  @state() private popup: Popup | null = null;
  @query("textarea") private field!: HTMLTextAreaElement;
  readonly #search = new ReferenceSearch(
    (text, signal) => this.search(text, signal),
    (results) => this.#found(results),
  );
  #initial = "";

  /** What is written. Setting it is not an edit of the learner's: no event is sent. */
  get text(): string {
    return this.hasUpdated ? this.field.value : this.#initial;
  }
  set text(text: string) {
    this.#initial = text;
    if (!this.hasUpdated || this.field.value === text) return;
    this.field.value = text;
    this.#measure();
  }

  override focus(options?: FocusOptions): void {
    if (this.hasUpdated) this.field.focus(options);
    else void this.updateComplete.then(() => this.field.focus(options));
  }

  override disconnectedCallback(): void {
    this.#search.cancel();
    super.disconnectedCallback();
  }

  protected override firstUpdated(): void {
    this.field.value = this.#initial;
    this.#measure();
  }

  protected override updated(changed: PropertyValues): void {
    const active = this.popup?.active;
    if (changed.has("popup") && active !== undefined)
      this.renderRoot.querySelector(`#option-${active}`)?.scrollIntoView({ block: "nearest" });
  }

  protected override render() {
    const { popup, length } = this;
    return html`
      ${popup ? this.#popup(popup) : nothing}
      <div class="box" part="box" @mousedown=${this.#focusField}>
        <slot></slot>
        ${this.configured === false ? this.#unconfigured() : nothing}
        ${this.blocked ? html`<p class="note quiet" id="blocked">${this.blocked}</p>` : nothing}
        ${
          this.references.length
            ? html`<ul class="chips" aria-label="Attached sources">${this.references.map((reference) => this.#chip(reference))}</ul>`
            : nothing
        }
        <textarea part="text" rows="1" aria-label="Your question" placeholder=${this.placeholder} enterkeyhint="send" autocomplete="off"
          aria-autocomplete="list" aria-haspopup="listbox" aria-controls=${popup ? "places" : nothing}
          aria-activedescendant=${popup?.results.length ? `option-${popup.active}` : nothing}
          aria-describedby=${length > nearLength ? "length" : nothing} aria-invalid=${length > messageLength ? "true" : nothing}
          @input=${this.#typed} @keydown=${this.#pressed} @click=${this.#moved} @keyup=${this.#moved} @blur=${this.#close}></textarea>
        <div class="bar">
          ${
            this.configured
              ? html`<colloquy-model-picker .models=${this.models} ?automatic=${this.automatic} .selection=${this.model}></colloquy-model-picker>`
              : nothing
          }
          <button type="button" class="source" aria-label="Add a source" title="Add a source (@)" @click=${this.#beginMention}>@</button>
          <span class="fill ${length > messageLength ? "over" : ""}" id="length">${this.#lengthNote()}</span>
          ${
            this.busy
              ? html`<button type="button" class="send stop" part="send" aria-label="Stop" title="Stop (Esc)" @click=${this.#stop}>${icons.stop}</button>`
              : html`<button type="button" class="send" part="send" aria-label="Send" title="Send (Enter)" ?disabled=${!this.#sendable}
                aria-describedby=${this.blocked ? "blocked" : nothing} @click=${this.#send}>${icons.send}</button>`
          }
        </div>
      </div>`;
  }

  #chip(reference: AttachedReference) {
    return html`<li><span class="chip" title=${reference.title}><em>${kindName(reference.kind)}</em><b>${reference.title}</b>
      <button type="button" aria-label=${`Remove ${reference.title}`} @click=${() => this.#detach(reference.href)}>${icons.close}</button></span></li>`;
  }

  #unconfigured() {
    return html`<p class="note">${icons.alert}<span>No model is set up, so nothing can answer yet. Whoever runs this service sets
      <code>P1_API_KEY</code> (or another of P1 to P7), or <code>DEMO_MODEL=on</code>, and starts it again.</span></p>`;
  }

  #popup({ results, state, active, mention }: Popup) {
    const words =
      this.references.length >= mostReferences
        ? `${mostReferences} sources are the most one conversation takes. Remove one to add another.`
        : state === "searching" && !results.length
          ? "Looking…"
          : state === "failed"
            ? "The courses cannot be searched right now."
            : state === "found" && !results.length
              ? `Nothing in the courses is called “${mention.query}”.`
              : null;
    return html`<div class="popup" @mousedown=${(event: Event) => event.preventDefault()}>
      ${words ? html`<p>${words}</p>` : nothing}
      <ul class="list" id="places" role="listbox" aria-label="Places in the courses" ?hidden=${Boolean(words)}>
        ${
          words
            ? nothing
            : results.map(
                (
                  result,
                  index,
                ) => html`<li id="option-${index}" role="option" aria-selected=${index === active} @click=${() => this.#accept(result)}>
                <em>${kindName(result.kind)}</em><b>${result.title}</b><small>${result.trail.join(" › ") || result.excerpt}</small></li>`,
              )
        }
      </ul></div>`;
  }

  get #sendable(): boolean {
    const { length } = this.text.trim();
    return length > 0 && this.length <= messageLength && !this.blocked && this.configured !== false;
  }

  #lengthNote(): string {
    if (this.length <= nearLength) return "";
    const counted = `${this.length.toLocaleString()} of ${messageLength.toLocaleString()}`;
    return this.length > messageLength ? `${counted} characters: shorten it to send` : counted;
  }

  #measure(): void {
    this.length = this.field.value.length;
    if (CSS.supports("field-sizing", "content")) return;
    this.field.style.height = "auto";
    this.field.style.height = `${this.field.scrollHeight}px`;
  }

  #typed(event: InputEvent): void {
    this.#measure();
    this.dispatchEvent(new DraftEvent(this.field.value));
    const pasted = event.inputType.startsWith("insertFrom");
    const mention = mentionAt(this.field.value, this.field.selectionStart);
    const begins = event.inputType.startsWith("insert") && mention?.query === "" && !pasted;
    if (mention && !pasted && (this.popup || begins)) this.#seek(mention);
    else this.#close();
  }

  /** The caret went elsewhere without typing. */
  #moved(): void {
    if (!this.popup) return;
    const mention = mentionAt(this.field.value, this.field.selectionStart);
    if (mention?.start !== this.popup.mention.start) this.#close();
  }

  #pressed(event: KeyboardEvent): void {
    if (isComposing(event)) return;
    if (this.popup && this.#pressedInPopup(event)) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    if (event.key === "Escape" && this.busy) {
      event.preventDefault();
      event.stopPropagation();
      this.#stop();
      return;
    }
    if (event.key !== "Enter") return;
    const always = event.ctrlKey || event.metaKey;
    if (!always && (event.shiftKey || event.altKey || onScreenKeyboard())) return;
    event.preventDefault();
    this.#send();
  }

  /** Whether the popup took the key. */
  #pressedInPopup(event: KeyboardEvent): boolean {
    const { popup } = this;
    if (!popup) return false;
    if (event.key === "Escape") {
      this.#close();
      return true;
    }
    const count = popup.results.length;
    const chosen = popup.results[popup.active];
    if (!count || !chosen) return false;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      this.popup = { ...popup, active: (popup.active + (event.key === "ArrowDown" ? 1 : count - 1)) % count };
      return true;
    }
    if ((event.key === "Enter" && !event.shiftKey && !event.ctrlKey && !event.metaKey) || (event.key === "Tab" && !event.shiftKey)) {
      this.#accept(chosen);
      return true;
    }
    return false;
  }

  #seek(mention: Mention): void {
    const before = this.popup;
    this.popup = { mention, results: before?.results ?? [], state: "searching", active: 0 };
    this.#search.ask(mention.query.trim(), before ? searchWaitMs : 0);
  }

  #found(results: ReferenceResult[] | "failed"): void {
    if (!this.popup) return;
    if (results === "failed") {
      this.popup = { ...this.popup, results: [], state: "failed" };
      return;
    }
    const attached = new Set(this.references.map((reference) => reference.href));
    const free = results.filter((result) => !attached.has(result.href));
    // Words that go on after a mention found nothing are just words.
    if (!free.length && /\s/.test(this.popup.mention.query)) {
      this.#close();
      return;
    }
    this.popup = { ...this.popup, results: free, state: "found", active: 0 };
    this.dispatchEvent(new AnnounceEvent(free.length === 1 ? "1 place found" : `${free.length} places found`));
  }

  readonly #close = (): void => {
    this.#search.cancel();
    this.popup = null;
  };

  /** Takes the mention out of the text (undoable) and attaches what it named. */
  #accept(result: ReferenceResult): void {
    const mention = this.popup?.mention;
    this.#close();
    if (!mention) return;
    this.field.focus();
    this.field.setSelectionRange(mention.start, mention.end);
    if (!document.execCommand("delete")) this.field.setRangeText("", mention.start, mention.end, "end");
    this.#measure();
    this.dispatchEvent(new DraftEvent(this.field.value));
    this.dispatchEvent(new AttachEvent(result));
    this.dispatchEvent(new AnnounceEvent(`Added ${result.title}`));
  }

  #beginMention(): void {
    const { field } = this;
    field.focus();
    const before = field.value.slice(0, field.selectionStart);
    const text = before && !/\s$/.test(before) ? " @" : "@";
    if (!document.execCommand("insertText", false, text)) {
      field.setRangeText(text, field.selectionStart, field.selectionEnd, "end");
      this.#measure();
      this.dispatchEvent(new DraftEvent(field.value));
    }
    const mention = mentionAt(field.value, field.selectionStart);
    if (mention) this.#seek(mention);
  }

  #detach(href: string): void {
    this.dispatchEvent(new DetachEvent(href));
    this.field.focus();
  }

  #send(): void {
    if (this.busy || !this.#sendable) return;
    const text = this.field.value;
    this.#close();
    this.field.value = "";
    this.#measure();
    this.dispatchEvent(new SendEvent(text));
    // On a phone the keyboard makes room for the answer.
    if (matchMedia("(pointer: coarse)").matches) this.field.blur();
    else this.field.focus();
  }

  #stop(): void {
    this.dispatchEvent(new StopEvent());
    if (!matchMedia("(pointer: coarse)").matches) this.field.focus();
  }

  /** The whole frame is the field, as far as a pointer is concerned. */
  #focusField(event: MouseEvent): void {
    const target = event.composedPath()[0];
    if (!(target instanceof HTMLElement) || target.closest("button, textarea, colloquy-model-picker, a, slot, p")) return;
    event.preventDefault();
    this.field.focus();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-composer": Composer;
  }
}

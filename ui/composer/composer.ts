import { bounds } from "@colloquy/schemas/bounds.ts";
import type { ModelChoice, ModelSelection } from "@colloquy/schemas/models.ts";
import type { ReferenceResult } from "@colloquy/schemas/sources/references.ts";
import type { AttachedReference, ConversationMode } from "@colloquy/schemas/sync/changes.ts";
import { html, LitElement, nothing, type PropertyValues } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { AnnounceEvent } from "../controls/announce-event.ts";
import { icons } from "../controls/icons.ts";
import { isComposing, onScreenKeyboard } from "../controls/keyboard.ts";
import { chipStyles, rootStyles } from "../controls/styles.ts";
import { isSamePlace } from "../courses/paths.ts";
import { msg } from "../messages/page.ts";
import { commandNames, parseCommand } from "./commands.ts";
import { composerStyles } from "./composer.styles.ts";
import { Dictation } from "./dictation.ts";
import { AttachEvent, BlockedEvent, ChooseModeEvent, DetachEvent, DraftEvent, GoalEvent, SendEvent, StopEvent } from "./events.ts";
import { growWithText, replaceText, spaceBeforeCaret } from "./field.ts";
import type { ComposerHelp } from "./help.ts";
import type { ModelPicker } from "./model-picker.ts";
import { attachedSources, modes, unconfigured } from "./parts.ts";
import type { Search } from "./reference-search.ts";
import { listId, optionId, suggestionList } from "./suggestion-list.ts";
import { type Suggestion, Suggestions } from "./suggestions.ts";
import { type Trigger, triggerAt } from "./triggers.ts";

const { messageLength, references: mostReferences } = bounds.ask;
/** The length counter is shown from this share of the limit on. */
const near = 0.8;
const invitations = {
  ask: "composer.askAboutYourCourse",
  tutor: "composer.askSideQuestion",
  goal: "composer.doWantAbleDo",
} as const;
/** Below this width the placeholder is short, because two lines would look like text. */
const roomyPx = 460;

/**
 * @summary Where a question is written: attached references, the text, who answers, and one button that sends or stops. A typed "@"
 * chooses a source, a "/" at the beginning a command.
 * @slot - notices above the text
 * @event {SendEvent} colloquy-send
 * @event {GoalEvent} colloquy-goal
 * @event {ChooseModeEvent} colloquy-choose-mode
 * @event {StopEvent} colloquy-stop
 * @event {BlockedEvent} colloquy-blocked
 * @event {DraftEvent} colloquy-draft
 * @event {AttachEvent} colloquy-attach
 * @event {DetachEvent} colloquy-detach
 * @event {ChooseModelEvent} colloquy-choose-model
 * @event {HideModelEvent} colloquy-hide-model
 * @csspart box - the frame around everything
 * @csspart text - the field
 * @csspart send - the button
 */
@customElement("colloquy-composer")
export class Composer extends LitElement {
  static override styles = [rootStyles, chipStyles, composerStyles];

  @property({ attribute: false }) references: AttachedReference[] = [];
  /** The page that led here and open pages, nearest first; suggested before all others. */
  @property({ attribute: false }) pages: ReferenceResult[] = [];
  @property({ attribute: false }) models: ModelChoice[] = [];
  @property({ type: Boolean }) automatic = false;
  @property({ attribute: false }) model: ModelSelection = { choice: "automatic" };
  /** Ids of models that the picker hides. */
  @property({ attribute: false }) hiddenModels: ReadonlySet<string> = new Set();
  /** An answer is being written. */
  @property({ type: Boolean }) busy = false;
  /** Whether the conversation is in tutor mode; null where there is no tutor. */
  @property({ attribute: false }) mode: ConversationMode | null = null;
  /** The text is a goal for the tutor. */
  @property({ type: Boolean }) goal = false;
  /** The commands that work here. */
  @property({ attribute: false }) commands = commandNames;
  /** What a goal needs besides its text. */
  @property({ attribute: false }) wanting: string | null = null;
  /** Whether models are configured; null until known. */
  @property({ attribute: false }) configured: boolean | null = null;
  /** What has to be done before anything can be sent; trying to send asks for it. */
  @property({ attribute: false }) blocked: string | null = null;
  @property({ attribute: false }) search: Search = async () => [];
  /** There is room for the long placeholder. */
  @state() private roomy = true;
  @state() private length = 0;
  /** Why the last attempt to send failed. */
  @state() private hint: string | null = null;
  @query("textarea") private field!: HTMLTextAreaElement;
  @query("colloquy-model-picker") private picker!: ModelPicker | null;
  @query("colloquy-composer-help") private help!: ComposerHelp;
  readonly #suggestions = new Suggestions(this, {
    search: (text, signal) => this.search(text, signal),
    pages: () => this.pages,
    offers: ({ name }) => this.commands.includes(name),
    isAttached: (place) => this.references.some((reference) => isSamePlace(reference, place)),
    accept: (item, trigger) => this.#accept(item, trigger),
    announce: (text) => this.#announce(text),
  });
  readonly #dictation = new Dictation(this, {
    heard: (text) => this.#insertWords(text),
    failed: (words) => this.#showHint(words),
    announce: (text) => this.#announce(text),
  });
  readonly #sizes = new ResizeObserver(([size]) => {
    const roomy = (size?.contentRect.width ?? roomyPx) >= roomyPx;
    // In the next frame, because it may change the observed height.
    if (roomy !== this.roomy) requestAnimationFrame(() => (this.roomy = roomy));
  });
  /** The model picker is there: loaded once somebody can ask, which a visitor cannot. */
  @state() private hasPicker = customElements.get("colloquy-model-picker") !== undefined;
  #initial = "";

  /** The text. Setting it emits no event, because it is not an edit. */
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

  override connectedCallback(): void {
    super.connectedCallback();
    this.#sizes.observe(this);
  }
  override disconnectedCallback(): void {
    this.#sizes.disconnect();
    super.disconnectedCallback();
  }

  protected override firstUpdated(): void {
    this.field.value = this.#initial;
    this.#measure();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("configured") && this.configured && !this.hasPicker) void this.#loadPicker();
    // What was missing is there now, so its hint disappears.
    if (changed.has("wanting") && this.hint !== null && this.hint === changed.get("wanting")) this.hint = null;
  }

  async #loadPicker(): Promise<void> {
    try {
      await import("./model-picker.ts");
      this.hasPicker = true;
    } catch {
      // Without it the model stays the one that was chosen before; the next page tries again.
    }
  }

  protected override updated(_changed: PropertyValues): void {
    const active = this.#suggestions.choice?.active;
    if (active !== undefined) this.renderRoot.querySelector(`#${optionId(active)}`)?.scrollIntoView({ block: "nearest" });
  }

  protected override render() {
    const { length } = this;
    const { choice } = this.#suggestions;
    const full = this.references.length >= mostReferences;
    return html`
      ${choice ? suggestionList(choice, { full, accept: (item) => this.#suggestions.accept(item), pressed: this.#onListKeydown, left: this.#onLeave }) : nothing}
      <div class="box" part="box" @mousedown=${this.#focusField}>
        <slot></slot>
        ${this.configured === false ? unconfigured() : nothing}
        ${this.blocked ? html`<p class="note quiet" id="blocked">${this.blocked}</p>` : nothing}
        ${this.hint ? html`<p class="note" id="hint">${icons.alert}<span>${this.hint}</span></p>` : nothing}
        ${attachedSources(this.references, this.pages, {
          attach: (page) => this.#attach(page),
          detach: (reference) => this.#detach(reference.href),
        })}
        <textarea part="text" rows="1" dir="auto" aria-label=${this.goal ? msg("composer.yourGoal") : msg("composer.yourQuestion2")} placeholder=${this.#invitation()} enterkeyhint="send" autocomplete="off"
          aria-autocomplete="list" aria-haspopup="listbox" aria-controls=${choice ? listId : nothing}
          aria-activedescendant=${choice?.items.length ? optionId(choice.active) : nothing}
          aria-describedby=${length > this.#limit * near ? "length" : nothing} aria-invalid=${length > this.#limit ? "true" : nothing}
          @input=${this.#onInput} @keydown=${this.#onKeydown} @click=${this.#onCaretMoved} @keyup=${this.#onCaretMoved} @blur=${this.#onLeave}></textarea>
        ${this.#dictation.interim ? html`<p class="hearing" aria-hidden="true">${this.#dictation.interim}</p>` : nothing}
        <div class="bar">
          ${this.mode ? modes(this.mode, (mode) => this.#switchMode(mode)) : nothing}
          ${
            this.configured && this.hasPicker
              ? html`<colloquy-model-picker .models=${this.models} ?automatic=${this.automatic} .selection=${this.model} .hiddenModels=${this.hiddenModels}></colloquy-model-picker>`
              : nothing
          }
          <button type="button" class="tool" aria-label=${msg("composer.addASource")} title=${msg("composer.addASource2")} @click=${this.#beginMention}>@</button>
          ${this.commands.includes("quiz") ? html`<button type="button" class="tool" aria-label=${msg("embed.makeAQuiz")} title=${msg("composer.makeQuizCommand")} @click=${this.#quiz}>${icons.quiz}</button>` : nothing}
          ${this.#dictation.available ? this.#dictate() : nothing}
          <span class="fill ${length > this.#limit ? "over" : ""}" id="length">${this.#lengthNote()}</span>
          ${this.#sendOrStop()}
        </div>
      </div>
      <colloquy-composer-help></colloquy-composer-help>`;
  }

  #invitation(): string {
    const words = msg(this.goal ? invitations.goal : invitations[this.mode ?? "ask"]);
    return this.roomy && this.mode !== "tutor" && this.commands.length > 0
      ? msg("composer.addsSourceCommand", { invitation: words })
      : words;
  }

  #switchMode(mode: ConversationMode): void {
    if (mode === this.mode) return;
    this.hint = null;
    this.dispatchEvent(new ChooseModeEvent(mode));
    this.#announce(mode === "tutor" ? msg("common.tutor") : msg("common.ask"));
  }

  #dictate() {
    const { listening } = this.#dictation;
    return html`<button type="button" class="tool ${listening ? "listening" : ""}" aria-label=${msg("composer.dictate")} aria-pressed=${listening}
      title=${listening ? msg("composer.stopListeningEsc") : msg("composer.dictateBrowsersSpeechRecognition")} @click=${this.#toggleDictation}>${icons.microphone}</button>`;
  }

  /** One button, so that the focus on Stop stays on it when the answer is complete; with nothing to send it does nothing. */
  #sendOrStop() {
    const { busy } = this;
    return html`<button type="button" class="send ${busy ? "stop" : ""}" part="send" aria-label=${busy ? msg("common.stop") : this.goal ? msg("composer.start") : msg("composer.send")}
      title=${busy ? msg("composer.stopEsc") : this.goal ? msg("composer.beginGoalEnter") : msg("composer.sendEnter")} aria-disabled=${busy || this.#sendable ? nothing : "true"}
      aria-describedby=${this.blocked && !busy ? "blocked" : nothing} @click=${busy ? this.#stop : this.#send}>${busy ? icons.stop : icons.send}</button>`;
  }

  get #limit(): number {
    return this.goal ? bounds.tutor.goalLength : messageLength;
  }

  get #sendable(): boolean {
    const { interim } = this.#dictation;
    return (this.text + interim).trim().length > 0 && this.length <= this.#limit && this.configured !== false;
  }

  #lengthNote(): string {
    const most = this.#limit;
    if (this.length <= most * near) return "";
    const counted = msg("composer.of", { count: this.length, most });
    return this.length > most ? msg("composer.charactersShortenSend", { counted }) : counted;
  }

  #measure(): void {
    this.length = this.field.value.length;
    growWithText(this.field);
  }

  /** The list stays open while the focus is in it. */
  readonly #onLeave = ({ relatedTarget }: FocusEvent) => {
    const inside = relatedTarget instanceof Element && (relatedTarget === this.field || relatedTarget.closest(".popup") !== null);
    if (!inside) this.#suggestions.close();
  };

  /** The list can have the focus, to be scrolled; its keys do what they do in the field. */
  readonly #onListKeydown = (event: KeyboardEvent) => {
    if (!this.#suggestions.pressed(event)) return;
    event.preventDefault();
    event.stopPropagation();
    this.field.focus();
  };

  #onInput(event: InputEvent): void {
    this.hint = null;
    this.#edited();
    this.#suggestions.typed(this.field.value, this.field.selectionStart, event.inputType);
  }

  #edited(): void {
    this.#measure();
    this.dispatchEvent(new DraftEvent(this.field.value));
  }

  #onCaretMoved(): void {
    this.#suggestions.moved(this.field.value, this.field.selectionStart);
  }

  #onKeydown(event: KeyboardEvent): void {
    if (isComposing(event)) return;
    if (this.#suggestions.pressed(event) || (event.key === "Escape" && this.#escape())) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    if (event.key !== "Enter") return;
    const always = event.ctrlKey || event.metaKey;
    if (!always && (event.shiftKey || event.altKey || onScreenKeyboard())) return;
    event.preventDefault();
    this.#send();
  }

  /** Escape without an open list stops dictation first, then the answer. */
  #escape(): boolean {
    if (this.#dictation.listening) this.#dictation.stop();
    else if (this.busy) this.#stop();
    else return false;
    return true;
  }

  /** Replaces the typed trigger by the chosen suggestion. */
  #accept(item: Suggestion, { start, end }: Trigger): void {
    if (item.kind === "place") {
      this.#replace(start, end, "");
      this.#attach(item.place);
    } else if (item.command.takes) this.#replace(start, end, `/${item.command.name} `);
    else {
      this.#replace(start, end, "");
      this.#runCommand(item.command.name);
    }
  }

  #runCommand(command: string): void {
    if (command === "help") void import("./help.ts").then(() => this.isConnected && this.help.show());
    else if (this.picker) this.picker.open(() => this.field.focus());
    else this.#showHint(msg("composer.noModelsAvailable"));
  }

  /** Replaces a part of the text like typing, so that it can be undone. */
  #replace(start: number, end: number, text: string): void {
    replaceText(this.field, start, end, text);
    this.#edited();
  }

  /** Inserts dictated text at the caret, after a space if needed. */
  #insertWords(text: string): void {
    if (!text) return;
    const { selectionStart, selectionEnd } = this.field;
    this.#replace(selectionStart, selectionEnd, spaceBeforeCaret(this.field) + text);
    this.#suggestions.close();
  }

  readonly #toggleDictation = () => {
    this.hint = null;
    if (this.#dictation.listening) this.#dictation.stop();
    else this.#dictation.start();
    this.field.focus();
  };

  #beginMention(): void {
    const { field } = this;
    this.#replace(field.selectionStart, field.selectionEnd, `${spaceBeforeCaret(field)}@`);
    const trigger = triggerAt(field.value, field.selectionStart);
    if (trigger) this.#suggestions.seek(trigger);
  }

  /** Makes a quiz about the attached sources at once; otherwise what is written becomes its topic. */
  #quiz(): void {
    const text = this.field.value;
    if (!text.trim() && this.references.length > 0 && !this.busy && !this.blocked && this.configured !== false) {
      this.#sendText("/quiz");
      return;
    }
    const command = /^\s*\/[a-z]+(?=\s|$)\s*/i.exec(text)?.[0] ?? "";
    this.#replace(0, command.length, "/quiz ");
    this.field.focus();
    this.field.setSelectionRange(this.field.value.length, this.field.value.length);
  }

  #attach(place: ReferenceResult): void {
    this.dispatchEvent(new AttachEvent(place));
    this.#announce(msg("composer.added", { place: place.title }));
    this.field.focus();
  }

  #detach(href: string): void {
    this.dispatchEvent(new DetachEvent(href));
    this.field.focus();
  }

  #send(): void {
    if (this.busy || !this.#sendable) return;
    if (!this.blocked) this.#insertWords(this.#dictation.take());
    // The dictated text may have made it too long.
    if (!this.#sendable) return;
    const meant = parseCommand(this.field.value, this.commands);
    this.#suggestions.close();
    if (meant.kind === "refuse") this.#showHint(meant.words);
    else if (meant.kind === "act") {
      this.#replace(0, this.field.value.length, "");
      this.#runCommand(meant.name);
    } else if (meant.kind === "tutor") this.#tutor(meant.goal);
    else if (this.blocked) this.dispatchEvent(new BlockedEvent());
    else if (this.goal && !meant.asked) this.#sendGoal(meant.text);
    else this.#sendText(meant.text);
  }

  /** Switches to the tutor; the command's argument becomes the goal, which can still be edited. */
  #tutor(goal: string): void {
    if (this.mode) {
      this.#replace(0, this.field.value.length, goal);
      this.#switchMode("tutor");
    } else this.#showHint(msg("composer.signUseTutor"));
  }

  /** The goal stays in the field until the session has started. */
  #sendGoal(goal: string): void {
    if (this.wanting) this.#showHint(this.wanting);
    this.dispatchEvent(new GoalEvent(goal.trim()));
  }

  #sendText(text: string): void {
    this.field.value = "";
    this.#measure();
    this.dispatchEvent(new SendEvent(text));
    // On touch screens, closing the keyboard makes room for the answer.
    if (matchMedia("(pointer: coarse)").matches) this.field.blur();
    else this.field.focus();
  }

  #stop(event?: MouseEvent): void {
    if (event && event.detail > 1) return; // Send becomes Stop under the pointer: a double click on Send was not meant to stop.
    this.dispatchEvent(new StopEvent());
    if (!matchMedia("(pointer: coarse)").matches) this.field.focus();
  }

  #showHint(words: string): void {
    this.hint = words;
    this.#announce(words);
  }

  #announce(text: string): void {
    this.dispatchEvent(new AnnounceEvent(text));
  }

  /** A click anywhere in the frame focuses the field. */
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

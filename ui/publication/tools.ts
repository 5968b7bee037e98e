import { css, html } from "lit";
import { customElement, property } from "lit/decorators.js";
import { LightElement } from "../controls/light-element.ts";
import { onChange } from "../controls/subscription.ts";
import { msg } from "../messages/page.ts";
import { editorIcons } from "./icons.ts";
import type { EditingSession } from "./session.ts";

/** A tool was pressed. */
export class ToolWantedEvent extends Event {
  static readonly type = "colloquy-tool-wanted";
  readonly tool: "undo" | "redo" | "outline";
  constructor(tool: ToolWantedEvent["tool"]) {
    super(ToolWantedEvent.type, { bubbles: true, composed: true });
    this.tool = tool;
  }
}

/** A draft file was chosen for import. */
export class DraftFileChosenEvent extends Event {
  static readonly type = "colloquy-draft-file-chosen";
  readonly file: File;
  constructor(file: File) {
    super(DraftFileChosenEvent.type, { bubbles: true, composed: true });
    this.file = file;
  }
}

/** A file input that dispatches `DraftFileChosenEvent` on `offers`. */
export function draftFileInput(offers: EventTarget) {
  const chosen = ({ target }: Event): void => {
    const input = target as HTMLInputElement;
    const file = input.files?.[0];
    // Allows choosing the same file again.
    input.value = "";
    if (file) offers.dispatchEvent(new DraftFileChosenEvent(file));
  };
  return html`<input type="file" accept="application/json,.json" aria-label=${msg("editor.takeSavedDraft")} @change=${chosen} />`;
}

/**
 * @summary The editing tools beside the modes: undo, redo, outline, import of a draft file.
 * @event {ToolWantedEvent} colloquy-tool-wanted
 * @event {DraftFileChosenEvent} colloquy-draft-file-chosen
 */
@customElement("colloquy-editing-tools")
export class EditingTools extends LightElement {
  static override lightStyles = [
    css`
      colloquy-editing-tools { display: flex; gap: 2px; margin-inline-end: auto; }
      colloquy-editing-tools :is(button, label) { display: inline-flex; align-items: center; justify-content: center; gap: 6px; min-inline-size: 36px; min-block-size: 36px; padding: 4px 9px; border-radius: var(--r-s); color: var(--ink-soft); font: 500 var(--text-s)/1.4 var(--font-ui); }
      colloquy-editing-tools label { position: relative; cursor: pointer; }
      colloquy-editing-tools label:focus-within { box-shadow: var(--focus); }
      colloquy-editing-tools label input { position: absolute; inset: 0; inline-size: 100%; opacity: 0; cursor: pointer; }
      colloquy-editing-tools input::file-selector-button { cursor: pointer; }
      colloquy-editing-tools :is(button, label):hover { background: var(--sunken); color: var(--ink); }
      colloquy-editing-tools button[aria-disabled="true"] { color: var(--ink-faint); opacity: .55; background: none; cursor: default; }
      colloquy-editing-tools .icon { font-size: 17px; }
      [dir="rtl"] colloquy-editing-tools .icon { scale: -1 1; }
      colloquy-editing-tools .outline .icon { display: none; }
      colloquy-editing-tools .state { display: flex; flex-wrap: wrap; align-content: center; gap: 0 var(--s2); padding-inline: var(--s2); color: var(--ink-soft); font: var(--text-s)/1.3 var(--font-ui); }
      colloquy-editing-tools .state b { color: var(--ink); font-weight: 600; }
      /* The status at the bottom says it, too. */
      @media (max-width: 54rem) { colloquy-editing-tools .state span { display: none; } }
      @media (max-width: 40rem) { colloquy-editing-tools .state { display: none; } }
      @media (pointer: coarse) { colloquy-editing-tools :is(button, label) { min-inline-size: 44px; min-block-size: 44px; } }
      /* One row with the modes, in whatever language. */
      @media (max-width: 30rem) {
        colloquy-editing-tools .outline .icon { display: block; }
        colloquy-editing-tools .outline span { display: none; }
        /* The outline has it there. */
        colloquy-editing-tools label { display: none; }
      }
      @media (max-width: 22rem) { colloquy-editing-tools { gap: 0; } colloquy-editing-tools button { min-inline-size: 40px; padding-inline: 4px; } }
    `,
  ];

  @property({ attribute: false }) session: EditingSession | null = null;

  constructor() {
    super();
    onChange(this, () => this.session);
  }

  protected override render() {
    const { undoLabel = null, redoLabel = null } = this.session ?? {};
    const undo = undoLabel === null ? msg("common.undo") : msg("editor.undo", { what: undoLabel });
    const redo = redoLabel === null ? msg("drawing.redo") : msg("editor.redo", { what: redoLabel });
    // `aria-disabled` instead of `disabled`, so that a focused button keeps focus.
    return html`<button type="button" aria-label=${undo} title=${undo} aria-disabled=${undoLabel === null} @click=${() => this.#want("undo")}>${editorIcons.undo}</button>
      <button type="button" aria-label=${redo} title=${redo} aria-disabled=${redoLabel === null} @click=${() => this.#want("redo")}>${editorIcons.redo}</button>
      <button type="button" class="outline" aria-haspopup="dialog" aria-label=${msg("editor.outline")} title=${msg("editor.outline")} @click=${() => this.#want("outline")}>${editorIcons.outline}<span>${msg("editor.outline")}</span></button>
      <label title=${msg("editor.takeSavedDraft")}>${editorIcons.takeIn}${draftFileInput(this)}</label>
      <p class="state">${this.session?.changed ? html`<b>${msg("editor.unpublishedChanges")}</b><span>${msg("editor.readPublishes")}</span>` : msg("editor.noChanges")}</p>`;
  }

  #want(tool: ToolWantedEvent["tool"]): void {
    this.dispatchEvent(new ToolWantedEvent(tool));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-editing-tools": EditingTools;
  }
  interface GlobalEventHandlersEventMap {
    "colloquy-tool-wanted": ToolWantedEvent;
    "colloquy-draft-file-chosen": DraftFileChosenEvent;
  }
}

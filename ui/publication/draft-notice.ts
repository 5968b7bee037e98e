import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { LightElement } from "../controls/light-element.ts";
import { onChange } from "../controls/subscription.ts";
import { msg } from "../messages/page.ts";
import { downloadJson, draftFileName } from "./download.ts";
import type { DraftAutosave } from "./draft-autosave.ts";

/** The author chose which of two texts to continue with. */
export class DraftChoiceEvent extends Event {
  static readonly type = "colloquy-draft-choice";
  readonly choice: "theirs" | "mine";
  constructor(choice: DraftChoiceEvent["choice"]) {
    super(DraftChoiceEvent.type, { bubbles: true, composed: true });
    this.choice = choice;
  }
}

/**
 * @summary A warning about the draft with its actions: another tab changed it, or browser storage failed.
 * @event {DraftChoiceEvent} colloquy-draft-choice
 */
@customElement("colloquy-draft-notice")
export class DraftNotice extends LightElement {
  static override lightStyles = [
    css`
      /* Above the toolbar of a block. */
      colloquy-draft-notice:not(:empty) { display: block; position: sticky; z-index: 3; inset-block-start: 60px; }
      @media (max-width: 54rem) { colloquy-draft-notice:not(:empty) { inset-block-start: 112px; } }
      colloquy-draft-notice > div { display: flex; flex-wrap: wrap; gap: var(--s2) var(--s3); align-items: center; margin-block: var(--s3) var(--s4); padding: var(--s3) var(--s4); border: 1px solid var(--line-strong); border-inline-start: 4px solid var(--warn); border-radius: var(--r-m); background: var(--warn-wash); font: var(--text-s)/1.5 var(--font-ui); }
      colloquy-draft-notice p { flex: 1 1 18rem; }
      colloquy-draft-notice b { font-weight: 600; }
      colloquy-draft-notice .button { min-block-size: 36px; padding: 6px 14px; font-size: var(--text-s); }
      @media (pointer: coarse) { colloquy-draft-notice .button { min-block-size: 44px; } }
    `,
  ];

  @property({ attribute: false }) autosave: DraftAutosave | null = null;

  constructor() {
    super();
    onChange(this, () => this.autosave);
  }

  protected override render() {
    const { state, refusal } = this.autosave?.status ?? { state: "none", refusal: null };
    if (state === "behind")
      return this.#notice(
        msg("editor.draftChangedAnotherTab"),
        msg("editor.earlierVersion"),
        html`${this.#choice("theirs", msg("editor.continueHere"))}`,
      );
    if (state === "forked")
      return this.#notice(
        msg("editor.anotherTabWroteDraft"),
        msg("editor.bothTextsKeptWrite"),
        html`${this.#choice("mine", msg("editor.goText"))}${this.#choice("theirs", msg("editor.takeOtherTabsText"))}`,
      );
    if (state !== "refused") return nothing;
    return this.#notice(
      msg("editor.draftPageOnly"),
      refusal === "full" ? msg("editor.browsersStorageFullMake") : msg("editor.browserCannotStoreDraftsDownloadPublish"),
      html`<button type="button" class="button" @click=${this.#download}>${msg("editor.downloadTheDraft")}</button>`,
    );
  }

  #notice(title: string, words: string, ways: TemplateResult) {
    return html`<div role="alert"><p><b>${title}</b> ${words}</p>${ways}</div>`;
  }

  #choice(choice: DraftChoiceEvent["choice"], words: string) {
    return html`<button type="button" class="button" @click=${() => this.dispatchEvent(new DraftChoiceEvent(choice))}>${words}</button>`;
  }

  readonly #download = (): void => {
    const draft = this.autosave?.snapshot();
    if (draft) downloadJson(draftFileName(draft), draft);
  };
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-draft-notice": DraftNotice;
  }
  interface GlobalEventHandlersEventMap {
    "colloquy-draft-choice": DraftChoiceEvent;
  }
}

import { css, html, nothing } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { dialogStyles } from "../controls/dialog.styles.ts";
import { LightElement } from "../controls/light-element.ts";
import { msg } from "../messages/page.ts";
import { describeChanges, type PageChange } from "./describe-changes.ts";
import { downloadJson, draftFileName } from "./download.ts";
import type { DraftAutosave } from "./draft-autosave.ts";
import type { EditingSession } from "./session.ts";

/** The author confirmed that the draft should be discarded. */
export class DraftDiscardedEvent extends Event {
  static readonly type = "colloquy-draft-discarded";
  constructor() {
    super(DraftDiscardedEvent.type);
  }
}

/** Pages listed by name; the rest is a count. */
const mostLines = 8;

/**
 * @summary Confirms discarding a draft: lists what is lost, says that it cannot be undone, and offers to save a copy first.
 * @event {DraftDiscardedEvent} colloquy-draft-discarded
 */
@customElement("colloquy-discard-draft")
export class DiscardDraft extends LightElement {
  static override lightStyles = [
    dialogStyles("colloquy-discard-draft"),
    css`
      /* Room for its three ways beside each other in any language. */
      colloquy-discard-draft dialog { inline-size: min(36rem, calc(100vw - 24px)); }
      colloquy-discard-draft .discard { border-color: var(--bad); color: var(--bad); }
      colloquy-discard-draft p, colloquy-discard-draft ul { margin-block-end: var(--s3); }
      colloquy-discard-draft ul { padding-inline-start: 1.2em; color: var(--ink-soft); }
    `,
  ];

  @property({ attribute: false }) session: EditingSession | null = null;
  @property({ attribute: false }) autosave: DraftAutosave | null = null;
  @state() private lines: readonly PageChange[] = [];
  @query("dialog") private dialog!: HTMLDialogElement;

  async open(): Promise<void> {
    const { session } = this;
    if (!session) return;
    this.lines = describeChanges(session.state.baseCourse, session.state.course);
    await this.updateComplete;
    this.dialog.showModal();
  }

  protected override render() {
    const { lines } = this;
    const rest = lines.length - mostLines;
    return html`<dialog aria-labelledby="colloquy-discard-title">
      <h2 id="colloquy-discard-title">${msg("editor.discardThisDraft")}</h2>
      <p>${msg("editor.changedPagesGoneThen", { n: lines.length })}</p>
      <ul>${lines.slice(0, mostLines).map(({ title, what }) => html`<li><b><bdi>${title}</bdi></b>: ${what}</li>`)}${
        rest > 0 ? html`<li>${msg("editor.andPagesMore", { n: rest })}</li>` : nothing
      }</ul>
      <p>${msg("editor.cannotUndoneSaveCopy")}</p>
      <div class="foot"><button type="button" class="button" @click=${this.#download}>${msg("editor.saveACopy")}</button>
        <button type="button" class="button" autofocus @click=${() => this.dialog.close()}>${msg("editor.keepTheDraft")}</button>
        <button type="button" class="button discard" @click=${this.#discard}>${msg("editor.discardDraft")}</button></div></dialog>`;
  }

  readonly #download = (): void => {
    const draft = this.autosave?.snapshot();
    if (draft) downloadJson(draftFileName(draft), draft);
  };

  readonly #discard = (): void => {
    this.dialog.close();
    this.dispatchEvent(new DraftDiscardedEvent());
  };
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-discard-draft": DiscardDraft;
  }
  interface HTMLElementEventMap {
    "colloquy-draft-discarded": DraftDiscardedEvent;
  }
}

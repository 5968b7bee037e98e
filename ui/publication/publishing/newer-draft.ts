import { css, html } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import { dialogStyles } from "../../controls/dialog.styles.ts";
import { LightElement } from "../../controls/light-element.ts";
import { formatDate, msg } from "../../messages/page.ts";

/** @summary Asks whether a draft from a file should replace a newer one. Closing it keeps the newer one. */
@customElement("colloquy-newer-draft")
export class NewerDraft extends LightElement {
  static override lightStyles = [dialogStyles("colloquy-newer-draft"), css`colloquy-newer-draft p { color: var(--ink-soft); }`];

  /** When the present draft was last changed, and when the file was saved, RFC 3339. */
  @property({ attribute: false }) own = "";
  @property({ attribute: false }) file = "";
  @query("dialog") private dialog!: HTMLDialogElement;

  /** @returns whether to use the file */
  async ask(): Promise<boolean> {
    await this.updateComplete;
    const before = document.activeElement;
    this.dialog.showModal();
    await new Promise((resolve) => this.dialog.addEventListener("close", resolve, { once: true }));
    if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    return this.dialog.returnValue === "take";
  }

  protected override render() {
    const when = (at: string) => formatDate(new Date(at), { dateStyle: "medium", timeStyle: "short" });
    return html`<dialog aria-labelledby="colloquy-newer-draft-title">
      <h2 id="colloquy-newer-draft-title">${msg("editor.draftNewerThanFile")}</h2>
      <p>${msg("editor.changedLastFileSaved", { own: when(this.own), file: when(this.file) })}</p>
      <div class="foot"><button type="button" class="button" @click=${() => this.dialog.close("take")}>${msg("editor.takeInTheFile")}</button>
        <button type="button" class="button button-primary" autofocus @click=${() => this.dialog.close("keep")}>${msg("editor.keepTheNewerOne")}</button></div></dialog>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-newer-draft": NewerDraft;
  }
}

import type { Translator } from "@colloquy/messages/translator.ts";
import { type Html, html } from "../pages/html.ts";

/** The owner's modes of a page. Edit is shown once the client knows that the course may be edited. */
export function modesBar({ msg }: Translator, { draw }: { draw: boolean }): Html {
  return html`<section class="page-modes" data-modes hidden aria-label="${msg("page.mode")}"><div class="modes"><button type="button" data-mode="read" aria-pressed="true">${msg("page.readMode")}</button><button type="button" data-mode="edit" aria-pressed="false" hidden>${msg("page.editMode")}</button>${draw && html`<button type="button" data-mode="draw" aria-pressed="false">${msg("page.draw")}</button>`}</div></section>`;
}

import type { Words } from "@colloquy/ui/messages/words.ts";
import { type Html, html } from "../pages/html.ts";

/** What an owner does with a page, one at a time. Edit shows once it is known that the course may be edited. */
export function modesBar({ msg }: Words, { draw }: { draw: boolean }): Html {
  return html`<section class="page-modes" data-modes hidden aria-label="${msg("Mode")}"><div class="modes"><button type="button" data-mode="read" aria-pressed="true">${msg("Read|mode")}</button><button type="button" data-mode="edit" aria-pressed="false" hidden>${msg("Edit|mode")}</button>${draw && html`<button type="button" data-mode="draw" aria-pressed="false">${msg("Draw")}</button>`}</div></section>`;
}

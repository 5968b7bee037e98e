import type { PlainMessageKey } from "@colloquy/messages/translator.ts";
import { html, nothing, svg, type TemplateResult } from "lit";
import { isApple } from "../../controls/keyboard.ts";
import { moveFocusInToolbar } from "../../controls/toolbar-keys.ts";
import { msg } from "../../messages/page.ts";
import type { Helper } from "./markdown-helpers.ts";

const drawn = (shape: TemplateResult): TemplateResult =>
  html`<svg class="icon" viewBox="0 0 20 20" width="1em" height="1em" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${shape}</svg>`;

interface Button {
  name: PlainMessageKey;
  /** Shortcut with Ctrl or ⌘; upper case adds Shift. */
  key: string;
  shown: TemplateResult;
}

const helpers: Record<Helper, Button> = {
  bold: { name: "editor.bold", key: "b", shown: html`<b>B</b>` },
  italic: { name: "editor.italic", key: "i", shown: html`<i>I</i>` },
  heading: { name: "editor.heading", key: "H", shown: html`<b>H</b>` },
  list: {
    name: "editor.list",
    key: "8",
    shown: drawn(svg`<path d="M8 5.5h8.5M8 10h8.5M8 14.5h8.5"/><path d="M4 5.5h.01M4 10h.01M4 14.5h.01" stroke-width="2.4"/>`),
  },
  link: {
    name: "editor.link",
    key: "k",
    shown: drawn(
      svg`<path d="M8.4 11.6a3 3 0 0 0 4.3 0l2.6-2.6a3 3 0 0 0-4.3-4.3l-.9.9M11.6 8.4a3 3 0 0 0-4.3 0L4.7 11A3 3 0 0 0 9 15.3l.9-.9"/>`,
    ),
  },
  code: { name: "editor.code", key: "e", shown: drawn(svg`<path d="m7 6-4 4 4 4M13 6l4 4-4 4"/>`) },
  formula: { name: "editor.formula", key: "E", shown: drawn(svg`<path d="M14.5 6V4.5H5.5l5 5.5-5 5.5h9V14"/>`) },
};
const order = ["bold", "italic", "heading", "list", "link", "code", "formula"] as const satisfies Helper[];

/** The helper of a shortcut. Alt is ignored because it types characters. */
export function helperOf(event: KeyboardEvent): Helper | null {
  const held = isApple() ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
  if (!held || event.altKey) return null;
  // Shift+8 gives different characters by keyboard layout, so the physical key counts.
  if (event.shiftKey && event.code === "Digit8") return "list";
  const key = event.shiftKey ? event.key.toUpperCase() : event.key.toLowerCase();
  return order.find((one) => one !== "list" && helpers[one].key === key) ?? null;
}

function keysOf({ key }: Button): { shown: string; spoken: string } {
  const shift = key === "8" || key !== key.toLowerCase();
  const sign = key.toUpperCase();
  return isApple()
    ? { shown: `${shift ? "⇧" : ""}⌘${sign}`, spoken: `Meta+${shift ? "Shift+" : ""}${sign}` }
    : { shown: `Ctrl+${shift ? "Shift+" : ""}${sign}`, spoken: `Control+${shift ? "Shift+" : ""}${sign}` };
}

const pictureIcon = drawn(
  svg`<rect x="3" y="4.5" width="14" height="11" rx="1.6"/><circle cx="7.4" cy="8.4" r="1.3"/><path d="m4 14 4-3.6 2.6 2.2 2.6-2.9 3.6 3.8"/>`,
);

const pageIcon = drawn(svg`<path d="M5.5 3.5h6l3 3v10h-9z"/><path d="M11.5 3.5v3h3M8 12h4M10.4 10.2l1.8 1.8-1.8 1.8"/>`);

/** The toolbar above a source field. Without `choosePicture` it has no picture button. */
export function helperBar(press: (helper: Helper) => void, linkPage: () => void, choosePicture: (() => void) | null): TemplateResult {
  // A press must not take focus, and so the selection, from the text.
  const stay = (event: Event): void => event.preventDefault();
  const pages = msg("editor.linkPageCourse");
  const pageButton = html`<button type="button" aria-haspopup="dialog" aria-label=${pages} title=${pages} @click=${linkPage}>${pageIcon}</button>`;
  return html`<div class="helpers" role="toolbar" aria-label=${msg("editor.markdown")} @keydown=${moveFocusInToolbar} @mousedown=${stay}>
    ${order.map((one) => {
      const { name, shown } = helpers[one];
      const keys = keysOf(helpers[one]);
      return html`<button type="button" aria-label=${msg(name)} title=${`${msg(name)} (${keys.shown})`} aria-keyshortcuts=${keys.spoken} @click=${() => press(one)}>${shown}</button>${one === "link" ? pageButton : nothing}`;
    })}${
      choosePicture
        ? html`<hr /><button type="button" aria-label=${msg("editor.addAPicture")} title=${msg("editor.addAPicture")} @click=${choosePicture}>${pictureIcon}</button>`
        : nothing
    }
  </div>`;
}

import { css, html, LitElement } from "lit";
import { customElement, query } from "lit/decorators.js";
import { isApple } from "../controls/keyboard.ts";
import { openModal } from "../controls/overlay-history.ts";
import { rootStyles } from "../controls/styles.ts";
import { msg } from "../messages/page.ts";
import { commands } from "./commands.ts";

const keys = (): [string, string][] => {
  const control = isApple() ? "⌘" : "Ctrl";
  return [
    ["Enter", msg("composer.send")],
    ["Shift Enter", msg("composer.newLine")],
    [`${control} Enter`, msg("composer.sendAlsoWhileKeyboard")],
    ["Esc", msg("composer.closeOpenThenStop")],
    ["@", msg("composer.addASource")],
    ["/", msg("composer.commandsAtTheBeginning")],
    ["F6", msg("composer.writeSaidThenNext")],
    ["Shift F6", msg("composer.toThePaneBefore")],
    [`${control} J`, msg("composer.newConversation")],
  ];
};

/**
 * @summary The commands and keys of the composer, in a dialog.
 */
@customElement("colloquy-composer-help")
export class ComposerHelp extends LitElement {
  static override styles = [
    rootStyles,
    css`
      dialog { inline-size: min(30rem, calc(100vw - 32px)); max-block-size: calc(100dvh - 32px); overflow: auto; padding: var(--s5); border: 1px solid var(--line-strong); border-radius: var(--r-l); background: var(--raised); color: var(--ink); box-shadow: var(--shadow-2); font: var(--text-m)/1.45 var(--font-ui); }
      dialog::backdrop { background: oklch(20% .02 265 / .38); }
      h2 { margin: 0; font: 600 1.1875rem/1.35 var(--font-read); }
      h3 { margin: var(--s4) 0 var(--s2); font-size: var(--text-s); font-weight: 500; color: var(--ink-faint); }
      dl { display: grid; grid-template-columns: max-content 1fr; gap: 8px 16px; margin: 0; align-items: baseline; }
      dd { margin: 0; color: var(--ink-soft); }
      kbd, code { font: 500 var(--text-s)/1.4 var(--font-ui); border: 1px solid var(--line-strong); border-radius: 5px; padding: 1px 6px; background: var(--paper); white-space: nowrap; }
      code { font-family: var(--font-code); border-color: transparent; background: var(--sunken); }
      form { display: flex; justify-content: flex-end; margin-block-start: var(--s5); }
      button { min-block-size: 44px; padding: 8px 18px; border: 1px solid var(--line-strong); border-radius: var(--r-m); font-weight: 600; background: var(--paper); }
      button:hover { border-color: var(--ink-faint); }
    `,
  ];

  @query("dialog") private dialog!: HTMLDialogElement;

  show(): void {
    openModal(this.dialog);
  }

  protected override render() {
    return html`<dialog aria-labelledby="title"><h2 id="title">${msg("composer.commandsAndKeys")}</h2>
      <h3>${msg("composer.beginningText")}</h3>
      <dl>${commands.map(({ name, about }) => html`<dt><code>/${name}</code></dt><dd>${msg(about)}</dd>`)}</dl>
      <h3>${msg("composer.keys")}</h3>
      <dl>${keys().map(([key, about]) => html`<dt>${key.split(" ").map((part) => html`<kbd>${part}</kbd> `)}</dt><dd>${about}</dd>`)}</dl>
      <form method="dialog"><button autofocus>${msg("common.close")}</button></form></dialog>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-composer-help": ComposerHelp;
  }
}

import { insertableTypes } from "@colloquy/schemas/courses/editing/starters.ts";
import { css, html } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import { icons } from "../../controls/icons.ts";
import { LightElement } from "../../controls/light-element.ts";
import { msg } from "../../messages/page.ts";
import "../../controls/menu.ts";
import type { Menu } from "../../controls/menu.ts";
import { typeName } from "../fields/block-types.ts";
import type { EditingSession } from "../session.ts";
import { insert } from "./block-actions.ts";

/**
 * @summary A button that inserts a new block.
 * @event {AnnounceEvent} colloquy-announce
 * @event {BlockShownEvent} colloquy-block-shown
 */
@customElement("colloquy-block-insert")
export class BlockInsert extends LightElement {
  static override lightStyles = [
    css`
      colloquy-block-insert { display: flex; justify-content: center; font: 500 var(--text-s)/1.4 var(--font-ui); }
      colloquy-block-insert > button { display: inline-flex; align-items: center; gap: 6px; min-block-size: 32px; padding: 4px 14px; border-radius: var(--r-pill); color: var(--ink-faint); }
      colloquy-block-insert > button:hover { background: var(--sunken); color: var(--ink); }
      colloquy-block-insert > button:focus-visible { color: var(--ink); outline: 2px solid transparent; box-shadow: var(--focus); }
      colloquy-block-insert .icon { font-size: 15px; }
      @media (pointer: coarse) { colloquy-block-insert > button { min-block-size: 44px; } }
    `,
  ];

  @property({ attribute: false }) session: EditingSession | null = null;
  @property() topicId = "";
  /** Index of the new block. */
  @property({ type: Number }) at = 0;
  @query("colloquy-menu") private menu!: Menu;

  protected override render() {
    return html`<button type="button" aria-haspopup="menu" @click=${this.#offer}>${icons.add}${msg("editor.insertBlock")}</button><colloquy-menu></colloquy-menu>`;
  }

  readonly #offer = (event: Event): void => {
    const { session, topicId, at } = this;
    if (!session) return;
    const items = insertableTypes.map((type) => ({ words: typeName(type), act: () => insert(this, session, topicId, at, type) }));
    void this.menu.open(event.currentTarget as HTMLElement, msg("editor.insertBlock"), items);
  };
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-block-insert": BlockInsert;
  }
}

import type { BlockType } from "@colloquy/schemas/courses/authored.ts";
import { conversionsOf, isConvertible } from "@colloquy/schemas/courses/editing/convert.ts";
import { findBlock } from "@colloquy/schemas/courses/editing/edit.ts";
import { css, html, nothing } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import { AnnounceEvent } from "../../controls/announce-event.ts";
import { icons } from "../../controls/icons.ts";
import { LightElement } from "../../controls/light-element.ts";
import { onChange } from "../../controls/subscription.ts";
import { moveFocusInToolbar } from "../../controls/toolbar-keys.ts";
import { formatNumber, msg } from "../../messages/page.ts";
import "../../controls/menu.ts";
import type { Menu, MenuItem } from "../../controls/menu.ts";
import { editableTypes, typeName } from "../fields/block-types.ts";
import { editorIcons } from "../icons.ts";
import { pickPage } from "../outline/page-picker.ts";
import type { EditingSession } from "../session.ts";
import { convert, duplicate, moveToTopic, remove } from "./block-actions.ts";
import { BlockShownEvent } from "./events.ts";
import { moveBlockTo, moveKey } from "./move-block.ts";

/**
 * @summary Toolbar of one block: move, move to another page, duplicate, convert, delete.
 * @event {AnnounceEvent} colloquy-announce
 * @event {BlockShownEvent} colloquy-block-shown
 */
@customElement("colloquy-block-toolbar")
export class BlockToolbar extends LightElement {
  static override lightStyles = [
    css`
      colloquy-block-toolbar { display: inline-flex; max-inline-size: 100%; font: 500 var(--text-s)/1.4 var(--font-ui); color: var(--ink-soft); }
      colloquy-block-toolbar .actions { display: flex; align-items: center; gap: 2px; padding: 3px; border: 1px solid var(--line-strong); border-radius: var(--r-m); background: var(--raised); box-shadow: var(--shadow-1); }
      colloquy-block-toolbar .actions > button { display: inline-flex; align-items: center; justify-content: center; gap: 4px; min-inline-size: 32px; min-block-size: 30px; padding: 4px 9px; border-radius: var(--r-s); color: var(--ink-soft); white-space: nowrap; }
      colloquy-block-toolbar .actions > button:hover { background: var(--sunken); color: var(--ink); }
      colloquy-block-toolbar .actions > button[aria-disabled="true"] { color: var(--ink-faint); opacity: .55; background: none; cursor: default; }
      colloquy-block-toolbar .actions > .delete { color: var(--bad); }
      colloquy-block-toolbar .actions > .delete:hover { background: var(--bad-wash); color: var(--bad); }
      colloquy-block-toolbar .grip { cursor: grab; touch-action: none; padding-inline: 2px; }
      colloquy-block-toolbar .icon { font-size: 16px; }
      colloquy-block-toolbar button:focus-visible { outline: 2px solid transparent; box-shadow: var(--focus); }
      @media (pointer: coarse) { colloquy-block-toolbar .actions > button { min-inline-size: 44px; min-block-size: 44px; } }
      @media (max-width: 560px) { colloquy-block-toolbar .actions > .wide { display: none; } }
      @media (min-width: 561px) { colloquy-block-toolbar .actions > .narrow { display: none; } }
    `,
  ];

  @property({ attribute: false }) session: EditingSession | null = null;
  @property() blockId = "";
  @query("colloquy-menu") private menu!: Menu;

  constructor() {
    super();
    onChange(this, () => this.session);
  }

  get #found() {
    return this.session && findBlock(this.session.state.course, this.blockId);
  }

  protected override render() {
    const found = this.#found;
    if (!this.session || !found) return nothing;
    const { block, topic, index } = found;
    const { length } = topic.blocks;
    const values = { type: typeName(block.type), place: formatNumber(index + 1), count: formatNumber(length) };
    const off = (is: boolean) => (is ? "true" : nothing);
    const button = (name: string, shown: unknown, act: (event: Event) => void, more: { className?: string; disabled?: boolean } = {}) =>
      html`<button type="button" class=${more.className ?? nothing} aria-label=${name} title=${name} aria-disabled=${off(more.disabled ?? false)} @click=${act}>${shown}</button>`;
    return html`<div class="actions" role="toolbar" aria-label=${msg("editor.of", values)} @keydown=${this.#pressed}>
      ${button(msg("editor.dragAnotherPlaceAlt"), editorIcons.grip, () => undefined, { className: "grip" })}
      ${button(msg("editor.moveUp"), editorIcons.up, () => this.#move(-1), { disabled: index === 0 })}
      ${button(msg("editor.moveDown"), editorIcons.down, () => this.#move(1), { disabled: index === length - 1 })}
      <button type="button" class="wide" @click=${() => this.#do(duplicate)}>${msg("editor.duplicate")}</button>
      ${
        isConvertible(block.type)
          ? html`<button type="button" class="wide" aria-haspopup="menu" @click=${this.#offerConversions}>${msg("editor.convert")} ${icons.down}</button>`
          : nothing
      }
      <button type="button" class="wide" aria-haspopup="dialog" @click=${this.#moveAway}>${msg("editor.moveTo")}</button>
      ${
        editableTypes.has(block.type)
          ? nothing
          : html`<button type="button" class="wide" @click=${this.#showSource}>${msg("editor.sourceOfABlock")}</button>`
      }
      <button type="button" class="narrow" aria-haspopup="menu" aria-label=${msg("editor.moreActions")} @click=${this.#offerMore}>${icons.more}</button>
      <button type="button" class="delete" @click=${() => this.#do(remove)}>${msg("editor.delete")}</button>
    </div><colloquy-menu></colloquy-menu>`;
  }

  #do(act: (near: HTMLElement, session: EditingSession, blockId: string) => void): void {
    if (this.session) act(this, this.session, this.blockId);
  }

  #move(by: number): void {
    const found = this.#found;
    if (this.session && found) void moveBlockTo(this, this.session, this.blockId, found.index + by);
  }

  readonly #pressed = (event: KeyboardEvent): void => {
    if (this.session && !moveKey(this, this.session, this.blockId, event)) moveFocusInToolbar(event);
  };

  #conversions(words: (type: BlockType) => string): MenuItem[] {
    const { session, blockId } = this;
    const block = this.#found?.block;
    if (!session || !block) return [];
    return conversionsOf(block).map((type) => ({
      words: words(type),
      act: () => {
        if (!convert(this, session, blockId, type)) this.#refuse();
      },
    }));
  }

  #refuse(): void {
    this.dispatchEvent(new AnnounceEvent(msg("editor.blockErrorsMendThem")));
  }

  readonly #offerConversions = (event: Event): void => {
    const items = this.#conversions(typeName);
    if (items.length) void this.menu.open(event.currentTarget as HTMLElement, msg("editor.convertTo"), items);
    else this.#refuse();
  };

  readonly #offerMore = (event: Event): void => {
    const block = this.#found?.block;
    if (!block) return;
    const source = editableTypes.has(block.type) ? [] : [{ words: msg("editor.sourceOfABlock"), act: this.#showSource }];
    void this.menu.open(event.currentTarget as HTMLElement, msg("editor.moreActions"), [
      { words: msg("editor.duplicate"), act: () => this.#do(duplicate) },
      { words: msg("editor.moveTo"), act: this.#moveAway },
      ...this.#conversions((type) => msg("editor.convertTo2", { type: typeName(type) })),
      ...source,
    ]);
  };

  readonly #showSource = (): void => {
    const found = this.#found;
    if (found) this.dispatchEvent(new BlockShownEvent({ topicId: found.topic.id, blockId: this.blockId, focus: "field" }));
  };

  readonly #moveAway = async (): Promise<void> => {
    const { session, blockId } = this;
    const found = this.#found;
    if (!session || !found) return;
    const topicId = await pickPage(session.state.course, { label: msg("editor.moveBlockAnotherPage"), without: found.topic.id });
    if (topicId) moveToTopic(this, session, blockId, topicId);
  };
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-block-toolbar": BlockToolbar;
  }
}

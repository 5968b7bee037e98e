import { css, html, nothing, type PropertyValues } from "lit";
import { customElement, property } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { icons } from "../controls/icons.ts";
import { LightElement } from "../controls/light-element.ts";
import { isPlainClick } from "../controls/link.ts";
import { textDirection } from "../messages/direction.ts";
import { msg } from "../messages/page.ts";
import type { Pane } from "./layout/layout.ts";

/** A tab as its strip shows it. */
export interface TabView {
  id: string;
  title: string;
  href: string;
  icon: unknown;
  busy: boolean;
}

/** An action on a tab. */
export type TabAction =
  | { kind: "show" | "close" | "drag" | "drop" }
  /** Opens its menu beside the anchor. */
  | { kind: "menu"; anchor: HTMLElement }
  /** Splits its pane. */
  | { kind: "split" };

export class TabEvent extends Event {
  static readonly type = "colloquy-tab";
  readonly tabId: string;
  readonly action: TabAction;
  constructor(tabId: string, action: TabAction) {
    super(TabEvent.type, { bubbles: true, composed: true });
    this.tabId = tabId;
    this.action = action;
  }
}

export const tabElementId = (tabId: string): string => `tab-${tabId}`;
export const panelElementId = (tabId: string): string => `panel-${tabId}`;
/** The drag data type of a tab, besides its address. */
export const draggedType = "application/x-colloquy-tab";

/**
 * @summary The tabs of a pane, as links. Arrow keys move, Delete closes a tab, Shift+F10 opens its menu.
 * @event {TabEvent} colloquy-tab
 */
@customElement("colloquy-tab-strip")
export class TabStrip extends LightElement {
  static override lightStyles = [
    css`
      colloquy-tab-strip { display: flex; align-items: flex-end; gap: 2px; min-block-size: 41px; padding-inline: 8px 6px; border-block-end: 1px solid var(--line); background: color-mix(in oklab, var(--paper), var(--sunken) 55%); font: 450 var(--text-s)/1.3 var(--font-ui); }
      colloquy-tab-strip [role=tablist] { display: flex; flex: 1; align-items: flex-end; gap: 2px; min-inline-size: 0; margin-block-end: -1px; overflow: auto hidden; scrollbar-width: none; }
      colloquy-tab-strip [role=tab] { position: relative; display: flex; flex: 1 1 0; align-items: center; gap: 7px; min-inline-size: 5.5rem; max-inline-size: max-content; min-block-size: 35px; padding-block: 5px 6px; padding-inline: 13px 5px; border: 1px solid transparent; border-block-end: 0; border-radius: var(--r-s) var(--r-s) 0 0; color: var(--ink-soft); text-decoration: none; white-space: nowrap; user-select: none; -webkit-user-drag: element; }
      colloquy-tab-strip [role=tab]:hover { color: var(--ink); }
      colloquy-tab-strip [role=tab][aria-selected=true] { border-color: var(--line); background: var(--paper); color: var(--ink); font-weight: 600; }
      colloquy-tab-strip [role=tab]:focus-visible { box-shadow: inset 0 0 0 2px var(--accent); }
      colloquy-tab-strip [role=tab] .title { flex: 1; max-inline-size: 18rem; overflow: hidden; text-align: -webkit-match-parent; text-align: match-parent; text-overflow: ellipsis; }
      colloquy-tab-strip [role=tab] > .icon { color: var(--ink-faint); font-size: 15px; }
      colloquy-tab-strip .close { display: grid; place-items: center; flex: none; inline-size: 24px; block-size: 24px; border-radius: var(--r-s); color: var(--ink-faint); opacity: 0; }
      colloquy-tab-strip :is([aria-selected=true], [role=tab]:hover, [role=tab]:focus-visible) > .close { opacity: 1; }
      colloquy-tab-strip .close:hover { background: var(--sunken); color: var(--ink); }
      colloquy-tab-strip .busy { flex: none; inline-size: 6px; block-size: 6px; border-radius: 50%; background: var(--accent); animation: colloquy-breathe var(--pulse, 1.4s) ease-in-out infinite; }
      @keyframes colloquy-breathe { 50% { opacity: .3; } }
      colloquy-tab-strip .dropped { box-shadow: inset 3px 0 0 var(--accent); }
      colloquy-tab-strip .dropped:dir(rtl) { box-shadow: inset -3px 0 0 var(--accent); }
      colloquy-tab-strip .tools { display: flex; flex: none; align-self: center; align-items: center; gap: 2px; }
      colloquy-tab-strip .tools small { padding-inline: 6px; color: var(--ink-faint); font-size: var(--text-xs); white-space: nowrap; }
      colloquy-tab-strip .tools button { display: grid; place-items: center; inline-size: 30px; block-size: 30px; border-radius: var(--r-s); color: var(--ink-faint); font-size: 17px; }
      colloquy-tab-strip .tools button:hover { background: var(--sunken); color: var(--ink); }
      @media (pointer: coarse) { colloquy-tab-strip [role=tab], colloquy-tab-strip .tools button { min-block-size: 44px; min-inline-size: 44px; } colloquy-tab-strip .close { opacity: 1; inline-size: 32px; block-size: 32px; } }
      @media (prefers-reduced-motion: reduce) { colloquy-tab-strip .busy { animation: none; } }
      @media (forced-colors: active) { colloquy-tab-strip [role=tab][aria-selected=true] { border-color: CanvasText; } colloquy-tab-strip [role=tab]:focus-visible { outline: 2px solid Highlight; outline-offset: -3px; } colloquy-tab-strip .busy { background: Highlight; } }
    `,
  ];

  @property({ attribute: false }) pane: Pane | null = null;
  @property({ attribute: false }) tabs: TabView[] = [];
  /** The strip's accessible name. */
  @property({ attribute: false }) label = "";
  /** The label of the split button; null if there is nothing to put beside. */
  @property({ attribute: false }) splitting: string | null = null;
  /** Whether changes are being saved or exist only in this browser. */
  @property({ attribute: false }) saveStatus = "";
  /** The index at which a dragged tab would be inserted. */
  @property({ attribute: false }) dropAt: number | null = null;

  protected override render() {
    const { pane, tabs, splitting } = this;
    if (!pane) return nothing;
    return html`<div role="tablist" aria-label=${this.label} @keydown=${this.#onKeydown}>${repeat(
      tabs,
      ({ id }) => id,
      (tab, index) => this.#tab(tab, tab.id === pane.active, index),
    )}</div>
      <div class="tools">${this.saveStatus ? html`<small>${this.saveStatus}</small>` : nothing}
        ${splitting ? html`<button type="button" class="split" aria-label=${splitting} title=${splitting} @click=${() => this.#emit(pane.active, { kind: "split" })}>${icons.split}</button>` : nothing}
        <button type="button" class="menu" aria-label=${msg("workspace.doTab")} aria-haspopup="menu" title=${msg("workspace.doTab")}
          @click=${(event: Event) => this.#emit(pane.active, { kind: "menu", anchor: event.currentTarget as HTMLElement })}>${icons.more}</button></div>`;
  }

  #tab({ id, title, href, icon, busy }: TabView, active: boolean, index: number) {
    const dropped = this.dropAt === index;
    return html`<a role="tab" id=${tabElementId(id)} class=${dropped ? "dropped" : ""} href=${href} title=${title} draggable="true" tabindex=${active ? 0 : -1}
      aria-selected=${active ? "true" : "false"} aria-controls=${active ? panelElementId(id) : nothing} aria-keyshortcuts="Delete Shift+F10" data-tab=${id}
      @click=${(event: MouseEvent) => this.#onClick(event, id)} @contextmenu=${(event: MouseEvent) => this.#onContextMenu(event, id)}
      @dragstart=${(event: DragEvent) => this.#onDragstart(event, id, href)} @dragend=${() => this.#emit(id, { kind: "drop" })}>
      ${icon}<span class="title" dir=${textDirection(title)}>${title}</span>${busy ? html`<i class="busy" title=${msg("workspace.answerBeingWritten")}></i>` : nothing}
      <span class="close" aria-hidden="true" title=${msg("common.close")}>${icons.close}</span></a>`;
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has("pane")) this.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  #emit(tabId: string, action: TabAction): void {
    this.dispatchEvent(new TabEvent(tabId, action));
  }

  #onClick(event: MouseEvent, tabId: string): void {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    const closing = event.target instanceof Element && event.target.closest(".close");
    this.#emit(tabId, { kind: closing ? "close" : "show" });
  }

  /** Opens the tab's menu instead of the browser's; Shift opens the browser's. */
  #onContextMenu(event: MouseEvent, tabId: string): void {
    if (event.shiftKey && event.button === 2) return;
    event.preventDefault();
    this.#emit(tabId, { kind: "menu", anchor: event.currentTarget as HTMLElement });
  }

  #onDragstart(event: DragEvent, tabId: string, href: string): void {
    if (!event.dataTransfer) return;
    event.dataTransfer.effectAllowed = "all";
    event.dataTransfer.setData(draggedType, tabId);
    event.dataTransfer.setData("text/uri-list", new URL(href, location.href).href);
    this.#emit(tabId, { kind: "drag" });
  }

  readonly #onKeydown = (event: KeyboardEvent) => {
    const tab = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>("[role=tab]") : null;
    if (!tab || event.ctrlKey || event.metaKey || event.altKey) return;
    const all = [...this.querySelectorAll<HTMLElement>("[role=tab]")];
    const at = all.indexOf(tab);
    const back = getComputedStyle(this).direction === "rtl" ? "ArrowRight" : "ArrowLeft";
    const tabId = tab.dataset.tab ?? "";
    if (event.key === "Delete") this.#emit(tabId, { kind: "close" });
    else if (event.key === " ") this.#emit(tabId, { kind: "show" });
    else if (event.key === "F10" && event.shiftKey) this.#emit(tabId, { kind: "menu", anchor: tab });
    else if (["ArrowLeft", "ArrowRight"].includes(event.key)) all[(at + (event.key === back ? -1 : 1) + all.length) % all.length]?.focus();
    else if (event.key === "Home") all[0]?.focus();
    else if (event.key === "End") all.at(-1)?.focus();
    else return;
    event.preventDefault();
  };
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-tab-strip": TabStrip;
  }
  interface GlobalEventHandlersEventMap {
    "colloquy-tab": TabEvent;
  }
}

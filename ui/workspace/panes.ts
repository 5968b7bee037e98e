import { bounds } from "@colloquy/schemas/bounds.ts";
import { html, nothing } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { guard } from "lit/directives/guard.js";
import { repeat } from "lit/directives/repeat.js";
import { styleMap } from "lit/directives/style-map.js";
import { AnnounceEvent } from "../controls/announce-event.ts";
import { LightElement } from "../controls/light-element.ts";
import { onChange } from "../controls/subscription.ts";
import { list, msg } from "../messages/page.ts";
import type { Arrangement } from "./arrangement.ts";
import { type Drop, dropAt } from "./drop.ts";
import { type Box, type Placed, place } from "./layout/boxes.ts";
import { activeTab, focusedPane, move, type Pane, panesOf, paneWith, resize, type Split, type Tab, toggle } from "./layout/layout.ts";
import "../controls/menu.ts";
import type { Menu } from "../controls/menu.ts";
import { panesStyles } from "./panes.styles.ts";
import type { SeparateEvent } from "./separator.ts";
import "./tab-strip.ts";
import { draggedType, panelElementId, type TabEvent, type TabView, tabElementId } from "./tab-strip.ts";

/** What a tab strip shows of a tab. */
export type ViewOf = (tab: Tab) => TabView;

/** Loaded with the second pane; a failure is retried with the next render. */
const loadSeparators = (): void => {
  if (!customElements.get("colloquy-separator")) void import("./separator.ts").catch(() => undefined);
};

/** How many formerly shown tabs of a pane stay rendered. */
const keptBehind = 3;
/** Smallest size of a pane, where there is room, in px. */
const leastPx = 280;

/**
 * @summary The panes of a workspace with tabs and separators; on a phone only the focused pane. A pane's content stays the same element
 *   whatever happens around it.
 */
@customElement("colloquy-panes")
export class Panes extends LightElement {
  static override lightStyles = [panesStyles];

  @property({ attribute: false }) arrangement: Arrangement | null = null;
  @property({ attribute: false }) view: ViewOf = ({ id }) => ({ id, title: "", href: "", icon: nothing, busy: false });
  @property({ attribute: false }) content: (tab: Tab) => unknown = () => nothing;
  @property({ attribute: false }) saveStatus = "";
  @property({ type: Boolean }) narrow = false;
  @state() private drop: Drop | null = null;
  @query(":scope > colloquy-menu") private menu!: Menu;
  #dragged: string | null = null;
  /** The tabs that each pane has shown, latest first. */
  readonly #shown = new Map<string, string[]>();

  constructor() {
    super();
    onChange(this, () => this.arrangement?.events);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.addEventListener("colloquy-tab", this.#onTabAction);
    this.addEventListener("dragover", this.#onDragOver);
    this.addEventListener("dragleave", this.#onDragLeave);
    this.addEventListener("drop", this.#onDrop);
  }

  protected override willUpdate(): void {
    this.classList.toggle("narrow", this.narrow);
  }

  protected override render() {
    const { arrangement } = this;
    if (!arrangement) return nothing;
    const { layout } = arrangement;
    const focused = focusedPane(layout).id;
    const alone: Box = { x: 0, y: 0, width: 1, height: 1 };
    const placed: Placed[] = this.narrow
      ? panesOf(layout.root).map((pane) => ({ kind: "pane", pane, box: pane.id === focused ? alone : null }))
      : place(layout.root);
    const count = panesOf(layout.root).length;
    if (count > 1) loadSeparators();
    let number = 0;
    return html`${repeat(
      placed,
      (item) => (item.kind === "pane" ? item.pane.id : item.split.id),
      (item) => {
        if (item.kind === "separator") return this.#separator(item.split, item.box);
        number += 1;
        return this.#pane(
          item.pane,
          item.box,
          item.pane.id === focused,
          count > 1 ? msg("workspace.tabsOfPaneOf", { number, count }) : msg("workspace.tabs"),
        );
      },
    )}<colloquy-menu></colloquy-menu>`;
  }

  #pane(pane: Pane, box: Box | null, focused: boolean, label: string) {
    const { arrangement, drop, narrow } = this;
    const active = activeTab(pane);
    const tabs = this.#renderedTabs(pane);
    const dropped = drop?.paneId === pane.id ? drop : null;
    return html`<section class="pane" data-pane=${pane.id} ?data-focused=${focused} ?hidden=${!box} style=${styleMap(box && !narrow ? positions(box) : { inset: "0" })}
      @focusin=${() => arrangement?.focus(pane.id)} @pointerdown=${() => arrangement?.focus(pane.id)}>
      ${
        narrow
          ? nothing
          : html`<colloquy-tab-strip .pane=${pane} .tabs=${pane.tabs.map(this.view)} .label=${label} .splitting=${arrangement ? splitWords(arrangement, pane.id) : null}
            .saveStatus=${focused ? this.saveStatus : ""} .dropAt=${dropped?.zone === "strip" ? dropped.index : null}></colloquy-tab-strip>`
      }
      ${repeat(
        tabs,
        ({ id }) => id,
        (tab) => html`<div class="panel" id=${panelElementId(tab.id)} data-tab=${tab.id} ?inert=${tab.id !== active.id}
          role=${narrow ? "group" : "tabpanel"} aria-label=${narrow ? this.view(tab).title : nothing} aria-labelledby=${narrow ? nothing : tabElementId(tab.id)}>${guard([tab, this.content], () => this.content(tab))}</div>`,
      )}
      ${dropped && dropped.zone !== "strip" ? html`<div class="drop" data-zone=${dropped.zone}></div>` : nothing}
    </section>`;
  }

  /** The shown tab and the last ones before it, in the strip's order, so that scroll positions survive switching. */
  #renderedTabs(pane: Pane): Tab[] {
    const before = (this.#shown.get(pane.id) ?? []).filter((id) => id !== pane.active);
    const kept = [pane.active, ...before].slice(0, keptBehind + 1);
    this.#shown.set(pane.id, kept);
    return pane.tabs.filter(({ id }) => kept.includes(id));
  }

  #separator(split: Split, box: Box) {
    const { direction, share, collapsed } = split;
    const at = collapsed ? 0 : share;
    const least = this.#least(direction, box);
    const parts = [split.first, split.second].map((node) => this.view(activeTab(panesOf(node)[0] as Pane)).title);
    const style: Record<string, string> =
      direction === "row"
        ? { "inset-inline-start": `calc(${percent(box.x + box.width * at)} - 5px)`, ...vertical(box) }
        : { "inset-block-start": `calc(${percent(box.y + box.height * at)} - 5px)`, ...horizontal(box) };
    return html`<colloquy-separator aria-label=${msg("workspace.divides", { parts: list(parts) })} style=${styleMap(style)} .direction=${direction} .share=${share} .least=${least}
      .folded=${collapsed} .box=${box} aria-controls=${panelElementId(activeTab(panesOf(split.first)[0] as Pane).id)}
      @colloquy-separate=${(event: SeparateEvent) => this.#separate(event, split, parts[0] ?? "")}></colloquy-separator>`;
  }

  #least(direction: "row" | "column", box: Box): number {
    const room = direction === "row" ? this.clientWidth * box.width : this.clientHeight * box.height;
    return Math.max(bounds.workspace.leastShare, room ? Math.min(0.45, leastPx / room) : 0);
  }

  #separate({ share }: SeparateEvent, split: Split, name: string): void {
    const { arrangement } = this;
    if (!arrangement) return;
    if (share === "toggle") {
      arrangement.apply(toggle(arrangement.layout, split.id));
      this.#announce(split.collapsed ? msg("workspace.isBack", { name }) : msg("workspace.collapsedPressEnterExpand", { name }));
    } else arrangement.apply(resize(arrangement.layout, split.id, share));
  }

  #announce(text: string): void {
    this.dispatchEvent(new AnnounceEvent(text));
  }

  readonly #onTabAction = ({ tabId, action }: TabEvent) => {
    const { arrangement } = this;
    if (!arrangement) return;
    const { kind } = action;
    if (kind === "show") arrangement.activate(tabId);
    else if (kind === "close") arrangement.close(tabId);
    else if (kind === "menu") this.openMenu(action.anchor, tabId);
    else if (kind === "split") this.#split(tabId);
    else {
      this.#dragged = kind === "drag" ? tabId : null;
      this.drop = null;
      this.classList.toggle("dragging", kind === "drag");
    }
  };

  /** Opens a tab's menu beside its anchor. */
  async openMenu(anchor: HTMLElement, tabId: string): Promise<void> {
    const { tabMenu } = await import("./tab-menu.ts");
    const { arrangement } = this;
    if (arrangement)
      await this.menu.open(
        anchor,
        msg("workspace.doTab"),
        tabMenu(arrangement, tabId, (text) => this.#announce(text)),
      );
  }

  #split(tabId: string): void {
    const { arrangement } = this;
    const pane = arrangement && paneWith(arrangement.layout, tabId);
    if (!arrangement || !pane) return;
    if (pane.tabs.length > 1) arrangement.split(tabId, pane.id, "right");
    else arrangement.newBeside(pane.id);
  }

  readonly #onDragOver = (event: DragEvent) => {
    if (!this.#dragged || !event.dataTransfer?.types.includes(draggedType)) return;
    const drop = dropAt(event);
    if (!drop) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "move";
    if (JSON.stringify(drop) !== JSON.stringify(this.drop)) this.drop = drop;
  };

  readonly #onDragLeave = (event: DragEvent) => {
    if (!(event.relatedTarget instanceof Node) || !this.contains(event.relatedTarget)) this.drop = null;
  };

  readonly #onDrop = (event: DragEvent) => {
    const { arrangement } = this;
    const tabId = this.#dragged;
    const drop = tabId ? dropAt(event) : null;
    this.drop = null;
    if (!arrangement || !tabId || !drop) return;
    event.preventDefault();
    if (drop.zone === "strip") {
      const from = paneWith(arrangement.layout, tabId);
      const at = from?.tabs.findIndex(({ id }) => id === tabId) ?? -1;
      const index = from?.id === drop.paneId && at < drop.index ? drop.index - 1 : drop.index;
      arrangement.apply(move(arrangement.layout, tabId, drop.paneId, index));
    } else if (drop.zone === "middle") arrangement.apply(move(arrangement.layout, tabId, drop.paneId));
    else arrangement.split(tabId, drop.paneId, mirrored(this, drop.zone));
  };
}

/** "left" is the start side, so it is mirrored in right-to-left pages. */
const mirrored = (element: Element, side: "left" | "right" | "up" | "down") =>
  getComputedStyle(element).direction === "rtl" && (side === "left" || side === "right") ? (side === "left" ? "right" : "left") : side;

const percent = (part: number): string => `${part * 100}%`;
const vertical = ({ y, height }: Box) => ({
  "inset-block-start": `calc(${percent(y)} + 5px)`,
  "block-size": `calc(${percent(height)} - 10px)`,
});
const horizontal = ({ x, width }: Box) => ({
  "inset-inline-start": `calc(${percent(x)} + 5px)`,
  "inline-size": `calc(${percent(width)} - 10px)`,
});
const positions = (box: Box): Record<string, string> => ({ ...vertical(box), ...horizontal(box) });

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-panes": Panes;
  }
}

/** The label of the split button; null if there is nothing to put beside. */
function splitWords(arrangement: Arrangement, paneId: string): string | null {
  const pane = panesOf(arrangement.layout.root).find(({ id }) => id === paneId);
  if (!pane) return null;
  if (pane.tabs.length > 1) return msg("workspace.splitRight");
  const { target } = activeTab(pane);
  return target.kind === "conversation" && target.conversationId === null ? null : msg("workspace.newConversationBeside");
}

import { css, html, nothing } from "lit";
import { customElement, state } from "lit/decorators.js";
import { formatNumber } from "../messages/page.ts";
import { LightElement } from "./light-element.ts";
import { closeOnBack } from "./overlay-history.ts";
import { placeBeside } from "./place.ts";

/** A count shown behind an item's text, and the label that includes it. */
export interface MenuCount {
  number: number;
  label: string;
}

export interface MenuItem {
  words: string;
  /** Shown once known; null shows none. The menu does not wait for it. */
  count?: Promise<MenuCount | null>;
  act(): void;
}

/**
 * @summary A menu in the top layer, beside its anchor. Arrows, Home and End move, letters find an item, Escape closes it and returns the
 *   focus.
 */
@customElement("colloquy-menu")
export class Menu extends LightElement {
  static override lightStyles = [
    css`
      colloquy-menu { position: fixed; inset: auto; margin: 0; min-inline-size: 13rem; max-inline-size: min(22rem, calc(100vw - 16px)); max-block-size: calc(100dvh - 16px); overflow: auto; padding: 5px; border: 1px solid var(--line-strong); border-radius: var(--r-m); background: var(--raised); color: var(--ink); box-shadow: var(--shadow-2); font: var(--text-s)/1.4 var(--font-ui); }
      colloquy-menu:popover-open { display: grid; }
      colloquy-menu button { min-block-size: 34px; padding: 6px 12px; border-radius: var(--r-s); text-align: start; }
      colloquy-menu button:has(small) { display: flex; justify-content: space-between; align-items: baseline; gap: var(--s3); }
      colloquy-menu small { color: var(--ink-soft); font-size: inherit; font-variant-numeric: tabular-nums; }
      colloquy-menu button:hover, colloquy-menu button:focus-visible { background: var(--accent-wash); box-shadow: none; }
      @media (pointer: coarse) { colloquy-menu button { min-block-size: 44px; } }
      @media (forced-colors: active) { colloquy-menu button:focus-visible { outline: 2px solid Highlight; outline-offset: -2px; } }
    `,
  ];

  @state() private items: MenuItem[] = [];
  @state() private counts: ReadonlyMap<MenuItem, MenuCount> = new Map();
  #anchor: HTMLElement | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    this.popover = "auto";
    this.role = "menu";
    this.addEventListener("keydown", this.#onKeydown);
  }

  async open(anchor: HTMLElement, label: string, items: MenuItem[]): Promise<void> {
    this.#anchor = anchor;
    this.ariaLabel = label;
    this.items = items;
    this.counts = new Map();
    for (const item of items) void item.count?.then((count) => this.#setCount(item, count));
    await this.updateComplete;
    if (!this.isConnected) return;
    this.showPopover();
    closeOnBack(this);
    placeBeside(anchor.getBoundingClientRect(), this, { side: "below" });
    this.#buttons[0]?.focus();
  }

  protected override render() {
    if (!this.items.length) return nothing;
    return this.items.map((item) => {
      const count = this.counts.get(item);
      return html`<button type="button" role="menuitem" tabindex="-1" aria-label=${count?.label ?? nothing} @click=${() => this.#choose(item)}>${item.words}${count ? html`<small>${formatNumber(count.number)}</small>` : nothing}</button>`;
    });
  }

  #setCount(item: MenuItem, count: MenuCount | null): void {
    if (count && this.items.includes(item)) this.counts = new Map([...this.counts, [item, count]]);
  }

  get #buttons(): HTMLButtonElement[] {
    return [...this.querySelectorAll("button")];
  }

  /** Focus returns first, so that the action may move it elsewhere. */
  #choose(item: MenuItem): void {
    this.hidePopover();
    this.#anchor?.focus({ preventScroll: true });
    item.act();
  }

  readonly #onKeydown = (event: KeyboardEvent) => {
    const all = this.#buttons;
    const at = all.indexOf(document.activeElement as HTMLButtonElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1 + all.length, Home: 0, End: all.length - 1 }[event.key];
    if (to !== undefined) all[to % all.length]?.focus();
    else if (event.key === "Tab") this.hidePopover();
    else if (event.key.length === 1 && event.key !== " ") {
      const starts = (button: HTMLButtonElement) => button.textContent?.trim().toLowerCase().startsWith(event.key.toLowerCase());
      [...all.slice(at + 1), ...all].find(starts)?.focus();
    } else return;
    if (event.key !== "Tab") event.preventDefault();
  };
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-menu": Menu;
  }
}

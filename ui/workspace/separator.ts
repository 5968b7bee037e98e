import { css, html, LitElement } from "lit";
import { customElement, property } from "lit/decorators.js";
import { msg } from "../messages/page.ts";
import type { Box } from "./layout/boxes.ts";

/** A separator was moved, or its first part was folded or unfolded. */
export class SeparateEvent extends Event {
  static readonly type = "colloquy-separate";
  readonly share: number | "toggle";
  constructor(share: number | "toggle") {
    super(SeparateEvent.type, { bubbles: true, composed: true });
    this.share = share;
  }
}

const step = 0.02;
const largeStep = 0.1;

/**
 * @summary Divides two panes: dragged, or moved by arrow keys (larger steps with Shift), Home and End; Enter folds the first part.
 * @event {SeparateEvent} colloquy-separate
 */
@customElement("colloquy-separator")
export class Separator extends LitElement {
  static override styles = css`
    :host { position: absolute; z-index: 1; display: grid; place-items: center; touch-action: none; outline: none; }
    :host([aria-orientation="vertical"]) { inline-size: 10px; cursor: col-resize; }
    :host([aria-orientation="horizontal"]) { block-size: 10px; cursor: row-resize; }
    :host::before { content: ""; position: absolute; inset: -7px; }
    i { inline-size: 3px; block-size: 40px; max-block-size: 60%; border-radius: 3px; background: transparent; transition: background var(--fast) var(--ease); }
    :host([aria-orientation="horizontal"]) i { inline-size: 40px; block-size: 3px; }
    :host(:hover) i, :host([folded]) i { background: var(--line-strong); }
    :host(:focus-visible) i, :host([dragging]) i { background: var(--accent); box-shadow: var(--focus); }
    @media (pointer: coarse) { i { background: var(--line-strong); } }
    @media (forced-colors: active) { i { background: CanvasText; } :host(:focus-visible) i { background: Highlight; } }
  `;

  @property({ attribute: false }) direction: "row" | "column" = "row";
  @property({ attribute: false }) share = 0.5;
  @property({ attribute: false }) least = 0.2;
  @property({ attribute: false }) folded = false;
  /** The divided area, as shares of its parent's. */
  @property({ attribute: false }) box: Box = { x: 0, y: 0, width: 1, height: 1 };

  override connectedCallback(): void {
    super.connectedCallback();
    this.tabIndex = 0;
    this.role = "separator";
    this.addEventListener("keydown", this.#onKeydown);
    this.addEventListener("pointerdown", this.#onPointerdown);
  }

  protected override willUpdate(): void {
    const percent = (share: number) => String(Math.round(share * 100));
    this.ariaOrientation = this.direction === "row" ? "vertical" : "horizontal";
    this.ariaValueNow = this.folded ? "0" : percent(this.share);
    this.ariaValueMin = "0";
    this.ariaValueMax = percent(1 - this.least);
    this.ariaValueText = this.folded ? msg("workspace.collapsed") : `${percent(this.share)} %`;
    this.toggleAttribute("folded", this.folded);
  }

  protected override render() {
    return html`<i></i>`;
  }

  #emit(share: number | "toggle"): void {
    if (share === "toggle") this.dispatchEvent(new SeparateEvent(share));
    else this.dispatchEvent(new SeparateEvent(Math.min(1 - this.least, Math.max(this.least, share))));
  }

  readonly #onKeydown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const rightToLeft = getComputedStyle(this).direction === "rtl";
    const [less, more] =
      this.direction === "column" ? ["ArrowUp", "ArrowDown"] : rightToLeft ? ["ArrowRight", "ArrowLeft"] : ["ArrowLeft", "ArrowRight"];
    const by = event.shiftKey ? largeStep : step;
    const from = this.folded ? this.least : this.share;
    const meant = {
      [less as string]: from - by,
      [more as string]: this.folded ? this.least : from + by,
      Home: this.least,
      End: 1 - this.least,
      Enter: "toggle" as const,
    }[event.key];
    if (meant === undefined) return;
    event.preventDefault();
    this.#emit(meant);
  };

  readonly #onPointerdown = (event: PointerEvent) => {
    if (event.button !== 0) return;
    const room = this.offsetParent?.getBoundingClientRect();
    if (!room) return;
    event.preventDefault();
    this.focus({ preventScroll: true });
    this.setPointerCapture(event.pointerId);
    this.toggleAttribute("dragging", true);
    const over = new AbortController();
    const { signal } = over;
    const rightToLeft = getComputedStyle(this).direction === "rtl";
    const moved = ({ clientX, clientY }: PointerEvent) => {
      const { x, y, width, height } = this.box;
      const across = (rightToLeft ? room.right - clientX : clientX - room.left) / room.width;
      this.#emit(this.direction === "row" ? (across - x) / width : ((clientY - room.top) / room.height - y) / height);
    };
    const ended = () => {
      over.abort();
      this.toggleAttribute("dragging", false);
    };
    this.addEventListener("pointermove", moved, { signal });
    this.addEventListener("lostpointercapture", ended, { signal });
  };
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-separator": Separator;
  }
  interface GlobalEventHandlersEventMap {
    "colloquy-separate": SeparateEvent;
  }
}

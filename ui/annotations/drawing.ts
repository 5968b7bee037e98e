import { inkColours, type Stroke } from "@colloquy/schemas/sync/changes.ts";
import { html, nothing, type PropertyValues, svg } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { icons } from "../controls/icons.ts";
import { LightElement } from "../controls/light-element.ts";
import { Subscription } from "../controls/subscription.ts";
import { moveFocusInToolbar } from "../controls/toolbar-keys.ts";
import { pageRefreshedEvent } from "../courses/refresh/events.ts";
import { msg } from "../messages/page.ts";
import { drawingStyles } from "./drawing.styles.ts";
import { InkLayer } from "./layer.ts";
import type { PageInk } from "./page-ink.ts";
import { followPen, type Nib, type Tool } from "./pen.ts";

const tools = { pen: "drawing.pen", highlighter: "drawing.highlighter", eraser: "drawing.eraser" } as const satisfies Record<Tool, string>;
const colours = {
  ink: "drawing.inkColour",
  blue: "drawing.blue",
  red: "drawing.red",
  green: "drawing.green",
  yellow: "drawing.yellow",
} as const satisfies Record<Stroke["colour"], string>;
/** Pen widths in CSS pixels; a highlighter is wider by a factor. */
const widths = [
  { px: 2.4, name: "drawing.thin" },
  { px: 4, name: "drawing.mediumWidth" },
  { px: 7, name: "drawing.thick" },
] as const;
const highlighterFactor = 5;

const roomProperty = "--drawing-room";

/** The reader left the drawing mode. */
export class DrawingEndedEvent extends Event {
  static readonly type = "colloquy-drawn";
  constructor() {
    super(DrawingEndedEvent.type, { bubbles: true, composed: true });
  }
}

/**
 * @summary The drawings over an article; while `active`, with the drawing tools: pen, highlighter, eraser, colours, widths, undo and redo. A pen
 * draws and fingers scroll; without a pen a finger may draw.
 * @event {DrawingEndedEvent} colloquy-drawn
 */
@customElement("colloquy-drawing")
export class DrawingElement extends LightElement {
  static override lightStyles = [drawingStyles];

  @property({ attribute: false }) ink: PageInk | null = null;
  /** The article that contains this element. */
  @property({ attribute: false }) article: HTMLElement | null = null;
  /** The drawing mode is on. */
  @property({ type: Boolean, reflect: true }) active = false;
  /** The drawings are hidden. */
  @property({ type: Boolean, reflect: true }) concealed = false;
  @state() private tool: Tool = "pen";
  @state() private colour: Stroke["colour"] = "ink";
  @state() private width = 1;
  @state() private finger = !matchMedia("(any-pointer: fine)").matches;
  /** Number of strokes whose block is not on the page any more. */
  @state() private lost = 0;
  @query(".strokes") private holder!: HTMLElement;
  @query(".surface") private surface!: HTMLElement | null;
  @query(".growing path") private growing!: SVGPathElement | null;
  @query(".tools button") private firstTool!: HTMLElement | null;
  #layer: InkLayer | null = null;
  #pen: AbortController | null = null;
  /** Follows the height of the tools. */
  #room: ResizeObserver | null = null;

  constructor() {
    super();
    new Subscription(
      this,
      () => this.ink,
      (ink) => ink.events.on("change", () => this.requestUpdate()),
    );
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener(pageRefreshedEvent, this.#refreshed);
  }

  /** Strokes may have lost their block, or found it again. */
  readonly #refreshed = (): void => this.requestUpdate();

  override disconnectedCallback(): void {
    removeEventListener(pageRefreshedEvent, this.#refreshed);
    this.#room?.disconnect();
    document.documentElement.style.removeProperty(roomProperty);
    this.#pen?.abort();
    this.#pen = null;
    this.#layer?.dispose();
    this.#layer = null;
    super.disconnectedCallback();
  }

  /** Focuses the toolbar. */
  async focusTools(): Promise<void> {
    await this.updateComplete;
    this.firstTool?.focus({ preventScroll: true });
  }

  protected override render() {
    return html`<div class="strokes" aria-hidden="true"></div>
      ${this.active ? html`<svg class="growing" aria-hidden="true">${svg`<path />`}</svg><div class="surface ${this.finger ? "finger" : ""}"></div>${this.#tools()}` : nothing}`;
  }

  #tools() {
    const { ink, tool, concealed } = this;
    const { lost } = this;
    const able = (can: boolean) => (can ? nothing : "true");
    return html`<div class="tools" role="toolbar" aria-label=${msg("drawing.drawing")} @keydown=${this.#pressed}>
      <div role="radiogroup" aria-label=${msg("drawing.tool")}>${(Object.keys(tools) as Tool[]).map(
        (one) => html`<button type="button" role="radio" aria-checked=${one === tool} aria-label=${msg(tools[one])} title=${msg(tools[one])}
          @click=${() => (this.tool = one)}>${toolIcons[one]}</button>`,
      )}</div><hr />
      <div role="radiogroup" aria-label=${msg("drawing.colour")}>${inkColours.map(
        (
          one,
        ) => html`<button type="button" role="radio" aria-checked=${one === this.colour} aria-label=${msg(colours[one])} title=${msg(colours[one])}
          @click=${() => this.#choose(one)}><i class=${one}></i></button>`,
      )}</div><hr />
      <div role="radiogroup" aria-label=${msg("drawing.width")}>${widths.map(
        (
          { px, name },
          index,
        ) => html`<button type="button" role="radio" aria-checked=${index === this.width} aria-label=${msg(name)} title=${msg(name)}
          @click=${() => (this.width = index)}><i class="width" style="--w: ${px + 2}px"></i></button>`,
      )}</div><hr />
      <button type="button" aria-label=${msg("common.undo")} title=${msg("common.undo")} aria-disabled=${able(ink?.canUndo ?? false)} @click=${() => void ink?.undo()}>${icons.undo}</button>
      <button type="button" aria-label=${msg("drawing.redo")} title=${msg("drawing.redo")} aria-disabled=${able(ink?.canRedo ?? false)} @click=${() => void ink?.redo()}>${icons.redo}</button>
      <button type="button" aria-disabled=${able((ink?.strokes.length ?? 0) > 0)} @click=${() => void ink?.clear()}>${msg("drawing.clearThePage")}</button>
      <button type="button" aria-pressed=${concealed} @click=${() => (this.concealed = !concealed)}>${msg("drawing.hideInk")}</button>
      <button type="button" aria-pressed=${this.finger} @click=${() => (this.finger = !this.finger)}>${msg("drawing.fingerDraws")}</button>
      <button type="button" class="done" @click=${this.#done}>${msg("common.done")}</button>
      ${lost ? html`<p role="status">${msg("drawing.strokesStoodTextGone", { n: lost })}</p>` : nothing}
    </div>`;
  }

  /** Choosing a colour while erasing switches back to the pen. */
  #choose(colour: Stroke["colour"]): void {
    this.colour = colour;
    if (this.tool === "eraser") this.tool = "pen";
  }

  get #nib(): Nib {
    const { tool, colour, finger } = this;
    const { px } = widths[this.width] ?? widths[0];
    return { tool, colour, finger, width: tool === "highlighter" ? px * highlighterFactor : px };
  }

  protected override updated(changed: PropertyValues<this>): void {
    const { article, ink } = this;
    if (!article || !ink) return;
    if (!this.#layer) {
      this.#layer = new InkLayer(this.holder, article);
      this.requestUpdate();
    }
    this.#layer.show(ink.strokes, ink.currentId);
    if (this.active) this.lost = this.#layer.lost;
    if (changed.has("active")) this.#setActive(this.#layer, ink);
  }

  /** Sets `--drawing-room` to the height that the tools cover at the bottom of the window: notes and statuses stand above them. */
  #reserveRoom(): void {
    const { style } = document.documentElement;
    this.#room?.disconnect();
    style.removeProperty(roomProperty);
    const tools = this.querySelector<HTMLElement>(".tools");
    if (!tools) return;
    this.#room = new ResizeObserver(() => {
      if (tools.isConnected) style.setProperty(roomProperty, `${tools.offsetHeight + 8}px`);
    });
    this.#room.observe(tools, { box: "border-box" });
  }

  #setActive(layer: InkLayer, ink: PageInk): void {
    this.#reserveRoom();
    this.#pen?.abort();
    const { surface, growing } = this;
    if (!this.active || !surface || !growing) return;
    this.concealed = false;
    this.#pen = new AbortController();
    const { signal } = this.#pen;
    followPen({
      surface,
      growing,
      layer,
      signal,
      nib: () => this.#nib,
      onStrokes: (strokes) => {
        this.concealed = false;
        void ink.draw(...strokes);
      },
      onErase: (strokes) => void ink.erase(strokes),
      onPen: () => (this.finger = false),
    });
    document.addEventListener("keydown", this.#shortcut, { signal });
  }

  readonly #shortcut = (event: KeyboardEvent): void => {
    const typing = event.target instanceof HTMLElement && event.target.matches("input, textarea, [contenteditable]");
    if (typing) return;
    if (event.key === "Escape") this.#done();
    else if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z")
      void (event.shiftKey ? this.ink?.redo() : this.ink?.undo());
    else if (event.ctrlKey && event.key.toLowerCase() === "y") void this.ink?.redo();
    else return;
    event.preventDefault();
  };

  readonly #done = (): void => {
    this.dispatchEvent(new DrawingEndedEvent());
  };

  readonly #pressed = (event: KeyboardEvent): void => moveFocusInToolbar(event);
}

const shape = (drawn: ReturnType<typeof svg>) =>
  html`<svg class="icon" viewBox="0 0 20 20" width="1em" height="1em" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${drawn}</svg>`;
const toolIcons = {
  pen: shape(svg`<path d="m4 16 1-3.6L13.6 3.8a1.4 1.4 0 0 1 2 0l.6.6a1.4 1.4 0 0 1 0 2L7.6 15z"/>`),
  highlighter: shape(svg`<path d="m7 12.5 6.6-8 3 2.6-6.8 7.8H7zM7 12.5v2.4l-2 1.6h4M3.5 17.5h13"/>`),
  eraser: shape(
    svg`<path d="m8.6 16-4.4-4.4a1.3 1.3 0 0 1 0-1.8l6.4-6.4a1.3 1.3 0 0 1 1.8 0l4 4a1.3 1.3 0 0 1 0 1.8L9.8 16zM7 6.9l6.2 6.2M8 16h8.5"/>`,
  ),
};

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-drawing": DrawingElement;
  }
  interface GlobalEventHandlersEventMap {
    "colloquy-drawn": DrawingEndedEvent;
  }
}

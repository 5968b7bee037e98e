import type { Block } from "@colloquy/schemas/courses/authored.ts";
import { directionOf } from "@colloquy/schemas/languages.ts";
import { html, nothing, type PropertyValues } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import { LightElement } from "../controls/light-element.ts";
import { msg } from "../messages/page.ts";
import { type BlockOptions, renderBrokenBlock } from "../rendering/blocks.ts";
import "./blocks/block-insert.ts";
import "./blocks/block-toolbar.ts";
import type { DrawQueue } from "./draw-queue.ts";
import "./fields/block-field.ts";
import type { BlockField, SourcePart } from "./fields/block-field.ts";
import { editableTypes, typeName } from "./fields/types.ts";
import type { Uploads } from "./fields/uploads.ts";
import { drawInto, letGo, parsedBlock, renderedBlock } from "./rendered.ts";
import type { EditingSession } from "./session.ts";

/** Blocks are drawn before they come into sight, from so far away. */
const nearby = "800px";

/**
 * @summary One block of a topic that is being edited: as readers will see it, and while it is chosen with its tools, its source in a field, and
 * a place for another block behind it.
 */
@customElement("colloquy-editor-block")
export class EditorBlock extends LightElement {
  @property({ attribute: false }) session: EditingSession | null = null;
  @property({ attribute: false }) uploads: Uploads | null = null;
  @property({ attribute: false }) block: Block | null = null;
  @property({ attribute: false }) topicId = "";
  /** From 0. */
  @property({ attribute: false }) index = 0;
  @property({ attribute: false }) count = 0;
  /** How its text is rendered: another object when links lead elsewhere. */
  @property({ attribute: false }) options: BlockOptions | null = null;
  @property({ attribute: false }) queue: DrawQueue | null = null;
  /** The block as the page shows it already; taken over instead of being drawn. */
  @property({ attribute: false }) made: Element | null = null;
  @property({ type: Boolean, reflect: true }) chosen = false;
  /** Its source stands in a field. */
  @property({ type: Boolean, reflect: true }) writing = false;
  /** Nothing can be done with it: the draft is only shown. */
  @property({ attribute: false }) still = false;
  @query(".drawn") private drawn!: HTMLElement;
  #sight: IntersectionObserver | null = null;
  #due = false;

  readonly #draw = (): void => {
    if (!this.#due || !this.isConnected) return;
    this.#due = false;
    this.#sight?.disconnect();
    this.queue?.remove(this.#draw);
    const { block, session, drawn, options } = this;
    if (!block || !session || !options) return;
    const parsed = parsedBlock(block);
    drawInto(drawn, parsed.ok ? renderedBlock(parsed.block, session.state.course, options) : renderBrokenBlock(block));
  };

  override disconnectedCallback(): void {
    this.#sight?.disconnect();
    this.queue?.remove(this.#draw);
    if (this.drawn) letGo(this.drawn);
    super.disconnectedCallback();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // A block that was moved stands in the page anew, and what was not drawn yet still has to be.
    if (this.#due) this.#drawSoon();
  }

  /** Goes to its source, or to the block itself. */
  async focusOn(place: "field" | "block", part?: SourcePart): Promise<void> {
    await this.updateComplete;
    if (place === "field" && this.writing) return this.querySelector<BlockField>("colloquy-block-field")?.focusField(part);
    this.focus({ preventScroll: true });
  }

  protected override render() {
    const { block, session, topicId, index, chosen, writing, uploads } = this;
    if (!block || !session) return nothing;
    const { language } = session.state.course.manifest;
    return html`${chosen ? html`<colloquy-block-toolbar .session=${session} .blockId=${block.id}></colloquy-block-toolbar>` : nothing}
      ${writing ? html`<colloquy-block-field .session=${session} .blockId=${block.id} .uploads=${uploads}></colloquy-block-field>` : nothing}
      <div class="drawn" lang=${language} dir=${directionOf(language)} ?hidden=${writing}></div>
      ${chosen ? html`<colloquy-block-insert .session=${session} .topicId=${topicId} .at=${index + 1}></colloquy-block-insert>` : nothing}`;
  }

  protected override willUpdate(): void {
    const { block, index, count, still, chosen } = this;
    if (!block) return;
    this.dataset.blockId = block.id;
    this.role = still ? null : "group";
    this.ariaCurrent = chosen ? "true" : null;
    this.ariaLabel = still ? null : msg("editor.blockOf", { type: typeName(block.type), number: index + 1, all: count });
  }

  protected override updated(changed: PropertyValues<this>): void {
    const { made, drawn } = this;
    if (made && changed.has("made") && !drawn.hasChildNodes()) {
      this.made = null;
      drawn.append(made);
      return;
    }
    if (changed.has("block") || (changed.has("options") && changed.get("options") !== undefined)) this.#due = true;
    if (!this.#due || this.writing) return;
    if (changed.has("writing") || drawn.hasChildNodes()) this.#draw();
    else this.#drawSoon();
  }

  #drawSoon(): void {
    this.queue?.add(this.#draw);
    this.#sight ??= new IntersectionObserver((seen) => seen.some(({ isIntersecting }) => isIntersecting) && this.#draw(), {
      rootMargin: nearby,
    });
    this.#sight.observe(this);
  }
}

/** Whether choosing a block opens its source as well. */
export const opensField = (block: Block): boolean => editableTypes.has(block.type);

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-editor-block": EditorBlock;
  }
}

import type { Block } from "@colloquy/schemas/courses/authored.ts";
import { readQuestionHeader } from "@colloquy/schemas/courses/editing/question-source.ts";
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
import { parsedBlock, renderedBlock, renderInto, stopDrawing } from "./draft-rendering.ts";
import type { BlockField, SourcePart } from "./fields/block-field.ts";
import { editableTypes, typeName } from "./fields/block-types.ts";
import type { Uploads } from "./fields/uploads.ts";
import type { EditingSession } from "./session.ts";

/** Blocks within this distance of the window are drawn before they are visible. */
const nearby = "800px";

/**
 * @summary One block of an edited topic as readers will see it; while it is selected, with a toolbar, a source field and an insert button below.
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
  /** Rendering options; a new object when link targets change. */
  @property({ attribute: false }) options: BlockOptions | null = null;
  @property({ attribute: false }) queue: DrawQueue | null = null;
  /** The published page's element of this block, reused instead of rendering it again. */
  @property({ attribute: false }) reused: Element | null = null;
  @property({ type: Boolean, reflect: true }) chosen = false;
  /** The source field is open. */
  @property({ type: Boolean, reflect: true }) writing = false;
  /** Read-only: the draft is shown without tools. */
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
    renderInto(drawn, parsed.ok ? renderedBlock(parsed.block, session.state.course, options) : renderBrokenBlock(block));
  };

  override disconnectedCallback(): void {
    this.#sight?.disconnect();
    this.queue?.remove(this.#draw);
    if (this.drawn) stopDrawing(this.drawn);
    super.disconnectedCallback();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // Moving a block reconnects it; a pending draw has to be scheduled again.
    if (this.#due) this.#scheduleDraw();
  }

  /** Focuses the source field, or the block itself. */
  async focusOn(place: "field" | "block", part?: SourcePart): Promise<void> {
    await this.updateComplete;
    if (place === "field" && this.writing) return this.querySelector<BlockField>("colloquy-block-field")?.focusField(part);
    this.focus({ preventScroll: true });
  }

  protected override render() {
    const { block, session, topicId, index, chosen, writing, uploads } = this;
    if (!block || !session) return nothing;
    const { language } = session.state.course.manifest;
    const use = questionUse(block);
    return html`${use ? html`<p class="use">${use}</p>` : nothing}${chosen ? html`<colloquy-block-toolbar .session=${session} .blockId=${block.id}></colloquy-block-toolbar>` : nothing}
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
    const { reused, drawn } = this;
    if (reused && changed.has("reused") && !drawn.hasChildNodes()) {
      this.reused = null;
      drawn.append(reused);
      return;
    }
    if (changed.has("block") || (changed.has("options") && changed.get("options") !== undefined)) this.#due = true;
    if (!this.#due || this.writing) return;
    if (changed.has("writing") || drawn.hasChildNodes()) this.#draw();
    else this.#scheduleDraw();
  }

  #scheduleDraw(): void {
    this.queue?.add(this.#draw);
    this.#sight ??= new IntersectionObserver((seen) => seen.some(({ isIntersecting }) => isIntersecting) && this.#draw(), {
      rootMargin: nearby,
    });
    this.#sight.observe(this);
  }
}

/** Where a question is asked, if readers of the page do not see it. */
function questionUse(block: Block): string | null {
  const header = block.type === "core.question" ? readQuestionHeader(block.source) : null;
  if (header?.retired) return msg("questionForm.retiredNoLongerAsked");
  return header?.place === "bank" ? msg("questionForm.onlyAskedByTheTutor") : null;
}

/** Whether selecting a block also opens its source field. */
export const opensField = (block: Block): boolean => editableTypes.has(block.type);

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-editor-block": EditorBlock;
  }
}

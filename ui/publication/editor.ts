import type { Block, Topic } from "@colloquy/schemas/courses/authored.ts";
import { findBlock } from "@colloquy/schemas/courses/editing/edit.ts";
import { html, nothing, type PropertyValues } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { isComposing } from "../controls/keyboard.ts";
import { LightElement } from "../controls/light-element.ts";
import { onChange } from "../controls/subscription.ts";
import { msg } from "../messages/page.ts";
import type { BlockOptions } from "../rendering/blocks.ts";
import type { BlockShownEvent } from "./blocks/events.ts";
import { followBlockDrags, moveKey } from "./blocks/move-block.ts";
import "./block.ts";
import { type EditorBlock, opensField } from "./block.ts";
import { contentsKey, hasPage, type PageId } from "./contents.ts";
import { DrawQueue } from "./draw-queue.ts";
import { editorStyles } from "./editor.styles.ts";
import type { SourcePart } from "./fields/block-field.ts";
import { fieldText } from "./fields/line-ends.ts";
import { sourceOffset } from "./fields/source-place.ts";
import type { Uploads } from "./fields/uploads.ts";
import "./outline/contents-list.ts";
import type { ContentsList } from "./outline/contents-list.ts";
import { PageWantedEvent } from "./outline/events.ts";
import "./page-head.ts";
import { draftOptions } from "./draft-rendering.ts";
import type { EditingSession } from "./session.ts";

/** Where the focus goes once a block is shown. */
export type BlockFocus = "field" | "block";

/**
 * @summary A page of a course's draft in place of the published page: its head, then the blocks of a topic or the contents of a collection or
 * course. One block is selected at a time and shows its toolbar; a text block also shows its source.
 * @event {PageWantedEvent} colloquy-page-wanted
 */
@customElement("colloquy-editor")
export class EditorElement extends LightElement {
  static override lightStyles = [editorStyles];

  @property({ attribute: false }) session: EditingSession | null = null;
  @property({ attribute: false }) uploads: Uploads | null = null;
  @property({ attribute: false }) pageId: PageId = null;
  /** Read-only: the draft is shown without tools. */
  @property({ type: Boolean, reflect: true }) still = false;
  /** Elements of the published page whose blocks are unchanged in the draft, by block id. */
  @property({ attribute: false }) reusable: Map<string, Element> = new Map();
  @state() private chosen: string | null = null;
  /** Whether the source field of the selected block is open. */
  @state() private writing = false;
  @query(".blocks") private list!: HTMLElement | null;
  readonly #queue = new DrawQueue();
  #options: { key: string; assets: unknown; options: BlockOptions } | null = null;
  #endDrag: (() => void) | null = null;
  /** Whether the pressed block had its field when the first press of a double click began. */
  #wasWriting = false;

  constructor() {
    super();
    onChange(this, () => this.session);
    this.addEventListener("mousedown", (event) => this.#keepFocus(event));
    this.addEventListener("click", (event) => this.#clicked(event));
    this.addEventListener("keydown", (event) => this.#pressed(event));
    this.addEventListener(
      "colloquy-block-shown",
      ({ topicId, blockId, focus, words }: BlockShownEvent) => void this.showBlock(topicId, blockId, focus, words),
    );
  }

  override disconnectedCallback(): void {
    this.#endDrag?.();
    this.#endDrag = null;
    super.disconnectedCallback();
  }

  get topic(): Topic | null {
    return this.session?.state.course.topics.find(({ id }) => id === this.pageId) ?? null;
  }

  /** Selects a block on its page and focuses it. @param part a line or a range of its source to select */
  async showBlock(topicId: string, blockId: string, focus: BlockFocus, part?: SourcePart): Promise<void> {
    if (topicId !== this.pageId) this.dispatchEvent(new PageWantedEvent(topicId));
    const block = this.topic?.blocks.find(({ id }) => id === blockId);
    if (!block) return;
    this.chosen = blockId;
    this.writing = focus === "field";
    await this.updateComplete;
    const element = this.#elementOf(blockId);
    if (!element) return;
    await element.focusOn(focus, part);
    if (typeof part !== "number") element.scrollIntoView({ block: "nearest" });
  }

  /** Selects an entry of the contents list. @returns false if the shown page does not contain it */
  showEntry(id: string): boolean {
    return this.querySelector<ContentsList>("colloquy-contents-list")?.goTo(id) ?? false;
  }

  /** Deselects the block; focus inside it moves to the block itself. */
  deselectBlock(): void {
    const element = this.chosen === null ? null : this.#elementOf(this.chosen);
    const within = element?.contains(document.activeElement);
    this.chosen = null;
    this.writing = false;
    if (within) void this.updateComplete.then(() => element?.focus({ preventScroll: true }));
  }

  /** Deselects the block or entry. @returns whether one was selected */
  deselect(): boolean {
    if (this.chosen === null) return this.querySelector<ContentsList>("colloquy-contents-list")?.close() ?? false;
    this.deselectBlock();
    return true;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("pageId") || (changed.has("still") && this.still)) {
      this.chosen = null;
      this.writing = false;
    }
    if (this.chosen !== null && !this.topic?.blocks.some(({ id }) => id === this.chosen)) {
      this.chosen = null;
      this.writing = false;
    }
  }

  protected override render() {
    const { session, topic, pageId, still } = this;
    if (!session) return nothing;
    return html`<colloquy-page-head .session=${session} .pageId=${pageId} .still=${still}></colloquy-page-head>
      ${topic ? this.#blocks(session, topic) : hasPage(session.state.course, pageId) ? html`<colloquy-contents-list .session=${session} .shown=${pageId} .still=${still}></colloquy-contents-list>` : nothing}`;
  }

  #blocks(session: EditingSession, { id: topicId, blocks }: Topic) {
    const { chosen, writing, still, uploads, reusable } = this;
    const options = this.#optionsOf(session);
    const stop = chosen ?? blocks[0]?.id;
    return html`<div class="blocks prose text" role="group" aria-label=${msg("editor.textOfThePage")}>${repeat(
      blocks,
      ({ id }) => id,
      (
        block,
        index,
      ) => html`<colloquy-editor-block tabindex=${still ? nothing : block.id === stop ? "0" : "-1"} .session=${session} .uploads=${uploads} .block=${block}
        .topicId=${topicId} .index=${index} .count=${blocks.length} .options=${options} .queue=${this.#queue} .reused=${this.#takeReusable(block, reusable)}
        ?chosen=${block.id === chosen} ?writing=${writing && block.id === chosen} .still=${still}></colloquy-editor-block>`,
    )}</div>
    ${still ? nothing : html`<colloquy-block-insert class="at-end" .session=${session} .topicId=${topicId} .at=${blocks.length}></colloquy-block-insert>`}`;
  }

  /** The reusable element of a block; each is handed out once. */
  #takeReusable(block: Block, reusable: Map<string, Element>): Element | null {
    const element = reusable.get(block.id) ?? null;
    if (element) reusable.delete(block.id);
    return element;
  }

  /** The same object as long as link and image targets are unchanged. */
  #optionsOf({ state: { course } }: EditingSession): BlockOptions {
    const key = contentsKey(course);
    if (this.#options?.key !== key || this.#options.assets !== course.assets)
      this.#options = { key, assets: course.assets, options: draftOptions(course) };
    return this.#options.options;
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (!changed.has("session") && !changed.has("pageId") && !changed.has("still")) return;
    this.#endDrag?.();
    this.#endDrag = this.list && this.session && !this.still ? followBlockDrags(this.list, this.session) : null;
  }

  #elementOf(blockId: string): EditorBlock | null {
    return this.querySelector<EditorBlock>(`[data-block-id="${CSS.escape(blockId)}"]`);
  }

  /** The first press of a double click opens the field; its second press must not move focus out of that field. */
  #keepFocus(event: MouseEvent): void {
    const element = event.target instanceof Element ? event.target.closest<EditorBlock>("colloquy-editor-block") : null;
    const writing = element?.writing ?? false;
    if (event.detail < 2) this.#wasWriting = writing;
    else if (writing && !this.#wasWriting) event.preventDefault();
  }

  #clicked(event: MouseEvent): void {
    const target = event.target instanceof Element ? event.target : null;
    const element = target?.closest<EditorBlock>("colloquy-editor-block");
    const { block } = element ?? {};
    if (this.still || !target?.closest(".drawn") || !element || !block || !this.topic) return;
    const link = target.closest("a[href]");
    // A modified click opens the link in a new tab; a plain click edits the text.
    if (link && (event.ctrlKey || event.metaKey || event.shiftKey)) return;
    if (link) {
      event.preventDefault();
      event.stopPropagation();
    }
    // Clicks on disclosures and buttons, and text selection, do not start editing.
    if (target.closest("summary, button, input, select, textarea, label") || getSelection()?.isCollapsed === false) return;
    const drawn = target.closest(".drawn");
    const point = drawn && document.caretPositionFromPoint?.(event.clientX, event.clientY);
    const offset =
      point && drawn.contains(point.offsetNode) ? sourceOffset(drawn, point.offsetNode, point.offset, fieldText(block.source)) : null;
    const caret = offset === null || offset === undefined ? undefined : ([offset, offset] as const);
    void this.showBlock(this.topic.id, block.id, opensField(block) ? "field" : "block", caret);
  }

  #pressed(event: KeyboardEvent): void {
    const { session, topic } = this;
    const element = event.target instanceof Element ? event.target.closest<EditorBlock>("colloquy-editor-block") : null;
    const { block } = element ?? {};
    if (!session || !topic || !element || !block || event.defaultPrevented || isComposing(event)) return;
    const isField = event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLInputElement;
    if (event.key === "Escape" && element.chosen && document.querySelector(":popover-open") === null) {
      this.deselectBlock();
    } else if (event.target !== element && (isField || event.key !== "Escape")) {
      return;
    } else if (moveKey(element, session, block.id, event)) {
      return;
    } else if (event.key === "Enter" || event.key === " " || event.key === "F2") {
      // The focus stays on a block without a field, so that a second press does nothing: its tools are the next stop of the tab key.
      void this.showBlock(topic.id, block.id, opensField(block) ? "field" : "block");
    } else {
      const to = this.#nextIndex(event, topic, block.id);
      if (to === null) return;
      this.#elementOf(topic.blocks[to]?.id ?? "")?.focus();
    }
    event.preventDefault();
    event.stopPropagation();
  }

  #nextIndex({ key, ctrlKey, altKey, metaKey }: KeyboardEvent, { blocks }: Topic, blockId: string): number | null {
    if (ctrlKey || altKey || metaKey) return null;
    const at = blocks.findIndex(({ id }) => id === blockId);
    if (key === "ArrowDown") return Math.min(at + 1, blocks.length - 1);
    if (key === "ArrowUp") return Math.max(at - 1, 0);
    if (key === "Home") return 0;
    return key === "End" ? blocks.length - 1 : null;
  }
}

/** Finds the page, and the block if one is named, of a place in the draft. */
export function findPlace(
  session: EditingSession,
  place: { topicId?: string; blockId?: string } | undefined,
): { topicId: string; blockId?: string } | null {
  const { course } = session.state;
  const found = place?.blockId === undefined ? null : findBlock(course, place.blockId);
  if (found) return { topicId: found.topic.id, blockId: found.block.id };
  const page = [...course.topics, ...course.collections].find(({ id }) => id === place?.topicId);
  return page ? { topicId: page.id } : null;
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-editor": EditorElement;
  }
}

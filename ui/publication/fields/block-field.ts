import type { Block } from "@colloquy/schemas/courses/authored.ts";
import type { SourceError } from "@colloquy/schemas/courses/blocks.ts";
import { editBlockSource, findBlock } from "@colloquy/schemas/courses/editing/edit.ts";
import { bodyStart, readQuestionHeader, withPart } from "@colloquy/schemas/courses/editing/question-source.ts";
import { directionOf } from "@colloquy/schemas/languages.ts";
import { html, nothing, type PropertyValues } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { growWithText, replaceText } from "../../composer/field.ts";
import { isComposing } from "../../controls/keyboard.ts";
import { LightElement } from "../../controls/light-element.ts";
import { Subscription } from "../../controls/subscription.ts";
import { msg } from "../../messages/page.ts";
import { moveKey } from "../blocks/move-block.ts";
import { parsedBlock, renderedBlock, renderInto, stopDrawing } from "../draft-rendering.ts";
import { pickPage } from "../outline/page-picker.ts";
import { remarkText } from "../remark-text.ts";
import type { EditingSession } from "../session.ts";
import { blockErrors } from "./block-errors.ts";
import { blockFieldStyles } from "./block-field.styles.ts";
import { editableTypes, typeName } from "./block-types.ts";
import { blockWarnings, formulaWarnings, type Warning } from "./block-warnings.ts";
import { helperBar, helperOf } from "./helper-bar.ts";
import { fieldText, sourceFromField, textDifference } from "./line-ends.ts";
import { applyHelper, type Change, continueList, type Helper, linkTo } from "./markdown-helpers.ts";
import { PreviewScheduler } from "./preview-scheduler.ts";
import "./question-form.ts";
import type { PartWantedEvent, QuestionForm } from "./question-form.ts";
import { PicturePlacedEvent, type Uploads } from "./uploads.ts";

/** A part of a source: a line from 1, or a range. */
export type SourcePart = number | readonly [number, number];

/** A field lost focus: its content should be saved now. */
export class FieldLeftEvent extends Event {
  static readonly type = "colloquy-field-left";
  constructor() {
    super(FieldLeftEvent.type, { bubbles: true, composed: true });
  }
}

/**
 * @summary A field for the source of one block, with Markdown helpers, a preview and errors by line. Typing is applied to the session at once
 * and is never written back into the field. The header of a question is shown as a form instead of text.
 * @event {FieldLeftEvent} colloquy-field-left
 * @event {AnnounceEvent} colloquy-announce
 */
@customElement("colloquy-block-field")
export class BlockField extends LightElement {
  static override lightStyles = [blockFieldStyles];

  @property({ attribute: false }) session: EditingSession | null = null;
  @property() blockId = "";
  /** Uploads pictures; null hides the picture button. */
  @property({ attribute: false }) uploads: Uploads | null = null;
  @state() private errors: readonly SourceError[] = [];
  @state() private warnings: readonly Warning[] = [];
  /** The preview shows the last version without errors. */
  @state() private stale = false;
  @state() private aimed = false;
  @query("textarea") private field!: HTMLTextAreaElement | null;
  @query(".preview") private preview!: HTMLElement | null;
  @query("input[type=file]") private chooser!: HTMLInputElement | null;
  #composing = false;
  /** A form shows the header of the source: the field has the rest. */
  #hasForm = false;
  /** The selection when a picture was added. While it is unchanged, the picture's description may be selected. */
  #pictureCaret: readonly [number, number] | null = null;
  readonly #preview = new PreviewScheduler(() => this.#draw());

  constructor() {
    super();
    new Subscription(
      this,
      () => this.session,
      (session) => listen(session, () => this.#onCourseChange()),
    );
    new Subscription(
      this,
      () => this.uploads,
      (uploads) => {
        const placed = (event: Event) => event instanceof PicturePlacedEvent && this.#selectDescription(event);
        uploads.addEventListener(PicturePlacedEvent.type, placed);
        const deaf = listen(uploads, () => this.requestUpdate());
        return () => {
          uploads.removeEventListener(PicturePlacedEvent.type, placed);
          deaf();
        };
      },
    );
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // Moving a block reconnects it.
    if (this.hasUpdated) this.#preview.schedule();
  }

  override disconnectedCallback(): void {
    this.#preview.cancel();
    if (this.preview) stopDrawing(this.preview);
    super.disconnectedCallback();
  }

  /** Focuses the field and selects a range, a line, or words of a line. A line of the header focuses its field in the form. */
  async focusField(part?: SourcePart, words?: string, from = 0): Promise<void> {
    await this.updateComplete;
    const { field } = this;
    if (!field) return;
    const header = fieldText(this.#block?.source ?? "").slice(0, this.#formLength);
    // Before the focus, which brings the caret into view.
    if (part !== undefined && typeof part !== "number")
      field.setSelectionRange(...(part.map((at) => Math.max(at - header.length, 0)) as [number, number]));
    const line = typeof part === "number" ? part - this.#formLines : 0;
    if (typeof part === "number" && line <= 0) {
      const key = header.split("\n")[part - 1]?.split(":")[0] ?? "";
      return this.querySelector<QuestionForm>("colloquy-question-form")?.focusField(key);
    }
    field.focus({ preventScroll: typeof part === "number" });
    if (typeof part !== "number") return;
    const lines = field.value.split("\n");
    const start = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    const text = lines[line - 1] ?? "";
    const at = words ? text.indexOf(words, from) : -1;
    field.setSelectionRange(start + Math.max(at, 0), start + (words && at >= 0 ? at + words.length : text.length));
    const mark = this.querySelector(`.marks [data-line="${line}"]`) ?? field;
    mark.scrollIntoView({ block: "center" });
  }

  get #block() {
    return (this.session && findBlock(this.session.state.course, this.blockId)?.block) ?? null;
  }

  /** How much of the source, with the line ends of a field, is shown by a form. */
  get #formLength(): number {
    return this.#hasForm ? bodyStart(fieldText(this.#block?.source ?? "")) : 0;
  }

  get #formLines(): number {
    return (
      fieldText(this.#block?.source ?? "")
        .slice(0, this.#formLength)
        .split("\n").length - 1
    );
  }

  /** The text that the field shows of a block. */
  #shownOf(block: Block | null): string {
    const source = fieldText(block?.source ?? "");
    this.#hasForm = block?.type === "core.question" && readQuestionHeader(source) !== null;
    return source.slice(this.#formLength);
  }

  protected override render() {
    const { session, uploads } = this;
    const block = this.#block;
    if (!session || !block) return nothing;
    const { language } = session.state.course.manifest;
    const marksDown = editableTypes.has(block.type);
    const name = typeName(block.type);
    const notes = this.errors.length + this.warnings.length > 0;
    const formed = block.type === "core.question";
    return html`<div class="box">
      ${formed ? html`<colloquy-question-form .session=${session} .blockId=${block.id} @colloquy-part-wanted=${this.#addPart}></colloquy-question-form>` : nothing}
      ${
        marksDown
          ? helperBar(
              (helper) => this.#help(helper),
              () => void this.#linkPage(),
              uploads && (() => this.chooser?.click()),
            )
          : nothing
      }
      <div class="halves"><div class="source ${this.aimed ? "aimed" : ""}">${notes ? this.#marks() : nothing}
        <textarea rows="1" spellcheck=${marksDown} autocapitalize="sentences" lang=${language} dir="auto" aria-label=${msg("editor.source", { type: name })}
          aria-invalid=${this.errors.length > 0} aria-describedby=${notes ? `${this.blockId}-errors` : nothing}
          @input=${this.#typed} @compositionstart=${() => (this.#composing = true)} @compositionend=${this.#composed} @keydown=${this.#pressed}
          @blur=${this.#left} @paste=${this.#pasted} @dragover=${this.#draggedOver} @dragleave=${() => (this.aimed = false)} @drop=${this.#dropped}></textarea></div>
        ${notes ? this.#errorList() : nothing}
        <div class="shown">${this.stale ? html`<p class="stale">${this.preview?.hasChildNodes() ? msg("editor.beforeError") : msg("editor.previewAppearsWhenErrorFixed")}</p>` : nothing}
          <div class="preview prose" role="group" aria-label=${msg("editor.preview")} lang=${language} dir=${directionOf(language)} @click=${stayHere}></div></div></div>
      ${uploadRows(uploads, this.blockId)}</div>
      ${marksDown && uploads ? html`<input type="file" accept="image/*" multiple hidden @change=${this.#chosen} />` : nothing}`;
  }

  /** A copy of the text behind the field, invisible except for marked lines, which wrap as in the field. */
  #marks() {
    const sign = new Map(this.warnings.map(({ line }) => [line, "warning"]));
    for (const { line } of this.errors) sign.set(line, "error");
    const above = this.#formLines;
    const runs: { from: number; lines: string[]; sign: string | undefined }[] = [];
    for (const [index, text] of (this.field?.value ?? "").split("\n").entries()) {
      const last = runs.at(-1);
      const line = above + index + 1;
      if (last && !last.sign && !sign.has(line)) last.lines.push(text);
      else runs.push({ from: index + 1, lines: [text], sign: sign.get(line) });
    }
    // A zero-width space gives an empty last line its height.
    return html`<div class="marks" aria-hidden="true">${runs.map(({ from, lines, sign: marked }) => {
      const text = `${lines.join("\n")}\u200b`;
      return marked ? html`<mark class=${marked} data-line=${from} dir="auto">${text}</mark>` : html`<div dir="auto">${text}</div>`;
    })}</div>`;
  }

  #errorList() {
    // Lines are counted as the field shows them; the form has those above.
    const above = this.#formLines;
    const place = (line: number) => (line > above ? html`<b>${msg("editor.line", { line: line - above })}</b>` : nothing);
    return html`<ul class="errors" id=${`${this.blockId}-errors`}>${this.errors.map(
      (error) =>
        html`<li><button type="button" @click=${() => void this.focusField(error.line)}>${place(error.line)}<span>${remarkText(error)}</span></button></li>`,
    )}${this.warnings.map(
      ({ line, message, words, at }) =>
        html`<li class="warning"><button type="button" @click=${() => void this.focusField(line, words, at)}>${place(line)}<span>${message}</span></button></li>`,
    )}</ul>`;
  }

  protected override updated(changed: PropertyValues<this>): void {
    const { field } = this;
    if (!field || !(changed.has("blockId") || changed.has("session"))) return;
    field.value = this.#shownOf(this.#block);
    growWithText(field);
    this.#preview.drawNow();
  }

  /** Writes changes from elsewhere (undo, uploads) into the field; only the difference, so that the caret stays. */
  #onCourseChange(): void {
    const { field } = this;
    const block = this.#block;
    if (!field || !block) return;
    const shown = this.#shownOf(block);
    const stood = this.#caretUnmoved;
    if (!this.#composing && field.value !== shown) {
      const { start, end, text } = textDifference(field.value, shown);
      if (document.activeElement === field) this.#writeOver({ start, end, text, select: caretAfter(field, start, end, text) });
      else field.setRangeText(text, start, end, "preserve");
      growWithText(field);
      if (stood) this.#pictureCaret = [field.selectionStart, field.selectionEnd];
    }
    this.#preview.schedule();
  }

  /** Whether the caret is still where a picture was added. */
  get #caretUnmoved(): boolean {
    const { field } = this;
    const [start, end] = this.#pictureCaret ?? [];
    return document.activeElement === field && field?.selectionStart === start && field?.selectionEnd === end && !this.#composing;
  }

  /** Selects the placeholder of a picture's description, unless the author has moved on. */
  #selectDescription({ blockId, description: [start, end] }: PicturePlacedEvent): void {
    if (blockId !== this.blockId || !this.#caretUnmoved) return;
    this.#pictureCaret = null;
    this.field?.setSelectionRange(start, end);
  }

  /** Applies the field's content to the session. */
  #commit(): void {
    const { field, session, blockId } = this;
    const source = this.#block?.source;
    if (!field || !session || source === undefined) return;
    const start = this.#hasForm ? bodyStart(source) : 0;
    const written = source.slice(0, start) + sourceFromField(source.slice(start), field.value);
    if (written === source) return;
    session.apply({ label: msg("editor.typing"), coalesce: `source ${blockId}`, place: { blockId } }, (course) =>
      editBlockSource(course, blockId, written),
    );
  }

  readonly #typed = (): void => {
    this.#pictureCaret = null;
    if (this.field) growWithText(this.field);
    if (!this.#composing) this.#commit();
  };

  readonly #composed = (): void => {
    this.#composing = false;
    this.#commit();
  };

  readonly #left = (): void => {
    this.#composing = false;
    this.#commit();
    this.dispatchEvent(new FieldLeftEvent());
  };

  readonly #pressed = (event: KeyboardEvent): void => {
    if (isComposing(event) || this.#composing || !this.session) return;
    if (moveKey(this, this.session, this.blockId, event)) return;
    const marksDown = editableTypes.has(this.#block?.type ?? "core.code");
    const helper = marksDown ? helperOf(event) : null;
    const list = marksDown && event.key === "Enter" && !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey;
    const change = list ? continueList(this.#selected()) : null;
    if (helper) this.#help(helper);
    else if (change) this.#writeOver(change);
    else return;
    event.preventDefault();
  };

  #selected() {
    const { value = "", selectionStart = 0, selectionEnd = 0 } = this.field ?? {};
    return { value, start: selectionStart, end: selectionEnd };
  }

  #help(helper: Helper): void {
    this.#writeOver(applyHelper(helper, this.#selected(), { text: msg("editor.text2"), address: "https://" }));
  }

  /** Adds a part to a question and selects its words. A gap is made of the selected words. */
  readonly #addPart = ({ part }: PartWantedEvent): void => {
    const { field, session, blockId } = this;
    const source = this.#block?.source;
    if (!field || !session || source === undefined) return;
    const { value, start, end } = this.#selected();
    if (part === "answer" && readQuestionHeader(source)?.kind === "gap" && end > start) {
      field.focus({ preventScroll: true });
      this.#writeOver({ start, end, text: `[[${value.slice(start, end)}]]`, select: [start + 2, end + 2] });
      return;
    }
    const added = withPart(fieldText(source), part);
    if (!added) return;
    session.apply({ label: msg("questionForm.partAdded"), place: { blockId } }, (course) => editBlockSource(course, blockId, added.source));
    void this.focusField(added.select);
  };

  /** Inserts a link to a page that is chosen by its title. */
  async #linkPage(): Promise<void> {
    const { session, field } = this;
    if (!session || !field) return;
    const selected = this.#selected();
    field.focus({ preventScroll: true });
    const { course } = session.state;
    const topicId = await pickPage(course, { label: msg("editor.linkPageCourse"), without: "" });
    const title = course.topics.find(({ id }) => id === topicId)?.title;
    if (topicId && title !== undefined) this.#writeOver(linkTo(selected, `topic:${topicId}`, title));
  }

  /** Replaces text as typing would, so that the browser's own undo works. */
  #writeOver({ start, end, text, select }: Change): void {
    const { field } = this;
    if (!field) return;
    replaceText(field, start, end, text);
    field.setSelectionRange(...select);
    this.#commit();
  }

  readonly #pasted = (event: ClipboardEvent): void => {
    // Copied tables and texts include an image of themselves: paste the text.
    if (event.clipboardData?.types.includes("text/plain")) return;
    this.#addPictures(
      event,
      [...(event.clipboardData?.files ?? [])].filter(({ type }) => type.startsWith("image/")),
      this.field?.selectionStart ?? 0,
    );
  };

  readonly #draggedOver = (event: DragEvent): void => {
    if (!this.uploads || !event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "copy";
    this.aimed = true;
  };

  readonly #dropped = (event: DragEvent): void => {
    this.aimed = false;
    // Other files are also handled, and rejected with a message: the browser would navigate to them.
    if (this.field) this.#addPictures(event, [...(event.dataTransfer?.files ?? [])], placeUnder(this.field, event));
  };

  readonly #chosen = (): void => {
    const files = [...(this.chooser?.files ?? [])];
    if (this.chooser) this.chooser.value = "";
    this.#addPictures(null, files, this.field?.selectionStart ?? 0);
    this.field?.focus({ preventScroll: true });
  };

  #addPictures(event: Event | null, files: readonly File[], at: number): void {
    if (!this.uploads || !files.length) return;
    event?.preventDefault();
    this.#pictureCaret = this.field && [this.field.selectionStart, this.field.selectionEnd];
    for (const file of files) this.uploads.add(file, this.blockId, at);
  }

  /** Collects warnings. Formulas are skipped if their renderer does not load. */
  async #warn(block: Block): Promise<void> {
    const own = blockWarnings(block);
    const formulas = await formulaWarnings(block).catch(() => []);
    if (this.#block === block) this.warnings = [...own, ...formulas].sort((one, other) => one.line - other.line);
  }

  #draw(): void {
    const { session, preview } = this;
    const block = this.#block;
    if (!session || !preview || !block) return;
    const { course } = session.state;
    this.errors = blockErrors(course, this.blockId);
    void this.#warn(block);
    const parsed = parsedBlock(block);
    this.stale = !parsed.ok;
    // Ids must be unique on the page.
    if (parsed.ok) renderInto(preview, renderedBlock({ ...parsed.block, id: `${block.id}-preview` }, course));
  }
}

/** The selection after a change from elsewhere. */
function caretAfter({ selectionStart, selectionEnd }: HTMLTextAreaElement, start: number, end: number, text: string): [number, number] {
  // Text inserted at the caret goes before it, as with pasting.
  const moved = (at: number): number =>
    at < start || (at === start && end > start) ? at : at >= end ? at + text.length - (end - start) : start + text.length;
  return [moved(selectionStart), moved(selectionEnd)];
}

/** Links of the preview are not followed. */
function stayHere(event: MouseEvent): void {
  const link = event.target instanceof Element && event.target.closest("a[href]");
  if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) event.preventDefault();
}

/** Running and failed uploads of a block. */
function uploadRows(uploads: Uploads | null, blockId: string) {
  const own = uploads?.list.filter((upload) => upload.blockId === blockId) ?? [];
  if (!uploads || !own.length) return nothing;
  return html`<ul class="uploads" aria-label=${msg("editor.uploadingPictures")}>${own.map(({ id, name, progress, problem }) =>
    problem === null
      ? html`<li><span>${msg("editor.sending", { name })}</span><progress max="1" .value=${progress} aria-label=${msg("editor.sending", { name })}></progress>
          <button type="button" @click=${() => uploads.dismiss(id)}>${msg("common.stop")}</button></li>`
      : html`<li><span class="failed" role="alert">${problem}</span><button type="button" @click=${() => uploads.retry(id)}>${msg("common.tryAgain")}</button>
          <button type="button" @click=${() => uploads.dismiss(id)}>${msg("editor.dismiss")}</button></li>`,
  )}</ul>`;
}

/** The index in a field's text under the pointer; its caret if the browser cannot tell. */
function placeUnder(field: HTMLTextAreaElement, { clientX, clientY }: { clientX: number; clientY: number }): number {
  const under = document.caretPositionFromPoint?.(clientX, clientY);
  return under?.offsetNode === field ? under.offset : field.selectionStart;
}

function listen(target: EventTarget, heard: () => void): () => void {
  target.addEventListener("change", heard);
  return () => target.removeEventListener("change", heard);
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-block-field": BlockField;
  }
  interface GlobalEventHandlersEventMap {
    "colloquy-field-left": FieldLeftEvent;
  }
}

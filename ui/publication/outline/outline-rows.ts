import { containerOf, within } from "@colloquy/schemas/courses/editing/edit.ts";
import { walkCourse } from "@colloquy/schemas/courses/walk.ts";
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, query, state } from "lit/decorators.js";
import { icons } from "../../controls/icons.ts";
import { isComposing } from "../../controls/keyboard.ts";
import { LightElement } from "../../controls/light-element.ts";
import { onChange } from "../../controls/subscription.ts";
import { msg } from "../../messages/page.ts";
import { hasPage, type PageId } from "../contents.ts";
import { followDrags } from "../drag.ts";
import { editorIcons } from "../icons.ts";
import type { EditingSession } from "../session.ts";
import { add, containersFor, courseItself, moveBy, moveIn, moveInto, moveOut, moveTo, remove, titleOf } from "./outline-actions.ts";
import { dropTarget } from "./outline-drop.ts";
import { pick } from "./page-picker.ts";

/** A page or part with its place in the outline. */
export interface Row {
  /** Null for the course itself. */
  id: PageId;
  kind: "course" | "topic" | "collection";
  title: string;
  summary: string | undefined;
  /** Depth from 0. */
  depth: number;
  held: number;
}

/**
 * Base of the outline elements: rows of pages and parts, one selected, that can be moved, added and deleted. Arrow keys select; Alt+arrow moves
 * up, down, into the preceding part or out of the part, as does dragging by the handle. Each row has its id as `data-id`.
 */
export abstract class OutlineRows extends LightElement {
  @property({ attribute: false }) session: EditingSession | null = null;
  @state() protected chosen: PageId = null;

  @query('[role="tree"], .entries') private list!: HTMLElement | null;
  #followed: HTMLElement | null = null;
  #endDrag: (() => void) | null = null;

  constructor() {
    super();
    onChange(this, () => this.session);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.hasUpdated) this.requestUpdate();
  }

  override disconnectedCallback(): void {
    this.#follow(null);
    super.disconnectedCallback();
  }

  protected override updated(_changed: PropertyValues): void {
    this.#follow(this.isConnected ? this.list : null);
  }

  /** Indent per level, in pixels. */
  protected abstract readonly step: number;
  /** The container whose contents are shown; null for the course. */
  protected abstract get shown(): PageId;
  protected abstract get rows(): Row[];
  /** Announces to screen readers. */
  protected abstract say(words: string): void;
  /** Focuses the title field of the selected row. */
  protected abstract describe(): Promise<void>;
  /** Enter on the selected row. */
  protected abstract enter(): void;

  /** All descendants of the shown container. */
  protected get rowsBelow(): Row[] {
    const { session, shown } = this;
    if (!session) return [];
    const { course } = session.state;
    const rows: Row[] = [];
    for (const { kind, id, node, above } of walkCourse({ ...course, root: course.manifest.root })) {
      const from = shown === null ? 0 : above.findIndex((part) => part.id === shown) + 1;
      if (shown !== null && from === 0) continue;
      const { title, summary } = node;
      rows.push({ id, kind, title, summary, depth: above.length - from, held: "children" in node ? node.children.length : 0 });
    }
    return rows;
  }

  protected rowOf(id: PageId): HTMLElement | null {
    return this.querySelector<HTMLElement>(`[data-id="${CSS.escape(id ?? courseItself)}"]`);
  }

  protected choose(id: PageId): void {
    this.chosen = id;
    this.focusRow();
  }

  protected focusRow(): void {
    void this.updateComplete.then(() => {
      const row = this.rowOf(this.chosen);
      row?.focus({ preventScroll: true });
      row?.scrollIntoView({ block: "nearest" });
    });
  }

  protected override willUpdate(_changed: PropertyValues): void {
    const course = this.session?.state.course;
    if (course && this.chosen !== null && !hasPage(course, this.chosen)) this.chosen = null;
  }

  /** The drag handle. */
  protected readonly grip = html`<span class="grip" aria-hidden="true">${editorIcons.grip}</span>`;

  /** Enables dragging: vertically to another place, horizontally into parts and out of them. */
  #follow(list: HTMLElement | null): void {
    if (list === this.#followed) return;
    this.#endDrag?.();
    this.#followed = list;
    const item = "[data-id]";
    const held = ({ dataset: { id } }: HTMLElement): Set<string> =>
      id && this.session ? within(this.session.state.course, id) : new Set();
    const aim = (row: HTMLElement, place: number, aside: number) => {
      const moved = held(row);
      const { depth } = this.rows.find(({ id }) => id === row.dataset.id) ?? { depth: 0 };
      const rest = this.rows.filter(({ id }) => id === null || !moved.has(id));
      const whole = rest[0]?.id === null && this.shown === null;
      const below = whole ? rest : [{ id: this.shown, kind: "course" as const, depth: -1 }, ...rest];
      return dropTarget(below, whole ? place : place + 1, depth + Math.round(aside / this.step));
    };
    this.#endDrag =
      list &&
      followDrags({
        list,
        item,
        grip: ".grip",
        ...(getComputedStyle(list).overflowY === "auto" && { scroller: list }),
        others(row) {
          const moved = held(row);
          return [...list.querySelectorAll<HTMLElement>(item)].filter(({ dataset }) => !moved.has(dataset.id ?? ""));
        },
        inset: (row, place, aside) => Math.max(aim(row, place, aside).depth, 0) * this.step,
        drop: (_grip, row, place, aside) => {
          const { container, to } = aim(row, place, aside);
          const { id } = row.dataset;
          if (!this.session || !id) return;
          const words = moveTo(this.session, id, container, to);
          if (words) this.say(words);
          this.choose(id);
        },
      });
  }

  /** The buttons for the selected row. */
  protected actions(): TemplateResult {
    const none = this.chosen === null ? "true" : nothing;
    const by = (step: number) => () => this.#do((session, id) => moveBy(session, id, step));
    return html`<button type="button" aria-label=${msg("editor.moveUp")} title=${msg("editor.moveUp")} aria-disabled=${none} @click=${by(-1)}>${editorIcons.up}</button>
      <button type="button" aria-label=${msg("editor.moveDown")} title=${msg("editor.moveDown")} aria-disabled=${none} @click=${by(1)}>${editorIcons.down}</button>
      <button type="button" aria-disabled=${none} aria-haspopup="dialog" @click=${() => void this.#moveAway()}>${msg("editor.moveTo")}</button>
      <button type="button" @click=${() => this.add("topic")}>${icons.add}${msg("controls.page")}</button>
      <button type="button" @click=${() => this.add("collection")}>${icons.add}${msg("controls.part")}</button>
      <button type="button" class="delete" aria-disabled=${none} @click=${() => this.#remove()}>${msg("editor.delete")}</button>`;
  }

  /** Adds a page or part: in the given part or after the given page. */
  protected add(kind: "topic" | "collection", near: PageId = this.chosen ?? this.shown): void {
    if (!this.session) return;
    this.chosen = add(this.session, kind, near);
    const { course } = this.session.state;
    const into = { title: titleOf(course, containerOf(course, this.chosen) ?? null) };
    this.say(kind === "topic" ? msg("editor.pageAddedWriteTitle", into) : msg("editor.partAddedWriteTitle", into));
    void this.updateComplete.then(async () => {
      this.rowOf(this.chosen)?.scrollIntoView({ block: "nearest" });
      await this.describe();
      const { activeElement } = document;
      if (activeElement instanceof HTMLTextAreaElement) activeElement.select();
    });
  }

  /** Keyboard handling of a row. */
  protected readonly pressed = (event: KeyboardEvent): void => {
    if (isComposing(event) || event.ctrlKey || event.metaKey) return;
    const { rows } = this;
    const at = rows.findIndex(({ id }) => id === this.chosen);
    const rtl = getComputedStyle(this).direction === "rtl";
    const [into, out] = rtl ? ["ArrowLeft", "ArrowRight"] : ["ArrowRight", "ArrowLeft"];
    const { key } = event;
    const goTo = (row: Row | undefined): void => row && this.choose(row.id);
    if (event.altKey) {
      if (key === "ArrowUp" || key === "ArrowDown") this.#do((session, id) => moveBy(session, id, key === "ArrowUp" ? -1 : 1));
      else if (key === into) this.#do(moveIn);
      else if (key === out) this.#do(moveOut);
      else return;
    } else if (key === "ArrowUp" || key === "ArrowDown") goTo(rows[at + (key === "ArrowUp" ? -1 : 1)]);
    else if (key === "Home") goTo(rows[0]);
    else if (key === "End") goTo(rows.at(-1));
    else if (key === "Delete") this.#remove();
    else if (key === "F2") void this.describe();
    else if (key === "Enter") this.enter();
    else if (key.length === 1 && key !== " ") {
      const starts = ({ title }: Row) => title.toLowerCase().startsWith(key.toLowerCase());
      goTo([...rows.slice(at + 1), ...rows].find(starts));
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };

  #do(act: (session: EditingSession, id: string) => string | null): void {
    const { session, chosen } = this;
    if (!session || chosen === null) return;
    const focused = document.activeElement;
    const words = act(session, chosen);
    if (words) this.say(words);
    void this.updateComplete.then(() => {
      if (focused instanceof HTMLElement && focused.isConnected && focused !== document.activeElement)
        focused.focus({ preventScroll: true });
      const row = this.rowOf(chosen);
      if (row) row.scrollIntoView({ block: "nearest" });
      else this.choose(null);
    });
  }

  #remove(): void {
    const { session, chosen } = this;
    if (!session || chosen === null) return;
    const { words, next, done } = remove(session, chosen);
    this.say(words);
    if (done) this.choose(next);
  }

  async #moveAway(): Promise<void> {
    const { session, chosen } = this;
    if (!session || chosen === null) return;
    const choices = containersFor(session.state.course, chosen);
    const into = await pick({ label: msg("editor.moveItInto"), find: msg("editor.findAPart"), none: msg("editor.noPartsFound"), choices });
    if (into !== null) this.#do((_session, id) => moveInto(session, id, into === courseItself ? null : into));
  }
}

/** Label of the button that opens a page for editing. */
export const editWords = (kind: Row["kind"] | undefined): string => {
  if (kind === "topic") return msg("editor.editThisPage");
  return kind === "collection" ? msg("editor.editThisPart") : msg("editor.editTheFrontPage");
};

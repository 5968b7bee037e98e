import { directionOf } from "@colloquy/schemas/languages.ts";
import { html, nothing, type PropertyValues } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { AnnounceEvent } from "../../controls/announce-event.ts";
import { icons } from "../../controls/icons.ts";
import { isComposing } from "../../controls/keyboard.ts";
import { moveFocusInToolbar } from "../../controls/toolbar-keys.ts";
import { formatNumber, msg, pageLanguage } from "../../messages/page.ts";
import { type PageId, visibleTitle } from "../contents.ts";
import { renderedLine } from "../draft-rendering.ts";
import { contentsListStyles } from "./contents-list.styles.ts";
import { PageWantedEvent } from "./events.ts";
import { editWords, OutlineRows, type Row } from "./outline-rows.ts";
import "./page-fields.ts";
import type { PageFields } from "./page-fields.ts";

/**
 * @summary The editable contents of a course or collection on its own page, laid out as readers see them. An open row shows its toolbar and
 * fields; Escape closes it.
 * @event {PageWantedEvent} colloquy-page-wanted
 * @event {AnnounceEvent} colloquy-announce
 */
@customElement("colloquy-contents-list")
export class ContentsList extends OutlineRows {
  static override lightStyles = [contentsListStyles];

  @property({ attribute: false }) override shown: PageId = null;
  /** Read-only: the draft is shown without tools. */
  @property({ type: Boolean, reflect: true }) still = false;
  /** The selected row shows its toolbar and fields. */
  @state() private opened = false;
  @query("colloquy-page-fields") private fields!: PageFields | null;
  protected readonly step = 24;

  /** Selects and focuses a row. @returns false if it is not in this list */
  goTo(id: string): boolean {
    const isHere = this.rows.some((row) => row.id === id);
    if (isHere) this.choose(id);
    return isHere;
  }

  /** Closes the open row. @returns whether one was open */
  close(): boolean {
    const { opened } = this;
    this.opened = false;
    return opened;
  }

  protected override get rows(): Row[] {
    return this.rowsBelow;
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    if (changed.has("shown") || (changed.has("still") && this.still)) this.chosen = null;
    // It may have been moved to another page.
    if (!this.rows.some(({ id }) => id === this.chosen)) this.chosen = null;
    if (this.chosen === null) this.opened = false;
    // The list has the direction of the course's language.
    if (this.session) this.dir = directionOf(this.session.state.course.manifest.language);
  }

  protected override render() {
    const { session, still, rows } = this;
    if (!session) return nothing;
    let pages = 0;
    const numbers = new Map(rows.map(({ id, kind }) => [id, kind === "topic" ? ++pages : null]));
    const stop = this.chosen ?? rows[0]?.id;
    return html`<h2>${msg("common.contents")}</h2>
      ${rows.length ? nothing : html`<p class="none" dir="auto">${msg("page.pageEmpty")}</p>`}
      <div class="entries" role="list" aria-label=${msg("editor.pagesAndParts")} @keydown=${this.#key} @click=${this.#clicked} @dblclick=${this.#doubled}>${repeat(
        rows,
        ({ id }) => id,
        (row, index) => this.#entry(row, numbers.get(row.id) ?? null, row.id === stop, leavesPart(rows[index - 1], row)),
      )}</div>
      ${
        still
          ? nothing
          : html`<div class="at-end"><span>${this.shown === null ? msg("editor.endCourse") : msg("editor.endPart")}</span><button type="button" @click=${() => this.add("topic", this.shown)}>${icons.add}${msg("editor.addAPage")}</button>
            <button type="button" @click=${() => this.add("collection", this.shown)}>${icons.add}${msg("editor.addAPart")}</button></div>`
      }`;
  }

  /** @param leaves it follows a part without being in it */
  #entry(row: Row, number: number | null, isStop: boolean, leaves: boolean) {
    const { session, still, chosen } = this;
    const { id, kind, title, summary, depth, held } = row;
    const { language } = session?.state.course.manifest ?? { language: "" };
    const isOpened = this.opened && id === chosen;
    const name = `entry-${id}`;
    return html`<div role="listitem" class=${`entry${kind === "topic" ? "" : " part"}${leaves ? " behind" : ""}`} style="--depth: ${depth}" data-id=${id} aria-level=${depth + 1} aria-labelledby=${name}
        aria-current=${isOpened ? "true" : nothing} tabindex=${still ? nothing : isStop ? "0" : "-1"}>
      ${still ? nothing : this.grip}<div class="line" lang=${language}><span class="number" aria-hidden="true">${number === null ? nothing : formatNumber(number)}</span><bdi class="title" id=${name}>${visibleTitle(title)}</bdi>
        ${kind === "collection" ? html`<small lang=${pageLanguage()} dir="auto">${msg("audit.entries", { n: held })}</small>` : nothing}
        ${summary && !isOpened ? html`<span class="summary">${renderedLine(summary)}</span>` : nothing}</div>
      ${isOpened && id !== null ? this.#desk(id, kind) : nothing}
      ${kind === "collection" && held === 0 ? this.#hollow(id, title) : nothing}</div>`;
  }

  /** An empty part with a button that adds its first page. */
  #hollow(id: PageId, title: string) {
    const add = html`<button type="button" @click=${() => this.add("topic", id)}>${icons.add}${msg("editor.addAPageTo", { title: visibleTitle(title) })}</button>`;
    return html`<div class="hollow"><span dir="auto">${msg("editor.partEmpty")}</span>${this.still ? nothing : add}</div>`;
  }

  #desk(id: string, kind: Row["kind"]) {
    return html`<div class="actions" role="toolbar" aria-label=${msg("editor.decisions")} @keydown=${moveFocusInToolbar}>
        <button type="button" @click=${() => this.#edit(id)}>${editWords(kind)}</button>${this.actions()}</div>
      <colloquy-page-fields dir=${directionOf(pageLanguage())} .session=${this.session} .pageId=${id}></colloquy-page-fields>`;
  }

  protected override choose(id: PageId): void {
    // The last entry was deleted: its container is selected.
    const isHere = this.rows.some((row) => row.id === id);
    this.opened = false;
    super.choose(isHere ? id : null);
    if (!isHere) void this.updateComplete.then(() => this.querySelector<HTMLElement>(".entry, .at-end button")?.focus());
  }

  protected override say(words: string): void {
    this.dispatchEvent(new AnnounceEvent(words));
  }

  protected override async describe(): Promise<void> {
    this.opened = true;
    await this.updateComplete;
    await this.fields?.focusField("title");
  }

  protected override enter(): void {
    void this.describe();
  }

  #edit(id: string): void {
    this.dispatchEvent(new PageWantedEvent(id));
  }

  readonly #key = (event: KeyboardEvent): void => {
    const target = event.target as HTMLElement;
    const id = target.closest<HTMLElement>(".entry")?.dataset.id ?? null;
    if (this.still || id === null) return;
    if (event.key === "Escape" && this.opened && !isComposing(event) && document.querySelector("dialog[open], :popover-open") === null) {
      this.choose(id);
      event.preventDefault();
      event.stopPropagation();
    } else if (target.matches(".entry")) {
      this.chosen = id;
      this.pressed(event);
    }
  };

  readonly #clicked = (event: MouseEvent): void => {
    const line = event.target instanceof Element ? event.target.closest(".line") : null;
    const id = line?.closest<HTMLElement>(".entry")?.dataset.id;
    if (this.still || id === undefined || getSelection()?.isCollapsed === false) return;
    const wasOpened = this.opened && this.chosen === id;
    this.choose(id);
    this.opened = !wasOpened;
  };

  readonly #doubled = (event: MouseEvent): void => {
    const line = event.target instanceof Element ? event.target.closest(".line") : null;
    const id = line?.closest<HTMLElement>(".entry")?.dataset.id;
    if (!this.still && id !== undefined) this.#edit(id);
  };
}

/** Whether a page follows a part that ends before it, and would look like the part's last page. */
const leavesPart = (before: Row | undefined, { kind, depth }: Row): boolean =>
  kind === "topic" && before !== undefined && (before.depth > depth || (before.kind === "collection" && before.depth === depth));

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-contents-list": ContentsList;
  }
}

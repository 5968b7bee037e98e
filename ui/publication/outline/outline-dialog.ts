import { remark } from "@colloquy/schemas/courses/remarks.ts";
import { html, nothing, type PropertyValues } from "lit";
import { customElement, query, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import type { AnnounceEvent } from "../../controls/announce-event.ts";
import type { Announcer } from "../../controls/announcer.ts";
import { msg } from "../../messages/page.ts";
import "../../controls/announcer.ts";
import { dialogStyles } from "../../controls/dialog.styles.ts";
import { icons } from "../../controls/icons.ts";
import { moveFocusInToolbar } from "../../controls/toolbar-keys.ts";
import { hasPage, type PageId, pagesOf, visibleTitle } from "../contents.ts";
import { editorIcons } from "../icons.ts";
import { remarkText } from "../remark-text.ts";
import { draftFileInput } from "../tools.ts";
import { PageWantedEvent } from "./events.ts";
import { outlineStyles } from "./outline.styles.ts";
import { courseItself, rename } from "./outline-actions.ts";
import { editWords, OutlineRows, type Row } from "./outline-rows.ts";
import "./page-fields.ts";
import type { PageFields } from "./page-fields.ts";
import { fieldProblem } from "./page-problems.ts";

/**
 * @summary The outline of a course in a dialog: move, add, delete and describe pages and parts. Arrow keys select; Alt+arrow moves up, down, into
 * the preceding part or out of the part, as does dragging by the handle.
 * @event {PageWantedEvent} colloquy-page-wanted
 */
@customElement("colloquy-outline")
export class OutlineDialog extends OutlineRows {
  static override lightStyles = [dialogStyles("colloquy-outline"), outlineStyles];

  /** Rendered only while open: its fields would re-render at each keystroke and repeat ids of the page. */
  @state() private opened = false;
  @state() private wrongId: unknown = null;
  @query("dialog") private dialog!: HTMLDialogElement;
  @query("colloquy-announcer") private announcer!: Announcer;
  @query("colloquy-page-fields") private fields!: PageFields | null;
  /** The page behind the dialog. */
  #behind: PageId = null;
  /** The page to show when the dialog closes. */
  #current: PageId = null;
  protected readonly shown = null;
  protected readonly step = 18;

  override disconnectedCallback(): void {
    this.opened = false;
    super.disconnectedCallback();
  }

  get isOpen(): boolean {
    return this.opened;
  }

  /** @param pageId the present page, selected at first */
  async show(pageId: PageId): Promise<void> {
    this.#behind = this.#current = this.chosen = pageId;
    this.opened = true;
    await this.updateComplete;
    this.dialog.showModal();
    this.focusRow();
  }

  /** Opens at the field for the id of the present page. */
  async showId(pageId: PageId): Promise<void> {
    await this.show(pageId);
    const details = this.querySelector("details");
    if (details) details.open = true;
    const field = this.querySelector<HTMLInputElement>("input[name=id]");
    field?.focus();
    field?.select();
    field?.scrollIntoView({ block: "center" });
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    if (changed.has("chosen")) this.wrongId = null;
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    if (changed.has("wrongId")) this.querySelector(".wrong")?.scrollIntoView({ block: "nearest" });
  }

  protected override get rows(): Row[] {
    const { manifest } = this.session?.state.course ?? {};
    if (!manifest) return [];
    const whole: Row = { id: null, kind: "course", title: manifest.title, summary: manifest.summary, depth: 0, held: manifest.root.length };
    return [whole, ...this.rowsBelow.map((row) => ({ ...row, depth: row.depth + 1 }))];
  }

  protected override render() {
    const { session, chosen } = this;
    if (!session || !this.opened) return nothing;
    const { undoLabel, redoLabel } = session;
    const { rows } = this;
    return html`<dialog aria-labelledby="colloquy-outline-title" @close=${this.#closed} @keydown=${this.#shortcut} @colloquy-announce=${this.#announced}>
      <header><h2 id="colloquy-outline-title">${msg("editor.outlineOfTheCourse")}</h2>
        <button type="button" aria-label=${msg("common.undo")} title=${undoLabel ?? msg("common.undo")} aria-disabled=${undoLabel === null ? "true" : nothing} @click=${() => session.undo()}>${editorIcons.undo}</button>
        <button type="button" aria-label=${msg("drawing.redo")} title=${redoLabel ?? msg("drawing.redo")} aria-disabled=${redoLabel === null ? "true" : nothing} @click=${() => session.redo()}>${editorIcons.redo}</button>
        <button type="button" aria-label=${msg("common.close")} title=${msg("common.close")} @click=${() => this.dialog.close()}>${icons.close}</button></header>
      <div class="halves"><div class="map">
        <div role="tree" aria-label=${msg("editor.pagesAndParts")} @keydown=${this.pressed}>${repeat(
          rows,
          ({ id }) => id ?? courseItself,
          (row) => this.#row(row, row.id === chosen),
        )}</div>
        <div class="actions" role="toolbar" aria-label=${msg("editor.decisions")} @keydown=${moveFocusInToolbar}>${this.actions()}</div></div>
        <div class="about"><colloquy-page-fields .session=${session} .pageId=${chosen}></colloquy-page-fields>
          <button type="button" class="button" @click=${() => this.enter()}>${editWords(rows.find(({ id }) => id === chosen)?.kind)}</button>
          ${chosen === null ? nothing : this.#identity(chosen)}
          <label class="button take-in" @change=${() => this.dialog.close()}>${msg("editor.takeSavedDraft")}${draftFileInput(this)}</label></div></div>
      <colloquy-announcer></colloquy-announcer></dialog>`;
  }

  #row({ id, kind, title, depth, held }: Row, selected: boolean) {
    const count = kind === "collection" ? html`<small>${msg("audit.entries", { n: held })}</small>` : nothing;
    return html`<div role="treeitem" class=${kind === "topic" ? "" : "part"} style="--depth: ${depth}" data-id=${id ?? courseItself} aria-level=${depth + 1} aria-selected=${selected}
      tabindex=${selected ? 0 : -1} @click=${() => this.choose(id)} @dblclick=${() => this.enter()}>${id === null ? nothing : this.grip}<bdi>${visibleTitle(title)}</bdi>${count}</div>`;
  }

  /** The id is an advanced field: readers never see it, and stored data refers to it. */
  #identity(id: string) {
    return html`<details @toggle=${this.#toggled}><summary>${msg("editor.advancedTheId")}</summary>
      <p>${msg("editor.readersNeverSeeLinks")}</p>
      <form @submit=${(event: SubmitEvent) => this.#rename(event, id)}><input name="id" dir="ltr" spellcheck="false" autocapitalize="off" autocomplete="off" aria-label=${msg("editor.id")} .value=${id} aria-invalid=${this.wrongId ? "true" : nothing} aria-describedby=${this.wrongId ? "colloquy-outline-wrong" : nothing} />
        <button class="button">${msg("editor.changeTheId")}</button></form>
      ${this.wrongId ? html`<p class="wrong" id="colloquy-outline-wrong" role="alert">${this.wrongId}</p>` : nothing}</details>`;
  }

  protected override say(words: string): void {
    this.announcer.announce(words);
  }

  protected override async describe(): Promise<void> {
    await this.fields?.focusField("title");
  }

  protected override enter(): void {
    this.#current = this.chosen;
    this.dialog.close();
  }

  /** What was opened stands last and would be cut off. */
  readonly #toggled = ({ currentTarget }: ToggleEvent): void => {
    const details = currentTarget as HTMLDetailsElement;
    if (details.open) details.querySelector("form")?.scrollIntoView({ block: "nearest" });
  };

  readonly #announced = (event: AnnounceEvent): void => {
    // The page's live region is inert while a dialog is open.
    event.stopPropagation();
    this.say(event.text);
  };

  #rename(event: SubmitEvent, from: string): void {
    event.preventDefault();
    const { session } = this;
    const input = (event.target as HTMLFormElement).elements.namedItem("id");
    if (!session || !(input instanceof HTMLInputElement) || input.value === from) return;
    const to = input.value.trim();
    this.wrongId = fieldProblem("id", to);
    if (this.wrongId) return;
    const before = pagesOf(session.state.course).findIndex(({ id }) => id === this.#current);
    const refused = rename(session, from, to);
    if (refused) {
      this.wrongId = refused === "taken" ? msg("editor.idTakenAlreadyChoose") : remarkText(remark("rename-known", { id: to }));
      return;
    }
    this.#current = pagesOf(session.state.course)[before]?.id ?? this.#current;
    this.chosen = to;
    this.say(msg("editor.idNowUndoBrings", { id: to }));
  }

  /** Shows another page if the present one was deleted, renamed or another was chosen. */
  readonly #closed = (): void => {
    const course = this.session?.state.course;
    this.opened = false;
    if (!course) return;
    const aim = hasPage(course, this.#current) ? this.#current : this.chosen;
    if (aim !== this.#behind) this.dispatchEvent(new PageWantedEvent(aim));
  };

  readonly #shortcut = (event: KeyboardEvent): void => {
    const typing = event.target instanceof Element && event.target.matches("input, textarea");
    // The editor behind the dialog must not handle its keys.
    event.stopPropagation();
    if (typing || !(event.ctrlKey || event.metaKey)) return;
    const letter = event.key.toLowerCase();
    if (letter === "z" && !event.shiftKey) this.session?.undo();
    else if (letter === "y" || (letter === "z" && event.shiftKey)) this.session?.redo();
    else return;
    event.preventDefault();
  };
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-outline": OutlineDialog;
  }
}

import type { ConversationSummary } from "@colloquy/schemas/conversations/requests.ts";
import { matchRanges } from "@colloquy/schemas/search/text.ts";
import { html, LitElement, nothing, type PropertyValues } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { AnnounceEvent } from "../controls/announce-event.ts";
import { icons } from "../controls/icons.ts";
import { isComposing } from "../controls/keyboard.ts";
import { isPlainClick } from "../controls/link.ts";
import { rootStyles } from "../controls/styles.ts";
import { msg } from "../messages/page.ts";
import { termsOf } from "../store/history-index.ts";
import type { HistorySearch } from "../store/history-search.ts";
import type { Library } from "../store/library.ts";
import { conversationHref } from "./address.ts";
import { historyStyles } from "./history.styles.ts";
import { groupHistory } from "./history-groups.ts";
import { type Line, linesOf, offsetsOf, windowOf } from "./history-rows.ts";
import { conversationTarget, type Target } from "./layout/target.ts";
import "../controls/menu.ts";
import type { Menu } from "../controls/menu.ts";

/** Loaded when a conversation is first changed. */
const loadActions = () => import("./history-actions.ts");

/** The learner opens a conversation or its ledger. */
export class OpenConversationEvent extends Event {
  static readonly type = "colloquy-open-conversation";
  readonly opened: Target;
  constructor(opened: Target) {
    super(OpenConversationEvent.type, { bubbles: true, composed: true });
    this.opened = opened;
  }
}

const coarse = matchMedia("(pointer: coarse)");
const headingHeight = 34;

/**
 * @summary The conversations by last use, with search. Rows are links; of thousands only visible ones are rendered. Arrow keys move, F2
 *   renames, Delete deletes after confirmation.
 * @event {OpenConversationEvent} colloquy-open-conversation
 * @csspart row - a conversation's link
 */
@customElement("colloquy-history")
export class History extends LitElement {
  static override styles = [rootStyles, historyStyles];

  @property({ attribute: false }) conversations: readonly ConversationSummary[] = [];
  /** Applies changes; without it the list is read-only. */
  @property({ attribute: false }) library: Library | null = null;
  @property({ attribute: false }) search: HistorySearch | null = null;
  @property({ attribute: false }) current: string | null = null;
  /** Conversations with a running answer. */
  @property({ attribute: false }) running: ReadonlySet<string> = new Set();
  @property({ type: Boolean }) loading = false;
  /** The current time, for grouping. */
  @property({ attribute: false }) now = new Date();
  @state() private text = "";
  @state() private found: readonly ConversationSummary[] | null = null;
  @state() private archived = false;
  /** The conversation that is being renamed. */
  @state() private renaming: string | null = null;
  /** The row with the focus. */
  @state() private at: string | null = null;
  @state() private top = 0;
  @state() private viewHeight = 800;
  @query(".list") private list!: HTMLElement | null;
  @query("colloquy-menu") private menu!: Menu;
  /** The title when renaming started: a title from another device must not replace what is typed. */
  #nameBefore = "";
  readonly #excerpts = new Map<string, string | null>();
  readonly #resized = new ResizeObserver(() => this.#measureView());
  #searching: AbortController | null = null;
  #lines: Line[] = [];
  #offsets: number[] = [0];

  override disconnectedCallback(): void {
    this.#searching?.abort();
    this.#resized.disconnect();
    super.disconnectedCallback();
  }

  protected override firstUpdated(): void {
    if (this.list) this.#resized.observe(this.list);
  }

  protected override willUpdate(changed: PropertyValues): void {
    const shown = this.found ?? (this.archived ? this.#archived : this.conversations);
    if (!["conversations", "found", "archived", "now", "library"].some((name) => changed.has(name))) return;
    this.#lines = linesOf(this.found ? [{ name: null, rows: [...shown] }] : groupHistory(shown, this.now));
    this.#offsets = offsetsOf(this.#lines, { heading: headingHeight, row: this.#rowHeight });
    if (this.archived && !this.#archived.length) this.archived = false;
    // Repeats the search when the conversations changed.
    if (changed.has("conversations") && this.text) void this.#find();
  }

  get #rowHeight(): number {
    return (this.found ? 52 : 36) + (coarse.matches ? 9 : 0);
  }

  get #archived(): ConversationSummary[] {
    return this.library?.all.filter(({ state: of }) => of === "archived") ?? [];
  }

  protected override render() {
    const count = this.archived || this.found ? 0 : this.#archived.length;
    return html`${this.search ? this.#field() : html`<div></div>`}
      <div class="list" @scroll=${this.#measureView} @keydown=${this.#onKeydown} @focusin=${this.#onFocusin}>${this.#lines.length ? this.#rows() : this.#nothing()}</div>
      <div>${
        this.archived
          ? html`<button type="button" class="switch" @click=${() => this.#show(false)}>${msg("workspace.backToYourConversations")}</button>`
          : count
            ? html`<button type="button" class="switch" @click=${() => this.#show(true)}>${msg("workspace.archived", { count })}</button>`
            : nothing
      }</div>
      <colloquy-menu></colloquy-menu>`;
  }

  #field() {
    return html`<div class="find" role="search"><input type="search" dir="auto" placeholder=${msg("workspace.searchConversations")} aria-label=${msg("workspace.searchConversations")} autocomplete="off" spellcheck="false" maxlength="200"
        .value=${this.text} @focus=${() => void this.search?.prepare()} @input=${this.#onSearchInput} @keydown=${this.#onSearchKeydown} />
      ${this.text ? html`<button type="button" aria-label=${msg("workspace.clearTheSearch")} @click=${() => this.#clear(true)}>${icons.close}</button>` : nothing}</div>`;
  }

  #nothing() {
    if (this.found) return html`<p>${msg("workspace.nothingFoundEveryWord", { text: this.text })}</p>`;
    if (this.loading) return html`<p>${msg("workspace.lookingForYourConversations")}</p>`;
    if (this.#archived.length) return html`<p>${msg("workspace.allConversationsArchived")}</p>`;
    return html`<p>${msg("workspace.conversationsAppearHere")}</p>`;
  }

  #rows() {
    const { from, to } = windowOf(this.#offsets, this.top, this.viewHeight);
    const seen = this.#lines.slice(from, to);
    const stop = this.#stop(seen);
    const groups = Map.groupBy(seen, (line) => (line.kind === "heading" ? line.name : line.group));
    const total = this.#lines.reduce((most, line) => (line.kind === "row" ? line.place : most), 0);
    return html`<div class="whole" style="block-size:${this.#offsets.at(-1)}px"><div class="seen" style="translate:0 ${this.#offsets[from]}px;--row:${this.#rowHeight}px">${repeat(
      groups,
      ([name]) => name,
      ([name, lines]) => html`${lines[0]?.kind === "heading" ? html`<h2>${msg(lines[0].name)}</h2>` : nothing}
        <ul aria-label=${this.found ? msg("workspace.results") : this.archived ? msg("workspace.archived2") : name && msg(name)}>${repeat(
          lines.filter((line) => line.kind === "row"),
          ({ row }) => row.conversationId,
          ({ row, place }) => this.#row(row, place, total, stop === row.conversationId),
        )}</ul>`,
    )}</div></div>`;
  }

  /** The only row in the tab order. */
  #stop(seen: readonly Line[]): string | undefined {
    const ids = seen.flatMap((line) => (line.kind === "row" ? [line.row.conversationId] : []));
    return [this.at, this.current].find((id) => id !== null && ids.includes(id)) ?? ids[0];
  }

  #row(row: ConversationSummary, place: number, total: number, isStop: boolean) {
    const { conversationId, title } = row;
    if (this.renaming === conversationId)
      return html`<li aria-setsize=${total} aria-posinset=${place}><input dir="auto" aria-label=${msg("workspace.titleOfTheConversation")} maxlength="200" .value=${this.#nameBefore}
        @keydown=${(event: KeyboardEvent) => this.#onTitleKeydown(event, row)} @blur=${(event: Event) => void this.#onTitleBlur(event.target as HTMLInputElement, row)} /></li>`;
    return html`<li aria-setsize=${total} aria-posinset=${place}><a part="row" href=${conversationHref(conversationId)} title=${title} data-id=${conversationId}
      tabindex=${isStop ? 0 : -1} aria-current=${conversationId === this.current ? "page" : nothing}
      @click=${(event: MouseEvent) => this.#open(event, conversationId)}><span><b dir="auto">${this.#marked(title)}</b>${
        this.running.has(conversationId) ? html`<i title=${msg("workspace.answerBeingWritten")}></i>` : nothing
      }</span>${this.found ? html`<small>${this.#excerpt(row)}</small>` : nothing}</a>${
        this.library
          ? html`<button type="button" class="more" tabindex=${isStop ? 0 : -1} aria-haspopup="menu" aria-label=${msg("workspace.actions", { title })} @click=${(event: Event) => this.#menu(event, row)}>${icons.more}</button>`
          : nothing
      }</li>`;
  }

  #marked(text: string) {
    if (!this.found) return text;
    let from = 0;
    const parts = matchRanges(text, termsOf(this.text)).map(([start, end]) => {
      const before = text.slice(from, start);
      from = end;
      return html`${before}<mark>${text.slice(start, end)}</mark>`;
    });
    return html`${parts}${text.slice(from)}`;
  }

  /** Loaded when its row becomes visible. */
  #excerpt({ conversationId, state: of }: ConversationSummary) {
    const place = of === "archived" ? `${msg("workspace.archived2")} · ` : "";
    const key = `${conversationId} ${this.text}`;
    if (!this.#excerpts.has(key)) {
      this.#excerpts.set(key, null);
      void this.search?.excerpt(conversationId, termsOf(this.text)).then((excerpt) => {
        this.#excerpts.set(key, excerpt);
        if (excerpt) this.requestUpdate();
      });
    }
    const excerpt = this.#excerpts.get(key);
    return excerpt ? html`${place}<span dir="auto">${this.#marked(excerpt)}</span>` : place || "\u00a0";
  }

  readonly #onSearchInput = (event: Event) => {
    this.text = (event.target as HTMLInputElement).value;
    this.#excerpts.clear();
    if (this.text.trim()) void this.#find();
    else this.#clear(false);
  };

  async #find(): Promise<void> {
    const { search, text } = this;
    this.#searching?.abort();
    const searching = new AbortController();
    this.#searching = searching;
    const here = (await search?.here(text)) ?? [];
    if (searching.signal.aborted) return;
    this.found = here;
    const elsewhere = await search?.elsewhere(text, here, searching.signal).catch(() => []);
    if (searching.signal.aborted) return;
    if (elsewhere?.length) this.found = [...here, ...elsewhere];
    const count = this.found.length;
    this.dispatchEvent(new AnnounceEvent(msg("workspace.conversationsFound", { n: count })));
  }

  #clear(focus: boolean): void {
    this.#searching?.abort();
    this.text = "";
    this.found = null;
    if (focus) this.renderRoot.querySelector<HTMLInputElement>(".find input")?.focus();
  }

  readonly #onSearchKeydown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    if (event.key === "Escape" && this.text) {
      event.preventDefault();
      event.stopPropagation();
      this.#clear(true);
    } else if (event.key === "ArrowDown") {
      event.preventDefault();
      this.#focusRowAt(0);
    }
  };

  #show(archived: boolean): void {
    this.archived = archived;
    this.list?.scrollTo(0, 0);
  }

  readonly #measureView = () => {
    const { list } = this;
    if (!list) return;
    this.top = list.scrollTop;
    this.viewHeight = list.clientHeight || 800;
  };

  readonly #onFocusin = (event: FocusEvent) => {
    const id = (event.target as HTMLElement).closest("li")?.querySelector("a")?.dataset.id;
    if (id) this.at = id;
  };

  readonly #onKeydown = (event: KeyboardEvent) => {
    if (event.target instanceof HTMLInputElement || event.altKey || event.ctrlKey || event.metaKey) return;
    const id = (event.target as HTMLElement).closest("li")?.querySelector("a")?.dataset.id;
    const rows = this.#lines.filter((line) => line.kind === "row");
    const index = rows.findIndex(({ row }) => row.conversationId === id);
    const row = rows[index]?.row;
    const to = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: rows.length - 1 }[event.key];
    if (event.key === "ArrowUp" && index === 0 && this.search) this.renderRoot.querySelector<HTMLInputElement>(".find input")?.focus();
    else if (to !== undefined) this.#focusRowAt(Math.max(0, Math.min(rows.length - 1, to)));
    else if (event.key === "F2" && row && this.library) void this.#rename(row);
    else if (event.key === "Delete" && row && this.library) void this.#remove(row, index);
    else return;
    event.preventDefault();
  };

  /** Focuses the row of that number, scrolling if needed. */
  async #focusRowAt(index: number): Promise<void> {
    const rows = this.#lines.filter((line) => line.kind === "row");
    const line = rows[index];
    const { list } = this;
    if (!line || !list) return;
    const offset = this.#offsets[this.#lines.indexOf(line)] ?? 0;
    if (offset < list.scrollTop + headingHeight) list.scrollTop = index === 0 ? 0 : offset - headingHeight;
    else if (offset + this.#rowHeight > list.scrollTop + list.clientHeight) list.scrollTop = offset + this.#rowHeight - list.clientHeight;
    this.at = line.row.conversationId;
    this.#measureView();
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>(`a[data-id="${CSS.escape(line.row.conversationId)}"]`)?.focus({ preventScroll: true });
  }

  async #menu(event: Event, row: ConversationSummary): Promise<void> {
    const anchor = event.currentTarget as HTMLElement;
    this.at = row.conversationId;
    const { conversationMenu } = await loadActions();
    const { library } = this;
    if (!library) return;
    await this.menu.open(
      anchor,
      msg("workspace.doConversation"),
      conversationMenu(library, row, {
        show: (target) => this.dispatchEvent(new OpenConversationEvent(target)),
        rename: () => void this.#rename(row),
      }),
    );
  }

  async #rename(row: ConversationSummary): Promise<void> {
    this.#nameBefore = row.title;
    this.renaming = row.conversationId;
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLInputElement>("li input")?.select();
  }

  #onTitleKeydown(event: KeyboardEvent, row: ConversationSummary): void {
    if (isComposing(event)) return;
    const input = event.target as HTMLInputElement;
    event.stopPropagation();
    if (event.key === "Escape") input.value = this.#nameBefore;
    if (event.key !== "Escape" && event.key !== "Enter") return;
    event.preventDefault();
    void this.#renamed(row, input.value).then(() => this.#focusRow(row.conversationId));
  }

  async #onTitleBlur(input: HTMLInputElement, row: ConversationSummary): Promise<void> {
    await this.updateComplete;
    const other = this.renderRoot.querySelector<HTMLInputElement>("li input");
    if (input.isConnected || !other || this.renaming !== row.conversationId) return this.#renamed(row, input.value);
    // Another device moved the row and its field: the typed text continues there.
    other.value = input.value;
    other.focus();
    other.setSelectionRange(input.selectionStart, input.selectionEnd);
  }

  async #renamed(row: ConversationSummary, title: string): Promise<void> {
    if (this.renaming !== row.conversationId) return;
    this.renaming = null;
    if (this.library && title !== this.#nameBefore) await (await loadActions()).rename(this.library, row, title);
  }

  async #focusRow(conversationId: string): Promise<void> {
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>(`a[data-id="${CSS.escape(conversationId)}"]`)?.focus();
  }

  async #remove(row: ConversationSummary, index: number): Promise<void> {
    if (!this.library || !(await (await loadActions()).remove(this.library, row))) return;
    this.dispatchEvent(new AnnounceEvent(msg("workspace.deleted")));
    await this.updateComplete;
    void this.#focusRowAt(Math.min(index, this.#lines.filter(({ kind }) => kind === "row").length - 1));
  }

  #open(event: MouseEvent, conversationId: string): void {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    this.dispatchEvent(new OpenConversationEvent(conversationTarget(conversationId)));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-history": History;
  }
  interface GlobalEventHandlersEventMap {
    "colloquy-open-conversation": OpenConversationEvent;
  }
}

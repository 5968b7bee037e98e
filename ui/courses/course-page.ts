import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { AnnounceEvent } from "../controls/announce-event.ts";
import { msg, onLanguageChange } from "../messages/page.ts";
import { handleTextActions } from "../rendering/actions.ts";
import { makeScrollersFocusable } from "../rendering/scrollers.ts";
import { holdLock, pageLock } from "../store/locks.ts";
import {
  type CitedPassageOptions,
  type FoundPassage,
  findPassage,
  type ShownPassage,
  showAgain,
  showCitedPassage,
} from "./cited-passage.ts";
import { addFilmLink } from "./films.ts";
import { PageNotFound, type PageSource, readPage } from "./page-source.ts";
import { pathOf } from "./paths.ts";
import { patchElement } from "./refresh/patch.ts";
import { presentPage } from "./refresh/present-page.ts";
import { liveSequence, watchRevision } from "./revision-watch.ts";
import { scrollAnchor } from "./scroll-anchor.ts";

/** A page was loaded: its final address and title. */
export class PageReadEvent extends Event {
  static readonly type = "colloquy-page-read";
  readonly href: string;
  readonly title: string;
  constructor(href: string, title: string) {
    super(PageReadEvent.type, { bubbles: true, composed: true });
    this.href = href;
    this.title = title;
  }
}

/** Scroll position by tab, restored when the tab moves to another pane. */
const scrollPositions = new Map<string, { href: string; top: number }>();

/**
 * @summary A course page inside a pane; a cited passage is marked and scrolled into view. The pane's owner decides where links open.
 * @event {PageReadEvent} colloquy-page-read
 */
@customElement("colloquy-course-page")
export class CoursePage extends LitElement {
  static override styles = [
    css`
      :host { box-sizing: border-box; display: block; block-size: 100%; overflow: auto; overscroll-behavior: contain; scrollbar-width: thin; scrollbar-color: var(--line-strong) transparent; background: var(--paper); color: var(--ink); font: var(--text-m)/var(--leading-ui) var(--font-ui); container-type: inline-size; outline: none; }
      :host(:focus-visible) { outline: 2px solid var(--accent); outline-offset: -3px; box-shadow: none; }
      .page { position: relative; max-inline-size: calc(44rem + 2 * var(--s6)); margin-inline: auto; padding: var(--s5) clamp(1rem, 6cqi, var(--s6)) var(--s7); }
      .page[hidden] { display: none; }
      .page .page-way { min-block-size: 36px; }
      .page .page-actions .ask { display: inline-flex; }
      .page .block { scroll-margin-block-start: var(--s5); }
      .page .block-anchor { display: none; }
      .page .page-head h1, .page .front-head h1 { font-size: clamp(1.625rem, 1.2rem + 2.4cqi, 2.375rem); }
      .page .cited-note { position: sticky; inset: auto auto var(--s4); margin-block-start: var(--s4); max-inline-size: 100%; }
      @container (max-width: 34rem) {
        .page .turn { grid-template-columns: 1fr; }
        .page .turn-next { grid-column: 1; }
        .page .text { font-size: 1.0625rem; }
      }
      .says { display: grid; gap: var(--s3); justify-items: start; align-content: center; min-block-size: 100%; max-inline-size: 34rem; margin: auto; padding: var(--s5); color: var(--ink-soft); line-height: 1.5; }
      .says h2 { margin: 0; font: 600 1.5rem/1.25 var(--font-read); color: var(--ink); }
      .says p { margin: 0; }
      .says button { min-block-size: 44px; padding: 8px 18px; border: 1px solid var(--line-strong); border-radius: var(--r-m); background: var(--raised); color: var(--ink); font: 600 var(--text-m)/1.4 var(--font-ui); cursor: pointer; }
      .says :focus-visible { outline: 2px solid transparent; box-shadow: var(--focus); }
      .says a { color: var(--accent); font-weight: 600; }
      .waits { display: grid; gap: var(--s4); max-inline-size: calc(44rem + 2 * var(--s6)); margin-inline: auto; padding: var(--s6); }
      .waits i { display: block; block-size: 1rem; border-radius: 6px; background: var(--sunken); animation: wait var(--pulse, 1.4s) ease-in-out infinite; }
      @keyframes wait { 50% { opacity: .45; } }
      @media (prefers-reduced-motion: reduce) { .waits i { animation: none; } }
      @media (forced-colors: active) { .waits i { background: GrayText; } }
    `,
  ];

  /** The page's address, with a quote to mark (`?mark=`) and a block to go to (`#`). */
  @property({ attribute: false }) href = "";
  /** The tab that contains it. */
  @property({ attribute: false }) tabId = "";
  @property({ attribute: false }) open: typeof fetch = (input, init) => fetch(input, init);
  @state() private page: PageSource | null = null;
  @state() private trouble: "missing" | "unreachable" | null = null;
  /** Where the passage of the address is, whose page is missing. */
  @state() private elsewhere: FoundPassage | null = null;
  #loading: AbortController | null = null;
  #stop: AbortController | null = null;
  #following: AbortController | null = null;
  #release: (() => void) | null = null;
  #passage: ShownPassage | null = null;
  /** The page was deleted while it was open. */
  #isGone = false;
  /** Focus the page once it is loaded. */
  #reach = false;
  #top = 0;
  /** The address after the reader removed the mark: it needs no scrolling. */
  #cleared = "";

  override connectedCallback(): void {
    super.connectedCallback();
    this.tabIndex = 0;
    this.role = "region";
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    handleTextActions(this.renderRoot as ShadowRoot, signal);
    this.renderRoot.addEventListener("click", (event) => this.#clicked(event as MouseEvent), { signal });
    this.addEventListener("scroll", () => (this.#top = this.scrollTop), { signal, passive: true });
    addEventListener("online", () => this.trouble === "unreachable" && void this.#load(), { signal });
    onLanguageChange(() => this.page && void this.#refresh(this.page.path), signal);
    if (this.hasUpdated) void this.#load();
  }

  override disconnectedCallback(): void {
    if (this.page) scrollPositions.set(this.tabId, { href: this.href, top: this.#top });
    this.#stop?.abort();
    this.#loading?.abort();
    this.#following?.abort();
    this.#release?.();
    this.#release = null;
    super.disconnectedCallback();
  }

  /** Focuses the page, now or once it is loaded. */
  reach(): void {
    this.#reach = !this.page;
    if (this.page) this.focus({ preventScroll: true });
  }

  /** Scrolls again to the place in the address. */
  look(): void {
    if (this.page) void this.#arrive();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const before = changed.get("href");
    if (!changed.has("href") || this.href === this.#cleared) return;
    if (before !== undefined && this.page && pathOf(before) === pathOf(this.href)) void this.updateComplete.then(() => this.#arrive());
    else if (!this.page || this.page.path !== pathOf(this.href)) void this.#load();
  }

  protected override render() {
    const { page, trouble } = this;
    this.ariaLabel = page ? msg("workspace.coursePage", { title: page.title }) : msg("workspace.coursePage2");
    this.ariaBusy = String(!page && !trouble);
    if (trouble) return this.#problem(trouble);
    if (!page)
      return html`<div class="waits"><i style="width:38%"></i><i style="width:74%;height:1.8rem"></i><i></i><i style="width:92%"></i><i style="width:61%"></i></div>`;
    return html`${page.sheets.map((sheet) => html`<link rel="stylesheet" href=${sheet} @load=${this.#onStylesheet} @error=${this.#onStylesheet} />`)}
      <div class="page" lang=${page.lang || nothing} hidden>${page.content}</div>`;
  }

  #problem(trouble: "missing" | "unreachable") {
    const { place, words, action } = this.elsewhere ?? {};
    if (trouble === "missing")
      return html`<div class="says"><h2>${msg("workspace.pageNotFound")}</h2><p>${place === null || !words ? msg("workspace.mayBeenMovedTaken") : words}</p>
        ${action ? html`<p><a href=${action.href}>${action.name}</a></p>` : nothing}
        ${words && place === undefined ? html`<button type="button" @click=${() => void this.#load()}>${msg("common.tryAgain")}</button>` : nothing}
        <p><a href=${pathOf(this.href).split("/").slice(0, 3).join("/")}>${msg("course.toTheCourse")}</a></p></div>`;
    return html`<div class="says"><h2>${navigator.onLine ? msg("workspace.pageCouldNotLoaded") : msg("common.youAreOffline")}</h2>
      <p>${navigator.onLine ? msg("workspace.serviceDoesNotRespondMayRestarting") : msg("workspace.pageOpensSoonConnection")}</p>
      <button type="button" @click=${() => void this.#load()}>${msg("common.tryAgain")}</button></div>`;
  }

  async #load(): Promise<void> {
    this.#loading?.abort();
    this.#loading = new AbortController();
    const { signal } = this.#loading;
    const href = this.href;
    this.trouble = null;
    this.elsewhere = null;
    this.page = null;
    this.#isGone = false;
    this.#passage = null;
    try {
      const page = await readPage(pathOf(href), this.open, signal);
      if (signal.aborted) return;
      this.page = page;
      this.#release?.();
      this.#release = holdLock(pageLock(page.path));
      this.#follow(page);
      await this.updateComplete;
      if (!page.sheets.length) this.#show();
      const article = this.renderRoot.querySelector<HTMLElement>(".page article");
      if (article) void addFilmLink(article, { open: this.open }).catch(() => undefined);
      this.dispatchEvent(new PageReadEvent(page.path + this.href.slice(pathOf(this.href).length), page.title));
    } catch (error) {
      if (signal.aborted) return;
      this.trouble = error instanceof PageNotFound ? "missing" : "unreachable";
      this.dispatchEvent(
        new AnnounceEvent(this.trouble === "missing" ? msg("workspace.pageNotFound") : msg("workspace.pageCouldNotLoaded")),
      );
      if (this.trouble === "missing") await this.#findElsewhere(signal);
    }
  }

  /** Leads from a page that is gone to where the passage of the address is now, or to the passage as it was cited. */
  async #findElsewhere(signal: AbortSignal): Promise<void> {
    const address = new URL(this.href, location.href);
    if (!address.hash) return;
    const found = await findPassage(address, this.open, signal);
    if (signal.aborted) return;
    this.elsewhere = found;
    if (found.place !== null || found.action) this.dispatchEvent(new AnnounceEvent(found.words));
  }

  /** Watches for new revisions while this page is shown. */
  #follow({ path }: PageSource): void {
    this.#following?.abort();
    this.#following = new AbortController();
    watchRevision({
      path,
      open: this.open,
      signal: this.#following.signal,
      shown: () => this.page?.sequence ?? null,
      isVisible: () => this.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true }) && !this.closest("[inert]"),
      onChange: (live) => this.#refresh(path, live),
    });
  }

  /**
   * Updates the text in place and keeps the scroll position. A deleted page stays until the reader leaves it.
   * @param live the new sequence; without it the same revision is loaded in another language
   */
  async #refresh(path: string, live?: number): Promise<void> {
    const { signal } = this.#loading ?? new AbortController();
    const { page: shown } = this;
    const page =
      shown && (await this.#readAgain(shown, signal).catch((error: unknown) => (error instanceof PageNotFound ? "missing" : null)));
    if (!page || signal.aborted || this.page?.path !== path) return;
    const known = this.page.sequence;
    this.#isGone = page === "missing";
    if (page === "missing") {
      if (live !== undefined) this.page = { ...this.page, sequence: live };
      return;
    }
    // The answering server does not have the new revision yet: the next check retries.
    if (live !== undefined && page.sequence !== null && known !== null && page.sequence <= known) return;
    const article = this.renderRoot.querySelector<HTMLElement>(".page");
    if (!article) return;
    const keepPlace = scrollAnchor(article, this.getBoundingClientRect().top);
    const changed = patchElement(article, page.content);
    this.page = { ...page, content: this.page.content, sequence: page.sequence ?? live ?? known };
    if (page.path !== path) {
      this.#follow(page);
      this.dispatchEvent(new PageReadEvent(page.path + this.href.slice(pathOf(this.href).length), page.title));
    }
    await this.updateComplete;
    makeScrollersFocusable(article);
    if (article.querySelector("[data-diagram]")) void import("../rendering/diagram.ts").then(({ drawDiagrams }) => drawDiagrams(article));
    this.scrollTop += keepPlace();
    if (this.#passage)
      this.#passage = showAgain(this.#passage, (how) => this.#showPassage(article, new URL(this.href, location.href), how));
    if (live !== undefined && changed) this.dispatchEvent(new AnnounceEvent(msg("course.pagePublishedAnewSee")));
  }

  /** Reads a page again, wherever it is now. @throws {PageNotFound} if it was deleted */
  async #readAgain({ path, id }: PageSource, signal: AbortSignal): Promise<PageSource> {
    const page = await readPage(path, this.open, signal).catch((error: unknown) => {
      if (error instanceof PageNotFound) return null;
      throw error;
    });
    if (page && (page.id === id || page.id === null || id === null)) return page;
    const [, courseId = ""] = /^\/courses\/([^/]+)/.exec(path) ?? [];
    const present = id === null ? null : await presentPage(courseId, id, page?.id ?? null, this.open);
    if (!present) throw new PageNotFound(path);
    if (page && present.id === page.id) return page;
    return readPage(present.href ?? path, this.open, signal);
  }

  /** Goes to the place in the address of a page that has been open: its text may have changed while its tab was in the background. */
  async #arrive(): Promise<void> {
    const { href, page } = this;
    if (page?.sequence && new URL(href, location.href).hash) {
      const live = await liveSequence(page.path, this.open);
      if (live !== null && live > page.sequence) await this.#refresh(page.path, live).catch(() => undefined);
    }
    if (href !== this.href) return;
    if (this.#isGone && new URL(href, location.href).hash) await this.#load();
    else this.#scrollToAddress();
  }

  /** Shows the page once its stylesheets are loaded, to avoid a layout shift. */
  readonly #onStylesheet = (event: Event) => {
    (event.target as HTMLElement).dataset.done = "";
    if (!this.renderRoot.querySelector("link:not([data-done])")) this.#show();
  };

  #show(): void {
    const article = this.renderRoot.querySelector<HTMLElement>(".page");
    if (!article?.hidden) return;
    article.hidden = false;
    makeScrollersFocusable(article);
    if (article.querySelector("[data-diagram]")) void import("../rendering/diagram.ts").then(({ drawDiagrams }) => drawDiagrams(article));
    const place = scrollPositions.get(this.tabId);
    scrollPositions.delete(this.tabId);
    this.#scrollToAddress(true);
    if (place?.href === this.href) this.scrollTop = place.top;
    if (this.#reach) this.reach();
  }

  /** Scrolls to the marked passage, to a block, or to the top. */
  #scrollToAddress(atOnce = false): void {
    const article = this.renderRoot.querySelector<HTMLElement>(".page");
    if (!article || article.hidden) return;
    const address = new URL(this.href, location.href);
    this.#passage?.remove();
    this.#passage = this.#showPassage(article, address, { atOnce });
    if (!address.searchParams.has("mark")) this.#goTo(address.hash);
  }

  /** Shows the passage of the address. */
  #showPassage(article: HTMLElement, address: URL, how: Pick<CitedPassageOptions, "atOnce" | "stays">): ShownPassage {
    return showCitedPassage(article, address, {
      ...how,
      notes: article,
      open: this.open,
      onCleared: () => {
        this.#cleared = address.pathname + address.hash;
        this.dispatchEvent(new PageReadEvent(this.#cleared, this.page?.title ?? ""));
      },
    });
  }

  /** @returns whether the place is on the page */
  #goTo(hash: string): boolean {
    const root = this.renderRoot as ShadowRoot;
    const block = hash ? root.getElementById(decodeURIComponent(hash.slice(1))) : null;
    // `:target` does not match inside a shadow root.
    for (const before of root.querySelectorAll("[data-target]")) before.removeAttribute("data-target");
    block?.setAttribute("data-target", "");
    if (block) block.scrollIntoView({ block: "start" });
    else if (!hash) this.scrollTop = 0;
    return block !== null || !hash;
  }

  /** Handles links to fragments of the page. */
  #clicked(event: MouseEvent): void {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    const href = link?.getAttribute("href") ?? "";
    if (!href.startsWith("#") || event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    const article = this.renderRoot.querySelector<HTMLElement>(".page");
    if (this.#goTo(href) || !article || !this.page) return;
    this.#passage?.remove();
    this.#passage = this.#showPassage(article, new URL(this.page.path + href, location.href), {});
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-course-page": CoursePage;
  }
  interface GlobalEventHandlersEventMap {
    "colloquy-page-read": PageReadEvent;
  }
}

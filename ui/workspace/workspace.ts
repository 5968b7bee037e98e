import type { Account } from "@colloquy/schemas/accounts/account.ts";
import { html, nothing, type PropertyValues } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import type { SignedIn } from "../accounts/signed-in.ts";
import { type Api, createApi } from "../api/client.ts";
import type { LedgerElement } from "../audit/ledger/ledger.ts";
import { AnnounceEvent } from "../controls/announce-event.ts";
import { isApple, makeRoomForKeyboard, rememberViewport } from "../controls/keyboard.ts";
import { LightElement } from "../controls/light-element.ts";
import { isPlainClick } from "../controls/link.ts";
import { openModal } from "../controls/overlay-history.ts";
import type { CoursePage } from "../courses/course-page.ts";
import { pathOf } from "../courses/paths.ts";
import type { ExplainerElement } from "../explainers/explainer.ts";
import type { AccountActions } from "./account-actions.ts";
import { type Address, currentPath, hrefOf, readAddress } from "./address.ts";
import { Arrangement } from "./arrangement.ts";
import { activeTab, paneOf, panesOf, type Tab, tabsInView, tabsOf } from "./layout/layout.ts";
import { newConversation, sameTarget, type Target } from "./layout/target.ts";
import { LayoutKeeper } from "./layout-keeper.ts";
import { openInWorkspace } from "./links.ts";
import "../controls/menu.ts";
import type { Menu, MenuItem } from "../controls/menu.ts";
import { NearPages } from "./near-pages.ts";
import { notice, saveStatus, unreachable } from "./notice.ts";
import { rememberOpening } from "./opening.ts";
import { paneForKey, paneWords } from "./pane-keys.ts";
import { kindOf, type PaneContext } from "./pane-kinds.ts";
import "./panes.ts";
import { msg } from "../messages/page.ts";
import type { Panes } from "./panes.ts";
import { phoneHead } from "./phone-head.ts";
import { Sessions } from "./sessions.ts";
import { SidebarState, sidebar } from "./sidebar.ts";
import type { VisitorPage } from "./visitor-page.ts";
import { workspaceStyles } from "./workspace.styles.ts";

const cameFromThisSite = (): boolean => URL.parse(document.referrer)?.origin === location.origin;

const phone = matchMedia("(max-width: 760px)");

/**
 * @summary The workspace at `/ai`: history and panes of tabs; on a phone one pane at a time, with the history in a sheet. While another
 *   page of the shell is shown, its answers continue and the address is left alone.
 * @attribute demo - demonstration accounts may sign in with one click
 */
@customElement("colloquy-workspace")
export class Workspace extends LightElement {
  static override lightStyles = [workspaceStyles];

  @property({ type: Boolean }) demo = false;
  /** The client of the services; replaced in tests. */
  @property({ attribute: false }) api: Api = createApi();
  /** Fetches course pages. */
  @property({ attribute: false }) openPage: typeof fetch = (input, init) => fetch(input, init);
  /** Undefined until known; null for nobody. */
  @property({ attribute: false }) account: Account | null | undefined = undefined;
  /** The account's local store and library, once open. */
  @property({ attribute: false }) signedIn: SignedIn | null = null;
  /** The service cannot be reached, so the account is unknown. */
  @property({ attribute: false }) unreachable = false;
  /** The address of the last navigation: a new object each time. */
  @property({ attribute: false }) address: URL = new URL(location.href);
  /** Whether the workspace is the shown page. */
  @property({ attribute: false }) active = true;
  @property({ attribute: false }) retry: () => void = () => {};
  /** Opens another page of the shell. */
  @property({ attribute: false }) open: (href: string) => void = (href) => location.assign(href);
  /** Leaves for a page outside the shell. */
  @property({ attribute: false }) leaveFor: (href: string) => void = (href) => location.assign(href);
  /** Removes the placeholder that the document shows before its scripts run. */
  @property({ attribute: false }) endOpening: () => void = () => {};
  @state() private sessions: Sessions | null = null;
  @state() private arrangement: Arrangement | null = null;
  @state() private offline = !navigator.onLine;
  @state() private narrow = phone.matches;
  @query("colloquy-panes") private panes!: Panes | null;
  @query(":scope > main > colloquy-menu") private menu!: Menu;
  @query("dialog.sheet") private sheet!: HTMLDialogElement | null;
  #visitorPage: VisitorPage | null = null;
  #nearPages: NearPages | null = null;
  #sidebarState: SidebarState | null = null;
  #accountActions: AccountActions | null = null;
  #stop: AbortController | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    rememberViewport();
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    this.onConnectivityChange((offline) => (this.offline = offline), signal);
    phone.addEventListener("change", () => (this.narrow = phone.matches), { signal });
    document.addEventListener("keydown", (event) => this.#onShortcut(event), { signal });
    this.addEventListener("keydown", (event) => this.#onPaneKey(event), { signal, capture: true });
    this.addEventListener("click", (event) => this.#onClick(event), { signal });
    this.addEventListener(
      "colloquy-page-read",
      (event) => this.#onPageRead(event, { kind: "page", href: event.href, title: event.title }),
      {
        signal,
      },
    );
    for (const event of ["colloquy-ledger-read", "colloquy-film-shown"] as const)
      this.addEventListener(event, (event) => this.#onPageRead(event, event.shown), { signal });
    for (const event of ["colloquy-sign-in", "colloquy-blocked"] as const)
      this.addEventListener(event, () => void this.#signIn(), { signal });
    window.visualViewport?.addEventListener("resize", () => this.active && makeRoomForKeyboard(this, this.narrow), { signal });
    const near = new NearPages(this.api, () => this.requestUpdate());
    this.#nearPages = near;
    window.addEventListener("focus", () => void near.refresh(), { signal });
    document.addEventListener("visibilitychange", () => !document.hidden && void near.refresh(), { signal });
    this.addEventListener("colloquy-models-wanted", () => void this.sessions?.loadModels(), { signal });
    this.addEventListener("colloquy-hide-model", (event) => void this.sessions?.preferences.hideModel(event.modelId, event.hidden), {
      signal,
    });
    const { page } = readAddress();
    if (page) near.addReferrer(page);
  }

  override disconnectedCallback(): void {
    this.#stop?.abort();
    this.arrangement?.dispose();
    this.arrangement = null;
    this.sessions?.close();
    this.sessions = null;
    super.disconnectedCallback();
  }

  /** Shows the visitor's page, which keeps what they write until they sign in. */
  async #openVisitorPage(): Promise<void> {
    const { page, start } = readAddress();
    const [source, { VisitorPage }] = await Promise.all([
      page ? this.api.source(page).catch(() => undefined) : undefined,
      import("./visitor-page.ts"),
    ]);
    if (!this.isConnected) return;
    this.#visitorPage = new VisitorPage(source, () => this.requestUpdate(), start === "quiz");
    this.requestUpdate();
    await this.updateComplete;
    if (!phone.matches && this.active) this.querySelector("colloquy-composer")?.focus({ preventScroll: true });
  }

  async #openSessions(signedIn: SignedIn): Promise<void> {
    const sessions = await Sessions.open(this.api, signedIn);
    const keeper = await LayoutKeeper.open(sessions.store, sessions.tabId);
    this.#sidebarState = await SidebarState.open(sessions.store);
    if (!this.isConnected) return sessions.close();
    const { signal } = this.#stop ?? new AbortController();
    sessions.events.on("change", () => this.requestUpdate());
    const address = readAddress();
    const arrangement = new Arrangement(sessions, keeper);
    arrangement.events.on("tabs", () => this.requestUpdate());
    arrangement.events.on("announce", ({ text }) => this.#announce(text));
    arrangement.events.on("reach", ({ look }) => void this.#focusContent(look));
    signedIn.events.on("leaving", () => arrangement.dispose());
    this.sessions = sessions;
    this.arrangement = arrangement;
    if (keeper.broken) this.#announce(msg("workspace.savedLayoutCouldNotReadDefault"));
    this.#attachCarriedPage(address);
    if (this.active) void this.#focusContent(false);
    // Loaded last, because nothing needs it at the start.
    const ways = await import("./account-actions.ts").catch(() => this.#announce(msg("workspace.didLoadTryAgain")));
    if (!ways || !this.isConnected) return;
    this.#accountActions = new ways.AccountActions({
      api: this.api,
      signedIn,
      sessions,
      signal,
      say: (words) => this.#announce(words),
      open: (href) => {
        // Settings open over a phone's sheet; Back returns to it.
        if (href !== "/settings") this.sheet?.close();
        this.open(href);
      },
      leaveFor: (href) => this.leaveFor(href),
      place: () => this,
    });
  }

  #announce(text: string): void {
    this.dispatchEvent(new AnnounceEvent(text));
  }

  /** Shows the current address. */
  #arrive(): void {
    const address = readAddress();
    this.arrangement?.showAddress();
    this.#attachCarriedPage(address);
  }

  /**
   * Attached once: the address changes with the first turn, so a reload does not attach the page again. A quiz starts at once only for a
   * link of this site, because another site must not spend the learner's questions.
   */
  #attachCarriedPage({ conversationId, page, start }: Address, isOwnLink = cameFromThisSite()): void {
    if (!page || conversationId || !this.sessions) return;
    void this.sessions.attachCarriedPage(page, start && { start, isOwnLink });
  }

  /** Focuses the active tab's content when the workspace is shown again. */
  focusContent(): Promise<void> {
    return this.#focusContent(false);
  }

  /** Focuses the active tab's content; on a phone only pages, because a composer would open the keyboard. */
  async #focusContent(look: boolean): Promise<void> {
    this.sheet?.close();
    await this.updateComplete;
    await this.panes?.updateComplete;
    const { arrangement } = this;
    const panel = arrangement && this.#panel(arrangement.current.id);
    if (!panel) return;
    const { target } = arrangement.current;
    if (!this.narrow || target.kind !== "conversation") kindOf(target).focus(panel);
    if (look)
      panel
        .querySelector<CoursePage | ExplainerElement | LedgerElement>("colloquy-course-page, colloquy-explainer, colloquy-ledger")
        ?.look?.();
  }

  #panel(tabId: string): HTMLElement | null {
    return this.querySelector<HTMLElement>(`.panel[data-tab="${CSS.escape(tabId)}"]`);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("account") && this.account !== undefined) void this.#nearPages?.refresh();
    if (changed.has("account") && this.account === null) void this.#openVisitorPage();
    if (changed.has("signedIn") && this.signedIn) void this.#openSessions(this.signedIn);
    if (changed.has("address") && this.active) this.#arrive();
    const { arrangement } = this;
    this.classList.toggle("phone", this.narrow);
    this.classList.toggle("folded", !this.narrow && (this.#sidebarState?.folded ?? false));
    const title = arrangement && this.#context ? this.#title(arrangement.current) : "";
    if (this.active)
      document.title =
        title && !sameTarget(arrangement?.current.target ?? newConversation, newConversation) ? `${title} · Colloquy` : "Colloquy";
    if (arrangement) {
      const { layout } = arrangement;
      this.#nearPages?.setOpenPages(
        tabsInView(layout).flatMap(({ target }) => (target.kind === "page" ? [pathOf(target.href)] : [])),
        panesOf(layout.root).flatMap((pane) => arrangement.session(activeTab(pane))?.references.map(({ href }) => href) ?? []),
      );
    }
  }

  /** What the panes may use; null until signed in. */
  get #context(): PaneContext | null {
    const { sessions, arrangement } = this;
    if (!sessions || !arrangement) return null;
    return {
      sessions,
      arrangement,
      pages: this.#nearPages?.pages ?? [],
      search: this.#search,
      notice: notice(sessions, this.offline),
      open: this.openPage,
      tutor: this.api.tutor,
      send: this.api.send,
    };
  }

  readonly #search = (text: string, signal: AbortSignal) => this.api.references(text, signal);

  #title(tab: Tab): string {
    const context = this.#context;
    return context ? kindOf(tab.target).title(tab.target, context, tab) : "";
  }

  protected override render() {
    const title = this.arrangement ? this.#title(this.arrangement.current) : msg("composer.newConversation");
    return html`<a class="skip" href="#panes" @click=${this.#onSkipLink}>${msg("workspace.skipOpen")}</a>
      ${
        this.narrow
          ? html`${this.#phoneHead(title)}
            <dialog class="sheet" aria-label=${msg("workspace.conversations")} @click=${this.#onSheetClick}>${this.#side()}<colloquy-menu></colloquy-menu></dialog>`
          : this.#side()
      }
      <main class="main" id="panes">${this.narrow ? nothing : html`<h1 class="visually-hidden">${title}</h1>`}${this.#main()}<colloquy-menu></colloquy-menu></main>`;
  }

  #main() {
    const context = this.#context;
    if (this.unreachable) return html`<div class="still">${unreachable(this.offline, () => this.retry())}</div>`;
    if (this.#visitorPage)
      return html`<div class="still">${this.#visitorPage.render({ demo: this.demo, search: this.#search, pages: this.#nearPages?.pages ?? [] })}</div>`;
    if (!context) return html`<div class="still" aria-busy="true"></div>`;
    const view = (tab: Tab) => {
      const kind = kindOf(tab.target);
      return {
        id: tab.id,
        title: kind.title(tab.target, context, tab),
        href: hrefOf(tab.target),
        icon: kind.icon,
        busy: kind.busy(context, tab),
      };
    };
    return html`<colloquy-panes .arrangement=${context.arrangement} .view=${view} .content=${(tab: Tab) => kindOf(tab.target).render(tab.target, context, tab)}
      .saveStatus=${saveStatus(context.sessions)} ?narrow=${this.narrow}></colloquy-panes>`;
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has("narrow") && !this.narrow) this.sheet?.close();
    if (this.arrangement || this.#visitorPage || this.unreachable) this.endOpening();
    if (this.arrangement) rememberOpening(this.#isEmpty(this.arrangement));
  }

  /** Whether only an empty new conversation is open, as for a first visit. */
  #isEmpty(arrangement: Arrangement): boolean {
    const { layout, current } = arrangement;
    if (tabsOf(layout).length > 1 || !sameTarget(current.target, newConversation) || this.#sidebarState?.folded) return false;
    const session = arrangement.session(current);
    return session?.mode === "ask" && session.references.length === 0;
  }

  #side() {
    const { account, sessions, narrow, arrangement } = this;
    return sidebar({
      account,
      sessions,
      narrow,
      folded: this.#sidebarState?.folded ?? false,
      current: arrangement?.conversationId ?? null,
      onNew: (event) => {
        if (!isPlainClick(event) || !arrangement) return;
        event.preventDefault();
        arrangement.show(newConversation);
      },
      onOpen: (target) => arrangement?.show(target),
      onFold: (folded) => void this.#fold(folded),
      onClose: () => this.sheet?.close(),
      onAccount: (anchor) => void this.#openAccount(anchor),
    });
  }

  /** The name is shown before the account is fully loaded: a click meanwhile opens the menu as soon as it exists. */
  async #openAccount(anchor: HTMLElement): Promise<void> {
    await this.#waitFor(() => this.#accountActions);
    if (this.#accountActions) this.#openMenu(anchor, msg("workspace.account"), this.#accountActions.menu());
  }

  async #waitFor(isHere: () => unknown): Promise<void> {
    while (!isHere() && this.isConnected) await new Promise((resolve) => setTimeout(resolve, 50));
  }

  /** The button is shown before the stored state is read. */
  async #fold(folded: boolean): Promise<void> {
    await this.#waitFor(() => this.#sidebarState);
    await this.#sidebarState?.fold(folded);
    this.requestUpdate();
    await this.updateComplete;
    this.querySelector<HTMLElement>(".side [aria-expanded]")?.focus();
  }

  #phoneHead(title: string) {
    return phoneHead({
      arrangement: this.arrangement,
      title,
      saveStatus: saveStatus(this.sessions),
      titleOf: (tab) => this.#title(tab),
      onConversations: () => this.sheet && openModal(this.sheet),
      openMenu: (anchor, label, items) => this.#openMenu(anchor, label, items),
      say: (text) => this.#announce(text),
    });
  }

  /** While the sheet is open, only a menu inside it is reachable. */
  #openMenu(anchor: HTMLElement, label: string, items: MenuItem[]): void {
    const menu = anchor.closest("dialog")?.querySelector("colloquy-menu") ?? this.menu;
    void menu.open(anchor, label, items);
  }

  /** Keeps what is written: a visitor's in session storage, otherwise in the drafts. */
  async #signIn(): Promise<void> {
    if (this.#visitorPage) this.#visitorPage.keep();
    else await this.sessions?.flush();
    this.leaveFor(`/sign-in?return=${encodeURIComponent(currentPath())}`);
  }

  #onClick(event: MouseEvent): void {
    const { arrangement, narrow } = this;
    if (arrangement) openInWorkspace(event, arrangement, { narrow, carry: (address) => this.#attachCarriedPage(address, true) });
  }

  #onPageRead({ target: from }: Event, target: Target): void {
    const tabId = from instanceof HTMLElement ? from.closest<HTMLElement>(".panel")?.dataset.tab : null;
    if (tabId) this.arrangement?.updateTarget(tabId, target);
  }

  /** A click outside the sheet closes it. */
  readonly #onSheetClick = (event: MouseEvent) => {
    if (event.target === this.sheet) this.sheet?.close();
  };

  readonly #onSkipLink = (event: Event) => {
    event.preventDefault();
    void this.#focusContent(false);
  };

  #onPaneKey(event: KeyboardEvent): void {
    const { arrangement } = this;
    const paneId = arrangement && paneForKey(event, arrangement);
    const pane = paneId && paneOf(arrangement.layout, paneId);
    if (!pane) return;
    event.preventDefault();
    event.stopPropagation();
    arrangement.focus(pane.id);
    void this.#focusContent(false);
    const name = (tabId: string) => {
      const tab = tabsOf(arrangement.layout).find(({ id }) => id === tabId) ?? activeTab(pane);
      return `${this.#title(tab)}, ${kindOf(tab.target).name}`;
    };
    this.#announce(paneWords(arrangement, pane.id, name));
  }

  #onShortcut(event: KeyboardEvent): void {
    if (event.key.toLowerCase() !== "j" || !(isApple() ? event.metaKey : event.ctrlKey) || event.shiftKey || event.altKey) return;
    if (!this.arrangement || !this.active) return;
    event.preventDefault();
    this.arrangement.show(newConversation);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-workspace": Workspace;
  }
}

import type { Account } from "@colloquy/schemas/accounts/account.ts";
import type { PreferenceChoices } from "@colloquy/schemas/sync/changes.ts";
import { html, nothing, type PropertyValues } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { applyLook, effectiveChoices, languageOf } from "../accounts/look.ts";
import { onSignOutElsewhere } from "../accounts/sign-out-broadcast.ts";
import { SignedIn } from "../accounts/signed-in.ts";
import { type Api, createApi } from "../api/client.ts";
import { isAbort } from "../api/problems.ts";
import type { Announcer } from "../controls/announcer.ts";
import "../controls/announcer.ts";
import { LightElement } from "../controls/light-element.ts";
import { clickedLink } from "../controls/link.ts";
import { handleBackButton, hasOverlay, whenHistorySettled } from "../controls/overlay-history.ts";
import { setLanguageAttributes, setPageLanguage } from "../messages/load.ts";
import { loadAllMessages } from "../messages/load-all.ts";
import { msg, pageLanguage } from "../messages/page.ts";
import { rerenderOnLanguageChange } from "../messages/rerender.ts";
import { currentAccount } from "../offline/current-account.ts";
import type { ChooseEvent } from "../workspace/settings.ts";
import { Navigation } from "./navigation.ts";

const loadWorkspace = () => import("../workspace/workspace.ts");
const loadSettings = () => import("../workspace/settings.ts");
const loadHead = () => import("./page-head.ts");

const titles: Readonly<Record<string, () => string>> = {
  "/settings": () => msg("page.settingsColloquy"),
  "/review": () => msg("page.reviewColloquy"),
  "/audit": () => msg("page.auditColloquy"),
};

/**
 * @summary The application for signed-in people: workspace, review, audit and settings, each loaded when it is opened. The workspace
 *   stays in the document while another page is shown, so that answers continue streaming. Owns the address, the account and the live
 *   region.
 * @attribute demo - demonstration accounts may sign in with one click
 */
@customElement("colloquy-shell")
export class Shell extends LightElement {
  @property({ type: Boolean }) demo = false;
  /** The client of the services; replaced in tests. */
  @property({ attribute: false }) api: Api = createApi();
  /** Fetches course pages. */
  @property({ attribute: false }) openPage: typeof fetch = (input, init) => fetch(input, init);
  /** Undefined until known; null for nobody. */
  @state() private account: Account | null | undefined = undefined;
  @state() private signedIn: SignedIn | null = null;
  @state() private unreachable = false;
  /** Settings are shown over a phone's sheet, without an address of their own. */
  @state() private settingsOver = false;
  /** The script of the first page could not be loaded. */
  @state() private failed = false;
  @query(":scope > colloquy-announcer") private announcer!: Announcer;
  /** Reloads the page because the account signed out or another signed in. Replaced in tests. */
  reloadPage: () => void = () => location.reload();
  /** Leaves for a page outside the shell. Replaced in tests. */
  leaveFor: (href: string) => void = (href) => void whenHistorySettled().then(() => location.assign(href));
  readonly #navigation: Navigation = new Navigation(
    this,
    [
      { path: "/ai", load: loadWorkspace, render: () => nothing },
      { path: "/settings", load: () => Promise.all([loadWorkspace(), loadSettings()]), render: () => nothing },
      { path: "/review", load: () => Promise.all([import("../review/page.ts"), loadHead()]), render: () => this.#review() },
      { path: "/audit", load: () => Promise.all([import("../audit/audit.ts"), loadHead()]), render: () => this.#audit() },
    ],
    () => this.#onLoadFailed(),
  );
  #stop: AbortController | null = null;
  /** The workspace was opened; it stays in the document. */
  #hasWorkspace = false;
  #shownPath: string | null = null;
  #entering = false;

  override connectedCallback(): void {
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    // Must run before the navigation listens to `popstate`.
    handleBackButton(signal);
    super.connectedCallback();
    // A document from the offline cache may have been rendered for another address.
    if (location.search) this.#endOpening();
    rerenderOnLanguageChange(this, signal);
    this.onConnectivityChange((offline) => !offline && this.account === undefined && void this.#enter(), signal);
    this.addEventListener("click", (event) => this.#onClick(event), { signal });
    this.addEventListener("colloquy-announce", ({ text }) => this.announcer.announce(text), { signal });
  }

  override disconnectedCallback(): void {
    this.#stop?.abort();
    this.signedIn?.close();
    this.signedIn = null;
    this.account = undefined;
    super.disconnectedCallback();
  }

  /** Opens a page: within the shell if it belongs there and the account may open it, else as a new document. */
  readonly open = (href: string): void => {
    const url = new URL(href, location.href);
    if (url.pathname === "/settings" && (hasOverlay() || this.#hasOwnHead)) void this.#openSettingsOver();
    else if (this.#isOpen(url)) void this.#navigation.navigate(href);
    else this.leaveFor(href);
  };

  async #openSettingsOver(): Promise<void> {
    try {
      await loadSettings();
      this.settingsOver = true;
    } catch {
      this.announcer.announce(msg("workspace.settingsCouldNotLoadedTryAgain"));
    }
  }

  readonly #settingsClosed = () => {
    if (this.settingsOver) this.settingsOver = false;
    else void this.#navigation.leave("/ai", this.#cameFromCourses());
  };

  /** For a page that the account may not open, the service answers with the reason. */
  #isOpen(url: URL): boolean {
    const isAudit = url.pathname === "/audit";
    return (
      this.#navigation.has(url) && (!isAudit || this.#navigation.path === "/audit" || this.account?.roles.includes("auditor") === true)
    );
  }

  /** Finds the signed-in account and opens its local store. */
  async #enter(): Promise<void> {
    if (this.#entering) return;
    this.#entering = true;
    const { signal } = this.#stop ?? new AbortController();
    try {
      this.unreachable = false;
      const account = await currentAccount(this.api, signal);
      if (account) {
        // Listen before anything else, so that no sign-out in another tab is missed.
        onSignOutElsewhere(account.accountId, () => this.reloadPage(), signal);
        this.account = account;
        await this.#openAccount(account);
      } else this.account = null;
    } catch (error) {
      if (!isAbort(error)) this.unreachable = true;
    } finally {
      this.#entering = false;
    }
  }

  async #openAccount(account: Account): Promise<void> {
    const signedIn = await SignedIn.open(this.api, account, () => this.reloadPage());
    const { preferences } = signedIn;
    preferences.events.on("change", () => {
      this.requestUpdate();
      void this.#applyChoices(preferences.choices);
    });
    await this.#applyChoices(preferences.choices);
    if (this.isConnected) this.signedIn = signedIn;
    else signedIn.close();
  }

  /** Applies theme and language without touching running answers or unsent text. */
  async #applyChoices(choices: PreferenceChoices): Promise<void> {
    applyLook(choices);
    const language = languageOf(choices);
    if (language === pageLanguage()) return;
    if (await setPageLanguage(language, "all")) {
      setLanguageAttributes(document.documentElement, language);
      this.announcer?.announce(msg("workspace.interfaceEnglishNow"), true);
    } else this.announcer?.announce(msg("workspace.textsLanguageCouldNotLoadedChoose"));
  }

  /** The first update waits for the messages of the document's language, so that no other language flashes. */
  protected override async scheduleUpdate(): Promise<void> {
    const messages = this.hasUpdated ? null : loadAllMessages();
    if (messages) await messages;
    await super.scheduleUpdate();
  }

  #onLoadFailed(): void {
    // Running answers and unsent text in the workspace are not risked by a reload.
    if (this.#hasWorkspace) {
      this.announcer.announce(msg("workspace.didLoadTryAgain"));
      history.back();
      // A newer build may have renamed the scripts; a new document knows their names.
    } else if (this.#navigation.path !== null) location.reload();
    else this.failed = true;
  }

  #onClick(event: MouseEvent): void {
    const link = clickedLink(event);
    if (!link || !this.#isOpen(new URL(link.href))) return;
    if (link.pathname === location.pathname && link.search === location.search && link.hash) return;
    event.preventDefault();
    this.open(link.href);
  }

  /** Removes the placeholder that the document shows before its scripts run. */
  readonly #endOpening = () => this.querySelector(":scope > .opening")?.remove();

  protected override willUpdate(): void {
    const { path } = this.#navigation;
    if (path === "/ai" || path === "/settings") this.#hasWorkspace = true;
    if (path !== null && this.account === undefined && !this.unreachable) void this.#enter();
  }

  protected override render() {
    if (this.failed)
      return html`<main class="not-loaded"><p role="alert">${msg("workspace.didLoadTryAgain")}</p><button type="button" class="button" @click=${() => location.reload()}>${msg("common.tryAgain")}</button></main>`;
    const { signedIn } = this;
    const { path, address } = this.#navigation;
    const { account, unreachable, demo, api, openPage } = this;
    return html`${
      this.#hasWorkspace
        ? html`<colloquy-workspace .api=${api} .openPage=${openPage} .account=${account} .signedIn=${signedIn} .unreachable=${unreachable} .address=${address} .active=${path === "/ai"}
            ?demo=${demo} ?inert=${path !== "/ai" && path !== "/settings"} .retry=${this.#retry} .open=${this.open} .leaveFor=${this.#leaveFor} .endOpening=${this.#endOpening}></colloquy-workspace>`
        : nothing
    }${this.#hasOwnHead && path ? html`<colloquy-page-head .api=${api} .path=${path} .account=${account} .signedIn=${signedIn} .open=${this.open} .leaveFor=${this.#leaveFor}></colloquy-page-head>` : nothing}${this.#navigation.outlet()}
    ${
      signedIn
        ? html`<colloquy-settings ?open=${path === "/settings" || this.settingsOver} ?over=${this.settingsOver} .api=${api} .store=${signedIn.store} .signedIn=${signedIn} .leaveFor=${this.#leaveFor} .choices=${effectiveChoices(signedIn.preferences.choices)}
            @colloquy-choose=${(event: ChooseEvent) => void signedIn.preferences.choose(event.choices)} @close=${this.#settingsClosed}></colloquy-settings>`
        : nothing
    }<colloquy-announcer></colloquy-announcer>`;
  }

  /** The workspace has its own header. */
  get #hasOwnHead(): boolean {
    const { path } = this.#navigation;
    return path === "/review" || path === "/audit";
  }

  /** Whether the first page of this document was opened from a page outside the shell that Back returns to. */
  #cameFromCourses(): boolean {
    const from = URL.parse(document.referrer);
    return history.length > 1 && from?.origin === location.origin && /^\/(courses(\/|$)|$)/.test(from.pathname);
  }

  readonly #retry = () => void this.#enter();
  readonly #leaveFor = (href: string) => this.leaveFor(href);

  #review() {
    return html`<colloquy-review-page class="review" .api=${this.api} .account=${this.account} .signedIn=${this.signedIn} .unreachable=${this.unreachable} .retry=${this.#retry}></colloquy-review-page>`;
  }

  #audit() {
    return html`<colloquy-audit class="audit" .address=${this.#navigation.address} .open=${this.open}></colloquy-audit>`;
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    const { path } = this.#navigation;
    if (path === null) return;
    // The workspace names itself after its tab.
    const title = titles[path]?.();
    if (title && document.title !== title) document.title = title;
    if (path === this.#shownPath) return;
    const before = this.#shownPath;
    this.#shownPath = path;
    this.dataset.page = path.slice(1);
    if (before === null) return;
    if (path === "/review" || path === "/audit") void this.#focusMain();
    else if (path === "/ai" && before !== "/settings") void this.querySelector("colloquy-workspace")?.focusContent();
  }

  /** Focuses the opened page. */
  async #focusMain(): Promise<void> {
    const page = this.querySelector<LightElement>("colloquy-review-page, colloquy-audit");
    await page?.updateComplete;
    page?.querySelector("main")?.focus({ preventScroll: true });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-shell": Shell;
  }
}

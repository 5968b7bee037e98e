import { Routes } from "@lit-labs/router/routes.js";
import type { ReactiveController, ReactiveControllerHost } from "lit";
import { pushEntry, replaceEntry, whenHistorySettled } from "../controls/overlay-history.ts";

export interface Page {
  path: string;
  /** Loads the script of the page's element. */
  load(): Promise<unknown>;
  render(): unknown;
}

type Host = ReactiveControllerHost & HTMLElement;

/** Key in `history.state` of entries that were reached from another page of the shell. */
const within = "within";

/**
 * The shell's pages and their addresses. `Routes` only matches paths; this class adds queries, the browser's history and overlapping
 * navigations.
 */
export class Navigation implements ReactiveController {
  /** The address of the shown page: a new object for each navigation, also to the same address. */
  address = new URL(location.href);
  /** The path of the shown page; null until its script is loaded. */
  path: string | null = null;
  readonly #host: Host;
  readonly #pages: readonly Page[];
  readonly #routes: Routes;
  readonly #onFailure: () => void;
  #arrivals = 0;
  #stop: AbortController | null = null;

  /** @param onFailure called when the script of a page cannot be loaded */
  constructor(host: Host, pages: readonly Page[], onFailure: () => void) {
    this.#host = host;
    this.#pages = pages;
    this.#onFailure = onFailure;
    this.#routes = new Routes(
      host,
      pages.map(({ path, load, render }) => ({ path: `${path}{/}?`, enter: () => this.#enter(load), render })),
    );
    host.addController(this);
  }

  hostConnected(): void {
    this.#stop = new AbortController();
    window.addEventListener("popstate", () => !this.#isJump() && void this.arrive(), { signal: this.#stop.signal });
    void this.arrive();
  }

  hostDisconnected(): void {
    this.#stop?.abort();
  }

  /** The template of the current page. */
  outlet(): unknown {
    return this.#routes.outlet();
  }

  /** Whether an address of this site is a page of the shell. */
  has({ origin, pathname }: URL | Location): boolean {
    return origin === location.origin && this.#pageAt(pathname) !== undefined;
  }

  /** Navigates to a page of the shell with a new history entry. */
  async navigate(href: string): Promise<void> {
    await whenHistorySettled();
    pushEntry({ [within]: this.path !== null }, href);
    await this.arrive();
  }

  /** Goes back to the page of the shell that led here, else to `instead`. @param back whether Back leads there in any case */
  async leave(instead: string, back = false): Promise<void> {
    await whenHistorySettled();
    if (back || (history.state as Record<string, unknown> | null)?.[within]) return history.back();
    replaceEntry({}, instead);
    await this.arrive();
  }

  /** Shows the page of the current address. */
  async arrive(): Promise<void> {
    this.#arrivals += 1;
    const arrival = this.#arrivals;
    try {
      // Browsers from before 2025 may lack URLPattern, which `Routes` needs.
      if (!("URLPattern" in globalThis)) await import("urlpattern-polyfill");
      await this.#routes.goto(location.pathname);
    } catch {
      if (arrival === this.#arrivals) this.#onFailure();
      return;
    }
    if (arrival !== this.#arrivals) return;
    this.address = new URL(location.href);
    this.path = this.#pageAt(location.pathname)?.path ?? null;
    this.#host.requestUpdate();
  }

  /** Loads a page; false if another navigation has started meanwhile. */
  async #enter(load: Page["load"]): Promise<boolean> {
    const arrival = this.#arrivals;
    await load();
    return arrival === this.#arrivals;
  }

  #pageAt(path: string): Page | undefined {
    return this.#pages.find((page) => page.path === path.replace(/\/$/, ""));
  }

  /** Whether only the fragment changed, as by a skip link. */
  #isJump(): boolean {
    const { pathname, search, hash } = this.address;
    return location.pathname === pathname && location.search === search && location.hash !== hash;
  }
}

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

/** Marks an entry of the browser's history that was reached from another page of the shell. */
const within = "within";

/**
 * The pages of the shell and the address they are shown at. `Routes` matches paths only and knows nothing of queries, of the history or of
 * calls that overtake each other: those are kept here.
 */
export class Navigation implements ReactiveController {
  /** The address of the page that is shown: a new object for each arrival, also at the same address. */
  address = new URL(location.href);
  /** The path of the page that is shown; null until its script is there. */
  path: string | null = null;
  readonly #host: Host;
  readonly #pages: readonly Page[];
  readonly #routes: Routes;
  readonly #onFailure: () => void;
  #arrivals = 0;
  #stop: AbortController | null = null;

  /** @param onFailure called when the script of the page at the present address cannot be loaded */
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

  /** What the current page renders. */
  outlet(): unknown {
    return this.#routes.outlet();
  }

  /** Whether an address of this site is a page of the shell. */
  has({ origin, pathname }: URL | Location): boolean {
    return origin === location.origin && this.#pageAt(pathname) !== undefined;
  }

  /** Shows another page of the shell, in an entry of its own of the browser's history. */
  async navigate(href: string): Promise<void> {
    await whenHistorySettled();
    pushEntry({ [within]: this.path !== null }, href);
    await this.arrive();
  }

  /** Goes back to the page of the shell that led here, or to `instead` where none did. */
  async leave(instead: string): Promise<void> {
    await whenHistorySettled();
    if ((history.state as Record<string, unknown> | null)?.[within]) return history.back();
    replaceEntry({}, instead);
    await this.arrive();
  }

  /** Shows what the address says. */
  async arrive(): Promise<void> {
    this.#arrivals += 1;
    const arrival = this.#arrivals;
    try {
      // `Routes` needs it, and browsers of before 2025 may have none.
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

  /** Loads a page, and tells whether it is still wanted: a page that was asked for later may be here already. */
  async #enter(load: Page["load"]): Promise<boolean> {
    const arrival = this.#arrivals;
    await load();
    return arrival === this.#arrivals;
  }

  #pageAt(path: string): Page | undefined {
    return this.#pages.find((page) => page.path === path.replace(/\/$/, ""));
  }

  /** Whether only the place within the page changed, as a skip link does it. */
  #isJump(): boolean {
    const { pathname, search, hash } = this.address;
    return location.pathname === pathname && location.search === search && location.hash !== hash;
  }
}

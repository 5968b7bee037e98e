import { html, type nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { onLeftElsewhere } from "../accounts/left.ts";
import { type Api, createApi } from "../api/client.ts";
import { isAbort } from "../api/problems.ts";
import { LightElement } from "../controls/light-element.ts";
import { loadAllMessages } from "../messages/load-all.ts";
import { msg } from "../messages/page.ts";
import { rerenderOnLanguageChange } from "../messages/rerender.ts";
import { whoIsThere } from "../offline/who-is-there.ts";
import { openAccountStore } from "../store/account-store.ts";
import { Library } from "../store/library.ts";
import { Preferences } from "../store/preferences.ts";
import { watchAccount } from "../workspace/account-watch.ts";
import { applyLook } from "../workspace/look.ts";
import "./review.ts";
import { Reviewing } from "./reviewing.ts";

/**
 * @summary The page at `/review`: opens what this browser keeps of the account, follows its other devices, and holds the day's review.
 */
@customElement("colloquy-review-page")
export class ReviewPage extends LightElement {
  /** The services; the page's own unless others are given. */
  @property({ attribute: false }) api: Api = createApi();
  @state() private reviewing: Reviewing | null = null;
  @state() private waiting = false;
  @state() private state: "opening" | "open" | "unreachable" | "signed-out" = "opening";
  /** The account is not this browser's any more. Tests put their own in its place. */
  leftPage: () => void = () => location.reload();
  /** Nobody is signed in, nor was when there was a connection last. Tests put their own in its place. */
  signIn: () => void = () => location.replace(`/sign-in?return=${encodeURIComponent("/review")}`);
  #stop: AbortController | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    rerenderOnLanguageChange(this, signal);
    this.onConnection(() => (this.reviewing ? void this.reviewing.refresh() : void this.#enter(signal)), signal);
    document.addEventListener("visibilitychange", () => !document.hidden && void this.reviewing?.refresh(), { signal });
    void this.#enter(signal);
  }
  override disconnectedCallback(): void {
    this.#stop?.abort();
    super.disconnectedCallback();
  }

  /** The first drawing waits for the words the page was sent in. */
  protected override async scheduleUpdate(): Promise<void> {
    const words = this.hasUpdated ? null : loadAllMessages();
    if (words) await words;
    await super.scheduleUpdate();
  }

  async #enter(signal: AbortSignal): Promise<void> {
    try {
      const account = await whoIsThere(this.api, signal);
      if (!account) return this.signIn();
      onLeftElsewhere(account.accountId, () => this.leftPage(), signal);
      const store = await openAccountStore(account.accountId);
      const library = await Library.open(this.api, store);
      const preferences = new Preferences(library);
      const reviewing = new Reviewing({ api: this.api, store, library });
      const end = () => {
        reviewing.dispose();
        library.stop();
        store.close();
      };
      if (signal.aborted) return end();
      signal.addEventListener("abort", end, { once: true });
      watchAccount({ accountId: account.accountId, me: (stop) => this.api.me(stop), onLeft: () => this.leftPage(), signal });
      preferences.events.on("change", () => applyLook(preferences.choices));
      library.events.on("signed-out", () => (this.state = "signed-out"));
      const { outbox } = library;
      outbox.events.on("state", ({ unsent, state }) => (this.waiting = unsent > 0 && state === "waiting"));
      this.reviewing = reviewing;
      this.state = "open";
      void library.start();
      await reviewing.open();
    } catch (error) {
      if (!isAbort(error) && this.state !== "open") this.state = "unreachable";
    }
  }

  protected override render(): TemplateResult {
    return html`<a class="skip" href="#content">${msg("review.skipToTheCards")}</a>
      <header class="review-head"><a class="brand" href="/">Colloquy</a><h1>${msg("common.review")}</h1><nav aria-label=${msg("page.main")}><a href="/courses">${msg("common.courses")}</a><a href="/ai">${msg("review.askAndTutor")}</a></nav></header>
      <main id="content" tabindex="-1">${this.#body()}</main>`;
  }

  #body(): TemplateResult | typeof nothing {
    if (this.state === "unreachable")
      return html`<section class="standing"><h2>${msg("review.serviceCannotReached")}</h2><p>${msg("review.nothingLostTryAgain")}</p><p><button type="button" class="button button-primary" @click=${() => this.#stop && void this.#enter(this.#stop.signal)}>${msg("common.tryAgain")}</button></p></section>`;
    if (this.state === "signed-out")
      return html`<section class="standing"><h2>${msg("common.signGo")}</h2><p>${msg("review.ratedKeptBrowserUntil")}</p><p><a class="button button-primary" href="/sign-in?return=%2Freview">${msg("common.signIn")}</a></p></section>`;
    return html`<colloquy-review .reviewing=${this.reviewing} ?waiting=${this.waiting}></colloquy-review>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-review-page": ReviewPage;
  }
}

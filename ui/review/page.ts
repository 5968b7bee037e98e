import type { Account } from "@colloquy/schemas/accounts/account.ts";
import { html, type nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { SignedIn } from "../accounts/signed-in.ts";
import { type Api, createApi } from "../api/client.ts";
import { LightElement } from "../controls/light-element.ts";
import { msg } from "../messages/page.ts";
import "./review.ts";
import { reviewStyles } from "./review.styles.ts";
import { Reviewing } from "./reviewing.ts";

/**
 * @summary The page at `/review`: the day's review of the signed-in account.
 */
@customElement("colloquy-review-page")
export class ReviewPage extends LightElement {
  static override lightStyles = [reviewStyles];

  @property({ attribute: false }) api: Api = createApi();
  /** Undefined while unknown; null if nobody is signed in. */
  @property({ attribute: false }) account: Account | null | undefined = undefined;
  /** The account's browser store, once open. */
  @property({ attribute: false }) signedIn: SignedIn | null = null;
  /** The service is unreachable, so the account is unknown. */
  @property({ attribute: false }) unreachable = false;
  @property({ attribute: false }) retry: () => void = () => {};
  @state() private reviewing: Reviewing | null = null;
  @state() private waiting = false;
  #stop: AbortController | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    this.onConnectivityChange(() => void this.reviewing?.refresh(), signal);
    document.addEventListener("visibilitychange", () => !document.hidden && void this.reviewing?.refresh(), { signal });
  }

  override disconnectedCallback(): void {
    this.#stop?.abort();
    this.reviewing = null;
    super.disconnectedCallback();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("account") && this.account === null) location.replace(`/sign-in?return=${encodeURIComponent("/review")}`);
    if (changed.has("signedIn") && this.signedIn && this.#stop) this.#open(this.signedIn, this.#stop.signal);
  }

  #open(signedIn: SignedIn, signal: AbortSignal): void {
    const { store, library } = signedIn;
    const { outbox } = library;
    const reviewing = new Reviewing({ api: this.api, store, library });
    const showWaiting = ({ unsent, state }: typeof outbox.status) => (this.waiting = unsent > 0 && state === "waiting");
    const releases = [signedIn.events.on("expired", () => this.requestUpdate()), outbox.events.on("state", showWaiting)];
    signal.addEventListener("abort", () => {
      for (const release of releases) release();
      reviewing.dispose();
    });
    showWaiting(outbox.status);
    this.reviewing = reviewing;
    signedIn.start();
    void reviewing.open();
  }

  protected override render(): TemplateResult {
    return html`<main id="content" tabindex="-1"><h1 class="visually-hidden">${msg("common.review")}</h1>${this.#body()}</main>`;
  }

  #body(): TemplateResult | typeof nothing {
    if (this.unreachable)
      return html`<section class="standing"><h2>${msg("review.serviceCannotReached")}</h2><p>${msg("review.nothingLostTryAgain")}</p><p><button type="button" class="button button-primary" @click=${this.retry}>${msg("common.tryAgain")}</button></p></section>`;
    if (this.signedIn?.expired)
      return html`<section class="standing"><h2>${msg("common.signGo")}</h2><p>${msg("review.ratedKeptBrowserUntil")}</p><p><a class="button button-primary" href="/sign-in?return=%2Freview">${msg("common.signIn")}</a></p></section>`;
    return html`<colloquy-review .api=${this.api} .reviewing=${this.reviewing} ?waiting=${this.waiting}></colloquy-review>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-review-page": ReviewPage;
  }
}

import { html, nothing, type TemplateResult } from "lit";
import { query } from "lit/decorators.js";
import "../controls/announcer.ts";
import type { Announcer } from "../controls/announcer.ts";
import { LightElement } from "../controls/light-element.ts";
import { Listening } from "../controls/listening.ts";
import { handleTextActions } from "../rendering/actions.ts";
import { type Connection, connectionTo } from "./connection.ts";
import type { EmbeddedElement, Part } from "./element.ts";
import { keepLinks } from "./links.ts";
import { signInAddress } from "./sign-in-window.ts";
import type { EmbedState } from "./types.ts";

/** What elements of ours tell each other, and no page has to hear. */
const inner = [
  ...["send", "stop", "draft", "blocked", "attach", "detach", "choose-model", "hide-model", "transcript-action", "sign-in", "announce"],
  ...["quiz-draft", "quiz-attempt", "quiz-choice", "quiz-check", "written"],
].map((name) => `colloquy-${name}`);

/**
 * What stands in the shadow root of an embedded element, whichever it is: the frame, the line above, and what is said when there is
 * nothing to show.
 */
export abstract class EmbeddedPart extends LightElement implements Part {
  host!: EmbeddedElement;
  @query("[data-announcer]") private announcer!: Announcer | null;
  #connection: Connection | null = null;
  #stop: AbortController | null = null;
  #told: EmbedState = "loading";

  constructor() {
    super();
    new Listening(
      this,
      () => this.connection,
      (connection) => connection.events.on("change", () => this.requestUpdate()),
    );
  }

  /** To the service its element names now. */
  protected get connection(): Connection {
    const { service } = this.host;
    if (this.#connection?.service !== service) {
      this.#connection = connectionTo(service);
      this.serviceChanged();
    }
    return this.#connection as Connection;
  }
  /** What came of another service counts no more. */
  protected serviceChanged(): void {}

  get state(): EmbedState {
    return this.connection.state;
  }
  signIn(): void {
    this.connection.signIn();
  }
  hostChanged(): void {
    this.requestUpdate();
  }
  protected say(words: string): void {
    this.announcer?.say(words);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.classList.add("colloquy-frame");
    this.setAttribute("part", "frame");
    const stop = new AbortController();
    this.#stop = stop;
    const { signal } = stop;
    keepLinks(
      this,
      () => this.host.service,
      (href) => this.host.tell("colloquy-open", { href }, true),
      signal,
    );
    handleTextActions(this, signal);
    this.addEventListener("colloquy-announce", (event) => this.say(event.text), { signal });
    for (const name of inner) this.addEventListener(name, (event) => event.stopPropagation(), { signal });
  }
  override disconnectedCallback(): void {
    this.#stop?.abort();
    super.disconnectedCallback();
  }

  protected override willUpdate(): void {
    const theme = this.host.getAttribute("theme");
    if (theme === "light" || theme === "dark") this.dataset.theme = theme;
    else delete this.dataset.theme;
    if (this.state === this.#told) return;
    this.#told = this.state;
    this.host.tell("colloquy-state", { state: this.state });
  }

  protected override render(): unknown {
    return html`<div class="colloquy-head" part="head"><slot name="heading">${this.heading()}</slot>
        <a class="colloquy-brand" href=${`${this.host.service}/`}>Colloquy</a></div>
      ${this.note() ?? this.content()}
      <colloquy-announcer data-announcer></colloquy-announcer>`;
  }

  protected abstract heading(): unknown;
  protected abstract content(): unknown;

  /** What is said where there is nothing to show: refused, not reachable, nobody signed in. Null when there is. */
  protected note(): TemplateResult | null {
    switch (this.state) {
      case "loading":
        return html`<div class="colloquy-note" part="note" aria-busy="true"><p>Opening…</p></div>`;
      case "refused":
        return html`<div class="colloquy-note" part="note"><h2>Not available on this page</h2>
          <p>${this.host.service} does not allow its elements on ${location.origin}. Whoever runs it can name this site in <code>EMBED_ORIGINS</code>.</p></div>`;
      case "unreachable":
        return html`<div class="colloquy-note" part="note"><h2>The service does not answer</h2>
          <p>It may be starting, the connection may be away, or this page's policy may not let it be asked.</p>
          <button type="button" class="colloquy-button" part="button" @click=${() => void this.connection.look()}>Try again</button></div>`;
      case "signed-in":
        return null;
      default:
        return this.#signedOut();
    }
  }

  #signedOut(): TemplateResult {
    const { trouble, state } = this.connection;
    const opening = state === "signing-in";
    return html`<div class="colloquy-note" part="note"><slot name="signed-out"><h2>${this.invitation()}</h2>
        <p>Signing in opens a small window of Colloquy. This page is not told who you are.</p></slot>
      ${
        trouble === "blocked"
          ? html`<p class="trouble" role="alert">Your browser did not open the window. <a href=${signInAddress(this.host.service, "")} @click=${this.#again}>Open it now</a>, or allow windows for this page.</p>`
          : trouble === "closed"
            ? html`<p class="trouble" role="status">The window is closed, and nobody is signed in here yet. If you signed in there, press the button once more.</p>`
            : nothing
      }
      <button type="button" class="colloquy-button primary" part="button" @click=${() => this.signIn()}>${opening ? "Open the window again" : "Sign in"}</button>
      ${opening ? html`<p role="status">Go on in the window that has opened.</p>` : nothing}</div>`;
  }

  protected abstract invitation(): string;

  /** A click of one's own opens a window where the first try was taken for an advertisement. */
  readonly #again = (event: MouseEvent) => {
    event.preventDefault();
    event.stopPropagation();
    this.signIn();
  };
}

import type { AttachedReference } from "@colloquy/schemas/sync/changes.ts";
import { html, nothing, type TemplateResult } from "lit";
import { query } from "lit/decorators.js";
import { msg, rich } from "../messages/page.ts";
import "../controls/announcer.ts";
import type { Announcer } from "../controls/announcer.ts";
import { LightElement } from "../controls/light-element.ts";
import { onChange } from "../controls/subscription.ts";
import { handleTextActions } from "../rendering/actions.ts";
import { TutorEvent } from "../tutor/events.ts";
import { type Connection, connectionTo } from "./connection.ts";
import type { EmbeddedElement, Part } from "./element.ts";
import { ElementLanguage } from "./language.ts";
import { handleLinks } from "./links.ts";
import { pageReference } from "./page-reference.ts";
import { signInAddress } from "./sign-in-window.ts";
import type { EmbedState } from "./types.ts";

/** Internal events that must not reach the host page. */
const internalEvents = [
  "send",
  "stop",
  "draft",
  "blocked",
  "attach",
  "detach",
  "choose-model",
  "hide-model",
  "transcript-action",
  "sign-in",
  "announce",
  "quiz-draft",
  "quiz-attempt",
  "quiz-choice",
  "quiz-check",
  "written",
  "goal",
  "choose-mode",
  "film-shown",
]
  .map((name) => `colloquy-${name}`)
  .concat(TutorEvent.type);

/** A change to record in the learner's history. */
interface HistoryRecord {
  /** Records it; idempotent. False on failure. */
  record: () => Promise<boolean>;
  /** The message on failure. */
  words: () => string;
}

/**
 * The base of every embedded element's content in its shadow root: frame, heading, and the note shown instead of content.
 */
export abstract class EmbeddedPart extends LightElement implements Part {
  host!: EmbeddedElement;
  @query("[data-announcer]") private announcer!: Announcer | null;
  #connection: Connection | null = null;
  #stop: AbortController | null = null;
  #announcedState: EmbedState = "loading";
  /** The change that could not be recorded, and its reader. */
  #unsaved: (HistoryRecord & { reader: string | null }) | null = null;
  /** Problems of attributes that were written to the console. */
  readonly #reported = new Set<string>();
  readonly #language = new ElementLanguage(this, () => this.host);

  constructor() {
    super();
    onChange(this, () => this.connection?.events);
  }

  /** The connection to the element's current service. */
  protected get connection(): Connection {
    const { service } = this.host;
    if (this.#connection?.service !== service) {
      this.#connection = connectionTo(service);
      this.serviceChanged();
    }
    return this.#connection as Connection;
  }
  /** Discards the state of the previous service. */
  protected serviceChanged(): void {}

  get state(): EmbedState {
    return this.connection.state;
  }
  signIn(): void {
    this.connection.signIn();
  }
  hostChanged(): void {
    void this.#language.update();
    this.requestUpdate();
  }
  protected announce(words: () => string): void {
    this.announcer?.announce(this.#language.translate(words));
  }
  /** Whether the service has the page of the `page` attribute, as far as it was asked. */
  protected isPageMissing = false;

  /** What is wrong with the attributes, in words for the author of the page, by attribute. */
  protected attributeProblems(): Map<string, string> {
    const { host } = this;
    const problems = new Map<string, string>();
    const value = (name: string) => host.getAttribute(name);
    const service = value("service");
    if (service && !URL.canParse(service, location.href)) problems.set("service", msg("embed.attributeNoAddress", { value: service }));
    const page = value("page");
    if (page && this.isPageMissing) problems.set("page", msg("embed.attributeNoPage", { value: page }));
    const theme = value("theme");
    if (theme && theme !== "light" && theme !== "dark") problems.set("theme", msg("embed.attributeNoTheme", { value: theme }));
    return problems;
  }

  /** Resolves the `page` attribute and notes whether the service has it. */
  protected async resolvePage(page: string | null): Promise<AttachedReference | null> {
    const found = await pageReference(this.connection, page);
    if (page === this.host.getAttribute("page")) {
      this.isPageMissing = found === "missing";
      this.requestUpdate();
    }
    return found === "missing" ? null : found;
  }

  #attributeNotice() {
    const problems = [...this.attributeProblems()].map(([name, words]) => `${name}: ${words}`);
    for (const problem of problems)
      if (!this.#reported.has(problem)) {
        this.#reported.add(problem);
        console.error(`<${this.host.localName}> ${problem}`);
      }
    return problems.length
      ? html`<div class="colloquy-attributes" part="attribute-errors" role="alert">${problems.map((problem) => html`<p>${problem}</p>`)}</div>`
      : nothing;
  }

  /** Records a change; a failure shows a persistent notice with a retry button. */
  protected async record(keeping: HistoryRecord): Promise<void> {
    const { reader } = this.connection;
    this.#unsaved = null;
    this.requestUpdate();
    if ((await keeping.record()) || reader !== this.connection.reader) return;
    this.#unsaved = { ...keeping, reader };
    this.requestUpdate();
  }

  #unsavedNotice() {
    const unkept = this.#unsaved;
    if (!unkept || unkept.reader !== this.connection.reader) return nothing;
    return html`<p class="colloquy-unkept" part="unkept" role="alert"><span>${unkept.words()}</span>
      <button type="button" class="colloquy-button" part="button" @click=${() => void this.record(unkept)}>${msg("common.tryAgain")}</button></p>`;
  }

  /** Waits for the messages before the first render. */
  protected override async scheduleUpdate(): Promise<void> {
    if (!this.hasUpdated) await this.#language.ready;
    super.scheduleUpdate();
  }

  override connectedCallback(): void {
    this.#language.observe();
    super.connectedCallback();
    this.classList.add("colloquy-frame");
    this.setAttribute("part", "frame");
    const stop = new AbortController();
    this.#stop = stop;
    const { signal } = stop;
    handleLinks(
      this,
      () => this.host.service,
      (href) => this.host.emit("colloquy-open", { href }, true),
      signal,
    );
    handleTextActions(this, signal);
    this.addEventListener("colloquy-announce", (event) => this.announce(() => event.text), { signal });
    for (const name of internalEvents) this.addEventListener(name, (event) => event.stopPropagation(), { signal });
  }
  override disconnectedCallback(): void {
    this.#stop?.abort();
    this.#language.disconnect();
    super.disconnectedCallback();
  }

  protected override willUpdate(): void {
    const theme = this.host.getAttribute("theme");
    if (theme === "light" || theme === "dark") this.dataset.theme = theme;
    else delete this.dataset.theme;
    if (this.state === this.#announcedState) return;
    this.#announcedState = this.state;
    this.host.emit("colloquy-state", { state: this.state });
  }

  protected override render(): unknown {
    return html`<div class="colloquy-head" part="head"><slot name="heading">${this.heading()}</slot>
        <a class="colloquy-brand" href=${`${this.host.service}/`}>Colloquy</a></div>
      ${this.#attributeNotice()}${this.note() ?? this.content()}
      <colloquy-announcer data-announcer></colloquy-announcer>${this.#unsavedNotice()}`;
  }

  protected abstract heading(): unknown;
  protected abstract content(): unknown;

  /** The note instead of content: refused, unreachable or signed out; null if there is content. */
  protected note(): TemplateResult | null {
    switch (this.state) {
      case "loading":
        return html`<div class="colloquy-note" part="note" aria-busy="true"><p>${msg("embed.opening")}</p></div>`;
      case "refused":
        return html`<div class="colloquy-note" part="note"><h2>${msg("embed.notAvailablePage")}</h2>
          <p>${rich("embed.doesNotAllowElementsOperatorAdd", {
            service: html`<bdi dir="ltr">${this.host.service}</bdi>`,
            site: html`<bdi dir="ltr">${location.origin}</bdi>`,
            setting: html`<code dir="ltr">EMBED_ORIGINS</code>`,
          })}</p></div>`;
      case "unreachable":
        return html`<div class="colloquy-note" part="note"><h2>${msg("embed.serviceDoesAnswer2")}</h2>
          <p>${msg("embed.mayStartingConnectionMay")}</p>
          <button type="button" class="colloquy-button" part="button" @click=${() => void this.connection.connect()}>${msg("common.tryAgain")}</button></div>`;
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
        <p>${msg("embed.signInOpensWindow")}</p></slot>
      ${
        trouble === "blocked"
          ? html`<p class="trouble" role="alert">${rich("embed.browserDidNotOpenWindowAllow", {
              open: html`<a href=${signInAddress(this.host.service, "")} @click=${this.#again}>${msg("embed.openItNow")}</a>`,
            })}</p>`
          : trouble === "closed"
            ? html`<p class="trouble" role="status">${msg("embed.windowClosedNobodySigned")}</p>`
            : nothing
      }
      <button type="button" class="colloquy-button primary" part="button" @click=${() => this.signIn()}>${opening ? msg("embed.openTheWindowAgain") : msg("common.signIn")}</button>
      ${opening ? html`<p role="status">${msg("embed.goWindowOpened")}</p>` : nothing}</div>`;
  }

  protected abstract invitation(): string;

  /** A real click may open the window that a popup blocker stopped before. */
  readonly #again = (event: MouseEvent) => {
    event.preventDefault();
    event.stopPropagation();
    this.signIn();
  };
}

import type { Account } from "@colloquy/schemas/account.ts";
import type { AttachedReference } from "@colloquy/schemas/sync/changes.ts";
import { html, nothing, type PropertyValues } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { type Api, createApi } from "../api/client.ts";
import { isAbort } from "../api/problems.ts";
import type { AttachEvent, DraftEvent } from "../composer/events.ts";
import "../controls/announcer.ts";
import type { Announcer } from "../controls/announcer.ts";
import { icons } from "../controls/icons.ts";
import { isApple, rememberViewport } from "../controls/keyboard.ts";
import { LightElement } from "../controls/light-element.ts";
import { attachedFrom } from "../conversation/attached.ts";
import "../conversation/conversation.ts";
import type { ConversationElement } from "../conversation/conversation.ts";
import { visitorDraft } from "../store/drafts.ts";
import { type AccountWatch, watchAccount } from "./account-watch.ts";
import { become, conversationHref, go, isPlainClick, newHref, readAddress, returnHere } from "./address.ts";
import "./history.ts";
import type { OpenConversationEvent } from "./history.ts";
import { NearPages } from "./near-pages.ts";
import { Sessions } from "./sessions.ts";
import { workspaceStyles } from "./workspace.styles.ts";

const phone = matchMedia("(max-width: 760px)");

/**
 * @summary The workspace at `/ai`: the history beside the conversation, on a phone in a sheet. Owns the page's address.
 * @attribute demo - demonstration accounts may sign in with one click
 */
@customElement("colloquy-workspace")
export class Workspace extends LightElement {
  static override lightStyles = [workspaceStyles];

  @property({ type: Boolean }) demo = false;
  /** The services; the page's own unless others are given. */
  @property({ attribute: false }) api: Api = createApi();
  /** Undefined while it is not known who is there. */
  @state() private account: Account | null | undefined = undefined;
  @state() private sessions: Sessions | null = null;
  @state() private carried: AttachedReference | null = null;
  @state() private offline = !navigator.onLine;
  @state() private unreachable = false;
  @state() private narrow = phone.matches;
  @query("colloquy-conversation") private conversation!: ConversationElement | null;
  @query("colloquy-announcer") private announcer!: Announcer;
  @query("dialog.sheet") private sheet!: HTMLDialogElement | null;
  @query("dialog.ask") private leaving!: HTMLDialogElement | null;
  #visitorText = "";
  #near: NearPages | null = null;
  #watch: AccountWatch | null = null;
  /** The account is not this browser's any more: the page begins again as whoever is signed in now. Tests put their own in its place. */
  leftPage: () => void = () => location.reload();
  /** Leaves for another page of the site. Tests put their own in its place. */
  goTo: (href: string) => void = (href) => location.assign(href);
  #stop: AbortController | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    rememberViewport();
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    window.addEventListener("popstate", () => void this.#arrive(), { signal });
    for (const event of ["online", "offline"])
      window.addEventListener(
        event,
        () => {
          this.offline = !navigator.onLine;
          if (this.account === undefined && !this.offline) void this.#enter();
        },
        { signal },
      );
    phone.addEventListener("change", () => (this.narrow = phone.matches), { signal });
    document.addEventListener("keydown", (event) => this.#shortcut(event), { signal });
    this.addEventListener("colloquy-announce", (event) => this.announcer.say(event.text), { signal });
    for (const event of ["colloquy-sign-in", "colloquy-blocked"] as const)
      this.addEventListener(event, () => void this.#signIn(), { signal });
    const near = new NearPages(this.api, () => this.requestUpdate());
    this.#near = near;
    window.addEventListener("focus", () => void near.look(), { signal });
    document.addEventListener("visibilitychange", () => !document.hidden && void near.look(), { signal });
    this.addEventListener("colloquy-hide-model", (event) => void this.sessions?.preferences.hideModel(event.modelId, event.hidden), {
      signal,
    });
    void this.#enter();
  }

  override disconnectedCallback(): void {
    this.#stop?.abort();
    this.sessions?.close();
    this.sessions = null;
    super.disconnectedCallback();
  }

  /** Finds out who is there, and opens what is theirs. */
  async #enter(): Promise<void> {
    let account: Account | null;
    try {
      this.unreachable = false;
      account = await this.api.me(this.#stop?.signal);
    } catch (error) {
      if (!isAbort(error)) this.unreachable = true;
      return;
    }
    const { page } = readAddress();
    if (page) this.#near?.cameFrom(page);
    void this.#near?.look();
    if (!account) {
      const source = page && (await this.api.source(page).catch(() => null));
      const kept = visitorDraft.read();
      this.#visitorText = kept?.text ?? "";
      this.carried = source ? attachedFrom(source) : (kept?.reference ?? null);
    }
    this.account = account;
    if (!account) {
      if (!phone.matches) void this.updateComplete.then(() => this.querySelector("colloquy-composer")?.focus({ preventScroll: true }));
      return;
    }
    const sessions = await Sessions.open(this.api, account);
    if (!this.isConnected) {
      sessions.close();
      return;
    }
    const { signal } = this.#stop ?? new AbortController();
    const me = (stop: AbortSignal) => this.api.me(stop);
    this.#watch = watchAccount({ accountId: account.accountId, me, onLeft: () => this.leftPage(), signal });
    this.api.onSignedOut = () => void this.#watch?.look();
    sessions.events.on("change", () => this.requestUpdate());
    sessions.events.on("claimed", ({ session }) => session === sessions.current && become(conversationHref(session.id)));
    sessions.events.on("unclaimed", ({ session }) => session === sessions.current && become(newHref));
    this.sessions = sessions;
    await this.#arrive();
    if (!phone.matches) void this.updateComplete.then(() => this.conversation?.focusComposer());
  }

  /** Shows what the address says. */
  async #arrive(): Promise<void> {
    const { sessions } = this;
    if (!sessions) return;
    const { conversationId, page } = readAddress();
    await sessions.show(conversationId);
    if (!page) return;
    // Carried once: whoever reloads or comes back does not carry it again.
    const url = new URL(location.href);
    url.searchParams.delete("page");
    become(`${url.pathname}${url.search}`);
    if (!conversationId) await sessions.carry(page);
  }

  async #open(conversationId: string | null): Promise<void> {
    go(conversationId ? conversationHref(conversationId) : newHref);
    this.sheet?.close();
    await this.#arrive();
    await this.updateComplete;
    if (!this.narrow) this.conversation?.focusComposer();
  }

  /** Which conversation the address names. */
  private get conversationId(): string | null {
    return readAddress().conversationId;
  }

  protected override willUpdate(): void {
    this.classList.toggle("phone", this.narrow);
    const title = this.sessions?.current?.title;
    document.title = title ? `${title} · Colloquy` : "Colloquy";
  }

  protected override render() {
    const { sessions } = this;
    const main = this.unreachable
      ? this.#unreachable()
      : this.account === null
        ? this.#visit()
        : html`<colloquy-conversation .session=${sessions?.current ?? null} .models=${sessions?.models ?? null} .recent=${sessions?.recent ?? []} .pages=${this.#near?.pages ?? []} .hiddenModels=${sessions?.preferences.hiddenModels ?? new Set()}
            .search=${(text: string, signal: AbortSignal) => this.api.references(text, signal)} .notice=${this.#notice()}
            .blocked=${sessions?.expired ? "Sign in again to send. What you write is kept." : null}></colloquy-conversation>`;
    const title = sessions?.current?.title || (this.conversationId ? "Conversation" : "New conversation");
    return html`
      ${
        this.narrow
          ? html`<header class="head"><button type="button" class="square" aria-label="Conversations" @click=${() => this.sheet?.showModal()}>${icons.menu}</button>
              <h1>${title}</h1><a class="square" href=${newHref} aria-label="New conversation" @click=${this.#newClicked}>${icons.compose}</a></header>
            <dialog class="sheet" aria-label="Conversations" @click=${this.#sheetClicked}>${this.#side()}</dialog>
            <main class="main" style="grid-template-rows:minmax(0,1fr)">${main}</main>`
          : html`${this.#side()}
            <main class="main"><header class="head"><h1>${title}</h1>${this.#whereabouts()}</header>${main}</main>`
      }
      ${this.#leavingQuestion()}
      <colloquy-announcer></colloquy-announcer>`;
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has("narrow") && !this.narrow) this.sheet?.close();
  }

  #side() {
    const { sessions } = this;
    return html`<nav class="side" aria-label="Conversations">
      <a class="brand" href="/">Colloquy</a>
      <a class="new" href=${newHref} @click=${this.#newClicked}>New conversation ${this.narrow ? nothing : html`<kbd>${isApple() ? "⌘ J" : "Ctrl J"}</kbd>`}</a>
      ${
        this.account === null
          ? html`<div></div>`
          : html`<colloquy-history .conversations=${sessions?.history ?? []} .current=${sessions?.current?.id ?? null} .running=${sessions?.running ?? new Set()}
            ?loading=${!sessions?.library.loaded}
            @colloquy-open-conversation=${(event: OpenConversationEvent) => void this.#open(event.conversationId)}></colloquy-history>`
      }
      <div>${this.#keptHere()}${this.#me()}</div>
    </nav>`;
  }

  #me() {
    if (this.account === undefined) return nothing;
    if (!this.account) return html`<div class="me"><a href="/courses">Courses</a></div>`;
    const { name } = this.account;
    return html`<div class="me"><b aria-hidden="true">${[...name][0]?.toUpperCase()}</b><span>${name}</span><a href="/courses">Courses</a>
      <button type="button" @click=${this.#askToLeave}>Sign out</button></div>`;
  }

  /** Where the newest of it is, when it is not with the server. */
  #whereabouts() {
    const outbox = this.sessions?.library.outbox.current;
    if (!outbox?.unsent) return nothing;
    return html`<small>${outbox.state === "sending" ? "Saving…" : "In this browser only"}</small>`;
  }

  #keptHere() {
    if (!this.sessions || this.sessions.store.persistent) return nothing;
    return html`<p class="where">This browser keeps nothing for this site. What is not saved yet is lost when the page closes.</p>`;
  }

  #notice() {
    const { sessions } = this;
    if (this.offline)
      return html`<p class="notice" role="group">${icons.offline}<span>You are offline. What you write is kept in this browser.</span></p>`;
    if (sessions?.expired || sessions?.library.outbox.current.state === "signed-out")
      return html`<p class="notice" role="group">${icons.alert}<span>Your sign-in has run out. What is not saved yet stays in this browser.</span>
        <a href=${`/sign-in?return=${encodeURIComponent(returnHere())}`}>Sign in</a></p>`;
    if (sessions?.library.outbox.current.state === "waiting")
      return html`<p class="notice" role="group">${icons.offline}<span>The service does not answer. What you asked is kept in this browser and will be saved as soon as it does.</span></p>`;
    if (sessions?.refusal)
      return html`<p class="notice" role="group">${icons.alert}<span>A change could not be saved. ${sessions.refusal}</span>
        <button type="button" @click=${() => sessions.forgetRefusal()}>Close</button></p>`;
    return nothing;
  }

  /** Nobody is signed in: what one can do here, and how to begin. What is written meanwhile is kept. */
  #visit() {
    const back = encodeURIComponent(returnHere());
    return html`<div class="visit"><div class="invite">
        <div><h2>${this.carried ? `Ask about ${this.carried.title}` : "Answers you can check"}</h2>
          <p>Ask about a course, and read an answer written from its own text. Every statement points to the passage it stands on: one click, and you read it there, marked.</p></div>
        <div class="ways">
          ${this.demo ? html`<a class="button button-primary" href=${`/auth/demo?as=learner&return=${back}`} @click=${this.#keepVisit}>Begin as Mira, a demo learner</a>` : nothing}
          <a class="button ${this.demo ? "" : "button-primary"}" href=${`/auth/login?return=${back}`} @click=${this.#keepVisit}>Sign in with your account</a>
          ${this.demo ? html`<a class="other" href=${`/sign-in?return=${back}`} @click=${this.#keepVisit}>Other demo accounts</a>` : nothing}
        </div>
      </div>
      <div class="foot"><colloquy-composer .text=${this.#visitorText} .references=${this.carried ? [this.carried] : []} .blocked=${"Sign in to send. What you write is kept."}
        .search=${(text: string, signal: AbortSignal) => this.api.references(text, signal)} .pages=${this.#near?.pages ?? []}
        @colloquy-draft=${(event: DraftEvent) => {
          this.#visitorText = event.text;
          this.#keepVisit();
        }}
        @colloquy-attach=${(event: AttachEvent) => this.#carry(attachedFrom(event.reference))}
        @colloquy-detach=${() => this.#carry(null)}></colloquy-composer></div></div>`;
  }

  #carry(reference: AttachedReference | null): void {
    this.carried = reference;
    this.#keepVisit();
  }

  readonly #keepVisit = () => visitorDraft.write({ text: this.#visitorText, reference: this.carried });

  #unreachable() {
    return html`<div class="visit"><div class="invite"><div><h2>${this.offline ? "You are offline" : "The service does not answer"}</h2>
      <p>${this.offline ? "The workspace opens as soon as the connection is back." : "It may be starting or restarting. Nothing you wrote is lost."}</p></div>
      <div class="ways"><button type="button" class="button" @click=${() => void this.#enter()}>Try again</button></div></div></div>`;
  }

  /** What is written comes along: kept by this tab for a visitor, in the drafts otherwise. */
  async #signIn(): Promise<void> {
    if (this.account === null) this.#keepVisit();
    else await this.sessions?.flush();
    this.goTo(`/sign-in?return=${encodeURIComponent(returnHere())}`);
  }

  /** Signing out takes away what this browser keeps; what is nowhere else yet is a reason to ask. */
  readonly #askToLeave = () => {
    if (this.sessions?.library.outbox.current.unsent) this.leaving?.showModal();
    else void this.#leave();
  };

  #leavingQuestion() {
    const unsent = this.sessions?.library.outbox.current.unsent ?? 0;
    return html`<dialog class="ask" aria-labelledby="leaving"><h2 id="leaving">Sign out and lose what is not saved?</h2>
      <p>${unsent === 1 ? "One change is" : `${unsent} changes are`} in this browser only. Signing out takes everything away that this browser keeps.</p>
      <form method="dialog"><button class="button">Stay</button><button class="button button-primary" @click=${() => void this.#leave()}>Sign out anyway</button></form></dialog>`;
  }

  async #leave(): Promise<void> {
    try {
      const next = (await this.sessions?.signOut()) ?? "/";
      this.#watch?.tellLeft();
      this.goTo(next);
    } catch {
      this.announcer.say("Signing out did not work. Try again in a moment.");
    }
  }

  readonly #newClicked = (event: MouseEvent) => {
    if (!isPlainClick(event) || !this.sessions) return;
    event.preventDefault();
    void this.#open(null);
  };

  /** A click beside the sheet closes it, as people expect. */
  readonly #sheetClicked = (event: MouseEvent) => {
    if (event.target === this.sheet) this.sheet?.close();
  };

  #shortcut(event: KeyboardEvent): void {
    if (event.key.toLowerCase() !== "j" || !(isApple() ? event.metaKey : event.ctrlKey) || event.shiftKey || event.altKey) return;
    if (!this.sessions) return;
    event.preventDefault();
    void this.#open(null);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-workspace": Workspace;
  }
}

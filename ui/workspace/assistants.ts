import type { Assistant, AssistantsResponse, ConnectorScope } from "@colloquy/schemas/assistants/assistant.ts";
import { css, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import type { Api } from "../api/client.ts";
import { isAbort, problemOfThrown, problemTitle } from "../api/problems.ts";
import { LightElement } from "../controls/light-element.ts";
import { formatDate, list, msg } from "../messages/page.ts";

/** A short text for each scope; the consent page has longer ones. */
const scopeWords = {
  "sources:read": "workspace.readTheCourses",
  "tutor:read": "workspace.readYourTutoringSessions",
  "tutor:write": "workspace.startSessionsProposeQuestions",
  "tutor:answer": "workspace.passOnYourAnswers",
} as const satisfies Record<ConnectorScope, string>;

type View =
  | { kind: "loading" }
  | { kind: "failed"; words: string }
  | ({ kind: "ready" } & Pick<AssistantsResponse, "address" | "assistants" | "next">);

/**
 * @summary The account's connected assistants: what each may do, and a button to disconnect it. `load()` reads the list. Hidden if no
 *   assistant can connect and none ever has.
 */
@customElement("colloquy-assistants")
export class ConnectedAssistants extends LightElement {
  static override lightStyles = [
    css`
      colloquy-assistants { display: block; }
      colloquy-assistants section { margin-block-start: var(--s4); padding-block-start: var(--s4); border-block-start: 1px solid var(--line); }
      colloquy-assistants h3 { margin: 0; font: 550 var(--text-s)/1.4 var(--font-ui); color: var(--ink-soft); }
      colloquy-assistants h3:focus { outline: none; }
      colloquy-assistants p { margin: var(--s2) 0 0; font-size: var(--text-s); color: var(--ink-soft); overflow-wrap: anywhere; }
      colloquy-assistants p.bad { color: var(--bad); }
      colloquy-assistants code { font: 500 var(--text-s)/1.4 var(--font-code); color: var(--ink); user-select: all; }
      colloquy-assistants ul { list-style: none; margin: var(--s2) 0 0; padding: 0; }
      colloquy-assistants li { display: grid; grid-template-columns: 1fr auto; gap: 2px var(--s3); align-items: center; padding-block: var(--s3); border-block-end: 1px solid var(--line); }
      colloquy-assistants li:last-child { border: 0; }
      colloquy-assistants li > div { min-inline-size: 0; }
      colloquy-assistants li p { margin: 2px 0 0; line-height: 1.4; }
      colloquy-assistants .name { font-weight: 600; overflow-wrap: anywhere; }
      colloquy-assistants .disconnecting { grid-column: 1 / -1; }
      colloquy-assistants .acts { display: flex; flex-wrap: wrap; gap: var(--s2); margin-block-start: var(--s2); }
      colloquy-assistants button { min-block-size: 44px; padding: 6px 14px; border: 1px solid var(--line-strong); border-radius: var(--r-m); background: var(--paper); color: var(--ink); font: 550 var(--text-s)/1.4 var(--font-ui); cursor: pointer; }
      colloquy-assistants button:hover { border-color: var(--ink-soft); }
      colloquy-assistants button:focus-visible { outline: 2px solid transparent; box-shadow: var(--focus); }
      colloquy-assistants button.end { border-color: transparent; background: var(--bad); color: var(--paper); }
      colloquy-assistants button[aria-disabled="true"] { opacity: .6; cursor: default; }
    `,
  ];

  @property({ attribute: false }) api: Pick<Api, "assistants" | "allowAssistant"> | null = null;
  @state() private view: View = { kind: "loading" };
  /** The assistant whose disconnection is being confirmed. */
  @state() private asking: string | null = null;
  /** The assistant whose access is being changed. */
  @state() private changing: string | null = null;
  @state() private refused: { clientId: string; words: string } | null = null;
  /** The state of loading more, or why it failed. */
  @state() private further: "reading" | { words: string } | null = null;
  #reading: AbortController | null = null;

  /** Reads the list again; the previous one stays until then. */
  load(): void {
    this.asking = null;
    this.refused = null;
    this.further = null;
    void this.#read();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("online", this.#online);
  }

  override disconnectedCallback(): void {
    removeEventListener("online", this.#online);
    this.#reading?.abort();
    super.disconnectedCallback();
  }

  readonly #online = () => {
    if (this.view.kind === "failed") void this.#read();
  };

  async #read(): Promise<void> {
    const { api } = this;
    if (!api) return;
    this.#reading?.abort();
    const reading = new AbortController();
    this.#reading = reading;
    if (this.view.kind === "failed") this.view = { kind: "loading" };
    try {
      const view = { kind: "ready", ...(await api.assistants(reading.signal)) } as const;
      if (!reading.signal.aborted) this.view = view;
    } catch (error) {
      if (isAbort(error) || reading.signal.aborted) return;
      this.view = { kind: "failed", words: wordsOfThrown(error) };
    }
  }

  async #allow({ clientId }: Assistant, allowed: boolean): Promise<void> {
    const { api } = this;
    if (!api || this.changing !== null) return;
    this.changing = clientId;
    this.refused = null;
    // A list that is still loading would show the former state.
    this.#reading?.abort();
    try {
      const { assistant } = await api.allowAssistant(clientId, allowed);
      const { view } = this;
      if (view.kind === "ready")
        this.view = { ...view, assistants: view.assistants.map((one) => (one.clientId === clientId ? assistant : one)) };
      this.asking = null;
      await this.#focus(clientId);
    } catch (error) {
      this.refused = { clientId, words: wordsOfThrown(error) };
    } finally {
      this.changing = null;
    }
  }

  /** Loads more assistants and focuses the first new one. */
  async #more(after: string): Promise<void> {
    const { api } = this;
    if (!api || this.further === "reading") return;
    this.#reading?.abort();
    const reading = new AbortController();
    this.#reading = reading;
    this.further = "reading";
    try {
      const { assistants, next } = await api.assistants(reading.signal, after);
      const { view } = this;
      this.further = null;
      if (reading.signal.aborted || view.kind !== "ready") return;
      const shown = new Set(view.assistants.map(({ clientId }) => clientId));
      const fresh = assistants.filter(({ clientId }) => !shown.has(clientId));
      this.view = { ...view, assistants: [...view.assistants, ...fresh], next };
      await this.#focus(fresh[0]?.clientId ?? "");
    } catch (error) {
      this.further = isAbort(error) || reading.signal.aborted ? null : { words: wordsOfThrown(error) };
    }
  }

  async #ask(clientId: string | null, from: string): Promise<void> {
    this.asking = clientId;
    this.refused = null;
    await this.#focus(from);
  }

  /** The pressed button disappears, so the next one in its row gets the focus. */
  async #focus(clientId: string): Promise<void> {
    await this.updateComplete;
    const row = [...this.querySelectorAll<HTMLElement>("li")].find((one) => one.dataset.client === clientId);
    (row?.querySelector<HTMLElement>("button") ?? this.querySelector<HTMLElement>("h3"))?.focus();
  }

  protected override render() {
    const { view } = this;
    if (view.kind === "ready" && view.address === null && view.assistants.length === 0) return nothing;
    return html`<section aria-labelledby="assistants-title"><h3 id="assistants-title" tabindex="-1">${msg("workspace.connectedAssistants")}</h3>${this.#body(view)}</section>`;
  }

  #body(view: View) {
    if (view.kind === "loading") return html`<p role="status">${msg("workspace.loadingAssistants")}</p>`;
    if (view.kind === "failed")
      return html`<p class="bad" role="alert">${view.words}</p><div class="acts"><button type="button" @click=${() => this.load()}>${msg("common.tryAgain")}</button></div>`;
    const { assistants, address } = view;
    const inOrder = [...assistants].sort((one, other) => Number(one.disconnectedAt !== null) - Number(other.disconnectedAt !== null));
    return html`${
      assistants.length
        ? html`<ul>${repeat(
            inOrder,
            ({ clientId }) => clientId,
            (one) => this.#row(one),
          )}</ul>${this.#end(view.next)}`
        : html`<p>${msg("workspace.noAssistantAccessAccount")}</p>`
    }${address === null ? html`<p>${msg("workspace.assistantsSwitchedOffPresent")}</p>` : html`<p>${msg("workspace.connectOneGiveAddress")} <code dir="ltr">${address}</code></p>`}`;
  }

  #end(next: string | null) {
    if (next === null) return nothing;
    const { further } = this;
    const reading = further === "reading";
    return html`${further && further !== "reading" ? html`<p class="bad" role="alert">${further.words}</p>` : nothing}<div class="acts"><button type="button" class="more" aria-disabled=${reading ? "true" : nothing} @click=${() => void this.#more(next)}>${reading ? msg("workspace.loadingMore") : msg("workspace.showMoreAssistants")}</button></div>`;
  }

  #row(one: Assistant) {
    const { clientId, name, scopes, connectedAt, disconnectedAt } = one;
    const may = list(scopes.map((scope) => msg(scopeWords[scope])));
    const called = name || clientId;
    const busy = this.changing === clientId;
    return html`<li data-client=${clientId}><div><span class="name" dir="auto">${called}</span>
      ${
        disconnectedAt === null
          ? html`<p>${msg("workspace.may", { what: may })}</p><p>${msg("workspace.connectedOn", { day: day(connectedAt) })}</p>`
          : html`<p>${msg("workspace.disconnectedNoAccess", { day: day(disconnectedAt) })}</p>`
      }</div>
      ${
        this.asking === clientId
          ? html`<div class="disconnecting" role="group" aria-label=${msg("workspace.disconnect", { name: called })}><p><b>${msg("workspace.disconnect", { name: called })}</b> ${msg("workspace.losesAccessOnceWrote")}</p>
              <div class="acts"><button type="button" aria-disabled=${busy ? "true" : nothing} @click=${() => void this.#ask(null, clientId)}>${msg("workspace.keepItConnected")}</button>
              <button type="button" class="end" aria-disabled=${busy ? "true" : nothing} @click=${() => void this.#allow(one, false)}>${busy ? msg("workspace.disconnecting") : msg("workspace.disconnect2")}</button></div></div>`
          : disconnectedAt === null
            ? html`<button type="button" aria-label=${msg("workspace.disconnect3", { name: called })} @click=${() => void this.#ask(clientId, clientId)}>${msg("workspace.disconnect4")}</button>`
            : html`<button type="button" aria-disabled=${busy ? "true" : nothing} aria-label=${msg("workspace.allowAgain", { name: called })} @click=${() => void this.#allow(one, true)}>${msg("workspace.allowAgain2")}</button>`
      }
      ${this.refused?.clientId === clientId ? html`<p class="bad question" role="alert">${this.refused.words}</p>` : nothing}</li>`;
  }
}

const day = (at: string): string => formatDate(new Date(at), { dateStyle: "medium" });
const wordsOfThrown = (error: unknown): string =>
  navigator.onLine ? problemTitle(problemOfThrown(error)) : msg("workspace.offlineTryAgainOnce");

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-assistants": ConnectedAssistants;
  }
}

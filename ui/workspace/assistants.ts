import type { Assistant, AssistantsResponse, ConnectorScope } from "@colloquy/schemas/assistants/assistant.ts";
import { css, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import type { Api } from "../api/client.ts";
import { LightElement } from "../controls/light-element.ts";
import { formatDate, list, msg } from "../messages/page.ts";
import { AccountList } from "./account-list.ts";

/** A short text for each scope; the consent page has longer ones. */
const scopeWords = {
  "sources:read": "workspace.readTheCourses",
  "tutor:read": "workspace.readYourTutoringSessions",
  "tutor:write": "workspace.startSessionsProposeQuestions",
  "tutor:answer": "workspace.passOnYourAnswers",
} as const satisfies Record<ConnectorScope, string>;

type Listed = Pick<AssistantsResponse, "address" | "assistants" | "next">;

/** The row of the button that loads more. */
const furtherRow = "";

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
  /** The assistant whose disconnection is being confirmed. */
  @state() private asking: string | null = null;
  readonly #list = new AccountList<Listed>(
    this,
    async (signal) => (await this.api?.assistants(signal)) ?? { address: null, assistants: [], next: null },
  );

  /** Reads the list again; the previous one stays until then. */
  load(): void {
    this.asking = null;
    void this.#list.read();
  }

  async #allow({ clientId }: Assistant, allowed: boolean): Promise<void> {
    const { api } = this;
    if (!api) return;
    const changed = await this.#list.change(clientId, async () => {
      const { assistant } = await api.allowAssistant(clientId, allowed);
      const listed = this.#listed();
      return { ...listed, assistants: listed.assistants.map((one) => (one.clientId === clientId ? assistant : one)) };
    });
    if (!changed) return;
    this.asking = null;
    await this.#focus(clientId);
  }

  /** Loads more assistants and focuses the first new one. */
  async #more(after: string): Promise<void> {
    const { api } = this;
    if (!api) return;
    let fresh: readonly Assistant[] = [];
    const changed = await this.#list.change(furtherRow, async () => {
      const { assistants, next } = await api.assistants(undefined, after);
      const listed = this.#listed();
      const shown = new Set(listed.assistants.map(({ clientId }) => clientId));
      fresh = assistants.filter(({ clientId }) => !shown.has(clientId));
      return { ...listed, assistants: [...listed.assistants, ...fresh], next };
    });
    if (changed) await this.#focus(fresh[0]?.clientId ?? "");
  }

  #listed(): Listed {
    const { content } = this.#list;
    return content !== null && typeof content !== "string" ? content : { address: null, assistants: [], next: null };
  }

  async #ask(clientId: string | null, from: string): Promise<void> {
    this.asking = clientId;
    this.#list.refused = null;
    await this.#focus(from);
  }

  /** The pressed button disappears, so the next one in its row gets the focus. */
  async #focus(clientId: string): Promise<void> {
    await this.updateComplete;
    const row = [...this.querySelectorAll<HTMLElement>("li")].find((one) => one.dataset.client === clientId);
    (row?.querySelector<HTMLElement>("button") ?? this.querySelector<HTMLElement>("h3"))?.focus();
  }

  protected override render() {
    const { content } = this.#list;
    if (content !== null && typeof content !== "string" && content.address === null && content.assistants.length === 0) return nothing;
    return html`<section aria-labelledby="assistants-title"><h3 id="assistants-title" tabindex="-1">${msg("workspace.connectedAssistants")}</h3>${this.#body(content)}</section>`;
  }

  #body(content: Listed | string | null) {
    if (content === null) return html`<p role="status">${msg("workspace.loadingAssistants")}</p>`;
    if (typeof content === "string")
      return html`<p class="bad" role="alert">${content}</p><div class="acts"><button type="button" @click=${() => this.load()}>${msg("common.tryAgain")}</button></div>`;
    const { assistants, address, next } = content;
    const inOrder = [...assistants].sort((one, other) => Number(one.disconnectedAt !== null) - Number(other.disconnectedAt !== null));
    return html`${
      assistants.length
        ? html`<ul>${repeat(
            inOrder,
            ({ clientId }) => clientId,
            (one) => this.#row(one),
          )}</ul>${this.#end(next)}`
        : html`<p>${msg("workspace.noAssistantAccessAccount")}</p>`
    }${address === null ? html`<p>${msg("workspace.assistantsSwitchedOffPresent")}</p>` : html`<p>${msg("workspace.connectOneGiveAddress")} <code dir="ltr">${address}</code></p>`}`;
  }

  #end(next: string | null) {
    if (next === null) return nothing;
    const { changing, refused } = this.#list;
    const reading = changing === furtherRow;
    return html`${refused?.row === furtherRow ? html`<p class="bad" role="alert">${refused.words}</p>` : nothing}<div class="acts"><button type="button" class="more" aria-disabled=${reading ? "true" : nothing} @click=${() => void this.#more(next)}>${reading ? msg("workspace.loadingMore") : msg("workspace.showMoreAssistants")}</button></div>`;
  }

  #row(one: Assistant) {
    const { clientId, name, scopes, connectedAt, disconnectedAt } = one;
    const may = list(scopes.map((scope) => msg(scopeWords[scope])));
    const called = name || clientId;
    const { changing, refused } = this.#list;
    const busy = changing === clientId;
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
      ${refused?.row === clientId ? html`<p class="bad question" role="alert">${refused.words}</p>` : nothing}</li>`;
  }
}

const day = (at: string): string => formatDate(new Date(at), { dateStyle: "medium" });
declare global {
  interface HTMLElementTagNameMap {
    "colloquy-assistants": ConnectedAssistants;
  }
}

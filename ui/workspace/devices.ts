import type { OpenSessionEntry } from "@colloquy/schemas/accounts/account.ts";
import { css, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { signOutOfShell } from "../accounts/sign-out-of-shell.ts";
import type { SignedIn } from "../accounts/signed-in.ts";
import type { Api } from "../api/client.ts";
import { LightElement } from "../controls/light-element.ts";
import { formatDate, msg } from "../messages/page.ts";
import { AccountList } from "./account-list.ts";

/**
 * @summary The browsers in which the account is signed in, each with a button to sign it out, and one for all, which asks first and ends
 *   assistants' access unless they are kept. `load()` reads the list.
 */
@customElement("colloquy-devices")
export class SignedInDevices extends LightElement {
  static override lightStyles = [
    css`
      colloquy-devices { display: grid; gap: var(--s2); margin-block-start: var(--s4); padding-block-start: var(--s4); border-block-start: 1px solid var(--line); font-size: var(--text-s); }
      colloquy-devices h3 { margin: 0; font: 550 var(--text-s)/1.4 var(--font-ui); color: var(--ink-soft); }
      colloquy-devices h3:focus { outline: none; }
      colloquy-devices p { margin: 0; color: var(--ink-soft); }
      colloquy-devices p.bad { color: var(--bad); }
      colloquy-devices ul { list-style: none; margin: 0; padding: 0; }
      colloquy-devices li { display: grid; grid-template-columns: 1fr auto; gap: 2px var(--s3); align-items: center; padding-block: var(--s2); border-block-end: 1px solid var(--line); }
      colloquy-devices li > .bad { grid-column: 1 / -1; }
      colloquy-devices .device { font-weight: 600; overflow-wrap: anywhere; }
      colloquy-settings colloquy-devices label { display: flex; place-items: center start; gap: 10px; padding: 0; border: 0; background: none; font-weight: inherit; text-align: start; }
      colloquy-settings colloquy-devices input { position: static; inline-size: 18px; block-size: 18px; opacity: 1; accent-color: var(--accent); }
      colloquy-devices .acts { display: flex; flex-wrap: wrap; gap: var(--s2); }
      colloquy-devices button { min-block-size: 44px; }
      colloquy-devices button[aria-disabled="true"] { opacity: .6; cursor: default; }
    `,
  ];

  @property({ attribute: false }) api: Pick<Api, "signOut" | "sessions" | "endSession"> | null = null;
  @property({ attribute: false }) signedIn: SignedIn | null = null;
  @property({ attribute: false }) leaveFor: (href: string) => void = () => undefined;
  readonly #list = new AccountList(this, async (signal) => (await this.api?.sessions(signal)) ?? []);
  @state() private step: "closed" | "asking" | "leaving" | "failed" = "closed";
  #keepAssistants = false;

  /** Reads the list again; the previous one stays until then. */
  load(): void {
    void this.#list.read();
  }

  async #end(sessionId: string): Promise<void> {
    const { api } = this;
    if (!api || !(await this.#list.change(sessionId, () => api.endSession(sessionId)))) return;
    await this.updateComplete;
    this.querySelector<HTMLElement>("h3")?.focus();
  }

  protected override render() {
    return html`<h3 tabindex="-1">${msg("workspace.yourDevices")}</h3>${this.#sessions()}${this.#everywhere()}`;
  }

  #sessions() {
    const sessions = this.#list.content;
    if (sessions === null) return html`<p role="status">${msg("workspace.loadingDevices")}</p>`;
    if (typeof sessions === "string")
      return html`<p class="bad" role="alert">${sessions}</p><div class="acts"><button class="button" type="button" @click=${() => this.load()}>${msg("common.tryAgain")}</button></div>`;
    return html`<ul>${repeat(
      sessions,
      ({ sessionId }) => sessionId,
      (session) => this.#row(session),
    )}</ul>`;
  }

  #row({ sessionId, current, signedInAt, ...session }: OpenSessionEntry) {
    const { changing, refused } = this.#list;
    const device = deviceWords(session);
    const since = msg("workspace.signedInOn", { time: formatDate(new Date(signedInAt), { dateStyle: "medium", timeStyle: "short" }) });
    return html`<li><div><span class="device" dir="auto">${device}</span><p>${current ? `${msg("workspace.thisBrowser")} · ${since}` : since}</p></div>
      ${current ? nothing : html`<button class="button" type="button" aria-disabled=${changing === sessionId ? "true" : nothing} aria-label=${msg("workspace.signOutDevice", { device })} @click=${() => void this.#end(sessionId)}>${msg("page.signOut")}</button>`}
      ${refused?.row === sessionId ? html`<p class="bad" role="alert">${refused.words}</p>` : nothing}</li>`;
  }

  #everywhere() {
    const { step } = this;
    if (step === "closed")
      return html`<div class="acts"><button class="button everywhere" type="button" @click=${() => this.#ask("asking")}>${msg("workspace.signOutEverywhere")}</button></div>`;
    return html`<p>${msg("workspace.signOutEverywhereMeans")}</p>
      <label><input type="checkbox" .checked=${this.#keepAssistants} @change=${this.#choose} />${msg("workspace.keepAssistantsConnected")}</label>
      ${step === "failed" ? html`<p class="bad" role="alert">${msg("workspace.signingOutDidWork")}</p>` : nothing}
      <div class="acts"><button class="button everywhere" type="button" @click=${() => this.#ask("closed")}>${msg("signIn.stay")}</button>
      <button class="button button-danger" type="button" aria-disabled=${step === "leaving" ? "true" : nothing} @click=${() => void this.#leave()}>${msg("workspace.signOutEverywhere")}</button></div>`;
  }

  /** The pressed button disappears, so the one that takes its place gets the focus. */
  async #ask(step: "closed" | "asking"): Promise<void> {
    this.step = step;
    await this.updateComplete;
    this.querySelector<HTMLElement>(".everywhere")?.focus();
  }

  readonly #choose = (event: Event) => {
    this.#keepAssistants = (event.target as HTMLInputElement).checked;
  };

  async #leave(): Promise<void> {
    const { api, signedIn } = this;
    if (!api || !signedIn || this.step === "leaving") return;
    this.step = "leaving";
    try {
      await signedIn.flush();
      this.leaveFor(await signOutOfShell(api, signedIn, { everywhere: true, keepAssistants: this.#keepAssistants }));
    } catch {
      this.step = "failed";
    }
  }
}

function deviceWords({ browser, system }: Pick<OpenSessionEntry, "browser" | "system">): string {
  if (browser && system) return msg("workspace.browserOnSystem", { browser, system });
  return browser ?? system ?? msg("workspace.unknownBrowser");
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-devices": SignedInDevices;
  }
}

import { css, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { signOutOfShell } from "../accounts/sign-out-of-shell.ts";
import type { SignedIn } from "../accounts/signed-in.ts";
import type { Api } from "../api/client.ts";
import { LightElement } from "../controls/light-element.ts";
import { msg } from "../messages/page.ts";

/** @summary Ends every session of the account, after a question, and its assistants' access unless they are kept. */
@customElement("colloquy-sign-out-everywhere")
export class SignOutEverywhere extends LightElement {
  static override lightStyles = [
    css`
      colloquy-sign-out-everywhere { display: grid; gap: var(--s2); margin-block-start: var(--s4); padding-block-start: var(--s4); border-block-start: 1px solid var(--line); font-size: var(--text-s); }
      colloquy-sign-out-everywhere h3 { margin: 0; font: 550 var(--text-s)/1.4 var(--font-ui); color: var(--ink-soft); }
      colloquy-sign-out-everywhere p { margin: 0; color: var(--ink-soft); }
      colloquy-sign-out-everywhere p.bad { color: var(--bad); }
      colloquy-settings colloquy-sign-out-everywhere label { display: flex; place-items: center start; gap: 10px; padding: 0; border: 0; background: none; font-weight: inherit; text-align: start; }
      colloquy-settings colloquy-sign-out-everywhere input { position: static; inline-size: 18px; block-size: 18px; opacity: 1; accent-color: var(--accent); }
      colloquy-sign-out-everywhere .acts { display: flex; flex-wrap: wrap; gap: var(--s2); }
      colloquy-sign-out-everywhere button { min-block-size: 44px; }
    `,
  ];

  @property({ attribute: false }) api: Pick<Api, "signOut"> | null = null;
  @property({ attribute: false }) signedIn: SignedIn | null = null;
  @property({ attribute: false }) leaveFor: (href: string) => void = () => undefined;
  @state() private step: "closed" | "asking" | "leaving" | "failed" = "closed";
  #keepAssistants = false;

  protected override render() {
    const { step } = this;
    return html`<h3>${msg("workspace.yourSessions")}</h3>${
      step === "closed"
        ? html`<div class="acts"><button class="button" type="button" @click=${() => this.#ask("asking")}>${msg("workspace.signOutEverywhere")}</button></div>`
        : html`<p>${msg("workspace.signOutEverywhereMeans")}</p>
          <label><input type="checkbox" .checked=${this.#keepAssistants} @change=${this.#choose} />${msg("workspace.keepAssistantsConnected")}</label>
          ${step === "failed" ? html`<p class="bad" role="alert">${msg("workspace.signingOutDidWork")}</p>` : nothing}
          <div class="acts"><button class="button" type="button" @click=${() => this.#ask("closed")}>${msg("signIn.stay")}</button>
          <button class="button button-danger" type="button" aria-disabled=${step === "leaving" ? "true" : nothing} @click=${() => void this.#leave()}>${msg("workspace.signOutEverywhere")}</button></div>`
    }`;
  }

  /** The pressed button disappears, so the first one that is shown then gets the focus. */
  async #ask(step: "closed" | "asking"): Promise<void> {
    this.step = step;
    await this.updateComplete;
    this.querySelector("button")?.focus();
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

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-sign-out-everywhere": SignOutEverywhere;
  }
}

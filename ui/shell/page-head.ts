import type { Account } from "@colloquy/schemas/accounts/account.ts";
import { css, html, nothing } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import { maySignOut, signOutOfShell } from "../accounts/sign-out-of-shell.ts";
import type { SignedIn } from "../accounts/signed-in.ts";
import type { Api } from "../api/client.ts";
import { AnnounceEvent } from "../controls/announce-event.ts";
import { LightElement } from "../controls/light-element.ts";
import type { Menu, MenuItem } from "../controls/menu.ts";
import "../controls/menu.ts";
import { msg } from "../messages/page.ts";

/** @summary The header of the shell's pages other than the workspace: the way to the others, and the account's menu. */
@customElement("colloquy-page-head")
export class PageHead extends LightElement {
  static override lightStyles = [
    css`
  .shell-head { display: flex; flex-wrap: wrap; align-items: center; gap: 0 var(--s4); min-block-size: 60px; padding: var(--s1) var(--s5); border-block-end: 1px solid var(--line); background: var(--paper); }
  .shell-head .brand { min-block-size: 44px; }
  .shell-head nav { display: flex; margin-inline-end: auto; }
  .shell-head nav a { display: inline-flex; align-items: center; justify-content: center; min-block-size: 44px; min-inline-size: 44px; padding-inline: 10px; color: var(--ink-soft); text-decoration: none; }
  .shell-head nav a:hover, .shell-head nav a[aria-current] { color: var(--ink); }
  .shell-head nav a[aria-current] { font-weight: 600; }
  .shell-head .account { display: flex; align-items: center; gap: 10px; min-block-size: 44px; min-inline-size: 44px; padding-inline: 8px; border-radius: var(--r-m); color: var(--ink-soft); }
  .shell-head .account:hover { color: var(--ink); background: var(--sunken); }
  .shell-head .account b { display: grid; place-items: center; flex: none; inline-size: 28px; block-size: 28px; border-radius: 50%; background: var(--mark); color: var(--ink); font-size: 12px; }
  @media (max-width: 40rem) {
    .shell-head { gap: 0; padding-inline: var(--s4) var(--s2); }
    .shell-head nav a { padding-inline: 8px; }
    /* The others are in the account's menu. */
    .shell-head nav a:nth-child(n + 3):not([aria-current]) { display: none; }
    .shell-head .account span { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  }
  @media (forced-colors: active) { .shell-head .account b { border: 1px solid CanvasText; } }
`,
  ];

  @property({ attribute: false }) api!: Api;
  /** The path of the shown page. */
  @property({ attribute: false }) path = "";
  @property({ attribute: false }) account: Account | null | undefined;
  @property({ attribute: false }) signedIn: SignedIn | null = null;
  /** Opens a page of the shell. */
  @property({ attribute: false }) open!: (href: string) => void;
  /** Leaves for a page outside the shell. */
  @property({ attribute: false }) leaveFor!: (href: string) => void;
  @query("colloquy-menu") private menu!: Menu;

  protected override render() {
    const { account } = this;
    const link = (href: string, words: string) => html`<a href=${href} aria-current=${this.path === href ? "page" : nothing}>${words}</a>`;
    return html`<header class="shell-head"><a class="skip" href="#content">${msg("page.skipToTheContent")}</a><a class="brand" href="/">Colloquy</a>
        <nav aria-label=${msg("page.main")}>${link("/courses", msg("common.courses"))}${link("/ai", msg("common.ask"))}${link("/review", msg("common.review"))}${account?.roles.includes("auditor") ? link("/audit", msg("workspace.audit")) : nothing}</nav>
        ${
          account
            ? html`<button type="button" class="account" aria-haspopup="menu" title=${msg("workspace.account")} @click=${this.#openMenu}>
                <b aria-hidden="true">${[...account.name][0]?.toUpperCase() ?? ""}</b><span>${account.name}</span></button>`
            : nothing
        }</header><colloquy-menu></colloquy-menu>`;
  }

  readonly #openMenu = (event: Event): void => {
    const items: (MenuItem | false)[] = [
      { words: msg("page.yourConversations"), act: () => this.open("/ai") },
      { words: msg("common.review"), act: () => this.open("/review") },
      { words: msg("workspace.settings"), act: () => this.open("/settings") },
      this.account?.roles.includes("auditor") === true && { words: msg("workspace.audit"), act: () => this.open("/audit") },
      { words: msg("page.signOut"), act: () => void this.#signOut() },
    ];
    void this.menu.open(
      event.currentTarget as HTMLElement,
      msg("workspace.account"),
      items.filter((item) => item !== false),
    );
  };

  async #signOut(): Promise<void> {
    // The name is shown before the account's store is open.
    while (!this.signedIn && this.isConnected) await new Promise((resolve) => setTimeout(resolve, 50));
    const { api, signedIn } = this;
    if (!signedIn) return;
    try {
      const choice = await maySignOut(api, signedIn, this);
      if (choice) this.leaveFor(await signOutOfShell(api, signedIn, choice));
    } catch {
      this.dispatchEvent(new AnnounceEvent(msg("workspace.signingOutDidWork")));
    }
  }
}

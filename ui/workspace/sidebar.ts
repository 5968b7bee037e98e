import type { Account } from "@colloquy/schemas/accounts/account.ts";
import { html, nothing } from "lit";
import { icons } from "../controls/icons.ts";
import { isApple } from "../controls/keyboard.ts";
import { msg } from "../messages/page.ts";
import type { AccountStore } from "../store/account-store.ts";
import { newHref } from "./address.ts";
import "./history.ts";
import type { OpenConversationEvent } from "./history.ts";
import type { Target } from "./layout/target.ts";
import type { Sessions } from "./sessions.ts";

export interface SidebarView {
  /** Undefined until known. */
  account: Account | null | undefined;
  sessions: Sessions | null;
  /** The active conversation. */
  current: string | null;
  narrow: boolean;
  folded: boolean;
  onNew(event: MouseEvent): void;
  onOpen(target: Target): void;
  onFold(folded: boolean): void;
  /** Closes the sheet that contains it on a phone. */
  onClose(): void;
  onAccount(anchor: HTMLElement): void;
}

/** The sidebar: new conversation, history, account. Folded, it is a narrow strip of buttons. */
export function sidebar(view: SidebarView) {
  const { account, sessions, narrow, folded } = view;
  if (folded && !narrow)
    return html`<nav class="side folded" aria-label=${msg("workspace.conversations")}>
      <button type="button" class="square" aria-label=${msg("workspace.showConversations")} title=${msg("workspace.showConversations")} aria-expanded="false" @click=${() => view.onFold(false)}>${icons.side}</button>
      <a class="square" href=${newHref} aria-label=${msg("composer.newConversation")} title=${msg("composer.newConversation")} @click=${view.onNew}>${icons.compose}</a>
      <div></div>${account ? avatar(view, account, false) : nothing}</nav>`;
  return html`<nav class="side" aria-label=${msg("workspace.conversations")}>
    <div class="top"><a class="brand" href="/">Colloquy</a>${
      narrow
        ? html`<button type="button" class="square" aria-label=${msg("workspace.closeTheConversations")} @click=${view.onClose}>${icons.close}</button>`
        : !account
          ? nothing
          : html`<button type="button" class="square" aria-label=${msg("workspace.hideConversations")} title=${msg("workspace.hideConversations")} aria-expanded="true" @click=${() => view.onFold(true)}>${icons.side}</button>`
    }</div>
    <a class="new" href=${newHref} @click=${view.onNew}>${msg("composer.newConversation")} ${narrow ? nothing : html`<kbd>${isApple() ? "⌘ J" : "Ctrl J"}</kbd>`}</a>
    ${
      account === null
        ? html`<div></div>`
        : html`<colloquy-history .conversations=${sessions?.history ?? []} .library=${sessions?.library ?? null} .search=${sessions?.search ?? null} .current=${view.current} .running=${sessions?.running ?? new Set()}
          ?loading=${!sessions?.library.loaded}
          @colloquy-open-conversation=${(event: OpenConversationEvent) => view.onOpen(event.opened)}></colloquy-history>`
    }
    <div>${account === undefined ? nothing : html`<div class="me">${account ? avatar(view, account, true) : nothing}<a href="/courses">${msg("common.courses")}</a></div>`}</div>
  </nav>`;
}

const avatar = (view: SidebarView, { name }: Account, named: boolean) =>
  html`<button type="button" class="account" aria-haspopup="menu" aria-label=${named ? nothing : `${name}, account`} title=${msg("workspace.account")}
    @click=${(event: Event) => view.onAccount(event.currentTarget as HTMLElement)}>
    <b data-initial=${[...name][0]?.toUpperCase() ?? ""}></b>${named ? html`<span>${name}</span>` : nothing}</button>`;

const key = "sides";

/** Whether the sidebar is folded on this device. A phone's sheet does not change this. */
export class SidebarState {
  folded: boolean;
  readonly #store: Pick<AccountStore, "workspace">;

  private constructor(store: Pick<AccountStore, "workspace">, folded: boolean) {
    this.#store = store;
    this.folded = folded;
  }

  static async open(store: Pick<AccountStore, "workspace">): Promise<SidebarState> {
    const value = (await store.workspace.get(key))?.value as { folded?: unknown } | null | undefined;
    return new SidebarState(store, value?.folded === true);
  }

  async fold(folded: boolean): Promise<void> {
    this.folded = folded;
    await this.#store.workspace.put({ key, value: { folded }, savedAt: Date.now() });
  }
}

import { html, nothing } from "lit";
import { icons } from "../controls/icons.ts";
import type { MenuItem } from "../controls/menu.ts";
import { textDirection } from "../messages/direction.ts";
import { msg } from "../messages/page.ts";
import type { Arrangement } from "./arrangement.ts";
import { type Tab, tabsOf } from "./layout/layout.ts";
import { newConversation } from "./layout/target.ts";

export interface PhoneHeadView {
  arrangement: Arrangement | null;
  title: string;
  saveStatus: string;
  titleOf(tab: Tab): string;
  onConversations(): void;
  openMenu(anchor: HTMLElement, label: string, items: MenuItem[]): void;
  say(text: string): void;
}

/** The header on a phone: conversations, title, open tabs, menu. */
export function phoneHead(view: PhoneHeadView) {
  const { arrangement, title, saveStatus } = view;
  return html`<header class="head"><button type="button" class="square" aria-label=${msg("workspace.conversations")} @click=${view.onConversations}>${icons.menu}</button>
    <h1 dir=${textDirection(title)}>${title}</h1>${saveStatus ? html`<small>${saveStatus}</small>` : nothing}${arrangement ? tools(view, arrangement) : nothing}</header>`;
}

function tools(view: PhoneHeadView, arrangement: Arrangement) {
  const tabs = tabsOf(arrangement.layout);
  const opens = (label: string, items: () => MenuItem[] | Promise<MenuItem[]>) => async (event: Event) => {
    const anchor = event.currentTarget as HTMLElement;
    view.openMenu(anchor, label, await items());
  };
  const others = () => tabs.map((tab) => ({ words: view.titleOf(tab), act: () => arrangement.activate(tab.id, { reach: true }) }));
  const actions = async () => [
    { words: msg("composer.newConversation"), act: () => arrangement.show(newConversation) },
    ...(await import("./tab-menu.ts")).tabMenu(arrangement, arrangement.current.id, view.say, true),
  ];
  return html`${
    tabs.length > 1
      ? html`<button type="button" class="square" aria-haspopup="menu" aria-label=${msg("workspace.openTabs", { n: tabs.length })} @click=${opens(msg("workspace.openTabs2"), others)}><b class="count">${tabs.length}</b></button>`
      : nothing
  }
    <button type="button" class="square" aria-haspopup="menu" aria-label=${msg("workspace.doTab")} @click=${opens(msg("workspace.doTab"), actions)}>${icons.more}</button>`;
}

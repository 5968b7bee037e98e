import type { MenuItem } from "../controls/menu.ts";
import { msg } from "../messages/page.ts";
import { hrefOf } from "./address.ts";
import type { Arrangement } from "./arrangement.ts";
import { conversationMenu } from "./history-actions.ts";
import { move, neighbour, panesOf, paneWith, type Tab } from "./layout/layout.ts";
import { tabElementId } from "./tab-strip.ts";

/**
 * A tab's menu, which can do everything that dragging can.
 * @param onePane on a phone nothing is split or moved
 */
export function tabMenu(arrangement: Arrangement, tabId: string, say: (text: string) => void, onePane = false): MenuItem[] {
  const { layout } = arrangement;
  const pane = paneWith(layout, tabId);
  const tab = pane?.tabs.find(({ id }) => id === tabId);
  if (!pane || !tab) return [];
  const panes = panesOf(layout.root);
  const others = pane.tabs.length > 1;
  const at = pane.tabs.indexOf(tab);
  const toPane = (step: 1 | -1) => () =>
    arrangement.apply(move(arrangement.layout, tabId, neighbour(arrangement.layout, pane.id, step).id), { reach: true });
  const along = (index: number, words: string) => () => {
    arrangement.apply(move(arrangement.layout, tabId, pane.id, index));
    say(words);
    // A moved element loses the focus.
    requestAnimationFrame(() => document.getElementById(tabElementId(tabId))?.focus());
  };
  const placing: (MenuItem | false)[] = [
    panes.length === 2 && { words: msg("workspace.moveToOtherPane"), act: toPane(1) },
    panes.length > 2 && { words: msg("workspace.moveToNextPane"), act: toPane(1) },
    panes.length > 2 && { words: msg("workspace.moveToPreviousPane"), act: toPane(-1) },
    others && { words: msg("workspace.splitRight"), act: () => arrangement.split(tabId, pane.id, "right") },
    others && { words: msg("workspace.splitDown"), act: () => arrangement.split(tabId, pane.id, "down") },
    others &&
      at > 0 && { words: msg("workspace.moveTabBack"), act: along(at - 1, msg("workspace.tabOf", { at, count: pane.tabs.length })) },
    at < pane.tabs.length - 1 && {
      words: msg("workspace.moveTabOn"),
      act: along(at + 1, msg("workspace.tabOf", { at: at + 2, count: pane.tabs.length })),
    },
  ];
  const items: (MenuItem | false)[] = [
    ...(onePane ? [] : placing),
    ...conversationItems(arrangement, tab),
    { words: msg("workspace.copyLink"), act: () => void copyLink(hrefOf(tab.target), say) },
    { words: msg("common.close"), act: () => arrangement.close(tabId) },
    others && { words: msg("workspace.closeOtherTabs"), act: () => arrangement.closeOthers(tabId) },
  ];
  return items.filter((item) => item !== false);
}

/** The menu items of the conversation itself. */
function conversationItems(arrangement: Arrangement, { target }: Tab): MenuItem[] {
  const { library } = arrangement;
  const summary = target.kind === "conversation" && library.all.find(({ conversationId }) => conversationId === target.conversationId);
  return summary ? conversationMenu(library, summary, { show: (opened) => arrangement.show(opened) }) : [];
}

async function copyLink(href: string, say: (text: string) => void): Promise<void> {
  const copied = await navigator.clipboard.writeText(new URL(href, location.href).href).then(
    () => true,
    () => false,
  );
  say(copied ? msg("workspace.linkCopied") : msg("workspace.linkCouldNotCopied"));
}

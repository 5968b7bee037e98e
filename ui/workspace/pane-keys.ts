import { msg } from "../messages/page.ts";
import type { Arrangement } from "./arrangement.ts";
import { activeTab, focusedPane, neighbour, panesOf } from "./layout/layout.ts";

/**
 * F6 goes to the next pane and Shift+F6 to the one before. In a conversation F6 first goes from what is written to what was said, which
 * the conversation does itself.
 * @returns the pane to go to; null when the key means something else
 */
export function paneForKey(event: KeyboardEvent, arrangement: Arrangement): string | null {
  if (event.key !== "F6" || event.ctrlKey || event.metaKey || event.altKey) return null;
  const { layout } = arrangement;
  if (panesOf(layout.root).length < 2) return null;
  const inComposer = event.composedPath().some((node) => node instanceof Element && node.localName === "colloquy-composer");
  const conversation = event
    .composedPath()
    .find((node): node is Element => node instanceof Element && node.localName === "colloquy-conversation");
  if (!event.shiftKey && inComposer && conversation?.querySelector("colloquy-transcript")) return null;
  return neighbour(layout, focusedPane(layout).id, event.shiftKey ? -1 : 1).id;
}

/** Which pane it is, and what stands in it. */
export function paneWords(arrangement: Arrangement, paneId: string, name: (tabId: string) => string): string {
  const panes = panesOf(arrangement.layout.root);
  const at = panes.findIndex(({ id }) => id === paneId);
  const pane = panes[at];
  return pane ? msg("workspace.paneOf", { at: at + 1, count: panes.length, name: name(activeTab(pane).id) }) : "";
}

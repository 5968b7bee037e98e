import { msg } from "../messages/page.ts";
import type { Arrangement } from "./arrangement.ts";
import { activeTab, focusedPane, neighbour, panesOf } from "./layout/layout.ts";

/**
 * F6 focuses the next pane, Shift+F6 the previous one. From a composer, F6 first goes to the transcript, which the conversation handles.
 * @returns the pane to focus; null if the key means something else
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

/** A pane's position and content, for announcements. */
export function paneWords(arrangement: Arrangement, paneId: string, name: (tabId: string) => string): string {
  const panes = panesOf(arrangement.layout.root);
  const at = panes.findIndex(({ id }) => id === paneId);
  const pane = panes[at];
  return pane ? msg("workspace.paneOf", { at: at + 1, count: panes.length, name: name(activeTab(pane).id) }) : "";
}

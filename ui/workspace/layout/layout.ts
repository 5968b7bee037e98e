import { bounds } from "@colloquy/schemas/bounds.ts";
import { sameTarget, type Target } from "./target.ts";

/**
 * The layout of a workspace: a tree whose inner nodes split their area in two and whose leaves are panes of tabs. All functions are pure;
 * an impossible operation returns the layout unchanged. No pane is empty, and only `close` removes a tab.
 */
export interface Layout {
  root: LayoutNode;
  /** The focused pane. */
  focused: string;
}

export type LayoutNode = Pane | Split;

export interface Pane {
  kind: "pane";
  id: string;
  tabs: Tab[];
  /** The shown tab. */
  active: string;
}

export interface Split {
  kind: "split";
  id: string;
  /** "row": side by side. "column": stacked. */
  direction: "row" | "column";
  /** The first part's share of the area, 0 to 1. */
  share: number;
  /** The first part is folded and keeps its share. */
  collapsed: boolean;
  first: LayoutNode;
  second: LayoutNode;
}

export interface Tab {
  id: string;
  target: Target;
}

export type Side = "left" | "right" | "up" | "down";

const { leastShare } = bounds.workspace;

export const layoutOf = (tab: Tab, paneId: string): Layout => ({
  root: { kind: "pane", id: paneId, tabs: [tab], active: tab.id },
  focused: paneId,
});

/** The panes in reading order. */
export function panesOf(node: LayoutNode): Pane[] {
  return node.kind === "pane" ? [node] : [...panesOf(node.first), ...panesOf(node.second)];
}

export const tabsOf = (layout: Layout): Tab[] => panesOf(layout.root).flatMap(({ tabs }) => tabs);

export const paneOf = (layout: Layout, paneId: string): Pane | null => panesOf(layout.root).find(({ id }) => id === paneId) ?? null;

export const paneWith = (layout: Layout, tabId: string): Pane | null =>
  panesOf(layout.root).find(({ tabs }) => tabs.some(({ id }) => id === tabId)) ?? null;

/** The focused pane; the first one if its id is unknown. */
export const focusedPane = (layout: Layout): Pane => paneOf(layout, layout.focused) ?? (panesOf(layout.root)[0] as Pane);

/** The tab that a pane shows. */
export const activeTab = (pane: Pane): Tab => pane.tabs.find(({ id }) => id === pane.active) ?? (pane.tabs[0] as Tab);

/** All tabs: first the shown tab of each pane, folded or not, then the others. */
export const tabsInView = (layout: Layout): Tab[] => [...new Set([...panesOf(layout.root).map(activeTab), ...tabsOf(layout)])];

export const tabFor = (layout: Layout, target: Target): Tab | null => tabsOf(layout).find((tab) => sameTarget(tab.target, target)) ?? null;

/** Shows a tab and focuses its pane, which unfolds. */
export function activate(layout: Layout, tabId: string): Layout {
  const pane = paneWith(layout, tabId);
  if (!pane) return layout;
  return focus(
    changePane(layout, pane.id, (known) => (known.active === tabId ? known : { ...known, active: tabId })),
    pane.id,
  );
}

/** Focuses a pane, which unfolds. */
export function focus(layout: Layout, paneId: string): Layout {
  if (!paneOf(layout, paneId)) return layout;
  const root = unfoldTo(layout.root, paneId);
  return layout.focused === paneId && root === layout.root ? layout : { root, focused: paneId };
}

/** Opens a tab after the shown one of a pane and shows it. */
export function open(layout: Layout, tab: Tab, paneId: string = layout.focused): Layout {
  const pane = paneOf(layout, paneId);
  const all = tabsOf(layout);
  if (!pane || all.length >= bounds.workspace.tabs || all.some(({ id }) => id === tab.id)) return layout;
  const at = pane.tabs.findIndex(({ id }) => id === pane.active) + 1;
  return activate(
    changePane(layout, paneId, (known) => ({ ...known, tabs: known.tabs.toSpliced(at, 0, tab) })),
    tab.id,
  );
}

/** Changes a tab's target. */
export function retarget(layout: Layout, tabId: string, target: Target): Layout {
  const pane = paneWith(layout, tabId);
  if (!pane) return layout;
  return changePane(layout, pane.id, (known) => ({
    ...known,
    tabs: known.tabs.map((tab) => (tab.id === tabId ? { ...tab, target } : tab)),
  }));
}

/** Closes a tab, and its pane with the last one. The very last tab is replaced by `instead`. */
export function close(layout: Layout, tabId: string, instead: Tab): Layout {
  const pane = paneWith(layout, tabId);
  if (!pane) return layout;
  if (pane.tabs.length === 1 && layout.root === pane) return layoutOf(instead, pane.id);
  return withoutTab(layout, pane, tabId);
}

/**
 * Moves a tab to a pane, or within its own, and shows it.
 * @param index its position among the other tabs there; the end by default
 */
export function move(layout: Layout, tabId: string, paneId: string, index?: number): Layout {
  const from = paneWith(layout, tabId);
  const tab = from?.tabs.find(({ id }) => id === tabId);
  if (!from || !tab || !paneOf(layout, paneId)) return layout;
  if (from.id === paneId) {
    const others = from.tabs.filter(({ id }) => id !== tabId);
    return activate(
      changePane(layout, paneId, (known) => ({ ...known, tabs: others.toSpliced(index ?? others.length, 0, tab) })),
      tabId,
    );
  }
  const there = changePane(withoutTab(layout, from, tabId), paneId, (known) => ({
    ...known,
    tabs: known.tabs.toSpliced(index ?? known.tabs.length, 0, tab),
  }));
  return activate(there, tabId);
}

/** Moves a tab into a new pane at one side of another. A pane's only tab cannot split its own pane. */
export function split(layout: Layout, tabId: string, beside: string, side: Side, ids: { pane: string; split: string }): Layout {
  const from = paneWith(layout, tabId);
  const tab = from?.tabs.find(({ id }) => id === tabId);
  if (!from || !tab || !paneOf(layout, beside) || (from.id === beside && from.tabs.length === 1)) return layout;
  // Moving a pane's only tab removes that pane, so the new one needs no free place.
  if (from.tabs.length > 1 && panesOf(layout.root).length >= bounds.workspace.panes) return layout;
  const without = withoutTab(layout, from, tabId);
  const root = besideNode(without.root, beside, { kind: "pane", id: ids.pane, tabs: [tab], active: tab.id }, side, ids.split);
  // The neighbouring pane, and with it the new one, may be folded.
  return focus({ root, focused: ids.pane }, ids.pane);
}

/** Opens a tab in a new pane at one side of another; in that pane itself if there may be no more panes. */
export function openBeside(layout: Layout, tab: Tab, beside: string, side: Side, ids: { pane: string; split: string }): Layout {
  const opened = open(layout, tab, beside);
  if (opened === layout) return layout;
  const apart = split(opened, tab.id, beside, side, ids);
  if (apart === opened) return opened;
  // The other pane shows what it showed before.
  const { active } = paneOf(layout, beside) as Pane;
  return changePane(apart, beside, (known) => ({ ...known, active }));
}

/** The next or previous pane in reading order, cyclically. */
export function neighbour(layout: Layout, paneId: string, step: 1 | -1): Pane {
  const panes = panesOf(layout.root);
  const at = panes.findIndex(({ id }) => id === paneId);
  return panes[(at + step + panes.length) % panes.length] as Pane;
}

/** Sets the first part's share within limits, and unfolds it. */
export function resize(layout: Layout, splitId: string, share: number): Layout {
  const bounded = Math.min(1 - leastShare, Math.max(leastShare, Number.isFinite(share) ? share : 0.5));
  return changeSplit(layout, splitId, (known) => ({ ...known, share: bounded, collapsed: false }));
}

/** Folds or unfolds the first part of a split. A folded pane cannot have the focus. */
export function toggle(layout: Layout, splitId: string): Layout {
  const next = changeSplit(layout, splitId, (known) => ({ ...known, collapsed: !known.collapsed }));
  const known = splitOf(next.root, splitId);
  if (!known?.collapsed || !panesOf(known.first).some(({ id }) => id === next.focused)) return next;
  return { ...next, focused: (panesOf(known.second)[0] as Pane).id };
}

function splitOf(node: LayoutNode, splitId: string): Split | null {
  if (node.kind === "pane") return null;
  return node.id === splitId ? node : (splitOf(node.first, splitId) ?? splitOf(node.second, splitId));
}

/** Removes a tab that is not the last; the focus of a removed pane moves to the nearest one. */
function withoutTab(layout: Layout, pane: Pane, tabId: string): Layout {
  const at = pane.tabs.findIndex(({ id }) => id === tabId);
  const tabs = pane.tabs.toSpliced(at, 1);
  const next = tabs[Math.min(at, tabs.length - 1)];
  if (next) return changePane(layout, pane.id, (known) => ({ ...known, tabs, active: known.active === tabId ? next.id : known.active }));
  const { root, near } = withoutPane(layout.root, pane.id);
  const focused = layout.focused === pane.id ? (panesOf(near)[0] as Pane).id : layout.focused;
  return focus({ root, focused }, focused);
}

/** Removes a pane that is not the root: its sibling (`near`) takes both areas. */
function withoutPane(node: LayoutNode, paneId: string): { root: LayoutNode; near: LayoutNode } {
  if (node.kind === "pane") return { root: node, near: node };
  const { first, second } = node;
  if (first.id === paneId) return { root: second, near: second };
  if (second.id === paneId) return { root: first, near: first };
  const inFirst = panesOf(first).some(({ id }) => id === paneId);
  const { root, near } = withoutPane(inFirst ? first : second, paneId);
  return { root: inFirst ? { ...node, first: root } : { ...node, second: root }, near };
}

function besideNode(node: LayoutNode, paneId: string, pane: Pane, side: Side, splitId: string): LayoutNode {
  if (node.kind === "split")
    return {
      ...node,
      first: besideNode(node.first, paneId, pane, side, splitId),
      second: besideNode(node.second, paneId, pane, side, splitId),
    };
  if (node.id !== paneId) return node;
  const before = side === "left" || side === "up";
  const direction = side === "left" || side === "right" ? "row" : "column";
  const [first, second] = before ? [pane, node] : [node, pane];
  return { kind: "split", id: splitId, direction, share: 0.5, collapsed: false, first, second };
}

function unfoldTo(node: LayoutNode, paneId: string): LayoutNode {
  if (node.kind === "pane") return node;
  const inFirst = panesOf(node.first).some(({ id }) => id === paneId);
  const first = unfoldTo(node.first, paneId);
  const second = unfoldTo(node.second, paneId);
  const collapsed = node.collapsed && !inFirst;
  return first === node.first && second === node.second && collapsed === node.collapsed ? node : { ...node, first, second, collapsed };
}

function changeNode(node: LayoutNode, id: string, change: (node: LayoutNode) => LayoutNode): LayoutNode {
  if (node.id === id) return change(node);
  if (node.kind === "pane") return node;
  const first = changeNode(node.first, id, change);
  const second = changeNode(node.second, id, change);
  return first === node.first && second === node.second ? node : { ...node, first, second };
}

const changed = (layout: Layout, root: LayoutNode): Layout => (root === layout.root ? layout : { ...layout, root });

const changePane = (layout: Layout, id: string, change: (pane: Pane) => Pane): Layout =>
  changed(
    layout,
    changeNode(layout.root, id, (node) => (node.kind === "pane" ? change(node) : node)),
  );

const changeSplit = (layout: Layout, id: string, change: (split: Split) => Split): Layout =>
  changed(
    layout,
    changeNode(layout.root, id, (node) => (node.kind === "split" ? change(node) : node)),
  );

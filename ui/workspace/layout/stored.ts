import { bounds } from "@colloquy/schemas/bounds.ts";
import { isCoursePage } from "../../courses/paths.ts";
import { focus, type Layout, type LayoutNode, panesOf, type Tab, tabsOf } from "./layout.ts";
import type { Target } from "./target.ts";

/** The version of the stored format; layouts of other versions are set aside. */
export const layoutVersion = 1;

export interface StoredLayout {
  version: typeof layoutVersion;
  layout: Layout;
}

/** The stored form of a layout; null if only a new conversation is open. */
export function toStored(layout: Layout): StoredLayout | null {
  const begun = ({ target }: Tab) => target.kind !== "conversation" || target.conversationId !== null;
  return tabsOf(layout).some(begun) ? { version: layoutVersion, layout } : null;
}

/** Validates a stored layout; null if it is invalid or too large. */
export function fromStored(stored: unknown): Layout | null {
  if (!isRecord(stored) || stored.version !== layoutVersion || !isRecord(stored.layout)) return null;
  const root = readNode(stored.layout.root, 0);
  if (!root) return null;
  const panes = panesOf(root);
  const tabs = panes.flatMap((pane) => pane.tabs);
  if (panes.length > bounds.workspace.panes || tabs.length > bounds.workspace.tabs) return null;
  const ids = [...idsOf(root), ...tabs.map(({ id }) => id)];
  if (new Set(ids).size !== ids.length) return null;
  const [first] = panes;
  const focused = panes.find(({ id }) => id === (stored.layout as { focused?: unknown }).focused) ?? first;
  return focused ? focus({ root, focused: focused.id }, focused.id) : null;
}

const idsOf = (node: LayoutNode): string[] => (node.kind === "pane" ? [node.id] : [node.id, ...idsOf(node.first), ...idsOf(node.second)]);

function readNode(node: unknown, depth: number): LayoutNode | null {
  if (!isRecord(node) || !isId(node.id) || depth > bounds.workspace.panes) return null;
  if (node.kind === "pane") {
    if (!Array.isArray(node.tabs) || !node.tabs.length) return null;
    const tabs = node.tabs.map(readTab);
    if (!tabs.every((tab) => tab !== null)) return null;
    const active = tabs.find(({ id }) => id === node.active);
    return active ? { kind: "pane", id: node.id, tabs, active: active.id } : null;
  }
  if (node.kind !== "split" || (node.direction !== "row" && node.direction !== "column")) return null;
  const { id, direction, share, collapsed } = node;
  const { leastShare } = bounds.workspace;
  if (typeof share !== "number" || !(share >= leastShare && share <= 1 - leastShare) || typeof collapsed !== "boolean") return null;
  const first = readNode(node.first, depth + 1);
  const second = readNode(node.second, depth + 1);
  return first && second ? { kind: "split", id, direction, share, collapsed, first, second } : null;
}

function readTab(tab: unknown): Tab | null {
  if (!isRecord(tab) || !isId(tab.id)) return null;
  const target = readTarget(tab.target);
  return target && { id: tab.id, target };
}

/** Also validates targets in history entries. */
export function readTarget(target: unknown): Target | null {
  if (!isRecord(target)) return null;
  const { kind, conversationId, href, title, of, event, film } = target;
  if (kind === "conversation" && (conversationId === null || isId(conversationId))) return { kind, conversationId };
  const { hrefLength, titleLength } = bounds.workspace;
  if (kind === "page" && typeof href === "string" && href.length <= hrefLength && isCoursePage(href) && typeof title === "string")
    return { kind, href, title: title.slice(0, titleLength) };
  if (kind === "ledger" && isId(of) && typeof title === "string" && (event === null || isEvent(event)))
    return { kind, of, title: title.slice(0, titleLength), event };
  if (kind === "explainer" && isPair(of) && typeof title === "string" && (film === null || isId(film)))
    return { kind, of, title: title.slice(0, titleLength), film };
  return null;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
const isEvent = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isPair = (value: unknown): value is string => typeof value === "string" && /^[\w-]{8,64}\.[\w-]{8,64}$/.test(value);
const isId = (value: unknown): value is string => typeof value === "string" && value.length > 0 && value.length <= 100;

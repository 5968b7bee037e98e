import { pushEntry, replaceEntry } from "../controls/overlay-history.ts";
import { explainerHref } from "../explainers/address.ts";
import { ledgerHref } from "../tutor/ledger-address.ts";
import { readTarget } from "./layout/stored.ts";
import { conversationTarget, type Target } from "./layout/target.ts";

/** What the address names: the target, its conversation, a page to attach to the next new conversation, and what to start with it. */
export interface Address {
  target: Target;
  conversationId: string | null;
  page: string | null;
  start: "tutor" | "quiz" | null;
}

export function readAddress(url: URL | Location = location): Address {
  const query = new URLSearchParams(url.search);
  const conversationId = query.get("conversation") || null;
  const event = query.get("event");
  const ledger = readTarget({ kind: "ledger", of: query.get("ledger"), title: "", event: event ? Number(event) : null });
  const explainer = readTarget({ kind: "explainer", of: query.get("explainer"), title: "", film: query.get("film") });
  const start = query.get("start");
  return {
    target: ledger ?? explainer ?? conversationTarget(conversationId),
    conversationId,
    page: pagePath(query.get("page")),
    start: start === "tutor" || start === "quiz" ? start : null,
  };
}

/** Accepts only paths of this site. */
function pagePath(page: string | null): string | null {
  return page && /^\/(?![/\\])/.test(page) ? page : null;
}

export const conversationHref = (conversationId: string): string => `/ai?conversation=${encodeURIComponent(conversationId)}`;

export const newHref = "/ai";

/** The address of a tab's target, for links, copying and other browser tabs. */
export function hrefOf(target: Target): string {
  if (target.kind === "page") return target.href;
  if (target.kind === "ledger") return ledgerHref(target.of, target.event);
  if (target.kind === "explainer") return explainerHref(target.of, target.film);
  return target.conversationId ? conversationHref(target.conversationId) : newHref;
}

/** Where to return after signing in, including a page to attach. */
export const currentPath = (): string => `${location.pathname}${location.search}`;

/** A history entry: the active tab and its target. */
export interface Entry {
  tabId: string;
  target: Target;
}

/** Reads a history entry; null if it is not one of ours. */
export function readEntry(state: unknown = history.state): Entry | null {
  const { tabId, target } = (state ?? {}) as Partial<Record<keyof Entry, unknown>>;
  const known = readTarget(target);
  return known && typeof tabId === "string" ? { tabId, target: known } : null;
}

/** Adds a history entry. */
export function pushAddress(href: string, entry: Entry): void {
  pushEntry(entry, href);
}

/** Replaces the current entry, for example when a conversation gets its address. */
export function replaceAddress(href: string, entry: Entry): void {
  replaceEntry(entry, href);
}

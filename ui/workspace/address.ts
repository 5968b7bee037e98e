import { pushEntry, replaceEntry } from "../controls/overlay-history.ts";
import { explainerHref } from "../explainers/address.ts";
import { ledgerHref } from "../tutor/ledger-address.ts";
import { readTarget } from "./layout/stored.ts";
import { conversationTarget, type Target } from "./layout/target.ts";

/** What the address says: what is shown, which conversation that is, and a page to carry into the next new one. */
export interface Address {
  target: Target;
  conversationId: string | null;
  page: string | null;
}

export function readAddress(url: URL | Location = location): Address {
  const query = new URLSearchParams(url.search);
  const conversationId = query.get("conversation") || null;
  const event = query.get("event");
  const ledger = readTarget({ kind: "ledger", of: query.get("ledger"), title: "", event: event ? Number(event) : null });
  const explainer = readTarget({ kind: "explainer", of: query.get("explainer"), title: query.get("title") ?? "", film: query.get("film") });
  return { target: ledger ?? explainer ?? conversationTarget(conversationId), conversationId, page: pagePath(query.get("page")) };
}

/** Only a path of our own site can be a page. */
function pagePath(page: string | null): string | null {
  return page && /^\/(?![/\\])/.test(page) ? page : null;
}

export const conversationHref = (conversationId: string): string => `/ai?conversation=${encodeURIComponent(conversationId)}`;

export const newHref = "/ai";

/** The real address of what a tab shows, for links, copying and other tabs of the browser. */
export function hrefOf(target: Target): string {
  if (target.kind === "page") return target.href;
  if (target.kind === "ledger") return ledgerHref(target.of, target.event);
  if (target.kind === "explainer") return explainerHref(target.of, target.film);
  return target.conversationId ? conversationHref(target.conversationId) : newHref;
}

/** Where to come back to after signing in: this address, the carried page included. */
export const currentPath = (): string => `${location.pathname}${location.search}`;

/** An entry of the browser's history: the tab that was worked in and what it showed. */
export interface Entry {
  tabId: string;
  target: Target;
}

/** What the present entry says; null for one that is not ours. */
export function readEntry(state: unknown = history.state): Entry | null {
  const { tabId, target } = (state ?? {}) as Partial<Record<keyof Entry, unknown>>;
  const known = readTarget(target);
  return known && typeof tabId === "string" ? { tabId, target: known } : null;
}

/** A new entry of the browser's history. */
export function pushAddress(href: string, entry: Entry): void {
  pushEntry(entry, href);
}

/** The same entry under another address: a conversation that has just begun, another pane that is worked in. */
export function replaceAddress(href: string, entry: Entry): void {
  replaceEntry(entry, href);
}

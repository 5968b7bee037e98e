/** What the address says: which conversation, and a page to carry into the next new one. */
export interface Address {
  conversationId: string | null;
  page: string | null;
}

export function readAddress(url: URL | Location = location): Address {
  const query = new URLSearchParams(url.search);
  return { conversationId: query.get("conversation") || null, page: pagePath(query.get("page")) };
}

/** Only a path of our own site can be a page. */
function pagePath(page: string | null): string | null {
  return page && /^\/(?![/\\])/.test(page) ? page : null;
}

export const conversationHref = (conversationId: string): string => `/ai?conversation=${encodeURIComponent(conversationId)}`;

export const newHref = "/ai";

/** Where to come back to after signing in: this address, the carried page included. */
export const returnHere = (): string => `${location.pathname}${location.search}`;

/** A new entry of the browser's history. */
export function go(href: string): void {
  if (href !== returnHere()) history.pushState(null, "", href);
}

/** The same entry under another address: a conversation that has just begun, a page that was taken in. */
export function become(href: string): void {
  history.replaceState(null, "", href);
}

/** A click that the browser would handle as plain navigation; anything else (new tab, download) is left alone. */
export function isPlainClick(event: MouseEvent): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey && !event.defaultPrevented;
}

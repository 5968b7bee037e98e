/** A click that the browser would handle as plain navigation; anything else (new tab, download) is left alone. */
export function isPlainClick(event: MouseEvent): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey && !event.defaultPrevented;
}

/** The link that a plain click follows within this site, in this window; null for any other click. */
export function clickedLink(event: MouseEvent): HTMLAnchorElement | null {
  if (!isPlainClick(event)) return null;
  const link = event.composedPath().find((node): node is HTMLAnchorElement => node instanceof HTMLAnchorElement);
  if (!link?.href || (link.target && link.target !== "_self") || link.hasAttribute("download")) return null;
  return link.origin === location.origin ? link : null;
}

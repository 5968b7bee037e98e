/** A click that the browser would handle as plain navigation, not as a new tab or download. */
export function isPlainClick(event: MouseEvent): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey && !event.defaultPrevented;
}

/** The link of this site that a plain click follows in this window; null for other clicks. */
export function clickedLink(event: MouseEvent): HTMLAnchorElement | null {
  if (!isPlainClick(event)) return null;
  const link = event.composedPath().find((node): node is HTMLAnchorElement => node instanceof HTMLAnchorElement);
  if (!link?.href || (link.target && link.target !== "_self") || link.hasAttribute("download")) return null;
  return link.origin === location.origin ? link : null;
}

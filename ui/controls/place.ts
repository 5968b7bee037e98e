/**
 * Places a shown popover beside its anchor: on the preferred side if it fits, aligned with the anchor's start edge, always within the
 * window. The popover needs `position: fixed; margin: 0; inset: auto`.
 */
export function placeBeside(
  anchor: DOMRect,
  popover: HTMLElement,
  options: { side: "above" | "below"; gap?: number; edge?: number },
): void {
  const { gap = 6, edge = 8 } = options;
  const { offsetWidth: width, offsetHeight: height } = popover;
  const above = anchor.top - gap - height;
  const below = anchor.bottom + gap;
  const fitsAbove = above >= edge;
  const fitsBelow = below + height <= innerHeight - edge;
  const top = options.side === "above" ? (fitsAbove || !fitsBelow ? above : below) : fitsBelow || !fitsAbove ? below : above;
  const start = getComputedStyle(popover).direction === "rtl" ? anchor.right - width : anchor.left;
  popover.style.left = `max(${edge}px, min(${start}px, 100vw - ${width + edge}px))`;
  popover.style.top = `max(${edge}px, min(${top}px, 100dvh - ${height + edge}px))`;
}

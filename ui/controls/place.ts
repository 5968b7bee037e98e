/**
 * Places a popover of the top layer beside what it belongs to: on the wished side if there is room, else on the other, beginning where
 * that begins (its right edge where lines are read from there), always inside the window. The popover must be shown already (its size counts) and have `position: fixed; margin: 0; inset: auto`.
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
  popover.style.left = `${clamp(start, edge, innerWidth - width - edge)}px`;
  popover.style.top = `${clamp(top, edge, innerHeight - height - edge)}px`;
}

const clamp = (value: number, least: number, most: number): number => Math.max(least, Math.min(value, most));

/** The first of vertically stacked parts whose bottom edge is below this height; null if all are above. */
export function firstBelow(parts: ArrayLike<Element>, height: number): Element | null {
  let [from, to] = [0, parts.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((parts[middle]?.getBoundingClientRect().bottom ?? 0) > height) to = middle;
    else from = middle + 1;
  }
  return parts[from] ?? null;
}

/** Scroll anchoring by the first part that begins in view, for browsers without `overflow-anchor`. */
export class ScrollAnchor {
  readonly #host: HTMLElement;
  readonly #parts: () => ArrayLike<Element>;
  #held: { part: Element; top: number; scrollTop: number } | null = null;

  constructor(host: HTMLElement, parts: () => ArrayLike<Element>) {
    this.#host = host;
    this.#parts = parts;
  }

  /** Call on scroll: remembers the anchor and its position. */
  scrolled(): void {
    // The scroll event of our own correction arrives a frame later, when heights may have changed again: it must not set a new anchor.
    if (this.#held && this.#held.scrollTop === this.#host.scrollTop) this.restore();
    else this.#remember();
  }

  #remember(): void {
    this.#held = null;
    if (getComputedStyle(this.#host).overflowAnchor === "auto") return;
    const { top, bottom } = this.#host.getBoundingClientRect();
    const first = firstBelow(this.#parts(), top);
    const next = first?.nextElementSibling;
    // A part that reaches above the view may grow there, so only one that begins in view can be the anchor.
    const part = first && next && first.getBoundingClientRect().top < top && next.getBoundingClientRect().top < bottom ? next : first;
    if (part) this.#held = { part, top: part.getBoundingClientRect().top, scrollTop: this.#host.scrollTop };
  }

  /** Call when heights have changed: scrolls the anchor back to its position. */
  restore(): void {
    if (!this.#held) return;
    const { part, top } = this.#held;
    if (!part.isConnected) {
      this.#remember();
      return;
    }
    const moved = part.getBoundingClientRect().top - top;
    if (Math.abs(moved) < 1) return;
    // `top` stays as the reader left it: browsers round scroll positions, and rounding errors would add up.
    this.#host.scrollTop += moved;
    this.#held.scrollTop = this.#host.scrollTop;
  }
}

/** The first of the parts whose lower edge is below this height; they stand one below the other. Null: all are above it. */
export function firstBelow(parts: ArrayLike<Element>, height: number): Element | null {
  let [from, to] = [0, parts.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((parts[middle]?.getBoundingClientRect().bottom ?? 0) > height) to = middle;
    else from = middle + 1;
  }
  return parts[from] ?? null;
}

/**
 * Keeps what is read in its place while what stands above it gets another height, in browsers that do not do that themselves
 * (`overflow-anchor`): by the first part that begins in view.
 */
export class ScrollAnchor {
  readonly #host: HTMLElement;
  readonly #parts: () => ArrayLike<Element>;
  #held: { part: Element; top: number; scrollTop: number } | null = null;

  constructor(host: HTMLElement, parts: () => ArrayLike<Element>) {
    this.#host = host;
    this.#parts = parts;
  }

  /** Call on scroll: remembers what is in view, and where. */
  scrolled(): void {
    // The scroll event of our own correction arrives a frame later, when heights may have changed again: it must not set a new place.
    if (this.#held && this.#held.scrollTop === this.#host.scrollTop) this.restore();
    else this.#remember();
  }

  #remember(): void {
    this.#held = null;
    if (getComputedStyle(this.#host).overflowAnchor === "auto") return;
    const { top, bottom } = this.#host.getBoundingClientRect();
    const first = firstBelow(this.#parts(), top);
    const next = first?.nextElementSibling;
    // What reaches above the view may grow there; only what begins in view says where it is.
    const part = first && next && first.getBoundingClientRect().top < top && next.getBoundingClientRect().top < bottom ? next : first;
    if (part) this.#held = { part, top: part.getBoundingClientRect().top, scrollTop: this.#host.scrollTop };
  }

  /** Call when heights have changed: scrolls the held part back to its place. */
  restore(): void {
    if (!this.#held) return;
    const { part, top } = this.#held;
    if (!part.isConnected) {
      this.#remember();
      return;
    }
    const moved = part.getBoundingClientRect().top - top;
    if (Math.abs(moved) < 1) return;
    // `top` stays as the reader left it: browsers round scroll positions, and the errors of many corrections would add up.
    this.#host.scrollTop += moved;
    this.#held.scrollTop = this.#host.scrollTop;
  }
}

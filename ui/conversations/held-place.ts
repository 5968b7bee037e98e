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
export class HeldPlace {
  readonly #host: HTMLElement;
  readonly #parts: () => ArrayLike<Element>;
  #held: { part: Element; at: number } | null = null;

  constructor(host: HTMLElement, parts: () => ArrayLike<Element>) {
    this.#host = host;
    this.#parts = parts;
  }

  /** The reader has scrolled: notes what is in view, and where. */
  look(): void {
    this.#held = null;
    if (getComputedStyle(this.#host).overflowAnchor === "auto") return;
    const { top, bottom } = this.#host.getBoundingClientRect();
    const first = firstBelow(this.#parts(), top);
    const next = first?.nextElementSibling;
    // What reaches above the view may grow there; only what begins in view says where it is.
    const part = first && next && first.getBoundingClientRect().top < top && next.getBoundingClientRect().top < bottom ? next : first;
    if (part) this.#held = { part, at: part.getBoundingClientRect().top };
  }

  /** Heights have changed: puts it back. */
  keep(): void {
    if (!this.#held) return;
    const moved = this.#held.part.getBoundingClientRect().top - this.#held.at;
    if (Math.abs(moved) >= 1) this.#host.scrollTop += moved;
    this.look();
  }
}

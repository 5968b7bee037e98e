/** Work at a stretch, in milliseconds, so that a frame is never missed for what is not seen yet. */
const stretch = 6;

/**
 * Draws what stands further down a page while the browser has nothing else to do, one after the other; what comes into sight is drawn at once
 * by whoever sees it.
 */
export class DrawQueue {
  readonly #waiting = new Set<() => void>();
  #asked: number | undefined;

  add(draw: () => void): void {
    this.#waiting.add(draw);
    this.#ask();
  }

  remove(draw: () => void): void {
    this.#waiting.delete(draw);
  }

  #ask(): void {
    if (this.#asked === undefined && this.#waiting.size) this.#asked = requestIdleCallback(() => this.#work(), { timeout: 200 });
  }

  #work(): void {
    this.#asked = undefined;
    const until = performance.now() + stretch;
    for (const draw of this.#waiting) {
      this.#waiting.delete(draw);
      draw();
      if (performance.now() > until) break;
    }
    this.#ask();
  }
}

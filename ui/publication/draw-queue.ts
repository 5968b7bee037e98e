/** Milliseconds of work per idle callback, so that drawing off-screen blocks never drops a frame. */
const sliceMs = 6;

/**
 * Draws off-screen blocks in idle time, one after the other. A block that becomes visible draws itself at once.
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
    const until = performance.now() + sliceMs;
    for (const draw of this.#waiting) {
      this.#waiting.delete(draw);
      draw();
      if (performance.now() > until) break;
    }
    this.#ask();
  }
}

/** What a preview may take of the frame that shows a letter, in milliseconds; a dearer one waits. */
const shareOfFrameMs = 4;
/** A dear preview is drawn once nothing was typed for so long, and while typing goes on whenever the browser has nothing else to do. */
const restMs = 90;
const longestWaitMs = 400;

/**
 * When a preview is drawn. As a rule with the letter, in the same frame: a frame of its own would keep the next letter waiting for the
 * screen. One that took long last time is drawn when there is time for it.
 */
export class PreviewPace {
  readonly #draw: () => void;
  #took = 0;
  #frame: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #idle: number | undefined;

  constructor(draw: () => void) {
    this.#draw = draw;
  }

  /** Something has changed: the preview is to follow. */
  ask(): void {
    if (this.#took <= shareOfFrameMs) {
      this.#frame ??= requestAnimationFrame(() => this.now());
      return;
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.now(), restMs);
    this.#idle ??= requestIdleCallback(() => this.now(), { timeout: longestWaitMs });
  }

  /** Draws at once; what was asked for is done with that. */
  now(): void {
    this.cancel();
    const began = performance.now();
    this.#draw();
    this.#took = performance.now() - began;
  }

  cancel(): void {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    if (this.#idle !== undefined) cancelIdleCallback(this.#idle);
    clearTimeout(this.#timer);
    this.#frame = undefined;
    this.#idle = undefined;
  }
}

/** A preview that takes longer than this is deferred, in milliseconds. */
const shareOfFrameMs = 4;
/** A slow preview is drawn after this pause in typing, or in idle time while typing continues. */
const restMs = 90;
const longestWaitMs = 400;

/**
 * Schedules drawing of a preview: normally in the frame of the keystroke, because a separate frame would delay the next one. If the last
 * drawing was slow, the next is debounced.
 */
export class PreviewScheduler {
  readonly #draw: () => void;
  #took = 0;
  #frame: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #idle: number | undefined;

  constructor(draw: () => void) {
    this.#draw = draw;
  }

  /** The text changed. */
  schedule(): void {
    if (this.#took <= shareOfFrameMs) {
      this.#frame ??= requestAnimationFrame(() => this.drawNow());
      return;
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.drawNow(), restMs);
    this.#idle ??= requestIdleCallback(() => this.drawNow(), { timeout: longestWaitMs });
  }

  /** Draws now and cancels pending drawing. */
  drawNow(): void {
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

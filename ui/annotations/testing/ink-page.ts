/** A long page with ink over it that measures its own frames. */
export interface InkPage {
  /** Lays out the page with so many strokes, the drawing tools out, and resolves once all of them are drawn. */
  open(strokes: number): Promise<void>;
  /** Scrolls through the page; milliseconds from frame to frame. */
  scroll(frames: number): Promise<number[]>;
  /** Draws one stroke, a few points each frame, as a pen's events come; milliseconds from frame to frame. */
  draw(frames: number): Promise<number[]>;
}

declare global {
  interface Window {
    inkPage: InkPage;
  }
}

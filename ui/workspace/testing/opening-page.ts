/** A page that opens a conversation its browser keeps, and measures how long that takes. */
export interface OpeningPage {
  /** Keeps a conversation of so many turns in this browser's own store. */
  keep(turns: number): Promise<void>;
  /**
   * Opens the workspace anew and in it that conversation; milliseconds from the click until its last screenful is painted, and until all
   * of it is drawn. The control draws all of it before anything is painted.
   */
  open(options?: { control: boolean }): Promise<{ painted: number; drawn: number }>;
  /** Takes in so many changes, a page of 500 after the other, of conversations of ten changes each; milliseconds of each page. */
  takeIn(changes: number): Promise<number[]>;
}

declare global {
  interface Window {
    opening: OpeningPage;
  }
}

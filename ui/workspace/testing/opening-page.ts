/** A page that measures how long opening a stored conversation takes. */
export interface OpeningPage {
  /** Stores a conversation of so many turns in this browser. */
  keep(turns: number): Promise<void>;
  /**
   * Opens that conversation in a fresh workspace; measures milliseconds from the click until its last screenful is painted, and until all
   * is rendered. The control renders everything before the first paint.
   */
  open(options?: { control: boolean }): Promise<{ painted: number; drawn: number }>;
  /** Applies so many changes in batches of 500, of conversations with ten changes each; returns milliseconds per batch. */
  takeIn(changes: number): Promise<number[]>;
}

declare global {
  interface Window {
    opening: OpeningPage;
  }
}

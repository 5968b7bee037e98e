/** A page that opens a conversation its browser keeps, and measures how long that takes. */
export interface OpeningPage {
  /** Keeps a conversation of so many turns in this browser's own store. */
  keep(turns: number): Promise<void>;
  /** Opens the workspace anew and in it that conversation; milliseconds from the click until its first answer is painted. */
  open(): Promise<number>;
}

declare global {
  interface Window {
    opening: OpeningPage;
  }
}

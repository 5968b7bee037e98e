/**
 * A page that measures each key pressed in the composer of a workspace with so many exchanges. The control passes new exchanges to the
 * transcript with each letter, like a page whose composer and transcript share their state.
 */
export interface TypingPage {
  /** Opens a conversation; resolves when it is rendered, or with `early` when its end is rendered. */
  openConversation(exchanges: number, options: { control: boolean; early?: boolean }): Promise<void>;
  /** The cost of each key since the last call. */
  takeKeys(): KeyCost[];
}

/** Milliseconds until the typed text is painted, and of script and layout. */
export interface KeyCost {
  toFrame: number;
  work: number;
}

declare global {
  interface Window {
    typing: TypingPage;
  }
}

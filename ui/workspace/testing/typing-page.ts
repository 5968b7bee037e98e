/**
 * A page with the whole workspace over a conversation of so many exchanges, that measures each key pressed in the composer. The control
 * hands the transcript new exchanges at each letter, as a page does whose composer and transcript share their state.
 */
export interface TypingPage {
  /** Opens a conversation and resolves once it is drawn; with `early`, once its end is and the rest is still being drawn. */
  openConversation(exchanges: number, options: { control: boolean; early?: boolean }): Promise<void>;
  /** What each key since the last call cost. */
  takeKeys(): KeyCost[];
}

/** Milliseconds: until what was typed is drawn, and of script and layout. */
export interface KeyCost {
  toFrame: number;
  work: number;
}

declare global {
  interface Window {
    typing: TypingPage;
  }
}

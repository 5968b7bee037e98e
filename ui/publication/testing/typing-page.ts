/**
 * A page with the editor over a topic of so many blocks, the field of one in the middle open; or with a plain field in its place. It
 * measures each key pressed in the field. The control has every block drawn anew at each letter.
 */
export interface EditorTypingPage {
  /** Resolves once all blocks are drawn and the field has the focus. */
  open(what: { blocks: number; plain?: boolean; control?: boolean }): Promise<void>;
  /** What each key since the last call cost, in milliseconds from the key until what it typed is painted. */
  takeKeys(): number[];
}

declare global {
  interface Window {
    editorTyping: EditorTypingPage;
  }
}

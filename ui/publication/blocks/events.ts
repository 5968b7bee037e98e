/** Asks the editor to show a block on the page of its topic and to focus it. */
export class BlockShownEvent extends Event {
  static readonly type = "colloquy-block-shown";
  readonly topicId: string;
  readonly blockId: string;
  /** The block itself, or its source. */
  readonly focus: "block" | "field";
  /** Range of its source to select. */
  readonly words: readonly [number, number] | undefined;
  constructor(place: { topicId: string; blockId: string; focus: "block" | "field"; words?: readonly [number, number] }) {
    super(BlockShownEvent.type, { bubbles: true, composed: true });
    this.topicId = place.topicId;
    this.blockId = place.blockId;
    this.focus = place.focus;
    this.words = place.words;
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    "colloquy-block-shown": BlockShownEvent;
  }
}

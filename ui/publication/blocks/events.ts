/** An action led to a block: it should be shown, on the page of its topic, with the focus where it is useful. */
export class BlockShownEvent extends Event {
  static readonly type = "colloquy-block-shown";
  readonly topicId: string;
  readonly blockId: string;
  /** The block itself, or its source. */
  readonly focus: "block" | "field";
  /** Of its source, from and to: what is to be selected there. */
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

/** An action led to a block: it should be shown, on the page of its topic, with the focus where it is useful. */
export class BlockShownEvent extends Event {
  static readonly type = "colloquy-block-shown";
  readonly topicId: string;
  readonly blockId: string;
  /** The block itself, or its source. */
  readonly focus: "block" | "field";
  constructor(place: { topicId: string; blockId: string; focus: "block" | "field" }) {
    super(BlockShownEvent.type, { bubbles: true, composed: true });
    this.topicId = place.topicId;
    this.blockId = place.blockId;
    this.focus = place.focus;
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    "colloquy-block-shown": BlockShownEvent;
  }
}

/** Asks the shell's live region to announce a text. */
export class AnnounceEvent extends Event {
  static readonly type = "colloquy-announce";
  readonly text: string;
  constructor(text: string) {
    super(AnnounceEvent.type, { bubbles: true, composed: true });
    this.text = text;
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    "colloquy-announce": AnnounceEvent;
  }
}

/** Something to be said by the workspace's one live region. */
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

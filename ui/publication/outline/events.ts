import type { PageId } from "../contents.ts";

/** An author wants to go on editing another page of the course. */
export class PageWantedEvent extends Event {
  static readonly type = "colloquy-page-wanted";
  readonly pageId: PageId;
  constructor(pageId: PageId) {
    super(PageWantedEvent.type, { bubbles: true, composed: true });
    this.pageId = pageId;
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    "colloquy-page-wanted": PageWantedEvent;
  }
}

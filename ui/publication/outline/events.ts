import type { PageId } from "../contents.ts";

/** Asks the editor to show another page of the course. */
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

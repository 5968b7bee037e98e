import type { PageId } from "./contents.ts";

interface Guarded {
  signal: AbortSignal;
  flush(): Promise<void>;
  /** Whether leaving the page would lose changes even after `flush`. */
  wouldLose(): boolean;
  /** The page of the draft that a link leads to; undefined if it leaves the course. */
  pageOf(link: HTMLAnchorElement): PageId | undefined;
  show(pageId: PageId): void;
}

/**
 * While a course is edited, links within it show pages of the draft; other links are followed after the draft is saved. If storage fails, the
 * browser asks before the page is left.
 */
export function guardLinks({ signal, flush, wouldLose, pageOf, show }: Guarded): void {
  document.addEventListener(
    "click",
    (event) => {
      const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href]") : null;
      if (!link || event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      if (link.origin !== location.origin || link.target || link.download || link.closest("colloquy-block-field")) return;
      const pageId = pageOf(link);
      const isHere = link.pathname === location.pathname && link.hash !== "";
      if (pageId === undefined && isHere) return;
      event.preventDefault();
      if (pageId !== undefined) show(pageId);
      else void flush().then(() => location.assign(link.href));
    },
    { signal },
  );
  // Browsers show their own text in this dialog.
  addEventListener("beforeunload", (event) => wouldLose() && event.preventDefault(), { signal });
}

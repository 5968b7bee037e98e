import type { PageId } from "./contents.ts";

interface Guarded {
  signal: AbortSignal;
  flush(): Promise<void>;
  /** Whether something would be lost if the page were left now, also after `flush`. */
  wouldLose(): boolean;
  /** The page of the draft a link leads to; undefined where it leads out of the course. */
  pageOf(link: HTMLAnchorElement): PageId | undefined;
  show(pageId: PageId): void;
}

/**
 * Links while a course is edited: those within the course lead to the draft's page, others out of the page once the draft is kept. Where the
 * browser keeps nothing, somebody is asked first.
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
  // What cannot be kept is asked about by the browser, in its own words: it shows no others.
  addEventListener("beforeunload", (event) => wouldLose() && event.preventDefault(), { signal });
}

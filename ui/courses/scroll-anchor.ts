/** Number of elements remembered: one of them nearly always survives a change. */
const remembered = 60;
/** Elements small enough to anchor to. */
const pieces = "p, li, h1, h2, h3, h4, h5, h6, pre, tr, summary, figcaption, dt, dd, figure, [id]";

/**
 * Remembers the elements at the top of the viewport, to restore their position after the text was updated.
 * @param top of the viewport, in pixels
 * @returns computes how far to scroll after the update; 0 if none of the elements is left
 */
export function scrollAnchor(text: ParentNode, top: number): () => number {
  const seen: { element: HTMLElement; id: string; before: number }[] = [];
  for (const element of text.querySelectorAll<HTMLElement>(pieces)) {
    if (seen.length === remembered) break;
    const box = element.getBoundingClientRect();
    // Elements that start above may change; those that start in view are being read.
    if (box.top >= top && box.height > 0) seen.push({ element, id: element.id, before: box.top });
  }
  return () => {
    for (const { element, id, before } of seen) {
      const now = element.isConnected ? element : id ? text.querySelector(`[id="${CSS.escape(id)}"]`) : null;
      if (now) return now.getBoundingClientRect().top - before;
    }
    return 0;
  };
}

/** So many elements from the top of a window are remembered: one of them nearly always outlives a change. */
const remembered = 60;
/** The smallest things one reads. */
const pieces = "p, li, h1, h2, h3, h4, h5, h6, pre, tr, summary, figcaption, dt, dd, figure, [id]";

/**
 * Notes what stands at the top of a window over a text, so that it can stand there again after the text was renewed.
 * @param top where the window begins, in pixels
 * @returns how far to scroll on, asked once the new text is there; 0 when nothing of what stood there is left
 */
export function placeOf(text: ParentNode, top: number): () => number {
  const seen: { element: HTMLElement; id: string; before: number }[] = [];
  for (const element of text.querySelectorAll<HTMLElement>(pieces)) {
    if (seen.length === remembered) break;
    const box = element.getBoundingClientRect();
    // What began above may be what changes; what begins in view is what is looked at.
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

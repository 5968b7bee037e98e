/** Auto-scroll while dragging: distance to the edge where it starts, and most pixels per frame. */
const edge = { near: 72, step: 18 } as const;

/** A list whose items can be dragged by a handle. */
export interface DragList {
  list: HTMLElement;
  /** Selectors of the drag handle and of the item. */
  grip: string;
  item: string;
  /** The items between which a dragged one can be dropped, in order. */
  others(item: HTMLElement): HTMLElement[];
  /** Scroll container; the page by default. */
  scroller?: HTMLElement;
  /** Indent of the drop line in pixels. @param aside horizontal distance of the pointer from its start */
  inset?(item: HTMLElement, place: number, aside: number): number;
  /** @param place among the others */
  drop(grip: HTMLElement, item: HTMLElement, place: number, aside: number): void;
}

/**
 * Drag and drop by a handle: a line shows the drop position, Escape cancels. Buttons and keys offer the same moves.
 * @returns a function that stops it
 */
export function followDrags(what: DragList): () => void {
  const ended = new AbortController();
  what.list.addEventListener(
    "pointerdown",
    (event) => {
      const grip = event.target instanceof Element ? event.target.closest<HTMLElement>(what.grip) : null;
      const item = grip?.closest<HTMLElement>(what.item);
      if (grip && item && event.button === 0) drag(what, grip, item, event, ended.signal);
    },
    { signal: ended.signal },
  );
  return () => ended.abort();
}

function drag(what: DragList, grip: HTMLElement, item: HTMLElement, start: PointerEvent, all: AbortSignal): void {
  const over = new AbortController();
  const signal = AbortSignal.any([over.signal, all]);
  const line = document.createElement("div");
  line.style.cssText =
    "position:fixed;block-size:3px;border-radius:2px;background:var(--accent);pointer-events:none;z-index:40;display:none;forced-color-adjust:none";
  // An open dialog covers the page, so the line goes into the dialog.
  (what.list.closest("dialog") ?? document.body).append(line);
  const rtl = getComputedStyle(item).direction === "rtl";
  let { clientX, clientY } = start;
  let place: number | null = null;
  const aside = (): number => (clientX - start.clientX) * (rtl ? -1 : 1);
  /** Finds the drop position nearest to the pointer. */
  const look = (): void => {
    const boxes = what.others(item).map((one) => one.getBoundingClientRect());
    const at = boxes.filter((box) => box.top + box.height / 2 < clientY).length;
    place = at;
    const [before, after] = [boxes[at - 1], boxes[at]];
    const near = after ?? before;
    if (!near) return;
    const own = item.getBoundingClientRect();
    // At the item's present position the line runs along its edge, not through it.
    const stays = (before?.bottom ?? own.top) <= own.top && (after?.top ?? own.bottom) >= own.bottom;
    const between = before && after ? (before.bottom + after.top) / 2 : after ? after.top - 6 : (before?.bottom ?? 0) + 6;
    const top = stays ? (clientY < (own.top + own.bottom) / 2 ? own.top - 6 : own.bottom + 3) : between;
    const inset = what.inset?.(item, at, aside()) ?? 0;
    const { left, width } = what.list.getBoundingClientRect();
    Object.assign(line.style, { display: "block", top: `${top}px`, left: `${rtl ? left : left + inset}px`, width: `${width - inset}px` });
  };
  const scrollAlong = (): void => {
    if (signal.aborted) return;
    const { scroller } = what;
    const { top, bottom } = scroller?.getBoundingClientRect() ?? { top: 0, bottom: innerHeight };
    const beyond = clientY < top + edge.near ? clientY - top - edge.near : Math.max(0, clientY - (bottom - edge.near));
    if (beyond && place !== null) {
      (scroller ?? window).scrollBy({ top: (beyond / edge.near) * edge.step, behavior: "instant" });
      look();
    }
    requestAnimationFrame(scrollAlong);
  };
  const end = (): void => {
    over.abort();
    line.remove();
    item.style.opacity = "";
  };
  grip.setPointerCapture?.(start.pointerId);
  grip.addEventListener(
    "pointermove",
    (event) => {
      ({ clientX, clientY } = event);
      // Small movements of a press are not a drag.
      if (place === null && Math.abs(clientY - start.clientY) < 5 && Math.abs(clientX - start.clientX) < 5) return;
      item.style.opacity = "0.5";
      look();
    },
    { signal },
  );
  grip.addEventListener(
    "pointerup",
    () => {
      end();
      if (place !== null) what.drop(grip, item, place, aside());
    },
    { signal },
  );
  grip.addEventListener("pointercancel", end, { signal });
  grip.addEventListener("lostpointercapture", end, { signal });
  addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      event.stopPropagation();
      end();
    },
    { signal, capture: true },
  );
  all.addEventListener("abort", end, { once: true, signal: over.signal });
  requestAnimationFrame(scrollAlong);
}

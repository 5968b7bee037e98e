import type { Side } from "./layout/layout.ts";

/** Where a dragged tab would be dropped: into a tab strip, a pane, or a new pane at one side. */
export type Drop = { paneId: string } & ({ zone: "strip"; index: number } | { zone: "middle" | Side });

/** Share of a pane at each edge where dropping splits it. */
const edge = 0.24;

/** The drop target under the pointer; null outside all panes. */
export function dropAt(event: DragEvent): Drop | null {
  const target = event.target instanceof Element ? event.target : null;
  const pane = target?.closest<HTMLElement>("section.pane");
  const paneId = pane?.dataset.pane;
  if (!pane || !paneId) return null;
  const strip = target?.closest("colloquy-tab-strip");
  if (strip) {
    const rightToLeft = getComputedStyle(strip).direction === "rtl";
    const middles = [...strip.querySelectorAll("[role=tab]")]
      .map((tab) => tab.getBoundingClientRect())
      .map(({ left, right }) => (left + right) / 2);
    const before = middles.filter((middle) => (rightToLeft ? event.clientX < middle : event.clientX > middle)).length;
    return { paneId, zone: "strip", index: before };
  }
  const { left, top, width, height } = pane.getBoundingClientRect();
  const across = (event.clientX - left) / width;
  const down = (event.clientY - top) / height;
  const nearest = Math.min(across, 1 - across, down, 1 - down);
  if (nearest > edge) return { paneId, zone: "middle" };
  const zone = nearest === across ? "left" : nearest === 1 - across ? "right" : nearest === down ? "up" : "down";
  return { paneId, zone };
}

import type { LayoutNode, Pane, Split } from "./layout.ts";

/** A rectangle as shares of the panes' area. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A pane or a split's separator, with its rectangle. A folded pane has none. */
export type Placed = { kind: "pane"; pane: Pane; box: Box | null } | { kind: "separator"; split: Split; box: Box };

const whole: Box = { x: 0, y: 0, width: 1, height: 1 };

/** All panes and separators in reading order. A separator's `box` is the area that its split divides. */
export function place(node: LayoutNode, box: Box | null = whole): Placed[] {
  if (node.kind === "pane") return [{ kind: "pane", pane: node, box }];
  const share = node.collapsed ? 0 : node.share;
  const [first, second] = box ? divide(box, node.direction, share) : [null, null];
  const separator: Placed[] = box ? [{ kind: "separator", split: node, box }] : [];
  return [...place(node.first, node.collapsed ? null : first), ...separator, ...place(node.second, second)];
}

function divide({ x, y, width, height }: Box, direction: Split["direction"], share: number): [Box, Box] {
  if (direction === "row")
    return [
      { x, y, width: width * share, height },
      { x: x + width * share, y, width: width * (1 - share), height },
    ];
  return [
    { x, y, width, height: height * share },
    { x, y: y + height * share, width, height: height * (1 - share) },
  ];
}

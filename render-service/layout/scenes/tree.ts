import type { Box } from "@colloquy/schemas/explainers/placed.ts";

interface Size {
  width: number;
  height: number;
}
interface Tree {
  /** Of each box, in their order. */
  boxes: Box[];
  width: number;
  height: number;
}

/** The one thing each box hangs on, or none for the root; nothing where the boxes and arrows are no tree. */
export function parentsOf(count: number, edges: readonly { from: number; to: number }[]): (number | undefined)[] | undefined {
  const parents = Array.from({ length: count }, () => undefined as number | undefined);
  for (const { from, to } of edges) {
    if (parents[to] !== undefined) return undefined;
    parents[to] = from;
  }
  const roots = parents.filter((parent) => parent === undefined).length;
  const reaches = (index: number, steps: number): boolean => {
    const parent = parents[index];
    return parent === undefined || (steps > 0 && reaches(parent, steps - 1));
  };
  return roots === 1 && parents.every((_, index) => reaches(index, count)) ? parents : undefined;
}

/** A tree from its root down, children in their order below the middle of what they hang on; `sideways` turns it. */
export function tidyTree(
  parents: readonly (number | undefined)[],
  sizes: readonly Size[],
  { sideways, gap, rank }: { sideways: boolean; gap: number; rank: number },
): Tree {
  // Across: along a level. Down: from level to level.
  const across = sizes.map(({ width, height }) => (sideways ? height : width));
  const down = sizes.map(({ width, height }) => (sideways ? width : height));
  const children = sizes.map((_, index) => parents.flatMap((parent, child) => (parent === index ? [child] : [])));
  const depth = (index: number): number => {
    const parent = parents[index];
    return parent === undefined ? 0 : depth(parent) + 1;
  };
  const levels = sizes.map((_, index) => depth(index));
  const tallest = Array.from({ length: Math.max(...levels) + 1 }, (_, level) =>
    Math.max(...down.filter((_, index) => levels[index] === level)),
  );
  const starts = tallest.map((_, level) => tallest.slice(0, level).reduce((sum, tall) => sum + tall + rank, 0));
  const spanOf = (index: number): number => Math.max(across[index] ?? 0, spanBelow(index));
  const spanBelow = (index: number): number => (children[index] ?? []).reduce((sum, child) => sum + spanOf(child) + gap, -gap);
  const middles: number[] = [];
  const put = (index: number, from: number): void => {
    middles[index] = from + spanOf(index) / 2;
    let at = middles[index] - spanBelow(index) / 2;
    for (const child of children[index] ?? []) {
      put(child, at);
      at += spanOf(child) + gap;
    }
  };
  const root = parents.indexOf(undefined);
  put(root, 0);
  const boxes = sizes.map(({ width, height }, index) => {
    const level = levels[index] ?? 0;
    const [one, other] = [middles[index] ?? 0, (starts[level] ?? 0) + (tallest[level] ?? 0) / 2];
    return sideways
      ? { x: other - width / 2, y: one - height / 2, width, height }
      : { x: one - width / 2, y: other - height / 2, width, height };
  });
  const [whole, deep] = [spanOf(root), (starts.at(-1) ?? 0) + (tallest.at(-1) ?? 0)];
  return { boxes, width: sideways ? deep : whole, height: sideways ? whole : deep };
}

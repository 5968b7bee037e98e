import type { SceneContent } from "@colloquy/schemas/explainers/storyboard.ts";

type Diagram = SceneContent<"diagram" | "build">;

/** Wraps a label into at most three lines; a longer one ends in an ellipsis. */
export function wrapLabel(text: string, most: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/u).filter(Boolean)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= most) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word.length > most ? `${word.slice(0, most - 1)}…` : word);
  }
  return lines.length > 3 ? [...lines.slice(0, 2), `${(lines[2] ?? "").slice(0, most - 1)}…`] : lines;
}

export interface Box {
  key: string;
  label: string;
  x: number;
  y: number;
}

export interface Arrow {
  from: { x: number; y: number };
  to: { x: number; y: number };
  /** Control point of a curved line; null for a straight one. */
  by: { x: number; y: number } | null;
  label: string;
  at: { x: number; y: number };
}

export interface PlacedDiagram {
  width: number;
  height: number;
  boxes: Box[];
  arrows: Arrow[];
  /** Vertical lines below the boxes of a sequence diagram. */
  lifelines: { x: number; from: number; to: number }[];
}

export const boxSize = { width: 140, height: 62 };
const gap = { x: 48, y: 40 };

/** Lays out a diagram's boxes and arrows. Pure. */
export const placeBoxes = (diagram: Diagram): PlacedDiagram => (diagram.kind === "sequence" ? sequence(diagram) : ranked(diagram));

function ranked({ kind, nodes, edges }: Diagram): PlacedDiagram {
  const ranks = ranksOf(nodes, edges);
  const rows: string[][] = [];
  for (const { key } of nodes) {
    const rank = ranks.get(key) ?? 0;
    rows[rank] ??= [];
    rows[rank].push(key);
  }
  // Flows and states run along the line of text, trees downwards.
  const along = kind !== "tree";
  const widest = Math.max(...rows.map((row) => row.length));
  const cell = { x: boxSize.width + gap.x, y: boxSize.height + gap.y };
  const places = new Map<string, { x: number; y: number }>();
  for (const [rank, row] of rows.entries())
    for (const [index, key] of row.entries()) {
      const across = index + (widest - row.length) / 2;
      places.set(key, along ? { x: rank * cell.x, y: across * cell.y } : { x: across * cell.x, y: rank * cell.y });
    }
  const boxes = nodes.map(({ key, label }) => ({ key, label, ...(places.get(key) ?? { x: 0, y: 0 }) }));
  const width = (along ? rows.length : widest) * cell.x - gap.x;
  const height = (along ? widest : rows.length) * cell.y - gap.y;
  const arrows = edges.flatMap((edge) => {
    const [from, to] = [places.get(edge.from), places.get(edge.to)];
    return from && to ? [arrowBetween(from, to, edge.label, along)] : [];
  });
  const low = Math.max(height, ...arrows.map(({ by }) => (by ? by.y / 2 + height / 2 + 24 : 0)));
  return { width, height: low, boxes, arrows, lifelines: [] };
}

/** Each box's distance from a start; back edges are ignored. */
function ranksOf(nodes: Diagram["nodes"], edges: Diagram["edges"]): Map<string, number> {
  const ranks = new Map<string, number>();
  const visit = (key: string, rank: number, above: ReadonlySet<string>): void => {
    if (above.has(key) || (ranks.get(key) ?? -1) >= rank) return;
    ranks.set(key, rank);
    const here = new Set([...above, key]);
    for (const edge of edges) if (edge.from === key) visit(edge.to, rank + 1, here);
  };
  const pointedAt = new Set(edges.filter(({ from, to }) => from !== to).map(({ to }) => to));
  const starts = nodes.filter(({ key }) => !pointedAt.has(key));
  for (const { key } of starts.length ? starts : nodes.slice(0, 1)) visit(key, 0, new Set());
  for (const { key } of nodes) if (!ranks.has(key)) visit(key, 0, new Set());
  return ranks;
}

function arrowBetween(from: { x: number; y: number }, to: { x: number; y: number }, label: string, along: boolean): Arrow {
  const half = { x: boxSize.width / 2, y: boxSize.height / 2 };
  const [a, b] = [
    { x: from.x + half.x, y: from.y + half.y },
    { x: to.x + half.x, y: to.y + half.y },
  ];
  const forward = along ? b.x > a.x : b.y > a.y;
  if (forward) {
    const start = along ? { x: a.x + half.x, y: a.y } : { x: a.x, y: a.y + half.y };
    const end = along ? { x: b.x - half.x, y: b.y } : { x: b.x, y: b.y - half.y };
    return { from: start, to: end, by: null, label, at: above(middle(start, end)) };
  }
  // Same-rank and back edges curve below the boxes.
  const [start, end] = [
    { x: a.x - 12, y: a.y + half.y },
    { x: b.x + 12, y: b.y + half.y },
  ];
  const by = { x: (start.x + end.x) / 2, y: Math.max(start.y, end.y) + gap.y * 1.3 };
  return { from: start, to: end, by, label, at: { x: by.x, y: (by.y + Math.max(start.y, end.y)) / 2 } };
}

/** Places an arrow's label above its line. */
const above = ({ x, y }: { x: number; y: number }) => ({ x, y: y - 13 });
const middle = (a: { x: number; y: number }, b: { x: number; y: number }) => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });

function sequence({ nodes, edges }: Diagram): PlacedDiagram {
  const step = { x: boxSize.width + gap.x * 1.2, y: 40 };
  const boxes = nodes.map(({ key, label }, index) => ({ key, label, x: index * step.x, y: 0 }));
  const centre = new Map(boxes.map(({ key, x }) => [key, x + boxSize.width / 2]));
  const first = boxSize.height + step.y;
  const height = first + edges.length * step.y;
  const arrows = edges.flatMap((edge, index): Arrow[] => {
    const [from, to] = [centre.get(edge.from), centre.get(edge.to)];
    if (from === undefined || to === undefined) return [];
    const y = first + index * step.y;
    // A message to itself gets a short stub.
    const end = from === to ? from + 44 : to;
    return [{ from: { x: from, y }, to: { x: end, y }, by: null, label: edge.label, at: { x: (from + end) / 2, y: y - 11 } }];
  });
  return {
    width: nodes.length * step.x - gap.x * 1.2,
    height,
    boxes,
    arrows,
    lifelines: boxes.map(({ x }) => ({ x: x + boxSize.width / 2, from: boxSize.height, to: height })),
  };
}

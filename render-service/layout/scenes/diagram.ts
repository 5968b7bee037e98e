import type { Box } from "@colloquy/schemas/explainers/placed.ts";
import type { SceneContent } from "@colloquy/schemas/explainers/storyboard.ts";
import { Graph, layout } from "@dagrejs/dagre";
import { minTextSize } from "../limits.ts";
import { overlapOf } from "../metrics.ts";
import { putBlock, putBox, putHeading, refuse, revealsOn, type Stage, wordsOn, writingTime } from "../stage.ts";
import { type Block, setBlock } from "../text.ts";
import { placeSequence } from "./sequence.ts";
import { parentsOf, tidyTree } from "./tree.ts";

/** The boxes and arrows of a diagram, whatever else its scene says of them. */
export type Diagram = Pick<SceneContent<"diagram">, "kind" | "nodes" | "edges">;
type Direction = "LR" | "RL" | "TB";
interface Point {
  x: number;
  y: number;
}
interface Drawn {
  width: number;
  height: number;
  nodes: (Box & { block: Block })[];
  edges: { points: Point[]; label?: Box & { block: Block } }[];
}
interface Stretch {
  from: number;
  until?: number;
}
/** What is written in boxes and on arrows, and when they come; `lit`: when a box has the accent; `still`: it is there from the start. */
export interface Spoken {
  nodes: { label: string; from: number; still?: boolean; lit: readonly Stretch[] }[];
  edges: { label: string; from: number; still?: boolean }[];
}

export const nodePart = (index: number): string => `node ${index}`;
export const edgePart = (index: number): string => `edge ${index}`;

const inNode = { x: 22, y: 14 };

interface Look {
  size: number;
  wrap: number;
  direction: Direction;
  rank: number;
}

/** Lays a diagram out in one size of text; nothing when that cannot fit the room. */
function drawn(diagram: Diagram, spoken: Spoken, look: Look, room: Box): Drawn | undefined {
  const { size, wrap } = look;
  const blocks = spoken.nodes.map(({ label }) => setBlock(label, { face: "read", size, width: wrap, leading: 1.22, balanced: true }));
  const onEdges = { face: "beside", size: minTextSize, width: Math.max(150, wrap - 40), leading: 1.2, balanced: true } as const;
  const labels = spoken.edges.map(({ label }) => (label ? setBlock(label, onEdges) : undefined));
  if (!blocks.every((block) => block !== undefined) || labels.some((label, index) => !label && spoken.edges[index]?.label))
    return undefined;
  const boxes = blocks.map(boxOf);
  const full = boxes.reduce((sum, box) => sum + (box.width + 20) * (box.height + 20), 0) > room.width * room.height;
  if (full || boxes.some(({ width, height }) => width > room.width || height > room.height)) return undefined;
  return tree(diagram, blocks, labels, look) ?? graph(diagram, blocks, labels, look);
}

const boxOf = ({ width, height, size }: Block) => ({ width: Math.max(width, size * 1.6) + 2 * inNode.x, height: height + 2 * inNode.y });

/** A tree whose lines say nothing, in our own layout: it keeps the order of the boxes. */
function tree(
  diagram: Diagram,
  blocks: readonly Block[],
  labels: readonly (Block | undefined)[],
  { direction, rank }: Look,
): Drawn | undefined {
  if (diagram.kind !== "tree" || labels.some(Boolean)) return undefined;
  const indexOf = (key: string) => diagram.nodes.findIndex((node) => node.key === key);
  const edges = diagram.edges.map(({ from, to }) => ({ from: indexOf(from), to: indexOf(to) }));
  const parents = parentsOf(blocks.length, edges);
  if (!parents) return undefined;
  const sideways = direction !== "TB";
  const { boxes, width, height } = tidyTree(parents, blocks.map(boxOf), { sideways, gap: sideways ? 22 : 34, rank });
  const nodes = boxes.map((box, index) => ({
    ...box,
    x: direction === "RL" ? width - box.x - box.width : box.x,
    block: blocks[index] as Block,
  }));
  return {
    width,
    height,
    nodes,
    edges: edges.map(({ from, to }) => ({ points: branch(nodes[from] as Box, nodes[to] as Box, direction) })),
  };
}

/** From the middle of one side to the middle of the other, with a bend halfway. */
function branch(from: Box, to: Box, direction: Direction): Point[] {
  const middle = ({ x, y, width, height }: Box) => ({ x: x + width / 2, y: y + height / 2 });
  const [one, other] = [middle(from), middle(to)];
  if (direction === "TB") {
    const [start, end] = [from.y + from.height, to.y];
    const half = (start + end) / 2;
    return [
      { x: one.x, y: start },
      { x: one.x, y: half },
      { x: other.x, y: half },
      { x: other.x, y: end },
    ];
  }
  const forward = direction === "LR";
  const [start, end] = [forward ? from.x + from.width : from.x, forward ? to.x : to.x + to.width];
  const half = (start + end) / 2;
  return [
    { x: start, y: one.y },
    { x: half, y: one.y },
    { x: half, y: other.y },
    { x: end, y: other.y },
  ];
}

/** Anything else, by dagre: ranks, few crossings, lines around boxes. */
function graph(diagram: Diagram, blocks: readonly Block[], labels: readonly (Block | undefined)[], { direction, rank }: Look): Drawn {
  const made = new Graph({ multigraph: true });
  made.setGraph({ rankdir: direction, ranksep: rank, nodesep: 34, edgesep: 26, marginx: 2, marginy: 2 });
  made.setDefaultEdgeLabel(() => ({}));
  diagram.nodes.forEach(({ key }, index) => {
    made.setNode(key, boxOf(blocks[index] as Block));
  });
  diagram.edges.forEach(({ from, to }, index) => {
    const block = labels[index];
    const room = block ? { width: block.width + 24, height: block.height + 16 } : from === to ? { width: 40, height: 40 } : undefined;
    made.setEdge(from, to, room ? { ...room, labelpos: "c" } : {}, String(index));
  });
  layout(made);
  const { width = 0, height = 0 } = made.graph() as { width?: number; height?: number };
  const nodes = diagram.nodes.map(({ key }, index) => {
    const { x, y, width: wide, height: high } = made.node(key) as Box;
    return { x: x - wide / 2, y: y - high / 2, width: wide, height: high, block: blocks[index] as Block };
  });
  const edges = diagram.edges.map(({ from, to }, index) => {
    const edge = made.edge(from, to, String(index)) as { points: Point[]; x: number; y: number };
    const block = labels[index];
    const points = from === to ? loop(nodes.find((_, at) => diagram.nodes[at]?.key === from) as Box, edge, direction) : edge.points;
    if (!block) return { points };
    const label = { x: edge.x - block.width / 2, y: edge.y - block.height / 2, width: block.width, height: block.height, block };
    return { points, label };
  });
  return { width, height, nodes, edges };
}

/** From a box back to itself, through the room dagre keeps beside it: its own points for that are no line. */
function loop({ x, y, width, height }: Box, through: Point, direction: Direction): Point[] {
  const out = 1.25;
  if (direction === "TB") {
    const [side, middle] = [x + width, y + height / 2];
    const far = side + (through.x - side) * out;
    return [
      { x: side, y: middle - 12 },
      { x: far, y: middle - 26 },
      { x: far, y: middle + 26 },
      { x: side, y: middle + 12 },
    ];
  }
  const [side, middle] = [y + height, x + width / 2];
  const far = side + (through.y - side) * out;
  return [
    { x: middle - 12, y: side },
    { x: middle - 26, y: far },
    { x: middle + 26, y: far },
    { x: middle + 12, y: side },
  ];
}

/** Points close to one another along a smooth curve (a uniform cubic B-spline) that begins and ends where the points do. */
function curved(points: readonly Point[]): Point[] {
  const [first, last] = [points[0] as Point, points.at(-1) as Point];
  const control = [first, first, ...points, last, last];
  const made: Point[] = [];
  for (let index = 0; index + 3 < control.length; index++) {
    const four = control.slice(index, index + 4);
    for (let step = 0; step < 16; step++) {
      const t = step / 16;
      const weights = [(1 - t) ** 3, 3 * t ** 3 - 6 * t ** 2 + 4, -3 * t ** 3 + 3 * t ** 2 + 3 * t + 1, t ** 3];
      const mixed = (of: "x" | "y") => four.reduce((sum, point, at) => sum + point[of] * (weights[at] ?? 0), 0) / 6;
      made.push({ x: mixed("x"), y: mixed("y") });
    }
  }
  return [...made, last];
}

/** A line along close points; ends short of its last point so that an arrow's head has its place. */
function along(points: readonly Point[], short: number): { d: string; tip: { x: number; y: number; angle: number } } {
  const last = points.at(-1) as Point;
  const away = (point: Point) => Math.hypot(last.x - point.x, last.y - point.y);
  const before = points.findLast((point) => away(point) > 14) ?? (points[0] as Point);
  const angle = Math.atan2(last.y - before.y, last.x - before.x);
  const end = { x: last.x - short * Math.cos(angle), y: last.y - short * Math.sin(angle) };
  const rest = points.filter((point) => away(point) > short + 2);
  const d = [...rest, end].map(({ x, y }, index) => `${index === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
  return { d, tip: { ...last, angle } };
}

/** Leaves a label's room out of a line: the points before and after it. */
function around(points: readonly Point[], { x, y, width, height }: Box): Point[][] {
  const inside = (point: Point) => point.x > x - 8 && point.x < x + width + 8 && point.y > y - 6 && point.y < y + height + 6;
  const parts: Point[][] = [[]];
  for (const point of points) {
    if (!inside(point)) parts.at(-1)?.push(point);
    else if (parts.at(-1)?.length) parts.push([]);
  }
  return parts.filter((part) => part.length > 1);
}

function boundsOf(points: readonly Point[]): Box {
  const xs = points.map(({ x }) => x);
  const ys = points.map(({ y }) => y);
  return { x: Math.min(...xs), y: Math.min(...ys), width: Math.max(...xs) - Math.min(...xs), height: Math.max(...ys) - Math.min(...ys) };
}

function putEdges(stage: Stage, { kind }: Diagram, { edges }: Drawn, spoken: Spoken, at: Point): void {
  edges.forEach(({ points, label }, index) => {
    const { from = 0, still = false } = spoken.edges[index] ?? {};
    const part = edgePart(index);
    const moved = points.map(({ x, y }) => ({ x: x + at.x, y: y + at.y }));
    const room = label && { ...label, x: label.x + at.x, y: label.y + at.y };
    const whole = curved(moved);
    const parts = room ? around(whole, room) : [whole];
    parts.forEach((piece, place) => {
      const tipped = kind !== "tree" && place === parts.length - 1;
      const { d, tip } = along(piece, tipped ? 10 : 0);
      stage.items.push({
        kind: "line",
        d,
        width: 2.5,
        colour: "ink-soft",
        box: boundsOf(piece),
        part,
        from,
        motion: still ? "still" : "draw",
        takes: still ? 0 : 900,
        ...(tipped && { tip }),
      });
    });
    const motion = still ? "still" : "fade";
    if (room) putBlock(stage, room.block, { ...room, align: "centre", colour: "ink-soft", part, from, motion });
  });
}

function putNode(
  stage: Stage,
  box: Box,
  block: Block,
  look: { radius: number; part: string; from: number; still: boolean; lit: readonly Stretch[] },
): void {
  const { radius, part, from, still, lit } = look;
  putBox(stage, box, { radius, fill: "raised", stroke: "line-strong", strokeWidth: 2 }, { part, from, ...(still && { motion: "still" }) });
  for (const stretch of lit) putBox(stage, box, { radius, fill: "accent-wash", stroke: "accent", strokeWidth: 2.5 }, { part, ...stretch });
  const y = box.y + (box.height - block.height) / 2;
  const place = { x: box.x, y, width: box.width, align: "centre", part, from } as const;
  if (still) putBlock(stage, block, { ...place, motion: "still" });
  else putBlock(stage, block, { ...place, motion: "wipe", writes: writingTime(stage, block.lines.join(" "), from, lit[0]?.until) });
}

/** When boxes and what joins them come: a box when it is named, with the accent until the next; a line when both its ends are there. */
function spokenOf(stage: Stage, { nodes, edges }: Diagram): Spoken {
  const labels = nodes.map(({ label }) => wordsOn(stage, label));
  const times = revealsOn(stage, labels);
  const at = (key: string) => times[nodes.findIndex((node) => node.key === key)] ?? 0;
  return {
    nodes: labels.map((label, index) => {
      const [from, until] = [times[index] ?? 0, times[index + 1]];
      return { label, from, lit: [{ from, ...(until !== undefined && { until }) }] };
    }),
    edges: edges.map(({ from, to, label }) => ({ label: wordsOn(stage, label, "beside"), from: Math.max(at(from), at(to)) + 100 })),
  };
}

/** Whether each arrow leads from a box to a box, and no two have one key. */
export function checkKeys(stage: Stage, { nodes, edges }: Diagram): undefined {
  const keys = new Set(nodes.map(({ key }) => key));
  if (keys.size < nodes.length) return refuse(stage, "Two boxes of the diagram have the same key.");
  const lost = edges.find(({ from, to }) => !keys.has(from) || !keys.has(to));
  if (lost) return refuse(stage, `The diagram has an arrow from ${lost.from} to ${lost.to}, but not both boxes.`);
}

/** Boxes and arrows: a flow, a tree, states, or who says what to whom. */
export function placeDiagram(stage: Stage, diagram: SceneContent<"diagram">): undefined {
  putHeading(stage, diagram.heading);
  checkKeys(stage, diagram);
  if (stage.findings.length > 0) return;
  if (diagram.kind === "sequence") return placeSequence(stage, diagram);
  const spoken = spokenOf(stage, diagram);
  if (stage.findings.length === 0) putDiagram(stage, diagram, spoken);
}

/** Widths at which words are wrapped, and gaps from one rank of boxes to the next, in the order in which they are tried. */
interface Spacing {
  wraps: readonly number[];
  ranks: readonly number[];
}
const spacious: Spacing = { wraps: [260, 190, 130], ranks: [84, 44] };

/** The largest way to lay a diagram out in the body of the picture; answers where its boxes are. */
export function putDiagram(stage: Stage, diagram: Diagram, spoken: Spoken, { wraps, ranks } = spacious): Box[] | undefined {
  const { body, wide, rtl } = stage;
  const forward: Direction = rtl ? "RL" : "LR";
  const directions: Direction[] = wide && diagram.kind !== "tree" ? [forward, "TB"] : ["TB", forward];
  for (const size of [40, 34, 29, minTextSize]) {
    for (const direction of directions) {
      for (const wrap of wraps) {
        for (const rank of ranks) {
          const made = drawn(diagram, spoken, { size, wrap, direction, rank }, body);
          if (!made || made.width > body.width || made.height > body.height) continue;
          const before = stage.items.length;
          const at = { x: body.x + (body.width - made.width) / 2, y: body.y + (body.height - made.height) * 0.42 };
          putEdges(stage, diagram, made, spoken, at);
          const boxes = made.nodes.map(({ x, y, width, height }) => ({ x: x + at.x, y: y + at.y, width, height }));
          made.nodes.forEach(({ block, height }, index) => {
            const { from = 0, still = false, lit = [] } = spoken.nodes[index] ?? {};
            const radius = diagram.kind === "state" ? Math.min(height / 2, 24) : 12;
            putNode(stage, boxes[index] as Box, block, { radius, part: nodePart(index), from, still, lit });
          });
          // Lines are smoothed and labels wide: what touches then is tried in another way.
          if (overlapOf(stage.items.slice(before)) === 0) return boxes;
          stage.items.length = before;
        }
      }
    }
  }
  return refuse(stage, `The diagram of ${diagram.nodes.length} boxes and ${diagram.edges.length} arrows does not fit the picture.`);
}

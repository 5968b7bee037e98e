import type { Box, ColourRole, Move } from "@colloquy/schemas/explainers/placed.ts";
import type { SceneContent } from "@colloquy/schemas/explainers/storyboard.ts";
import { gapsOf } from "@colloquy/schemas/explainers/timeline.ts";
import { cueAt } from "../cues.ts";
import { minTextSize } from "../limits.ts";
import { calm, putBlock, putBox, putHeading, putLine, refuse, type Stage, startX, wordsOn } from "../stage.ts";
import { type Block, largest, measure, setBlock } from "../text.ts";
import { axisHeight, putTimeAxis, putTimeAxisDown, uprightTick } from "./time-axis.ts";

type Timeline = SceneContent<"timeline">;
type Lane = Timeline["lanes"][number];

/** Kinds are told apart by colour, by letter and by whether they are filled. */
const looks: readonly { fill: ColourRole; ink: ColourRole; stroke: ColourRole }[] = [
  { fill: "accent", ink: "accent-ink", stroke: "accent" },
  { fill: "raised", ink: "ink", stroke: "warn" },
  { fill: "accent-wash", ink: "ink", stroke: "good" },
];
const markSizes = { wide: 72, tall: 96, least: 34 };
const labelSize = 30;
const gapSize = { wide: 28, tall: 34 };
/** Between the columns of a tall picture. */
const columnGap = 24;
/** How long a pointer travels to the next mark, at most. */
const travelTakes = 2_400;
/** Above a mark: the arcs of the gaps with their numbers. */
const arcHeight = 62;

/** The line of a lane: along it times stand, from left to right, or from top to bottom where the picture is tall. */
interface Track {
  isUpright: boolean;
  /** Where it lies across its direction. */
  across: number;
  toAlong: (value: number) => number;
  /** How long a mark is along the line, and how broad. */
  size: number;
  breadth: number;
}

const centreOf = ({ isUpright, across, toAlong }: Omit<Track, "size" | "breadth">, at: number): { x: number; y: number } =>
  isUpright ? { x: across, y: toAlong(at) } : { x: toAlong(at), y: across };

const textSize = (size: number): number => Math.max(25, Math.round(size * 0.58));

/** What the letters in the marks mean, each from its first mark on. */
function putKinds(stage: Stage, { kinds, lanes }: Timeline, { mark: size, type }: { mark: number; type: number }): undefined {
  if (kinds.length < 2) return;
  const { body, wide } = stage;
  const words = kinds.map((kind) => wordsOn(stage, kind, "beside"));
  const widths = words.map((word) => size + 14 + measure(word, "beside", type).advance);
  const gap = 40;
  const inRow = widths.reduce((sum, width) => sum + width, gap * (widths.length - 1)) <= body.width;
  if (widths.some((width) => width > body.width)) return refuse(stage, "The name of a kind is too long.");
  const rowHeight = size + 14;
  const height = inRow ? rowHeight : rowHeight * words.length;
  let [offset, y] = [0, body.y];
  words.forEach((word, index) => {
    const width = widths[index] ?? 0;
    const cues = lanes.flatMap(({ marks }) => marks.filter(({ kind }) => kind === index).map(({ cue }) => cueAt(stage, cue)));
    const from = cues.length > 0 ? Math.min(...cues) : 0;
    const x = startX(stage, body, offset, width);
    const markX = stage.rtl ? x + width - size : x;
    putMark(stage, { x: markX, y, width: size, height: size }, { kind: index, numbered: true, part: "kinds" }, from);
    const wordX = stage.rtl ? x : x + size + 14;
    putLine(
      stage,
      { text: word, face: "beside", size: type, x: wordX, baseline: y + size / 2 + type * 0.35 },
      { part: "kinds", from, motion: from === 0 ? "still" : "rise" },
    );
    if (inRow) offset += width + gap;
    else y += rowHeight;
  });
  const taken = height + (wide ? 18 : 34);
  stage.body = { ...body, y: body.y + taken, height: body.height - taken };
}

function putMark(stage: Stage, box: Box, { kind, numbered, part }: { kind: number; numbered: boolean; part: string }, from: number): void {
  const look = looks[kind] ?? { fill: "accent", ink: "accent-ink", stroke: "accent" };
  const motion = from === 0 ? "still" : "rise";
  const shape = { radius: numbered ? 10 : box.height / 2, fill: look.fill, stroke: look.stroke, strokeWidth: 3 };
  putBox(stage, box, shape, { part, from, motion });
  if (!numbered) return;
  const size = textSize(box.height);
  const text = String.fromCodePoint(65 + kind);
  const { advance } = measure(text, "beside-strong", size);
  const line = {
    text,
    face: "beside-strong",
    size,
    x: box.x + (box.width - advance) / 2,
    baseline: box.y + box.height / 2 + size * 0.35,
  } as const;
  putLine(stage, line, { colour: look.ink, part, from, motion, direction: "ltr" });
}

/** A lane: its line, and its marks, to each of which a pointer travels. */
function putLane(stage: Stage, lane: Lane, track: Track, { from, to, part, numbered }: Along): void {
  const { isUpright, across, size, breadth } = track;
  const [width, height] = isUpright ? [breadth, size] : [size, breadth];
  stage.items.push({
    kind: "line",
    d: isUpright ? `M${across} ${from}V${to}` : `M${from} ${across}H${to}`,
    width: 2,
    colour: "line",
    box: isUpright ? { x: across - 1, y: from, width: 2, height: to - from } : { x: from, y: across - 1, width: to - from, height: 2 },
    part,
    from: 0,
    motion: "still",
    takes: 0,
  });
  const shown = stagger(lane.marks.map(({ cue }) => cueAt(stage, cue)));
  lane.marks.forEach(({ at, kind }, index) => {
    const { x, y } = centreOf(track, at);
    putMark(stage, { x: x - width / 2, y: y - height / 2, width, height }, { kind, numbered, part }, shown[index] ?? 0);
  });
  putPointer(stage, lane, track, { shown, part });
  if (lane.gaps) putGaps(stage, lane, track, { shown, part });
}
/** What a lane's line reaches. */
interface Along {
  from: number;
  to: number;
  part: string;
  numbered: boolean;
}

/** Marks of one cue come one after the other. */
function stagger(times: readonly number[]): number[] {
  const apart = 380;
  return times.map((time, index) => {
    const same = times.slice(0, index).filter((other) => other === time).length;
    return time === 0 ? 0 : time + same * apart;
  });
}

interface Shown {
  /** When each mark comes. */
  shown: readonly number[];
  part: string;
}

/** A pointer beside the line that has arrived at each mark when the mark comes: below it, or towards the axis where it is upright. */
function putPointer(stage: Stage, { marks }: Lane, track: Track, { shown, part }: Shown): void {
  const [first = { x: 0, y: 0 }, ...others] = marks.map(({ at }) => centreOf(track, at));
  const moves: Move[] = [];
  others.forEach(({ x, y }, index) => {
    const [before = 0, at = 0] = [shown[index], shown[index + 1]];
    if (at <= before) return;
    const takes = Math.min(travelTakes, at - before);
    moves.push({ from: at - takes, takes, to: [1, 0, 0, 1, x - first.x, y - first.y] });
  });
  if (moves.length === 0) return;
  const away = track.breadth / 2 + 6;
  const side = stage.rtl ? 1 : -1;
  const tip = track.isUpright ? { x: first.x + side * away, y: first.y } : { x: first.x, y: first.y + away };
  const d = track.isUpright ? `M${tip.x} ${tip.y}l${side * 14} 9v-18Z` : `M${tip.x} ${tip.y}l9 14h-18Z`;
  const box = track.isUpright
    ? { x: Math.min(tip.x, tip.x + side * 14), y: tip.y - 9, width: 14, height: 18 }
    : { x: tip.x - 9, y: tip.y, width: 18, height: 14 };
  const from = shown[0] ?? 0;
  stage.items.push({
    kind: "line",
    d,
    width: 2,
    colour: "ink-soft",
    fill: "ink-soft",
    box,
    part,
    from,
    motion: from === 0 ? "still" : "fade",
    takes: calm,
    moves,
  });
}

/** Arcs from mark to mark with the length of the gap: above the line, or behind it where it is upright. */
function putGaps(stage: Stage, lane: Lane, track: Track, { shown, part }: Shown): void {
  const { isUpright, size, breadth, across, toAlong } = track;
  const type = isUpright ? gapSize.tall : gapSize.wide;
  const side = isUpright && !stage.rtl ? 1 : -1;
  const base = across + side * (breadth / 2 + 8);
  gapsOf(lane).forEach((text, index) => {
    const [from, to] = [toAlong(lane.marks[index]?.at ?? 0), toAlong(lane.marks[index + 1]?.at ?? 0)];
    const { advance } = measure(text, "beside-strong", type);
    if (to - from < (isUpright ? type : advance + 8)) refuse(stage, `The gap of ${text} is too short for its number: show less time.`);
    const [one = 0, other = 0] = [shown[index], shown[index + 1]];
    const arrives = Math.max(one, other);
    const takes = Math.min(2_000, Math.max(300, Math.abs(other - one)));
    const begins = arrives === 0 ? 0 : Math.max(1, arrives - takes);
    const bend = Math.min(24, (to - from) / 3);
    const top = base + side * bend;
    const ends = [from + size * 0.2, to - size * 0.2];
    const [quarter, threeQuarters] = [from + (to - from) * 0.25, from + (to - from) * 0.75];
    const d = isUpright
      ? `M${base} ${ends[0]}C${top} ${quarter} ${top} ${threeQuarters} ${base} ${ends[1]}`
      : `M${ends[0]} ${base}C${quarter} ${top} ${threeQuarters} ${top} ${ends[1]} ${base}`;
    const box = isUpright
      ? { x: Math.min(base, top), y: from, width: bend, height: to - from }
      : { x: from, y: top, width: to - from, height: bend };
    stage.items.push({
      kind: "line",
      d,
      width: 3,
      colour: "warn",
      box,
      part,
      from: begins,
      motion: begins === 0 ? "still" : "draw",
      takes,
    });
    const middle = (from + to) / 2;
    const at = base + side * (bend * 0.75 + 10);
    const place = isUpright
      ? { x: side > 0 ? at : at - advance, baseline: middle + type * 0.35 }
      : { x: middle - advance / 2, baseline: at };
    putLine(
      stage,
      { text, face: "beside-strong", size: type, ...place },
      { part, from: arrives, motion: arrives === 0 ? "still" : "fade", direction: "ltr" },
    );
  });
}

/** Marks on lines along one axis: sessions on days, or exercises in their order. */
export function placeTimeline(stage: Stage, timeline: Timeline): undefined {
  putHeading(stage, timeline.heading);
  const columns = stage.wide ? null : columnsOf(stage, timeline);
  return columns ? placeDown(stage, timeline, columns) : placeAcross(stage, timeline);
}

/** The share of the time between the two marks that are nearest to each other. */
const closestShare = ({ lanes, until }: Timeline): number =>
  Math.min(...lanes.flatMap(({ marks }) => marks.slice(1).map(({ at }, index) => at - (marks[index]?.at ?? 0))), Number.POSITIVE_INFINITY) /
  until;

const tooNear = "Marks of the timeline would lie on one another: show less time or fewer marks.";

/** Lanes below one another above an axis. */
function placeAcross(stage: Stage, timeline: Timeline): undefined {
  const { unit, until, kinds, lanes } = timeline;
  const inset = 30;
  const names = Math.max(...lanes.map(({ label }) => measure(label, "beside-strong", labelSize).advance)) + 24;
  if (names > stage.body.width / 3) return refuse(stage, "The names of the lanes leave too little room for the timeline.");
  const room = closestShare(timeline) * (stage.body.width - names - 2 * inset) - 6;
  const most = Math.floor(Math.min(markSizes.wide, room));
  if (most < markSizes.least) return refuse(stage, tooNear);
  putKinds(stage, timeline, { mark: Math.min(most, 44), type: gapSize.wide });
  const { body } = stage;
  const heightsOf = (size: number) => lanes.map(({ gaps }) => (gaps ? arcHeight : 10) + size + 26);
  const neededOf = (size: number) => heightsOf(size).reduce((sum, height) => sum + height, 0) + axisHeight;
  const size = largest(most, markSizes.least, (tried) => (neededOf(tried) <= body.height ? tried : undefined));
  if (!size) return refuse(stage, "The timeline is too high for the picture: take fewer lanes.");
  const [heights, needed] = [heightsOf(size), neededOf(size)];
  const gap = Math.min(26, (body.height - needed) / (lanes.length + 1));
  const height = needed + gap * (lanes.length - 1) + 10;
  const top = body.y + Math.min(90, Math.max(0, (body.height - height) * 0.3));
  const left = body.x + names + inset;
  const toAlong = putTimeAxis(stage, { until, unit }, { x: left, y: top, width: body.width - names - 2 * inset, height });
  let y = top;
  lanes.forEach((lane, index) => {
    const part = `lane ${Math.round(y)}`;
    const across = y + (lane.gaps ? arcHeight : 10) + size / 2;
    const name = wordsOn(stage, lane.label, "beside-strong");
    const { advance } = measure(name, "beside-strong", labelSize);
    putLine(
      stage,
      { text: name, face: "beside-strong", size: labelSize, x: startX(stage, body, 0, advance), baseline: across + labelSize * 0.35 },
      { part, from: 0, motion: "still" },
    );
    const along = { from: body.x + names, to: body.x + body.width, part, numbered: kinds.length > 1 };
    putLane(stage, lane, { isUpright: false, across, toAlong, size, breadth: size }, along);
    y += (heights[index] ?? 0) + gap;
  });
}

/** Lanes beside one another. */
interface Columns {
  unit: string;
  axisWidth: number;
  width: number;
  heads: Block[];
  /** Widest that a mark can be with what stands beside it: the pointer and the lengths of gaps. */
  mark: number;
}

/** The lanes of a timeline that runs down; null where they are too many or too long named to stand beside one another. */
function columnsOf(stage: Stage, { unit, lanes }: Timeline): Columns | null {
  const { body } = stage;
  const name = wordsOn(stage, unit, "beside");
  const unitWidth = measure(name, "beside", uprightTick).advance;
  const axisWidth = Math.max(unitWidth, 60);
  const width = (body.width - axisWidth - columnGap * lanes.length) / lanes.length;
  const labels = lanes.map(({ label }) => wordsOn(stage, label, "beside-strong"));
  const heads = largest(36, minTextSize, (size) => {
    const set = labels.map((label) => setBlock(label, { face: "beside-strong", size, width, leading: 1.2, balanced: true }));
    return set.every((block) => block !== undefined && block.lines.length <= 3) ? set.filter((block) => block !== undefined) : undefined;
  });
  const mark = width - (lanes.some(({ gaps }) => gaps) ? 150 : 60);
  return heads && unitWidth <= body.width / 3 && mark >= markSizes.least ? { unit: name, axisWidth, width, heads, mark } : null;
}

/** Lanes beside one another, and time runs down: a tall picture has its room there. */
function placeDown(stage: Stage, timeline: Timeline, { unit, axisWidth, width, heads, mark }: Columns): undefined {
  const { until, kinds, lanes } = timeline;
  putKinds(stage, timeline, { mark: 50, type: gapSize.tall });
  const { body, rtl } = stage;
  const axis = { x: startX(stage, body, 0, axisWidth), width: axisWidth };
  const headHeight = Math.max(...heads.map(({ height }) => height));
  const bottom = body.y + body.height;
  const share = closestShare(timeline);
  const size = largest(Math.floor(Math.min(markSizes.tall, mark)), markSizes.least, (tried) =>
    share * (bottom - body.y - headHeight - 20 - tried) - 8 >= tried ? tried : undefined,
  );
  if (!size) return refuse(stage, tooNear);
  const breadth = Math.min(size * 2.4, mark);
  const [top, end] = [body.y + headHeight + 20 + size / 2, bottom - size / 2];
  const toAlong = putTimeAxisDown(stage, { until, unit }, { ...axis, y: top, height: end - top }, body.y + headHeight);
  lanes.forEach((lane, index) => {
    const part = `lane ${index}`;
    const x = startX(stage, body, axisWidth + columnGap + index * (width + columnGap), width);
    const head = heads[index];
    if (head) putBlock(stage, head, { x, y: body.y + headHeight - head.height, width, align: "centre", part, from: 0, motion: "still" });
    const across = x + width / 2 - (lane.gaps ? (rtl ? -1 : 1) * 24 : 0);
    const along = { from: top - size / 2 + 4, to: bottom, part, numbered: kinds.length > 1 };
    putLane(stage, lane, { isUpright: true, across, toAlong, size, breadth }, along);
  });
}

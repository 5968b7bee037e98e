import type { Box, ColourRole, Move } from "@colloquy/schemas/explainers/placed.ts";
import type { SceneContent } from "@colloquy/schemas/explainers/storyboard.ts";
import { gapsOf } from "@colloquy/schemas/explainers/timeline.ts";
import { cueAt } from "../cues.ts";
import { calm, putBox, putHeading, putLine, quoted, refuse, type Stage, startX, wordsOn } from "../stage.ts";
import { largest, measure } from "../text.ts";
import { axisHeight, putTimeAxis } from "./time-axis.ts";

type Timeline = SceneContent<"timeline">;
type Lane = Timeline["lanes"][number];

/** Kinds are told apart by colour, by letter and by whether they are filled. */
const looks: readonly { fill: ColourRole; ink: ColourRole; stroke: ColourRole }[] = [
  { fill: "accent", ink: "accent-ink", stroke: "accent" },
  { fill: "raised", ink: "ink", stroke: "warn" },
  { fill: "accent-wash", ink: "ink", stroke: "good" },
];
const markSizes = { most: 72, least: 34 };
const labelSize = 30;
const gapSize = 28;
/** How long a pointer travels to the next mark, at most. */
const travelTakes = 2_400;
/** Above a mark: the arcs of the gaps with their numbers. */
const arcHeight = 62;
const labelHeight = 46;

interface Drawing {
  /** Where names of lanes stand in a wide picture; above their lines in a tall one. */
  names: number;
  toX: (value: number) => number;
  size: number;
}

const textSize = (size: number): number => Math.max(25, Math.round(size * 0.58));

/** What the letters in the marks mean, each from its first mark on. */
function putKinds(stage: Stage, { kinds, lanes }: Timeline, { size }: Pick<Drawing, "size">): undefined {
  if (kinds.length < 2) return;
  const { body, wide } = stage;
  const words = kinds.map((kind) => wordsOn(stage, kind, "beside"));
  const widths = words.map((word) => size + 14 + measure(word, "beside", gapSize).advance);
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
      { text: word, face: "beside", size: gapSize, x: wordX, baseline: y + size / 2 + gapSize * 0.35 },
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
  const shape = { radius: numbered ? 10 : box.width / 2, fill: look.fill, stroke: look.stroke, strokeWidth: 3 };
  putBox(stage, box, shape, { part, from, motion });
  if (!numbered) return;
  const size = textSize(box.width);
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

/** One lane: its name, a line, and its marks, to each of which a pointer travels. */
function putLane(stage: Stage, lane: Lane, { names, toX, size }: Drawing, top: number, numbered: boolean): undefined {
  const { body } = stage;
  const name = wordsOn(stage, lane.label, "beside-strong");
  const width = measure(name, "beside-strong", labelSize).advance;
  if (width > body.width) return refuse(stage, `The name ${quoted(name)} of a lane is too long.`);
  const part = `lane ${Math.round(top)}`;
  const laneTop = top + (stage.wide ? 0 : labelHeight);
  putLine(
    stage,
    {
      text: name,
      face: "beside-strong",
      size: labelSize,
      x: startX(stage, body, 0, width),
      baseline: stage.wide ? laneTop + (lane.gaps ? arcHeight : 10) + size / 2 + labelSize * 0.35 : top + labelSize,
    },
    { part, from: 0, motion: "still" },
  );
  const y = laneTop + (lane.gaps ? arcHeight : 10) + size / 2;
  stage.items.push({
    kind: "line",
    d: `M${body.x + names} ${y}H${body.x + body.width}`,
    width: 2,
    colour: "line",
    box: { x: body.x + names, y: y - 1, width: body.width - names, height: 2 },
    part,
    from: 0,
    motion: "still",
    takes: 0,
  });
  const times = lane.marks.map(({ cue }) => cueAt(stage, cue));
  const shown = spread(times);
  lane.marks.forEach(({ at, kind }, index) => {
    putMark(stage, { x: toX(at) - size / 2, y: y - size / 2, width: size, height: size }, { kind, numbered, part }, shown[index] ?? 0);
  });
  putPointer(
    stage,
    lane.marks.map(({ at }) => toX(at)),
    shown,
    { y: y + size / 2 + 6, part },
  );
  if (lane.gaps) putGaps(stage, lane, { toX, size }, { y: y - size / 2 - 8, shown, part });
}

/** Marks of one cue come one after the other. */
function spread(times: readonly number[]): number[] {
  const apart = 380;
  return times.map((time, index) => {
    const same = times.slice(0, index).filter((other) => other === time).length;
    return time === 0 ? 0 : time + same * apart;
  });
}

/** A pointer below the line that has arrived at each mark when the mark comes. */
function putPointer(stage: Stage, xs: readonly number[], shown: readonly number[], { y, part }: { y: number; part: string }): void {
  const first = xs[0] ?? 0;
  const moves: Move[] = [];
  xs.forEach((x, index) => {
    const at = shown[index] ?? 0;
    const before = shown[index - 1];
    if (before === undefined || at <= before) return;
    const takes = Math.min(travelTakes, at - before);
    moves.push({ from: at - takes, takes, to: [1, 0, 0, 1, x - first, 0] });
  });
  if (moves.length === 0) return;
  const d = `M${first} ${y}l9 14h-18Z`;
  const box = { x: first - 9, y, width: 18, height: 14 };
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

/** Arcs from mark to mark with the length of the gap. */
function putGaps(
  stage: Stage,
  lane: Lane,
  { toX, size }: Pick<Drawing, "toX" | "size">,
  { y, shown, part }: { y: number; shown: readonly number[]; part: string },
): void {
  gapsOf(lane).forEach((text, index) => {
    const [from, to] = [toX(lane.marks[index]?.at ?? 0), toX(lane.marks[index + 1]?.at ?? 0)];
    const { advance } = measure(text, "beside-strong", gapSize);
    if (to - from < advance + 8) refuse(stage, `The gap of ${text} is too short for its number: show less time.`);
    const [one = 0, other = 0] = [shown[index], shown[index + 1]];
    const arrives = Math.max(one, other);
    const takes = Math.min(2_000, Math.max(300, Math.abs(other - one)));
    const begins = arrives === 0 ? 0 : Math.max(1, arrives - takes);
    const middle = (from + to) / 2;
    const bend = Math.min(24, (to - from) / 3);
    const d = `M${from + size * 0.2} ${y}C${from + (to - from) * 0.25} ${y - bend} ${from + (to - from) * 0.75} ${y - bend} ${to - size * 0.2} ${y}`;
    const box = { x: from, y: y - bend, width: to - from, height: bend };
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
    putLine(
      stage,
      { text, face: "beside-strong", size: gapSize, x: middle - advance / 2, baseline: y - bend * 0.75 - 10 },
      { part, from: arrives, motion: arrives === 0 ? "still" : "fade", direction: "ltr" },
    );
  });
}

/** Marks on lines above one axis: sessions on days, or exercises in their order. */
export function placeTimeline(stage: Stage, timeline: Timeline): undefined {
  const { heading, unit, until, kinds, lanes } = timeline;
  putHeading(stage, heading);
  const { wide } = stage;
  const inset = 30;
  const names = wide ? Math.max(...lanes.map(({ label }) => measure(label, "beside-strong", labelSize).advance)) + 24 : 0;
  if (names > stage.body.width / 3) return refuse(stage, "The names of the lanes leave too little room for the timeline.");
  const closest = Math.min(
    ...lanes.flatMap(({ marks }) => marks.slice(1).map(({ at }, index) => at - (marks[index]?.at ?? 0))),
    Number.POSITIVE_INFINITY,
  );
  const room = (closest / until) * (stage.body.width - names - 2 * inset) - 6;
  const most = Math.floor(Math.min(markSizes.most, room));
  if (most < markSizes.least) return refuse(stage, "Marks of the timeline would lie on one another: show less time or fewer marks.");
  putKinds(stage, timeline, { size: Math.min(most, 44) });
  const { body } = stage;
  const heightsOf = (size: number) => lanes.map(({ gaps }) => (wide ? 0 : labelHeight) + (gaps ? arcHeight : 10) + size + 26);
  const neededOf = (size: number) => heightsOf(size).reduce((sum, height) => sum + height, 0) + axisHeight;
  const size = largest(most, markSizes.least, (tried) => (neededOf(tried) <= body.height ? tried : undefined));
  if (!size) return refuse(stage, "The timeline is too high for the picture: take fewer lanes.");
  const [heights, needed] = [heightsOf(size), neededOf(size)];
  const gap = Math.min(wide ? 26 : 80, (body.height - needed) / (lanes.length + 1));
  const height = needed + gap * (lanes.length - 1) + 10;
  const top = body.y + Math.min(90, Math.max(0, (body.height - height) * 0.3));
  const left = body.x + names + inset;
  const toX = putTimeAxis(stage, { until, unit }, { x: left, y: top, width: body.width - names - 2 * inset, height });
  let y = top;
  lanes.forEach((lane, index) => {
    putLane(stage, lane, { names, toX, size }, y, kinds.length > 1);
    y += (heights[index] ?? 0) + gap;
  });
}

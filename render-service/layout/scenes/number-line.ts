import { type Interval, inequalityTex, intervalTex } from "@colloquy/schemas/explainers/inequality.ts";
import { jumpsOf, limitOf, type NumberLine, solutionTex, solvedOf } from "@colloquy/schemas/explainers/number-line.ts";
import type { Box, ColourRole, Move } from "@colloquy/schemas/explainers/placed.ts";
import { rounded } from "@colloquy/schemas/explainers/plane.ts";
import { fast } from "../../frames/moves.ts";
import { cueAt } from "../cues.ts";
import { calm, putHeading, quoted, refuse, type Stage } from "../stage.ts";
import { type Formula, NotSet, setFormula as setTex } from "../tex.ts";
import {
  type Axis,
  axisHeight,
  axisOf,
  beyondEnds,
  type Fact,
  type NamedNumber,
  part,
  putAxis,
  putDot,
  putStroke,
  type Zoom,
} from "./number-axis.ts";
import { putSequence, type SequenceFacts, sequenceFacts } from "./number-sequence.ts";
import { putGlyphs } from "./plane-view.ts";

/** Of lanes in their order. */
const colours: readonly ColourRole[] = ["accent", "warn", "good"];
const factSize = { wide: 46, tall: 44 };
const labelSize = 40;
const markRadius = 12;
const bandHeight = 12;
/** How long an interval takes to reach its other end, and a jump to land. */
const sweepTakes = { most: 2_800, least: 700 };
const jumpTakes = { most: 1_500, least: 500 };
const zoomTakes = 3_200;

/** A sign at the very beginning belongs to its number, without a space. */
const setFormula = (tex: string): Formula => setTex(tex.replace(/^[+-]/, "{$&}"));

interface Lane {
  height: number;
  colour: ColourRole;
  facts: Fact[];
  named: NamedNumber[];
  /** Draws it at a height. */
  put: (axis: Axis, y: number) => void;
}

/** When the next thing of the scene begins. */
function nextAfter(stage: Stage, { intervals, jumps, sequences, zoom }: NumberLine, time: number): number {
  const cues = [
    ...intervals.flatMap(({ cue, endsCue }) => [{ cue }, { cue: endsCue }]),
    ...(zoom ? [zoom] : []),
    ...sequences.flatMap(({ cue, limitCue }) => [{ cue }, { cue: limitCue }]),
  ];
  const times = [...cues.map(({ cue }) => cueAt(stage, cue)), ...jumps.flatMap((one) => one.cues.map((cue) => cueAt(stage, cue)))];
  return Math.min(stage.durationMs - 400, ...times.filter((one) => one > time));
}

const fact = (colour: ColourRole, tex: string, from: number): Fact => ({ colour, states: [{ formula: setFormula(tex), from }] });

/** An inequality: it says what is sought, and its intervals grow from their first end. */
function intervalLane(stage: Stage, line: NumberLine, index: number, colour: ColourRole): Lane | undefined {
  const { inequality, cue, endsCue } = line.intervals[index] ?? { inequality: "", cue: "", endsCue: "" };
  const solved = solvedOf(line, inequality);
  if (solved.kind === "unsolved") return refuse(stage, solved.problem);
  const { intervals, letter } = solved;
  const begins = cueAt(stage, cue);
  const each = (nextAfter(stage, line, begins) - begins) / intervals.length;
  const takes = Math.min(sweepTakes.most, each - 150);
  if (begins > 0 && takes < sweepTakes.least) return refuse(stage, `There is no time to see ${quoted(inequality)}: name it earlier.`);
  const from = (place: number): number => (begins === 0 ? 0 : Math.round(begins + place * (takes + 100)));
  const isOwn = solutionTex(inequality, solved).length > 0 || intervals.some((one) => intervalTex(one, letter) === "");
  const named = intervals.flatMap((one, place) => [
    ...(one.from ? [{ value: one.from.at, colour, from: from(place) + (one.from ? 0 : takes) }] : []),
    ...(one.to && one.to.at !== one.from?.at
      ? [{ value: one.to.at, colour, from: from(place) + (one.from && begins > 0 ? takes : 0) }]
      : []),
  ]);
  return {
    height: 110,
    colour,
    facts: isOwn ? [fact(colour, inequalityTex(inequality), begins)] : [],
    named,
    put: (axis, y) => {
      const labels: Box[] = [];
      intervals.forEach((one, place) => {
        putInterval(stage, axis, y, one, { colour, from: from(place), takes: begins === 0 ? 0 : takes });
        const tex = isOwn ? intervalTex(one, letter) : inequalityTex(inequality);
        if (tex)
          labels.push(
            putLabel(stage, tex, { x: middleOf(axis, one), y: y - 62 }, { colour, from: from(place) + (begins === 0 ? 0 : takes) }),
          );
      });
      checkLabels(stage, labels);
      if (endsCue !== "") putFocus(stage, axis, y, intervals, cueAt(stage, endsCue));
    },
  };
}

/** Rings about the ends of intervals. */
function putFocus(stage: Stage, { toX }: Axis, y: number, intervals: readonly Interval[], from: number): void {
  const ends = intervals.flatMap((one) => [one.from, one.to]).flatMap((end) => (end ? toX(end.at) : []));
  for (const x of new Set(ends)) {
    const r = 23;
    const d = `M${x} ${y - r}A${r} ${r} 0 1 1 ${x} ${y + r}A${r} ${r} 0 1 1 ${x} ${y - r}`;
    putStroke(
      stage,
      d,
      { x: x - r, y: y - r, width: 2 * r, height: 2 * r },
      { width: 3.5, colour: "warn", from, motion: "draw", takes: 1_200 },
    );
  }
}

const endX = ({ left, right, toX }: Axis, one: Interval, end: "from" | "to"): number => {
  const at = one[end];
  return at ? toX(at.at) : end === "from" ? left - beyondEnds : right + beyondEnds;
};
const middleOf = (axis: Axis, one: Interval): number => (endX(axis, one, "from") + endX(axis, one, "to")) / 2;

/** A band that grows from its first end with the other, which is round, or the head of an arrow where it goes on. */
function putInterval(
  stage: Stage,
  axis: Axis,
  y: number,
  one: Interval,
  { colour, from, takes }: { colour: ColourRole; from: number; takes: number },
): void {
  const isLeftwards = !one.from && one.to !== null;
  const [near, far] = isLeftwards ? [one.to, one.from] : [one.from, one.to];
  const [start, end] = isLeftwards ? [endX(axis, one, "to"), endX(axis, one, "from")] : [endX(axis, one, "from"), endX(axis, one, "to")];
  const first = takes > 0 ? 2 * Math.sign(end - start) : end - start;
  const moveBy = (to: Move["to"]): Pick<Move, "to">[] => (takes > 0 ? [{ to }] : []);
  const timed = (moves: Pick<Move, "to">[]) => (moves.length > 0 ? { moves: moves.map((move) => ({ from, takes, ...move })) } : {});
  const times = (end - start) / (first || 1);
  const box = { x: Math.min(start, end), y: y - bandHeight / 2, width: Math.abs(end - start), height: bandHeight };
  const band = `M${start} ${y - bandHeight / 2}h${first}v${bandHeight}h${-first}Z`;
  const growth = moveBy([times, 0, 0, 1, start - times * start, 0]);
  if (start !== end) putStroke(stage, band, box, { width: 0, colour, fill: colour, from, takes: fast, ...timed(growth) });
  const at = takes > 0 ? start : end;
  const shift = timed(moveBy([1, 0, 0, 1, end - start, 0]));
  if (far) putDot(stage, { x: at, y, r: markRadius, isFilled: far.closed }, { colour, from, ...shift });
  else {
    const side = Math.sign(end - start);
    const tip = { x: Math.min(start, end) - 20, y: y - 15, width: box.width + 40, height: 30 };
    putStroke(stage, `M${at + side * 18} ${y}l${-side * 26} -15v30Z`, tip, { width: 0, colour, fill: colour, from, takes: fast, ...shift });
  }
  if (near && near !== far) putDot(stage, { x: start, y, r: markRadius, isFilled: near.closed }, { colour, from });
}

/** A formula above the line, within the picture; answers where it is. */
function putLabel(
  stage: Stage,
  tex: string,
  { x, y }: { x: number; y: number },
  look: { colour: ColourRole; from: number; part?: string },
): Box {
  const { body } = stage;
  const size = labelSize;
  const formula = setFormula(tex);
  const half = ((formula.right - formula.left) * size) / 2;
  const middle = Math.max(body.x + half, Math.min(body.x + body.width - half, x));
  putGlyphs(stage, formula, size, { x: middle, y }, { part, ...look, motion: look.from === 0 ? "still" : "fade" });
  return stage.items.at(-1)?.box ?? { x, y, width: 0, height: 0 };
}

function checkLabels(stage: Stage, labels: readonly Box[]): void {
  const meets = (one: Box, other: Box): boolean =>
    one.x < other.x + other.width + 10 &&
    other.x < one.x + one.width + 10 &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height;
  if (labels.some((one, index) => labels.slice(index + 1).some((other) => meets(one, other))))
    refuse(stage, "Formulas above the line would lie on one another: show less of the line, or say less on it.");
}

/** A sum: each step an arc to the next number. */
function jumpLane(stage: Stage, line: NumberLine, { sum, cues }: NumberLine["jumps"][number], colour: ColourRole): Lane | undefined {
  const jumps = jumpsOf(sum);
  if (!jumps) return refuse(stage, `${quoted(sum)} is no sum of numbers.`);
  const [first] = jumps;
  if (!first || cues.length !== jumps.length + 1) return refuse(stage, `The sum ${quoted(sum)} needs a cue for each of its numbers.`);
  const values = [first.from, ...jumps.map(({ to }) => to)];
  if (values.some((value) => value < line.from || value > line.to)) return refuse(stage, `The sum ${quoted(sum)} leads beyond the line.`);
  const begins = cues.map((cue) => cueAt(stage, cue));
  const takes = jumps.map((_, index) => {
    const begin = begins[index + 1] ?? 0;
    return begin === 0 ? 0 : Math.min(jumpTakes.most, nextAfter(stage, line, begin) - begin - 100);
  });
  if (takes.some((one) => one > 0 && one < jumpTakes.least)) return refuse(stage, `There is no time to see all of ${quoted(sum)}.`);
  const landed = [begins[0] ?? 0, ...takes.map((one, index) => (begins[index + 1] ?? 0) + one)];
  const texts = values.map((value, count) => {
    const written = [rounded(first.from), ...jumps.slice(0, count).map(({ tex }) => tex)].join(" ");
    return count === 0 ? written : `${written} = ${rounded(value)}`;
  });
  const states = texts.map((tex, index) => ({
    formula: setFormula(tex),
    from: landed[index] ?? 0,
    ...(index < jumps.length && { until: landed[index + 1] ?? 0 }),
  }));
  return {
    height: 200,
    colour,
    facts: [{ colour, states }],
    named: values.map((value, index) => ({ value, colour, from: landed[index] ?? 0 })),
    put: ({ toX }, y) => {
      const labels: Box[] = [];
      jumps.forEach(({ tex, from, to }, index) => {
        const [start, end] = [toX(from), toX(to)];
        const isBack = end < start;
        // Ways back run above ways there, and so do their names.
        const high = Math.min(130, 60 + Math.abs(end - start) * 0.35) + (isBack ? 50 : 0);
        const quarter = (end - start) / 4;
        const [lifted, goal] = [y - markRadius - 3, y - markRadius - 5];
        const d = `M${start} ${lifted}C${start + quarter} ${lifted - high} ${end - quarter} ${goal - high} ${end} ${goal}`;
        const when = begins[index + 1] ?? 0;
        const box = { x: Math.min(start, end), y: y - high, width: Math.abs(end - start), height: high };
        const tip = { x: end, y: goal, angle: Math.atan2(high, quarter) };
        const drawn = takes[index] ?? 0;
        const own = `jump ${index}`;
        putStroke(stage, d, box, { width: 4, colour, from: when, tip, motion: drawn > 0 ? "draw" : "still", takes: drawn, part: own });
        const peak = y - markRadius - high * 0.75;
        const label = { x: (start + end) / 2, y: isBack ? peak - 30 : peak + 34 };
        labels.push(putLabel(stage, tex, label, { colour, from: when + drawn * 0.4, part: own }));
      });
      values.forEach((value, index) => {
        putDot(stage, { x: toX(value), y, r: 9, isFilled: true }, { colour, from: landed[index] ?? 0 });
      });
      checkLabels(stage, labels);
    },
  };
}

function sequenceLane(stage: Stage, line: NumberLine, index: number, colour: ColourRole): Lane | undefined {
  const facts: SequenceFacts | undefined = sequenceFacts(stage, line, index, (time) => nextAfter(stage, line, time), colour);
  return (
    facts && { height: 130, colour, facts: facts.facts, named: facts.named, put: (axis, y) => putSequence(stage, axis, y, facts, colour) }
  );
}

/** Where facts stand above the line: beside one another where there is room. */
function putFacts(stage: Stage, facts: readonly Fact[]): undefined {
  if (facts.length === 0) return;
  const { body, wide } = stage;
  const size = wide ? factSize.wide : factSize.tall;
  const gap = { x: 70, y: 22 };
  const sized = facts.map((one) => {
    const formulas = one.states.map(({ formula }) => formula);
    return {
      ...one,
      width: Math.max(...formulas.map(({ left, right }) => right - left)) * size,
      up: Math.max(...formulas.map(({ ascent }) => ascent)) * size,
      height: Math.max(...formulas.map(({ ascent, descent }) => ascent + descent)) * size,
    };
  });
  if (sized.some(({ width }) => width > body.width)) return refuse(stage, "A formula is too long for the picture.");
  const rows: (typeof sized)[] = [];
  for (const one of sized) {
    const row = rows.at(-1);
    const used = row?.reduce((sum, { width }) => sum + width + gap.x, 0) ?? 0;
    if (row && used + one.width <= body.width) row.push(one);
    else rows.push([one]);
  }
  let { y } = body;
  for (const row of rows) {
    const height = Math.max(...row.map((one) => one.height));
    let x = body.x + (body.width - row.reduce((sum, { width }) => sum + width, gap.x * (row.length - 1))) / 2;
    const up = Math.max(...row.map((one) => one.up));
    for (const { states, colour, width } of row) {
      for (const { formula, from, until } of states) {
        // All states of all formulas of a row stand on one baseline.
        const middle = { x: x + ((formula.right - formula.left) / 2) * size, y: y + up + ((formula.descent - formula.ascent) / 2) * size };
        const many = states.length > 1;
        putGlyphs(stage, formula, size, middle, {
          colour,
          from,
          motion: from === 0 || many ? "still" : "fade",
          part: "facts",
          rim: false,
          takes: many ? 0 : calm,
          ...(until !== undefined && { until }),
        });
      }
      x += width + gap.x;
    }
    y += height + gap.y;
  }
  stage.body = { ...body, y, height: body.y + body.height - y };
}

function zoomOf(stage: Stage, { zoom, sequences }: NumberLine): Zoom | undefined {
  if (!zoom) return undefined;
  const [only, ...others] = sequences;
  const middle = only && others.length === 0 ? limitOf(only) : null;
  if (middle === null) return refuse(stage, "Only near the limit of a single sequence the line can be seen from nearer.");
  const from = cueAt(stage, zoom.cue);
  const takes = Math.min(zoomTakes, stage.durationMs - from - 500);
  if (from === 0 || takes < 1_600) return refuse(stage, "The line comes nearer too late to be seen: name it earlier.");
  return { middle, radius: zoom.radius, from, takes };
}

/** A line of numbers with what lies on it: intervals, the steps of a sum, sequences and their limits. */
export function placeNumberLine(stage: Stage, line: NumberLine): undefined {
  putHeading(stage, line.heading);
  if (!(line.from < line.to)) return refuse(stage, "The line has to lead from a smaller number to a larger one.");
  const { intervals, jumps, sequences } = line;
  const count = intervals.length + jumps.length + sequences.length;
  if (count === 0 || count > colours.length) return refuse(stage, `A line shows one to ${colours.length} things, not ${count}.`);
  try {
    const colourOf = (index: number): ColourRole => colours[index] ?? "ink";
    const zoom = zoomOf(stage, line);
    const lanes = [
      ...intervals.map((_, index) => intervalLane(stage, line, index, colourOf(index))),
      ...jumps.map((one, index) => jumpLane(stage, line, one, colourOf(intervals.length + index))),
      ...sequences.map((_, index) => sequenceLane(stage, line, index, colourOf(intervals.length + jumps.length + index))),
    ].filter((lane) => lane !== undefined);
    if (lanes.length < count || stage.findings.length > 0) return;
    putFacts(
      stage,
      lanes.flatMap(({ facts }) => facts),
    );
    return putLanes(stage, line, lanes, zoom);
  } catch (error) {
    if (!(error instanceof NotSet)) throw error;
    return refuse(stage, `A formula of the line cannot be set: ${error.message}.`);
  }
}

/** One thing lies on the line itself; several above it, with their numbers led down to it. */
function putLanes(stage: Stage, line: NumberLine, lanes: readonly Lane[], zoom: Zoom | undefined): undefined {
  const { body } = stage;
  const apart = lanes.length > 1 ? 34 : 0;
  const needed = lanes.reduce((sum, { height }) => sum + height, apart + axisHeight);
  if (needed > body.height) return refuse(stage, "So much does not fit above the line: show less.");
  let y = body.y + (body.height - needed) * 0.42;
  const axis = axisOf(stage, line, y + needed - axisHeight, zoom);
  const places = lanes.map(({ height }) => {
    y += height;
    return y;
  });
  if (lanes.length > 1)
    lanes.forEach(({ named, colour }, index) => {
      const from = places[index] ?? 0;
      for (const { value, from: when } of named) {
        const x = axis.toX(value);
        putStroke(
          stage,
          `M${x} ${from}V${axis.y}`,
          { x, y: from, width: 1, height: axis.y - from },
          { width: 2, colour, from: when, dash: [3, 9] },
        );
      }
    });
  putAxis(
    stage,
    line,
    axis,
    lanes.flatMap(({ named }) => named),
  );
  lanes.forEach(({ put }, index) => {
    put(axis, places[index] ?? 0);
  });
}

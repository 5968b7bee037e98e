import {
  limitOf,
  limitTex,
  type NumberLine,
  sequenceName,
  sequenceTex,
  termsOf,
  valueTex,
} from "@colloquy/schemas/explainers/number-line.ts";
import type { Box, ColourRole, Move } from "@colloquy/schemas/explainers/placed.ts";
import { cueAt } from "../cues.ts";
import { quoted, refuse, type Stage } from "../stage.ts";
import { setFormula } from "../tex.ts";
import { type Axis, carried, type Fact, type NamedNumber, part, putDot, putStroke } from "./number-axis.ts";
import { putGlyphs } from "./plane-view.ts";

/** From one term to the next. */
const stepTakes = { most: 1_400, least: 240 };
const nameSize = 38;
/** From the line up to the names of terms. */
const nameAbove = 46;
const limitColour: ColourRole = "good";

export interface SequenceFacts {
  facts: Fact[];
  named: NamedNumber[];
  terms: readonly number[];
  /** When each term is reached. */
  times: readonly number[];
  name: string;
  limit: { value: number; from: number } | null;
}

/** When terms come, and what is said of them; undefined where they cannot be shown. */
export function sequenceFacts(
  stage: Stage,
  line: NumberLine,
  index: number,
  nextAfter: (time: number) => number,
  colour: ColourRole,
): SequenceFacts | undefined {
  const sequence = line.sequences[index];
  const terms = sequence && termsOf(sequence);
  if (!sequence || !terms) return refuse(stage, `The terms of ${quoted(sequence?.expression ?? "")} cannot be computed.`);
  if (terms.some((value) => value < line.from || value > line.to))
    return refuse(stage, `A term of ${quoted(sequence.expression)} lies beside the line.`);
  const value = limitOf(sequence);
  if (sequence.limit !== "" && value === null) return refuse(stage, `The limit ${quoted(sequence.limit)} cannot be read.`);
  if (value !== null && (value < line.from || value > line.to))
    return refuse(stage, `The limit ${quoted(sequence.limit)} lies beside the line.`);
  const begins = cueAt(stage, sequence.cue);
  const apart = Math.min(stepTakes.most, (nextAfter(begins) - begins - 100) / terms.length);
  if (begins > 0 && apart < stepTakes.least)
    return refuse(stage, `There is no time for ${terms.length} terms of ${quoted(sequence.expression)}: show fewer, or say more.`);
  const times = terms.map((_, count) => (begins === 0 ? 0 : Math.round(begins + count * apart)));
  const name = sequenceName(index);
  const limit = value === null ? null : { value, from: cueAt(stage, sequence.limitCue) };
  const counted = terms.map((term, count) => {
    const next = times[count + 1];
    const formula = setFormula(`${name}_{${count + 1}} ${valueTex(term)}`);
    return { formula, from: times[count] ?? 0, ...(next !== undefined && { until: next }) };
  });
  return {
    facts: [
      { colour, states: [{ formula: setFormula(sequenceTex(sequence, index)), from: begins }] },
      { colour, states: begins === 0 ? counted.slice(-1) : counted },
      ...(limit ? [{ colour: limitColour, states: [{ formula: setFormula(limitTex(sequence, index)), from: limit.from }] }] : []),
    ],
    named: limit ? [{ value: limit.value, from: limit.from, colour: limitColour }] : [],
    terms,
    times,
    name,
    limit,
  };
}

/** Terms on the line: a pointer goes from each to the next, and leaves a mark where it was. */
export function putSequence(stage: Stage, axis: Axis, y: number, facts: SequenceFacts, colour: ColourRole): void {
  const { terms, times, limit } = facts;
  const { toX, zoom } = axis;
  if (limit) {
    const x = toX(limit.value);
    const top = y - nameAbove - 46;
    const box = { x, y: top, width: 1, height: axis.y - top };
    putStroke(stage, `M${x} ${top}V${axis.y}`, box, {
      width: 4,
      colour: limitColour,
      dash: [4, 10],
      from: limit.from,
      motion: limit.from === 0 ? "still" : "draw",
      takes: limit.from === 0 ? 0 : 900,
      ...carried(axis, x),
    });
  }
  terms.forEach((term, index) => {
    const x = toX(term);
    putDot(stage, { x, y, r: 8, isFilled: true }, { colour, from: times[index] ?? 0, width: 2, ...carried(axis, x) });
  });
  putPointer(stage, terms.map(toX), times, { y, colour, ...(zoom && { until: zoom.from }) });
  putNames(stage, axis, y, facts, colour);
}

/** A ring that has arrived at each term when it comes. */
function putPointer(
  stage: Stage,
  xs: readonly number[],
  times: readonly number[],
  { y, colour, until }: { y: number; colour: ColourRole; until?: number },
): void {
  const [first = 0] = xs;
  const [begins = 0] = times;
  if (begins === 0) return;
  const moves = xs.slice(1).map((x, index): Move => {
    const [before, at] = [times[index] ?? 0, times[index + 1] ?? 0];
    const takes = (at - before) * 0.8;
    return { from: at - takes, takes, to: [1, 0, 0, 1, x - first, 0] };
  });
  putDot(stage, { x: first, y, r: 15, isFilled: false }, { colour, from: begins, moves, width: 4, ...(until !== undefined && { until }) });
  const ring = stage.items.at(-1);
  if (ring?.kind === "line") delete ring.fill;
}

/** Names of as many terms as have room; more of them where the line has come nearer. */
function putNames(stage: Stage, axis: Axis, y: number, { terms, times, name, limit }: SequenceFacts, colour: ColourRole): void {
  const { toX, zoom, clip } = axis;
  const [a, , , , e] = zoom?.move.to ?? [1, 0, 0, 1, 0, 0];
  const middle = y - nameAbove;
  const formulas = terms.map((_, index) => setFormula(`${name}_{${index + 1}}`));
  const halfOf = (index: number): number => {
    const { left, right } = formulas[index] ?? { left: 0, right: 0 };
    return ((right - left) * nameSize) / 2 + 7;
  };
  const taken: Box[] = [];
  const hasRoom = (x: number, half: number): boolean => taken.every((box) => x + half < box.x || x - half > box.x + box.width);
  const take = (x: number, half: number) => taken.push({ x: x - half, y: middle, width: 2 * half, height: 1 });
  const put = (index: number, x: number, look: object & { from: number }) => {
    const formula = formulas[index];
    if (formula)
      putGlyphs(stage, formula, nameSize, { x, y: middle }, { colour, motion: look.from === 0 ? "still" : "fade", part, ...look });
  };
  // No name lies on the line of the limit.
  if (limit) take(toX(limit.value), 3);
  const named: number[] = [];
  terms.forEach((term, index) => {
    const [x, half] = [toX(term), halfOf(index)];
    if (!hasRoom(x, half)) return;
    take(x, half);
    named.push(index);
    const isLeaving = zoom && !zoom.isSeen(term);
    put(index, x, { from: times[index] ?? 0, ...carried(axis, x), ...(isLeaving && { until: zoom.from + zoom.takes / 2 }) });
  });
  if (!zoom) return;
  taken.length = 0;
  if (limit) take(a * toX(limit.value) + e, 3);
  const seen = terms.map((term, index) => ({ index, x: a * toX(term) + e })).filter(({ index }) => zoom.isSeen(terms[index] ?? Number.NaN));
  for (const { index, x } of seen) if (named.includes(index)) take(x, halfOf(index));
  for (const { index, x } of seen) {
    const isInside = x - halfOf(index) > clip.x && x + halfOf(index) < clip.x + clip.width;
    if (named.includes(index) || !isInside || !hasRoom(x, halfOf(index))) continue;
    take(x, halfOf(index));
    put(index, x, { from: zoom.from + zoom.takes });
  }
}

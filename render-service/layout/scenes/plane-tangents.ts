import type { Letters } from "@colloquy/schemas/explainers/expression.ts";
import type { ColourRole } from "@colloquy/schemas/explainers/placed.ts";
import { curveOf, type Place, rounded } from "@colloquy/schemas/explainers/plane.ts";
import { cueAt } from "../cues.ts";
import { quoted, refuse, type Stage } from "../stage.ts";
import { breakOf } from "./plane-breaks.ts";
import { bothStates, type State, shownFrom, touchStates, untilOf } from "./plane-motion.ts";
import { discOf, isInside, type Plane, pathOf, putPath, type View } from "./plane-view.ts";

/** Of tangents, in their order. */
export const tangentColours: readonly ColourRole[] = ["warn", "ink"];

interface Touch {
  at: Place;
  slope: number;
}

/** Where tangents touch their curve, and how steep they are, as they travel and as the curve moves; findings where a curve has none. */
export function tangentStates(stage: Stage, view: View, { curves, tangents = [] }: Plane): State<Touch>[][] {
  return tangents.map((tangent) => {
    const curve = curves[tangent.curve];
    if (!curve) return none(stage, `There is no curve ${tangent.curve + 1} for a tangent to touch.`);
    const { expression, becomes } = curve;
    if (becomes) return none(stage, `A tangent cannot follow the curve ${quoted(expression)} to another: let a parameter move it.`);
    const ways = bothStates(view.letters, touchStates(stage, tangent));
    const states = ways.map(({ value, ...state }) => ({ ...state, value: touchOf(expression, value) }));
    for (const [index, { value }] of states.entries()) {
      const { at, slope } = value;
      const way = ways[index]?.value;
      const before = ways[index - 1]?.value;
      const corner = way && (isSmooth(expression, way) ? before && cornerBetween(expression, before, way) : at.x);
      if (!Number.isFinite(at.y) || !Number.isFinite(slope) || corner !== undefined)
        return none(stage, `The curve ${quoted(expression)} has no tangent where x is ${rounded(corner ?? at.x)}.`);
      if (!isInside(view, at, 8))
        return none(stage, `A tangent touches its curve outside of the plane, at (${rounded(at.x)}, ${rounded(at.y)}): show more units.`);
    }
    return states;
  });
}

function none(stage: Stage, finding: string): [] {
  refuse(stage, finding);
  return [];
}

/** What the letters stand for, and where a tangent touches. */
type Way = [letters: Letters, x: number];

/** A step of a slope or value that is no corner or jump, as a share of it where it is large. */
const isSlight = (step: number, size: number): boolean => Math.abs(step) < 1e-3 * Math.max(1, Math.abs(size));

/** Whether a curve is as steep on both sides of a place as at it. */
function isSmooth(expression: string, [letters, x]: Way): boolean {
  const away = 1e-6;
  const curve = curveOf(expression, letters);
  if (!curve) return false;
  const slope = curve.slope(x);
  return [-away, away].every((step) => isSlight((curve.value(x + step) - curve.value(x)) / step - slope, slope));
}

/** Where a tangent meets a corner, a jump or a pole between two frames of its way; undefined where it meets none. */
function cornerBetween(expression: string, [letters, x]: Way, [nextLetters, nextX]: Way): number | undefined {
  const wayAt = (share: number): Way => [
    Object.fromEntries(Object.entries(letters).map(([name, value]) => [name, value + ((nextLetters[name] ?? value) - value) * share])),
    x + (nextX - x) * share,
  ];
  const parts = [(share: number) => touchOf(expression, wayAt(share)).at.y, (share: number) => touchOf(expression, wayAt(share)).slope];
  const broken = parts
    .map((part) => breakOf(part, [0, 1], 1e-3 * Math.max(1, Math.abs(part(0)), Math.abs(part(1)))))
    .find((one) => one !== undefined);
  return broken && wayAt(broken.after[0] ?? 1)[1];
}

function touchOf(expression: string, [letters, x]: Way): Touch {
  const curve = curveOf(expression, letters);
  return { at: { x, y: curve?.value(x) ?? Number.NaN }, slope: curve?.slope(x) ?? Number.NaN };
}

/** A line that touches its curve, the point where it does, and a dashed line from there to the axis. */
export function putTangents(stage: Stage, view: View, { tangents = [] }: Plane, all: readonly State<Touch>[][]): void {
  const { at, box, unit } = view;
  tangents.forEach(({ cue }, index) => {
    const colour = tangentColours[index] ?? "ink";
    for (const { value, from, ...seen } of shownFrom(all[index] ?? [], cueAt(stage, cue), { motion: "draw", takes: 700 })) {
      const { x, y } = value.at;
      const far = (box.width + box.height) / unit / Math.hypot(1, value.slope);
      const shown = { motion: seen.motion, takes: seen.takes, ...untilOf(seen) };
      putPath(stage, view, pathOf([value.at, { x, y: 0 }].map(at)), from, { ...shown, width: 3, colour: "line-strong", dash: [4, 10] });
      const ends = [-far, far].map((away) => at({ x: x + away, y: y + away * value.slope }));
      putPath(stage, view, pathOf(ends), from, { ...shown, width: 4, colour });
      putPath(stage, view, discOf(at(value.at)), from, { ...shown, width: 3, colour: "paper", fill: colour });
    }
  });
}

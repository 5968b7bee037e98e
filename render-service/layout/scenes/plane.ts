import type { Box, ColourRole } from "@colloquy/schemas/explainers/placed.ts";
import { applied, lettersAt, movesWith, type Place, placeAt, planeFacts, rounded } from "@colloquy/schemas/explainers/plane.ts";
import { cueAt } from "../cues.ts";
import { calm, putHeading, refuse, type Stage } from "../stage.ts";
import { putCurve } from "./plane-curves.ts";
import { putFacts } from "./plane-facts.ts";
import { putGrid } from "./plane-grid.ts";
import { shownFrom, untilOf } from "./plane-motion.ts";
import { checkNames, drawTakes, nameStates, putName } from "./plane-names.ts";
import { putTangents, tangentStates } from "./plane-tangents.ts";
import { putTicks } from "./plane-ticks.ts";
import { colourOf, discOf, isInside, type Plane, pathOf, putPath, statesOfPlace, type View, viewOf } from "./plane-view.ts";

/** An arrow, carried by the maps, or moved with the parameter. */
function putArrow(stage: Stage, view: View, { name, to, cue }: Plane["vectors"][number], colour: ColourRole): void {
  const { origin, at, states, moves } = view;
  const comes = cueAt(stage, cue);
  let angle = 0;
  for (const { value, from, ...seen } of shownFrom(statesOfPlace(view, to), comes, { motion: "draw", takes: drawTakes })) {
    const tip = at(value);
    // On its way an arrow may be so short that it points nowhere.
    const isLong = Math.hypot(tip.x - origin.x, tip.y - origin.y) > 4;
    if (isLong) angle = Math.atan2(tip.y - origin.y, tip.x - origin.x);
    const shown = { ...untilOf(seen), ...(moves.length > 0 && { moves }) };
    if (isLong)
      putPath(stage, view, pathOf([origin, tip]), from, { width: 6, colour, tip: { ...tip, angle, tail: origin }, ...seen, ...shown });
    for (const [index, state] of states.entries()) {
      const image = applied(state, value);
      const where = index === 0 ? "" : " after the map";
      if (!isInside(view, image, 8))
        refuse(stage, `The vector ${name} leaves the plane${where}, at (${rounded(image.x)}, ${rounded(image.y)}): show more units.`);
    }
  }
}

type MovingPlace = Plane["points"][number]["at"];

/** A soft band beneath what attention is drawn to. */
function putFocus(stage: Stage, view: View, { vectors, focus }: Plane): void {
  const begins = focus.map(({ cue }) => cueAt(stage, cue));
  focus.forEach(({ on }, index) => {
    const vector = vectors.find(({ name }) => name === on);
    if (!vector) return;
    const from = Math.max(1, begins[index] ?? 0);
    const until = Math.min(...begins.filter((begin) => begin > from), stage.durationMs + 1);
    const states = shownFrom(statesOfPlace(view, vector.to), from, { motion: "fade", takes: calm }).filter((state) => state.from < until);
    for (const { value, ...seen } of states) {
      const ends = Math.min(until, seen.until ?? stage.durationMs + 1);
      putPath(stage, view, pathOf([view.origin, view.at(value)]), seen.from, {
        width: 22,
        colour: "accent-wash",
        moves: view.moves,
        ...seen,
        ...(ends <= stage.durationMs && { until: ends }),
      });
    }
  });
}

function checkNamesOf(stage: Stage, { vectors, maps, lines, focus, parameter }: Plane): void {
  const names = vectors.map(({ name }) => name);
  const all = [...names, ...maps.map(({ name }) => name)];
  if (new Set(names).size < names.length) refuse(stage, "Two vectors of the plane have the same name.");
  if (parameter && all.includes(parameter.name))
    refuse(stage, `The parameter ${parameter.name} has the name of a vector or map: rename one of them.`);
  for (const { along } of lines) if (!names.includes(along)) refuse(stage, `There is no vector ${along} for a line to lie along.`);
  for (const { on } of focus) if (!all.includes(on)) refuse(stage, `There is no ${on} to look at.`);
}

/** What an expression of the parameter may not be, and what cannot move at once. */
function checkMoving(stage: Stage, plane: Plane): void {
  const { vectors, points, curves, maps, parameter } = plane;
  const rests = parameter ? [parameter.from, parameter.to].map((value) => lettersAt(plane, value)) : [{}];
  for (const { name, to } of vectors)
    for (const { x, y } of rests.map((letters) => placeAt(to, letters))) {
      if (Number.isNaN(x + y)) refuse(stage, `The expressions of the vector ${name} cannot be read.`);
      if (x === 0 && y === 0) refuse(stage, `The vector ${name} has no length.`);
    }
  if (points.some(({ at }) => rests.some((letters) => !Number.isFinite(placeAt(at, letters).x + placeAt(at, letters).y))))
    refuse(stage, "The expressions of a point cannot be read.");
  if (!parameter) return;
  const { name } = parameter;
  if (maps.length > 0) refuse(stage, "Maps move the whole plane: leave the parameter to a scene of its own.");
  if (parameter.from === parameter.to) refuse(stage, `The parameter ${name} has one value only: it does not move.`);
  const moving = [...vectors.map(({ to }) => to), ...points.map(({ at }) => at)].filter(({ x, y }) => movesWith(plane, x, y));
  if (moving.length === 0 && !curves.some(({ expression }) => movesWith(plane, expression)))
    refuse(stage, `No expression of the plane has the parameter ${name}.`);
  if (curves.some(({ expression, becomes }) => becomes && movesWith(plane, expression, becomes.expression)))
    refuse(stage, `A curve moves with the parameter ${name} or becomes another, not both.`);
  if (curves.some(({ residuals }) => residuals !== "none") && points.some(({ at }) => movesWith(plane, at.x, at.y)))
    refuse(stage, "Points that move have no residuals: let the curve move.");
  const left = plane.polygons.flatMap(({ corners }) => corners).find((corner) => isLeft(plane, corner));
  if (left) refuse(stage, `The corner (${left.x}, ${left.y}) of an area stays while the tip that it depends on moves with ${name}.`);
}

/** Whether a corner of an area is the tip of something that moves, or a sum with one, and follows from nothing that stays. */
function isLeft(plane: Plane, corner: Place): boolean {
  const { vectors, points, parameter } = plane;
  const isMoving = (place: MovingPlace): boolean => movesWith(plane, place.x, place.y);
  const arrows = vectors.map(({ to }) => to);
  const ways = [parameter?.from, parameter?.to].map((value) => lettersAt(plane, value));
  const isSum = (parts: readonly MovingPlace[]): boolean =>
    ways.some((letters) => {
      const [x, y] = (["x", "y"] as const).map((axis) => parts.reduce((sum, part) => sum + placeAt(part, letters)[axis], 0));
      return x !== undefined && y !== undefined && Math.hypot(x - corner.x, y - corner.y) < 1e-9;
    });
  const sums = [
    [],
    ...[...arrows, ...points.map(({ at }) => at)].map((one) => [one]),
    ...arrows.flatMap((one, index) => arrows.slice(index + 1).map((other) => [one, other])),
  ];
  const found = sums.filter(isSum);
  return found.length > 0 && found.every((parts) => parts.some(isMoving));
}

/** A coordinate plane with a grid that maps move, and beside it what follows from it: matrices, images, areas. */
export function placePlane(stage: Stage, plane: Plane): undefined {
  putHeading(stage, plane.heading);
  checkNamesOf(stage, plane);
  checkMoving(stage, plane);
  if (stage.findings.length > 0) return;
  const { body, wide } = stage;
  const beside = wide ? { gap: 44, width: 400 } : { gap: 28, width: body.width };
  const facts = planeFacts(plane).length + plane.polygons.filter(({ measured }) => measured).length;
  const box: Box = wide
    ? { x: body.x, y: body.y, width: facts > 0 ? body.width - beside.width - beside.gap : body.width, height: body.height }
    : { x: body.x, y: body.y, width: body.width, height: Math.min(body.height - (facts > 0 ? 320 : 0), body.width * 1.05) };
  const view = viewOf(stage, plane, box);
  if (stage.findings.length > 0) return;

  putGrid(stage, view);
  const onGrid = stage.items.length;
  putFocus(stage, view, plane);
  for (const { corners, cue } of plane.polygons) {
    const from = cueAt(stage, cue);
    putPath(stage, view, pathOf(corners.map(view.at), true), from, {
      width: 4,
      colour: "warn",
      fill: "accent-wash",
      moves: view.moves,
      takes: 400,
    });
  }
  for (const { along, cue } of plane.lines) {
    const vector = plane.vectors.find(({ name }) => name === along);
    if (!vector) continue;
    for (const { value, ...seen } of shownFrom(statesOfPlace(view, vector.to), cueAt(stage, cue), { motion: "fade", takes: 500 })) {
      if (value.x === 0 && value.y === 0) continue;
      const far = (box.width + box.height) / view.unit / Math.hypot(value.x, value.y);
      const ends = [-far, far].map((share) => view.at({ x: value.x * share, y: value.y * share }));
      const colour = colourOf(stage, plane, along);
      putPath(stage, view, pathOf(ends), seen.from, { width: 3, colour, dash: [4, 10], ...seen });
    }
  }
  const points = plane.points.map(({ at }) => placeAt(at, lettersAt(plane)));
  for (const [index, curve] of plane.curves.entries()) putCurve(stage, view, curve, index, points);
  const touches = tangentStates(stage, view, plane);
  putTangents(stage, view, plane, touches);
  plane.points.forEach(({ at: place, cue }, index) => {
    const before = cueAt(stage, cue);
    const same = plane.points.slice(0, index).filter((other) => other.cue === cue).length;
    const from = before === 0 ? 0 : before + same * 160;
    for (const { value, ...seen } of shownFrom(statesOfPlace(view, place), from, { motion: "fade", takes: calm })) {
      putPath(stage, view, discOf(view.at(value)), seen.from, { width: 3, colour: "paper", fill: "ink", ...seen });
      if (!isInside(view, value, 0)) refuse(stage, `The point (${rounded(value.x)}, ${rounded(value.y)}) lies outside of the plane.`);
    }
  });
  const names = nameStates(stage, view, plane);
  for (const [index, vector] of plane.vectors.entries()) {
    const colour = colourOf(stage, plane, vector.name);
    putArrow(stage, view, vector, colour);
    putName(stage, view, vector, { names: names[index] ?? [], colour });
  }
  putTicks(stage, view, stage.items.slice(onGrid));
  checkNames(stage, view, plane.vectors);
  if (stage.findings.length > 0) return;
  putFacts(stage, view, plane, { box, beside, touches });
}

import type { Box, ColourRole } from "@colloquy/schemas/explainers/placed.ts";
import { applied, planeFacts, rounded, symbolTex } from "@colloquy/schemas/explainers/plane.ts";
import { beyondTip } from "../../frames/moves.ts";
import { cueAt } from "../cues.ts";
import { calm, putHeading, refuse, type Stage } from "../stage.ts";
import { setFormula } from "../tex.ts";
import { putCurve } from "./plane-curves.ts";
import { putFacts } from "./plane-facts.ts";
import { putGrid } from "./plane-grid.ts";
import { colours, type Plane, pathOf, putGlyphs, putPath, type View, viewOf } from "./plane-view.ts";

/** How long a vector is drawn. */
const drawTakes = 700;

/** From a shaft's end to the middle of its name. */
const nameAway = 30;

/** An arrow with its name at the tip; both are carried by the maps. */
function putVector(stage: Stage, view: View, { name, to, cue }: Plane["vectors"][number], colour: ColourRole): void {
  const { origin, at, states, moves } = view;
  const from = cueAt(stage, cue);
  const tip = at(to);
  const angle = Math.atan2(tip.y - origin.y, tip.x - origin.x);
  const isStill = from === 0;
  putPath(stage, view, pathOf([origin, tip]), from, {
    width: 6,
    colour,
    tip: { ...tip, angle },
    moves,
    motion: isStill ? "still" : "draw",
    takes: drawTakes,
  });
  const formula = setFormula(symbolTex(name));
  const size = 40;
  putGlyphs(stage, formula, size, beyondTip(origin, tip, nameAway), {
    colour,
    from: isStill ? 0 : from + drawTakes / 2,
    moves,
    beyond: { origin, tip, away: nameAway },
    motion: isStill ? "still" : "fade",
  });
  for (const [index, state] of states.entries()) {
    const image = applied(state, to);
    const end = at(image);
    const { box } = view;
    const isInside = end.x > box.x + 8 && end.x < box.x + box.width - 8 && end.y > box.y + 8 && end.y < box.y + box.height - 8;
    const where = index === 0 ? "" : " after the map";
    if (!isInside)
      refuse(stage, `The vector ${name} leaves the plane${where}, at (${rounded(image.x)}, ${rounded(image.y)}): show more units.`);
  }
}

/** Names that would lie on one another where the plane stands still. */
function checkNames(stage: Stage, { states, at }: View, vectors: Plane["vectors"]): void {
  for (const state of states)
    for (const [index, one] of vectors.entries())
      for (const other of vectors.slice(index + 1)) {
        const [here, there] = [at(applied(state, one.to)), at(applied(state, other.to))];
        if (Math.hypot(here.x - there.x, here.y - there.y) < 44)
          refuse(stage, `The names ${one.name} and ${other.name} would lie on one another.`);
      }
}

/** A soft band beneath what attention is drawn to. */
function putFocus(stage: Stage, view: View, { vectors, focus }: Plane): void {
  const begins = focus.map(({ cue }) => cueAt(stage, cue));
  focus.forEach(({ on }, index) => {
    const vector = vectors.find(({ name }) => name === on);
    if (!vector) return;
    const from = begins[index] ?? 0;
    const until = Math.min(...begins.filter((begin) => begin > from), stage.durationMs + 1);
    putPath(stage, view, pathOf([view.origin, view.at(vector.to)]), Math.max(1, from), {
      width: 22,
      colour: "accent-wash",
      moves: view.moves,
      takes: calm,
      ...(until <= stage.durationMs && { until }),
    });
  });
}

function checkNamesOf(stage: Stage, { vectors, maps, lines, focus }: Plane): void {
  const names = vectors.map(({ name }) => name);
  const all = [...names, ...maps.map(({ name }) => name)];
  if (new Set(names).size < names.length) refuse(stage, "Two vectors of the plane have the same name.");
  for (const { along } of lines) if (!names.includes(along)) refuse(stage, `There is no vector ${along} for a line to lie along.`);
  for (const { on } of focus) if (!all.includes(on)) refuse(stage, `There is no ${on} to look at.`);
  const zero = vectors.find(({ to }) => to.x === 0 && to.y === 0);
  if (zero) refuse(stage, `The vector ${zero.name} has no length.`);
}

/** A coordinate plane with a grid that maps move, and beside it what follows from it: matrices, images, areas. */
export function placePlane(stage: Stage, plane: Plane): undefined {
  putHeading(stage, plane.heading);
  checkNamesOf(stage, plane);
  const { body, wide } = stage;
  const beside = wide ? { gap: 44, width: 400 } : { gap: 28, width: body.width };
  const facts = planeFacts(plane).length + plane.polygons.filter(({ measured }) => measured).length;
  const box: Box = wide
    ? { x: body.x, y: body.y, width: facts > 0 ? body.width - beside.width - beside.gap : body.width, height: body.height }
    : { x: body.x, y: body.y, width: body.width, height: Math.min(body.height - (facts > 0 ? 320 : 0), body.width * 1.05) };
  const view = viewOf(stage, plane, box);
  if (stage.findings.length > 0) return;

  putGrid(stage, view);
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
    const far = (box.width + box.height) / view.unit / Math.hypot(vector.to.x, vector.to.y);
    const ends = [-far, far].map((share) => view.at({ x: vector.to.x * share, y: vector.to.y * share }));
    putPath(stage, view, pathOf(ends), cueAt(stage, cue), {
      width: 3,
      colour: colours[plane.vectors.indexOf(vector)] ?? "ink",
      dash: [4, 10],
      takes: 500,
    });
  }
  const points = plane.points.map(({ at }) => at);
  for (const [index, curve] of plane.curves.entries()) putCurve(stage, view, curve, index, points);
  plane.points.forEach(({ at: place, cue }, index) => {
    const { x, y } = view.at(place);
    const before = cueAt(stage, cue);
    const same = plane.points.slice(0, index).filter((other) => other.cue === cue).length;
    const from = before === 0 ? 0 : before + same * 160;
    const d = `M${x - 9} ${y}A9 9 0 1 0 ${x + 9} ${y}A9 9 0 1 0 ${x - 9} ${y}Z`;
    putPath(stage, view, d, from, { width: 3, colour: "paper", fill: "ink" });
    const isInside = x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height;
    if (!isInside) refuse(stage, `The point (${rounded(place.x)}, ${rounded(place.y)}) lies outside of the plane.`);
  });
  for (const [index, vector] of plane.vectors.entries()) putVector(stage, view, vector, colours[index] ?? "ink");
  checkNames(stage, view, plane.vectors);
  if (stage.findings.length > 0) return;
  putFacts(stage, view, plane, { box, beside });
}

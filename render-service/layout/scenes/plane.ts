import { bounds } from "@colloquy/schemas/bounds.ts";
import { readExpression } from "@colloquy/schemas/explainers/expression.ts";
import {
  applied,
  areaOf,
  between,
  determinant,
  identity,
  type Matrix,
  type Place,
  planeFacts,
  residualsOf,
  rounded,
  statesOf,
  symbolTex,
} from "@colloquy/schemas/explainers/plane.ts";
import type { SceneContent } from "@colloquy/schemas/explainers/storyboard.ts";
import { Path2D } from "@napi-rs/canvas";
import type { ColourRole } from "../colours.ts";
import { cueAt } from "../cues.ts";
import { beyondTip, shareAt } from "../moves.ts";
import type { Affine, Box, GlyphsItem, LineItem, Move } from "../placed.ts";
import { calm, putHeading, putLine, quoted, refuse, type Stage } from "../stage.ts";
import { type Formula, NotSet, setFormula } from "../tex.ts";
import { measure } from "../text.ts";

type Plane = SceneContent<"plane">;

const colours: readonly ColourRole[] = ["accent", "warn", "good", "ink"];
/** How long a map moves the plane, and how long a vector or a curve is drawn. */
const mapTakes = 3_200;
const drawTakes = 700;
const tickSize = 26;
const factSize = { most: 42, least: 30 };
const areaWords: Readonly<Record<string, string>> = { en: "area", de: "Fläche", ar: "المساحة" };
const squaresWords: Readonly<Record<string, string>> = { en: "sum of squares", de: "Summe der Quadrate", ar: "مجموع المربعات" };
/** How often a number that changes is written anew while the plane moves. */
const countsPerMove = 24;
const part = "plane";

interface View {
  box: Box;
  origin: Place;
  /** Pixels for each unit. */
  unit: number;
  at: (place: Place) => Place;
  /** The movements of what the maps carry. */
  moves: Move[];
  /** Before the first map, and after each. */
  states: Matrix[];
}

/** A map of the plane as a map of the picture, whose second axis points down. */
function affineOf({ a, b, c, d }: Matrix, { x, y }: Place): Affine {
  return [a, -c, -b, d, x - a * x + b * y, y + c * x - d * y];
}

function viewOf(stage: Stage, { centre, extent, maps }: Plane, box: Box): View {
  const unit = Math.min(box.width, box.height) / 2 / extent;
  const origin = { x: box.x + box.width / 2 - centre.x * unit, y: box.y + box.height / 2 + centre.y * unit };
  const states = statesOf(maps);
  const moves: Move[] = [];
  for (const [index, { name, cue }] of maps.entries()) {
    const before = moves.at(-1);
    const free = before ? before.from + before.takes : 0;
    const fitted = fitMove(stage, cue, mapTakes, free);
    if (!fitted) refuse(stage, `The map ${name} begins too late to be seen whole: name it earlier.`);
    else moves.push({ ...fitted, to: affineOf(states[index + 1] ?? identity, origin), about: origin });
  }
  return { box, origin, unit, at: ({ x, y }) => ({ x: origin.x + x * unit, y: origin.y - y * unit }), moves, states };
}

/** A faster movement cannot be followed. */
const movesLeast = 1_600;
const restMs = 500;
/** A cue behind this share of the narration leaves no time to see what moves. */
const latestShare = 0.75;

/** When a movement begins and how long it takes: at its cue, or a little earlier or faster where a voice leaves less time. */
function fitMove(stage: Stage, cue: string, takes: number, free: number): Pick<Move, "from" | "takes"> | undefined {
  const { durationMs, speech } = stage;
  const spoken = cueAt(stage, cue);
  if (spoken > speech.from + (speech.to - speech.from) * latestShare) return undefined;
  const fitted = Math.min(takes, Math.max(movesLeast, durationMs - restMs - spoken));
  const from = Math.max(free, Math.min(spoken, durationMs - restMs - fitted));
  const room = durationMs - restMs - from;
  return room < movesLeast ? undefined : { from, takes: Math.min(fitted, room) };
}

const round = (value: number): number => Math.round(value * 100) / 100;
const pathOf = (places: readonly Place[], closed = false): string =>
  `${places.map(({ x, y }, index) => `${index === 0 ? "M" : "L"}${round(x)} ${round(y)}`).join("")}${closed ? "Z" : ""}`;

type Look = Pick<LineItem, "width" | "colour"> & Partial<Pick<LineItem, "dash" | "fill" | "tip" | "motion" | "takes" | "until" | "moves">>;
function putPath(stage: Stage, { box }: View, d: string, from: number, look: Look): void {
  const motion = from === 0 ? "still" : "fade";
  stage.items.push({ kind: "line", d, box, clip: box, part, from, motion, takes: calm, ...look });
}

/** Lines of whole units, far enough that a map does not leave corners empty. */
function gridOf({ box, origin, unit, at }: View, times: number): string {
  const count = (from: number, to: number): number[] => {
    const [low, high] = [Math.floor(from / unit) * times, Math.ceil(to / unit) * times];
    return Array.from({ length: high - low + 1 }, (_, index) => low + index);
  };
  const across = count(box.x - origin.x, box.x + box.width - origin.x);
  const up = count(origin.y - box.y - box.height, origin.y - box.y);
  const [left = 0, right = 0, bottom = 0, top = 0] = [across[0], across.at(-1), up[0], up.at(-1)];
  return [
    ...across.map((x) => pathOf([at({ x, y: bottom }), at({ x, y: top })])),
    ...up.map((y) => pathOf([at({ x: left, y }), at({ x: right, y })])),
  ].join("");
}

function putGrid(stage: Stage, view: View): void {
  const { box, origin, moves } = view;
  putPath(stage, view, gridOf(view, 1), 0, { width: 1.5, colour: "line" });
  putPath(stage, view, `M${box.x} ${origin.y}H${box.x + box.width}M${origin.x} ${box.y}V${box.y + box.height}`, 0, {
    width: 2.5,
    colour: "line-strong",
  });
  putTicks(stage, view);
  if (moves.length === 0) return;
  const first = moves[0]?.from ?? 0;
  putPath(stage, view, gridOf(view, 3), Math.max(1, first - 500), { width: 1.8, colour: "accent", moves, takes: 400 });
}

function putTicks(stage: Stage, { box, unit, at }: View): void {
  const step = [1, 2, 5, 10].find((one) => one * unit >= 70) ?? 10;
  const style = { colour: "ink-faint", part, from: 0, motion: "still", direction: "ltr" } as const;
  const put = (value: number, place: Place, side: "below" | "left"): void => {
    const text = rounded(value).replace("-", "−");
    const { advance } = measure(text, "beside", tickSize);
    const x = side === "below" ? place.x - advance / 2 : place.x - advance - 10;
    const baseline = side === "below" ? place.y + 30 : place.y + tickSize * 0.35;
    const isInside = x > box.x + 4 && x + advance < box.x + box.width - 4 && baseline - 20 > box.y && baseline + 8 < box.y + box.height;
    if (isInside) putLine(stage, { text, face: "beside", size: tickSize, x, baseline }, style);
  };
  for (let value = -20 * step; value <= 20 * step; value += step) {
    if (value === 0) continue;
    put(value, at({ x: value, y: 0 }), "below");
    put(value, at({ x: 0, y: value }), "left");
  }
}

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

/** A formula about a middle. */
function putGlyphs(
  stage: Stage,
  formula: Formula,
  size: number,
  middle: Place,
  look: Pick<GlyphsItem, "colour" | "from" | "motion"> & Partial<Pick<GlyphsItem, "moves" | "beyond" | "until" | "part" | "rim">>,
): void {
  const x = middle.x - ((formula.left + formula.right) / 2) * size;
  const baseline = middle.y + ((formula.ascent - formula.descent) / 2) * size;
  const moved = new Path2D();
  moved.addPath(formula.path, { a: size, b: 0, c: 0, d: size, e: x, f: baseline });
  const [left, top, right, bottom] = moved.computeTightBounds();
  stage.items.push({
    kind: "glyphs",
    d: moved.toSVGString(),
    size: Math.max(size * formula.least, 24),
    part,
    rim: true,
    takes: calm,
    box: { x: left, y: top, width: right - left, height: bottom - top },
    ...look,
  });
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

type Curve = Plane["curves"][number];

/** When each residual comes: one after the other, in the time there is. */
function residualTimes(stage: Stage, { residualsCue }: Curve, count: number): number[] {
  const begin = cueAt(stage, residualsCue);
  const apart = Math.max(220, Math.min(1_500, (stage.durationMs - begin - 1_500) / Math.max(1, count)));
  return Array.from({ length: count }, (_, index) => (begin === 0 ? 0 : Math.round(begin + index * apart)));
}

interface CurveFrame {
  share: number;
  from: number;
}

/** The share of the way that a curve has moved at each of its frames, and when; undefined where there is no time for it. */
function curveFrames(stage: Stage, { becomes }: Curve): CurveFrame[] | undefined {
  if (!becomes) return [];
  const move = fitMove(stage, becomes.cue, curveTakes, 0);
  if (!move) return undefined;
  const count = Math.round((move.takes / 1_000) * bounds.explainer.pictures.perSecond);
  return Array.from({ length: count }, (_, index) => {
    const from = Math.round(move.from + ((index + 1) * move.takes) / count);
    return { share: shareAt(move, from + 1), from };
  });
}
const curveTakes = 4_000;

/** The squares or lines between points and a curve, as outlines; none for a point on the curve. */
function residualPaths(view: View, curve: (x: number) => number, { residuals }: Curve, points: readonly Place[]): string[] {
  return points.map((point) => {
    const foot = { x: point.x, y: curve(point.x) };
    const distance = point.y - foot.y;
    if (Math.abs(distance) < 1e-9) return "";
    if (residuals === "lines") return pathOf([point, foot].map(view.at));
    // To the side on which the curve is not.
    const side = distance > 0 ? -Math.abs(distance) : Math.abs(distance);
    return pathOf([point, foot, { x: foot.x + side, y: foot.y }, { x: point.x + side, y: point.y }].map(view.at), true);
  });
}

function curvePath({ box, origin, unit, at }: View, curve: (x: number) => number): string | undefined {
  const samples = Array.from({ length: 121 }, (_, index) => (box.x + (box.width * index) / 120 - origin.x) / unit);
  const places = samples.map((x) => ({ x, y: curve(x) })).filter(({ y }) => Number.isFinite(y) && Math.abs(y) < 1_000);
  return places.length < 12 ? undefined : pathOf(places.map(at));
}

function putCurve(stage: Stage, view: View, plotted: Curve, index: number, points: readonly Place[]): undefined {
  const { expression, cue, residuals, becomes } = plotted;
  const curve = readExpression(expression);
  const next = becomes ? readExpression(becomes.expression) : null;
  if (!curve || (becomes && !next))
    return refuse(stage, `The expression ${quoted(curve ? (becomes?.expression ?? "") : expression)} cannot be read.`);
  const path = curvePath(view, curve);
  if (!path || (next && !curvePath(view, next))) return refuse(stage, `The expression ${quoted(expression)} has too few values here.`);
  if (residuals !== "none" && [curve, next].some((of) => of && !points.every(({ x }) => Number.isFinite(of(x)))))
    return refuse(stage, `The expression ${quoted(expression)} has no value at one of the points.`);
  const from = cueAt(stage, cue);
  const frames = curveFrames(stage, plotted);
  if (!frames) return refuse(stage, "A curve moves too late to be seen whole: name it earlier.");
  const [first] = frames;
  const square: Pick<LineItem, "width" | "colour" | "fill"> = {
    width: 3,
    colour: "warn",
    ...(residuals === "squares" && { fill: "accent-wash" }),
  };
  const until = first && { until: first.from };
  if (residuals !== "none") {
    const times = residualTimes(stage, plotted, points.length);
    residualPaths(view, curve, plotted, points).forEach((d, place) => {
      const when = times[place] ?? 0;
      if (d) putPath(stage, view, d, when, { ...square, motion: when === 0 ? "still" : "fade", takes: until ? 0 : 900, ...until });
    });
  }
  const look = { width: 5, colour: curveColours[index] ?? "accent" } as const;
  putPath(stage, view, path, from, { ...look, motion: from === 0 ? "still" : "draw", takes: until && from === 0 ? 0 : 1_200, ...until });
  for (const [step, { share, from: begin }] of frames.entries()) {
    const moved = (x: number): number => curve(x) + ((next?.(x) ?? 0) - curve(x)) * share;
    const end = frames[step + 1]?.from;
    const brief = { motion: "still", takes: 0, ...(end !== undefined && { until: end }) } as const;
    const outlines = residuals === "none" ? "" : residualPaths(view, moved, plotted, points).join("");
    if (outlines) putPath(stage, view, outlines, begin, { ...square, ...brief });
    putPath(stage, view, curvePath(view, moved) ?? path, begin, { ...look, ...brief });
  }
}
const curveColours: readonly ColourRole[] = ["accent", "good"];

interface Row {
  formulas: { formula: Formula; from: number; until?: number }[];
  /** Words before a number that changes. */
  count?: { word: string; values: { text: string; from: number; until?: number }[] };
  colour: ColourRole;
  height: number;
  width: number;
  focusAt: { from: number; until?: number }[];
}

const rowGap = 26;
const inWords = 34;

/** What stands beside the plane. */
function rowsOf(stage: Stage, view: View, plane: Plane, size: number): Row[] {
  const { moves, states } = view;
  const ends = moves.map(({ from, takes }) => from + takes);
  const focused = plane.focus.map(({ on, cue }) => ({ on, from: cueAt(stage, cue) })).toSorted((one, other) => one.from - other.from);
  const focusOf = (name: string) =>
    focused.flatMap(({ on, from }, index) => {
      const until = focused[index + 1]?.from;
      return on === name ? [{ from, ...(until !== undefined && { until }) }] : [];
    });
  const isMeasured = plane.polygons.some(({ measured }) => measured);
  let curve = 0;
  const rows = planeFacts(plane).map((fact): Row => {
    const plotted = fact.kind === "curve" ? plane.curves[curve++] : undefined;
    const moved = plotted ? [curveFrames(stage, plotted)?.at(-1)?.from ?? 0] : ends;
    const formulas = fact.states.map((tex, index) => {
      const shown = cueAt(stage, fact.cue);
      const from = index === 0 ? (fact.kind === "determinant" ? shown + 600 : shown) : Math.max(shown, moved[index - 1] ?? 0);
      const until = fact.states.length > index + 1 ? Math.max(shown, moved[index] ?? 0) : undefined;
      return { formula: setFormula(tex), from, ...(until !== undefined && { until }) };
    });
    const colour = fact.kind === "vector" ? (colours[plane.vectors.findIndex(({ name }) => name === fact.name)] ?? "ink") : "ink";
    return {
      formulas,
      colour,
      height: Math.max(...formulas.map(({ formula }) => formula.ascent + formula.descent)) * size,
      width: Math.max(...formulas.map(({ formula }) => formula.right - formula.left)) * size,
      focusAt: fact.kind === "map" && isMeasured ? [] : focusOf(fact.name),
    };
  });
  const language = stage.language.split("-")[0] ?? "en";
  for (const { corners, measured, cue } of plane.polygons) {
    if (!measured) continue;
    const shown = cueAt(stage, cue);
    const base = areaOf(corners);
    const word = areaWords[language] ?? areaWords.en ?? "";
    rows.push(
      countRow(word, shown, base * Math.abs(determinant(states[0] ?? identity)), (add) => {
        moves.forEach((move, index) => {
          for (let count = 1; count <= countsPerMove; count++) {
            const at = move.from + (move.takes * count) / countsPerMove;
            const now = between(states[index] ?? identity, states[index + 1] ?? identity, shareAt(move, at));
            add(base * Math.abs(determinant(now)), at);
          }
        });
      }),
    );
  }
  const points = plane.points.map(({ at }) => at);
  for (const plotted of plane.curves) {
    const { expression, residuals, becomes } = plotted;
    if (residuals !== "squares") continue;
    const distances = residualsOf(expression, points) ?? [];
    const after = becomes ? (residualsOf(becomes.expression, points) ?? []) : distances;
    const times = residualTimes(stage, plotted, points.length);
    const word = squaresWords[language] ?? squaresWords.en ?? "";
    const isThere = times[0] === 0;
    const whole = distances.reduce((sum, distance) => sum + distance ** 2, 0);
    rows.push(
      countRow(word, times[0] ?? 0, isThere ? whole : (distances[0] ?? 0) ** 2, (add) => {
        let sum = 0;
        for (const [index, distance] of distances.entries()) {
          sum += distance ** 2;
          add(sum, times[index] ?? 0);
        }
        for (const { share, from } of curveFrames(stage, plotted) ?? [])
          add(
            distances.reduce((now, distance, index) => now + (distance + ((after[index] ?? 0) - distance) * share) ** 2, 0),
            from,
          );
      }),
    );
  }
  return rows;
}

/** A word and a number that changes. */
function countRow(word: string, shown: number, first: number, fill: (add: (value: number, at: number) => void) => void): Row {
  const values: { text: string; from: number; until?: number }[] = [{ text: rounded(first), from: shown }];
  fill((value, at) => {
    const text = rounded(value);
    const last = values.at(-1);
    if (!last || last.text === text || at <= shown) return;
    last.until = Math.round(at);
    values.push({ text, from: Math.round(at) });
  });
  const widest = Math.max(...values.map(({ text }) => measure(`${word} = ${text}`, "beside-strong", inWords).advance));
  return { formulas: [], count: { word, values }, colour: "ink", height: inWords * 1.1, width: widest, focusAt: [] };
}

function putRow(stage: Stage, row: Row, x: number, y: number, size: number): void {
  const middle = y + row.height / 2;
  for (const { formula, from, until } of row.formulas) {
    const centre = { x: x + ((formula.right - formula.left) / 2) * size, y: middle };
    putGlyphs(stage, formula, size, centre, {
      colour: row.colour,
      from,
      motion: from === 0 ? "still" : "fade",
      part: "facts",
      rim: false,
      ...(until !== undefined && { until }),
    });
  }
  const { word, values } = row.count ?? { word: "", values: [] };
  for (const [index, { text, from, until }] of values.entries()) {
    const line = { text: `${word} = ${text}`, face: "beside-strong", size: inWords, x, baseline: middle + inWords * 0.35 } as const;
    putLine(stage, line, {
      part: "facts",
      from,
      ...(until !== undefined && { until }),
      motion: index === 0 && from > 0 ? "fade" : "still",
    });
    const item = stage.items.at(-1);
    // Numbers of a count take each other's place at once.
    if (item && (index > 0 || until !== undefined)) item.takes = 0;
  }
  for (const { from, until } of row.focusAt) {
    const base = y + row.height + 4;
    stage.items.push({
      kind: "line",
      d: `M${x} ${base}H${x + row.width}`,
      width: 4,
      colour: row.colour,
      box: { x, y: base - 2, width: row.width, height: 4 },
      part: "facts",
      from,
      motion: from === 0 ? "still" : "draw",
      takes: 400,
      ...(until !== undefined && { until }),
    });
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

/** The largest size in which all rows fit beside the plane, or below it. */
function putFacts(
  stage: Stage,
  view: View,
  plane: Plane,
  { box, beside }: { box: Box; beside: { gap: number; width: number } },
): undefined {
  const { body, wide } = stage;
  const room: Box = wide
    ? { x: box.x + box.width + beside.gap, y: body.y, width: beside.width, height: body.height }
    : { x: body.x, y: box.y + box.height + beside.gap, width: body.width, height: body.y + body.height - box.y - box.height - beside.gap };
  try {
    for (let size = factSize.most; size >= factSize.least; size -= 2) {
      const rows = rowsOf(stage, view, plane, size);
      const height = rows.reduce((sum, row) => sum + row.height + rowGap, -rowGap);
      if (rows.some(({ width }) => width > room.width) || height > room.height) continue;
      let y = room.y + (wide ? Math.max(0, (room.height - height) * 0.3) : 0);
      const widest = Math.max(0, ...rows.map(({ width }) => width));
      const x = wide ? room.x : room.x + (room.width - widest) / 2;
      for (const row of rows) {
        putRow(stage, row, x, y, size);
        y += row.height + rowGap;
      }
      return;
    }
  } catch (error) {
    if (!(error instanceof NotSet)) throw error;
    return refuse(stage, `A formula beside the plane cannot be set: ${error.message}.`);
  }
  return refuse(stage, "What follows from the plane does not fit beside it: name fewer vectors.");
}

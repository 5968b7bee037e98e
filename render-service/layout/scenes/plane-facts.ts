import type { Box, ColourRole } from "@colloquy/schemas/explainers/placed.ts";
import { areaOf, between, determinant, identity, planeFacts, residualsOf, rounded } from "@colloquy/schemas/explainers/plane.ts";
import { shareAt } from "../../frames/moves.ts";
import { cueAt } from "../cues.ts";
import { minTextSize } from "../limits.ts";
import { putLine, refuse, type Stage } from "../stage.ts";
import { type Formula, NotSet, setFormula } from "../tex.ts";
import { measure } from "../text.ts";
import { curveFrames, residualTimes } from "./plane-curves.ts";
import { colours, type Plane, putGlyphs, type View } from "./plane-view.ts";

const factSize = { most: 42, least: 30 };
const areaWords: Readonly<Record<string, string>> = { en: "area", de: "Fläche", ar: "المساحة" };
const squaresWords: Readonly<Record<string, string>> = { en: "sum of squares", de: "Summe der Quadrate", ar: "مجموع المربعات" };
/** How often a number that changes is written anew while the plane moves. */
const countsPerMove = 24;

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
    const frames = plotted ? (curveFrames(stage, plotted) ?? []) : [];
    const moved = plotted ? [frames.at(-1)?.from ?? 0] : ends;
    // While a curve moves, neither of its equations is true.
    const leaves = frames[0]?.from;
    const formulas = fact.states.map((tex, index) => {
      const shown = cueAt(stage, fact.cue);
      const from = index === 0 ? (fact.kind === "determinant" ? shown + 600 : shown) : Math.max(shown, moved[index - 1] ?? 0);
      const until = fact.states.length > index + 1 ? Math.max(shown, leaves ?? moved[index] ?? 0) : undefined;
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
          const [before, after] = [states[index] ?? identity, states[index + 1] ?? identity];
          // A flip seen from the side has no area, but it changes none.
          const isFlip = determinant(before) * determinant(after) < 0;
          for (let count = isFlip ? countsPerMove : 1; count <= countsPerMove; count++) {
            const at = move.from + (move.takes * count) / countsPerMove;
            const now = between(before, after, shareAt(move, at));
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

function putRow(stage: Stage, row: Row, { x, y, size, part }: { x: number; y: number; size: number; part: string }): void {
  const middle = y + row.height / 2;
  for (const { formula, from, until } of row.formulas) {
    const centre = { x: x + ((formula.right - formula.left) / 2) * size, y: middle };
    putGlyphs(stage, formula, size, centre, {
      colour: row.colour,
      from,
      motion: from === 0 ? "still" : "fade",
      part,
      rim: false,
      ...(until !== undefined && { until }),
    });
  }
  const { word, values } = row.count ?? { word: "", values: [] };
  for (const [index, { text, from, until }] of values.entries()) {
    const line = { text: `${word} = ${text}`, face: "beside-strong", size: inWords, x, baseline: middle + inWords * 0.35 } as const;
    putLine(stage, line, {
      part,
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
      part,
      from,
      motion: from === 0 ? "still" : "draw",
      takes: 400,
      ...(until !== undefined && { until }),
    });
  }
}

/** The largest size in which all rows fit beside the plane, or below it. */
export function putFacts(
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
      const least = Math.min(1, ...rows.flatMap(({ formulas }) => formulas.map(({ formula }) => formula.least)));
      if (rows.some(({ width }) => width > room.width) || height > room.height || size * least < minTextSize) continue;
      let y = room.y + (wide ? Math.max(0, (room.height - height) * 0.3) : 0);
      const widest = Math.max(0, ...rows.map(({ width }) => width));
      const x = wide ? room.x : room.x + (room.width - widest) / 2;
      for (const [index, row] of rows.entries()) {
        putRow(stage, row, { x, y, size, part: `fact ${index}` });
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

import type { Affine, Box, ColourRole, Move } from "@colloquy/schemas/explainers/placed.ts";
import {
  areaOf,
  between,
  curveName,
  determinant,
  identity,
  lettersAt,
  placeAt,
  planeFacts,
  rounded,
} from "@colloquy/schemas/explainers/plane.ts";
import { fast, settled, settlesAt, shareAt } from "../../frames/moves.ts";
import { cueAt } from "../cues.ts";
import { minTextSize } from "../limits.ts";
import { putLine, refuse, type Stage } from "../stage.ts";
import { type Formula, NotSet, setFormula } from "../tex.ts";
import { measure } from "../text.ts";
import { matrixAt } from "../timing.ts";
import { curveStates, residualTimes } from "./plane-curves.ts";
import { type State, sharesOf } from "./plane-motion.ts";
import { tangentColours, type tangentStates } from "./plane-tangents.ts";
import { colourOf, discOf, type Plane, putGlyphs, type View } from "./plane-view.ts";

const factSize = { most: 42, least: 30 };
const areaWords: Readonly<Record<string, string>> = { en: "area", de: "Fläche", ar: "المساحة" };
const squaresWords: Readonly<Record<string, string>> = { en: "sum of squares", de: "Summe der Quadrate", ar: "مجموع المربعات" };
const slopeWords: Readonly<Record<string, string>> = { en: "slope", de: "Steigung", ar: "الميل" };
/** How often an area is written anew while a map moves it. */
const countsPerMove = 24;

interface Row {
  formulas: { formula: Formula; from: number; until?: number }[];
  /** Words with a number that changes. */
  counts: { text: string; from: number; until?: number }[];
  /** A track below the number, with a knob that moves along it. */
  slider?: Move | null;
  colour: ColourRole;
  height: number;
  width: number;
  focusAt: { from: number; until?: number }[];
}

const rowGap = 26;
const inWords = 34;
/** Of the slider: its track, and the room that it takes below its number. */
const slider = { length: 220, room: 40, knob: 12 };
const indices = ["₁", "₂"];
type Touches = ReturnType<typeof tangentStates>;

/** What stands beside the plane. */
function rowsOf(stage: Stage, view: View, plane: Plane, touches: Touches, size: number): Row[] {
  const { moves, states } = view;
  const ends = moves.map(settlesAt);
  const focused = plane.focus.map(({ on, cue }) => ({ on, from: cueAt(stage, cue) })).toSorted((one, other) => one.from - other.from);
  const focusOf = (name: string) =>
    focused.flatMap(({ on, from }, index) => {
      const until = focused[index + 1]?.from;
      return on === name ? [{ from, ...(until !== undefined && { until }) }] : [];
    });
  const isMeasured = plane.polygons.some(({ measured }) => measured);
  let curve = 0;
  const formulaFacts = planeFacts(plane).filter(({ kind }) => kind !== "parameter" && kind !== "slope");
  const rows = formulaFacts.map((fact): Row => {
    const plotted = fact.kind === "curve" ? plane.curves[curve++] : undefined;
    const shares = plotted?.becomes ? (sharesOf(stage, plotted.becomes.cue) ?? []) : [];
    const moved = plotted ? [shares.find(({ value }) => value >= settled)?.from ?? 0] : ends;
    // While a curve moves, neither of its equations is true.
    const leaves = shares[0]?.from;
    const formulas = fact.states.map((tex, index) => {
      const cued = cueAt(stage, fact.cue);
      const shown = fact.kind === "map" ? matrixAt(cued, fact.name, stage) : cued;
      const from = index === 0 ? (fact.kind === "determinant" ? shown + 600 : shown) : Math.max(shown, moved[index - 1] ?? 0);
      const until = fact.states.length > index + 1 ? Math.max(shown, leaves ?? moved[index] ?? 0) : undefined;
      return { formula: setFormula(tex), from, ...(until !== undefined && { until }) };
    });
    const colour = fact.kind === "vector" ? colourOf(stage, plane, fact.name) : "ink";
    return {
      formulas,
      counts: [],
      colour,
      height: Math.max(...formulas.map(({ formula }) => formula.ascent + formula.descent)) * size,
      width: Math.max(...formulas.map(({ formula }) => formula.right - formula.left)) * size,
      focusAt: fact.kind === "map" && isMeasured ? [] : focusOf(fact.name),
    };
  });
  const language = stage.language.split("-")[0] ?? "en";
  if (plane.parameter) rows.push(parameterRow(view, plane.parameter));
  const { tangents = [] } = plane;
  for (const [index, { curve: touched, cue }] of tangents.entries()) {
    const word = slopeWords[language] ?? slopeWords.en ?? "";
    const name = curveName(plane, touched).replace(/\d/, (digit) => indices[Number(digit) - 1] ?? digit);
    // Colours alone do not tell two slopes apart.
    const wordOf = ({ at }: Touches[number][number]["value"]): string => (tangents.length > 1 ? `${name}′(${written(at.x)})` : word);
    rows.push(stateRow(wordOf, cueAt(stage, cue), touches[index] ?? [], ({ slope }) => slope, tangentColours[index]));
  }
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
  const points = plane.points.map(({ at }) => placeAt(at, lettersAt(plane)));
  for (const plotted of plane.curves) {
    if (plotted.residuals !== "squares") continue;
    const states = curveStates(stage, view, plotted) ?? [];
    const [first, ...moved] = states;
    const whole = (of: (x: number) => number): number => points.reduce((sum, { x, y }) => sum + (y - of(x)) ** 2, 0);
    const times = residualTimes(stage, plotted, states, points.length);
    const word = squaresWords[language] ?? squaresWords.en ?? "";
    if (!first) continue;
    // Some of the squares are not their sum.
    rows.push(
      countRow(word, times.at(-1) ?? 0, whole(first.value), (add) => {
        for (const { value, from } of moved) add(whole(value), from);
      }),
    );
  }
  return rows;
}

/** A word and a number that changes with states, written anew at each of them. */
function stateRow<Value>(
  wordOf: (value: Value) => string,
  shown: number,
  states: readonly State<Value>[],
  numberOf: (value: Value) => number,
  colour: ColourRole = "ink",
): Row {
  const first = states.findLast(({ from }) => from <= shown) ?? states[0];
  if (!first) return { formulas: [], counts: [], colour, height: 0, width: 0, focusAt: [] };
  const row = countRow(wordOf(first.value), shown, numberOf(first.value), (add) => {
    for (const { value, from } of states) add(numberOf(value), from, wordOf(value));
  });
  return { ...row, colour };
}

/** The parameter's letter with its number, and a slider below it. */
function parameterRow({ letters }: View, { name, from, to }: NonNullable<Plane["parameter"]>): Row {
  const row = stateRow(
    () => name,
    0,
    letters,
    (value) => value[name] ?? Number.NaN,
  );
  const [first, last] = [letters[1], letters.at(-1)];
  const along = Math.sign(to - from) * slider.length;
  const move =
    first && last ? { from: first.from, takes: Math.max(1, last.from - first.from), to: [1, 0, 0, 1, along, 0] as Affine } : null;
  return { ...row, slider: move, height: row.height + slider.room, width: Math.max(row.width, slider.length + 2 * slider.knob) };
}

const written = (value: number): string => rounded(value).replace("-", "−");

/** A word and a number that changes, or both. */
function countRow(
  word: string,
  shown: number,
  first: number,
  fill: (add: (value: number, at: number, called?: string) => void) => void,
): Row {
  const counts: Row["counts"] = [{ text: `${word} = ${written(first)}`, from: shown }];
  fill((value, at, called = word) => {
    const text = `${called} = ${written(value)}`;
    const last = counts.at(-1);
    if (!last || last.text === text || at <= shown) return;
    last.until = Math.round(at);
    counts.push({ text, from: Math.round(at) });
  });
  const widest = Math.max(...counts.map(({ text }) => measure(text, "beside-strong", inWords).advance));
  return { formulas: [], counts, colour: "ink", height: inWords * 1.1, width: widest, focusAt: [] };
}

function putRow(stage: Stage, row: Row, { x, y, size, part }: { x: number; y: number; size: number; part: string }): void {
  const middle = y + row.height / 2;
  for (const [index, { formula, from, until }] of row.formulas.entries()) {
    const centre = { x: x + ((formula.right - formula.left) / 2) * size, y: middle };
    putGlyphs(stage, formula, size, centre, {
      colour: row.colour,
      from,
      motion: from === 0 ? "still" : "fade",
      part,
      rim: false,
      ...(index > 0 && { takes: fast }),
      ...(until !== undefined && { until }),
    });
  }
  const baseline = row.slider === undefined ? middle + inWords * 0.35 : y + inWords * 0.9;
  for (const [index, { text, from, until }] of row.counts.entries()) {
    const line = { text, face: "beside-strong", size: inWords, x, baseline } as const;
    putLine(stage, line, {
      colour: row.colour,
      part,
      from,
      ...(until !== undefined && { until }),
      motion: index === 0 && from > 0 ? "fade" : "still",
    });
    const item = stage.items.at(-1);
    // Numbers of a count take each other's place at once.
    if (item && (index > 0 || until !== undefined)) item.takes = 0;
  }
  if (row.slider) putSlider(stage, row.slider, { x: x + slider.knob, y: y + row.height - slider.knob, part });
  const base = y + row.height + 4;
  for (const focus of row.focusAt)
    for (const { formula, ...shown } of row.formulas) {
      const from = Math.max(focus.from, shown.from);
      const until = Math.min(focus.until ?? Number.POSITIVE_INFINITY, shown.until ?? Number.POSITIVE_INFINITY);
      if (until <= from) continue;
      const width = (formula.right - formula.left) * size;
      stage.items.push({
        kind: "line",
        d: `M${x} ${base}H${x + width}`,
        width: 4,
        colour: row.colour,
        box: { x, y: base - 2, width, height: 4 },
        part,
        from,
        motion: from === 0 || from > focus.from ? "still" : "draw",
        takes: 400,
        ...(Number.isFinite(until) && { until }),
      });
    }
}

/** A track, and a knob at the end of it where the number begins. */
function putSlider(stage: Stage, move: Move, { x, y, part }: { x: number; y: number; part: string }): void {
  const { length, knob } = slider;
  const start = move.to[4] < 0 ? x + length : x;
  const still = { kind: "line", part, from: 0, motion: "still", takes: 0 } as const;
  const box = { x: x - knob, y: y - knob, width: length + 2 * knob, height: 2 * knob };
  stage.items.push(
    { ...still, d: `M${x} ${y}H${x + length}`, width: 6, colour: "line-strong", box },
    { ...still, d: discOf({ x: start, y }, knob), width: 2, colour: "paper", fill: "accent", box, moves: [move] },
  );
}

/** The largest size in which all rows fit beside the plane, or below it. */
export function putFacts(
  stage: Stage,
  view: View,
  plane: Plane,
  { box, beside, touches }: { box: Box; beside: { gap: number; width: number }; touches: Touches },
): undefined {
  const { body, wide } = stage;
  const room: Box = wide
    ? { x: box.x + box.width + beside.gap, y: body.y, width: beside.width, height: body.height }
    : { x: body.x, y: box.y + box.height + beside.gap, width: body.width, height: body.y + body.height - box.y - box.height - beside.gap };
  try {
    for (let size = factSize.most; size >= factSize.least; size -= 2) {
      const rows = rowsOf(stage, view, plane, touches, size);
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
  return refuse(stage, "What follows from the plane does not fit beside it: show less of it.");
}

import type { Box, ColourRole, GlyphsItem } from "@colloquy/schemas/explainers/placed.ts";
import { applied, arrowNames, lettersAt, type Place, placeAt, symbolTex } from "@colloquy/schemas/explainers/plane.ts";
import { beyondTip, fast, settlesAt } from "../../frames/moves.ts";
import { cueAt } from "../cues.ts";
import { grown } from "../metrics.ts";
import { calm, refuse, type Stage } from "../stage.ts";
import { type Formula, setFormula } from "../tex.ts";
import { bothStates, inTurn, type State, shownFrom, untilOf } from "./plane-motion.ts";
import { meetsBox, meetsLine, type Plane, putGlyphs, statesOfPlace, type View } from "./plane-view.ts";

/** How long a vector is drawn. */
export const drawTakes = 700;

const nameSize = 40;
/** From a shaft's end to the middle of its name, at least. */
const nameAway = 30;
/** A name covers what is so close to it. */
const nameEdge = 5;

/** To which side of its arrow's direction a name is tried, in this order: first above or to the right, for the numbers of axes stand below and left. */
function turnsOf(origin: Place, tip: Place): number[] {
  const angle = Math.atan2(tip.y - origin.y, tip.x - origin.x);
  const down = (turn: number): number => Math.sin(angle + turn) - Math.cos(angle + turn);
  const sides = [Math.PI / 4, Math.PI / 2].flatMap((turn) => [turn, -turn].toSorted((one, other) => down(one) - down(other)));
  return [0, ...sides];
}

/** What is written at a tip, in TeX, and to which side of its arrow. */
interface Written<Name> {
  name: Name;
  turn: number;
}

const halfOf = ({ left, right, ascent, descent }: Formula) => ({
  width: ((right - left) / 2) * nameSize,
  height: ((ascent + descent) / 2) * nameSize,
});

/** Where a name is at rest, of an arrow that has come to `now`. */
function boxOf({ origin, tip, name, turn }: Written<string> & { origin: Place; tip: Place }, now = tip): Box {
  const half = halfOf(setFormula(name));
  const { x, y } = beyondTip({ origin, tip, away: nameAway, half, turn }, now);
  return { x: x - half.width, y: y - half.height, width: 2 * half.width, height: 2 * half.height };
}

const isWithin = (one: Box, { x, y, width, height }: Box): boolean =>
  one.x >= x && one.y >= y && one.x + one.width <= x + width && one.y + one.height <= y + height;

/** What stands at the tip of each arrow: its name, and what a map has made of it once it seems to be done, where that has room there. */
export function nameStates({ safe }: Stage, { box, origin, at, states, moves }: View, plane: Plane): State<Written<Formula>>[][] {
  const { vectors } = plane;
  const letters = lettersAt(plane);
  const axes = [
    [
      { x: box.x, y: origin.y },
      { x: box.x + box.width, y: origin.y },
    ] as const,
    [
      { x: origin.x, y: box.y },
      { x: origin.x, y: box.y + box.height },
    ] as const,
  ];
  const images = vectors.map((vector) => arrowNames(plane, vector));
  const points = plane.points.map((point) => at(placeAt(point.at, letters))).map((point) => [point, point] as const);
  const firsts = vectors.map(({ to }) => at(placeAt(to, letters)));
  // Beside an axis that its arrow lies along, where that is free: a line through it makes it hard to read.
  const short = vectors.map(({ name: symbol }, index): Written<string> => {
    const [name, tip] = [symbolTex(symbol), firsts[index] ?? origin];
    const others = firsts.filter((_, place) => place !== index);
    const fitting = turnsOf(origin, tip)
      .map((turn) => ({ name, turn, origin, tip }))
      .find((one) => {
        const own = boxOf(one);
        const room = grown(own, nameEdge);
        return (
          isWithin(own, box) &&
          ![...axes, ...others.map((other) => [origin, other] as const), ...points].some(([from, to]) => meetsLine(room, from, to))
        );
      });
    return { name, turn: fitting?.turn ?? 0 };
  });
  const rests = states.map((state, rest) => {
    const tips = vectors.map(({ to }) => at(applied(state, placeAt(to, letters))));
    const names = [...short];
    const boxes = names.map((name, index) => boxOf({ ...name, origin, tip: firsts[index] ?? origin }, tips[index]));
    for (const [index, tip] of tips.entries()) {
      const name = images[index]?.[rest] ?? "";
      if (name === names[index]?.name) continue;
      const lines = [...tips.map((other) => [origin, other] as const), ...points];
      const first = firsts[index] ?? origin;
      const isCrushed = Math.hypot(tip.x - origin.x, tip.y - origin.y) < 1;
      const tried = turnsOf(origin, isCrushed ? first : tip).map((turn) => ({ name, turn, origin, tip: first }));
      const fits =
        (among: typeof lines) =>
        (one: (typeof tried)[number]): boolean => {
          const own = boxOf(one, tip);
          const room = grown(own, nameEdge);
          const isOnName = boxes.some((other, place) => place !== index && meetsBox(room, other));
          const isFree = !isOnName && !among.some(([from, to]) => meetsLine(room, from, to));
          // It is placed at the first tip, and moved from there.
          return isFree && isWithin(own, box) && isWithin(boxOf(one), safe);
        };
      const fitting = tried.find(fits([...lines, ...axes])) ?? tried.find(fits(lines));
      if (!fitting) continue;
      names[index] = fitting;
      boxes[index] = boxOf(fitting, tip);
    }
    return names;
  });
  return vectors.map((_, index) => {
    const changes = rests
      .map((names, rest) => {
        const move = moves[rest - 1];
        return { name: names[index]?.name ?? "", turn: names[index]?.turn ?? 0, from: move ? settlesAt(move) : 0 };
      })
      .filter(({ name }, rest) => rest === 0 || name !== rests[rest - 1]?.[index]?.name);
    return inTurn(changes.map(({ name, turn, from }) => ({ value: { name: setFormula(name), turn }, from })));
  });
}

/** The name at an arrow's tip, carried by the maps and changed as each is done, or moved with the parameter. */
export function putName(
  stage: Stage,
  view: View,
  { to, cue }: Plane["vectors"][number],
  { names, colour }: { names: readonly State<Written<Formula>>[]; colour: ColourRole },
): void {
  const { origin, at, moves } = view;
  const isCarried = moves.length > 0;
  let angle = 0;
  const states = shownFrom(bothStates(statesOfPlace(view, to), names), cueAt(stage, cue), { motion: "draw", takes: drawTakes });
  for (const [index, { value, ...seen }] of states.entries()) {
    const [place, { name, turn }] = value;
    const tip = at(place);
    // On its way an arrow may be so short that it points nowhere.
    if (Math.hypot(tip.x - origin.x, tip.y - origin.y) > 4) angle = Math.atan2(tip.y - origin.y, tip.x - origin.x);
    const behind = { x: tip.x - Math.cos(angle), y: tip.y - Math.sin(angle) };
    const room = { away: nameAway, half: halfOf(name), turn };
    const look = { colour, beyond: { origin, tip, ...room }, ...untilOf(seen), ...(isCarried && { moves }) };
    putGlyphs(stage, name, nameSize, beyondTip({ origin: behind, tip, ...room }), { ...look, ...comingOf(seen, isCarried, index) });
  }
}

/** A name comes with its arrow; the next one fades in as it goes, so that there is always one. */
function comingOf(
  { from, motion }: Pick<GlyphsItem, "from" | "motion">,
  isCarried: boolean,
  index: number,
): Pick<GlyphsItem, "from" | "motion" | "takes"> {
  if (motion === "draw") return { from: from + drawTakes / 2, motion: "fade", takes: calm };
  if (!isCarried) return { from, motion: "still", takes: 0 };
  return index === 0 ? { from, motion: "still", takes: calm } : { from: from - fast, motion: "fade", takes: fast };
}

/** Names that would lie on one another where the plane stands still. */
export function checkNames(stage: Stage, view: View, vectors: Plane["vectors"]): void {
  const rests = [view.letters[0], view.letters.at(-1)].flatMap((state) => (state ? [state.value] : []));
  for (const state of view.states)
    for (const letters of rests)
      for (const [index, one] of vectors.entries())
        for (const other of vectors.slice(index + 1)) {
          const [here, there] = [one, other].map(({ to }) => view.at(applied(state, placeAt(to, letters))));
          if (here && there && Math.hypot(here.x - there.x, here.y - there.y) < 44)
            refuse(stage, `The names ${one.name} and ${other.name} would lie on one another.`);
        }
}

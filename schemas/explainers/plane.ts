import { type Expression, hasLetter, type Letters, readDerivative, readExpression, readNumber } from "./expression.ts";
import { expressionTex } from "./expression-tex.ts";
import type { SceneContent } from "./storyboard.ts";

type Plane = SceneContent<"plane">;
type MovingPlace = Plane["points"][number]["at"];
export interface Place {
  x: number;
  y: number;
}
/** Rows (a b) and (c d). */
export interface Matrix {
  a: number;
  b: number;
  c: number;
  d: number;
}

const near = (one: number, other: number): boolean => Math.abs(one - other) < 1e-9;

export const identity: Matrix = { a: 1, b: 0, c: 0, d: 1 };
export const applied = ({ a, b, c, d }: Matrix, { x, y }: Place): Place => ({ x: a * x + b * y, y: c * x + d * y });
export const product = (one: Matrix, other: Matrix): Matrix => ({
  a: one.a * other.a + one.b * other.c,
  b: one.a * other.b + one.b * other.d,
  c: one.c * other.a + one.d * other.c,
  d: one.c * other.b + one.d * other.d,
});
export const determinant = ({ a, b, c, d }: Matrix): number => a * d - b * c;
const isTurn = ({ a, b, c, d }: Matrix): boolean => near(a, d) && near(b, -c) && !near(determinant({ a, b, c, d }), 0);
/** The map that undoes one whose determinant is not zero. */
export function inverse({ a, b, c, d }: Matrix): Matrix {
  const det = determinant({ a, b, c, d });
  return { a: d / det, b: -b / det, c: -c / det, d: a / det };
}
/**
 * From one map to another, `share` of the way: along an arc where the second only turns and scales what the first has made, so that nothing
 * shrinks on its way that is as large in the end; otherwise every point moves along a straight line.
 */
export function between(one: Matrix, other: Matrix, share: number): Matrix {
  const along = (from: number, to: number): number => from + (to - from) * share;
  const step = near(determinant(one), 0) ? null : product(other, inverse(one));
  if (step && isTurn(step)) {
    const size = along(1, Math.hypot(step.a, step.c));
    const angle = Math.atan2(step.c, step.a) * share;
    const [cos, sin] = [Math.cos(angle) * size, Math.sin(angle) * size];
    return product({ a: cos, b: -sin, c: sin, d: cos }, one);
  }
  return { a: along(one.a, other.a), b: along(one.b, other.b), c: along(one.c, other.c), d: along(one.d, other.d) };
}

/** Where the plane is before the first map and after each of them. */
export function statesOf(maps: readonly Matrix[]): Matrix[] {
  const states = [identity];
  for (const map of maps) states.push(product(map, states.at(-1) ?? identity));
  return states;
}

/** The area of a polygon, whatever the direction of its corners. */
export function areaOf(corners: readonly Place[]): number {
  const twice = corners.reduce((sum, { x, y }, index) => {
    const next = corners[(index + 1) % corners.length] ?? { x, y };
    return sum + x * next.y - next.x * y;
  }, 0);
  return Math.abs(twice) / 2;
}

/** A number with at most two decimals. */
export const rounded = (value: number): string => String(Math.round(value * 100) / 100 + 0);
const bracketed = (value: number): string => (value < 0 ? `(${rounded(value)})` : rounded(value));
const entryTex = (entry: number | string): string => (typeof entry === "number" ? rounded(entry) : expressionTex(entry));
const pair = ({ x, y }: MovingPlace): string => `(${entryTex(x)},\\, ${entryTex(y)})`;
/** The name of a vector or map in TeX: `e1` has an index. */
export const symbolTex = (name: string): string => name.replace(/^([A-Za-z])(\d)$/, "$1_{$2}");

/** The eigenvalue of a vector under a map; null for one that leaves its line. */
export function eigenvalueOf(map: Matrix, vector: Place): number | null {
  const image = applied(map, vector);
  const isZero = near(vector.x, 0) && near(vector.y, 0);
  if (isZero || !near(vector.x * image.y, vector.y * image.x)) return null;
  return Math.abs(vector.x) > Math.abs(vector.y) ? image.x / vector.x : image.y / vector.y;
}

function multipleTex(factor: number, v: string): string {
  if (near(factor, 0)) return "0";
  return near(factor, 1) ? v : near(factor, -1) ? `-${v}` : `${rounded(factor)}\\,${v}`;
}

/** What a vector has become: a multiple of itself, or its coordinates. */
function imageTex(name: string, to: Place, map: Matrix, before: string): string {
  const v = symbolTex(name);
  const factor = eigenvalueOf(map, to);
  return `${before}${v} = ${factor === null ? pair(applied(map, to)) : multipleTex(factor, v)}`;
}

/** The names of the maps that have been done by each of them, as they stand before a vector. */
const namesBefore = (maps: Plane["maps"]): string[] =>
  maps.map((_, count) =>
    maps
      .slice(0, count + 1)
      .toReversed()
      .map(({ name }) => `${symbolTex(name)}\\,`)
      .join(""),
  );

/** What an arrow is called before the first map and after each of them, in TeX: an exact multiple of itself, or an image. Pure. */
export function arrowNames(plane: Plane, { name, to }: Plane["vectors"][number]): string[] {
  const v = symbolTex(name);
  const states = statesOf(plane.maps);
  const images = namesBefore(plane.maps).map((before, index) => {
    const factor = eigenvalueOf(states[index + 1] ?? identity, placeAt(to, lettersAt(plane)));
    const isExact = factor !== null && near(Number(rounded(factor)), factor);
    return isExact ? multipleTex(factor, v) : `${before}${v}`;
  });
  return [v, ...images];
}

/** The numbers of a plane's letters at a value of its parameter; at first without one. Pure. */
export const lettersAt = ({ parameter }: Plane, value = parameter?.from ?? 0): Letters => (parameter ? { [parameter.name]: value } : {});

/** Where a place is at a value of the parameter; no number where an expression cannot be read. Pure. */
export function placeAt({ x, y }: MovingPlace, letters: Letters): Place {
  const numberOf = (entry: number | string): number => (typeof entry === "number" ? entry : readNumber(entry, letters));
  return { x: numberOf(x), y: numberOf(y) };
}

/** Whether an entry or expression moves with the parameter. Pure. */
export const movesWith = ({ parameter }: Plane, ...entries: (number | string)[]): boolean =>
  parameter != null && entries.some((entry) => typeof entry === "string" && hasLetter(entry, parameter.name));

/** A curve with its derivative; null where it cannot be read. Pure. */
export function curveOf(expression: string, letters: Letters): { value: Expression; slope: Expression } | null {
  const [value, slope] = [readExpression(expression, "x", letters), readDerivative(expression, "x", letters)];
  return value && slope && { value, slope };
}

/**
 * A line beside the plane, in TeX: what it says before the first map and after each of them; of what moves otherwise, before and after that.
 */
export interface PlaneFact {
  kind: "map" | "determinant" | "vector" | "curve" | "parameter" | "slope";
  name: string;
  cue: string;
  states: string[];
}

const matrixTex = ({ a, b, c, d }: Matrix): string =>
  `\\begin{pmatrix} ${rounded(a)} & ${rounded(b)} \\\\ ${rounded(c)} & ${rounded(d)} \\end{pmatrix}`;

/** The lines beside a plane, all computed from what it shows. Pure. */
export function planeFacts(plane: Plane): PlaneFact[] {
  const { maps, vectors, polygons, curves } = plane;
  const states = statesOf(maps);
  const before = namesBefore(maps);
  const isMeasured = polygons.some(({ measured }) => measured);
  // A map that is done twice is written once.
  const once = new Map(maps.toReversed().map((map) => [`${map.name} ${matrixTex(map)}`, map] as const));
  return [
    ...[...once.values()].toReversed().flatMap((map): PlaneFact[] => {
      const name = symbolTex(map.name);
      const { a, b, c, d } = map;
      const det = `\\det ${name} = ${bracketed(a)}\\cdot ${bracketed(d)} - ${bracketed(b)}\\cdot ${bracketed(c)} = ${rounded(determinant(map))}`;
      return [
        { kind: "map", name: map.name, cue: map.cue, states: [`${name} = ${matrixTex(map)}`] },
        ...(isMeasured ? [{ kind: "determinant" as const, name: map.name, cue: map.cue, states: [det] }] : []),
      ];
    }),
    ...vectors.map(({ name, to, cue }): PlaneFact => {
      const first = placeAt(to, lettersAt(plane));
      const images = before.map((names, count) => imageTex(name, first, states[count + 1] ?? identity, names));
      return { kind: "vector", name, cue, states: [`${symbolTex(name)} = ${pair(to)}`, ...images] };
    }),
    ...curves.map(({ expression, cue, becomes }, index): PlaneFact => {
      const name = symbolTex(curveName(plane, index));
      const shown = [expression, ...(becomes ? [becomes.expression] : [])].map((one) => `${name} = ${expressionTex(one)}`);
      return { kind: "curve", name: "", cue, states: shown };
    }),
    ...movingFacts(plane),
  ];
}

/** What a curve is called: y, or y1 and y2 where tangents touch both. Pure. */
export const curveName = ({ tangents = [] }: Plane, index: number): string =>
  new Set(tangents.map(({ curve }) => curve)).size > 1 ? `y${index + 1}` : "y";

/** The parameter, and the slopes of tangents: before they move, and where they end. */
function movingFacts(plane: Plane): PlaneFact[] {
  const { curves, tangents = [], parameter } = plane;
  const values = parameter ? [parameter.from, parameter.to] : [0];
  return [
    ...(parameter
      ? [
          {
            kind: "parameter" as const,
            name: parameter.name,
            cue: "",
            states: values.map((value) => `${parameter.name} = ${rounded(value)}`),
          },
        ]
      : []),
    ...tangents.map(({ curve, at, cue, to }): PlaneFact => {
      const { expression = "" } = curves[curve] ?? {};
      const slopeAt = (x: number, value: number | undefined): string => {
        const slope = curveOf(expression, lettersAt(plane, value))?.slope(x) ?? Number.NaN;
        return `${symbolTex(curveName(plane, curve))}'(${rounded(x)}) = ${rounded(slope)}`;
      };
      const states = [slopeAt(at, values[0]), slopeAt(to?.at ?? at, values.at(-1))];
      return { kind: "slope", name: "", cue, states: [...new Set(states)] };
    }),
  ];
}

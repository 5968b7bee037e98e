import { hasLetter } from "@colloquy/schemas/explainers/expression.ts";
import { applied, curveOf, lettersAt, movesWith, type Place, placeAt } from "@colloquy/schemas/explainers/plane.ts";
import type { SceneOf } from "@colloquy/schemas/explainers/storyboard.ts";
import { functionOf } from "./algebra.ts";
import { isFitted } from "./fitted.ts";
import { formulasOf } from "./formula.ts";
import type { Found } from "./found.ts";
import { isSame, piecesOf } from "./plot.ts";
import { isWritten } from "./written.ts";

type Plane = SceneOf<"plane">["content"];

/** Entries that are only 0, 1 and −1 stand for their kind: a reflection, a quarter turn, a shear. */
const isPlain = (entries: readonly number[]): boolean => entries.every((entry) => [0, 1, -1].includes(entry));
const number = String.raw`(-?\d+(?:\.\d+)?)`;
const rows = String.raw`\\begin\{[pb]matrix\}\s*${number}\s*&\s*${number}\s*\\\\\s*${number}\s*&\s*${number}\s*\\end`;
/** As code writes them: `[[2, 1], [1, 2]]`. */
const nested = String.raw`\[\s*\[\s*${number}\s*,\s*${number}\s*\]\s*,\s*\[\s*${number}\s*,\s*${number}\s*\]\s*\]`;
const matrices = new RegExp(`${rows}|${nested}`, "g");
/** Also as code builds them: `array([3, 1])`. */
const pairs = new RegExp(
  String.raw`\(\[?\s*${number}\s*[,;|]\s*${number}\s*\]?\)|\\begin\{[pb]matrix\}\s*${number}\s*\\\\\s*${number}\s*\\end`,
  "g",
);
/** A name that something is equal to, and no factor of a product: `Av = (3, 3)` does not say what v is. */
const name = String.raw`(?<=(?:^|[$\x60(,;:=.&]|\\q?quad)\s*|(?<!\\)\b\p{L}{2,}\s+)([A-Za-z](?:_?\{?\d\}?)?)\s*:?=\s*`;
const namedVectors = new RegExp(
  String.raw`${name}(?:\(|\\begin\{[pb]matrix\})\s*${number}\s*(?:[,;|]|\\\\)\s*${number}\s*(?:\)|\\end)`,
  "gmu",
);
const namedMatrices = new RegExp(String.raw`${name}(?:(?:[\w.]+\()?\s*${nested}|${rows})`, "gmu");
/** Words and signs of passages that say where a map sends the axes: two pairs of numbers alone make no matrix. */
const columnsTold = /column|spalte|عمود|أعمدة|\bimages?\b|\bbild|صورة|e_?\{?1|\\(?:long)?(?:to|mapsto|rightarrow)(?![a-z])|[→↦]/iu;

/** Along an axis, or halfway between the axes. */
const isSimple = ({ x, y }: Place): boolean => x === 0 || y === 0 || Math.abs(x) === Math.abs(y);

const unsupported = (detail: string): Found => ({ problem: "unsupported", detail });
const shown = ({ x, y }: Place): string => `(${x}, ${y})`;
const near = (one: number, other: number): boolean => Math.abs(one - other) < 1e-9;
const same = (one: Place, other: Place): boolean => near(one.x, other.x) && near(one.y, other.y);

/** Texts without what only spaces formulas, and with one minus sign. */
const bareOf = (texts: readonly string[]): string =>
  texts
    .join("\n")
    .replace(/(?<!\\)\\[,;:! ]/g, " ")
    .replaceAll("−", "-");

/** The numbers that were found of those that an expression looks for. */
const numbersOf = (found: readonly (string | undefined)[]): number[] => found.flatMap((one) => (one === undefined ? [] : Number(one)));

const placesIn = (text: string): Place[] =>
  [...text.matchAll(pairs)].map((found) => numbersOf(found.slice(1))).map(([x = Number.NaN, y = Number.NaN]) => ({ x, y }));

/** What names stand for in a text, by their signs without an index's brackets. */
function byName(text: string, named: RegExp): ReadonlyMap<string, number[][]> {
  const found = [...text.matchAll(named)].map(([, one = "", ...numbers]) => ({
    of: one.replace(/[_{}]/g, ""),
    numbers: numbersOf(numbers),
  }));
  return new Map([...Map.groupBy(found, ({ of }) => of)].map(([of, all]) => [of, all.map(({ numbers }) => numbers)]));
}

/**
 * Matrices, vectors, points and curves stand in the passages, or follow from those that do: a vector as a multiple, a sum, a difference or
 * an image under a map of the scene, or along an axis; a curve as the line that fits the points best. What moves with a parameter does so all
 * along.
 */
export function planeFindings({ content }: SceneOf<"plane">, texts: readonly string[]): Found[] {
  const text = bareOf(texts);
  return [
    ...matrixFindings(content, text, texts),
    ...vectorFindings(content, text),
    ...pointFindings(content, text),
    ...polygonFindings(content, text),
    ...curveFindings(content, texts),
    ...parameterFindings(content, texts),
    ...tangentFindings(content, text),
  ];
}

/** The numbers of the letters where a parameter begins, on its way, and where it ends. */
function tried(plane: Plane): ReturnType<typeof lettersAt>[] {
  const { parameter } = plane;
  if (!parameter) return [{}];
  const { from, to } = parameter;
  return [0, 0.21, 0.5, 0.83, 1].map((share) => lettersAt(plane, from + (to - from) * share));
}

/** A matrix is the one that the passages name so; or else stands there whole, or as the columns of one. */
function matrixFindings({ maps }: Plane, text: string, texts: readonly string[]): Found[] {
  const written = [...text.matchAll(matrices)].map((found) => numbersOf(found.slice(1)).join());
  const given = byName(text, namedMatrices);
  const whole = text.replace(/\s+/g, "");
  const columns = texts.filter((one) => columnsTold.test(one)).map((one) => placesIn(bareOf([one])));
  return maps.flatMap(({ name, a, b, c, d }) => {
    const shownMatrix = `(${a} ${b}; ${c} ${d})`;
    const others = given.get(name)?.map((numbers) => numbers.join()) ?? [];
    if (others.includes([a, b, c, d].join())) return [];
    const missing = `The matrix ${name} ${shownMatrix} does not stand in the passages of the scene`;
    if (others.length > 0) return [unsupported(`${missing}, which have another of this name.`)];
    if (isPlain([a, b, c, d]) || written.includes([a, b, c, d].join()) || whole.includes(`(${a}${b};${c}${d})`)) return [];
    const areColumns = columns.some((places) => {
      const first = places.findIndex((at) => same(at, { x: a, y: c }));
      return first >= 0 && places.slice(first).some((at) => same(at, { x: b, y: d }));
    });
    return areColumns ? [] : [unsupported(`${missing}.`)];
  });
}

function vectorFindings(plane: Plane, text: string): Found[] {
  return tried(plane)
    .map((letters) =>
      fixedVectorFindings({ ...plane, vectors: plane.vectors.map((vector) => ({ ...vector, to: placeAt(vector.to, letters) })) }, text),
    )
    .reduce((first, found) => (first.length > 0 ? first : found));
}

function fixedVectorFindings({ maps, vectors }: { maps: Plane["maps"]; vectors: { name: string; to: Place }[] }, text: string): Found[] {
  const written = placesIn(text);
  const named = byName(text, namedVectors);
  const other = vectors.flatMap(({ name, to }): Found[] => {
    const given = named.get(name)?.map(([x = Number.NaN, y = Number.NaN]) => ({ x, y })) ?? [];
    if (given.length === 0 || given.some((at) => same(at, to))) return [];
    return [unsupported(`In the passages of the scene ${name} is ${given.map(shown).join(" or ")}, and not ${shown(to)}.`)];
  });
  if (other.length > 0) return other;
  const known = vectors.map(({ to }) => to).filter((to) => isSimple(to) || written.some((at) => same(at, to)));
  const follows = (to: Place): boolean =>
    known.some(
      (one) =>
        near(one.x * to.y, one.y * to.x) ||
        maps.some((map) => same(applied(map, one), to)) ||
        known.some(({ x, y }) => same({ x: one.x + x, y: one.y + y }, to) || same({ x: one.x - x, y: one.y - y }, to)),
    );
  return vectors
    .filter(({ to }) => !known.includes(to) && !follows(to))
    .map(({ name, to }) =>
      unsupported(
        `The vector ${name} ${shown(to)} neither stands in the passages of the scene nor follows from the vectors and maps that do.`,
      ),
    );
}

const numbersIn = (text: string): ReadonlySet<number> => new Set((text.match(/-?\d+(?:\.\d+)?/g) ?? []).map(Number));

/** A point that moves stays where the passages have points, or on a curve of the scene. */
function pointFindings(plane: Plane, text: string): Found[] {
  const written = placesIn(text);
  const numbers = numbersIn(text);
  const isKnown = (at: Place): boolean => written.some((one) => same(one, at)) || (numbers.has(at.x) && numbers.has(at.y)) || isSimple(at);
  return plane.points.flatMap(({ at }) => {
    const strange = tried(plane).find((letters) => {
      const place = placeAt(at, letters);
      const isOnCurve = plane.curves.some(({ expression }) => near(curveOf(expression, letters)?.value(place.x) ?? Number.NaN, place.y));
      return !isKnown(place) && !(movesWith(plane, at.x, at.y) && isOnCurve);
    });
    return strange ? [unsupported(`The point ${shown(placeAt(at, strange))} does not stand in the passages of the scene.`)] : [];
  });
}

/** Corners stand in the passages, or are those of the scene's arrows and points; a shape that a map is tried on may be any. */
function polygonFindings(plane: Plane, text: string): Found[] {
  const { maps, vectors, points, polygons } = plane;
  if (maps.length > 0) return [];
  const ends = vectors.map(({ to }) => placeAt(to, lettersAt(plane)));
  const known = [...placesIn(text), ...ends, ...points.map(({ at }) => placeAt(at, lettersAt(plane)))];
  const follows = (corner: Place): boolean =>
    isSimple(corner) ||
    [...known, ...ends.flatMap((one) => ends.map((other) => ({ x: one.x + other.x, y: one.y + other.y })))].some((one) =>
      same(one, corner),
    );
  return polygons
    .flatMap(({ corners }) => corners)
    .filter((corner) => !follows(corner))
    .map((corner) =>
      unsupported(
        `The corner ${shown(corner)} of an area neither stands in the passages of the scene nor follows from its arrows and points.`,
      ),
    );
}

function curveFindings(plane: Plane, texts: readonly string[]): Found[] {
  const { curves, points } = plane;
  const still = curves.find(({ expression }) => movesWith(plane, expression) && !hasLetter(expression, "x"));
  if (still) return [unsupported(`The curve ${still.expression} moves with the parameter, and has no x: write it as an expression of x.`)];
  // A line may be tried whose errors from points are shown.
  const all = curves.flatMap(({ expression, residuals, becomes }) => [
    ...(residuals === "none" || points.length === 0 ? [expression] : []),
    ...(becomes ? [becomes.expression] : []),
  ]);
  return all
    .filter(
      (one) =>
        !isWritten(one, texts) &&
        !isFamily(plane, one, texts) &&
        !isFitted(
          one,
          points.map(({ at }) => placeAt(at, lettersAt(plane))),
        ),
    )
    .map((one) => unsupported(`The curve ${one} neither stands in the passages of the scene nor is the line that fits its points best.`));
}

/** Whether the passages write a curve with its parameter, in their own way: `ax^2` for `a*x^2`. */
function isFamily(plane: Plane, expression: string, texts: readonly string[]): boolean {
  const { parameter, centre, extent } = plane;
  if (!parameter || !hasLetter(expression, parameter.name)) return false;
  const seen = { from: centre.x - extent, to: centre.x + extent };
  return piecesOf(texts).some((piece) => {
    const read = functionOf(piece);
    if (!read?.letters.has(parameter.name)) return false;
    const [letter = "x", ...more] = [...read.letters].filter((one) => one !== parameter.name && one !== "e");
    if (more.length > 0) return false;
    return tried(plane).every((letters) => {
      const own = curveOf(expression, letters)?.value;
      return own && isSame(own, (x) => read.value(new Map([...Object.entries(letters), ["e", Math.E], [letter, x]])), seen);
    });
  });
}

/** A parameter is a letter of the passages' formulas. */
function parameterFindings({ parameter }: Plane, texts: readonly string[]): Found[] {
  if (!parameter) return [];
  const alone = new RegExp(String.raw`(?<![\\A-Za-z])${parameter.name}(?![A-Za-z])|(?<![\\A-Za-z])${parameter.name}(?=[a-z](?![A-Za-z]))`);
  if (texts.flatMap(formulasOf).some((formula) => alone.test(formula))) return [];
  return [unsupported(`No formula in the passages of the scene has the letter ${parameter.name}.`)];
}

/** A tangent that stays stands where the passages have a number, at zero, or where the curve is level; one that travels may begin anywhere. */
function tangentFindings(plane: Plane, text: string): Found[] {
  const numbers = numbersIn(text);
  return (plane.tangents ?? []).flatMap(({ curve, at, to }) => {
    const slope = curveOf(plane.curves[curve]?.expression ?? "", lettersAt(plane))?.slope(at) ?? Number.NaN;
    if (to || at === 0 || numbers.has(at) || near(slope, 0)) return [];
    return [unsupported(`The passages of the scene say nothing of ${at}, where a tangent touches its curve.`)];
  });
}

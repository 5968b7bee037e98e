import { importNative } from "@colloquy/command-api/publication/import/native.ts";
import type { Question } from "@colloquy/schemas/courses/blocks.ts";
import { parseBlock } from "@colloquy/schemas/courses/parse.ts";
import { expect } from "chai";
import { demonstrationCourses } from "./courses.ts";

type Vector = number[];
/** Rows. */
type Matrix = Vector[];

const times = (a: Matrix, v: Vector): Vector => a.map((row) => row.reduce((sum, entry, at) => sum + entry * (v[at] ?? 0), 0));
const transposed = (a: Matrix): Matrix => (a[0] ?? []).map((_, at) => a.map((row) => row[at] ?? 0));
const product = (a: Matrix, b: Matrix): Matrix => transposed(transposed(b).map((column) => times(a, column)));
const isSame = (a: Vector, b: Vector) => a.length === b.length && a.every((entry, at) => Math.abs(entry - (b[at] ?? 0)) < 1e-9);
const isZero = (v: Vector) => v.every((entry) => entry === 0);
const entries = ([[a = 0, b = 0] = [], [c = 0, d = 0] = []]: Matrix) => ({ a, b, c, d });
const determinant = (m: Matrix) => {
  const { a, b, c, d } = entries(m);
  return a * d - b * c;
};
const onOneLine = (v: Vector, w: Vector) => determinant([v, w]) === 0;
/** Of a 2 by 2 matrix: null if they are not real. */
function eigenvalues(m: Matrix): Vector | null {
  const { a, d } = entries(m);
  const root = (a + d) ** 2 - 4 * determinant(m);
  return root < 0 ? null : [(a + d - Math.sqrt(root)) / 2, (a + d + Math.sqrt(root)) / 2];
}
function isDoubleEigenvalue(m: Matrix): boolean {
  const [first, second] = eigenvalues(m) ?? [];
  return first !== undefined && first === second;
}
function canBeDiagonalised(m: Matrix): boolean {
  const { a, b, c, d } = entries(m);
  return eigenvalues(m) !== null && (!isDoubleEigenvalue(m) || (b === 0 && c === 0 && a === d));
}
/** By elimination. */
function rank(m: Matrix): number {
  const pivot = m.find((row) => !isZero(row));
  if (!pivot) return 0;
  const at = pivot.findIndex((entry) => entry !== 0);
  const others = m.filter((row) => row !== pivot);
  return 1 + rank(others.map((row) => row.map((entry, index) => entry * (pivot[at] ?? 0) - (pivot[index] ?? 0) * (row[at] ?? 0))));
}

/** A linear combination. */
const combined = (by: Vector, ...of: Vector[]): Vector => times(transposed(of), by);
/** Of a vector in a basis of the plane, by Cramer's rule. */
const coordinates = (of: Vector, v: Vector, w: Vector): Vector =>
  [determinant([of, w]), determinant([v, of])].map((one) => one / determinant([v, w]));
const columnsOf = (m: Matrix): [Vector, Vector] => {
  const [v = [], w = []] = transposed(m);
  return [v, w];
};
const inverse = (m: Matrix): Matrix =>
  transposed(
    [
      [1, 0],
      [0, 1],
    ].map((e) => coordinates(e, ...columnsOf(m))),
  );

/** Of a 3 by 3 matrix. */
const determinant3 = ([row = [], ...others]: Matrix): number =>
  row.reduce((sum, entry, at) => sum + (-1) ** at * entry * determinant(others.map((other) => other.toSpliced(at, 1))), 0);
/** The matrix of a map of the plane in the basis of two vectors. */
const inBasis = (m: Matrix, v: Vector, w: Vector): Matrix => transposed([v, w].map((one) => coordinates(times(m, one), v, w)));
const scalar = (v: Vector, w: Vector): number => times([v], w)[0] ?? 0;
/** The multiple of the first vector that is closest to the second one. */
const projected = (onto: Vector, v: Vector): Vector => onto.map((entry) => (entry * scalar(onto, v)) / scalar(onto, onto));
/** The solution of the normal equations of a matrix with these two columns. */
const bestFor = (columns: Matrix, b: Vector): Vector => coordinates(times(columns, b), ...columnsOf(product(columns, transposed(columns))));

/** `1 2; 3 4`: rows. */
const matrix = (rows: string): Matrix => rows.split("; ").map((row) => row.split(" ").map(Number));

const numbers = (text: string): Vector => text.split(/[,&]/).map(Number);
/** The vectors `(1, 2)` in a text. */
const vectorsIn = (text: string): Vector[] => [...text.matchAll(/\((-?[\d.]+(?:, -?[\d.]+)+)\)/g)].map(([, found = ""]) => numbers(found));
const vectorOf = (text: string): Vector => vectorsIn(text)[0] ?? [];
/** The numbers before certain letters in a text such as `2v - w`. */
const factorsIn = (text: string, letters: string): Vector =>
  [...letters].map((letter) => {
    const [, sign = "", digits] = new RegExp(`(?:([-+]) ?)?([\\d.]*)${letter}`).exec(text) ?? ["", "", "0"];
    return Number(`${sign}${digits || 1}`);
  });
/** Whether an equation such as `t = 2u + w` holds. */
function isTrueOf(values: Record<string, number>, equation: string): boolean {
  const [left, right] = equation
    .split(" = ")
    .map((side) => combined(factorsIn(side, Object.keys(values).join("")), ...Object.values(values).map((one) => [one])));
  return isSame(left ?? [], right ?? []);
}
const matricesIn = (text: string): Matrix[] =>
  [...text.matchAll(/begin\{pmatrix\}(.*?)\\end/g)].map(([, found = ""]) => found.split("\\\\").map(numbers));

/** Whether a linear map can have measured values, each a vector and its image. Of three vectors the first two must be a basis. */
function isLinearOn([v = [], vImage = [], w = [], wImage = [], sum = [], image = []]: Vector[]): boolean {
  if (sum.length > 0) return isSame(combined(coordinates(sum, v, w), vImage, wImage), image);
  return (
    !onOneLine(v, w) ||
    rank([
      [...v, ...vImage],
      [...w, ...wImage],
    ]) === 1
  );
}

const quarterTurn = matrix("0 -1; 1 0");
const shear = matrix("1 1; 0 1");
const across = matrix("1 0; 0 -1");
const diagonal = matrix("0 1; 1 0");
/** The matrix of a product such as `RS`. */
const productOf = (letters: string, maps: Record<string, Matrix>): Matrix =>
  [...letters].map((letter) => maps[letter] ?? []).reduce((all, next) => product(all, next));

/** Which choices are right, computed from the vectors or matrices in them, or from their text. */
type ChoiceRule =
  | { vectors: (...v: Vector[]) => boolean }
  | { matrices: (...m: Matrix[]) => boolean }
  | { text: (said: string) => boolean };
const ofChoices: Record<string, ChoiceRule> = {
  "vec-q-comb-2": { vectors: (v = []) => onOneLine(v, [2, -1]) },
  "vec-q-comb-9": { vectors: (v = []) => isSame(v, [2 - 3, 4 - 1]) },
  "vec-q-comb-13": { text: (said) => said.includes("dependent") || isTrueOf({ u: 2, w: 1, t: 9 }, said) },
  "vec-q-basis-2": { vectors: (v = [], w = [], ...more) => more.length === 0 && w.length > 0 && !onOneLine(v, w) },
  "vec-q-basis-10": { vectors: (v = [], w) => !w && !isZero(v) },
  "lin-q-linear-10": { vectors: (...measured) => !isLinearOn(measured) },
  "lin-q-cols-12": { vectors: (v = [], w = []) => !onOneLine(v, w) },
  "lin-q-mv-13": { vectors: (v = [], image = []) => onOneLine(v, [1, 2]) && isSame(combined([v[0] ?? 0], [3, 8]), image) },
  "lin-q-cols-2": { matrices: (m = []) => isSame(times(m, [1, 0]), [0, -1]) && isSame(times(m, [0, 1]), [1, 0]) },
  "lin-q-cols-8": { vectors: (v = []) => isSame(v, times(matrix("1 3; 0 2"), [1, 0])) },
  "com-q-order-9": {
    vectors: (v = []) => !isSame(times(product(matrix("1 0; 0 2"), shear), v), times(product(shear, matrix("1 0; 0 2")), v)),
  },
  "com-q-inv-12": {
    text: (said) => {
      const [v = [], w = []] = vectorsIn(said);
      if (said.includes("columns")) return onOneLine(v, w);
      return said.includes("to the same") ? !isSame(v, w) : isZero(w) && w.length > 0 && !isZero(v);
    },
  },
  "ker-q-kernel-2": { vectors: (v = []) => isZero(times(matrix("1 -1 2; 0 1 1"), v)) },
  "ker-q-rank-3": { vectors: (v = []) => onOneLine(v, [1, 3]) },
  "ker-q-rank-6": { matrices: (m = []) => rank(m) === 2 },
  "ker-q-kernel-12": { vectors: (v = []) => onOneLine(v, [1, -2]) },
  "ker-q-rank-12": { vectors: (v = []) => rank([[1, 1, 2], [1, -1, 0], v]) === 2 },
  "det-q-inv-2": { matrices: (m = []) => determinant(m) === 0 },
  "det-q-area-13": { text: (said) => Math.abs(Number(said.replaceAll("$", ""))) === determinant(matrix("4 1; 1 3")) },
  "det-q-comp-14": { text: (said) => determinant(vectorsIn(said)) === Number(said.split(": ")[1]) },
  "cob-q-tr-8": { vectors: (v = []) => isSame(times(matrix("2 0; 0 3"), v), [6, 6]) },
  "cob-q-tr-12": { vectors: (v = [], to = []) => isSame(v, combined(to, [3, 2], [1, 1])) },
  "cob-q-sim-8": { vectors: (...rows) => !isSame(eigenvalues(rows) ?? [], [2, 3]) },
  "eig-q-def-2": { vectors: (v = []) => onOneLine(v, times(matrix("3 0; 1 2"), v)) },
  "eig-q-def-7": { vectors: (v = []) => onOneLine(v, times(matrix("2 1; 0 2"), v)) },
  "eig-q-char-3": { matrices: (m = []) => isSame(eigenvalues(m) ?? [], [1, 4]) },
  "eig-q-char-12": { vectors: (...rows) => eigenvalues(rows) === null },
  "eig-q-space-7": { vectors: (v = []) => onOneLine(v, [1, 2]) && !isZero(v) },
  "eig-q-space-11": { vectors: (v = []) => !isZero(v) && isZero(times(matrix("4 2; 2 1"), v)) },
  "dia-q-diag-3": { matrices: (p = [], d = []) => isSame(product(matrix("3 4; 2 1"), p).flat(), product(p, d).flat()) },
  "dia-q-diag-11": {
    vectors: (v = [], w = [], [first = 0, second = 0] = []) =>
      isSame(
        product(matrix("2 3; 0 5"), transposed([v, w])).flat(),
        product(transposed([v, w]), [
          [first, 0],
          [0, second],
        ]).flat(),
      ),
  },
  "dia-q-pow-15": { vectors: (v = []) => coordinates(v, [1, 1], [1, -1])[0] !== 0 },
  "dia-q-not-1": { vectors: (...rows) => !canBeDiagonalised(rows) },
  "dia-q-not-4": { matrices: (m = []) => canBeDiagonalised(m) },
  "dia-q-not-7": { vectors: (...rows) => isDoubleEigenvalue(rows) && canBeDiagonalised(rows) },
  "lsq-q-proj-1": { vectors: (v = []) => isSame(v, [2, 3, 0]) },
  "lsq-q-proj-5": { vectors: (v = []) => isZero(times(matrix("1 1 1; 0 1 2"), v)) },
  "lsq-q-norm-13": { vectors: (v = []) => isZero(times(matrix("1 1 1 1; 0 1 2 3"), v)) },
};

function holds(rule: ChoiceRule, choice: string): boolean {
  if ("vectors" in rule) return rule.vectors(...vectorsIn(choice));
  return "matrices" in rule ? rule.matrices(...matricesIn(choice)) : rule.text(choice);
}

/** Whether two sides of a pair belong together, computed from the vectors and numbers in them. */
const ofPairs: Record<string, (left: string, right: string) => boolean> = {
  "vec-q-add-11": (left, right) => {
    const corners: Record<string, Vector> = { A: [0, 0], B: [1, 0], C: [1, 1], D: [0, 1] };
    const [, from = "", to = ""] = /([A-D]) to ([A-D])/.exec(right) ?? [];
    return isSame(factorsIn(left, "pq"), combined([1, -1], corners[to] ?? [], corners[from] ?? []));
  },
  "vec-q-comb-12": (left, right) => {
    const set = vectorsIn(left);
    const [, sign = "", slope = ""] = /y = (-?)(\d*)x/.exec(right) ?? [];
    const lies = right.includes("vertical")
      ? ([x]: Vector) => x === 0
      : ([x = 0, y = 0]: Vector) => y === Number(`${sign}${slope || 1}`) * x;
    const size = right.includes("plane") ? 2 : right.includes("origin") ? 0 : 1;
    return rank(set) === size && (size !== 1 || set.every(lies));
  },
  "vec-q-basis-14": (left, right) => {
    const set = vectorsIn(left);
    const [spans, isFree] = [rank(set) === 2, rank(set) === set.length];
    const said = spans ? (isFree ? "It is a basis" : "It spans the plane but is dependent") : isFree ? "It is independent" : "It neither";
    return right.startsWith(said);
  },
  "lin-q-linear-13": (left, right) => {
    const maps: ((x: number, y: number) => Vector)[] = [
      (x, y) => [x, y + 3],
      (x, y) => [x * y, x],
      (x, y) => [3 * y, x],
      (x, y) => [x, y * y],
    ];
    const map = maps[["(x, y + 3)", "(xy, x)", "(3y, x)", "(x, y²)"].findIndex((said) => left.endsWith(said))];
    return map !== undefined && isSame(vectorOf(right), combined([1, -2], map(2, 4), map(1, 2)));
  },
  "lin-q-cols-11": (left, right) => {
    const images: Matrix = [
      [4, 1],
      [2, -3],
    ];
    return images[left.endsWith("left") ? 0 : 1]?.[left.startsWith("Upper") ? 0 : 1] === Number(right);
  },
  "lin-q-mv-11": (left, right) => {
    const across = right.includes("right") ? 1 : right.includes("left") ? -1 : 0;
    const up = right.includes("up") ? 1 : right.toLowerCase().includes("down") ? -1 : 0;
    return isSame(combined(vectorOf(left), [4, 4], [-4, 4]).map(Math.sign), [across, up]);
  },
  "lin-q-mv-6": (left, right) => isSame(vectorOf(right), times(matrix("1 3; 2 0"), vectorOf(left))),
  "com-q-order-6": (left, right) =>
    isSame(
      vectorOf(right),
      [...left].reduceRight((v, name) => times(matrix(name === "R" ? "0 -1; 1 0" : "1 1; 0 1"), v), [1, 1]),
    ),
  "com-q-compose-11": (left, right) =>
    isSame(transposed(productOf(left, { F: across, M: diagonal, U: matrix("1 0; 0 3") })).flat(), vectorsIn(right).flat()),
  "com-q-order-12": (left, right) => {
    const single: Record<string, Matrix> = {
      "Reflection in the line y = x": diagonal,
      "Reflection in the line y = -x": matrix("0 -1; -1 0"),
      "Half turn": matrix("-1 0; 0 -1"),
      "The map that changes nothing": matrix("1 0; 0 1"),
      "Reflection in the vertical axis": matrix("-1 0; 0 1"),
    };
    return isSame(productOf(left, { R: quarterTurn, F: across }).flat(), (single[right] ?? []).flat());
  },
  "com-q-inv-13": (left, right) => isSame(transposed(inverse(transposed(vectorsIn(left)))).flat(), vectorsIn(right).flat()),
  "ker-q-kernel-11": (left, right) => isZero(times(vectorsIn(left), vectorOf(right))),
  "ker-q-rank-11": (left, right) => {
    const [, goesTo = ""] = left.split(" goes to ");
    return rank(goesTo.split(",").map((entry) => factorsIn(entry, "abcd"))) === Number(right);
  },
  "ker-q-nullity-11": (left, right) => {
    const [, columns = 0, ofImage = 0] = (left.match(/\d+/g) ?? []).map(Number);
    return columns - ofImage === Number(right);
  },
  "cob-q-tr-5": (left, right) => isSame(vectorOf(right), times(matrix("1 0; 2 1"), vectorOf(left))),
  "det-q-comp-6": (left, right) => determinant(vectorsIn(left)) === Number(right),
  "eig-q-space-6": (left, right) => {
    const eigenvalue = Number(left.at(-1));
    return isSame(
      times(vectorsIn(left), vectorOf(right)),
      vectorOf(right).map((entry) => entry * eigenvalue),
    );
  },
  "det-q-area-10": (left, right) => {
    const factor = determinant(transposed(vectorsIn(left)));
    return right === `Area times ${Math.abs(factor)}${factor === 0 ? "" : factor < 0 ? ", flipped" : ", not flipped"}`;
  },
  "det-q-comp-13": (left, right) => determinant3(vectorsIn(left)) === Number(right),
  "det-q-inv-13": (left, right) => {
    const factor = 1 / determinant(vectorsIn(left));
    const effect = `Areas times ${Math.abs(factor)}, ${factor < 0 ? "with a flip" : "no flip"}`;
    return right === (Number.isFinite(factor) ? effect : "There is no inverse");
  },
  "cob-q-tr-13": (left, right) => isSame(vectorOf(right), combined([2, -1], ...vectorsIn(left))),
  "cob-q-sim-13": (left, right) => {
    const [v = [], w = []] = vectorsIn(left);
    return isSame(vectorsIn(right).flat(), inBasis(matrix("2 0; 0 1"), v, w).flat());
  },
  "eig-q-def-13": (left, right) => {
    const v = vectorOf(left);
    const image = times(matrix("3 1; 0 2"), v);
    if (isZero(v)) return right === "No eigenvector, although it becomes a multiple of itself";
    if (!onOneLine(v, image)) return right === `No eigenvector, for it becomes (${image.join(", ")})`;
    return right === `Eigenvector with eigenvalue ${scalar(v, image) / scalar(v, v)}`;
  },
  "eig-q-char-14": (left, right) => {
    const [first = 0, second = 0] = left.split(" and ").map(Number);
    const [low = 0, high = 0] = eigenvalues(matrix("6 2; 1 5")) ?? [];
    const passed = [...(first + second === low + high ? ["sum"] : []), ...(first * second === low * high ? ["product"] : [])];
    const [only] = passed;
    const single = only ? `Only the check of the ${only} is passed` : "Neither check is passed";
    return right === (passed.length === 2 ? "Both checks are passed" : single);
  },
  "eig-q-space-12": (left, right) => {
    const eigenvalue = Number(left.at(-1));
    const [a = 0, b = 0] = factorsIn(right, "xy");
    return isSame(times(vectorsIn(left), [b, -a]), [b * eigenvalue, -a * eigenvalue]);
  },
  "dia-q-pow-14": (left, right) => isSame(vectorOf(right), combined(coordinates(vectorOf(left), [2, 1], [1, -1]).slice(0, 1), [2, 1])),
  "dia-q-not-11": (left, right) => {
    const m = vectorsIn(left);
    const { b, c } = entries(m);
    const directions = b === 0 && c === 0 ? "every direction" : `only the ${c === 0 ? "horizontal" : "vertical"} direction`;
    const found = isDoubleEigenvalue(m) ? `One eigenvalue, and ${directions} stays` : "Two eigenvalues, one direction for each";
    return right === (eigenvalues(m) ? found : "No real eigenvalue, and no direction stays");
  },
  "lsq-q-proj-11": (left, right) => isSame(vectorOf(right), projected(vectorOf(left), [3, 4])),
  "lsq-q-norm-12": (left, right) => {
    const columns = matrix("1 2 5; 1 1 1");
    const [[upperLeft, upperRight] = [], [, lowerRight] = []] = product(columns, transposed(columns));
    const [first, second] = times(columns, [4, 0, 3]);
    const [place = ""] = left.split(", ").slice(1);
    const corners = { "upper left": upperLeft, "upper right": upperRight, "lower right": lowerRight };
    return Number(right) === { ...corners, "first entry": first, "second entry": second }[place];
  },
};

/** The number asked for, computed from the vectors and matrices in the text, or from the text. */
const ofNumbers: Record<string, (v: Vector[], m: Matrix[], text: string) => number | undefined> = {
  "vec-q-add-1": ([v = [], w = []]) => combined([2, 3], v, w)[1],
  "vec-q-comb-1": ([target = [], v = [], w = []]) => coordinates(target, v, w)[0],
  "vec-q-add-10": ([added = [], result = []]) => combined([-1 / 4, 1 / 4], result, added)[1],
  "vec-q-comb-11": (_, __, text) => {
    const [, v = 0, w = 0] = factorsIn(text.slice(text.indexOf("$")), "uvw");
    return -w / v;
  },
  "vec-q-basis-11": ([first = [], target = []]) => combined([-3 / 2, 1 / 2], first, target)[1],
  "lin-q-linear-9": ([v = [], vImage = [], w = [], wImage = [], sum = []]) => combined(coordinates(sum, v, w), vImage, wImage)[1],
  "lin-q-linear-12": () => {
    const maps: ((x: number, y: number) => Vector)[] = [
      () => [0, 0],
      (x, y) => [y - 4 * x, 0],
      (x, y) => [x + y, x - y + 2],
      (x, y) => [y, -x / 3],
      (x, y) => [x ** 3, y],
      (x, y) => [y, Math.abs(x + y)],
    ];
    return maps.filter(
      (map) => isSame(combined([-2], map(1, 3)), map(-2, -6)) && isSame(combined([1, 1], map(1, 3), map(2, -5)), map(3, -2)),
    ).length;
  },
  "lin-q-cols-10": ([v = [], vImage = [], w = [], wImage = []]) => combined(coordinates([1, 0], v, w), vImage, wImage)[0],
  "lin-q-mv-9": ([first = [], v = [], image = []]) => combined([1, -(v[0] ?? 0)], image, first).map((rest) => rest / (v[1] ?? 0))[0],
  "com-q-compose-9": ([first = [], second = [], image = []]) => coordinates(image, first, second)[1],
  "com-q-order-11": ([v = []]) =>
    combined([1, -1], times(product(matrix("3 0; 0 1"), diagonal), v), times(product(diagonal, matrix("3 0; 0 1")), v))[0],
  "com-q-inv-9": ([v = [], vImage = [], w = [], wImage = [], target = []]) => combined(coordinates(target, vImage, wImage), v, w)[0],
  "ker-q-kernel-9": ([, v = []], _, text) => {
    const [, known = ""] = /\(k, (.*?)\)/.exec(text) ?? [];
    return -(times([[0, ...numbers(known)]], v)[0] ?? 0) / (v[0] ?? 0);
  },
  "ker-q-rank-9": ([column = []]) => combined([2 / 3], column)[1],
  "ker-q-nullity-9": (_, __, text) => {
    const [rows = 0, columns = 0] = (text.match(/\d+(?= (?:rows|columns))/g) ?? []).map(Number);
    return rows - (columns - 4);
  },
  "ker-q-nullity-13": (_, __, text) => (Number(/\d+/.exec(text)?.[0]) - 3) / 2,
  "com-q-inv-7": (_, [m = []]) => inverse(m)[0]?.[1],
  "com-q-compose-3": (_, [a = [], b = []]) => product(a, b)[1]?.[0],
  "det-q-comp-1": determinant,
  "det-q-comp-10": (_, [m = []]) => (9 + entries(m).b * entries(m).c) / entries(m).d,
  "det-q-inv-10": (_, [m = []]) => (entries(m).a * entries(m).d) / entries(m).c,
  "cob-q-tr-11": ([[first = 0] = [], [sum = 0] = [], [a = 0, b = 0] = []]) => (sum - a * first) / b,
  "cob-q-sim-11": ([v = [], w = []]) => inBasis(matrix("0 -1; 1 0"), v, w)[0]?.[1],
  "eig-q-def-9": ([[first = 0] = []]) => first / 0.4,
  "eig-q-char-11": (_, [m = []]) => 3 + (entries(m).b * entries(m).c) / (entries(m).d - 3),
  "eig-q-space-10": (_, [m = []]) => (3 - entries(m).a) / entries(m).b,
  "dia-q-diag-10": ([v = [], w = [], ...d]) => determinant(product(product([v, w], d), inverse([v, w]))),
  "dia-q-pow-11": () => Array.from({ length: 200 }).reduce<Vector>((v) => times(matrix("0.8 0.1; 0.2 0.9"), v), [900, 0])[0],
  "dia-q-not-10": (_, [m = []]) => (entries(m).a * entries(m).d - ((entries(m).a + entries(m).d) / 2) ** 2) / entries(m).c,
  "lsq-q-proj-9": ([b = [], column = []]) => Math.hypot(...combined([1, -1], b, projected(column, b))),
  "lsq-q-proj-13": ([[a = 0, b = 0, c = 0] = []]) => (c - 3 * a) / b,
  "lsq-q-norm-10": (points) => scalar(...columnsOf(points)) / scalar(columnsOf(points)[0], columnsOf(points)[0]),
};

/** What belongs into the gaps, computed from the vectors and matrices in the text. */
const ofGaps: Record<string, (v: Vector[], m: Matrix[], text: string) => (number | string)[]> = {
  "vec-q-add-9": (legs) => combined([-1, -1, -1], ...legs),
  "vec-q-comb-10": ([v = [], w = [], target = []]) => coordinates(target, v, w),
  "lin-q-linear-11": ([u = [], sum = []]) => [...combined([1, -2], sum, u), ...combined([3, -1], u, sum)],
  "lin-q-cols-9": () =>
    transposed(
      [
        [1, 0],
        [0, 1],
      ].map(([x = 0, y = 0]) => [4 * y - x, 7 * x]),
    ).flat(),
  "lin-q-mv-10": ([upper = [], lower = [], v = []]) => times([upper, lower], v),
  "vec-q-basis-13": ([p = [], q = [], r = [], target = []]) => coordinates(combined([1, -2], target, r), p, q),
  "vec-q-comb-4": ([target = [], v = [], w = []]) => coordinates(target, v, w),
  "com-q-compose-10": ([small = [], large = [], soup = [], salad = []]) => [
    "KD",
    product(transposed([soup, salad]), transposed([small, large]))[1]?.[1] ?? 0,
  ],
  "com-q-order-10": (v) => {
    const maps = { L: matrix("1 0; 0 0"), N: matrix("1 2; 0 1") };
    return ["LN", "NL"].map((both) => times(productOf(both, maps), v.at(-1) ?? [])[0] ?? 0);
  },
  "com-q-inv-10": ([image = []]) => times(inverse(matrix("0 2; 1 -1")), image),
  "ker-q-kernel-10": () => coordinates([-2, 0], [0, 1], [2, -5]),
  "lin-q-mv-14": (_, __, text) => factorsIn(text.slice(text.indexOf("$7g")), "fg"),
  "ker-q-rank-10": ([v = [], w = []]) => [combined([4, 5], v, w)[2] ?? 0, 4, 5],
  "ker-q-nullity-10": ([one = [], other = []]) => combined([-1, 2], one, other).slice(1),
  "com-q-compose-1": (_, [a = [], b = []]) => product(a, b).flat(),
  "det-q-area-11": ([, v = [], w = [], ...m]) => [determinant([v, w]) / 2, Math.abs(determinant(m)) * (determinant([v, w]) / 2)],
  "det-q-comp-11": (rows) => [determinant3(rows), determinant3(rows) ** 2, determinant3(rows)],
  "cob-q-tr-10": ([a = [], b = [], v = [], w = [], hut = []]) => [combined(hut, a, b), coordinates(combined(hut, a, b), v, w)].flat(),
  "cob-q-sim-10": ([first = [], second = [], v = [], w = []]) => inBasis([first, second], v, w).flat(),
  "cob-q-sim-14": ([v = [], w = []]) =>
    transposed(product(product(transposed([v, w]), matrix("1 0; 0 0")), inverse(transposed([v, w])))).flat(),
  "eig-q-def-10": ([v = []]) => [-0.25, 1, ...times(matrix("-0.25 0; 0 1"), v)],
  "eig-q-char-10": () => [-2 + 6 - 1, (-2 + 6 - 1 - -2 * 6) / 3],
  "eig-q-space-9": ([[a = 0, b = 0] = []]) => [a + 3, b, -b / (a + 3)],
  "dia-q-diag-9": ([[a = 0, b = 0] = []]) => [3, 2].map((eigenvalue) => b / (eigenvalue - a)),
  "dia-q-diag-13": ([v = [], w = [], start = []]) => {
    const [first = 0, second = 0] = coordinates(start, v, w);
    return [first, second, 3 * first, 10 * second, ...combined([3 * first, 10 * second], v, w)];
  },
  "dia-q-pow-12": () => [3 ** 4, (-1) ** 4, 3 ** 4 + (-1) ** 4],
  "dia-q-not-9": (rows) => rows.flatMap((row, at) => (at % 2 ? [] : canBeDiagonalised([row, rows[at + 1] ?? []]) ? "yes" : "no")),
  "lsq-q-proj-12": ([v = [], w = [], b = []]) => {
    const best = bestFor([v, w], b);
    const error = combined([1, -1], b, combined(best, v, w));
    return [...best, scalar(error, error)];
  },
  "lsq-q-norm-11": (points) => {
    const [x, y] = columnsOf(points);
    const [slope = 0, constant = 0] = bestFor([x, x.map(() => 1)], y);
    return [slope, constant, 5 * slope + constant];
  },
};

/** The text asked for, computed from the vectors in the question. */
const ofTexts: Record<string, (v: Vector[]) => string | undefined> = {
  "ker-q-rank-13": (columns) => ["point", "line", "plane", "space"][rank(columns)],
};

/** By what the items of an order grow, computed from each of them. */
const ofOrders: Record<string, (item: string) => number | undefined> = {
  "vec-q-add-12": (item) => combined(factorsIn(item, "vw"), [2, -3], [-1, 4])[0],
  "ker-q-kernel-13": (item) => 3 - rank(vectorsIn(item)),
  "com-q-order-13": (item) => times(productOf(item.slice(1, -1), { R: quarterTurn, S: shear, W: matrix("3 0; 0 1") }), [2, 1])[0],
  "lin-q-mv-12": (item) => times(matrix("1 -2; 3 1"), vectorOf(item))[0],
  "lin-q-cols-13": (item) =>
    transposed([
      [7, 5],
      [9, 8],
    ])
      .flat()
      .indexOf(Number(item.slice(1, -1))),
  "vec-q-basis-12": (item) => coordinates(vectorOf(item), [1, 1], [0, 1])[1],
  "det-q-comp-12": (item) => determinant(vectorsIn(item)),
  "det-q-inv-12": (item) => {
    const [at0, at1] = ["0", "1"].map((t) => determinant(vectorsIn(item.replace("t", t))));
    return at0 === undefined || at1 === undefined ? undefined : at0 / (at0 - at1);
  },
  "cob-q-tr-9": (item) => coordinates([4, 2], vectorsIn(item)[0] ?? [], vectorsIn(item)[1] ?? [])[0],
  "eig-q-def-11": (item) => {
    const [v = [], image = []] = vectorsIn(item);
    return onOneLine(v, image) ? scalar(v, image) / scalar(v, v) : undefined;
  },
  "eig-q-char-13": (item) => eigenvalues(vectorsIn(item))?.[1],
  "eig-q-space-13": (item) => {
    const { a, b, c, d } = entries(vectorsIn(item));
    const rows = [
      [a - 1, b],
      [c, d - 1],
    ];
    const [x = 0, y = 0] = rows.find((row) => !isZero(row)) ?? [];
    return determinant(rows) === 0 ? -x / y : undefined;
  },
  "dia-q-pow-13": (item) => -Math.abs(Number(/-?[\d.]+/.exec(item)?.[0])),
  "lsq-q-norm-14": (item) => {
    const [slope = 0] = factorsIn(item, "x");
    const constant = Number(/([\d.]+)\$$/.exec(item)?.[1] ?? 0);
    const errors = [1, 1, 4].map((y, x) => y - slope * x - constant);
    return scalar(errors, errors);
  },
};

describe("keys of the demonstration questions", () => {
  const questions = new Map<string, Question>();
  before(async () => {
    for (const { courseId, folder } of demonstrationCourses)
      for (const { blocks } of (await importNative(folder, { courseId, previous: null })).course.topics)
        for (const block of blocks) {
          const parsed = parseBlock(block);
          if (parsed.ok && parsed.block.type === "core.question") questions.set(block.id, parsed.block.data);
        }
  });

  for (const [id, rule] of Object.entries(ofChoices))
    it(`are the choices that calculation finds: ${id}`, () => {
      const question = questions.get(id);
      if (question?.kind !== "single" && question?.kind !== "multiple") throw new Error(id);
      for (const { markdown, correct } of question.choices) expect(holds(rule, markdown), markdown).to.equal(correct);
    });

  for (const [id, belong] of Object.entries(ofPairs))
    it(`are the pairs that calculation finds: ${id}`, () => {
      const question = questions.get(id);
      if (question?.kind !== "match") throw new Error(id);
      const rights = [...question.pairs.map(({ right }) => right), ...question.extra];
      for (const pair of question.pairs)
        for (const right of rights) expect(belong(pair.left, right), `${pair.left} => ${right}`).to.equal(right === pair.right);
    });

  for (const [id, asked] of Object.entries(ofNumbers))
    it(`equal the number that calculation finds: ${id}`, () => {
      const question = questions.get(id);
      if (question?.kind !== "number") throw new Error(id);
      const { markdown, value, tolerance } = question;
      expect(asked(vectorsIn(markdown), matricesIn(markdown), markdown)).to.be.closeTo(value, tolerance + 1e-9);
    });

  for (const [id, asked] of Object.entries(ofGaps))
    it(`fill the gaps as calculation does: ${id}`, () => {
      const question = questions.get(id);
      if (question?.kind !== "gap") throw new Error(id);
      const { markdown, gaps } = question;
      expect(asked(vectorsIn(markdown), matricesIn(markdown), markdown).map(String)).to.deep.equal(gaps.map(([first]) => first));
    });

  for (const [id, asked] of Object.entries(ofTexts))
    it(`accept the text that calculation finds: ${id}`, () => {
      const question = questions.get(id);
      if (question?.kind !== "text") throw new Error(id);
      expect(asked(vectorsIn(question.markdown))).to.equal(question.accepted[0]);
    });

  for (const [id, sizeOf] of Object.entries(ofOrders))
    it(`stand in the order that calculation finds: ${id}`, () => {
      const question = questions.get(id);
      if (question?.kind !== "order") throw new Error(id);
      const sizes = question.items.map((item) => sizeOf(item) ?? Number.NaN);
      for (const [index, size] of sizes.entries())
        expect(size, question.items[index]).to.be.above(sizes[index - 1] ?? Number.NEGATIVE_INFINITY);
    });
});

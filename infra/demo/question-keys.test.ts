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
/** Of a matrix with two columns. */
const rank = (m: Matrix): number => (m.some((v) => m.some((w) => !onOneLine(v, w))) ? 2 : m.every(isZero) ? 0 : 1);

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

/** `1 2; 3 4`: rows. */
const matrix = (rows: string): Matrix => rows.split("; ").map((row) => row.split(" ").map(Number));

const numbers = (text: string): Vector => text.split(/[,&]/).map(Number);
/** The vectors `(1, 2)` in a text. */
const vectorsIn = (text: string): Vector[] => [...text.matchAll(/\((-?[\d.]+(?:, -?[\d.]+)+)\)/g)].map(([, found = ""]) => numbers(found));
const vectorOf = (text: string): Vector => vectorsIn(text)[0] ?? [];
const matricesIn = (text: string): Matrix[] =>
  [...text.matchAll(/begin\{pmatrix\}(.*?)\\end/g)].map(([, found = ""]) => found.split("\\\\").map(numbers));

/** Which choices are right, computed from the vectors or matrices in them. */
const ofChoices: Record<string, { vectors: (...v: Vector[]) => boolean } | { matrices: (...m: Matrix[]) => boolean }> = {
  "vec-q-comb-2": { vectors: (v = []) => onOneLine(v, [2, -1]) },
  "vec-q-comb-9": { vectors: (v = []) => isSame(v, [2 - 3, 4 - 1]) },
  "vec-q-basis-2": { vectors: (v = [], w = [], ...more) => more.length === 0 && w.length > 0 && !onOneLine(v, w) },
  "lin-q-cols-2": { matrices: (m = []) => isSame(times(m, [1, 0]), [0, -1]) && isSame(times(m, [0, 1]), [1, 0]) },
  "lin-q-cols-8": { vectors: (v = []) => isSame(v, times(matrix("1 3; 0 2"), [1, 0])) },
  "ker-q-kernel-2": { vectors: (v = []) => isZero(times(matrix("1 -1 2; 0 1 1"), v)) },
  "ker-q-rank-3": { vectors: (v = []) => onOneLine(v, [1, 3]) },
  "ker-q-rank-6": { matrices: (m = []) => rank(m.length === 2 ? transposed(m) : m) === 2 },
  "det-q-inv-2": { matrices: (m = []) => determinant(m) === 0 },
  "cob-q-tr-8": { vectors: (v = []) => isSame(times(matrix("2 0; 0 3"), v), [6, 6]) },
  "cob-q-sim-8": { matrices: (m = []) => !isSame(eigenvalues(m) ?? [], [2, 3]) },
  "eig-q-def-2": { vectors: (v = []) => onOneLine(v, times(matrix("3 0; 1 2"), v)) },
  "eig-q-def-7": { vectors: (v = []) => onOneLine(v, times(matrix("2 1; 0 2"), v)) },
  "eig-q-char-3": { matrices: (m = []) => isSame(eigenvalues(m) ?? [], [1, 4]) },
  "eig-q-space-7": { vectors: (v = []) => onOneLine(v, [1, 2]) && !isZero(v) },
  "dia-q-diag-3": { matrices: (p = [], d = []) => isSame(product(matrix("3 4; 2 1"), p).flat(), product(p, d).flat()) },
  "dia-q-not-1": { matrices: (m = []) => !canBeDiagonalised(m) },
  "dia-q-not-4": { matrices: (m = []) => canBeDiagonalised(m) },
  "dia-q-not-7": { matrices: (m = []) => isDoubleEigenvalue(m) && canBeDiagonalised(m) },
  "lsq-q-proj-1": { vectors: (v = []) => isSame(v, [2, 3, 0]) },
  "lsq-q-proj-5": { vectors: (v = []) => isZero(times(matrix("1 1 1; 0 1 2"), v)) },
};

/** Whether two sides of a pair belong together, computed from the vectors and numbers in them. */
const ofPairs: Record<string, (left: string, right: string) => boolean> = {
  "lin-q-mv-6": (left, right) => isSame(vectorOf(right), times(matrix("1 3; 2 0"), vectorOf(left))),
  "com-q-order-6": (left, right) =>
    isSame(
      vectorOf(right),
      [...left].reduceRight((v, name) => times(matrix(name === "R" ? "0 -1; 1 0" : "1 1; 0 1"), v), [1, 1]),
    ),
  "cob-q-tr-5": (left, right) => isSame(vectorOf(right), times(matrix("1 0; 2 1"), vectorOf(left))),
  "det-q-comp-6": (left, right) => determinant(vectorsIn(left)) === Number(right),
  "eig-q-space-6": (left, right) => {
    const eigenvalue = Number(left.at(-1));
    return isSame(
      times(vectorsIn(left), vectorOf(right)),
      vectorOf(right).map((entry) => entry * eigenvalue),
    );
  },
};

/** The number asked for, computed from the vectors and matrices in the text. */
const ofNumbers: Record<string, (v: Vector[], m: Matrix[]) => number | undefined> = {
  "vec-q-add-1": ([v = [], w = []]) => combined([2, 3], v, w)[1],
  "vec-q-comb-1": ([target = [], v = [], w = []]) => coordinates(target, v, w)[0],
  "com-q-inv-7": (_, [m = []]) => inverse(m)[0]?.[1],
  "com-q-compose-3": (_, [a = [], b = []]) => product(a, b)[1]?.[0],
};

/** What belongs into the gaps, computed from the vectors and matrices in the text. */
const ofGaps: Record<string, (v: Vector[], m: Matrix[]) => Vector> = {
  "vec-q-comb-4": ([target = [], v = [], w = []]) => coordinates(target, v, w),
  "com-q-compose-1": (_, [a = [], b = []]) => product(a, b).flat(),
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
      for (const { markdown, correct } of question.choices)
        expect("vectors" in rule ? rule.vectors(...vectorsIn(markdown)) : rule.matrices(...matricesIn(markdown)), markdown).to.equal(
          correct,
        );
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
      expect(asked(vectorsIn(markdown), matricesIn(markdown))).to.be.closeTo(value, tolerance + 1e-9);
    });

  for (const [id, asked] of Object.entries(ofGaps))
    it(`fill the gaps as calculation does: ${id}`, () => {
      const question = questions.get(id);
      if (question?.kind !== "gap") throw new Error(id);
      const { markdown, gaps } = question;
      expect(asked(vectorsIn(markdown), matricesIn(markdown)).map(String)).to.deep.equal(gaps.map(([first]) => first));
    });
});

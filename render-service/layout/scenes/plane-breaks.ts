import type { Expression } from "@colloquy/schemas/explainers/expression.ts";

/** Places ever nearer to a break of a function, on each of its sides, in the order in which they lie; it may have no value at the nearest. */
export interface Break {
  before: number[];
  after: number[];
}

const halvings = 40;
/** So many halvings are made in any case: a pole may lie in the middle of two equal values. */
const leastHalvings = 2;

/**
 * The break of a function between two places where it has values: a pole, a jump, or a place without a value. Of the two halves, the one
 * with the larger step is halved again; a function breaks where that step does not shrink. Undefined without a break. Pure.
 * @param least a step that is no break
 */
export function breakOf(of: Expression, [from, to]: readonly [number, number], least: number): Break | undefined {
  const found: Break = { before: [from], after: [to] };
  let [left, right] = [from, to];
  let [start, end] = [of(left), of(right)];
  const small = Math.min(least, Math.abs(end - start) / 4 || least);
  for (let halving = 0; halving < halvings; halving += 1) {
    if (halving >= leastHalvings && Math.abs(end - start) < small) return undefined;
    const middle = (left + right) / 2;
    const value = of(middle);
    if (!Number.isFinite(value)) return { before: [...found.before, middle], after: [middle, ...found.after] };
    if (Math.abs(value - start) >= Math.abs(end - value)) {
      [right, end] = [middle, value];
      found.after.unshift(middle);
    } else {
      [left, start] = [middle, value];
      found.before.push(middle);
    }
  }
  // Rounding alone keeps tiny steps from shrinking.
  return Math.abs(end - start) < least ? undefined : found;
}

import { functionOf } from "./algebra.ts";

/** What is done to both sides of an equation. */
type Operation = "add" | "subtract" | "multiply" | "divide";

const operand = String.raw`(?<by>-?\d+(?:\.\d+)?[a-z]?|(?!a\s+\p{L})[a-z])(?![\p{L}\p{N}])`;
const bothSides = `(?:both sides |each side |everything |beide Seiten )?`;
/** How a reason names an operation and what it is done with; German says the number first. */
const named: readonly (readonly [Operation, RegExp])[] = [
  ["add", new RegExp(String.raw`\badd(?:ing|ed|s)? ${operand}|(?<!\p{L})${operand} (?:auf beiden Seiten )?(?:addier|hinzu)`, "u")],
  [
    "subtract",
    new RegExp(
      String.raw`\b(?:subtract(?:ing|ed|s)?|take away|minus) ${operand}|(?<!\p{L})${operand} (?:auf beiden Seiten )?(?:subtrahier|abzieh|abgezogen)`,
      "u",
    ),
  ],
  [
    "multiply",
    new RegExp(String.raw`\bmultipl(?:y|ying|ied|ies) ${bothSides}(?:by|with) ${operand}|\bmit ${operand} (?:multiplizier|malnehm)`, "u"),
  ],
  ["divide", new RegExp(String.raw`\bdivid(?:e|ing|ed|es) ${bothSides}by ${operand}|\bdurch ${operand} (?:teil|geteilt|dividier)`, "u")],
];

type Values = ReadonlyMap<string, number>;
type Side = (values: Values) => number;

/** The sides of an equation of numbers; null for anything else. Capital letters are matrices as a rule. */
function sidesOf(tex: string): { sides: [Side, Side]; letters: ReadonlySet<string> } | null {
  const [left, right, more] = tex.split("=").map(functionOf);
  if (!left || !right || more !== undefined) return null;
  const letters = new Set([...left.letters, ...right.letters]);
  return [...letters].some((letter) => /^[A-Z]/.test(letter)) ? null : { sides: [left.value, right.value], letters };
}

const done: Readonly<Record<Operation, (one: number, by: number) => number>> = {
  add: (one, by) => one + by,
  subtract: (one, by) => one - by,
  multiply: (one, by) => one * by,
  divide: (one, by) => one / by,
};

/**
 * Whether a step does to both sides of an equation what its reason says it does.
 * @returns null where the reason names no such operation, or several, or the formulas are more than equations of numbers. Pure
 */
export function reasonFits(before: string, after: string, reason: string): boolean | null {
  const told = named.flatMap(([operation, pattern]) => {
    const by = pattern.exec(reason)?.groups?.by;
    return by === undefined ? [] : { operation, by };
  });
  const [one] = told;
  const [from, to] = [sidesOf(before), sidesOf(after)];
  const amount = one && functionOf(one.by.replace(/^-/, "0-"));
  if (!one || told.length > 1 || !from || !to || !amount) return null;
  const letters = [...new Set([...from.letters, ...to.letters, ...amount.letters])];
  const trials = Array.from({ length: 8 }, (_, trial) => new Map(letters.map((letter, at) => [letter, 0.37 + trial * 0.71 + at * 1.13])));
  const isDone = ([left, right]: [Side, Side]): boolean =>
    trials.every((values) =>
      [left, right].every((side, index) => {
        const expected = done[one.operation]((from.sides[index] as Side)(values), amount.value(values));
        return Math.abs(side(values) - expected) <= 1e-9 * Math.max(1, Math.abs(expected));
      }),
    );
  return isDone(to.sides) || isDone([to.sides[1], to.sides[0]]);
}

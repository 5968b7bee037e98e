import type { MechanicalQuestion } from "./mark.ts";
import { isNumberRight, readNumbers } from "./numbers.ts";
import type { ResponseError } from "./response-errors.ts";

type NumberKey = Extract<MechanicalQuestion, { kind: "number" }>;

/** Powers of ten of the prefixes of units. */
const prefixes: Readonly<Record<string, number>> = {
  p: -12,
  n: -9,
  µ: -6,
  μ: -6,
  u: -6,
  m: -3,
  c: -2,
  d: -1,
  h: 2,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
};

/** Beyond the tolerance, but within this share of the value: most likely rounded or misread. */
const nearShare = 0.02;
const mostPowers = 9;

/** What is wrong with a typed number that does not fit the key: the most telling of what can be said without naming the right one. */
export function numberErrors(typed: string, key: NumberKey): ResponseError[] {
  const { value, tolerance, unit } = key;
  const given = readNumbers(typed, unit);
  const [nearest] = given.toSorted((one, other) => Math.abs(one - value) - Math.abs(other - value));
  if (nearest === undefined) return [withoutNumber(typed, key)];
  const isRight = (number: number): boolean => isNumberRight(String(number), { value, tolerance });
  if (value !== 0 && given.some((number) => isRight(-number))) return [{ error: "wrong_sign" }];
  if (Math.abs(nearest - value) <= Math.max(2 * tolerance, nearShare * Math.abs(value))) return [{ error: "near_miss" }];
  for (let power = 1; value !== 0 && power <= mostPowers; power += 1) {
    if (given.some((number) => isRight(number / 10 ** power))) return [{ error: "power_of_ten", power }];
    if (given.some((number) => isRight(number * 10 ** power))) return [{ error: "power_of_ten", power: -power }];
  }
  if (given.some((number) => Math.abs(1 / number - value) <= Math.max(tolerance, nearShare * Math.abs(value))))
    return [{ error: "reciprocal" }];
  return [{ error: nearest > value ? "too_large" : "too_small" }];
}

function withoutNumber(typed: string, key: NumberKey): ResponseError {
  const [, number = "", unit = ""] = /^(.*[\d\u0660-\u0669\u06f0-\u06f9])\s*([^\d\s].{0,19})$/u.exec(typed.trim()) ?? [];
  const values = readNumbers(number);
  if (values.length === 0) return { error: "not_a_number" };
  if (key.unit === undefined) return { error: "unit_not_asked" };
  const power = powerBetween(unit, key.unit);
  const isSameSize =
    power !== null && values.some((one) => isNumberRight(String(one * 10 ** power), { value: key.value, tolerance: key.tolerance }));
  return { error: isSameSize ? "other_unit_same_size" : "other_unit", unit: key.unit };
}

/** The power of ten by which a unit is larger than another of the same kind, by their prefixes; null for units of other kinds. */
function powerBetween(unit: string, other: string): number | null {
  for (const [base, power] of readings(unit))
    for (const [otherBase, otherPower] of readings(other)) if (base === otherBase) return power - otherPower;
  return null;
}

/** A unit as it is, and with its first letter as a prefix. */
function readings(unit: string): [base: string, power: number][] {
  const power = prefixes[unit.charAt(0)];
  return [[unit, 0], ...(power !== undefined && unit.length > 1 ? ([[unit.slice(1), power]] as [string, number][]) : [])];
}

import type { MechanicalQuestion } from "./mark.ts";
import { isNumberRight, readNumbers } from "./numbers.ts";

export type NumberError =
  | { error: "not_a_number" | "unit_not_asked" | "wrong_sign" | "sign_and_amount" | "near_miss" | "reciprocal" | "too_large" | "too_small" }
  | { error: "other_unit"; unit: string }
  /** The amount is too large by that power of ten; too small by it if it is negative. `negative`: so is the number. */
  | { error: "power_of_ten"; power: number; negative?: true };

type NumberKey = Pick<Extract<MechanicalQuestion, { kind: "number" }>, "value" | "tolerance" | "unit">;

/** Beyond the tolerance, but within this share of the value: most likely rounded or misread. */
const nearShare = 0.02;
const mostPowers = 9;

/** What is wrong with a typed number that does not fit the key: the most telling of what can be said without naming the right one. */
export function numberErrors(typed: string, key: NumberKey): NumberError[] {
  const { value, tolerance, unit } = key;
  const given = readNumbers(typed, unit);
  const [nearest] = given.toSorted((one, other) => Math.abs(one - value) - Math.abs(other - value));
  if (nearest === undefined) return [withoutNumber(typed, key)];
  const isRight = (number: number): boolean => isNumberRight(String(number), { value, tolerance });
  if (value !== 0 && given.some((number) => isRight(-number))) return [{ error: "wrong_sign" }];
  if (value !== 0 && given.every((number) => number * value < 0)) return [{ error: "sign_and_amount" }];
  if (Math.abs(nearest - value) <= Math.max(2 * tolerance, nearShare * Math.abs(value))) return [{ error: "near_miss" }];
  for (let power = 1; value !== 0 && power <= mostPowers; power += 1) {
    const found = [power, -power].find((one) => given.some((number) => isRight(number / 10 ** one)));
    if (found) return [{ error: "power_of_ten", power: found, ...(value < 0 && { negative: true }) }];
  }
  if (given.some((number) => Math.abs(1 / number - value) <= Math.max(tolerance, nearShare * Math.abs(value))))
    return [{ error: "reciprocal" }];
  return [{ error: nearest > value ? "too_large" : "too_small" }];
}

function withoutNumber(typed: string, key: NumberKey): NumberError {
  const [, number = ""] = /^(.*[\d\u0660-\u0669\u06f0-\u06f9])\s*[^\d\s].{0,19}$/u.exec(typed.trim()) ?? [];
  if (readNumbers(number).length === 0) return { error: "not_a_number" };
  if (key.unit === undefined) return { error: "unit_not_asked" };
  return { error: "other_unit", unit: key.unit };
}

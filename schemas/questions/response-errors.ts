import { comparableCode } from "./compare.ts";
import { gapsInCode } from "./gaps.ts";
import { type MechanicalQuestion, markResponse } from "./mark.ts";
import { type NumberError, numberErrors } from "./number-errors.ts";
import { isNumberRight, readNumbers } from "./numbers.ts";
import type { QuestionResponse } from "./response.ts";
import { isSameText } from "./same-text.ts";
import { partId } from "./shown.ts";
import { type TextError, textError } from "./text-errors.ts";

/** What is wrong in a response. It never names what is right: the question may be tried again. Places and gaps count from 1. */
export type ResponseError =
  | ((NumberError | { error: TextError | "same_number" }) & { gap?: number })
  | { error: "other_gap"; gap: number; other: number }
  | { error: "swapped"; place: number; other: number }
  | { error: "misplaced" | "first_wrong"; place: number }
  /** Ids of left sides that have each other's right side. */
  | { error: "swapped_pairs"; left: string; other: string };

/** What is wrong in a response, as precisely as the key tells; none for a right one, and for choices, of which their author speaks. Pure. */
export function responseErrors(key: MechanicalQuestion, response: QuestionResponse): ResponseError[] {
  const { correct, parts = [] } = markResponse(key, response);
  if (correct) return [];
  if (key.kind === "number") return "text" in response ? numberErrors(response.text, key) : [];
  if (key.kind === "text") {
    const error = "text" in response ? textError(response.text, key.accepted, false) : null;
    return error ? [{ error }] : [];
  }
  if (key.kind === "gap" && "texts" in response) return gapErrors(key, response.texts, parts);
  if (key.kind === "order" && "choiceIds" in response) return orderErrors(key.items.map(partId), response.choiceIds, parts);
  return key.kind === "match" && "pairs" in response ? pairErrors(key, response.pairs, parts) : [];
}

function gapErrors(
  { markdown, gaps }: Extract<MechanicalQuestion, { kind: "gap" }>,
  texts: readonly string[],
  parts: readonly boolean[],
): ResponseError[] {
  const inCode = gapsInCode(markdown);
  return gaps.flatMap((accepted, index): ResponseError[] => {
    if (parts[index]) return [];
    const gap = index + 1;
    const given = texts[index] ?? "";
    const isSame = (answer: string): boolean =>
      inCode.has(gap) ? comparableCode(answer) === comparableCode(given) : isSameText(given, answer);
    // A gap that is filled rightly misses nothing.
    const other = gaps.findIndex((answers, at) => !parts[at] && answers.some(isSame)) + 1;
    if (other > 0) return [{ error: "other_gap", gap, other }];
    const values = accepted.flatMap((answer) => (/\p{N}/u.test(answer) ? readNumbers(answer).slice(0, 1) : []));
    if (values.length === accepted.length) return numberInGap(given, values).map((error) => ({ ...error, gap }));
    const error = textError(given, accepted, inCode.has(gap));
    return error ? [{ error, gap }] : [];
  });
}

/** What is wrong with what was typed in a gap for a number. */
function numberInGap(given: string, values: readonly number[]): (NumberError | { error: "same_number" })[] {
  if (given.trim() === "") return [];
  if (values.some((value) => isNumberRight(given, { value, tolerance: 0 }))) return [{ error: "same_number" }];
  const [typed = 0] = readNumbers(given);
  const [value = 0] = values.toSorted((one, other) => Math.abs(one - typed) - Math.abs(other - typed));
  return numberErrors(given, { value, tolerance: 0 });
}

function orderErrors(right: readonly string[], given: readonly string[], parts: readonly boolean[]): ResponseError[] {
  const wrong = parts.flatMap((isRight, index) => (isRight ? [] : index));
  const [first, last] = [wrong[0], wrong.at(-1)];
  if (first === undefined || last === undefined || given.length !== right.length) return [];
  if (wrong.length === 2) return [{ error: "swapped", place: first + 1, other: last + 1 }];
  // One item taken out and put back elsewhere moves all between by one place.
  const isMoved = (from: number, to: number): boolean =>
    given
      .toSpliced(from, 1)
      .toSpliced(to, 0, given[from] ?? "")
      .every((id, at) => id === right[at]);
  if (isMoved(first, last)) return [{ error: "misplaced", place: first + 1 }];
  if (isMoved(last, first)) return [{ error: "misplaced", place: last + 1 }];
  return [{ error: "first_wrong", place: first + 1 }];
}

function pairErrors(
  key: Extract<MechanicalQuestion, { kind: "match" }>,
  given: readonly { left: string; right: string }[],
  parts: readonly boolean[],
): ResponseError[] {
  const rightOf = new Map(key.pairs.map(({ left, right }) => [partId(left), partId(right)]));
  const [one, other, ...more] = given.filter((_, index) => !parts[index]);
  if (one && other && more.length === 0 && rightOf.get(one.left) === other.right && rightOf.get(other.left) === one.right)
    return [{ error: "swapped_pairs", left: one.left, other: other.left }];
  return [];
}

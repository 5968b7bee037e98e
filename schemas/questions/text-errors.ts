import { comparableCode, comparableText } from "./compare.ts";

export type TextError = "letters" | "case" | "signs" | "word_order" | "too_much" | "too_little";

/** Two words are near from these lengths on: shorter ones are other words, such as options of commands. */
const nearLength = 4;
const farLength = 9;

/** How a typed text differs from an accepted one, where it is close to one; null if it is another text. */
export function textError(given: string, accepted: readonly string[], inCode: boolean): TextError | null {
  const found = accepted.flatMap((one) => errorAgainst(given, one, inCode) ?? []);
  return ranking.find((error) => found.includes(error)) ?? null;
}
/** The closest first. */
const ranking: readonly TextError[] = ["case", "signs", "letters", "word_order", "too_much", "too_little"];

function errorAgainst(given: string, accepted: string, inCode: boolean): TextError | null {
  const [typed, right] = [comparableText(given), comparableText(accepted)];
  if (typed === "" || right === "") return null;
  if (inCode && typed === right && comparableCode(given) !== comparableCode(accepted)) return "case";
  const letters = (text: string): string => text.replaceAll(/[^\p{L}\p{M}\p{N}]/gu, "");
  const unspaced = (text: string): string => text.replaceAll(" ", "");
  const isSame = unspaced(typed) === unspaced(right) || (letters(typed) === letters(right) && figures(typed) === figures(right));
  if (letters(right) !== "" && isSame) return "signs";
  const [own, wanted] = [typed.split(" "), right.split(" ")];
  if (own.length === wanted.length) {
    if (own.every((word, index) => word === wanted[index] || isNear(word, wanted[index] ?? ""))) return "letters";
    return own.toSorted().join(" ") === wanted.toSorted().join(" ") ? "word_order" : null;
  }
  if (` ${typed} `.includes(` ${right} `)) return "too_much";
  return ` ${right} `.includes(` ${typed} `) ? "too_little" : null;
}

/** The numbers in a text, with their signs and decimal points. */
const figures = (text: string): string => (text.match(/[-+]?\p{N}+(?:[.,/^]\p{N}+)*/gu) ?? []).join(" ");

/** Whether one letter is wrong, missing, too many or swapped with the next; in long words two, if both begin with the same letter. Digits are no letters. */
function isNear(one: string, other: string): boolean {
  const length = Math.min(one.length, other.length);
  if (length < nearLength || figures(one) !== figures(other)) return false;
  return distance(one, other) <= (length >= farLength && one[0] === other[0] ? 2 : 1);
}

/** The optimal string alignment distance: letters to insert, delete, replace, or swap with the next. */
export function distance(one: string, other: string): number {
  const [from, to] = [[...one], [...other]];
  let before: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let at = 1; at <= from.length; at += 1) {
    const next = [at];
    for (let place = 1; place <= to.length; place += 1) {
      const same = from[at - 1] === to[place - 1] ? 0 : 1;
      let least = Math.min((next[place - 1] ?? 0) + 1, (last[place] ?? 0) + 1, (last[place - 1] ?? 0) + same);
      if (at > 1 && place > 1 && from[at - 1] === to[place - 2] && from[at - 2] === to[place - 1])
        least = Math.min(least, (before[place - 2] ?? 0) + 1);
      next.push(least);
    }
    [before, last] = [last, next];
  }
  return last[to.length] ?? 0;
}

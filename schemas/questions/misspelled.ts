import { comparableCode, comparableText } from "./compare.ts";
import { gapsInCode } from "./gaps.ts";
import { type MechanicalQuestion, markResponse } from "./mark.ts";
import { numberOfWord } from "./numbers.ts";
import type { QuestionResponse } from "./response.ts";
import { isSameText } from "./same-text.ts";
import { distance } from "./text-errors.ts";

/** Shorter words are other words, such as options of commands. */
const leastLetters = 5;

/**
 * Whether all that is wrong in a typed response is one letter, or two neighbours swapped, of one word each: it is then sent back once before
 * it is marked. A word that the question itself has is another word. Nobody learns more than by an answer that is marked: what is not
 * nearly right is marked at once. Pure.
 */
export function isMisspelled(key: MechanicalQuestion, response: QuestionResponse): boolean {
  const { correct, parts } = markResponse(key, response);
  if (correct) return false;
  if (key.kind === "text" && "text" in response) return isNearly(response.text, key.accepted, wordsIn(key.markdown), false);
  if (key.kind !== "gap" || !("texts" in response)) return false;
  const inCode = gapsInCode(key.markdown);
  return key.gaps.every((accepted, index) => {
    const others = wordsIn([key.markdown, ...key.gaps.toSpliced(index, 1).flat()].join(" "));
    return parts?.[index] || isNearly(response.texts[index] ?? "", accepted, others, inCode.has(index + 1));
  });
}

function isNearly(given: string, accepted: readonly string[], others: ReadonlySet<string>, inCode: boolean): boolean {
  const comparable = inCode ? comparableCode : comparableText;
  const isSame = inCode ? (one: string, other: string) => one === other : isSameText;
  const typed = comparable(given).split(" ");
  return accepted.map(comparable).some((right) =>
    right.split(" ").some((wanted) =>
      typed.some((word, at) => {
        if (others.has(bare(word)) || !isSlip(word, wanted)) return false;
        return isSame(typed.with(at, wanted).join(" "), right);
      }),
    ),
  );
}

/** Signs, digits, case in code and words for numbers are no spelling. */
function isSlip(word: string, wanted: string): boolean {
  const letters = bare(wanted);
  if (letters.length < leastLetters || numberOfWord(letters) !== null || bare(word) === letters) return false;
  const others = (text: string): string => text.replaceAll(/[\p{L}\p{M}]/gu, "");
  return others(word) === others(wanted) && distance(word, wanted) === 1;
}

const bare = (word: string): string => word.toLowerCase().replaceAll(/[^\p{L}\p{M}]/gu, "");

const wordsIn = (text: string): Set<string> => new Set(text.split(/[^\p{L}\p{M}'-]+/u).map(bare));

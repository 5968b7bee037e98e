import { comparableText } from "./compare.ts";
import { gapsInCode } from "./gaps.ts";
import { type MechanicalQuestion, markResponse } from "./mark.ts";
import { numberOfWord } from "./numbers.ts";
import type { QuestionResponse } from "./response.ts";
import { isSameText } from "./same-text.ts";
import { distance } from "./text-errors.ts";

/** Shorter words are other words, such as options of commands. */
const leastLetters = 5;

/**
 * Whether all that is wrong in a typed response is one letter, or two neighbours swapped, of one word each: it is then sent back before it
 * is marked. A word of the question or of the course is another word, and code has no spelling: both are marked at once. By this a learner
 * can find out that a word is near, without an answer that is recorded. That it is sent back only once is up to the client. Pure.
 * @param courseWords as `wordsIn`
 */
export function isMisspelled(key: MechanicalQuestion, response: QuestionResponse, courseWords: ReadonlySet<string> = new Set()): boolean {
  const { correct, parts } = markResponse(key, response);
  if (correct) return false;
  if (key.kind === "text" && "text" in response) return isNearly(response.text, key.accepted, wordsIn(key.markdown), courseWords);
  if (key.kind !== "gap" || !("texts" in response)) return false;
  const inCode = gapsInCode(key.markdown);
  return key.gaps.every((accepted, index) => {
    const others = wordsIn([key.markdown, ...key.gaps.toSpliced(index, 1).flat()].join(" "));
    if (parts?.[index]) return true;
    return !inCode.has(index + 1) && isNearly(response.texts[index] ?? "", accepted, others, courseWords);
  });
}

function isNearly(given: string, accepted: readonly string[], asked: ReadonlySet<string>, courseWords: ReadonlySet<string>): boolean {
  const others = asked.union(courseWords.difference(wordsIn(accepted.join(" "))));
  const typed = comparableText(given).split(" ");
  return accepted.map(comparableText).some((right) =>
    right.split(" ").some((wanted) =>
      typed.some((word, at) => {
        if (others.has(bare(word)) || !isSlip(word, wanted)) return false;
        return isSameText(typed.with(at, wanted).join(" "), right);
      }),
    ),
  );
}

/** Signs, digits and words for numbers are no spelling. */
function isSlip(word: string, wanted: string): boolean {
  const letters = bare(wanted);
  if (letters.length < leastLetters || numberOfWord(letters) !== null || bare(word) === letters) return false;
  const others = (text: string): string => text.replaceAll(/[\p{L}\p{M}]/gu, "");
  return others(word) === others(wanted) && distance(word, wanted) === 1;
}

const bare = (word: string): string => word.toLowerCase().replaceAll(/[^\p{L}\p{M}]/gu, "");

/** The words of a text: their letters, in lower case. */
export const wordsIn = (text: string): Set<string> => new Set(text.split(/[^\p{L}\p{M}'-]+/u).map(bare));

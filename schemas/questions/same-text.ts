import { comparableText } from "./compare.ts";
import { numberOfWord } from "./numbers.ts";

/** Words, numbers, hyphens and apostrophes inside words; everything else may be code or a formula, which is compared as it is written. */
const prose = /^[\p{L}\p{M}\p{N}]+(?:(?:['-]|,? )[\p{L}\p{M}\p{N}]+)*[!?]?$/u;
const ordinals = new Map(
  ["1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th", "9th", "10th"].map((short, index) => [
    short,
    ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"][index] ?? short,
  ]),
);
/** Where British and American spelling differ, in words that are long enough to differ in nothing else. */
const spellings: readonly [form: RegExp, american: string][] = [
  [/(?<=\p{L}{3})is(?=(?:e|es|ed|er|ers|ing|able|ation|ations)$)/u, "iz"],
  [/(?<=\p{L}{3})ys(?=(?:e|es|ed|er|ers|ing)$)/u, "yz"],
  [/(?<=\p{L}{3})our(?=(?:s|ed|ing|al|able)?$)/u, "or"],
  [/(?<=cent|met|lit|theat|fib|calib|spect)re(?=s?$)/u, "er"],
];

/**
 * Whether a typed text says the same in the same words as an accepted one. It does not matter: case, "the", "a" or "an" at the beginning,
 * commas and a final "!" after words, hyphens between words (unless the accepted text is one hyphenated word), "1st", "B's column" for
 * "column of B", British or American spelling, a number in words where the accepted text has digits. Other signs, as in code and
 * formulas, have to be equal. What was right once has to stay right: ledgers are verified by this.
 */
export function isSameText(given: string, accepted: string): boolean {
  const [typed, right] = [comparableText(given), comparableText(accepted)];
  if (typed === right) return true;
  if (!prose.test(typed) || !prose.test(right)) return false;
  // "apt-get" and "text-align" are names.
  const hasHyphens = !right.includes(" ") && right.includes("-");
  const [one, other] = [
    plainWords(typed.replace(/(?<=\p{L}{3})[!?]$/u, ""), hasHyphens, true),
    // "A" in an accepted text is a name, too.
    plainWords(right, hasHyphens, !/^\W*A\b/.test(accepted)),
  ];
  return one.length > 0 && (one.join(" ") === other.join(" ") || inDigits(typed.split(" ")) === other.join(" "));
}

function plainWords(text: string, hasHyphens: boolean, canBeginWithA: boolean): string[] {
  const words = text
    .replace(/^([^']+)'s (?!.*\bof\b)(.+)$/u, "$2 of $1")
    .replaceAll(/(?<=\p{L}{3}),/gu, "")
    .replaceAll(/(?<=\p{L}{2})-(?=\p{L}{2})/gu, hasHyphens ? "-" : " ")
    .split(" ");
  const isArticle = (word: string, index: number): boolean =>
    word === "the" || (canBeginWithA && index === 0 && (word === "a" || word === "an") && (words[1]?.length ?? 0) > 2);
  return words.filter((word, index) => !isArticle(word, index)).map((word) => american(ordinals.get(word) ?? word));
}

const american = (word: string): string => spellings.reduce((before, [form, to]) => before.replace(form, to), word);

const inDigits = (words: readonly string[]): string => words.map((word) => numberOfWord(word) ?? word).join(" ");

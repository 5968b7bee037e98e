import { stemmer } from "stemmer";

/** Words of a question that say little about its subject. They stay in the index, so that `for` can be found when it is asked for as code. */
const stopWords = new Set(
  (
    "a about after all also am an and any are as at be because been before being but by can could did do does doing don for from get give had has have he her him his how i " +
    "if in into is it its just let like make many me mean means might more most much must my need no not of on one only or other our out over please possible same say " +
    "she should show so some such tell than that the their them then there these they thing things this those through to too up use used uses using very was way we were what when where " +
    "which while who whom why will with without work works would you your explain difference between"
  ).split(" "),
);

/**
 * Terms in text: words (with the compounds they stand in: `And.intro`, `read-only`), options (`-l`, `--help`), signs of code that
 * stand by themselves (`|`, `>>`), and signs of mathematics anywhere (`∧`).
 */
const term = new RegExp(
  [
    String.raw`(?<![\p{L}\p{N}_-])--?[A-Za-z][\w-]*`,
    String.raw`[\p{L}\p{N}_]+(?:[.'’:-]{1,2}[\p{L}\p{N}_]+)*`,
    String.raw`(?<=^|[\s\x60"'(\[“])[|<>&*~$#=+\\/^%@-]{1,3}(?=$|[\s\x60"')\],.;:?!”])`,
    // What also ends a sentence is a sign only between white space or between backticks.
    String.raw`(?<=^|\s)[.:!?]{1,3}(?=$|\s)|(?<=\x60)[.:!?]{1,3}(?=\x60)`,
    String.raw`(?![!-~])\p{Sm}`,
  ].join("|"),
  "gu",
);

const plainWord = /^\p{L}+$/u;

export interface Language {
  /** What a word is compared by. */
  stem(word: string): string;
  stopWords: ReadonlySet<string>;
}

const english: Language = { stem: (word) => (word.length > 2 && plainWord.test(word) ? stemmer(word) : word), stopWords };
const other: Language = { stem: (word) => word, stopWords: new Set() };

/** By the language tag of a course; only English has a stemmer so far. */
export const languageOf = (tag: string): Language => (/^en\b/i.test(tag) ? english : other);

/** The terms a text is found by: of a compound the whole and its parts. */
export function termsOf(text: string, language: Language): string[] {
  const terms: string[] = [];
  for (const [found] of text.matchAll(term)) {
    const lower = found.toLowerCase().replaceAll("’", "'");
    if (!/[\p{L}\p{N}]/u.test(lower) || lower.startsWith("-")) {
      terms.push(lower);
      continue;
    }
    const parts = lower.split(/[.':-]+/);
    if (parts.length > 1) terms.push(lower);
    for (const part of parts) if (part !== "s" && part !== "t") terms.push(language.stem(part));
  }
  return terms;
}

/** The terms of a question: without stop words, unless nothing else is left or they are written as code. */
export function queryTerms(query: string, language: Language): string[] {
  const asCode = [...query.matchAll(/`([^`\n]{1,200})`/g)].flatMap((match) => termsOf(match[1] ?? "", language));
  const stops = new Set([...language.stopWords].map((word) => language.stem(word)));
  const all = termsOf(query, language);
  const telling = all.filter((found) => !stops.has(found) && !language.stopWords.has(found));
  const chosen = telling.length + asCode.length > 0 ? [...telling, ...asCode] : all;
  return [...new Set(chosen)].slice(0, mostTerms);
}

/** A pasted page is no question; its first terms say what it is about. */
const mostTerms = 64;

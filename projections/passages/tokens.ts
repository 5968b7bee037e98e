import { stemmer } from "stemmer";
import { stemmers } from "./stemmers.ts";

/** Stop words of questions. They stay in the index, so that `for` is found as code. */
const stopWords = new Set(
  (
    "a about after all also am an and any are as at be because been before being but by can could did do does doing don for from get give had has have he her him his how i " +
    "if in into is it its just let like make many me mean means might more most much must my need no not of on one only or other our out over please possible same say " +
    "she should show so some such tell than that the their them then there these they thing things this those through to too up use used uses using very was way we were what when where " +
    "which while who whom why will with without work works would you your explain difference between"
  ).split(" "),
);

const weakWords = (
  "find show give say tell know want get come go see look put take try write read call happen begin start stop actual really thing way kind sort " +
  "question answer example explanation formula definition meaning course lesson chapter good bad better best right wrong new first last own two three several " +
  "big small long short easy hard different learn understand think feel help run type still already again enough own right now often always never"
).split(" ");

/** Synonyms from everyday computing and studying; none from the subject of a single course. */
const synonymGroups = [
  "folder directory",
  "delete remove erase rid",
  "picture image figure drawing",
  "quit exit leave",
  "error mistake",
  "sign symbol character",
  "make create",
  "copy duplicate",
  "display print show",
  "exam test examination",
  "upper uppercase case",
  "blank space",
  "search find",
  "repeat loop",
  "terminal shell",
  "manual man help",
  "beginning start",
];

function synonymsOf(groups: readonly string[], stem: (word: string) => string): Map<string, string[]> {
  const synonyms = new Map<string, string[]>();
  for (const group of groups) {
    const stems = group.split(" ").map(stem);
    for (const word of stems) synonyms.set(word, [...(synonyms.get(word) ?? []), ...stems.filter((other) => other !== word)]);
  }
  return synonyms;
}

/**
 * Terms in text: words and compounds (`And.intro`, `read-only`), options (`-l`, `--help`), separate code signs (`|`, `>>`), and
 * mathematical signs anywhere (`∧`).
 */
const term = new RegExp(
  [
    String.raw`(?<![\p{L}\p{N}_-])--?[A-Za-z][\w-]*`,
    // Shell parameters, command substitution and history: `$1`, `$(`, `!!`.
    String.raw`(?<![\w$])\$(?:[\d@#*?](?![\w.])|[({])|(?<![\w!])!(?:!|\$)(?![\w!$])`,
    String.raw`[\p{L}\p{N}_]+(?:[.'’:-]{1,2}[\p{L}\p{N}_]+)*`,
    String.raw`(?<=^|[\s\x60"'(\[“])[|<>&*~$#=+\\/^%@-]{1,3}(?=$|[\s\x60"')\],.;:?!”])`,
    // Punctuation is a sign only between white space or backticks.
    String.raw`(?<=^|\s)[.:!?]{1,3}(?=$|\s)|(?<=\x60)[.:!?]{1,3}(?=\x60)`,
    String.raw`(?![!-~])\p{Sm}`,
  ].join("|"),
  "gu",
);

/** What is longer is no word, and would take stemmers long. */
const plainWord = /^\p{L}{3,64}$/u;

export interface Language {
  /** The stem by which words are compared. */
  stem(word: string): string;
  stopWords: ReadonlySet<string>;
  /** Stems of words such as "find" and "show", which are common in questions but also taught; they count less. */
  weakWords: ReadonlySet<string>;
  /** Passage roles that a word asks for, by its stem. */
  requestedRoles: ReadonlyMap<string, readonly string[]>;
  /** Stems of verbs that follow a defined word ("a filter is …"). */
  definingVerbs: ReadonlySet<string>;
  /** Synonyms, as stems, by stem. */
  synonyms: ReadonlyMap<string, readonly string[]>;
}

const stemEnglish = (word: string): string => (plainWord.test(word) ? stemmer(word) : word);
const english: Language = {
  stem: stemEnglish,
  stopWords,
  weakWords: new Set(weakWords.map(stemEnglish)),
  requestedRoles: new Map(
    Object.entries({
      formula: "math",
      equation: "math",
      code: "code",
      program: "code",
      python: "code",
      numpy: "code",
      picture: "figure",
      diagram: "figure",
      table: "table",
      exercise: "exercise",
      solution: "solution",
    }).map(([word, role]) => [stemEnglish(word), [role]]),
  ),
  definingVerbs: new Set("is are means stands refers represents denotes".split(" ").map(stemEnglish)),
  synonyms: synonymsOf(synonymGroups, stemEnglish),
};
const unstemmed: Language = {
  stem: (word) => word,
  stopWords: new Set(),
  weakWords: new Set(),
  requestedRoles: new Map(),
  definingVerbs: new Set(),
  synonyms: new Map(),
};

/** Languages with a stemmer, made when a course or question first has them. */
const known = new Map<string, Language>([["en", english]]);

/** By the language tag of a course (BCP 47); words of a language without a stemmer are compared as they are written. */
export function languageOf(tag: string): Language {
  const primary = tag.split("-")[0]?.toLowerCase() ?? "";
  const made = known.get(primary);
  if (made) return made;
  const [stem, stops] = Object.hasOwn(stemmers, primary) ? (stemmers[primary] ?? []) : [];
  if (!stem || !stops) return unstemmed;
  const stemmed = (word: string): string => (plainWord.test(word) ? stem(word) : word);
  // The lists are long, and hold words that courses teach ("estado"): all but the shortest only count less.
  const isShort = (word: string): boolean => word.length <= 2;
  const language: Language = {
    ...unstemmed,
    stem: stemmed,
    stopWords: new Set(stops.filter(isShort)),
    weakWords: new Set(stops.filter((word) => !isShort(word)).map(stemmed)),
  };
  known.set(primary, language);
  return language;
}

/** The index terms of a text; a compound gives the whole and its parts. */
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

/** The terms of a question without stop words, unless there are only stop words or they are written as code. */
export function queryTerms(query: string, language: Language): string[] {
  const asCode = [...query.matchAll(/`([^`\n]{1,200})`/g)].flatMap((match) => termsOf(match[1] ?? "", language));
  const stops = stemmedStopWords(language);
  const all = termsOf(query, language);
  const contentTerms = all.filter((found) => !stops.has(found) && !language.stopWords.has(found));
  const chosen = contentTerms.length + asCode.length > 0 ? [...contentTerms, ...asCode] : all;
  return [...new Set(chosen)].slice(0, maxQueryTerms);
}

const stopsOf = new WeakMap<Language, ReadonlySet<string>>();

/** A language's stop words as stems, cached. */
function stemmedStopWords(language: Language): ReadonlySet<string> {
  const stops = stopsOf.get(language) ?? new Set([...language.stopWords].map((word) => language.stem(word)));
  stopsOf.set(language, stops);
  return stops;
}

/** Of a pasted page only the first terms count. */
const maxQueryTerms = 64;

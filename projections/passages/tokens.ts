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

const weakWords = (
  "find show give say tell know want get come go see look put take try write read call happen begin start stop actual really thing way kind sort " +
  "question answer example explanation formula definition meaning course lesson chapter good bad better best right wrong new first last own two three several " +
  "big small long short easy hard different learn understand think feel help run type still already again enough own right now often always never"
).split(" ");

/** Words of everyday computing and studying that people use for each other; nothing of a single course's subject. */
const sameThings = [
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
 * Terms in text: words (with the compounds they stand in: `And.intro`, `read-only`), options (`-l`, `--help`), signs of code that
 * stand by themselves (`|`, `>>`), and signs of mathematics anywhere (`∧`).
 */
const term = new RegExp(
  [
    String.raw`(?<![\p{L}\p{N}_-])--?[A-Za-z][\w-]*`,
    // What a shell calls its arguments, what it puts in place of a command, and its history: `$1`, `$(`, `!!`.
    String.raw`(?<![\w$])\$(?:[\d@#*?](?![\w.])|[({])|(?<![\w!])!(?:!|\$)(?![\w!$])`,
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
  /** Stems of words that questions are made with and courses also teach ("find", "show"): they count less in a question. */
  weakWords: ReadonlySet<string>;
  /** Kinds of passages that a word asks for, by its stem. */
  wanted: ReadonlyMap<string, readonly string[]>;
  /** Stems of what stands after a word that is being explained ("a filter is …"). */
  says: ReadonlySet<string>;
  /** Stems that mean nearly the same, for each of them. */
  synonyms: ReadonlyMap<string, readonly string[]>;
}

const stemEnglish = (word: string): string => (word.length > 2 && plainWord.test(word) ? stemmer(word) : word);
const english: Language = {
  stem: stemEnglish,
  stopWords,
  weakWords: new Set(weakWords.map(stemEnglish)),
  wanted: new Map(
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
  says: new Set("is are means stands refers represents denotes".split(" ").map(stemEnglish)),
  synonyms: synonymsOf(sameThings, stemEnglish),
};
const other: Language = {
  stem: (word) => word,
  stopWords: new Set(),
  weakWords: new Set(),
  wanted: new Map(),
  says: new Set(),
  synonyms: new Map(),
};

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
  const stops = stemmedStops(language);
  const all = termsOf(query, language);
  const telling = all.filter((found) => !stops.has(found) && !language.stopWords.has(found));
  const chosen = telling.length + asCode.length > 0 ? [...telling, ...asCode] : all;
  return [...new Set(chosen)].slice(0, mostTerms);
}

const stopsOf = new WeakMap<Language, ReadonlySet<string>>();

/** A language's stop words as stems, made once. */
function stemmedStops(language: Language): ReadonlySet<string> {
  const stops = stopsOf.get(language) ?? new Set([...language.stopWords].map((word) => language.stem(word)));
  stopsOf.set(language, stops);
  return stops;
}

/** A pasted page is no question; its first terms say what it is about. */
const mostTerms = 64;

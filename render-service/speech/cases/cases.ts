import { readFileSync } from "node:fs";

/** `tuning` is what the rules were made for; `held-out` was written before the program's answers were seen. */
export const caseSets = ["tuning", "held-out"] as const;
type CaseSet = (typeof caseSets)[number];

/** A text that is shown, and what is to be said for it. */
export interface SpokenCase {
  language: string;
  /** The course that it is taken from, or `other`. */
  from: string;
  shown: string;
  said: string;
}

/** The cases of a set; the form of the file is explained in its first lines. @throws for a line that cannot be read */
export function spokenCases(set: CaseSet): SpokenCase[] {
  const cases: SpokenCase[] = [];
  let [language, from] = ["", "other"];
  for (const line of readFileSync(new URL(`${set}.txt`, import.meta.url), "utf8").split("\n")) {
    if (line === "" || line.startsWith("# ")) continue;
    const heading = /^## (\w+)(?: (\S+))?/.exec(line);
    const [shown, said, more] = line.split(" ⟹ ");
    if (heading) [language = "", from = "other"] = heading.slice(1);
    else if (shown && said && more === undefined) cases.push({ language, from, shown, said });
    else throw new Error(`${set}.txt: ${line}`);
  }
  return cases;
}

/** Words that name a sign of an expectation. */
const names: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  en: {
    "(": "open_paren/open_bracket/open_parenthesis",
    ")": "close_paren/close_bracket/close_parenthesis",
    "[": "open_square_bracket/open_bracket/left_square_bracket",
    "]": "close_square_bracket/close_bracket/right_square_bracket",
    "{": "open_brace/open_curly_bracket/left_brace",
    "}": "close_brace/close_curly_bracket/right_brace",
    "⟨": "open_angle_bracket/left_angle_bracket/angle_bracket",
    "⟩": "close_angle_bracket/right_angle_bracket/angle_bracket",
    "→": "arrow/to/implies",
    "=>": "maps_to/gives/double_arrow/arrow",
    ":=": "is_defined_as/colon_equals/becomes",
    ":": "of_type/has_type/is_of_type/colon",
  },
  de: {
    "(": "Klammer_auf/öffnende_Klammer",
    ")": "Klammer_zu/schließende_Klammer",
    "⟨": "spitze_Klammer_auf/öffnende_spitze_Klammer",
    "⟩": "spitze_Klammer_zu/schließende_spitze_Klammer",
  },
  ar: { "(": "قوس_مفتوح/افتح_القوس/فتح_قوس", ")": "قوس_مغلق/أغلق_القوس/إغلاق_قوس" },
};

const plain = (word: string): string =>
  word
    .toLowerCase()
    // The letter A is written as it sounds.
    .replace(/^ay$/, "a")
    .replace(/[.,;:!?،؛؟"“”„()…—]+$|^["“”„(—]+/gu, "");
const wordsOf = (text: string): string[] =>
  text
    .replace(/(?<=\p{L})(?=\d)/gu, " ")
    .split(/\s+/)
    .map(plain)
    .filter(Boolean);

/** Whether what is spoken is what was to be said, apart from punctuation. Pure. */
export function isSaid({ said, language }: SpokenCase, spoken: string): boolean {
  const words = wordsOf(spoken);
  // All places up to which the spoken words can be read as the expectation.
  let ends = new Set([0]);
  for (const slot of said.split(" ")) {
    const named = names[language] ?? {};
    const ways = (Object.hasOwn(named, slot) ? (named[slot] ?? slot) : slot).split("/").map((way) => wordsOf(way.replaceAll("_", " ")));
    ends = new Set(
      [...ends].flatMap((at) => ways.flatMap((way) => (way.every((word, index) => words[at + index] === word) ? [at + way.length] : []))),
    );
  }
  return ends.has(words.length);
}

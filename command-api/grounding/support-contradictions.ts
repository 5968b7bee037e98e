import { languageOf, termsOf } from "@colloquy/projections/passages/queries.ts";
import { contentWords, splitSentences } from "./quote.ts";

/**
 * Detects claims that say the opposite of a sentence of their passage. Compares only nearly identical sentences, word by word: paraphrases
 * raise no alarm, and contradictions in other words go unnoticed.
 */

/** Least share of a claim's content words in a sentence that is compared with it. */
const similarity = 0.55;
/** Content words that a negation can apply to. */
const scope = 3;

const english = languageOf("en");
const negations = new Set("not no never none nothing nobody neither nor cannot without hardly rarely seldom".split(" "));
/** "not only", "no matter", "not necessarily" negate nothing. */
const nonNegating = new Set("only just merely matter necessarily sooner longer doubt".split(" "));
const clauseEnd = new Set("because but if when that which who while unless until although whereas so and or than as".split(" "));

const opposites = [
  "more less",
  "more fewer",
  "better worse",
  "best worst",
  "most least",
  "always never",
  "always rarely",
  "always sometimes",
  "everything nothing",
  "everyone nobody",
  "larger smaller",
  "largest smallest",
  "longer shorter",
  "longest shortest",
  "faster slower",
  "higher lower",
  "easier harder",
  "easy hard",
  "first last",
  "left right",
  "same different",
  "increases decreases",
  "positive negative",
  "input output",
  "start end",
  "beginning end",
  "above below",
  "horizontal vertical",
  "associative commutative",
  "independent dependent",
  "strengthens weakens",
  "keeps loses",
].map((pair) => pair.split(" ") as [string, string]);

interface Word {
  /** In lower case. */
  word: string;
  /** Empty for a function word. */
  stem: string;
  /** 1 for the first content word after a negation, up to `scope`; 0 without negation. */
  negated: number;
}

interface Sentence {
  words: Word[];
  stems: ReadonlySet<string>;
  spellings: ReadonlySet<string>;
}

/** The analysed sentences of a passage. */
export interface Sentences {
  all: readonly Sentence[];
  /** Indexes of the sentences with a stem. */
  byStem: ReadonlyMap<string, readonly number[]>;
}

/** Without questions. */
export function sentencesOf(passage: string): Sentences {
  const all = splitSentences(passage)
    .filter((sentence) => !sentence.endsWith("?"))
    .map(sentenceOf);
  const holding = new Map<string, number[]>();
  for (const [index, { stems }] of all.entries())
    for (const stem of stems) {
      const known = holding.get(stem);
      if (known) known.push(index);
      else holding.set(stem, [index]);
    }
  return { all, byStem: holding };
}

/** The words of a claim that contradict its passages (none if it leaves out a negation); null without a contradiction. */
export function contradictionIn(claim: string, passages: readonly Sentences[]): string[] | null {
  const said = sentenceOf(claim);
  if (said.stems.size < 2) return null;
  const alike = passages.flatMap((passage) => similarSentences(said.stems, passage));
  if (alike.length === 0) return null;
  return contradictedByNegation(said, alike) ?? contradictedByOpposite(said, alike) ?? null;
}

/** The sentences with enough of a claim's stems. */
function similarSentences(stems: ReadonlySet<string>, { all, byStem: holding }: Sentences): Sentence[] {
  const shared = new Map<number, number>();
  for (const stem of stems) for (const index of holding.get(stem) ?? []) shared.set(index, (shared.get(index) ?? 0) + 1);
  return all.filter((_, index) => (shared.get(index) ?? 0) / stems.size >= similarity);
}

/** A word that is negated in the claim and in no similar sentence, or the other way round. */
function contradictedByNegation(said: Sentence, alike: readonly Sentence[]): string[] | null {
  const own = negationsOf([said]);
  const theirs = negationsOf(alike);
  for (const { word, stem } of said.words) {
    const mine = own.get(stem);
    const other = theirs.get(stem);
    if (!mine || !other) continue;
    if (mine === "negated" && other === "plain") return [`not ${word}`];
    if (other === "negated" && mine === "plain") return [];
  }
  return null;
}

/** Whether each stem is always, never or sometimes directly negated. */
function negationsOf(sentences: readonly Sentence[]): Map<string, "negated" | "plain" | "mixed"> {
  const found = new Map<string, "negated" | "plain" | "mixed">();
  for (const { words } of sentences)
    for (const { stem, negated } of words) {
      if (!stem) continue;
      const here = negated === 1 ? "negated" : negated === 0 ? "plain" : "mixed";
      const known = found.get(stem);
      found.set(stem, known === undefined || known === here ? here : "mixed");
    }
  return found;
}

/** A word whose opposite is in its place in every similar sentence that has the opposite. */
function contradictedByOpposite(said: Sentence, alike: readonly Sentence[]): string[] | null {
  for (const pair of opposites)
    for (const [mine, other] of [pair, [pair[1], pair[0]] as const]) {
      if (!said.spellings.has(mine) || said.spellings.has(other)) continue;
      const against = alike.filter(({ spellings: spelt }) => spelt.has(other));
      if (against.length === 0 || alike.some(({ spellings: spelt }) => spelt.has(mine))) continue;
      if (said.words.some(({ word, negated }) => word === mine && negated > 0)) continue;
      if (against.every(({ words }) => haveSameContext(said.words, mine, words, other))) return [mine];
    }
  return null;
}

/** Whether the words before one word resemble those before the other more than those after it. */
function haveSameContext(said: readonly Word[], mine: string, sentence: readonly Word[], other: string): boolean {
  const before = stemsOf(
    said.slice(
      0,
      said.findIndex(({ word }) => word === mine),
    ),
  );
  const at = sentence.findIndex(({ word }) => word === other);
  return share(before, stemsOf(sentence.slice(0, at))) >= share(before, stemsOf(sentence.slice(at + 1)));
}

function sentenceOf(text: string): Sentence {
  const words = wordsOf(text);
  return { words, stems: stemsOf(words), spellings: new Set(words.map(({ word }) => word)) };
}

function wordsOf(sentence: string): Word[] {
  const found: Word[] = [];
  let negated = 0;
  const spelt = sentence
    .toLowerCase()
    .replaceAll("’", "'")
    .replaceAll("cannot", "can not")
    .replaceAll(/\b(?:ca|wo)n't\b/g, "can not")
    .replaceAll(/n't\b/g, " not");
  for (const [token] of spelt.matchAll(/[\p{L}\p{N}_]+|[,;:.()–—]/gu)) {
    if (/^[,;:.()–—]$/.test(token) || clauseEnd.has(token)) negated = 0;
    if (negations.has(token)) {
      negated = 1;
      found.push({ word: token, stem: "", negated: 0 });
      continue;
    }
    if (nonNegating.has(token) && found.at(-1) && negations.has(found.at(-1)?.word ?? "")) negated = 0;
    const stem =
      contentWords(token).length > 0 && !english.stopWords.has(token) && !auxiliaryWords.has(token)
        ? (termsOf(token, english).at(-1) ?? "")
        : "";
    found.push({ word: token, stem, negated: stem ? negated : 0 });
    if (stem && negated > 0) negated = negated === scope ? 0 : negated + 1;
  }
  return found;
}

/** Words that a negation does not apply to. */
const auxiliaryWords = new Set(
  "do does did doing done would should could must may might will shall any anything all every just even also very so only been being such".split(
    " ",
  ),
);

const stemsOf = (sentence: readonly Word[]): Set<string> => new Set(sentence.flatMap(({ stem }) => stem || []));
const share = (of: ReadonlySet<string>, among: ReadonlySet<string>): number =>
  of.size === 0 ? 0 : [...of].filter((stem) => among.has(stem)).length / of.size;

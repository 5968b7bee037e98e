import { languageOf, termsOf } from "@colloquy/projections/passages/queries.ts";
import { splitSentences, words } from "./quote.ts";

/**
 * Whether a claim says the opposite of a sentence of its passage. Only what is nearly the same sentence is compared, word by word, so
 * that a paraphrase is left in peace; what is turned in other words goes unnoticed.
 */

/** Share of a claim's content words that a sentence must have to be compared with it. */
const sameSentence = 0.55;
/** Content words after a negation that it may be about. */
const scope = 3;

const english = languageOf("en");
const negations = new Set("not no never none nothing nobody neither nor cannot without hardly rarely seldom".split(" "));
/** "not only", "no matter", "not necessarily" negate nothing. */
const noNegation = new Set("only just merely matter necessarily sooner longer doubt".split(" "));
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
  /** As it is written, in small letters. */
  word: string;
  /** What it is compared by; empty for a word without content. */
  stem: string;
  /** 1 for the first content word after a negation, up to `scope`; 0 when nothing negates it. */
  negated: number;
}

interface Sentence {
  words: Word[];
  stems: ReadonlySet<string>;
  spelt: ReadonlySet<string>;
}

/** A passage taken apart once for all the claims that are held against it. */
export interface Sentences {
  all: readonly Sentence[];
  /** Which of them have a stem, by their index. */
  holding: ReadonlyMap<string, readonly number[]>;
}

/** The sentences of a passage that state something. */
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
  return { all, holding };
}

/** What of a claim is turned around, as the claim writes it (nothing when it only leaves a negation out); null when nothing is. */
export function turnedAround(claim: string, passages: readonly Sentences[]): string[] | null {
  const said = sentenceOf(claim);
  if (said.stems.size < 2) return null;
  const alike = passages.flatMap((passage) => likeIt(said.stems, passage));
  if (alike.length === 0) return null;
  return byNegation(said, alike) ?? byOpposite(said, alike) ?? null;
}

/** The sentences that have enough of a claim's stems. Only those that have any of them are looked at. */
function likeIt(stems: ReadonlySet<string>, { all, holding }: Sentences): Sentence[] {
  const shared = new Map<number, number>();
  for (const stem of stems) for (const index of holding.get(stem) ?? []) shared.set(index, (shared.get(index) ?? 0) + 1);
  return all.filter((_, index) => (shared.get(index) ?? 0) / stems.size >= sameSentence);
}

/** A word that the claim negates and no such sentence does, or the other way round. */
function byNegation(said: Sentence, alike: readonly Sentence[]): string[] | null {
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

/** Whether each stem is directly behind a negation wherever it stands, or behind none anywhere. */
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

/** A word whose opposite stands in its place. What is compared the other way round as well says the same again. */
function byOpposite(said: Sentence, alike: readonly Sentence[]): string[] | null {
  for (const pair of opposites)
    for (const [mine, other] of [pair, [pair[1], pair[0]] as const]) {
      if (!said.spelt.has(mine) || said.spelt.has(other)) continue;
      const against = alike.filter(({ spelt }) => spelt.has(other));
      if (against.length === 0 || alike.some(({ spelt }) => spelt.has(mine))) continue;
      if (said.words.some(({ word, negated }) => word === mine && negated > 0)) continue;
      if (against.every(({ words }) => inOrder(said.words, mine, words, other))) return [mine];
    }
  return null;
}

/** Whether what stands before a word of one sentence stands before that of the other, too. */
function inOrder(said: readonly Word[], mine: string, sentence: readonly Word[], other: string): boolean {
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
  return { words, stems: stemsOf(words), spelt: new Set(words.map(({ word }) => word)) };
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
    if (noNegation.has(token) && found.at(-1) && negations.has(found.at(-1)?.word ?? "")) negated = 0;
    const stem =
      words(token).length > 0 && !english.stopWords.has(token) && !emptyWords.has(token) ? (termsOf(token, english).at(-1) ?? "") : "";
    found.push({ word: token, stem, negated: stem ? negated : 0 });
    if (stem && negated > 0) negated = negated === scope ? 0 : negated + 1;
  }
  return found;
}

/** Words that carry a negation, not what is negated. */
const emptyWords = new Set(
  "do does did doing done would should could must may might will shall any anything all every just even also very so only been being such".split(
    " ",
  ),
);

const stemsOf = (sentence: readonly Word[]): Set<string> => new Set(sentence.flatMap(({ stem }) => stem || []));
const share = (of: ReadonlySet<string>, among: ReadonlySet<string>): number =>
  of.size === 0 ? 0 : [...of].filter((stem) => among.has(stem)).length / of.size;

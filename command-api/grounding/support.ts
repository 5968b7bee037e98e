import { languageOf, queryTerms, termsOf } from "@colloquy/projections/passages/queries.ts";
import type { Citation } from "@colloquy/schemas/ask/citations.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import type { Claim } from "./citations.ts";
import type { TurnPassage } from "./retrieve.ts";
import { isTyped, numbersClaimed, numbersOf, typedIn } from "./support-numbers.ts";
import { type Sentences, sentencesOf, turnedAround } from "./support-opposites.ts";

/** A claim that the passages it names do not carry, and the words and numbers of it that they lack; none when it turns them around. */
export interface Doubt {
  claim: Claim;
  missing: string[];
}

/** A claim is doubted when more than this share of its content words stands in none of its passages; tuned on `evaluation/claims.txt`. */
const missingShare = 0.6;
/** Shorter claims ("Yes.") say too little to be judged by their words. */
const fewestWords = 3;
/** Share of function words from which a text is taken for English; English prose has some 40 %, a terse sentence 10 %, German hardly any. */
const englishShare = 0.1;

const english = languageOf("en");

/**
 * Which claims their passages do not carry, as far as words tell: every number of a claim, and what it says is typed, must stand in a
 * passage it names (or in the question), and enough of its content words; and it must not turn one of their sentences around.
 * A claim in another language than its passages is judged by its numbers and what is typed alone.
 */
export function doubtful(claims: readonly Claim[], question: string): Doubt[] {
  const asked = { terms: new Set(termsOf(question, english)), numbers: new Set(numbersOf(question)) };
  const judged = claims.slice(0, bounds.citation.judged);
  const inEnglish = isEnglish([shareOfEnglish(judged.map(({ text }) => text).join("\n"))]);
  const known = new Map<TurnPassage, Facts>();
  /** Most claims stand on the same few passages: each of those is taken apart once. */
  const facts = (passage: TurnPassage): Facts => {
    const those = known.get(passage) ?? factsOf(passage);
    known.set(passage, those);
    return those;
  };
  return judged.flatMap((claim) => {
    const grounds = [...new Set([...claim.marks.map(({ passage }) => passage), ...claim.also])].map(facts);
    const numbers = numbersClaimed(claim.text).filter(
      (number) => !grounds.some(({ said }) => said.has(number)) && !asked.numbers.has(number),
    );
    const typed = typedIn(claim.text).filter((code) => !grounds.some(({ types }) => types(code)) && !isTyped(code, question));
    const comparable = inEnglish === isEnglish(grounds.map(({ share }) => share));
    const words = comparable ? missingWords(claim.text, (term) => grounds.some(({ terms }) => terms.has(term)), asked.terms) : [];
    const turned = comparable
      ? turnedAround(
          claim.text,
          grounds.map(({ sentences }) => sentences),
        )
      : null;
    const missing = [...new Set([...numbers, ...typed, ...words, ...(turned ?? [])])]
      .slice(0, bounds.citation.missingWords)
      .map((word) => word.slice(0, bounds.citation.missingWordLength));
    return missing.length > 0 || turned ? [{ claim, missing }] : [];
  });
}

/** What a passage has, in the forms that claims are held against. */
interface Facts {
  said: ReadonlySet<string>;
  terms: ReadonlySet<string>;
  share: EnglishShare;
  sentences: Sentences;
  /** Whether it has what is typed, asked once for each. */
  types(code: string): boolean;
}

function factsOf(passage: TurnPassage): Facts {
  const text = [...passage.source.trail, passage.source.title, passage.heading, passage.text].join("\n");
  const typed = new Map<string, boolean>();
  return {
    said: new Set(numbersOf(text)),
    terms: new Set(termsOf(text, english)),
    share: shareOfEnglish(text),
    sentences: sentencesOf(passage.text),
    types(code) {
      const found = typed.get(code) ?? isTyped(code, text);
      typed.set(code, found);
      return found;
    },
  };
}

/** The content words of a claim that a text lacks, as the claim writes them; none when enough of them are there. */
function missingWords(claim: string, isThere: (term: string) => boolean, asked: ReadonlySet<string>): string[] {
  const wanted = queryTerms(claim, english).filter((term) => isWord(term) && !asked.has(term) && !ofTheCourse.has(term));
  if (wanted.length < fewestWords) return [];
  const missing = new Set(wanted.filter((term) => !isThere(term)));
  if (missing.size / wanted.length <= missingShare) return [];
  const written = [...claim.matchAll(/\p{L}+/gu)].map(([word]) => word);
  return [...new Set(written.filter((word) => termsOf(word, english).some((term) => missing.has(term))))];
}

/** Words that speak of the course instead of its subject ("the lesson explains this under …"). */
const ofTheCourse = new Set(
  "course lesson chapter section page passage text source topic under describe mention state cover according above below following"
    .split(" ")
    .flatMap((word) => termsOf(word, english)),
);

/** Words alone, without their compounds, signs and numbers, which have a rule of their own. */
const isWord = (term: string): boolean => /^\p{L}+$/u.test(term);

const functionWords = new Set(
  "the a an of to in is are and or that this it you for with as by on not be can its from at which when if then what has have was will".split(
    " ",
  ),
);

/** A text's words, and those of them that are English function words. */
interface EnglishShare {
  words: number;
  functional: number;
}

function shareOfEnglish(text: string): EnglishShare {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  return { words: words.length, functional: words.filter((word) => functionWords.has(word)).length };
}

const isEnglish = (texts: readonly EnglishShare[]): boolean =>
  texts.reduce((sum, { functional }) => sum + functional, 0) >= englishShare * texts.reduce((sum, { words }) => sum + words, 0);

/** The citations with what was doubted of the claims they stand for: at which of their marks, counted from 1, and what is missing. */
export function withDoubts(citations: readonly Citation[], claims: readonly Claim[], doubts: readonly Doubt[]): Citation[] {
  const missingOf = new Map(doubts.map(({ claim, missing }) => [claim, missing]));
  const marks = new Map<number, number>();
  const found = new Map<number, NonNullable<Citation["unsupported"]>>();
  for (const claim of claims)
    for (const { number } of claim.marks) {
      const mark = (marks.get(number) ?? 0) + 1;
      marks.set(number, mark);
      const missing = missingOf.get(claim);
      if (missing) found.set(number, [...(found.get(number) ?? []), { mark, missing }]);
    }
  return citations.map((citation) => {
    const unsupported = found.get(citation.number)?.slice(0, bounds.citation.unsupported);
    return unsupported ? { ...citation, unsupported } : citation;
  });
}

import { languageOf, queryTerms, termsOf } from "@colloquy/projections/passages/queries.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import type { Citation } from "@colloquy/schemas/sources/citations.ts";
import type { Claim } from "./citations.ts";
import type { TurnPassage } from "./retrieve.ts";
import { contradictionIn, type Sentences, sentencesOf } from "./support-contradictions.ts";
import { hasLiteral, literalsIn, numbersClaimedIn, numbersOf } from "./support-numbers.ts";

/** A claim that its cited passages do not support, and its words and numbers that they lack; none if it contradicts them. */
export interface UnsupportedClaim {
  claim: Claim;
  missing: string[];
}

/** A claim is unsupported if more than this share of its content words is in none of its passages; tuned on `evaluation/claims.txt`. */
const missingShare = 0.6;
/** Claims with fewer content words ("Yes.") are not judged by words. */
const fewestWords = 3;
/** Least share of function words in English text; English prose has some 40 %, a terse sentence 10 %, German hardly any. */
const englishShare = 0.1;

const english = languageOf("en");

/**
 * Finds unsupported claims by a comparison of words: each number and literal of a claim must be in a cited passage or in the question, and
 * so must enough of its content words; and it must not contradict a sentence of them. A claim in another language than its passages is
 * judged by numbers and literals only.
 */
export function unsupportedByWords(claims: readonly Claim[], question: string): UnsupportedClaim[] {
  const asked = { terms: new Set(termsOf(question, english)), numbers: new Set(numbersOf(question)) };
  const judged = claims.slice(0, bounds.citation.judged);
  const inEnglish = isEnglish([shareOfEnglish(judged.map(({ text }) => text).join("\n"))]);
  const known = new Map<TurnPassage, Facts>();
  /** Cached: most claims cite the same few passages. */
  const factsOfPassage = (passage: TurnPassage): Facts => {
    const those = known.get(passage) ?? factsOf(passage);
    known.set(passage, those);
    return those;
  };
  return judged.flatMap((claim) => {
    const grounds = [...new Set([...claim.marks.map(({ passage }) => passage), ...claim.earlierPassages])].map(factsOfPassage);
    const numbers = numbersClaimedIn(claim.text).filter(
      (number) => !grounds.some(({ numbers: said }) => said.has(number)) && !asked.numbers.has(number),
    );
    const typed = literalsIn(claim.text).filter(
      (code) => !grounds.some(({ hasLiteral: types }) => types(code)) && !hasLiteral(code, question),
    );
    const comparable = inEnglish === isEnglish(grounds.map(({ share }) => share));
    const words = comparable ? missingWords(claim.text, (term) => grounds.some(({ terms }) => terms.has(term)), asked.terms) : [];
    const contradiction = comparable
      ? contradictionIn(
          claim.text,
          grounds.map(({ sentences }) => sentences),
        )
      : null;
    const missing = [...new Set([...numbers, ...typed, ...words, ...(contradiction ?? [])])]
      .slice(0, bounds.citation.missingWords)
      .map((word) => word.slice(0, bounds.citation.missingWordLength));
    return missing.length > 0 || contradiction ? [{ claim, missing }] : [];
  });
}

/** What of a passage claims are compared with. */
interface Facts {
  numbers: ReadonlySet<string>;
  terms: ReadonlySet<string>;
  share: EnglishShare;
  sentences: Sentences;
  /** Cached. */
  hasLiteral(code: string): boolean;
}

function factsOf(passage: TurnPassage): Facts {
  const text = [...passage.source.trail, passage.source.title, passage.heading, passage.text].join("\n");
  const typed = new Map<string, boolean>();
  return {
    numbers: new Set(numbersOf(text)),
    terms: new Set(termsOf(text, english)),
    share: shareOfEnglish(text),
    sentences: sentencesOf(passage.text),
    hasLiteral(code) {
      const found = typed.get(code) ?? hasLiteral(code, text);
      typed.set(code, found);
      return found;
    },
  };
}

/** The content words of a claim that the passages lack, as the claim spells them; none if the passages have enough of them. */
function missingWords(claim: string, isThere: (term: string) => boolean, asked: ReadonlySet<string>): string[] {
  const wanted = queryTerms(claim, english).filter((term) => isWord(term) && !asked.has(term) && !courseWords.has(term));
  if (wanted.length < fewestWords) return [];
  const missing = new Set(wanted.filter((term) => !isThere(term)));
  if (missing.size / wanted.length <= missingShare) return [];
  const written = [...claim.matchAll(/\p{L}+/gu)].map(([word]) => word);
  return [...new Set(written.filter((word) => termsOf(word, english).some((term) => missing.has(term))))];
}

/** Words about the course instead of its subject ("the lesson explains this under …"), also in German and Arabic beside quotations. */
const courseWords = new Set(
  "course lesson chapter section page passage text source topic under describe mention state cover according above below following kurs lektion kapitel abschnitt seite sagt mehr unter und der im المقرر القسم الصفحة يقول المزيد في"
    .split(" ")
    .flatMap((word) => termsOf(word, english)),
);

/** Without compounds, signs and numbers, which have rules of their own. */
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

/** The citations, each with the unsupported claims of its marks, counted from 1, and what they lack. */
export function markUnsupported(
  citations: readonly Citation[],
  claims: readonly Claim[],
  unsupported: readonly UnsupportedClaim[],
): Citation[] {
  const missingOf = new Map(unsupported.map(({ claim, missing }) => [claim, missing]));
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
    const marksWithout = found.get(citation.number)?.slice(0, bounds.citation.unsupported);
    return marksWithout ? { ...citation, unsupported: marksWithout } : citation;
  });
}

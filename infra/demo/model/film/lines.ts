import { reversalOf } from "@colloquy/schemas/explainers/reversals.ts";
import { type Fact, factsOf, isLesson, standsAlone } from "../facts.ts";
import { codeMarked } from "../markdown.ts";
import { leansBack } from "../ranking.ts";
import { type Passage, type Segment, segmentsOf } from "../segments.ts";
import { wordsOf } from "../select.ts";
import { isBalanced } from "./labels.ts";
import { spoken } from "./plain-math.ts";

/** A whole sentence of the course that can be said in a film, with its words as they stand there. */
export interface Line {
  fact: Pick<Fact, "segment" | "text" | "subject" | "predicate">;
  passage: Passage;
  said: string;
  quote: string;
  words: number;
  order: number;
  paragraph: number;
  /** Speaks of its subject alone: to nobody, of no story. */
  plain: boolean;
  /** The next sentence, where that goes on with this one and is not understood without it. */
  next: { said: string; quote: string; words: number } | null;
}

/** Beginnings that only mean something where a sentence stands. */
const dependentBeginning =
  /^(?:(?:long|short|good|far) enough|in \p{Ll}+ both|so|therefore|thus|hence|but|and|or|such|that|this|these|those|it(?!(?:'s| is) (?:an?|the|very|easy|hard|best|important|possible|common|better|wise|often|usually)\b)|its|they|their|here|there(?:'s| is only)|now|then|also|too|next|again|finally|instead|otherwise|however|besides|similarly|for (?:example|instance)|in (?:words|this|that|these|our|the example|particular|addition|fact|both|each|either)|as (?:an?|another|we|before|usual)|note|remember|recall|notice|think|consider|suppose|another|both|neither|either|one|others?|some|many|most|each|the (?:other|others|first|second|third|last|above|following|latter|former|result|output|answer|example|proof|idea|reason|key|rest|next|effect|problem|trick|point|question|exercise|solution|code|figure|command|commands|triangle|inscription|macro)\b(?! of\b))\b/iu;
/** Speaks of another place of the text, of what is shown on the page, or of how it is taught. */
const pointsElsewhere =
  /\b(?:as we (?:saw|have seen)|we(?:'ve| have) (?:already|seen|met)|(?:last|previous|next|this|these|following|present) (?:chapters?|sections?|lessons?|episodes?|exercises?|examples?|commands?|two|three|tutorial|book|course)|in our case|the example|in the meanwhile|mentioned|like this|provides another|the two|in any case|chapters?|however|therefore|we will (?:now|explain|see|discuss|describe|return|use)|doing so|do (?:that|this)|exercises?|above|below|previous(?:ly)?|earlier|shell-lesson-data|figure|described|illustrated|instructors?|workshop|(?:first|second|last|third|next) (?:example|command|line|case|version|presentation|proof|definition))\b|\(e\.g\.?|\bsuch as these\b/i;
const personal = /\b(?:i|i'm|my|let's|let us|we'll|we're|we've|nelle|nelle's|her|she|he|his|jimmy|thing)\b/i;
const spokenTo = /\b(?:we|you|us|our|your)\b/i;

/** What can be said of the passages, in reading order. */
export function linesOf(passages: readonly Passage[]): Line[] {
  const facts = new Map(factsOf(passages).map((fact) => [fact.segment, fact]));
  return passages.flatMap((passage) => {
    // The caption of a formula or a table is said where that is shown.
    if (!isLesson(passage) || /\bNelle/.test(passage.title) || /^(?:math|table|code)$/.test(passage.kind ?? "")) return [];
    return segmentsOf(passage).flatMap((segment): Line[] => {
      if (segment.kind !== "sentence" && segment.kind !== "item") return [];
      const fact = facts.get(segment) ?? { segment, text: codeMarked(segment.text), subject: null, predicate: null };
      const line = spokenSentence(segment, { least: 5, most: 29 });
      // An entry with a name of its own is only understood with it.
      if (
        line &&
        passage.text.split("\n").some((row) => /^\p{Lu}[\p{L} ]{2,24}:\s/u.test(row) && row.replace(/\s+/g, " ").includes(line.quote))
      )
        return [];
      const opens = segment.order === 0 && (passage.kind === "prose" || passage.kind === "key-points");
      if (
        !line ||
        dependentBeginning.test(line.said) ||
        /^[^,]{0,40}, they\b|^\p{Lu}\p{Ll}+ly, (?:it|this|that)\b|\b(?:this|these|those) \p{Ll}+/u.test(line.said) ||
        (leansBack(segment) && !opens && !facts.has(segment) && !/^It(?:'s| is) an? /.test(line.said))
      )
        return [];
      if (!/^[\p{Lu}\p{N}"“'(`]/u.test(line.said) && !facts.has(segment)) return [];
      const plain = facts.has(segment) && standsAlone(facts.get(segment) as Fact) && !spokenTo.test(line.said);
      const { order, paragraph } = segment;
      const whole = withContradiction({ ...line, fact, passage, order, paragraph, plain, next: nextSentence(segment) });
      return whole ? [whole] : [];
    });
  });
}

/** A sentence as it is said, where it is whole, speaks of nothing elsewhere and has a length that can be heard. */
function spokenSentence({ raw }: Segment, { least, most }: { least: number; most: number }): Pick<Line, "said" | "quote" | "words"> | null {
  const bare = raw.replace(/^\s*(?:[-*+•]|\d{1,2}[.)])\s+/, "");
  // What stands in brackets is for the eye.
  const said = spoken(bare.replace(/\[([^\]]+)\]\([^)]*\)/g, "$1").replace(/\s+\((?=\p{Ll}+\s)[^()]{14,}\)/gu, ""));
  const quote = bare.replace(/\s+/g, " ").trim();
  // "Stick with letters, numbers, ." lost what stood there as code, "matches any file" what it speaks of.
  if (said === null || /[,;:]\s*[.!]$|^\p{Ll}{5,}s\s/u.test(said) || !/[.!]["'”’)]*$/.test(said) || /[?:]/.test(said.slice(-2)))
    return null;
  if (pointsElsewhere.test(said) || personal.test(said) || !isBalanced(said)) return null;
  const words = wordsOf(said);
  return words >= least && words <= most && quote.length <= 300 ? { said: sentenceCase(said), quote, words } : null;
}

/** Tells somebody to do something, and is no statement. */
export const imperative = /^(?:watch|look|let|see|try|take|choose|put|write|find|go|start|use|check|ask|give|keep|make|do|try)\b/i;

/** What a topic's author says of it in a sentence or two, where that can be heard in one breath. */
export function summaryOf(passages: readonly Passage[]): Pick<Line, "passage" | "said" | "quote"> | null {
  const [passage] = passages;
  if (passage?.kind !== "prose" || passage.trail.at(-1) !== passage.title) return null;
  const text = passage.text.replace(/\s+/g, " ").trim();
  const said = spoken(text);
  if (
    said === null ||
    text.length > 240 ||
    !/^\p{Lu}.*[.!]$/su.test(said) ||
    dependentBeginning.test(said) ||
    personal.test(said) ||
    spokenTo.test(said)
  )
    return null;
  return wordsOf(said) >= 6 && wordsOf(said) <= 26 ? { passage, said, quote: text } : null;
}

const leaning = /^(?:It|They|Its|Their|This|So|Therefore|Thus|That is why|Then|But|However|Yet|Instead|Such|In other words|Otherwise)\b/;

function nextSentence(segment: Segment): Line["next"] {
  const next = segmentsOf(segment.passage)[segment.order + 1];
  if (next?.kind !== "sentence" || next.paragraph !== segment.paragraph || !leaning.test(next.text)) return null;
  return spokenSentence(next, { least: 4, most: 20 });
}

/** A sentence that the next one turns round ("But this is wrong: …") is said with that or not at all. */
function withContradiction(line: Line): Line | null {
  const { fact, said, quote, words, next } = line;
  const segment = segmentsOf(line.passage)[fact.segment.order + 1];
  if (segment?.paragraph !== line.paragraph || reversalOf(segment.text) === null) return line;
  if (!next || words + next.words > 34 || quote.length + next.quote.length >= 300) return null;
  return { ...line, said: `${said} ${next.said}`, quote: `${quote} ${next.quote}`, words: words + next.words, next: null };
}

/** A sentence begins with a capital letter, unless it begins with a name of code. */
const sentenceCase = (text: string): string =>
  /^(?:the|an?|every|each|to|if|when|in|on|with)\b/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;

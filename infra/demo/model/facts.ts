import { codeMarked } from "./markdown.ts";
import { isTaskList, leansBack } from "./ranking.ts";
import { type Passage, type Segment, segmentsOf } from "./segments.ts";
import { wordsOf } from "./select.ts";
import { terms } from "./terms.ts";

/** A sentence of a course that says one thing by itself, and can be asked about. */
export interface Fact {
  segment: Segment;
  /** The sentence in one line. */
  text: string;
  /** "`wc`" and "is the word count command …" when the sentence says what something is or does. */
  subject: string | null;
  predicate: string | null;
  /** Words of the sentence that may be left out and asked for: code, emphasised words, nouns. */
  gaps: string[];
}

const verb =
  /^((?:(?:an?|the|every|each)\s+)?(?:`[^`]+`|\*\*[^*]+\*\*|\*[^*]+\*|[\p{L}\p{N}'’-]+)(?:\s+(?:`[^`]+`|[\p{L}\p{N}'’-]+)){0,3}?)\s+((?:is|are|means?|refers to|stands for|denotes|consists? of|represents|returns|prints|shows|lists|creates|removes|deletes|copies|moves|counts|sorts|finds|searches|selects|matches|displays|tells|takes|keeps|measures|describes|scales|sends|allows|changes)\b.+)$/iu;
/** Beginnings that are no subject: pronouns, prepositions, clauses. */
const noSubject =
  /^(?:it|its|this|that|these|those|they|their|them|we|you|he|his|she|her|there|here|what|which|who|whose|if|when|while|where|how|why|one|some|many|most|few|both|all|our|your|my|let|to|without|with|in|on|at|by|for|from|after|before|because|since|as|of|though|although|once|but|and|or|so|then|only|not|instead|under|during|until|next|first|finally|now)\b|\b(?:that|which|who|there|if|when|we|you)\b/i;
const imperative =
  /^(?:explain|describe|identify|write|use|create|try|note|recall|suppose|imagine|consider|let|now|find|compute|show|check|take|choose|add|multiply|build|start|plan|do|don't|keep|make|redirect|construct|combine|translate|demonstrate|learn|give|list|name|run|type|look|look|think|put|set|pick|prove|define|open|see|go|remember|draw|work|read|change|decide|compare|state|copy|delete|move|test|help|feel)\b(?!\s+(?:is|are|was|of)\b)/i;
const pointing =
  /\b(?:above|below|previous|following|earlier|later|next|first two|figure|table|chapter|episode|section|exercise|as we|just)\b/i;
const personal = /\b(?:here|example|we|us|our|you|your|let's|i|now)\b/i;

/** The facts of passages, in reading order. */
export function factsOf(passages: readonly Passage[]): Fact[] {
  return passages.flatMap((passage) =>
    /^(?:solutions?|exercises?)\b/i.test(passage.title) ||
    isTaskList(passage) ||
    /\b(?:instructors?|learner profiles)\b/i.test(passage.trail.join(" "))
      ? []
      : segmentsOf(passage).flatMap((segment) => factOf(segment) ?? []),
  );
}

function factOf(segment: Segment): Fact | null {
  if (segment.kind !== "sentence" && segment.kind !== "item") return null;
  const text = codeMarked(segment.text);
  const words = wordsOf(text);
  if (words < 6 || words > 45 || text.length > 320) return null;
  if (!/\.["'”)]?$/.test(text) || /\be\.g\.$/.test(text) || /[?:]$/.test(text) || leansBack(segment) || /^[a-z]/.test(text)) return null;
  if (imperative.test(text)) return null;
  const found = verb.exec(text);
  const subject = found?.[1] && !noSubject.test(found[1]) && terms(found[1]).length > 0 ? found[1] : null;
  const predicate = subject && found?.[2] && wordsOf(found[2]) >= 4 ? found[2] : null;
  const gaps = gapsOf(text);
  if (!predicate && !gaps.length) return null;
  return { segment, text, subject: predicate ? subject : null, predicate, gaps };
}

/** Whether a fact can be understood by someone who does not see the page around it; loosely, it may speak to the reader. */
export const standsAlone = (fact: Fact, loosely = false): boolean => !pointing.test(fact.text) && (loosely || !personal.test(fact.text));

/** Words that carry the sentence: code, emphasised words, then nouns. */
export function gapsOf(text: string): string[] {
  const code = [...text.matchAll(/`([^`\s]{1,24}|[^`]{1,18})`/g)].map((match) => match[0]);
  const emphasised = [...text.matchAll(/\*{1,2}([^*]{3,30})\*{1,2}/g)]
    .map((match) => match[1] ?? "")
    .filter((word) => word.length > 3 && terms(word).length > 0);
  // A noun by its place: after an article and before what goes on.
  const nouns = [
    ...text
      .replace(/`[^`]*`|\$[^$]*\$|\\\([\s\S]*?\\\)/g, " ")
      .matchAll(
        /(?<=\b(?:the|an?|of|its|their|each|every|no)\s)[\p{Ll}]{5,}(?=\s(?:of|is|are|in|to|and|or|that|which|from|on|for|with|as|by)\b|[.,;!])/gu,
      ),
  ]
    .map((match) => match[0])
    .filter(
      (word) =>
        terms(word).length === 1 && !/^(?:second|first|third|other|same|whole|latter|former|least|following|thing|above|below)$/.test(word),
    )
    .toSorted((a, b) => b.length - a.length);
  return [...new Set([...code, ...emphasised, ...nouns])].filter((gap) => text.split(gap).length === 2).slice(0, 5);
}

/** Numbers that look random and are the same for the same text: an order for choices that gives nothing away. */
export function seeded(text: string): () => number {
  let state = 2_166_136_261;
  for (let index = 0; index < text.length; index++) state = Math.imul(state ^ text.charCodeAt(index), 16_777_619);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function shuffled<T>(values: readonly T[], random: () => number): T[] {
  const result = [...values];
  for (let index = result.length - 1; index > 0; index--) {
    const other = Math.floor(random() * (index + 1));
    [result[index], result[other]] = [result[other] as T, result[index] as T];
  }
  return result;
}

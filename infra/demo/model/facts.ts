import { codeMarked } from "./markdown.ts";
import { isTaskList, leansBack } from "./ranking.ts";
import { isOnTeaching, type Passage, type Segment, segmentsOf } from "./segments.ts";
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

const verb = new RegExp(
  `^((?:(?:an?|the|every|each)\\s+)?(?:\`[^\`]+\`|\\*\\*[^*]+\\*\\*|\\*[^*]+\\*|[\\p{L}\\p{N}'’_-]+)(?:\\s+(?:\`[^\`]+\`|[\\p{L}\\p{N}'’_-]+)){0,3}?)\\s+(` +
    `(?:is|are|means?|refers to|stands for|denotes|consists? of|represents|returns|prints|shows|lists|creates|removes|deletes|copies|moves|counts|` +
    `sorts|finds|searches|selects|matches|displays|tells|takes|keeps|measures|describes|scales|sends|allows|changes|applies|closes|navigates|` +
    `introduces|yields|iterates|produces|provides|supports|requires|gives|makes|adds|defines|constructs|turns|contains|holds|helps|needs|` +
    `strengthens|forces|expands|replaces|reads|writes|runs|opens|ends|begins|depends|acts|multiplies|stretches|preserves|can|must)\\b.+)$`,
  "iu",
);
/** Beginnings that are no subject: pronouns, prepositions, clauses. */
const noSubject =
  /^(?:it|its|this|that|these|those|they|their|them|we|you|he|his|she|her|there|here|what|which|who|whose|if|when|while|where|how|why|one|some|many|most|few|both|all|our|your|my|let|to|without|with|in|on|at|by|for|from|after|before|because|since|as|of|though|although|once|but|and|or|so|then|only|not|instead|under|during|until|next|first|finally|now)\b|\b(?:that|which|who|there|if|when|we|you)\b|\b(?:also|often|usually|always|never|generally|typically|simply|just|only|of|in|to|for|with)$/i;
const imperative =
  /^(?:explain|describe|identify|write|use|create|try|note|recall|suppose|imagine|consider|let|now|find|compute|show|check|take|choose|add|multiply|build|start|plan|do|don't|keep|make|redirect|construct|combine|translate|demonstrate|learn|give|list|name|run|type|look|look|think|put|set|pick|prove|define|open|see|go|remember|draw|work|read|change|decide|compare|state|copy|delete|move|test|help|feel|edit|save|modify|remove|rename|install|download|click|press|enter|adjust|insert|paste|launch|visit|examine|inspect|execute|complete|discuss|rewrite|verify|ensure)\b(?!\s+(?:is|are|was|of)\b)/i;
const pointing = /\b(?:above|below|previous|following|earlier|next|first two|figure|table|chapter|episode|section|exercise|as we|just)\b/i;
const personal = /\b(?:here|example|we|us|our|you|your|let's|i|now|s?he|her|his|him)\b/i;

/** What is said to who teaches, or of the text itself, is nothing to be asked about. */
const ofTheText = /\bminutes of\b|\b(?:this|these|our|the) (?:lessons?|episodes?|book|tutorial|workshop|notes)\b/i;
const ofTeaching = new RegExp(`\\binstructors?\\b|\\blearners (?:can|will|may|should|might)\\b|${ofTheText.source}`, "i");

/** Whether a sentence speaks of the course as a text, not of its subject. */
export const isOfTheText = ({ text, passage }: Pick<Segment, "text" | "passage">): boolean =>
  (isOnTeaching(passage) ? ofTheText : ofTeaching).test(text);
/** Whether a text leads over from another part of the course. */
export const leadsOver = (text: string): boolean =>
  /\b(?:previous|preceding|last|next|earlier|later) (?:chapters?|episodes?|lessons?|sections?)\b/i.test(text);

/** Beginnings that hang on what stood before, wherever the sentence is shown: connectives, pointers, a thing not said. */
const dangling =
  /^(?:while we|in the (?:first|second|third|next|last) (?:line|command|row|column)s?|(?:in|for) (?:our|this|that|these|those|such|the (?:same|latter|former|present|last)) (?:cases?|examples?|instances?|situations?|ways?)|in (?:particular|addition|fact|general|contrast|other words|the (?:example|end|meantime))|on the (?:other|one) hand|as (?:a result|before|always|such|with|we|you|usual)|the (?:key|effect|result|reason|answer|output|trick|former|latter|point|problem|difference|other|others|first|second|third|last|next|rest|same|example|figure|code|solution|idea|one|ones|many|few|above)\b(?! of\b)|(?:both|neither|either|all|none|some|many|most|each|one|ones|others?|another|two|three|several|few|positive|negative|zero)\b(?= (?:of (?:these|those|them)|is|are|was|can|contain|have|has|do|does|needs?)\b|:)|however|otherwise|instead|finally|conversely|similarly|likewise|again|alternatively|consequently|accordingly|nevertheless|nonetheless|meanwhile|further(?:more)?|besides|still|yet|too|likely|firstly|secondly|often|sometimes|usually|once|since|because|although|though|to do (?:so|this)|doing (?:so|this)|like (?:this|that)|from (?:this|that|there|here)|with (?:this|that)|by (?:this|that)|after (?:this|that))\b/i;
/** What is left of a sentence when a link, a picture or a mark in it was dropped. */
const emptied = /“\s*”|"\s*"|``|\(\s*\)|\[\s*\]|\s[,.;:](?:\s|$)/;
/** Things, people and data of a course's story. */
const named = /\b(?:Nelle|Alice|Bob|Jimmy|Sam|Ahmed|Fred|Thing\d?)\b|\/Users\/|\/home\//;

const noLesson = /\b(?:learner profiles|licen[cs]es?|acknowledge?ments|overview|questions|objectives|setup)\b/i;
const toTeachers = /\b(?:instructors?|teachers)\b/i;

/**
 * Whether a passage is a lesson: no notes to teachers, times, overview of questions, task or solution, and more than what a program
 * printed.
 */
export function isLesson(passage: Passage): boolean {
  if (/^(?:solutions?|exercises?)\b/i.test(passage.title) || isTaskList(passage)) return false;
  if (/^(?:exercise|solution|figure|objectives)$/.test(passage.kind ?? "")) return false;
  if (
    noLesson.test(passage.title) ||
    (toTeachers.test(passage.title) && !isOnTeaching(passage)) ||
    // The first of the trail is the course.
    /\b(?:instructors?|learner profiles|licen[cs]es?|acknowledge?ments?)\b/i.test(passage.trail.slice(1).join(" "))
  )
    return false;
  if (/\bminutes of (?:teaching|exercises)\b/i.test(passage.text)) return false;
  const segments = segmentsOf(passage);
  const asks = segments.filter(({ text }) => text.endsWith("?")).length;
  if (segments.length > 0 && asks * 2 > segments.length) return false;
  // Paths and names alone, a line each, are what a program printed.
  return !/^(?:\s*[^\s.]*[/~][^\s]*\s*\n?)+$/.test(passage.text);
}

/** The facts of passages, in reading order. */
export function factsOf(passages: readonly Passage[]): Fact[] {
  return passages.flatMap((passage) => (isLesson(passage) ? segmentsOf(passage).flatMap((segment) => factOf(segment) ?? []) : []));
}

/** A segment's text with its code marked: Markdown has marks of its own, and its stars are emphasis. */
export const codeMarkedIn = ({ text, passage }: Segment): string => (passage.isMarkdown ? text : codeMarked(text));

/** "`nrow(x)` - returns the number of rows": an entry, no sentence. */
const described = /^(?:`[^`]+`|\*\*[^*]+\*\*)\s*[-–—:]+\s/;

function factOf(segment: Segment): Fact | null {
  if (segment.kind !== "sentence" && segment.kind !== "item") return null;
  const text = codeMarkedIn(segment);
  const words = wordsOf(text);
  if (words < 6 || words > 45 || text.length > 320) return null;
  if (!/\.["'”)]?$/.test(text) || /\be\.g\.$/.test(text) || /[?:]$/.test(text) || leansBack(segment)) return null;
  if (
    imperative.test(text) ||
    isOfTheText({ text, passage: segment.passage }) ||
    dangling.test(text) ||
    emptied.test(text) ||
    named.test(text)
  )
    return null;
  if (/\bhowever\b/i.test(text.slice(-12)) || text.startsWith("(") || described.test(text)) return null;
  const found = verb.exec(text);
  const subject = found?.[1] && !noSubject.test(found[1]) && terms(found[1]).length > 0 ? found[1] : null;
  const predicate = subject && found?.[2] && wordsOf(found[2]) >= 4 ? found[2] : null;
  // Only a name of code may stand first in small letters.
  if (/^[a-z]/.test(text) && (!predicate || !/^[\w.]+$/.test(subject ?? ""))) return null;
  const gaps = gapsOf(text);
  return { segment, text, subject: predicate ? subject : null, predicate, gaps };
}

/** Whether a fact can be understood by someone who does not see the page around it; loosely, it may speak to the reader. */
export const standsAlone = (fact: Fact, loosely = false): boolean => !pointing.test(fact.text) && (loosely || !personal.test(fact.text));

const isAdjective =
  /(?:ful|ous|ible|able|ical|less|ive)$|^(?:different|important|current|single|simple|similar|usual|original|particular|general|specific|natural|entire|certain|large|small|common|special|logical|standard|default|possible|third|equal|exact|final)$/;

/** Words that carry the sentence: code, emphasised words, then nouns. */
export function gapsOf(text: string): string[] {
  const code = [...text.matchAll(/`([^`\s]{1,24}|[^`]{1,18})`/g)].map((match) => match[0]);
  const emphasised = [...text.matchAll(/\*{1,2}([^*]{3,30})\*{1,2}/g)]
    .map((match) => match[1] ?? "")
    .filter((word) => word.length > 3 && !/[.:!?]$/.test(word) && terms(word).length > 0);
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
        terms(word).length === 1 &&
        !isAdjective.test(word) &&
        !/^(?:second|first|third|other|same|whole|latter|former|least|following|things?|above|below|otherwise|case|cases|point|points|reason|reasons|effect|result|results|number|amount|example|examples|others|concerns?|parts?|sense|while|rest|fact|facts|place|moment|start|middle|people|person|answer|question|order|advantage|problem|problems|situation|possible|means|course|idea|ideas|years?|times?|names?|kinds?|types? of|words?|longer|matter)$/.test(
          word,
        ),
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

import { holdsCode } from "./markdown.ts";
import type { Question } from "./question.ts";
import { isOnTeaching, type Passage, type Segment, segmentsOf } from "./segments.ts";
import { related, relatedShare, terms } from "./terms.ts";

/** A segment and how well it fits a question. */
export interface Scored {
  segment: Segment;
  score: number;
  /** Share (0 to 1) of the question's weight that the segment, its heading and its neighbours cover. */
  coverage: number;
}

export interface Ranking {
  /** Best first. Only what has a word in common with the question. */
  best: Scored[];
  /** All segments, by passage, in reading order. */
  byPassage: Map<Passage, Segment[]>;
  /** Share of the question's weight that the best passage covers. */
  coverage: number;
  /** Passages, the best first. */
  passages: { passage: Passage; score: number; coverage: number }[];
  /** Names of the question that no passage holds. */
  missingNames: string[];
}

/** What the application's search, which knows meanings, adds to the score of a passage and of its segments. */
const foundWeight = { passage: 1.2, segment: 0.5 };
/** 1 for the passage that the search put first, less for each further one, 0 for others. */
const foundness = ({ foundAt }: Passage): number => (foundAt === undefined ? 0 : 1 / (1 + 0.3 * foundAt));

/** Share of the weight of the course that the search puts first, from which another course takes part in an answer. */
const leastOfCourse = 0.6;

/**
 * The passages of the course that the search puts first, and of others that it puts nearly as high: words that courses share by chance
 * must not mix their subjects. All of them if the learner attached something, or if none is marked as found.
 */
export function ofFoundCourses(passages: readonly Passage[]): readonly Passage[] {
  if (passages.some(({ isAttached, isSelected }) => isAttached || isSelected)) return passages;
  // What is close in meaning tells the course; many passages that only share words with the question outweigh it otherwise.
  const isCloseFirst = passages.some(({ foundAt, isClose }) => foundAt === 0 && isClose);
  const weightOf = (passage: Passage): number => (isCloseFirst && !passage.isClose ? 0 : foundness(passage));
  const weights = [...Map.groupBy(passages, ({ trail }) => trail[0] ?? "")].map(
    ([course, own]) => [course, sum(own.map(weightOf))] as const,
  );
  const most = Math.max(0, ...weights.map(([, weight]) => weight));
  const kept = new Set(weights.filter(([, weight]) => weight >= most * leastOfCourse).map(([course]) => course));
  return passages.filter(({ trail }) => kept.has(trail[0] ?? ""));
}

// BM25's usual constants; sentences vary less in length than documents, so length counts less.
const k1 = 1.2;
const b = 0.4;

/** Scores every segment of the passages for a question. */
export function rank(passages: readonly Passage[], question: Question): Ranking {
  const byPassage = new Map(passages.map((passage) => [passage, segmentsOf(passage)]));
  const segments = [...byPassage.values()].flat();
  const headings = new Map(passages.map((passage) => [passage, new Set(terms(`${passage.title} ${passage.trail.at(-1) ?? ""}`))]));
  const idf = inverseFrequencies(segments);
  const meanLength = segments.reduce((sum, segment) => sum + segment.terms.length, 0) / Math.max(1, segments.length);
  const total = sum(question.terms.values());

  const scoredPassages = passages
    .map((passage) => {
      const all = new Set((byPassage.get(passage) ?? []).flatMap((segment) => segment.terms));
      for (const term of headings.get(passage) ?? []) all.add(term);
      let score = 0;
      let covered = 0;
      for (const [term, weight] of question.terms) {
        const share = presence(term, all);
        covered += weight * share;
        score += weight * share * (idf(term) + (presence(term, headings.get(passage) ?? all) ? 0.5 : 0));
      }
      return { passage, score: score * (1 + foundWeight.passage * foundness(passage)), coverage: total ? covered / total : 0 };
    })
    .sort((x, y) => y.score - x.score);
  const passageScore = new Map(scoredPassages.map((entry) => [entry.passage, entry.score]));
  const topScore = Math.max(scoredPassages[0]?.score ?? 0, 1e-9);

  const best: Scored[] = [];
  for (const [passage, own] of byPassage) {
    const heading = headings.get(passage) ?? new Set<string>();
    const underSection = question.section !== null && sameWords(passage.title, question.section);
    for (const segment of own) {
      const counts = countsOf(segment.terms);
      const near = new Set([...heading, ...[-1, 1].flatMap((step) => nearby(own, segment, step))]);
      let score = 0;
      let covered = 0;
      for (const [term, weight] of question.terms) {
        // What stands under a heading is about it, even where the words are not said again.
        const count = countOf(term, counts) + 0.25 * presence(term, heading);
        const lengthNorm = k1 * (1 - b + (b * segment.terms.length) / Math.max(1, meanLength));
        score += (weight * idf(term) * count * (k1 + 1)) / (count + lengthNorm);
        covered += weight * Math.max(Math.min(1, count), 0.75 * presence(term, near));
      }
      if (covered <= 0 && !underSection && question.kind !== "summary") continue;
      score += 0.5 * adjacency(segment.terms, question) + (0.6 * (passageScore.get(passage) ?? 0)) / topScore;
      score *= 1 + foundWeight.segment * foundness(passage);
      if (underSection) score += 4;
      else score += 1.2 * likeness(heading, question);
      // An entry of a glossary: its heading is the word, its text says what it means.
      if (isEntry(passage, question) && segment.order === 0) score += 3;
      const coverage = total ? covered / total : 0;
      // How often it says the words is no matter, and the gist of a page need not say them.
      const isRephrased = question.kind === "rephrase";
      if (isRephrased) {
        const around = countsOf([-1, 1].flatMap((step) => nearby(own, segment, step)));
        score = isGist(passage) ? 1 : Math.max(ownShare(counts, question, total), 0.5 * ownShare(around, question, total));
        if (score === 0) continue;
      }
      best.push({ segment, score: score * suits(segment, question) * (0.35 + 0.65 * (isRephrased ? 1 : coverage)), coverage });
    }
  }
  best.sort((x, y) => y.score - x.score);

  const everything = new Set(segments.flatMap((segment) => segment.terms));
  for (const set of headings.values()) for (const term of set) everything.add(term);
  for (const passage of passages) for (const term of terms(passage.trail.join(" "))) everything.add(term);
  return {
    best,
    byPassage,
    coverage: Math.max(0, ...scoredPassages.map((entry) => entry.coverage)),
    passages: scoredPassages,
    missingNames: [...question.names].filter((name) => !presence(name, everything)),
  };
}

const because =
  /\b(?:because|since|so that|therefore|thus|hence|the reason|due to|in order to|otherwise|which means|this means|allows?|lets|avoid|prevents?|instead of|helps?|useful|advantage|powerful)\b/i;
const manner = /\b(?:us(?:e|es|ing|ed)|run|type|press|enter|we can|you can|command|to \w+|try|write|call|by \w+ing|add|give)\b/i;
const contrast = /\b(?:whereas|while|unlike|but|instead|in contrast|both|differ\w*|rather|however|on the other hand|only)\b/i;
const task =
  /^(?:explain|describe|identify|demonstrate|distinguish|translate|construct|interpret|compute|decide|state|compare|recogni[sz]e|trace|learn|familiari[sz]e|write|use|create|define|run|perform|view|delete|copy|list|name|recall|apply|combine|redirect|find|say|solve|show|give|do|work|determine|summari[sz]e|draw|check|plan|choose|build|predict|test|add|open|navigate)\b/i;

/** Words of an objective from which its first one is what to do, not a noun as in "Work and energy". */
const wholeSentence = 5;
/** What an objective is about: without what a learner is to do with it ("Correctly write …"). */
export const withoutTask = (objective: string): string =>
  objective.split(/\s+/).length < wholeSentence
    ? objective
    : objective
        .replace(/^\p{L}+ly (?=\p{Ll})/u, "")
        .replace(task, "")
        .trim();

/** Objectives and tasks: lines that tell a learner to do something. Key points tell what is so, however they begin. */
export function isTaskList(passage: Passage): boolean {
  if (/key ?points/i.test(passage.trail.at(-1) ?? "")) return false;
  const lines = passage.text.split("\n").filter((line) => line.trim());
  return lines.length >= 2 && lines.filter((line) => task.test(line.replace(/^\s*[-*+]\s+/, ""))).length / lines.length >= 0.6;
}

const exercise = /^(?:solutions?|exercises?|challenge|.*reading comprehension)\b/i;
const verdictOnOption = /^(?:yes|no|correct|incorrect|wrong|right|true|false)\b|^(?:the )?(?:option|answer|solution|choice)s?\b/i;
const opening =
  /^(?:\(|(?:this|that|these|those|it|its|they|them|their|he|she|such|here|there|however|instead|therefore|thus|hence|so|but|and|also|then|again|as before|in other words|similarly|for example|for instance|indeed|moreover|in fact|note that|notice|(?:once|when|after|before|if) (?:we|you) (?:\w+ ){1,2}(?:this|that|these|it))\b)/i;

/** Whether a segment leans on the one before it. */
export function leansBack(segment: Segment): boolean {
  return segment.kind === "sentence" && opening.test(segment.text);
}

/** Whether an entry of a list leans on the one before it. */
export const entryLeansBack = ({ kind, text }: Segment): boolean => kind === "item" && opening.test(text);

const asksForCode = /\b(?:code|snippet|program|syntax)\b/i;

/** What explains comes before what sets a task, solves one, or describes a picture. */
const weightOfKind: Record<string, number> = { exercise: 0.45, solution: 0.6, figure: 0.5, objectives: 0.1 };

/** How a segment's form suits the question's kind (1 is neutral). */
function suits(segment: Segment, question: Question): number {
  const { text, kind } = segment;
  let factor = 1;
  if (kind === "sentence" && text.endsWith("?")) factor *= 0.25;
  if (kind === "item" && text.endsWith("?")) factor *= 0.2;
  if (isTaskList(segment.passage)) factor *= 0.1;
  if (question.kind !== "example" || segment.passage.kind !== "figure") factor *= weightOfKind[segment.passage.kind ?? ""] ?? 1;
  // Half a sentence: what stood before it was a list or a block.
  if (kind === "sentence" && /^[a-z]+\s/.test(text)) factor *= 0.4;
  // Talk about the course, for those who teach it.
  if (
    !isOnTeaching(segment.passage) &&
    /\b(?:instructors?|learner profiles|minutes of teaching|acknowledge?ments|setup)\b/i.test(`${segment.passage.trail.join(" ")} ${text}`)
  )
    factor *= 0.4;
  if (exercise.test(segment.passage.title)) factor *= 0.75;
  if (/^(?:now|let's|let us|we'll|we will|try|test|consider|look|recall|remember|write|feel free)\b/i.test(text)) factor *= 0.75;
  if (verdictOnOption.test(text)) factor *= 0.4;
  if (/^see (?:also|the)\b/i.test(text)) factor *= 0.1;
  if (/^(?:an?|another|one)(?: \w+){0,2} examples?\b/i.test(text) && question.kind === "definition") factor *= 0.6;
  if (kind === "item" && /^`[^`]*`[.;,]?$/.test(text)) factor *= 0.3;
  if (
    /\b(?:in the (?:next|previous|last|following) (?:chapter|section|episode|lesson)|we will (?:see|discuss|learn|return)|exercise|suppose|imagine|nelle|chapter)\b/i.test(
      text,
    )
  )
    factor *= 0.75;
  if (kind === "sentence" && segment.terms.length < 3) factor *= 0.5;
  if ((kind === "sentence" || kind === "item") && opening.test(text)) factor *= 0.85;
  // It points at what was done before it.
  if (question.kind === "howto" && /^(?:notice|note) (?:that|how|in)\b/i.test(text)) factor *= 0.6;
  const isFormula = kind === "formula" || segment.passage.kind === "math";
  if (question.kind === "formula" && isFormula) factor *= 1.8;
  else if (kind === "code" && asksForCode.test(question.said)) factor *= 1.5;
  else if (kind === "code" || kind === "formula") factor *= question.kind === "howto" || question.kind === "example" ? 0.8 : 0.45;
  if (kind === "table") factor *= 0.6;
  switch (question.kind) {
    case "definition":
    case "section":
      return factor * (1 + 1.5 * defines(segment, question.focus));
    case "why":
      return factor * (because.test(text) ? 1.4 : 1);
    case "howto":
      return factor * (manner.test(text) ? 1.2 : 1) * (holdsCode(text) ? 1.2 : 1) * (/\berror\b/i.test(text) ? 0.5 : 1);
    case "compare":
      return factor * (contrast.test(text) ? 1.3 : 1) * (1 + 0.3 * defines(segment, question.sides.flat()));
    case "list":
      return (
        factor *
        (kind === "item" || /:$/.test(text) || /\b(?:two|three|four|five|several|following|include|such as)\b/i.test(text) ? 1.25 : 1)
      );
    case "rephrase":
      return factor * plainness(segment);
    case "example":
      return (
        factor *
        (/\b(?:for example|for instance|e\.g\.|such as|consider|take|suppose)\b/i.test(text) ? 1.4 : 1) *
        (/\bexamples?\b/i.test(segment.passage.title) ? 1.4 : 1)
      );
    default:
      return factor;
  }
}

/** Whether a passage says what its page is about: key points, a callout, or the summary. */
const isGist = ({ kind, trail, title, text }: Passage): boolean =>
  kind === "key-points" || kind === "callout" || (title === trail.at(-1) && text.length < 320);

/** Share (0 to 1) of a question's weight that these words hold themselves. */
const ownShare = (counts: ReadonlyMap<string, number>, { terms: asked }: Question, total: number): number =>
  sum([...asked].map(([term, weight]) => weight * Math.min(1, countOf(term, counts)))) / Math.max(total, 1e-9);

const pictured =
  /\b(?:for example|for instance|imagine|think of|picture|as if|like an?|in other words|that is|means?|simply|in short|every|just)\b/i;

/** How easily a segment is understood: pictures, examples and short sentences are; signs and code are not. */
function plainness({ kind, text, passage }: Segment): number {
  if (kind === "code" || kind === "formula" || kind === "table" || passage.kind === "math") return 0.1;
  const signs = text.match(/\$[^$]+\$|\\\(.+?\\\)/g)?.length ?? 0;
  return (
    (pictured.test(text) ? 1.3 : 1) *
    (isGist(passage) ? 1.3 : 1) *
    (/\b(?:such|this|these) /i.test(text) ? 0.7 : 1) *
    0.75 ** Math.min(4, signs) *
    (text.length > 200 ? 0.7 : 1)
  );
}

const says =
  /\b(?:(?:is|are|was) (?:also |often |sometimes |usually )?(?:called|known as|referred to as|defined as|defined to be)|is short for|stands? for|refers? to|means?|denotes?|consists? of|is|are)\b/gi;
const acts =
  /\b(?:represents?|describes?|shows?|prints?|lists?|takes?|returns?|creates?|allows?|lets|counts?|displays?|specif(?:y|ies)|tells?|holds?|removes?|deletes?|copies|moves?|sorts?|finds?|searches|looks|changes|transforms?|simplifies|rewrites?|adds?|gives?|makes?|turns?|helps?|matches|filters|selects|replaces|sends|reads|writes|converts|applies|runs|opens|stores|keeps|compares|computes|measures|introduces|closes|splits|joins|produces|provides)\b/gi;

/** A word is introduced with emphasis: "… is a **word** that …", "a **word**, the little thing that …". */
const introductions = [
  /\b(?:is|are) (?:(?:also |often |usually )?(?:called|known as) )?(?:an? |the )?\*{1,2}([^*]+)\*{1,2}/gi,
  /\*{1,2}([^*]+)\*{1,2}, (?:an?|the|which|that is)\b/gi,
];

/** 0 to 1: whether a segment says what the focus is (or, for a command, what it does), best when it begins with it. */
export function defines(segment: Segment, focus: readonly string[]): number {
  if (!focus.length || segment.kind === "code" || segment.kind === "formula") return 0;
  const { text } = segment;
  // A formula's caption names it.
  if (segment.passage.kind === "math") return focus.every((term) => segment.terms.includes(term)) ? 0.5 : 0;
  if (text.endsWith("?") || /^(?:since|if|when|because|although|while|however|for example|in (?:this|the) example)\b/i.test(text)) return 0;
  // Squared, because half of a name ("memories") is the name of something else.
  const share = (list: readonly string[]) => (focus.filter((term) => presence(term, new Set(list)) >= 1).length / focus.length) ** 2;
  const isNamed = (name: string): boolean => terms(name).length === focus.length && share(terms(name)) === 1;
  if (introductions.some((pattern) => [...text.matchAll(pattern)].some((match) => isNamed(match[1] ?? "")))) return 1;
  let best = 0;
  for (const [pattern, value] of [
    [says, 1],
    [acts, 0.75],
  ] as const)
    for (const verb of [...text.matchAll(pattern)].slice(0, 3)) {
      // The clause the verb stands in: "…; tactics are commands" is about tactics.
      const whole =
        text
          .slice(0, verb.index)
          .split(/[;:,(—]\s|\sand\s/)
          .at(-1) ?? "";
      const clause = whole.split(/\s(?:that|which|where)\s/).at(-1) ?? "";
      // "The directory that paths begin from" says what another thing is.
      const aside = clause === whole ? 1 : 0.5;
      const before = terms(clause);
      const after = terms(text.slice(verb.index + verb[0].length));
      const excess = before.length - focus.length;
      // "X is …": the fewer other words before the verb, the more the sentence is about X.
      const other = !clause.includes("`") || before.length <= focus.length ? 1 : 0.4;
      best = Math.max(best, value * aside * other * share(before) * (excess <= 0 ? 1 : excess <= 1 ? 0.85 : excess <= 3 ? 0.55 : 0.3));
      // "… is called X" defines X as well as "X is …"; so does "a **X** is" with its mark of emphasis.
      if (/(?:called|known as|referred to as|stands? for)$/i.test(verb[0])) best = Math.max(best, share(after.slice(0, focus.length + 1)));
    }
  // "For λ = 3 the eigenvectors are …" is about one case of it.
  if (/^(?:for|here|then|so|thus)\b/i.test(text)) best *= 0.5;
  const emphasised = [...text.matchAll(/\*{1,2}([^*]+)\*{1,2}/g)].some((match) => isNamed(match[1] ?? ""));
  // Courses mark a word where they say what it means.
  return Math.min(1, emphasised ? Math.max(best + 0.4, 0.8) : best);
}

function inverseFrequencies(segments: readonly Segment[]): (term: string) => number {
  const frequency = new Map<string, number>();
  for (const segment of segments) for (const term of new Set(segment.terms)) frequency.set(term, (frequency.get(term) ?? 0) + 1);
  const count = segments.length;
  return (term) => {
    const n = frequency.get(term) ?? 0;
    return Math.log(1 + (count - n + 0.5) / (n + 0.5));
  };
}

/** How far a term stands in a set: 1 itself, less a relative of it, 0 not at all. */
export function presence(term: string, set: ReadonlySet<string>): number {
  if (set.has(term)) return 1;
  for (const other of related(term)) if (set.has(other)) return relatedShare;
  return 0;
}

function countOf(term: string, counts: ReadonlyMap<string, number>): number {
  let relatives = 0;
  for (const other of related(term)) relatives = Math.max(relatives, counts.get(other) ?? 0);
  return Math.max(counts.get(term) ?? 0, relatives * relatedShare);
}

function countsOf(list: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of list) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

function nearby(own: readonly Segment[], segment: Segment, step: number): readonly string[] {
  const other = own[segment.order + step];
  return other && other.kind !== "code" ? other.terms : [];
}

/** How many of the question's neighbouring words stand side by side in the segment too. */
function adjacency(own: readonly string[], question: Question): number {
  const asked = [...question.terms.keys()];
  let found = 0;
  for (let index = 1; index < asked.length; index++) {
    const [left, right] = [asked[index - 1], asked[index]];
    if (own.some((term, at) => term === left && own[at + 1] === right)) found += 1;
  }
  return found;
}

/** Whether a passage is named exactly by what a definition is asked of. */
export function isEntry(passage: Passage, question: Question): boolean {
  if (question.kind !== "definition" || !question.focus.length) return false;
  const title = passage.title.toLowerCase();
  const named = new Set(terms(title));
  const same = named.size === new Set(question.focus).size && question.focus.every((term) => named.has(term));
  return same && question.said.toLowerCase().includes(title) && passage.text.length < 320;
}

/** 0 to 1: how much a heading and the question's strong terms are the same words. */
function likeness(heading: ReadonlySet<string>, question: Question): number {
  const asked = [...question.terms].filter(([, weight]) => weight >= 0.6).map(([term]) => term);
  if (!asked.length || !heading.size) return 0;
  const shared = asked.reduce((sum, term) => sum + presence(term, heading), 0);
  return (2 * shared) / (asked.length + heading.size);
}

function sameWords(left: string, right: string): boolean {
  const normal = (text: string) =>
    text
      .toLowerCase()
      .replace(/[`*_“”"']/g, "")
      .replace(/\s+/g, " ")
      .trim();
  return normal(left) === normal(right);
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

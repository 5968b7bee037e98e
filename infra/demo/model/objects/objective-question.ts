import type { GeneratedCheck } from "@colloquy/schemas/generation/tutor.ts";
import { sourceLanguage } from "@colloquy/schemas/languages.ts";
import { written } from "../answer.ts";
import { isLesson } from "../facts.ts";
import { courseTranslatorOf } from "../language.ts";
import type { Prompt } from "../prompt.ts";
import { type Question, readQuestion } from "../question.ts";
import { type Ranking, rank } from "../ranking.ts";
import type { Passage, Segment } from "../segments.ts";
import { choose, type Stretch, wordsOf } from "../select.ts";
import { standingBehind } from "./excerpt.ts";
import type { Objective } from "./objectives.ts";
import { wholeOf } from "./teaching-step.ts";

/** Longest text of the course to compare an answer with, and characters of a model answer. */
const limits = { words: 50, sentences: 2, enough: 24, length: 600 };

/** How many of the nearest passages an answer is taken from. */
const mostNear = 3;
/** Share of what the best key point says of a question from which another one is about it, too. */
const mainly = 0.6;
/** Words of the course that a sentence has beyond those of the question. */
const leastNew = 2;
const standsBehind: ReadonlySet<string> = new Set(["code", "math", "table", "figure"]);

const opening =
  /^(?:to )?(?:(?:be able|you will be able|learners? will be able) to|(?:you|learners?) (?:will|can|should)|demonstrate (?:the |an )?ability to) |^to /i;
const telling =
  /^(?:explain|describe|define|compare|contrast|distinguish|differentiate|discuss|summari[sz]e|outline|state|list|name|give|illustrate|justify|relate) /i;
const knowing =
  /^(?:have an understanding of|understand|know|learn about|learn|appreciate|grasp|be (?:familiar with|aware of)|become familiar with|familiari[sz]e yourself with) /i;
/** What learners of a course do: verbs of Bloom's taxonomy (Anderson and Krathwohl 2001), and what is done with programs and data. */
const doing =
  /^(?:access|add|analy[sz]e|apply|assess|assign|avoid|build|calculate|call|change|check|choose|classify|clean|clone|collaborate|combine|compute|configure|connect|construct|control|convert|copy|count|create|customi[sz]e|debug|decide|delete|demonstrate|derive|design|detect|determine|develop|display|download|draw|edit|eliminate|employ|estimate|evaluate|examine|execute|export|extract|filter|find|fit|fix|format|generate|get|go|group|handle|identify|implement|import|insert|inspect|install|interpret|join|label|launch|load|locate|make|manage|manipulate|measure|merge|modify|move|navigate|open|organi[sz]e|perform|plan|plot|predict|prepare|prevent|produce|prove|publish|pull|push|query|quit|read|recogni[sz]e|record|recover|redirect|reduce|refer|remove|rename|repeat|replace|represent|reshape|resolve|restore|retrieve|reuse|run|save|search|select|send|separate|set|share|show|simplify|solve|sort|split|start|stop|store|structure|submit|subset|test|trace|track|transform|translate|troubleshoot|turn|undo|update|upload|use|utili[sz]e|validate|verify|view|visuali[sz]e|work|wrangle|write) /i;

const smallWords = new Set(["a", "an", "and", "for", "in", "of", "on", "or", "the", "to", "with"]);
/** "Access Control": each word but small ones begins with a capital. */
function isName(aim: string): boolean {
  const words = aim.split(" ").filter((word) => !smallWords.has(word));
  return words.length > 1 && words.every((word) => /^\p{Lu}/u.test(word));
}

/** An objective of an English course as what a learner is to say; null where it is none that somebody does or explains. */
export function askedOf(objective: string): string | null {
  const aim = objective
    .trim()
    .replace(/\s+/g, " ")
    .replace(/[.;:]+$/, "")
    .replace(opening, "");
  // Adverbs stand before what is to be done: "correctly write …".
  const plain = aim.replace(/^(?!apply |only )\p{L}+ly (?=\p{Ll})/iu, "");
  if (isName(plain)) return null;
  const shown = /^(?:demonstrate|show) (how (?:to )?.+)$/i.exec(plain)?.[1];
  if (shown !== undefined) return shown.startsWith("how to ") ? `how do you ${shown.slice("how to ".length)}?` : `explain ${shown}.`;
  const known = plain.replace(knowing, "");
  if (known !== plain) {
    if (/^(?:that|to|and|or) /i.test(known)) return null;
    return /^how to /i.test(known) ? `how do you ${known.slice("how to ".length)}?` : `explain ${known}.`;
  }
  const small = /^\p{Lu}\p{Lu}/u.test(plain) ? plain : `${plain.charAt(0).toLowerCase()}${plain.slice(1)}`;
  if (telling.test(plain)) return `${small}.`;
  return doing.test(plain) ? `how do you ${small}?` : null;
}

/** The objective itself, to be answered in the learner's own words and compared with what the course says of it; null where it says too little. */
export function objectiveQuestion(prompt: Prompt, { text: objective, nearest = [] }: Objective): GeneratedCheck | null {
  const asked = askedOf(objective);
  // A noun of another language can look like a verb of English.
  if (asked === null || courseTranslatorOf(prompt).language !== sourceLanguage) return null;
  const lessons = prompt.passages.filter(isLesson);
  const near = nearest.flatMap((id) => lessons.find((passage) => passage.id === id && !standsBehind.has(passage.kind ?? "")) ?? []);
  const said = saidOf(prompt, asked, near, lessons);
  const [first] = said;
  if (!first) return null;
  const sentences = said.flatMap(({ segments }) =>
    segments.flatMap(({ kind, text }) => (kind === "sentence" || kind === "item" ? text : [])),
  );
  const section = first.passage.title || (first.passage.trail.at(-1) ?? "named below");
  return {
    prompt: `In your own words: ${asked}`,
    selection: "text",
    choices: [],
    rubric: sentences.slice(0, limits.sentences),
    modelAnswer: textOf(prompt, said),
    hint: `Look at the section “${section}”.`,
    explanation: `The course says so in “${section}”.`,
    passages: [...new Set(said.map(({ passage }) => passage.id))].slice(0, 6),
  };
}

/** What the course says of it in the passages that the search found first, as short as an answer in own words is. */
function saidOf(prompt: Prompt, asked: string, near: readonly Passage[], lessons: readonly Passage[]): Stretch[] {
  const question = readQuestion({ ...prompt, question: asked, history: [] });
  const said: Stretch[] = [];
  for (const passage of near.slice(0, mostNear)) {
    const ranking = rank([passage, ...standingBehind(passage, lessons)], question);
    const chosen = passage.kind === "key-points" ? entriesOn(ranking, passage) : choose(ranking, question, limits);
    const found = chosen.flatMap((stretch) => onQuestion(stretch, question));
    const together = [...said, ...found];
    if (saysMore(found, question) && textOf(prompt, together).length <= limits.length) said.push(...found);
    if (said.flatMap(({ segments }) => segments).reduce((sum, { text }) => sum + wordsOf(text), 0) >= limits.enough) break;
  }
  return said;
}

/** The entries of a list of key points that say most of what is asked. */
function entriesOn({ best }: Ranking, passage: Passage): Stretch[] {
  const [top] = best;
  const about = best.filter(({ segment, score }) => segment.passage === passage && score >= mainly * (top?.score ?? 0)).slice(0, 2);
  const segments = about.map(({ segment }) => segment).toSorted((one, other) => one.order - other.order);
  return segments.length > 0 ? [{ ...wholeOf(passage), segments: segments.map((segment) => ({ ...segment, kind: "item" as const })) }] : [];
}

/** A stretch without sentences that neither speak of what is asked nor go on from one that does, and without a listing that nothing announces. */
function onQuestion(stretch: Stretch, { terms: asked }: Question): Stretch[] {
  const kept: Segment[] = [];
  for (const segment of stretch.segments) {
    const isText = segment.kind === "sentence" || segment.kind === "item";
    const goesOn = kept.some(({ order }) => order === segment.order - 1);
    if (isText && (goesOn || segment.terms.some((term) => asked.has(term)))) kept.push(segment);
  }
  return kept.length > 0 ? [{ ...stretch, segments: kept }] : [];
}

/** Whether sentences say something that the question does not. */
const saysMore = (said: readonly Stretch[], { terms: asked }: Question): boolean =>
  said.some(({ segments }) => segments.some(({ terms }) => terms.filter((term) => !asked.has(term)).length >= leastNew));

const textOf = (prompt: Prompt, said: readonly Stretch[]): string =>
  written(said, courseTranslatorOf(prompt)).replaceAll(/ (?:\[s\d+\])+/g, "");

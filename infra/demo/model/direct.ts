import type { Question } from "./question.ts";
import { defines, entryLeansBack, leansBack, presence } from "./ranking.ts";
import type { Segment } from "./segments.ts";
import { terms, weightOf } from "./terms.ts";

const reason =
  /\b(?:because|since|so that|therefore|thus|hence|the reason|due to|in order to|otherwise|(?:which|this) means|(?:that|this) is why|avoids?|prevents?|allows?|lets|helps?)\b|[,;] so\b/i;
const number =
  "\\d+(?:[.,]\\d+)?|no|none|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|once|twice|dozens?|hundreds?|infinitely many|finitely many|(?:at most|at least|exactly|as many|any number of|the (?:same )?number of)";
const amount = new RegExp(
  `\\b(?:${number}|daily|weekly|always|never|hours?|minutes?|days?|weeks?|half|a (?:third|quarter|fifth|tenth))\\b`,
  "i",
);
const counted = new RegExp(`\\b(${number})((?:\\s+[\\p{L}-]+){1,4})`, "giu");

const sample = /\b(?:for example|for instance|e\.g\.|such as|consider|suppose|take|let)\b/i;

/** Shares of what a question names that a sentence must say itself to answer it. */
const least = { "yes-no": 0.75, count: 0.6, why: 0.6, other: 0.3 };
/** The same of the question's neighbouring words that must stand close together in it, and how close. */
const neighbours = { "yes-no": 0.6, why: 0.5, distance: 2 };

/** Share (0 to 1) of what a question names that a segment says itself; its heading counts half. */
export function shareSaid({ terms: own, passage }: Segment, names: readonly string[]): number {
  const said = new Set(own);
  const heading = new Set(terms(passage.title));
  const shares = names.map((term) => Math.max(presence(term, said), 0.5 * presence(term, heading)));
  return shares.reduce((sum, share) => sum + share, 0) / Math.max(1, names.length);
}

/** The words of a question that name something; all of them where none does. */
export function namedIn(question: Question): string[] {
  const all = [...question.terms.keys()];
  const strong = all.filter((term) => weightOf(term) >= 1);
  return strong.length > 0 ? strong : all;
}

/** Whether a question's form tells what a sentence must say to answer it: a reason, a number, an example, or the very thing that is doubted. */
export const asksPlainly = ({ kind }: Question): boolean => /^(?:yes-no|count|why|example)$/.test(kind);

/**
 * Whether a sentence answers a question by itself, as far as words can tell. It must say most of what the question names; for a reason or a
 * number, give one.
 * @param own the segments of its passage
 */
export function isDirect(segment: Segment, question: Question, own: readonly Segment[]): boolean {
  const { kind, text } = segment;
  if ((kind !== "sentence" && kind !== "item") || text.endsWith("?") || entryLeansBack(segment)) return false;
  const names = namedIn(question);
  const before = leansBack(segment) ? own[segment.order - 1] : undefined;
  const isSaid = (share: number): boolean =>
    shareSaid(segment, names) >= share || (before?.paragraph === segment.paragraph && shareSaid(before, names) >= share);
  switch (question.kind) {
    case "yes-no":
      return !before && isSaid(least["yes-no"]) && areTogether(segment.terms, names, neighbours["yes-no"]);
    case "why":
      // What "why?" alone asks about, the words do not tell.
      return !question.isVague && reason.test(text) && isSaid(least.why) && areTogether(segment.terms, names, neighbours.why);
    case "count":
      return isSaid(least.count) && (/\bhow many\b/i.test(question.said) ? counts(text, names) : amount.test(text));
    case "example":
      return isSaid(least.other) && isExample(segment);
    default:
      return isSaid(least.other);
  }
}

const contrast = /\b(?:whereas|while|unlike|but|in contrast|both|differ\w*|rather|however|on the other hand|than|instead)\b/i;

/** Whether a segment says something of both sides of a comparison: what each is, or how they differ. */
export function compares(segment: Segment, { sides }: Question): boolean {
  const said = new Set(segment.terms);
  if (segment.kind === "code" || !sides.every((side) => side.every((term) => said.has(term)))) return false;
  return contrast.test(segment.text) || sides.every((side) => defines(segment, side) > 0);
}

/** Whether a segment shows a case of something: it says so, announces it, stands under such a heading, or has numbers in its formulas. */
const isExample = ({ text, passage }: Segment): boolean =>
  text.endsWith(":") || sample.test(text) || /\bexamples?\b/i.test(passage.title) || /\$[^$]*\d[^$]*=[^$]*\$/.test(text);

/** Whether most words that are neighbours in a question stand close together in a text: far apart, they are about something else. */
function areTogether(own: readonly string[], names: readonly string[], least: number): boolean {
  const places = (term: string): number[] => own.flatMap((other, at) => (presence(term, new Set([other])) > 0 ? [at] : []));
  const pairs = names.slice(1).map((term, index) => [places(names[index] ?? ""), places(term)] as const);
  const close = pairs.filter(([left, right]) => left.some((one) => right.some((other) => Math.abs(one - other) <= neighbours.distance)));
  return close.length >= pairs.length * least;
}

/** Whether a number that the question does not name stands right before one of these words. */
function counts(text: string, names: readonly string[]): boolean {
  const isNamed = (word: string): boolean => terms(word).some((term) => names.includes(term));
  return [...text.matchAll(counted)].some(([, amount = "", behind = ""]) => !isNamed(amount) && isNamed(behind));
}

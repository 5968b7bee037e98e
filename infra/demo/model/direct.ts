import type { Question } from "./question.ts";
import { defines, entryLeansBack, isEntry, leansBack, presence } from "./ranking.ts";
import type { Segment } from "./segments.ts";
import { terms, weightOf } from "./terms.ts";

const reason =
  /\b(?:because|since|so that|therefore|thus|hence|the reason|due to|in order to|otherwise|(?:that|this) is why|avoids?|prevents?|allows?|lets|helps?)\b|[,;] so\b/i;
/** What a thing is good for, asked by "Why use …?". */
const purpose =
  /\b(?:allows?|lets?|enables?|helps?|useful|avoids?|prevents?|saves?|so that|in order to|makes? it|easier|because|advantage|benefit)\b/i;
const asksPurpose =
  /\bwhy (?:(?:should|do|would|must) )?(?:(?:i|you|we|one|people) )?(?:use|need|care|learn|bother|write)\b|\b(?:point|benefit|advantage|use) of\b/i;
const number =
  "\\d+(?:[.,]\\d+)?|no|none|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|once|twice|dozens?|hundreds?|infinitely many|finitely many|(?:at most|at least|exactly|as many|any number of|the (?:same )?number of)";
const amount = new RegExp(
  `\\b(?:${number}|daily|weekly|always|never|hours?|minutes?|days?|weeks?|half|a (?:third|quarter|fifth|tenth))\\b`,
  "i",
);
const counted = new RegExp(`\\b(${number})((?:\\s+[\\p{L}-]+){1,4})`, "giu");

const sample = /\b(?:for example|for instance|e\.g\.|such as|consider|suppose|take|let)\b/i;

/** Speaks at its beginning of what another sentence named: "To define these functions, …". */
const pointsAway = /^\S+ (?:\S+ ){0,2}(?:this|these|those) \w+/i;

/** Shares of what a question names that a sentence must say itself to answer it. */
const least = { "yes-no": 0.75, count: 0.75, why: 0.6, howto: 0.6, example: 0.6, "follow-up": 0.6, other: 0.3 };
/** Words that a question of yes or no must name: fewer stand together by chance. */
const leastNames = 3;
/** Of a sentence the words that say what it is about. */
const beginning = 4;
/** How clearly a sentence must say what a thing is, to answer what it is. */
const leastDefining = 0.25;
/** The same of the question's neighbouring words that must stand close together in it, and how close. */
const neighbours = { "yes-no": 0.6, why: 0.5, other: 0.5, distance: 2 };

/** Share (0 to 1) of what a question names that a segment says itself; its heading counts less. */
export function shareSaid({ terms: own, passage }: Segment, names: readonly string[], ofHeading = 0.5): number {
  const said = new Set(own);
  const heading = new Set(terms(passage.title));
  const shares = names.map((term) => Math.max(presence(term, said), ofHeading * presence(term, heading)));
  return shares.reduce((sum, share) => sum + share, 0) / Math.max(1, names.length);
}

/** The words of a question that name something; all of them where none does. */
export function namedIn(question: Question): string[] {
  const all = [...question.terms.keys()];
  const strong = all.filter((term) => weightOf(term) >= 1);
  return strong.length > 0 ? strong : all;
}

/** Whether a question's form tells what a sentence must say to answer it: a reason, a number, a way, an example, a comparison, or the very thing that is doubted. */
export const asksPlainly = ({ kind }: Question): boolean => /^(?:yes-no|count|why|howto|example|compare)$/.test(kind);

/**
 * Whether a sentence answers a question by itself, as far as words can tell. It must say most of what the question names; for a reason or a
 * number, give one.
 * @param own the segments of its passage
 */
export function isDirect(segment: Segment, question: Question, own: readonly Segment[]): boolean {
  const { kind, text } = segment;
  if (kind === "code") return question.kind === "example" && shareSaid(segment, namedIn(question)) >= least["follow-up"];
  if ((kind !== "sentence" && kind !== "item") || text.endsWith("?") || entryLeansBack(segment) || pointsAway.test(text)) return false;
  const names = namedIn(question);
  const before = leansBack(segment) ? own[segment.order - 1] : undefined;
  const isSaid = (share: number, ofHeading?: number): boolean =>
    [segment, ...(before?.paragraph === segment.paragraph ? [before] : [])].some((one) => shareSaid(one, names, ofHeading) >= share);
  // Few names stand in many sentences: they must be what the sentence is about.
  const isAbout = (many: number): boolean =>
    names.length >= many || names.every((name) => segment.terms.slice(0, beginning).includes(name));
  switch (question.kind) {
    case "yes-no": {
      // "It is not …": what it is stands at the beginning of the sentence before.
      const whole = before?.paragraph === segment.paragraph ? [...before.terms.slice(0, 2), ...segment.terms] : segment.terms;
      const share = shareSaid({ ...segment, terms: whole }, names);
      // A sentence that begins with what the question begins with may say the rest further on.
      const isSameSubject = whole.slice(0, beginning).includes(names[0] ?? "");
      const together = isSameSubject ? neighbours.other : neighbours["yes-no"];
      return names.length >= leastNames && share >= least["yes-no"] && areTogether(whole, names, together);
    }
    case "why": {
      const gives = asksPurpose.test(question.said) ? purpose : reason;
      // What "why?" alone asks about, the words do not tell.
      return (
        !question.isVague &&
        !/^for (?:example|instance)\b/i.test(text) &&
        isAbout(leastNames) &&
        gives.test(text) &&
        isSaid(least.why) &&
        areTogether(segment.terms, names, neighbours.why)
      );
    }
    case "count":
      return isSaid(least.count, 0) && (/\bhow many\b/i.test(question.said) ? counts(text, [...question.terms.keys()]) : amount.test(text));
    case "howto":
      // A heading such as "Why repetition finds it" says nothing of how.
      return isAbout(2) && isSaid(least.howto, 0) && areTogether(segment.terms, names, neighbours.other);
    case "compare":
      return question.sides.length === 2 ? compares(segment, question) : isSaid(least.other);
    case "formula": {
      const isShown = segment.passage.kind === "math" || own[segment.order + 1]?.kind === "formula" || /\$[^$]*=[^$]*\$/.test(text);
      return isShown && isSaid(least.other);
    }
    case "example":
      return isSaid(least.example, 0) && isExample(segment, own);
    case "definition":
      if (question.focus.length > 0 && !question.leans)
        return isEntry(segment.passage, question) || defines(segment, question.focus) >= leastDefining;
      return isSaid(least.other);
    default:
      return question.leans ? isSaid(least["follow-up"]) : isSaid(least.other) && areTogether(segment.terms, names, neighbours.other);
  }
}

const contrast = /\b(?:whereas|while|unlike|but|in contrast|both|differs?|differences?|rather|however|on the other hand|than|instead)\b/i;

/** Whether a segment says something of both sides of a comparison: what each is, or how they differ. */
export function compares(segment: Segment, { sides }: Question): boolean {
  const said = new Set(segment.terms);
  const [one, other] = sides.map((side) => side.join(" "));
  if (segment.kind === "code" || one === other || !sides.every((side) => side.every((term) => said.has(term)))) return false;
  return contrast.test(segment.text) || sides.every((side) => defines(segment, side) >= 0.8);
}

/** Whether a segment shows a case of something: it says so, announces it, or stands under such a heading or a picture. */
const isExample = ({ text, passage, order }: Segment, own: readonly Segment[]): boolean =>
  (text.endsWith(":") && (own[order + 1]?.kind ?? "code") === "code") ||
  sample.test(text) ||
  /\bexamples?\b/i.test(passage.title) ||
  (passage.kind === "figure" && !passage.text.includes("```"));

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

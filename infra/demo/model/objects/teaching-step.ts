import type { Translator } from "@colloquy/messages/translator.ts";
import type { GeneratedTeachingStep } from "@colloquy/schemas/generation/tutor.ts";
import { asksOfWhatFollows } from "@colloquy/schemas/questions/derived/questions.ts";
import { z } from "zod";
import { written } from "../answer.ts";
import { factsOf, isLesson, standsAlone } from "../facts.ts";
import { courseTranslatorOf } from "../language.ts";
import { type Prompt, taggedJson } from "../prompt.ts";
import { type Question, readQuestion } from "../question.ts";
import { rank, withoutTask } from "../ranking.ts";
import { type Passage, segmentsOf } from "../segments.ts";
import { bare, overlap, type Stretch, wordsOf } from "../select.ts";
import { terms } from "../terms.ts";
import { asTaught, excerpt, least, sameHeading, standingBehind, withoutAsides } from "./excerpt.ts";
import { focusOf, objectivesOf } from "./objectives.ts";

/** Passages that teach: no notes to teachers, overviews of questions and times, tasks, or what a program printed without a word on it. */
const lessons = (passages: readonly Passage[]): Passage[] => passages.filter((passage) => isLesson(passage));

/** Listings and tables that stand with a text are shown up to these lines. */
const listingLines = 14;
/** A section with what belongs to it may be longer than an excerpt. */
const wholeWords = 260;

/** Share of the words of a question that the table has which answers it. */
const sameTable = 0.5;
/** Share of what the best passage says of an objective from which another one is about it, too. */
const alsoAbout = 0.5;
const mainlyAbout = 0.7;

/** Key points are entries of one list. */
export const wholeOf = (passage: Passage): Stretch => {
  const segments = segmentsOf(passage);
  const entries = segments.map((segment) => ({ ...segment, kind: "item" as const, paragraph: 1 }));
  return { passage, segments: passage.kind === "key-points" ? entries : segments, announced: new Map() };
};
export const lengthOf = (passages: readonly Passage[]): number =>
  passages.flatMap((passage) => segmentsOf(passage)).reduce((sum, { text }) => sum + wordsOf(text), 0);
/** Whether a listing is what code before it prints. */
const isOutput = ({ kind, text }: Passage): boolean => kind === "code" && /^(?:Output|Error message):\n/.test(text);
const isShort = ({ kind, text }: Passage): boolean => (kind !== "code" && kind !== "table") || text.split("\n").length <= listingLines;

/** Whether a table holds what is asked next: its rows would be the answer. */
function answersNext(prompt: Prompt, { kind, text }: Passage): boolean {
  const next = z.string().safeParse(taggedJson(prompt, "next"));
  return kind === "table" && next.success && overlap(terms(text), terms(next.data)) >= sameTable;
}

/** The worked example that a page has right behind these sections. */
function exampleAfter(texts: readonly Passage[], all: readonly Passage[]): Passage | undefined {
  const last = Math.max(...texts.map((passage) => all.indexOf(passage)));
  const next = all.find(({ kind }, at) => at > last && kind === "prose");
  return next && /\bexamples?\b/i.test(next.title) ? next : undefined;
}

/**
 * The sections in focus whole, where they are short enough, each with the formulas, listings and tables under its heading, and the
 * example behind them: a text reads better as it was written than as sentences out of it. Null for long sections.
 */
function sections(prompt: Prompt, asked: Question): Stretch[] | null {
  const all = lessons(prompt.passages).filter((passage) => isShort(passage) && !answersNext(prompt, passage));
  const inFocus = focusOf(prompt);
  const { passages } = rank(all, asked);
  const least = alsoAbout * (passages[0]?.score ?? 0);
  const about = passages.flatMap(({ passage, score }) => (score >= least ? passage : []));
  const isText = ({ kind }: Passage): boolean => kind !== "key-points" && kind !== "code";
  const own = all.filter((passage) => inFocus.includes(passage) && isText(passage));
  const sectionTexts = own.length > 0 ? own : about.filter(isText).slice(0, 2);
  const example = exampleAfter(sectionTexts, all);
  const texts = example && lengthOf([...sectionTexts, example]) <= wholeWords ? [...sectionTexts, example] : sectionTexts;
  const headings = new Set(texts.map(({ trail }) => trail.join("\n")));
  const isUnderOne = ({ kind = "", trail }: Passage): boolean => /^(?:math|code|table)$/.test(kind) && headings.has(trail.join("\n"));
  const shown = all.filter((passage) => texts.includes(passage) || isUnderOne(passage));
  if (texts.length === 0 || lengthOf(shown) > wholeWords) return null;
  // With gaps it would not be the text as it was written.
  const isTornOff = (passage: Passage, index: number): boolean => {
    const before = shown[index - 1];
    const isOnPage = before?.trail.join("\n") === passage.trail.join("\n");
    return before && isOnPage ? passage.follows !== before.id : passage.kind === "code";
  };
  if (shown.some(isTornOff)) return null;
  return shown.map((passage) => withoutAsides(wholeOf(passage)));
}

/** A lesson's objectives, and the words of the question behind it, as what is looked for. */
function subjectOf(prompt: Prompt): Question {
  const next = z.string().safeParse(taggedJson(prompt, "next"));
  const [first = ""] = next.success ? next.data.split("\n") : [];
  // Statements and code that a question asks about are not its subject.
  const asked = asksOfWhatFollows(first) || /^Which of these statements\b/.test(first) ? "" : first;
  const objectives = objectivesOf(prompt)
    .map((objective) => withoutTask(objective.text))
    .join(" ");
  return { ...readQuestion({ ...prompt, question: `Summarise ${objectives || prompt.question} ${asked}` }), kind: "summary" };
}

const saidIn = (stretches: readonly Stretch[]): number => lengthOf(stretches.map(({ passage }) => passage));

/** What a lesson on the prompt's objectives says: their sections, or an excerpt of these where they are long. */
function lesson(prompt: Prompt): Stretch[] {
  const asked = subjectOf(prompt);
  const whole = sections(prompt, asked);
  if (whole && saidIn(whole) >= least) return whole;
  const isTaught = (passage: Passage): boolean => passage.kind !== "key-points" && isShort(passage) && !answersNext(prompt, passage);
  const focus = focusOf(prompt);
  const pages = new Set(focus.map(({ trail }) => trail.join("\n")));
  const all = lessons(prompt.passages).filter(isTaught);
  const own = all.filter(({ trail }) => pages.has(trail.join("\n")));
  const best = excerpt(own.length > 0 ? own : all, asked, focus);
  return whole && saidIn(whole) >= saidIn(best) ? whole : best;
}

/** What a page has beside the sections of a lesson, the best to teach from another side first. */
const sides = ["example", "exercise", "listing", "figure", "section"] as const;

/** Passages that are taught together: a section, an exercise with its solution, a figure. */
interface Unit {
  side: (typeof sides)[number];
  passages: Passage[];
}

/** What stands before a listing or a table and says what it is: a few words, and of an output the code that it is of. */
function introduction(passage: Passage, all: readonly Passage[]): Passage[] {
  const before = all.find(({ id }) => id === passage.follows);
  if (before === undefined || !sameHeading(before, passage)) return [];
  if (isOutput(passage)) return before.kind === "code" && isShort(before) ? [...introduction(before, all), before] : [];
  return before.kind === "prose" && lengthOf([before]) <= introductionWords ? [before] : [];
}

function unitOf(passage: Passage, all: readonly Passage[]): Unit | null {
  switch (passage.kind) {
    case "exercise": {
      const solutions = all.filter((other) => other.kind === "solution" && sameHeading(other, passage));
      return solutions.length > 0 ? { side: "exercise", passages: [passage, ...solutions] } : null;
    }
    case "figure":
      return { side: "figure", passages: [passage] };
    case "code":
    case "table": {
      const introduced = introduction(passage, all);
      if (!isShort(passage) || (isOutput(passage) && introduced.length === 0)) return null;
      return { side: "listing", passages: [...introduced, passage] };
    }
    case "prose":
    case "callout":
    case "": {
      if (!isLesson(passage) || lengthOf([passage]) < leastWords) return null;
      const behind = standingBehind(passage, all).filter(isShort);
      const formulas = all.filter((other) => other.kind === "math" && other.trail.join("\n") === passage.trail.join("\n"));
      const passages = [...new Set([passage, ...behind, ...formulas])];
      return { side: /\bexamples?\b/i.test(passage.title) ? "example" : "section", passages };
    }
    // Key points say again in short what was taught.
    default:
      return null;
  }
}

/** More words before a listing say something of their own. */
const introductionWords = 60;
/** Share of a passage's sentences that were shown from which all of it counts as shown. */
const mostShown = 0.5;
/** Fewer words of a section explain nothing by themselves. */
const leastWords = 25;
/** Fewer words than these are hardly another explanation: more is taken beside them. */
const fewWords = 70;

/** Whether texts that were read have a passage. */
export function isShownIn(passage: Passage, shown: readonly string[]): boolean {
  const before = bare(shown.join("\n").replace(/\[\^\d+\]/g, ""));
  const segments = segmentsOf(passage);
  return segments.filter(({ text }) => before.includes(bare(text))).length >= segments.length * mostShown;
}

/** A listing without the introduction that was read. */
const unseen = ([first, ...rest]: readonly Passage[], shown: readonly string[]): Passage[] =>
  rest.length > 0 && first && isShownIn(first, shown) ? rest : [first, ...rest].filter((passage) => passage !== undefined);

/**
 * A lesson for somebody whom the lessons in `shown` did not help: what the wrong answer is about, if that was not shown, else an example,
 * an exercise with its solution, a listing or a figure. Empty where the passages have nothing else.
 */
function otherSide(
  prompt: Prompt,
  { asked, focus: inFocus, shown }: { asked: Question; focus: readonly Passage[]; shown: readonly string[] },
): Unit[] {
  const units = prompt.passages
    .filter((passage) => !answersNext(prompt, passage))
    .flatMap((passage) => unitOf(passage, prompt.passages) ?? [])
    .map((unit) => (unit.side === "listing" ? { ...unit, passages: unseen(unit.passages, shown) } : unit))
    .filter(({ passages }) => !passages.some((passage) => isShownIn(passage, shown)) && lengthOf(passages) <= wholeWords);
  const scores = new Map(rank(prompt.passages, asked).passages.map(({ passage, score }) => [passage, score]));
  const scoreOf = ({ passages }: Unit): number => Math.max(...passages.map((passage) => scores.get(passage) ?? 0));
  const isFocused = ({ passages }: Unit): boolean => passages.some((passage) => inFocus.includes(passage));
  const most = Math.max(0, ...scores.values());
  const headings = new Set(inFocus.map(({ trail }) => trail.join("\n")));
  const isAbout = (unit: Unit): boolean => {
    // A section on something else of the page is no other side of this.
    if (unit.side === "section") return scoreOf(unit) >= mainlyAbout * most;
    return scoreOf(unit) >= alsoAbout * most || unit.passages.some(({ trail }) => headings.has(trail.join("\n")));
  };
  const place = (unit: Unit): number => (isFocused(unit) ? -1 : sides.indexOf(unit.side));
  const [first, ...others] = units
    .filter((unit) => isFocused(unit) || isAbout(unit))
    .toSorted((one, other) => place(one) - place(other) || scoreOf(other) - scoreOf(one));
  if (!first) return [];
  const another = others.filter(({ passages }) => !passages.some((passage) => first.passages.includes(passage)));
  return lengthOf(first.passages) < fewWords ? [first, ...another.slice(0, 1)] : [first];
}

/** Lines of an exercise after the first, and the solutions of as many, as a list: plain text does not mark them. */
function numbered(passage: Passage, tasks: number): Passage {
  if (passage.isMarkdown) return passage;
  const lines = passage.text.split("\n");
  const isList = tasks > 1 && !passage.text.includes("$$") && lines.length === (passage.kind === "exercise" ? tasks + 1 : tasks);
  const from = lines.length - tasks;
  const text = lines.map((line, at) => (isList && at >= from ? `${at - from + 1}. ${line}` : line)).join(isList ? "\n\n" : "\n");
  return { ...passage, text };
}

/** A unit under its title, with a word between an exercise and its solution. The caption of a table stands in it. */
function writtenUnit({ side, passages: [first, ...rest] }: Unit, translator: Translator): string {
  const title = side === "figure" ? translator.msg("demoModel.inThePicture") : first?.kind === "table" ? "" : `**${first?.title}**`;
  const tasks = first && side === "exercise" ? first.text.split("\n").length - 1 : 0;
  const asWritten = (passages: readonly Passage[]): Stretch[] => passages.map((passage) => wholeOf(numbered(passage, tasks)));
  const all = first ? [first, ...rest] : [];
  const parts = side === "exercise" ? [asWritten(all.slice(0, 1)), asWritten(rest)] : [asTaught(all)];
  const [own, solution] = parts.map((stretches) => written(stretches, translator));
  return [title, own, solution && `**${translator.msg("rendering.solution2")}**`, solution].filter(Boolean).join("\n\n");
}

const writtenUnits = (units: readonly Unit[], prompt: Prompt): string =>
  units.map((unit) => writtenUnit(unit, courseTranslatorOf(prompt))).join("\n\n");

/** An example, an exercise with its solution or a listing that was not shown; null where the passages have none on what is asked. */
export function exampleText(prompt: Prompt, wanted: { asked: Question; shown: readonly string[] }): string | null {
  const [first] = otherSide(prompt, { ...wanted, focus: [] }).filter(({ side }) => side !== "section" && side !== "figure");
  return first ? writtenUnits([first], prompt) : null;
}

/** What the application asks to be told where the passages hold nothing that was not shown. */
export const nothingElse = "<nothing-else/>";

const step = z.object({ title: z.string(), angle: z.int().min(1).max(20) });

/** The step a prompt asks to be taught in running text, from the course's own sentences; null when it asks for none. */
export function teachingText(prompt: Prompt): string | null {
  if (!step.safeParse(taggedJson(prompt, "teach")).success) return null;
  const shown = z.array(z.string()).safeParse(taggedJson(prompt, "shown"));
  if (shown.success) {
    const units = otherSide(prompt, { asked: subjectOf(prompt), focus: focusOf(prompt), shown: shown.data });
    return writtenUnits(units, prompt) || nothingElse;
  }
  const stretches = lesson(prompt);
  return stretches.length > 0 ? written(stretches, courseTranslatorOf(prompt)) : null;
}

/** One step taught with the course's own sentences, and what to keep of it. */
export function makeTeachingStep(prompt: Prompt): GeneratedTeachingStep | null {
  const stretches = lesson(prompt);
  const [first] = stretches;
  if (!first) return null;
  const used = prompt.passages.filter((passage) => stretches.some((stretch) => stretch.passage === passage));
  const facts = factsOf(used);
  const points = (facts.some((fact) => standsAlone(fact)) ? facts.filter((fact) => standsAlone(fact)) : facts)
    .slice(0, 3)
    .map((fact) => fact.text);
  const fallback = first.segments.find((segment) => segment.kind === "sentence" || segment.kind === "item")?.text ?? first.passage.title;
  return {
    title: (first.passage.title || first.passage.trail.at(-1) || "This step").slice(0, 200),
    markdown: written(stretches, courseTranslatorOf(prompt)).slice(0, 4_000),
    keyPoints: points.length ? points : [fallback.slice(0, 600)],
    passages: used.slice(0, 6).map((passage) => passage.id),
  };
}

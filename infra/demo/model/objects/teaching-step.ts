import type { GeneratedTeachingStep } from "@colloquy/schemas/generation/tutor.ts";
import { z } from "zod";
import { written } from "../answer.ts";
import { factsOf, isLesson, standsAlone } from "../facts.ts";
import { translatorOf } from "../language.ts";
import { type Prompt, taggedJson } from "../prompt.ts";
import { type Question, readQuestion } from "../question.ts";
import { rank } from "../ranking.ts";
import { type Passage, segmentsOf } from "../segments.ts";
import { choose, overlap, type Stretch, wordsOf } from "../select.ts";
import { terms } from "../terms.ts";
import { focusOf, objectivesOf } from "./objectives.ts";

const limits = { words: 190, sentences: 9 };

/** Passages that teach: no notes to teachers, overviews of questions and times, tasks, or what a program printed without a word on it. */
const lessons = (passages: readonly Passage[]): Passage[] => passages.filter((passage) => isLesson(passage));

/** Listings that stand with a text are shown up to these lines. */
const listingLines = 14;
/** A section with what belongs to it may be longer than sentences chosen here and there. */
const wholeWords = 260;

/** Share of the words of a question that the table has which answers it. */
const sameTable = 0.5;
/** Share of what the best passage says of an objective from which another one is about it, too. */
const alsoAbout = 0.5;

/** Key points are entries of one list. */
const wholeOf = (passage: Passage): Stretch => {
  const segments = segmentsOf(passage);
  const entries = segments.map((segment) => ({ ...segment, kind: "item" as const, paragraph: 1 }));
  return { passage, segments: passage.kind === "key-points" ? entries : segments, announced: new Map() };
};
const lengthOf = (passages: readonly Passage[]): number =>
  passages.flatMap((passage) => segmentsOf(passage)).reduce((sum, { text }) => sum + wordsOf(text), 0);
const isShort = ({ kind, text }: Passage): boolean => kind !== "code" || text.split("\n").length <= listingLines;

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
 * example behind them: a text reads better as it was written than as sentences out of it. Each second angle has what else is about the
 * objectives. Null for long sections.
 */
function sections(prompt: Prompt, asked: Question, angle: number): Stretch[] | null {
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
  const beside = all.filter((passage) => !shown.includes(passage) && (inFocus.includes(passage) || about.includes(passage)));
  const isOther = angle % 2 === 0 && beside.length > 0 && lengthOf(beside) <= wholeWords;
  return (isOther ? beside.toSorted((one, other) => Number(one.kind === "code") - Number(other.kind === "code")) : shown).map(wholeOf);
}

/** What a lesson on the prompt's objectives says: their sections, or sentences of them where these are long; another angle says other ones. */
function lesson(prompt: Prompt, angle: number): Stretch[] {
  const objectives = objectivesOf(prompt)
    .map((objective) => objective.text)
    .join(" ");
  const asked: Question = { ...readQuestion({ ...prompt, question: `Summarise ${objectives || prompt.question}` }), kind: "summary" };
  const whole = sections(prompt, asked, angle);
  if (whole) return whole;
  const focus = lessons(focusOf(prompt));
  const all = lessons(prompt.passages);
  const ranking = rank(focus.length > 0 ? focus : all, asked);
  const translator = translatorOf(prompt);
  let said = "";
  let stretches: Stretch[] = [];
  for (let turn = 1; turn <= angle; turn += 1) {
    // What one angle has said, the next leaves out; when nothing else is left in focus, the first is said again.
    const fresh = choose(ranking, { ...asked, leans: turn > 1 }, limits, said);
    stretches = fresh.length > 0 ? fresh : choose(ranking, asked, limits);
    said += written(stretches, translator);
  }
  // A lesson is read from its beginning.
  return stretches.toSorted((a, b) => prompt.passages.indexOf(a.passage) - prompt.passages.indexOf(b.passage));
}

const step = z.object({ title: z.string(), angle: z.int().min(1).max(20) });

/** The step a prompt asks to be taught in running text, from the course's own sentences; null when it asks for none. */
export function teachingText(prompt: Prompt): string | null {
  const asked = step.safeParse(taggedJson(prompt, "teach"));
  if (!asked.success) return null;
  const stretches = lesson(prompt, asked.data.angle);
  return stretches.length > 0 ? written(stretches, translatorOf(prompt)) : null;
}

/** One step taught with the course's own sentences, and what to keep of it. */
export function makeTeachingStep(prompt: Prompt): GeneratedTeachingStep | null {
  const stretches = lesson(prompt, 1);
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
    markdown: written(stretches, translatorOf(prompt)).slice(0, 4_000),
    keyPoints: points.length ? points : [fallback.slice(0, 600)],
    passages: used.slice(0, 6).map((passage) => passage.id),
  };
}

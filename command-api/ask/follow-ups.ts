import type { PassageLibrary } from "@colloquy/projections/passages/queries.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { courseOfHref } from "@colloquy/schemas/payload.ts";
import type { Citation } from "@colloquy/schemas/sources/citations.ts";
import type { CoursePages } from "../grounding/course-pages.ts";
import { coverage } from "../grounding/question-words.ts";
import { contentWords, splitSentences } from "../grounding/quote.ts";
import type { TurnPassage } from "../grounding/retrieve.ts";

export interface AnsweredTurn {
  /** What the model read. */
  passages: readonly TurnPassage[];
  citations: readonly Citation[];
  message: string;
  history: readonly { text: string }[];
}

/**
 * Questions that the learner can ask next and the cited courses can answer: those that the model wrote behind its answer, otherwise
 * questions and headings near the cited passages. None for an answer that cites nothing: the courses did not answer the question.
 * @param written the lines that the model wrote; null if it wrote no list
 */
export async function followUps(
  { library, pages }: { library: Pick<PassageLibrary, "search">; pages: Pick<CoursePages, "described"> },
  turn: AnsweredTurn,
  written: readonly string[] | null,
): Promise<string[]> {
  const { citations, message, history } = turn;
  if (citations.length === 0 || written?.length === 0) return [];
  const asked = new Set([message, ...history.map((entry) => entry.text)].map(normal));
  const proposed = written ? await answerable(library, turn, written) : [];
  const prompts: string[] = [];
  const { languages } = await pages.described(citedCourses(turn));
  for (const prompt of proposed.length > 0 ? proposed : nearCitations(turn, languages)) {
    if (prompts.length === bounds.followUps.count) break;
    if (prompt.length > bounds.followUps.length || asked.has(normal(prompt))) continue;
    asked.add(normal(prompt));
    prompts.push(prompt);
  }
  return prompts;
}

/** The least share of a question's content terms that stands in what a search finds for it. */
const leastCoverage = 0.5;
/** Passages of a search that are compared with the question. */
const compared = 5;

/** The written questions that the cited courses answer, without bullets, quotation marks and the ids of passages. */
async function answerable(library: Pick<PassageLibrary, "search">, turn: AnsweredTurn, written: readonly string[]): Promise<string[]> {
  const courseIds = citedCourses(turn);
  const byKey = new Map(turn.passages.map((passage) => [passage.key, passage]));
  const used = turn.citations.flatMap(({ sourceId }) => turn.passages.filter((passage) => passage.sourceId === sourceId));
  // Words cannot tell whether a question in another language than the course's is answered.
  const isForeign = coverage(turn.message, used) === 0;
  const kept: string[] = [];
  for (const line of written.slice(0, bounds.followUps.count * 2)) {
    const named = [...line.matchAll(/\bs\d{1,4}\b/gi)].flatMap(([key]) => byKey.get(key.toLowerCase()) ?? []);
    const question = questionOf(line);
    if (contentWords(question).length === 0 || question.length > bounds.followUps.length) continue;
    const found = isForeign ? [] : await library.search(question, { courseIds, limit: compared });
    if ((isForeign && named.length > 0) || coverage(question, [...named, ...found]) >= leastCoverage) kept.push(question);
  }
  return kept;
}

const citedCourses = ({ citations }: AnsweredTurn): string[] => [...new Set(citations.flatMap(({ href }) => courseOfHref(href) ?? []))];

/** A line of the model's list as a question. */
const questionOf = (line: string): string =>
  line
    .replaceAll(/[[【(]\s*s\d{1,4}(?:\s*[,;]\s*s\d{1,4})*\s*[\]】)]/gi, "")
    .replace(/^\s*(?:[-*•–]|\d{1,2}[.)])\s*/, "")
    .replaceAll(/[`*_]{1,3}(?=\S)|(?<=\S)[`*_]{1,3}/g, "")
    .trim()
    .replace(/^["“„«»']+|["”“«»']+$/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();

/** Roles whose heading is a title: no labels of formulas, no solutions. */
const rolesWithTitle = new Set<TurnPassage["role"]>(["prose", "callout", "key-points", "exercise"]);
/** Roles whose sentences may be questions that the page answers. */
const rolesWithQuestions = new Set<TurnPassage["role"]>(["callout", "objectives"]);

/** Questions of the course, then headings, nearest to the cited passages first and from cited courses only. */
function* nearCitations(turn: AnsweredTurn, languages: readonly string[]): Generator<string> {
  const cited = new Set(turn.citations.map(({ sourceId }) => sourceId));
  const courses = new Set(citedCourses(turn));
  const places = turn.passages.flatMap((passage, index) => (cited.has(passage.sourceId) ? [index] : []));
  const usedHeadings = new Set(places.map((index) => headingOf(turn.passages[index])));
  const distance = (index: number): number => Math.min(...places.map((place) => Math.abs(place - index)));
  const near = turn.passages
    .map((passage, index) => ({ passage, far: distance(index), isCited: cited.has(passage.sourceId) }))
    .filter(({ passage, isCited }) => courses.has(passage.courseId) && !isCited)
    .sort((one, other) => one.far - other.far);
  for (const { passage } of near)
    if (rolesWithQuestions.has(passage.role))
      // What stands before a colon speaks about the question.
      for (const sentence of splitSentences(passage.text))
        if (/^\p{Lu}[^:]*\?$/u.test(sentence) && contentWords(sentence).length > 2) yield sentence;
  for (const { passage } of near) {
    const heading = headingOf(passage);
    if (!rolesWithTitle.has(passage.role) || usedHeadings.has(heading) || contentWords(heading).length === 0) continue;
    usedHeadings.add(heading);
    if (!namesForm.test(heading)) yield promptOf(heading, languages);
  }
}

const headingOf = (passage: TurnPassage | undefined): string => passage?.heading.replaceAll(/[`*_]/g, "").trim() ?? "";

/** Headings that name a part of any page instead of a subject. */
const namesForm =
  /^(?:introduction|overview|summary|conclusion|key points?|prerequisites?|exercises?|challenges?|questions?|further reading|references|setup|einleitung|überblick|zusammenfassung|aufgaben?|übungen?)(?:\s+\d+)?:?$/i;

/** A question about a heading, by the language of the course. */
const askAbout: Readonly<Record<string, (heading: string) => string>> = {
  en: (heading) => `What does the course say about “${heading}”?`,
  de: (heading) => `Was sagt der Kurs über „${heading}“?`,
  ar: (heading) => `ماذا تقول الدورة عن «${heading}»؟`,
};

/** A heading as somebody would ask about it; in a language without words here it stands by itself. */
function promptOf(heading: string, [language = "", ...others]: readonly string[]): string {
  if (/[?？؟]$/.test(heading) || others.length > 0) return heading;
  const begin = `${heading.charAt(0).toLowerCase()}${heading.slice(1)}`;
  if (language === "en" && /^(?:why|how|what|when|where|who|which)\b/i.test(heading)) return `Explain ${begin}`;
  return askAbout[language]?.(heading) ?? heading;
}

const normal = (text: string): string => text.toLowerCase().replaceAll(/\s+/g, " ").trim();

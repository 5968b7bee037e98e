import type { RankedPassage } from "@colloquy/projections/passages/queries.ts";

/** What answers nothing by itself: tasks and their solutions, lists of aims, pictures without their words. */
const noAnswer = new Set<RankedPassage["role"]>(["exercise", "solution", "objectives", "figure"]);
/** Headings over what is said of a lesson rather than in it. */
const aboutLessons = /\b(?:instructors?|teachers|learner profiles|licen[cs]es?|acknowledge?ments|overview|questions|objectives|setup)\b/i;
/** How long a lesson takes: "10 minutes of teaching", "Teaching: 15 min, Exercises: 10 min". */
const times = /\bminutes of (?:teaching|exercises)\b|\b(?:teaching|exercises):?\**\s*\d+\s*min/i;

/** Whether a passage can answer a card: it says something of its subject, not of the lesson's times, aims or teachers. */
export function answers({ role, heading, text, source }: Pick<RankedPassage, "role" | "heading" | "text" | "source">): boolean {
  if (noAnswer.has(role) || aboutLessons.test(heading || source.title) || times.test(text)) return false;
  // A list of questions answers none.
  const sentences = text.split(/(?<=[.?!])\s+|\n+/).filter((sentence) => /\p{L}/u.test(sentence));
  return sentences.filter((sentence) => sentence.trimEnd().endsWith("?")).length * 2 <= sentences.length;
}

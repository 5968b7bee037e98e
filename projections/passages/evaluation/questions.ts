import { readFileSync } from "node:fs";

/** A question somebody could ask, and the passages that answer it, each by words that no other passage has. */
export interface RetrievalQuestion {
  question: string;
  course: QuestionedCourse;
  /** Held-out questions are only reported on; nothing was tuned with them. */
  set: "tuning" | "held-out";
  relevant: { phrase: string; grade: Grade }[];
}

/** 2: the passage answers the question; 1: it helps. */
export type Grade = 1 | 2;

export const questionedCourses = ["linear-maps", "learning-to-learn", "shell-novice"] as const;
export type QuestionedCourse = (typeof questionedCourses)[number];

/** The questions on one course, written by hand while reading it, before any of them was searched for. See `questions/*.txt`. */
export function questionsOn(course: QuestionedCourse): RetrievalQuestion[] {
  const questions: RetrievalQuestion[] = [];
  let set: RetrievalQuestion["set"] | undefined;
  const lines = readFileSync(new URL(`questions/${course}.txt`, import.meta.url), "utf8").split("\n");
  for (const [index, line] of lines.entries()) {
    const [mark, text] = [line.slice(0, 1), line.slice(2)];
    const last = questions.at(-1);
    if (mark === "#" || line === "") continue;
    if (mark === "=" && (text === "tuning" || text === "held-out")) set = text;
    else if (mark === "?" && set) questions.push({ question: text, course, set, relevant: [] });
    else if ((mark === "1" || mark === "2") && last) last.relevant.push({ phrase: text, grade: mark === "1" ? 1 : 2 });
    else throw new Error(`questions/${course}.txt:${index + 1} cannot be read: ${line}`);
  }
  return questions;
}

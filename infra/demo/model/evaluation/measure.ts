import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { answer } from "../answer.ts";
import type { Passage } from "../segments.ts";
import { coursePassages, search } from "./passages.ts";
import { type EvaluationQuestion, evaluationQuestions } from "./questions.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const besideProject = here("../../../../../shared/data/courses/");

const folders: Record<EvaluationQuestion["course"], string> = {
  shell: `${besideProject}shell-novice/episodes`,
  lean: `${besideProject}theorem-proving-in-lean`,
  "linear-maps": here("../../courses/linear-maps"),
  "learning-to-learn": here("../../courses/learning-to-learn"),
};

export interface Measured extends EvaluationQuestion {
  answer: string;
  refused: boolean;
  right: boolean;
}

/** Whether an answer says that the course does not tell. */
export const isRefusal = (text: string): boolean => /do not answer this\.|No passage of a published course/.test(text);

/** Answers every question whose course is at hand, each from the passages a search finds for it. */
export function measure(): Measured[] {
  const passages = new Map<string, Passage[]>();
  return evaluationQuestions.flatMap((entry) => {
    const folder = folders[entry.course];
    if (!existsSync(folder)) return [];
    const all = passages.get(folder) ?? coursePassages(folder);
    passages.set(folder, all);
    const text = answer({ passages: search(all, entry.question), history: [], question: entry.question, whole: "" });
    const refused = isRefusal(text);
    const right = entry.must.length ? !refused && entry.must.every((pattern) => pattern.test(text)) : refused;
    return [{ ...entry, answer: text, refused, right }];
  });
}

/** Right answers and refusals of one set, as counts. */
export function tally(results: readonly Measured[], set: EvaluationQuestion["set"]) {
  const own = results.filter((result) => result.set === set);
  const answerable = own.filter((result) => result.must.length > 0);
  const unanswerable = own.filter((result) => result.must.length === 0);
  const words = answerable.filter((result) => !result.refused).map((result) => result.answer.split(/\s+/).length);
  return {
    answerable: answerable.length,
    answered: answerable.filter((result) => result.right).length,
    wronglyRefused: answerable.filter((result) => result.refused).length,
    unanswerable: unanswerable.length,
    refused: unanswerable.filter((result) => result.right).length,
    meanWords: Math.round(words.reduce((sum, count) => sum + count, 0) / Math.max(1, words.length)),
  };
}

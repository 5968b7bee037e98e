import { logNormal, type Random, uniformInteger } from "./distributions.ts";
import { session, think, wordsPerMinute } from "./goals.ts";

/** What a learner does next, and how long they think before it. */
export interface Step {
  thinkMs: number;
  act: "page" | "ask" | "quiz" | "score" | "tutor" | "leave";
  /** The page that is opened, by its number. */
  page?: number;
}

/** One session from its beginning to its end: `wordsOf` says how long each page is. Pure. */
export function planSession(random: Random, wordsOf: readonly number[]): Step[] {
  const thinking = (median: number): number => logNormal(random, median, think.sigma);
  const pages = uniformInteger(random, session.pages.from, session.pages.to);
  const first = Math.floor(random() * wordsOf.length);
  const wanted = uniformInteger(random, session.questions.from, session.questions.to);
  const questions = new Set<number>();
  while (questions.size < wanted) questions.add(Math.floor(random() * pages));
  const steps: Step[] = [];
  // The time before a step is what the one before it takes.
  let thinkMs = thinking(think.settle);
  const add = (act: Step["act"], then: number, more: Pick<Step, "page"> = {}): void => {
    steps.push({ thinkMs, act, ...more });
    thinkMs = thinking(then);
  };
  for (let index = 0; index < pages; index += 1) {
    const page = (first + index) % wordsOf.length;
    add("page", ((wordsOf[page] ?? 0) / wordsPerMinute) * 60_000, { page });
    if (!questions.has(index)) continue;
    thinkMs += thinking(think.question);
    add("ask", think.answer);
  }
  if (random() < session.quizShare) {
    add("quiz", think.item * 5);
    add("score", think.settle);
  }
  if (random() < session.tutorShare) {
    // The first opens the session; each further one answers what waits.
    const answers = uniformInteger(random, session.tutorAnswers.from, session.tutorAnswers.to);
    for (let index = 0; index <= answers; index += 1) add("tutor", think.item);
  }
  add("leave", 0);
  return steps;
}

/** Milliseconds a session takes as planned, without what its requests take. */
export const lengthOf = (steps: readonly Step[]): number => steps.reduce((sum, { thinkMs }) => sum + thinkMs, 0);

/**
 * The rest of a session that somebody who looks in at any moment would meet: longer sessions are met more often, at any point of them as
 * likely. With such rests for a beginning, a load is from its first moment what it would be after hours. What is open at that point (a page,
 * a quiz, a tutoring session) is opened first, without a pause.
 */
export function planRunningSession(random: Random, wordsOf: readonly number[], longestMs: number): Step[] {
  for (;;) {
    const steps = planSession(random, wordsOf);
    const length = lengthOf(steps);
    if (random() * longestMs > length) continue;
    let gone = random() * length;
    let from = 0;
    for (; from < steps.length - 1; from += 1) {
      const { thinkMs } = steps[from] as Step;
      if (thinkMs > gone) break;
      gone -= thinkMs;
    }
    const before = steps.slice(0, from);
    const last = before.at(-1)?.act;
    const open = [
      before.findLast(({ act }) => act === "page"),
      before.findLast(({ act }) => act === "quiz" && last === "quiz"),
      before.find(({ act }) => act === "tutor"),
    ];
    const rest = steps.slice(from).map((step, index) => (index === 0 ? { ...step, thinkMs: Math.max(0, step.thinkMs - gone) } : step));
    return [...open.filter((step) => step !== undefined).map((step) => ({ ...step, thinkMs: 0 })), ...rest];
  }
}

/** The mean and the longest of many planned sessions, in milliseconds. */
export function sessionLengths(random: Random, wordsOf: readonly number[], samples = 4_000): { mean: number; longest: number } {
  const drawn = Array.from({ length: samples }, () => lengthOf(planSession(random, wordsOf)));
  return { mean: drawn.reduce((sum, length) => sum + length, 0) / samples, longest: Math.max(...drawn) };
}

import type { ObjectiveOutcome } from "./days.ts";

/** A share with its 95 % confidence interval (Wilson 1927, score interval). */
export interface Share {
  count: number;
  of: number;
  low: number;
  high: number;
}

export function shareOf(count: number, of: number): Share {
  if (of === 0) return { count, of, low: 0, high: 1 };
  const z = 1.959964;
  const p = count / of;
  const middle = p + z ** 2 / (2 * of);
  const spread = z * Math.sqrt((p * (1 - p)) / of + z ** 2 / (4 * of ** 2));
  const scale = 1 + z ** 2 / of;
  return { count, of, low: Math.max(0, (middle - spread) / scale), high: Math.min(1, (middle + spread) / scale) };
}

/** What the objectives of one kind of learner come to, for provisional or confirmed mastery. */
export interface Declared {
  /** Declared though the learner did not have it then, of all declared. */
  falsely: Share;
  /** The same, of what the learner did not have at the beginning or lacked when it was declared. */
  falselyOfLacked: Share;
  /** Not declared, of what the learner had from beginning to end. */
  missed: Share;
  /** Answers until it was declared, of what the learner had at the beginning; null where nothing was. */
  answers: number | null;
}

export function declaredIn(outcomes: readonly ObjectiveOutcome[], which: "provisional" | "confirmed"): Declared {
  const declared = outcomes.flatMap((outcome) => outcome[which] ?? []);
  const falsely = declared.filter(({ had }) => !had).length;
  const lacked = outcomes.filter((outcome) => (outcome[which] ? !outcome[which].had : !outcome.hadFirst)).length;
  const known = outcomes.filter(({ hadFirst, hadLast }) => hadFirst && hadLast);
  const answers = known.flatMap((outcome) => (outcome[which]?.had ? outcome[which].answers : []));
  return {
    falsely: shareOf(falsely, declared.length),
    falselyOfLacked: shareOf(falsely, lacked),
    missed: shareOf(known.filter((outcome) => outcome[which] === null).length, known.length),
    answers: answers.length > 0 ? answers.reduce((sum, one) => sum + one, 0) / answers.length : null,
  };
}

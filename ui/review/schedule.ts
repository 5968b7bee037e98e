import { bounds } from "@colloquy/schemas/bounds.ts";
import type { LearningClock } from "@colloquy/schemas/review/learning-clock.ts";
import { type Card, createEmptyCard, type FSRS, fsrs, type Grade, State } from "ts-fsrs";

/** One rating of a card: 1 again, 2 hard, 3 good, 4 easy. */
export interface Grading {
  changeId: string;
  /** RFC 3339. */
  at: string;
  rating: number;
}

export const grades = [1, 2, 3, 4] as const satisfies readonly Grade[];
export type { Grade } from "ts-fsrs";

export interface ScheduleOptions {
  clock: LearningClock;
  /** Desired retention (`bounds.review.retention`). */
  retention: number;
  /** Minutes between repetitions on the first day; defaults to `bounds.review.firstSteps`. */
  firstSteps?: readonly number[];
}

/** The schedule of a rated card. */
export interface Schedule {
  /** The learning day on which it is due. */
  dueDay: number;
  /** When a forgotten card is asked again on the same day, in milliseconds. */
  againAt: number | null;
  /** The learning days of its first and last rating. */
  firstDay: number;
  lastDay: number;
  /** Days until recall falls to 90 %. */
  stability: number;
  /** 1 to 10. */
  difficulty: number;
  ratings: number;
  lapses: number;
}

/** The time until a card is asked again. */
export type Interval = { days: number } | { minutes: number };

const schedulers = new Map<string, FSRS>();

/** FSRS-6 with default parameters; without fuzz, so that every device computes the same. */
function schedulerFor({ retention, firstSteps = bounds.review.firstSteps }: ScheduleOptions): FSRS {
  const key = `${retention} ${firstSteps.join()}`;
  const known = schedulers.get(key);
  if (known) return known;
  const steps = (minutes: readonly number[]) => minutes.map((count) => `${count}m` as const);
  const made = fsrs({
    request_retention: retention,
    enable_fuzz: false,
    enable_short_term: true,
    learning_steps: steps(firstSteps),
    relearning_steps: steps(bounds.review.againSteps),
  });
  schedulers.set(key, made);
  return made;
}

interface Replayed {
  card: Card;
  /** The last rating: on the learner's clock, and since the epoch. */
  time: number;
  at: number;
  firstDay: number;
}

/** Ratings by time; equal times keep the order of the stream. */
const inOrder = (gradings: readonly Grading[]): Grading[] => gradings.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));

function replay(gradings: readonly Grading[], options: ScheduleOptions): Replayed | null {
  const { clock } = options;
  const scheduler = schedulerFor(options);
  return inOrder(gradings).reduce<Replayed | null>((state, { at: text, rating }) => {
    const at = Date.parse(text);
    // A clock that was set back must not give negative days.
    const time = Math.max(clock.time(at), state?.time ?? Number.NEGATIVE_INFINITY);
    const before: Card = state?.card ?? createEmptyCard(new Date(time));
    const { card } = scheduler.next(before, new Date(time), rating as Grade);
    return { card, time, at, firstDay: state?.firstDay ?? clock.day(at) };
  }, null);
}

/** The schedule from a card's ratings on all devices; null if never rated. Pure. */
export function scheduleOf(gradings: readonly Grading[], options: ScheduleOptions): Schedule | null {
  const state = replay(gradings, options);
  if (!state) return null;
  const { card, time, at, firstDay } = state;
  const lastDay = dayOf(time);
  const stepped = card.state !== State.Review;
  return {
    dueDay: stepped ? lastDay : lastDay + card.scheduled_days,
    againAt: stepped ? at + (card.due.getTime() - time) : null,
    firstDay,
    lastDay,
    stability: card.stability,
    difficulty: card.difficulty,
    ratings: card.reps,
    lapses: card.lapses,
  };
}

/** The probability of recall now by FSRS-6's forgetting curve; 0 for an unrated card. Pure. */
export function recallNow(gradings: readonly Grading[], now: number, options: ScheduleOptions): number {
  const state = replay(gradings, options);
  if (!state) return 0;
  const time = Math.max(options.clock.time(now), state.time);
  return schedulerFor(options).get_retrievability(state.card, new Date(time), false);
}

/** The next interval for each rating given now. Pure. */
export function intervalsAfter(gradings: readonly Grading[], now: number, options: ScheduleOptions): Record<Grade, Interval> {
  const state = replay(gradings, options);
  const time = Math.max(options.clock.time(now), state?.time ?? Number.NEGATIVE_INFINITY);
  const preview = schedulerFor(options).repeat(state?.card ?? createEmptyCard(new Date(time)), new Date(time));
  const interval = (grade: Grade): Interval => {
    const { card } = preview[grade];
    return card.state === State.Review ? { days: card.scheduled_days } : { minutes: Math.round((card.due.getTime() - time) / 60_000) };
  };
  return { 1: interval(1), 2: interval(2), 3: interval(3), 4: interval(4) };
}

const dayOf = (time: number): number => Math.floor(time / 86_400_000);

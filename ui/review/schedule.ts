import { bounds } from "@colloquy/schemas/bounds.ts";
import { type Card, createEmptyCard, type FSRS, fsrs, type Grade, State } from "ts-fsrs";
import type { LearningClock } from "./days.ts";

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
  /** Minutes after which a card comes again on its first day; the house's own unless given. */
  firstSteps?: readonly number[];
}

/** What is known of a card that was rated. */
export interface Schedule {
  /** The learning day it comes on. */
  dueDay: number;
  /** Of a card that was not known: when it comes again on the same day, in milliseconds. */
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

/** After how long a card comes again. */
export type Interval = { days: number } | { minutes: number };

const schedulers = new Map<string, FSRS>();

/** FSRS-6 with its default parameters; no fuzz, so that every device reckons the same. */
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
  /** The last rating, by the learner's clock as `LearningClock` has it and in milliseconds. */
  time: number;
  at: number;
  firstDay: number;
}

/** Ratings in the order of the times they were made; of one time, in the order of the stream. */
const inOrder = (gradings: readonly Grading[]): Grading[] => gradings.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));

function replay(gradings: readonly Grading[], options: ScheduleOptions): Replayed | null {
  const { clock } = options;
  const scheduler = schedulerFor(options);
  return inOrder(gradings).reduce<Replayed | null>((state, { at: text, rating }) => {
    const at = Date.parse(text);
    // A clock that is put back must not make a day negative.
    const time = Math.max(clock.time(at), state?.time ?? Number.NEGATIVE_INFINITY);
    const before: Card = state?.card ?? createEmptyCard(new Date(time));
    const { card } = scheduler.next(before, new Date(time), rating as Grade);
    return { card, time, at, firstDay: state?.firstDay ?? clock.day(at) };
  }, null);
}

/** The schedule that a card's ratings give, from whichever devices they came; null: it was never rated. Pure. */
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

/** The probability that it would be recalled now, by FSRS-6's forgetting curve; 0 for a card that was never rated. Pure. */
export function recallNow(gradings: readonly Grading[], now: number, options: ScheduleOptions): number {
  const state = replay(gradings, options);
  if (!state) return 0;
  const time = Math.max(options.clock.time(now), state.time);
  return schedulerFor(options).get_retrievability(state.card, new Date(time), false);
}

/** After how long the card would come again, for each rating given now. Pure. */
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

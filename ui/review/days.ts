import { bounds } from "@colloquy/schemas/bounds.ts";

/** One day in milliseconds. */
export const dayMs = 86_400_000;
/** Every zone's distance from UTC is a multiple of a quarter of an hour, and changes on one. */
const quarterMs = 900_000;

/** Turns times into those of a learner's clock; one for each time zone. */
export interface LearningClock {
  /**
   * A time on the learner's clock, in milliseconds as if that clock showed UTC, and moved so that a learning day begins at its midnight:
   * whoever reviews at two at night is still in yesterday. Takes milliseconds since the epoch.
   */
  time(at: number): number;
  /** The number of the learning day that a time lies in; days that follow each other have numbers that do. */
  day(at: number): number;
}

/** The learner's clock in a time zone (IANA name). @throws {RangeError} for a zone that is not known */
export function learningClock(zone: string): LearningClock {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    calendar: "gregory",
    numberingSystem: "latn",
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
  });
  const offsets = new Map<number, number>();
  const offsetAt = (at: number): number => {
    const begin = Math.floor(at / quarterMs) * quarterMs;
    const known = offsets.get(begin);
    if (known !== undefined) return known;
    const parts = Object.fromEntries(format.formatToParts(begin).map(({ type, value }) => [type, Number(value)]));
    const { year = 1970, month = 1, day = 1, hour = 0, minute = 0 } = parts;
    const offset = Date.UTC(year, month - 1, day, hour, minute) - begin;
    offsets.set(begin, offset);
    return offset;
  };
  const time = (at: number): number => at + offsetAt(at) - bounds.review.dayBeginsAt * 3_600_000;
  return { time, day: (at) => Math.floor(time(at) / dayMs) };
}

/** The zone the browser is in. */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The calendar date of a learning day, as a time that shows it in UTC. */
export const dateOfDay = (day: number): Date => new Date(day * dayMs);

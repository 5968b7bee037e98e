import { bounds } from "../bounds.ts";

/** One day in milliseconds. */
export const dayMs = 86_400_000;
/** Every zone's offset is a multiple of 15 minutes and changes at such a time. */
const quarterMs = 900_000;

/** Converts times to a learner's clock; one per time zone. */
export interface LearningClock {
  /**
   * Converts milliseconds since the epoch to the learner's clock, as if it showed UTC, shifted so that a learning day begins at midnight.
   * A review at 2 a.m. still belongs to the previous day.
   */
  time(at: number): number;
  /** The consecutive number of the learning day of a time. */
  day(at: number): number;
  /** The hour of the calendar day. */
  hour(at: number): number;
  /** When an hour of a learning day begins, in milliseconds since the epoch. */
  at(day: number, hour: number): number;
}

/** The learner's clock in a time zone (IANA name). @throws {RangeError} for an unknown zone */
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
  const hour = (at: number): number => (new Date(time(at)).getUTCHours() + bounds.review.dayBeginsAt) % 24;
  return {
    time,
    day: (at) => Math.floor(time(at) / dayMs),
    hour,
    at(day, wanted) {
      const shown = day * dayMs + ((wanted - bounds.review.dayBeginsAt + 24) % 24) * 3_600_000;
      // The second step corrects an offset that changes in between.
      const near = shown - (time(shown) - shown);
      return near - (time(near) - shown);
    },
  };
}

/** Whether the runtime knows a time zone. */
export function isZone(zone: string): boolean {
  try {
    return Intl.DateTimeFormat("en-US", { timeZone: zone }) !== undefined;
  } catch {
    return false;
  }
}

/** This machine's time zone. */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The calendar date of a learning day, as a time that shows it in UTC. */
export const dateOfDay = (day: number): Date => new Date(day * dayMs);

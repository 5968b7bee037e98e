import { bounds } from "@colloquy/schemas/bounds.ts";
import { dateOfDay } from "@colloquy/schemas/review/learning-clock.ts";
import type { ReviewAnswerReply, ReviewCard } from "@colloquy/schemas/review/requests.ts";
import { formatDate, formatNumber, formatRelative, msg } from "../messages/page.ts";
import type { Queue, ReviewItem } from "./queue.ts";
import type { Grade, Interval } from "./schedule.ts";

const gradeNames = {
  1: "review.againRating",
  2: "review.hardRating",
  3: "review.goodRating",
  4: "review.easyRating",
} as const satisfies Record<Grade, string>;

export const gradeWords = (grade: Grade): string => msg(gradeNames[grade]);

/** An interval in its largest fitting unit. */
function inLargestUnit(interval: Interval): { value: number; unit: "minute" | "day" | "month" | "year" } {
  if ("minutes" in interval) return { value: interval.minutes, unit: "minute" };
  const { days } = interval;
  if (days < 60) return { value: days, unit: "day" };
  return days < 730 ? { value: Math.round(days / 30.44), unit: "month" } : { value: Math.round((days / 365.25) * 10) / 10, unit: "year" };
}

/** A short interval for a button. */
export function shortInterval(interval: Interval): string {
  const { value, unit } = inLargestUnit(interval);
  return formatNumber(value, { style: "unit", unit, unitDisplay: "short" });
}

/** An interval for screen readers, such as "in 3 days" or "tomorrow". */
export function intervalWords(interval: Interval): string {
  const { value, unit } = inLargestUnit(interval);
  return formatRelative(value, unit, { numeric: "auto" });
}

/** A learning day relative to today. */
export function dayWords(day: number, today: number): string {
  if (day <= today + 1) return formatRelative(Math.max(0, day - today), "day", { numeric: "auto" });
  const date = dateOfDay(day);
  if (day < today + 7) return msg("review.on", { weekday: formatDate(date, { weekday: "long", timeZone: "UTC" }) });
  const year = day > today + 300 ? ({ year: "numeric" } as const) : {};
  return msg("review.on2", { date: formatDate(date, { day: "numeric", month: "long", ...year, timeZone: "UTC" }) });
}

/** The short name of a day under its bar. */
export const shortDay = (day: number): string => formatDate(dateOfDay(day), { weekday: "short", timeZone: "UTC" });

/** The question to ask, rotating through earlier ones; null if the card has none. */
export function questionOf({ card, schedule }: ReviewItem): ReviewCard["questions"][number] | null {
  return card.questions[(schedule?.ratings ?? 0) % Math.max(1, card.questions.length)] ?? null;
}

/** The prompt of a card without a question; the objective or heading follows it. */
export function promptWords({ kind, place }: ReviewCard): string {
  if (kind === "objective") return msg("review.explainMemoryIfSomebodyWhoNot");
  if (!place || place.of === 1) return msg("review.recallKeyPointUnder");
  return msg("review.recallKeyPointUnderHeading", { number: place.number, all: place.of });
}

/** What an answer did to the mastery of its objective. */
export function masteryWords({ correct, evidence }: Pick<ReviewAnswerReply, "correct" | "evidence">): string {
  if (!evidence) return msg("review.countsNowhere");
  const { before, standing } = evidence;
  if (before === "provisional" && standing === "confirmed") return msg("review.confirmsMastery");
  if (before !== "none" && standing === "none") return msg("review.masteryLost");
  return correct && standing === "provisional" ? msg("review.staysProvisional") : msg("review.recordedAsEvidence");
}

/** The remaining cards by kind. */
export function leftWords({ counts: { due, fresh, again } }: Queue): string {
  const parts = [
    due > 0 ? msg("review.due", { count: due }) : "",
    fresh > 0 ? msg("review.new", { count: fresh }) : "",
    again > 0 ? msg("review.again", { count: again }) : "",
  ].filter(Boolean);
  return parts.join(" · ");
}

/** When the next cards are due; `when` comes from `dayWords`. */
export function nextWords(count: number, when: string): string {
  if (count === 0) return msg("review.theNextOnesCome", { when });
  return msg("review.theNextCome", { n: count, when });
}

/** Selectable retentions, least work first. */
export const retentions: readonly number[] = [0.8, 0.85, bounds.review.retention.usual, 0.95, bounds.review.retention.max];

export function retentionWords(value: number): string {
  const percent = formatNumber(value, { style: "percent" });
  if (value === bounds.review.retention.usual) return msg("review.recommended", { percent });
  return value < bounds.review.retention.usual ? msg("review.fewerReviews", { percent }) : msg("review.moreReviews", { percent });
}

import { bounds } from "@colloquy/schemas/bounds.ts";
import type { ReviewCard } from "@colloquy/schemas/review/requests.ts";
import type { PersonalStates } from "../store/personal-fold.ts";
import { recallNow, type Schedule, type ScheduleOptions, scheduleOf } from "./schedule.ts";

type ReviewState = PersonalStates["review"];

/** A card with its review state. */
export interface ReviewItem {
  card: ReviewCard;
  state: ReviewState;
  /** Null if never rated. */
  schedule: Schedule | null;
}

export interface QueueOptions extends ScheduleOptions {
  /** Milliseconds since the epoch. */
  now: number;
  newPerDay: number;
}

/** A day of the forecast. */
export interface ForecastDay {
  /** The learning day. */
  day: number;
  due: number;
  fresh: number;
}

/** The reviews of the day of `now`. */
export interface Queue {
  today: number;
  /** Today's remaining cards in order: relearned cards that are due, due cards, new cards, then cards due again in some minutes. */
  left: readonly ReviewItem[];
  /** The number of each kind in `left`. */
  counts: { again: number; due: number; fresh: number };
  /** Cards rated today that are not in `left`. */
  done: number;
  /** New cards beyond today's limit, in order. */
  waiting: readonly ReviewItem[];
  suspended: readonly ReviewItem[];
  /** Postponed to tomorrow. */
  buried: readonly ReviewItem[];
  /** The days after today. */
  forecast: readonly ForecastDay[];
  /** The next learning day with cards after today; null if unknown. */
  nextDay: number | null;
  items: readonly ReviewItem[];
}

const none: ReviewState = { courseId: "", suspended: false, reviews: [] };

/** A card's state under its current and former ids; the latest postponement or suspension wins. Pure. */
export function stateOf(
  { itemId, formerIds }: Pick<ReviewCard, "itemId" | "formerIds">,
  states: ReadonlyMap<string, ReviewState>,
): ReviewState {
  const known = [itemId, ...formerIds].flatMap((id) => states.get(id) ?? []);
  const [latest = none, ...before] = known;
  if (before.length === 0) return latest;
  return { ...latest, reviews: known.flatMap(({ reviews }) => reviews) };
}

/** Today's reviews and the forecast, from the cards and their states on all devices. Pure. */
export function queueOf(cards: readonly ReviewCard[], states: ReadonlyMap<string, ReviewState>, options: QueueOptions): Queue {
  const { now, clock, newPerDay } = options;
  const today = clock.day(now);
  const items = cards.map((card): ReviewItem => {
    const state = stateOf(card, states);
    return { card, state, schedule: scheduleOf(state.reviews, options) };
  });
  const isBuried = ({ state }: ReviewItem): boolean => state.buriedAt !== undefined && clock.day(Date.parse(state.buriedAt)) >= today;
  const suspended = items.filter(({ state }) => state.suspended);
  const open = items.filter(({ state }) => !state.suspended);
  const buried = open.filter(isBuried);
  const asked = open.filter((item) => !isBuried(item));
  const begun = items.filter(({ schedule }) => schedule?.firstDay === today).length;
  const unseen = asked.filter(({ schedule }) => schedule === null);
  const room = Math.max(0, newPerDay - begun);
  const fresh = unseen.slice(0, room);
  const due = asked.filter(({ schedule }) => schedule !== null && schedule.dueDay <= today);
  const again = due.filter(({ schedule }) => schedule?.againAt != null).sort((one, other) => againAt(one) - againAt(other));
  const recall = new Map(due.map((item) => [item, recallNow(item.state.reviews, now, options)]));
  const reviews = due
    .filter(({ schedule }) => schedule?.againAt == null)
    .sort((one, other) => (recall.get(one) ?? 0) - (recall.get(other) ?? 0));
  const ready = again.filter((item) => againAt(item) <= now);
  const left = [...ready, ...reviews, ...fresh, ...again.filter((item) => againAt(item) > now)];
  const isLeft = new Set(left);
  const waiting = unseen.slice(room);
  const forecast = forecastOf({ today, newPerDay, unseen: waiting.length + unseenAmong(buried), scheduled: [...asked, ...buried] });
  return {
    today,
    left,
    waiting,
    suspended,
    buried,
    forecast,
    items,
    counts: { again: again.length, due: reviews.length, fresh: fresh.length },
    done: items.filter((item) => item.schedule?.lastDay === today && !isLeft.has(item)).length,
    nextDay: nextDayOf(today, [...asked, ...buried], newPerDay > 0 && waiting.length > 0),
  };
}

const againAt = ({ schedule }: ReviewItem): number => schedule?.againAt ?? 0;
const unseenAmong = (items: readonly ReviewItem[]): number => items.filter(({ schedule }) => schedule === null).length;

interface ForecastNeeds {
  today: number;
  newPerDay: number;
  /** Unrated cards that are not in today's queue. */
  unseen: number;
  scheduled: readonly ReviewItem[];
}

/** Due cards of the coming days if today is finished; cards rescheduled on those days are not counted. */
function forecastOf({ today, newPerDay, unseen, scheduled }: ForecastNeeds): ForecastDay[] {
  return Array.from({ length: bounds.review.forecastDays }, (_, index) => {
    const day = today + index + 1;
    return {
      day,
      due: scheduled.filter(({ schedule }) => schedule?.dueDay === day).length,
      fresh: Math.max(0, Math.min(newPerDay, unseen - index * newPerDay)),
    };
  });
}

function nextDayOf(today: number, items: readonly ReviewItem[], isNewWaiting: boolean): number | null {
  const days = items.flatMap(({ schedule, state }) => {
    if (schedule && schedule.dueDay > today) return [schedule.dueDay];
    return state.buriedAt === undefined ? [] : [today + 1];
  });
  if (isNewWaiting) days.push(today + 1);
  return days.length > 0 ? Math.min(...days) : null;
}

/** The learning day of a card's next review; null if suspended, not in the queue, or new cards are off. Pure. */
export function nextDayOfCard(queue: Queue, itemId: string, newPerDay: number): number | null {
  const item = queue.items.find(({ card }) => card.itemId === itemId || card.formerIds.includes(itemId));
  if (!item || item.state.suspended) return null;
  if (queue.buried.includes(item)) return queue.today + 1;
  if (item.schedule) return Math.max(queue.today, item.schedule.dueDay);
  if (queue.left.includes(item)) return queue.today;
  const place = queue.waiting.indexOf(item);
  return place < 0 || newPerDay === 0 ? null : queue.today + 1 + Math.floor(place / newPerDay);
}

import { bounds } from "../bounds.ts";
import { learningClock } from "../review/learning-clock.ts";
import type { ReminderEvent } from "./events.ts";
import type { Forecast } from "./requests.ts";

export interface Reminders {
  /** The browsers that are reminded, the last one turned on last. */
  devices: readonly string[];
  forecast: Forecast | null;
  /** The learning day of the last reminder. */
  remindedOn: number | null;
  /** Reminders since the learner last reviewed. */
  unanswered: number;
}

export const noReminders: Reminders = { devices: [], forecast: null, remindedOn: null, unanswered: 0 };

/** Pure. */
export function evolveReminders(state: Reminders, event: ReminderEvent): Reminders {
  switch (event.type) {
    case "RemindersTurnedOn": {
      const { device } = event.data;
      return { ...state, devices: [...without(state, device), device].slice(-bounds.reminders.devices) };
    }
    case "RemindersTurnedOff":
      return { ...state, devices: without(state, event.data.device) };
    case "ReviewsForeseen":
      return { ...state, forecast: event.data.forecast, unanswered: 0 };
    case "ReviewReminderSent":
      return { ...state, remindedOn: event.data.day, unanswered: state.unanswered + 1 };
    case "RemindersForgotten":
      return noReminders;
  }
}

const without = ({ devices }: Reminders, device: string): string[] => devices.filter((one) => one !== device);

/** Cards that are due on a learning day if nothing is reviewed until then. */
const dueOn = ({ day: first, left }: Forecast, day: number): number => left[Math.min(day - first, left.length - 1)] ?? 0;

/**
 * When the next reminder may be sent, in milliseconds since the epoch; null for never. It is never on a day on which the learner was at
 * the reviews, nor twice on one day; after some without an answer they pause. Pure.
 */
export function nextReminderAt({ devices, forecast, remindedOn, unanswered }: Reminders): number | null {
  if (!forecast || devices.length === 0 || unanswered >= bounds.reminders.unanswered) return null;
  const earliest = Math.max(forecast.day, remindedOn ?? 0) + 1;
  const latest = Math.max(earliest, forecast.day + forecast.left.length - 1);
  for (let day = earliest; day <= latest; day += 1)
    if (dueOn(forecast, day) > 0) return learningClock(forecast.zone).at(day, bounds.reminders.fromHour);
  return null;
}

/** The reminder to send now; null if none, or if it is night where the learner is. Pure. */
export function reminderNow(state: Reminders, now: number): { day: number; due: number } | null {
  const { forecast } = state;
  const at = nextReminderAt(state);
  if (!forecast || at === null || now < at) return null;
  const clock = learningClock(forecast.zone);
  const { fromHour, untilHour } = bounds.reminders;
  const day = clock.day(now);
  const hour = clock.hour(now);
  return hour < fromHour || hour >= untilHour ? null : { day, due: dueOn(forecast, day) };
}

/** Seconds in which a reminder of today may still be shown. Pure. */
export function secondsLeftOfDay(zone: string, now: number): number {
  const clock = learningClock(zone);
  return Math.max(0, Math.round((clock.at(clock.day(now), bounds.reminders.untilHour) - now) / 1000));
}

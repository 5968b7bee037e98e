import { z } from "zod";
import { defineEvents, type EventOf } from "../define-events.ts";
import { id, time } from "../payload.ts";
import { forecast, pushSubscription } from "./requests.ts";

export const reminderStreamPrefix = "reminders-";
export const reminderStream = (accountId: string): string => `${reminderStreamPrefix}${accountId}`;

/** Stream `reminders-<accountId>`: the browsers that are reminded of due reviews, and when they were. */
export const reminderEvents = defineEvents({
  RemindersTurnedOn: {
    version: 1,
    data: z.object({
      /** A pseudonym of the browser. */
      device: id,
      subscription: pushSubscription,
      at: time,
    }),
  },
  RemindersTurnedOff: {
    version: 1,
    data: z.object({
      device: id,
      /** `gone`: the push service no longer knows the subscription. `ended`: the session ended elsewhere. */
      reason: z.enum(["chosen", "signed-out", "ended", "gone"]),
      at: time,
    }),
  },
  /** What the browser's schedule foresees, after reviews. */
  ReviewsForeseen: { version: 1, data: z.object({ forecast, at: time }) },
  /** Written before it is sent, so that it is sent once at most. */
  ReviewReminderSent: {
    version: 1,
    data: z.object({
      /** The learning day. */
      day: z.int(),
      /** How many cards were due. */
      due: z.int(),
      at: time,
    }),
  },
  /** The account's data was deleted. */
  RemindersForgotten: { version: 1, data: z.object({ at: time }) },
});
export type ReminderEvent = EventOf<typeof reminderEvents>;

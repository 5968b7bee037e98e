import { z } from "zod";
import { bounds } from "../bounds.ts";
import { languageNames } from "../languages.ts";
import { payload } from "../payload.ts";
import { isZone } from "../review/learning-clock.ts";

const { endpointLength, zoneLength, days } = bounds.reminders;

/** A browser's subscription at its push service (W3C Push API). Whoever knows it could send messages, so it is private. */
export const pushSubscription = z.strictObject({
  endpoint: z.url({ protocol: /^https$/ }).max(endpointLength),
  /** The browser's public key (65 bytes) and its authentication secret (16 bytes), base64url (RFC 8291). */
  keys: z.strictObject({
    p256dh: z.string().regex(/^[A-Za-z0-9_-]{87}=?$/, "expected 65 bytes in base64url"),
    auth: z.string().regex(/^[A-Za-z0-9_-]{22}(?:==)?$/, "expected 16 bytes in base64url"),
  }),
});
export type PushSubscription = z.infer<typeof pushSubscription>;

/**
 * What the browser's schedule foresees. `left`: cards that wait on the learning day `day` and on each day after it while nothing is
 * reviewed; the last holds for all later days.
 */
export const forecast = z.strictObject({
  zone: z.string().max(zoneLength).refine(isZone, "expected an IANA time zone"),
  language: z.enum(languageNames),
  day: z.int().min(0).max(1_000_000),
  left: z.array(z.int().min(0).max(bounds.review.cards)).min(1).max(days),
});
export type Forecast = z.infer<typeof forecast>;

/** `GET /api/reminders`. */
export const remindersResponse = payload({
  /** The public key for subscribing (VAPID, RFC 8292), base64url; null where reminders are not offered. */
  publicKey: z.string().nullable(),
  /** Whether this browser gets reminders. */
  here: z.boolean(),
  /** Whether any browser of the account does, so that forecasts are needed. */
  anywhere: z.boolean(),
});
export type RemindersResponse = z.infer<typeof remindersResponse>;

/** `POST /api/reminders/on`: reminders for the browser that asks. */
export const remindersOnRequest = payload({ subscription: pushSubscription, forecast });

/** `POST /api/reminders/off`: none for the browser that asks. */
export const remindersOffRequest = payload({});

/** `POST /api/reminders/forecast`. */
export const forecastRequest = payload({ forecast });

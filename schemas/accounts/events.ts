import { z } from "zod";
import { defineEvents, type EventOf } from "../define-events.ts";
import { id, time } from "../payload.ts";

/** Stream `sessions-ended`: sessions that a person or an operator ended early. */
export const sessionEvents = defineEvents({
  SessionEnded: {
    version: 1,
    data: z.object({
      sessionId: id,
      /** When the session would have expired: the event has no effect after that. */
      until: time,
    }),
  },
  /** A person, an operator or the identity provider ended every session of an account that had begun by then. */
  AccountSessionsEnded: {
    version: 1,
    data: z.object({
      accountId: id,
      /** Sessions that began later continue. */
      begunBy: time,
      /** When the last of them would have expired. */
      until: time,
    }),
  },
  /** The identity provider ended a session of its own: those that began by it end, too. */
  ProviderSessionEnded: {
    version: 1,
    data: z.object({
      /** A pseudonym of the provider's session. */
      providerSession: id,
      /** When the last of them would have expired. */
      until: time,
    }),
  },
});
type SessionEvent = EventOf<typeof sessionEvents>;
export type SessionEnded = Extract<SessionEvent, { type: "SessionEnded" }>["data"];
export type AccountSessionsEnded = Extract<SessionEvent, { type: "AccountSessionsEnded" }>["data"];
export type ProviderSessionEnded = Extract<SessionEvent, { type: "ProviderSessionEnded" }>["data"];

export const sessionsEndedStream = "sessions-ended";

/** Stream `sign-ins-<accountId>`: the browsers in which an account signed in. */
export const signInEvents = defineEvents({
  SignedIn: {
    version: 1,
    data: z.object({
      sessionId: id,
      /** A pseudonym of the identity provider's session, where it told one. */
      providerSession: id.optional(),
      /** A pseudonym of the browser, the same at its next sign-in; missing in sign-ins of earlier versions. */
      device: id.optional(),
      /** Names of browser and operating system, as the browser states them; null where it does not. */
      browser: z.string().max(100).nullable(),
      system: z.string().max(100).nullable(),
      at: time,
      /** When the session expires. */
      until: time,
    }),
  },
  /** The account's data was deleted. */
  SignInsForgotten: { version: 1, data: z.object({ at: time }) },
});
export type SignInEvent = EventOf<typeof signInEvents>;

export const signInStream = (accountId: string): string => `sign-ins-${accountId}`;

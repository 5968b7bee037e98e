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
  /** An operator ended every session of an account that had begun by then. */
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
});
type SessionEvent = EventOf<typeof sessionEvents>;
export type SessionEnded = Extract<SessionEvent, { type: "SessionEnded" }>["data"];
export type AccountSessionsEnded = Extract<SessionEvent, { type: "AccountSessionsEnded" }>["data"];

export const sessionsEndedStream = "sessions-ended";

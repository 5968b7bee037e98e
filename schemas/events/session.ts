import { z } from "zod";
import { id, time } from "../payload.ts";

/** Stream `sessions-ended`: a session that its owner ended before its time. */
export const sessionEnded = z.object({
  schemaVersion: z.literal(1),
  sessionId: id,
  /** When the session would have ended by itself: from then on nobody needs to know of it. */
  until: time,
});
/** Stream `sessions-ended`: an operator ended every session of an account that had begun by then. */
export const accountSessionsEnded = z.object({
  schemaVersion: z.literal(1),
  accountId: id,
  /** Sessions that began later are none of them. */
  begunBy: time,
  /** When the last of them would have ended by itself. */
  until: time,
});
export type AccountSessionsEnded = z.infer<typeof accountSessionsEnded>;
export type SessionEnded = z.infer<typeof sessionEnded>;

export const sessionsEndedStream = "sessions-ended";

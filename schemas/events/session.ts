import { z } from "zod";
import { id, time } from "../payload.ts";

/** Stream `sessions-ended`: a session that its owner ended before its time. */
export const sessionEnded = z.object({
  schemaVersion: z.literal(1),
  sessionId: id,
  /** When the session would have ended by itself: from then on nobody needs to know of it. */
  until: time,
});
export type SessionEnded = z.infer<typeof sessionEnded>;

export const sessionsEndedStream = "sessions-ended";

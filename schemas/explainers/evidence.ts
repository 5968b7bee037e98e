import { z } from "zod";
import { id } from "../payload.ts";

/** Where the answer to a closing question became evidence. `receipt`: the number of its entry in the session's ledger. */
export const filmEvidence = z.strictObject({ sessionId: id, objectiveId: id, objective: z.string(), receipt: z.int().min(0) });
export type FilmEvidence = z.infer<typeof filmEvidence>;

/**
 * Why an answer is not evidence: no session of the course is open; no objective fits the question; the objective is mastered, so that an
 * aided answer could only lower it; the session is paused or has reached its limit of turns; video or session use an older revision.
 */
export const unrecordedReasons = ["no_session", "no_objective", "mastered", "paused", "full", "other_revision"] as const;
export const unrecordedReason = z.enum(unrecordedReasons);
export type UnrecordedReason = z.infer<typeof unrecordedReason>;

/** Where an answer counts or why it does not; both null if unknown. */
export const counted = { evidence: filmEvidence.nullable(), unrecorded: unrecordedReason.nullable() };
export interface Counted {
  evidence: FilmEvidence | null;
  unrecorded: UnrecordedReason | null;
}

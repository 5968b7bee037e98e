import { z } from "zod";
import { id } from "../payload.ts";

/** Where the answer to a film's closing question became evidence: `receipt` is the number of its entry in that session's ledger. */
export const filmEvidence = z.strictObject({ sessionId: id, objectiveId: id, objective: z.string(), receipt: z.int().min(0) });
export type FilmEvidence = z.infer<typeof filmEvidence>;

/**
 * Why an answer became evidence nowhere: no session of the course is open; none of its objectives is what the question is about; that
 * objective is mastered, where an answer with the film's help could only take away; the session is paused, or has as many turns as one
 * may have; film and session do not both stand on the course as it is now.
 */
export const unrecordedReasons = ["no_session", "no_objective", "mastered", "paused", "full", "other_revision"] as const;
export const unrecordedReason = z.enum(unrecordedReasons);
export type UnrecordedReason = z.infer<typeof unrecordedReason>;

/** What became of an answer: one of both, or neither for an answer of which it is not known. */
export const counted = { evidence: filmEvidence.nullable(), unrecorded: unrecordedReason.nullable() };
export interface Counted {
  evidence: FilmEvidence | null;
  unrecorded: UnrecordedReason | null;
}

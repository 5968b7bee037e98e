import { z } from "zod";
import { filmBounds } from "../film-bounds.ts";
import { id, payload, position, readQuery, time } from "../payload.ts";
import { screenLines } from "./screen-line.ts";
import { emphasis } from "./storyboard.ts";

/** A reported correction for the course's owners, without the account. */
export const reportedCorrection = z.strictObject({
  correctionId: id,
  at: time,
  topicId: id,
  topicTitle: z.string(),
  courseRevisionId: id,
  emphasis,
  /**
   * Of the scene or the whole video. Narration, quotes and screen texts are empty for a whole video; narration and screen texts also for a
   * scene whose version in the video was not kept.
   */
  sceneTitle: z.string(),
  narration: z.string(),
  /** What the scene showed below its title. */
  onScreen: screenLines,
  /** Whether the learner had changed the scene (or without one, the video) since the draft; null if unknown. */
  edited: z.boolean().nullable(),
  quotes: z.array(z.strictObject({ sourceId: id, quote: z.string(), href: z.string().nullable() })).readonly(),
  text: z.string(),
  /** Address of the topic when the video was drafted. */
  href: z.string().nullable(),
  /** When an owner dealt with it; null until then. */
  settledAt: time.nullable(),
});
export type ReportedCorrection = z.infer<typeof reportedCorrection>;

/** `GET /api/visual-explainers/corrections?courseId=`, for owners: open ones first, then by time, newest first. */
export const correctionsQuery = readQuery.extend({ courseId: id });
export const correctionsResponse = payload({ corrections: z.array(reportedCorrection).max(filmBounds.correctionsListed) });

/** `POST /api/visual-explainers/corrections/:correctionId/settle`, for owners: marks it as dealt with. */
export const settledResponse = payload({ correctionId: id, settledAt: time, position });

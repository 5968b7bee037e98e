import { z } from "zod";
import { bounds } from "../bounds.ts";
import { id, payload, position, readQuery, time } from "../payload.ts";
import { screenLines } from "./on-screen.ts";
import { emphasis } from "./storyboard.ts";

/** What was reported of a film, as the course's owner reads it: never whose film it is. */
export const reportedCorrection = z.strictObject({
  correctionId: id,
  at: time,
  topicId: id,
  topicTitle: z.string(),
  courseRevisionId: id,
  emphasis,
  /**
   * Of the scene, or of the whole film; then without narration, quotes and what is on screen. Without narration and what is on screen, too,
   * of a scene whose words in the film are not kept any more.
   */
  sceneTitle: z.string(),
  narration: z.string(),
  /** What the scene showed below its title. */
  onScreen: screenLines,
  /** Whether the learner had changed the scene, or without one the film, from what was drawn up; null where that was not kept. */
  edited: z.boolean().nullable(),
  quotes: z.array(z.strictObject({ sourceId: id, quote: z.string(), href: z.string().nullable() })).readonly(),
  text: z.string(),
  /** Where the topic stood when the film was drawn up. */
  href: z.string().nullable(),
  /** When an owner had dealt with it; null as long as nobody did. */
  settledAt: time.nullable(),
});
export type ReportedCorrection = z.infer<typeof reportedCorrection>;

/** `GET /api/visual-explainers/corrections?courseId=`, for owners: first what nobody has dealt with, of that the newest first. */
export const correctionsQuery = readQuery.extend({ courseId: id });
export const correctionsResponse = payload({ corrections: z.array(reportedCorrection).max(bounds.explainer.correctionsListed) });

/** `POST /api/visual-explainers/corrections/:correctionId/settle`, for owners: it was dealt with. */
export const settledResponse = payload({ correctionId: id, settledAt: time, position });

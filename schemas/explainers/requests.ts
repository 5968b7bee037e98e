import { z } from "zod";
import { type ErrorCode, errorCodes } from "../errors.ts";
import { filmBounds } from "../film-bounds.ts";
import { modelSelection, provider } from "../models.ts";
import { id, payload, position } from "../payload.ts";
import { counted } from "./evidence.ts";
import { renderSettings } from "./film.ts";
import { jobStates } from "./job.ts";
import { finding, review } from "./review.ts";
import { emphasis, scene, storyboard } from "./storyboard.ts";

/** `POST /api/visual-explainers/storyboard`, answered in frames. */
export const storyboardRequest = payload({
  requestId: id,
  courseId: id,
  topicId: id,
  emphasis,
  model: modelSelection,
  /** A film that an owner of the course offers: its storyboard is taken as it is. */
  filmId: id.optional(),
});
export type StoryboardRequest = z.infer<typeof storyboardRequest>;

/** `PUT /api/visual-explainers/jobs/:jobId/storyboard`: the scenes as they are to be now, whose times are reckoned anew; answered in frames as the storyboard is. */
export const storyboardEditRequest = payload({
  requestId: id,
  expectedVersion: z.int().min(0),
  scenes: z.array(scene).min(filmBounds.scenes.min).max(filmBounds.scenes.max),
  model: modelSelection,
});
export type StoryboardEditRequest = z.infer<typeof storyboardEditRequest>;

export const storyboardPhases = ["retrieving", "drafting", "validating", "reviewing"] as const;
export type StoryboardPhase = (typeof storyboardPhases)[number];

/** One line of the NDJSON answer. An artifact that comes again takes the place of the one before. The last frame is `complete` or `error`, never neither. */
export const storyboardFrame = z.discriminatedUnion("kind", [
  payload({
    kind: z.literal("status"),
    phase: z.enum(storyboardPhases),
    elapsedMs: z.int().min(0),
    detail: z
      .strictObject({
        sources: z.int().min(0).optional(),
        provider: provider.optional(),
        model: z.string().optional(),
        fallbackDepth: z.int().min(0).optional(),
        repairing: z.boolean().optional(),
      })
      .optional(),
  }),
  payload({ kind: z.literal("artifact"), artifact: storyboard }),
  payload({ kind: z.literal("complete"), jobId: id, version: z.int().min(0), position, review }),
  payload({
    kind: z.literal("error"),
    code: z.enum(Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]),
    title: z.string(),
    retryable: z.boolean(),
    retryAfterSeconds: z.int().min(1).optional(),
    /** With `storyboard_rejected`: why. */
    findings: z.array(finding).max(filmBounds.findings).optional(),
  }),
]);
export type StoryboardFrame = z.infer<typeof storyboardFrame>;

/** `POST …/jobs/:jobId/render`: the approval. */
export const renderRequest = payload({ requestId: id, settings: renderSettings.optional(), expectedVersion: z.int().min(0).optional() });
export const renderResponse = payload({ jobId: id, state: z.enum(["queued", "completed"]), version: z.int().min(0), position });
/** `POST …/retry` and `…/cancel`. */
export const jobRequest = payload({ requestId: id });
export const jobResponse = payload({
  jobId: id,
  state: z.enum(jobStates),
  version: z.int().min(0),
  position,
});
/** `POST …/corrections`: goes to the course's owner, marks the film and takes it out of the cache. `renderId`: of the film that was watched, else it is the one made last. */
export const correctionRequest = payload({
  requestId: id,
  renderId: id.optional(),
  sceneId: id.optional(),
  text: z.string().trim().min(1).max(filmBounds.correctionLength),
});
/**
 * `POST …/answer`: the closing question, once. It becomes evidence in the account's open tutoring session whose course and objectives match:
 * in the one that is named, when it does, else in the one used last.
 */
export const filmAnswerRequest = payload({
  requestId: id,
  choice: z
    .int()
    .min(0)
    .max(filmBounds.choices - 1),
  sessionId: id.optional(),
});
export const filmAnswerResponse = payload({
  correct: z.boolean(),
  right: z.int().min(0),
  explanation: z.string(),
  recorded: z.boolean(),
  ...counted,
});

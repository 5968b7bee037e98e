import { z } from "zod";
import { defineEvents, type EventDataOf, type EventOf } from "../define-events.ts";
import { writtenBy } from "../models.ts";
import { filmEvidence, unrecordedReason } from "./evidence.ts";
import { artifact, filmMetrics, renderSettings } from "./film.ts";
import { failureCode, progress } from "./render.ts";
import { review } from "./review.ts";
import { emphasis, questionKey, storyboard } from "./storyboard.ts";

const text = z.string();
const at = z.string();
/** Of the request that brought the event: the same request again is known, and another one under its id is noticed. */
const digest = z.string();
const lease = { renderId: text, leaseId: text };
const made = { milliseconds: z.number(), artifacts: z.array(artifact), metrics: filmMetrics, at };

/** Stream `explainer-<jobId>`: a video, from its storyboard to its files. Private to its account. */
export const explainerEvents = defineEvents({
  StoryboardDrafted: {
    version: 1,
    data: z.object({
      digest,
      jobId: text,
      courseId: text,
      topicId: text,
      topicTitle: text,
      courseRevisionId: text,
      emphasis,
      storyboard,
      questionKey,
      by: writtenBy,
      at,
    }),
  },
  /** By the separate call and the application's own checks. */
  StoryboardReviewed: { version: 1, data: z.object({ storyboardId: text, review, by: writtenBy }) },
  /** The owner changed or dropped scenes. `questionKey` is null when the question is no longer the course's: it is no evidence then. */
  StoryboardEdited: { version: 1, data: z.object({ digest, storyboard, questionKey: questionKey.nullable(), at }) },
  RenderApproved: {
    version: 1,
    data: z.object({
      digest,
      renderId: text,
      storyboardId: text,
      settings: renderSettings,
      rendererVersion: z.number(),
      /** Of the storyboard's content, renderer version and settings: the same hash, the same video. */
      contentHash: text,
      /** Of the storyboard's content alone. */
      boardHash: text.exactOptional(),
      at,
    }),
  },
  RenderQueued: { version: 1, data: z.object({ renderId: text, at }) },
  RenderClaimed: {
    version: 1,
    data: z.object({
      ...lease,
      workerId: text,
      attempt: z.number(),
      leaseUntil: text,
      /** The worker can speak. */
      voices: z.boolean().exactOptional(),
      at,
    }),
  },
  /** Written now and then, not at every renewal of the lease. */
  RenderProgressed: { version: 1, data: z.object({ ...lease, progress, leaseUntil: text, at }) },
  RenderLeaseExpired: { version: 1, data: z.object({ ...lease, attempt: z.number(), at }) },
  RenderFailed: {
    version: 1,
    data: z.object({
      renderId: text,
      leaseId: text.nullable(),
      attempt: z.number(),
      code: failureCode,
      retryable: z.boolean(),
      /** Another attempt follows automatically. */
      again: z.boolean(),
      at,
    }),
  },
  RenderRequeued: {
    version: 1,
    data: z.object({
      renderId: text,
      attempt: z.number(),
      /** The pause after a failure. */
      notBefore: text,
      at,
    }),
  },
  RenderCompleted: { version: 1, data: z.object({ ...lease, ...made }) },
  /** The same video had been made before. */
  RenderReused: { version: 1, data: z.object({ renderId: text, fromJobId: text, ...made }) },
  RenderCancelled: { version: 1, data: z.object({ digest, renderId: text, at }) },
  CorrectionReported: {
    version: 1,
    data: z.object({ digest, correctionId: text, renderId: text.nullable(), sceneId: text.nullable(), text, at }),
  },
  /** An owner of the course has settled a report; the video stays marked. */
  CorrectionSettled: { version: 1, data: z.object({ digest, correctionId: text, at }) },
  /** An owner of the course offers the video to everyone who reads its page, until it is withdrawn or edited. */
  FilmOffered: { version: 1, data: z.object({ digest, storyboardId: text, at }) },
  FilmWithdrawn: { version: 1, data: z.object({ digest, at }) },
  /** The closing question, once. */
  ClosingQuestionAnswered: {
    version: 1,
    data: z.object({
      digest,
      choice: z.number(),
      correct: z.boolean(),
      /** The tutoring session in which it is to become evidence, so that a repeated answer can get into no other. */
      sessionId: text.nullable(),
      /** Why there is none. */
      unrecorded: unrecordedReason.nullable().exactOptional(),
      at,
    }),
  },
  /** The evidence that the session recorded for the answer. */
  ClosingQuestionCounted: {
    version: 1,
    data: z.object({ evidence: filmEvidence.nullable(), unrecorded: unrecordedReason.nullable(), at }),
  },
  /** The stream is truncated here; none of its texts remain. */
  ExplainerErased: { version: 1, data: z.object({ at }) },
});
export type ExplainerEvent = EventOf<typeof explainerEvents>;
export type ExplainerEventData = EventDataOf<typeof explainerEvents>;
export type ExplainerEventType = ExplainerEvent["type"];

export const explainerErased = "ExplainerErased" satisfies ExplainerEventType;

export const explainerStreamPrefix = "explainer-";
export const explainerStream = (jobId: string): string => explainerStreamPrefix + jobId;
export const jobIdOf = (stream: string): string => stream.slice(explainerStreamPrefix.length);

import type { Counted, UnrecordedReason } from "../explainers/evidence.ts";
import type { Artifact, FilmMetrics, RenderSettings } from "../explainers/film.ts";
import type { FailureCode, Progress } from "../explainers/render.ts";
import type { Review } from "../explainers/review.ts";
import type { Emphasis, QuestionKey, Storyboard } from "../explainers/storyboard.ts";
import type { WrittenBy } from "./tutor.ts";

/**
 * Stream `explainer-<jobId>`: a film from its storyboard to its artifacts. Private to its account. `digest`: of the request that brought the
 * event, so that the same request again is known, and another one under its id.
 */
export interface ExplainerEventData {
  StoryboardDrafted: {
    digest: string;
    jobId: string;
    courseId: string;
    topicId: string;
    topicTitle: string;
    courseRevisionId: string;
    emphasis: Emphasis;
    storyboard: Storyboard;
    questionKey: QuestionKey;
    by: WrittenBy;
    at: string;
  };
  /** By the separate call and the application's own checks. */
  StoryboardReviewed: { storyboardId: string; review: Review; by: WrittenBy };
  /** The owner changed or dropped scenes. `questionKey` is null when the question is not the course's any more: it can be no evidence then. */
  StoryboardEdited: { digest: string; storyboard: Storyboard; questionKey: QuestionKey | null; at: string };
  /**
   * `contentHash`: of storyboard content, renderer version and settings; the same makes the same film. `boardHash`: of the storyboard's
   * content alone.
   */
  RenderApproved: {
    digest: string;
    renderId: string;
    storyboardId: string;
    settings: RenderSettings;
    rendererVersion: number;
    contentHash: string;
    boardHash?: string;
    at: string;
  };
  RenderQueued: { renderId: string; at: string };
  /** `voices`: the worker can speak. */
  RenderClaimed: {
    renderId: string;
    leaseId: string;
    workerId: string;
    attempt: number;
    leaseUntil: string;
    voices?: boolean;
    at: string;
  };
  /** Said now and then, not at every renewal: leases in between are the worker boundary's own. */
  RenderProgressed: { renderId: string; leaseId: string; progress: Progress; leaseUntil: string; at: string };
  RenderLeaseExpired: { renderId: string; leaseId: string; attempt: number; at: string };
  /** `again`: another try follows by itself. */
  RenderFailed: {
    renderId: string;
    leaseId: string | null;
    attempt: number;
    code: FailureCode;
    retryable: boolean;
    again: boolean;
    at: string;
  };
  /** `notBefore`: the pause after a failure. */
  RenderRequeued: { renderId: string; attempt: number; notBefore: string; at: string };
  RenderCompleted: { renderId: string; leaseId: string; milliseconds: number; artifacts: Artifact[]; metrics: FilmMetrics; at: string };
  /** The same had been made before. */
  RenderReused: { renderId: string; fromJobId: string; milliseconds: number; artifacts: Artifact[]; metrics: FilmMetrics; at: string };
  RenderCancelled: { digest: string; renderId: string; at: string };
  CorrectionReported: { digest: string; correctionId: string; renderId: string | null; sceneId: string | null; text: string; at: string };
  /** An owner of the course has dealt with what was reported; the film stays marked. */
  CorrectionSettled: { digest: string; correctionId: string; at: string };
  /**
   * The closing question, once. `sessionId`: the tutoring session it is to become evidence in, so that an answer sent again can get into
   * no other; `unrecorded`: why there is none.
   */
  ClosingQuestionAnswered: {
    digest: string;
    choice: number;
    correct: boolean;
    sessionId: string | null;
    unrecorded?: UnrecordedReason | null;
    at: string;
  };
  /** What the session made of it. */
  ClosingQuestionCounted: Counted & { at: string };
  /** Everything before it is cut out of the stream, and no text of it remains. */
  ExplainerErased: { at: string };
}

export type ExplainerEventType = keyof ExplainerEventData;
export type ExplainerEvent = {
  [Type in ExplainerEventType]: { type: Type; data: { schemaVersion: 1 } & ExplainerEventData[Type] };
}[ExplainerEventType];

const types: Record<ExplainerEventType, true> = {
  StoryboardDrafted: true,
  StoryboardReviewed: true,
  StoryboardEdited: true,
  RenderApproved: true,
  RenderQueued: true,
  RenderClaimed: true,
  RenderProgressed: true,
  RenderLeaseExpired: true,
  RenderFailed: true,
  RenderRequeued: true,
  RenderCompleted: true,
  RenderReused: true,
  RenderCancelled: true,
  CorrectionReported: true,
  CorrectionSettled: true,
  ClosingQuestionAnswered: true,
  ClosingQuestionCounted: true,
  ExplainerErased: true,
};
export const explainerEventTypes = Object.keys(types) as ExplainerEventType[];

export const explainerStreamPrefix = "explainer-";
export const explainerErased = "ExplainerErased" satisfies ExplainerEventType;
export const explainerStream = (jobId: string): string => explainerStreamPrefix + jobId;
export const jobIdOf = (stream: string): string => stream.slice(explainerStreamPrefix.length);

const known: ReadonlySet<string> = new Set(explainerEventTypes);

/** An event in its present shape; null for a type this version does not know. The texts in it are untrusted data. */
export function readExplainerEvent(stored: { type: string; data: unknown }): ExplainerEvent | null {
  if (!known.has(stored.type)) return null;
  const { type, data } = stored as ExplainerEvent;
  if (data.schemaVersion !== 1) throw new TypeError(`${type} has the unknown version ${String(data.schemaVersion)}`);
  return { type, data } as ExplainerEvent;
}

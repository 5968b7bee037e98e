import type { CachedFilm } from "@colloquy/projections/explainers/queries.ts";
import type { ExplainerEventData } from "@colloquy/schemas/explainers/events.ts";
import type { Counted, UnrecordedReason } from "@colloquy/schemas/explainers/evidence.ts";
import type { Artifact, FilmMetrics, RenderSettings } from "@colloquy/schemas/explainers/film.ts";
import type { FailureCode, Progress } from "@colloquy/schemas/explainers/render.ts";

/** Commands of a video's owner. `digest`: of the request. */
export type OwnerCommand = { digest: string; at: string } & (
  | ({ type: "draft" } & Omit<ExplainerEventData["StoryboardDrafted"], "digest" | "at"> & Reviewed)
  | ({ type: "edit"; expectedVersion: number } & Omit<ExplainerEventData["StoryboardEdited"], "digest" | "at"> & Reviewed)
  | {
      type: "approve";
      /** Of the render this would become. */
      renderId: string;
      settings: RenderSettings;
      rendererVersion: number;
      contentHash: string;
      boardHash: string;
      expectedVersion: number | null;
      /** A complete video of the same content, of this job or another. */
      cached: CachedFilm | null;
      /** Whether videos of the course are offered. The job's own videos are reused even if not. */
      offered: boolean;
      /** A retry: allowed only after a failure or a cancellation. */
      again: boolean;
    }
  | { type: "cancel" }
  /** `renderId`: of the reported video; null: the latest one. */
  | { type: "correct"; correctionId: string; renderId: string | null; sceneId: string | null; text: string }
  /** By an owner of the course, not of the video. */
  | { type: "settle"; correctionId: string }
  /** By an owner of the course: to everyone who reads the page. */
  | { type: "offer" }
  | { type: "withdraw" }
  /** `sessionId`: the tutoring session in which the answer counts; null with the reason in `unrecorded`. */
  | { type: "answer"; choice: number; sessionId: string | null; unrecorded: UnrecordedReason | null }
);

type Reviewed = Pick<ExplainerEventData["StoryboardReviewed"], "review"> & { reviewedBy: ExplainerEventData["StoryboardReviewed"]["by"] };

/** Commands of the workers and of the service itself. */
export type WorkCommand = { at: string } & (
  | { type: "claim"; leaseId: string; workerId: string; leaseUntil: string; rendererVersion: number; voices: boolean }
  | { type: "renew"; leaseId: string; progress: Progress; leaseUntil: string }
  | { type: "complete"; leaseId: string; milliseconds: number; artifacts: Artifact[]; metrics: FilmMetrics }
  | { type: "fail"; leaseId: string; code: FailureCode; retryable: boolean }
  /** Expires leases, and fails renders of an older renderer or without a worker that can speak. `speakerAt`: when such a worker was last known. */
  | { type: "sweep"; rendererVersion: number; speakerAt: string }
  /** Where the answer to the closing question became evidence, or why it did not. */
  | ({ type: "count" } & Counted)
  | { type: "erase" }
);

export type ExplainerCommand = OwnerCommand | WorkCommand;

import type { CachedFilm } from "@colloquy/projections/explainers/queries.ts";
import type { ExplainerEventData } from "@colloquy/schemas/events/explainer.ts";
import type { Counted, UnrecordedReason } from "@colloquy/schemas/explainers/evidence.ts";
import type { Artifact, FilmMetrics, RenderSettings } from "@colloquy/schemas/explainers/film.ts";
import type { FailureCode, Progress } from "@colloquy/schemas/explainers/render.ts";

/** What the decider of films is asked. `digest`: of the owner's request. */

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
      /** Made before, its own or another's, with nothing of it lost. */
      cached: CachedFilm | null;
      /** Whether films are made of its course: what the job has made already is given again all the same. */
      offered: boolean;
      /** Once more what failed or was cancelled, and nothing else. */
      again: boolean;
    }
  | { type: "cancel" }
  /** `renderId`: of the film it is about; null: the one made last. */
  | { type: "correct"; correctionId: string; renderId: string | null; sceneId: string | null; text: string }
  /** By an owner of the course, not of the film. */
  | { type: "settle"; correctionId: string }
  /** `sessionId`: the tutoring session it is to become evidence in; else why there is none. */
  | { type: "answer"; choice: number; sessionId: string | null; unrecorded: UnrecordedReason | null }
);

type Reviewed = Pick<ExplainerEventData["StoryboardReviewed"], "review"> & { reviewedBy: ExplainerEventData["StoryboardReviewed"]["by"] };

/** Of the workers and the service itself. */
export type WorkCommand = { at: string } & (
  | { type: "claim"; leaseId: string; workerId: string; leaseUntil: string; rendererVersion: number; voices: boolean }
  | { type: "renew"; leaseId: string; progress: Progress; leaseUntil: string }
  | { type: "complete"; leaseId: string; milliseconds: number; artifacts: Artifact[]; metrics: FilmMetrics }
  | { type: "fail"; leaseId: string; code: FailureCode; retryable: boolean }
  /** What nobody works on any more: leases that ran out, renders of an older renderer, and what nobody can speak. `speakerAt`: when a worker with a voice was known last. */
  | { type: "tend"; rendererVersion: number; speakerAt: string }
  /** What a tutoring session made of the answer to the closing question. */
  | ({ type: "count" } & Counted)
  | { type: "erase" }
);

export type ExplainerCommand = OwnerCommand | WorkCommand;

import type { StoryboardPhase } from "@colloquy/schemas/explainers/requests.ts";
import type { Emphasis, Storyboard } from "@colloquy/schemas/explainers/storyboard.ts";
import type { StoryboardStep } from "../api/explainer.ts";
import type { Edits } from "./edits.ts";

/** A request for a new storyboard, or for a check of edited scenes. A retry sends the same request with the same id. */
export type StoryboardRequest =
  | { kind: "draw"; requestId: string; emphasis: Emphasis; filmId?: string }
  | { kind: "edit"; requestId: string; jobId: string; expectedVersion: number; edits: Edits };

/** The progress of a storyboard request. */
export interface Drafting {
  readonly request: StoryboardRequest;
  readonly phase: StoryboardPhase | null;
  /** Finished phases with their durations. */
  readonly done: readonly { phase: StoryboardPhase; ms: number }[];
  readonly repairing: boolean;
  /** Number of sources found; null while unknown. */
  readonly sources: number | null;
  readonly storyboard: Storyboard | null;
  /** On the page's clock (`performance.now()`). */
  readonly startedAt: number;
  readonly phaseAt: number;
  /** The connection broke and the request is being sent again. */
  readonly isReconnecting: boolean;
}

/** The request body for edited scenes. */
export const editRequest = ({ requestId, expectedVersion, edits }: Extract<StoryboardRequest, { kind: "edit" }>) => ({
  requestId,
  expectedVersion,
  model: { choice: "automatic" as const },
  scenes: [...edits.scenes],
});

/** Applies a progress step. Pure except for the page's clock. */
export function draftingAfter(drafting: Drafting, step: Extract<StoryboardStep, { kind: "status" | "artifact" }>): Drafting {
  if (step.kind === "artifact") return { ...drafting, storyboard: step.artifact };
  const { phase, detail } = step;
  const sources = detail?.sources ?? drafting.sources;
  const repairing = detail?.repairing ?? false;
  if (phase === drafting.phase) return { ...drafting, sources, repairing, isReconnecting: false };
  const now = performance.now();
  const before = drafting.phase;
  const done = before
    ? [...drafting.done.filter((one) => one.phase !== before), { phase: before, ms: now - drafting.phaseAt }]
    : drafting.done;
  return { ...drafting, phase, done, sources, repairing, phaseAt: now, isReconnecting: false };
}

import type { StoryboardPhase } from "@colloquy/schemas/explainers/requests.ts";
import type { Emphasis, Storyboard } from "@colloquy/schemas/explainers/storyboard.ts";
import type { StoryboardStep } from "../api/explainer.ts";
import type { Edits } from "./edits.ts";

/** What draws up a storyboard: for a new film, or the scenes somebody changed. The same request, its id included, is sent again. */
export type StoryboardRequest =
  | { kind: "draw"; requestId: string; emphasis: Emphasis }
  | { kind: "edit"; requestId: string; jobId: string; expectedVersion: number; edits: Edits };

/** A storyboard that is being drawn up. */
export interface Drafting {
  readonly request: StoryboardRequest;
  readonly phase: StoryboardPhase | null;
  /** What is over, each once, with how long it took. */
  readonly done: readonly { phase: StoryboardPhase; ms: number }[];
  readonly repairing: boolean;
  /** How many sources were found; null while that is not known. */
  readonly sources: number | null;
  readonly storyboard: Storyboard | null;
  /** On the page's clock (`performance.now()`). */
  readonly startedAt: number;
  readonly phaseAt: number;
  /** The connection broke; the same request is sent again. */
  readonly isReconnecting: boolean;
}

/** What a changed storyboard is sent as. */
export const editRequest = ({ requestId, expectedVersion, edits }: Extract<StoryboardRequest, { kind: "edit" }>) => ({
  requestId,
  expectedVersion,
  model: { choice: "automatic" as const },
  scenes: [...edits.scenes],
});

/** A drawing after one more thing was told of it. Pure but for the page's clock. */
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

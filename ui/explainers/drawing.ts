import type { StoryboardPhase } from "@colloquy/schemas/explainers/requests.ts";
import type { Emphasis, Storyboard } from "@colloquy/schemas/explainers/storyboard.ts";
import type { StoryboardStep } from "../api/explainer.ts";
import type { Edits } from "./edits.ts";

/** What draws up a storyboard: for a new film, or the scenes somebody changed. The same request, its id included, is sent again. */
export type Ask =
  | { kind: "draw"; requestId: string; emphasis: Emphasis }
  | { kind: "edit"; requestId: string; jobId: string; expectedVersion: number; edits: Edits };

/** A storyboard that is being drawn up. */
export interface Drawing {
  readonly ask: Ask;
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
  readonly broke: boolean;
}

/** What a changed storyboard is sent as. */
export const editRequest = ({ requestId, expectedVersion, edits }: Extract<Ask, { kind: "edit" }>) => ({
  requestId,
  expectedVersion,
  model: { choice: "automatic" as const },
  scenes: [...edits.scenes],
});

/** A drawing after one more thing was told of it. Pure but for the page's clock. */
export function drawingAfter(drawing: Drawing, step: Extract<StoryboardStep, { kind: "status" | "artifact" }>): Drawing {
  if (step.kind === "artifact") return { ...drawing, storyboard: step.artifact };
  const { phase, detail } = step;
  const sources = detail?.sources ?? drawing.sources;
  const repairing = detail?.repairing ?? false;
  if (phase === drawing.phase) return { ...drawing, sources, repairing, broke: false };
  const now = performance.now();
  const before = drawing.phase;
  const done = before
    ? [...drawing.done.filter((one) => one.phase !== before), { phase: before, ms: now - drawing.phaseAt }]
    : drawing.done;
  return { ...drawing, phase, done, sources, repairing, phaseAt: now, broke: false };
}

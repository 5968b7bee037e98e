import type { StoryboardFrame, StoryboardPhase } from "@colloquy/schemas/explainers/requests.ts";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";
import { generationSchemas } from "@colloquy/schemas/generation/index.ts";
import type { GeneratedReview, GeneratedStoryboard } from "@colloquy/schemas/generation/storyboard.ts";
import type { ModelSelection, WrittenBy } from "@colloquy/schemas/models.ts";
import { versioned } from "@colloquy/schemas/payload.ts";
import type { ModelGateway, ObjectRequest } from "../../model-gateway/gateway.ts";

/** How models are asked for a storyboard, and where progress goes. */
export interface ModelRequests {
  gateway: ModelGateway;
  model: ModelSelection;
  signal: AbortSignal;
  emit(frame: StoryboardFrame): void;
  elapsedMs(): number;
}

type Detail = NonNullable<Extract<StoryboardFrame, { kind: "status" }>["detail"]>;

export const emitStatus = ({ emit, elapsedMs }: ModelRequests, phase: StoryboardPhase, detail?: Detail): void =>
  emit(versioned({ kind: "status" as const, phase, elapsedMs: elapsedMs(), ...(detail && { detail }) }));

/** One bounded call for a storyboard. @throws {ProblemError} as `ModelGateway.generateObject` */
export const requestStoryboard = (requests: ModelRequests, system: string, repairing: boolean) =>
  ask<GeneratedStoryboard>(requests, "drafting", repairing, {
    name: "storyboard",
    schema: generationSchemas.storyboard,
    system,
    maxOutputTokens: filmBounds.outputTokens.storyboard,
    messages: [{ role: "user", content: repairing ? "Repair the storyboard." : "Draw up the storyboard." }],
  });

/** The separate call that reviews a storyboard. @throws {ProblemError} as `ModelGateway.generateObject` */
export const requestReview = (requests: ModelRequests, system: string, repairing: boolean) =>
  ask<GeneratedReview>(requests, "reviewing", repairing, {
    name: "review",
    schema: generationSchemas.review,
    system,
    maxOutputTokens: filmBounds.outputTokens.review,
    messages: [{ role: "user", content: "Review the storyboard." }],
  });

async function ask<T>(
  requests: ModelRequests,
  phase: StoryboardPhase,
  repairing: boolean,
  request: Pick<ObjectRequest<T>, "name" | "schema" | "system" | "messages" | "maxOutputTokens">,
): Promise<{ object: T; by: WrittenBy }> {
  const { object, run } = await requests.gateway.generateObject<T>({
    ...request,
    model: requests.model,
    need: "tutor" as const,
    signal: requests.signal,
    onAttempt: ({ provider, model, fallbackDepth }) =>
      emitStatus(requests, phase, { provider, model, fallbackDepth, ...(repairing && { repairing }) }),
  });
  const { provider, model, fallbackDepth } = run;
  return { object, by: { provider, model, fallbackDepth } };
}

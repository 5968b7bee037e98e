import { bounds } from "@colloquy/schemas/bounds.ts";
import type { StoryboardFrame, StoryboardPhase } from "@colloquy/schemas/explainers/requests.ts";
import { generationSchemas } from "@colloquy/schemas/generation/index.ts";
import type { GeneratedReview, GeneratedStoryboard } from "@colloquy/schemas/generation/storyboard.ts";
import type { ModelSelection, WrittenBy } from "@colloquy/schemas/models.ts";
import { versioned } from "@colloquy/schemas/payload.ts";
import type { ModelGateway, ObjectRequest } from "../../model-gateway/gateway.ts";

/** What a storyboard is drawn up with: whose model, how to stop it, and where its progress goes. */
export interface Asking {
  gateway: ModelGateway;
  model: ModelSelection;
  signal: AbortSignal;
  tell(frame: StoryboardFrame): void;
  elapsedMs(): number;
}

type Detail = NonNullable<Extract<StoryboardFrame, { kind: "status" }>["detail"]>;

export const tellStatus = ({ tell, elapsedMs }: Asking, phase: StoryboardPhase, detail?: Detail): void =>
  tell(versioned({ kind: "status" as const, phase, elapsedMs: elapsedMs(), ...(detail && { detail }) }));

/** One bounded call for a storyboard. @throws {ProblemError} as `ModelGateway.generateObject` */
export const askForStoryboard = (asking: Asking, system: string, repairing: boolean) =>
  ask<GeneratedStoryboard>(asking, "drafting", repairing, {
    name: "storyboard",
    schema: generationSchemas.storyboard,
    system,
    maxOutputTokens: bounds.explainer.outputTokens.storyboard,
    messages: [{ role: "user", content: repairing ? "Repair the storyboard." : "Draw up the storyboard." }],
  });

/** The separate call that looks at it. @throws {ProblemError} as `ModelGateway.generateObject` */
export const askForReview = (asking: Asking, system: string, repairing: boolean) =>
  ask<GeneratedReview>(asking, "reviewing", repairing, {
    name: "review",
    schema: generationSchemas.review,
    system,
    maxOutputTokens: bounds.explainer.outputTokens.review,
    messages: [{ role: "user", content: "Review the storyboard." }],
  });

async function ask<T>(
  asking: Asking,
  phase: StoryboardPhase,
  repairing: boolean,
  request: Pick<ObjectRequest<T>, "name" | "schema" | "system" | "messages" | "maxOutputTokens">,
): Promise<{ object: T; by: WrittenBy }> {
  const { object, run } = await asking.gateway.generateObject<T>({
    ...request,
    model: asking.model,
    need: "tutor" as const,
    signal: asking.signal,
    onAttempt: ({ provider, model, fallbackDepth }) =>
      tellStatus(asking, phase, { provider, model, fallbackDepth, ...(repairing && { repairing }) }),
  });
  const { provider, model, fallbackDepth } = run;
  return { object, by: { provider, model, fallbackDepth } };
}

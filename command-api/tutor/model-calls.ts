import { type Generated, type GenerationName, generationSchemas } from "@colloquy/schemas/generation/index.ts";
import type { ModelSelection, WrittenBy } from "@colloquy/schemas/models.ts";
import { versioned } from "@colloquy/schemas/payload.ts";
import type { TutorFrame, TutorWork } from "@colloquy/schemas/tutor/requests.ts";
import type { ModelGateway, RunInfo } from "../model-gateway/gateway.ts";

/** What a call to a model needs beside its prompt. */
export interface ModelContext {
  gateway: ModelGateway;
  model: ModelSelection;
  signal: AbortSignal;
  streamed: boolean;
  emit(frame: TutorFrame): void;
  elapsedMs(): number;
  /** How long a second look may take, where it is another time than usual. */
  secondLookMs?: number;
}

export const writerOf = ({ provider, model, fallbackDepth }: RunInfo): WrittenBy => ({ provider, model, fallbackDepth });

export const statusOf =
  (context: ModelContext, phase: TutorWork) =>
  ({ provider, model, fallbackDepth }: RunInfo) =>
    context.emit(versioned({ kind: "status" as const, phase, elapsedMs: context.elapsedMs(), detail: { provider, model, fallbackDepth } }));

/** One bounded call for an object. @throws {ProblemError} as `ModelGateway.generateObject` */
export async function generate<Name extends GenerationName>(
  context: ModelContext,
  name: Name,
  phase: TutorWork,
  system: string,
  task: string,
  maxOutputTokens: number,
): Promise<{ object: Generated<Name>; by: WrittenBy }> {
  const { object: made, run } = await context.gateway.generateObject({
    model: context.model,
    need: "tutor" as const,
    name,
    schema: generationSchemas[name] as never,
    system,
    messages: [{ role: "user", content: task }],
    maxOutputTokens,
    signal: context.signal,
    onAttempt: statusOf(context, phase),
  });
  return { object: made as Generated<Name>, by: writerOf(run) };
}

import { modelBounds } from "@colloquy/schemas/model-bounds.ts";
import { countTokens } from "../tokens.ts";

/** Tokens of the instructions of a turn; the longest take some 700. */
const instructionTokens = 1_000;

/**
 * Shares a model's context window: the brief has up to `modelBounds.brief.tokens` and `modelBounds.brief.share` of it; the conversation what
 * instructions, brief, question and answer leave, up to `modelBounds.brief.history`.
 * @param contextTokens the window
 * @param outputTokens reserved for the answer
 */
export function tokenBudget({ contextTokens, outputTokens, message }: { contextTokens: number; outputTokens: number; message: string }): {
  brief: number;
  history: number;
} {
  const window = Math.floor(contextTokens * (1 - modelBounds.brief.margin));
  const free = Math.max(0, window - instructionTokens - outputTokens - countTokens(message));
  const brief = Math.min(modelBounds.brief.tokens, Math.floor(contextTokens * modelBounds.brief.share), free);
  return { brief, history: Math.min(modelBounds.brief.history, free - brief) };
}

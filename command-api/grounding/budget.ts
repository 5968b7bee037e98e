import { bounds } from "@colloquy/schemas/bounds.ts";
import { countTokens } from "./tokens.ts";

/** Tokens of the instructions of a turn; the longest take some 700. */
const instructionTokens = 1_000;

/**
 * Shares a model's context window: the brief has up to `bounds.brief.tokens` and `bounds.brief.share` of it; the conversation what
 * instructions, brief, question and answer leave, up to `bounds.brief.history`.
 * @param contextTokens the window
 * @param outputTokens reserved for the answer
 */
export function tokenBudget({ contextTokens, outputTokens, message }: { contextTokens: number; outputTokens: number; message: string }): {
  brief: number;
  history: number;
} {
  const window = Math.floor(contextTokens * (1 - bounds.brief.margin));
  const free = Math.max(0, window - instructionTokens - outputTokens - countTokens(message));
  const brief = Math.min(bounds.brief.tokens, Math.floor(contextTokens * bounds.brief.share), free);
  return { brief, history: Math.min(bounds.brief.history, free - brief) };
}

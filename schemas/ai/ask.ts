import { z } from "zod";
import { bounds } from "../bounds.ts";
import { type ErrorCode, errorCodes } from "../errors.ts";
import { id, payload } from "../payload.ts";
import { citation } from "./citations.ts";
import { modelSelection, provider } from "./models.ts";
import { quiz } from "./quiz.ts";

/** What a learner attached, by address only: labels are resolved on the server and never taken from a client. */
export const submittedReference = z.strictObject({
  href: z.string().min(1).max(bounds.ask.hrefLength),
  sourceId: id.optional(),
  revisionId: id.optional(),
});
export type SubmittedReference = z.infer<typeof submittedReference>;

/** `POST /api/ai/ask`. */
export const askRequest = payload({
  requestId: id,
  conversationId: id.nullable(),
  message: z.string().trim().min(1, "write a question").max(bounds.ask.messageLength),
  history: z
    .array(z.strictObject({ role: z.enum(["learner", "assistant"]), text: z.string().max(bounds.ask.historyEntryLength) }))
    .max(bounds.ask.historyEntries),
  references: z.array(submittedReference).max(bounds.ask.references),
  model: modelSelection,
  command: z.literal("quiz").optional(),
  regenerate: z.boolean().optional(),
});
export type AskRequest = z.infer<typeof askRequest>;

export const askPhases = ["retrieving", "generating", "writing", "grounding"] as const;
export type AskPhase = (typeof askPhases)[number];

const elapsedMs = z.int().min(0);

/** One line of the NDJSON answer. The last frame is `complete` or `error`, never neither. */
export const askFrame = z.discriminatedUnion("kind", [
  payload({
    kind: z.literal("status"),
    phase: z.enum(askPhases),
    elapsedMs,
    detail: z.strictObject({ sources: z.int().min(0).optional() }).optional(),
  }),
  payload({ kind: z.literal("text_delta"), text: z.string() }),
  payload({ kind: z.literal("artifact"), artifact: quiz }),
  payload({
    kind: z.literal("complete"),
    citations: z.array(citation).max(bounds.citation.perAnswer),
    followUps: z.array(z.string().max(bounds.followUps.length)).max(bounds.followUps.count),
    provider,
    model: z.string(),
    fallbackDepth: z.int().min(0),
    finishReason: z.enum(["stop", "length"]),
    elapsedMs,
    usage: z.strictObject({ inputTokens: z.int().optional(), outputTokens: z.int().optional() }).optional(),
  }),
  payload({
    kind: z.literal("error"),
    code: z.enum(Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]),
    title: z.string(),
    retryable: z.boolean(),
  }),
]);
export type AskFrame = z.infer<typeof askFrame>;
export type CompleteFrame = Extract<AskFrame, { kind: "complete" }>;

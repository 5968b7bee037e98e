import { z } from "zod";
import { bounds } from "../bounds.ts";
import { type ErrorCode, errorCodes } from "../errors.ts";
import { answerer, modelSelection } from "../models.ts";
import { id, payload, time } from "../payload.ts";
import { quiz } from "../quiz/quiz.ts";
import { citation } from "../sources/citations.ts";
import { conversationChangeData } from "../sync/changes.ts";
import { askPhase, readDetail } from "../turn-trace.ts";

export type { AskPhase } from "../turn-trace.ts";

/** An attached reference, by address only: the server resolves its label. */
export const submittedReference = z.strictObject({
  href: z.string().min(1).max(bounds.ask.hrefLength),
  sourceId: id.optional(),
  revisionId: id.optional(),
});
export type SubmittedReference = z.infer<typeof submittedReference>;

/**
 * Keeps a turn beyond its connection: without a reader it continues for `bounds.ask.graceMs`, and the service records it unless it is
 * released (with `recordedBy` as soon as it ends, also when it is released). `GET /api/ai/ask/<requestId>?after=<seq>` reads it again, `DELETE`
 * releases it. Without this field, a lost connection stops the turn.
 */
const keep = z.strictObject({
  conversationId: id,
  turnId: id,
  /** When the learner asked. */
  at: time,
  /** The start of the conversation, with its first turn. */
  started: conversationChangeData.started.optional(),
  replaces: id.optional(),
  /** The service records the turn as soon as it ends, also when it is stopped: for pages without storage. */
  recordedBy: z.literal("service").optional(),
});

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
  keep: keep.optional(),
});
export type AskRequest = z.infer<typeof askRequest>;

/** `GET /api/ai/ask/:requestId`: the frames after this one. */
export const askAgainQuery = z.strictObject({ after: z.coerce.number().int().min(0).default(0) });

const elapsedMs = z.int().min(0);
/** The number of the frame in its turn, from 1. A repeated status has the number of the frame before it. */
const seq = z.int().min(1).optional();
/** The model that answered, if the service names another than was requested. */
const reportedModel = z.string().max(160).optional();

/** One line of the NDJSON answer. The last frame is `complete` or `error`, never neither. */
export const askFrame = z.discriminatedUnion("kind", [
  payload({
    kind: z.literal("status"),
    seq,
    phase: askPhase,
    elapsedMs,
    detail: readDetail
      .extend({
        /** The model that is called or writes. */
        provider: answerer.optional(),
        model: z.string().optional(),
        fallbackDepth: z.int().min(0).optional(),
        /** The progress of a quiz. */
        questions: z.strictObject({ made: z.int().min(0), wanted: z.int().min(1) }).optional(),
        /** The quiz so far, if more questions are to come: the result of a turn that stops here. */
        quiz: quiz.optional(),
      })
      .optional(),
  }),
  /** Sent before the first text with its number; `complete` repeats all, with the support check. */
  payload({ kind: z.literal("citation"), seq, citation }),
  payload({ kind: z.literal("text_delta"), seq, text: z.string() }),
  payload({ kind: z.literal("artifact"), seq, artifact: quiz }),
  payload({
    kind: z.literal("complete"),
    seq,
    citations: z.array(citation).max(bounds.citation.perAnswer),
    followUps: z.array(z.string().max(bounds.followUps.length)).max(bounds.followUps.count),
    provider: answerer,
    model: z.string(),
    reportedModel,
    fallbackDepth: z.int().min(0),
    finishReason: z.enum(["stop", "length"]),
    elapsedMs,
    usage: z.strictObject({ inputTokens: z.int().optional(), outputTokens: z.int().optional() }).optional(),
  }),
  payload({
    kind: z.literal("error"),
    seq,
    code: z.enum(Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]),
    title: z.string(),
    retryable: z.boolean(),
    retryAfterSeconds: z.int().min(1).optional(),
  }),
]);
export type AskFrame = z.infer<typeof askFrame>;
export type CompleteFrame = Extract<AskFrame, { kind: "complete" }>;

/** `DELETE /api/ai/ask/:requestId`: the turn is stopped and no longer kept. */
export const releasedResponse = payload({ released: z.literal(true) });

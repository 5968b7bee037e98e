import { z } from "zod";
import { bounds } from "../bounds.ts";
import { type ErrorCode, errorCodes } from "../errors.ts";
import { id, payload, time } from "../payload.ts";
import { quiz } from "../quiz/quiz.ts";
import { conversationChangeData } from "../sync/changes.ts";
import { citation } from "./citations.ts";
import { modelSelection, provider } from "./models.ts";

/** What a learner attached, by address only: labels are resolved on the server and never taken from a client. */
export const submittedReference = z.strictObject({
  href: z.string().min(1).max(bounds.ask.hrefLength),
  sourceId: id.optional(),
  revisionId: id.optional(),
});
export type SubmittedReference = z.infer<typeof submittedReference>;

/**
 * Asks for a turn that outlives its connection: while nobody reads, it goes on for `bounds.ask.graceMs`, and what came of it is
 * recorded by the service unless somebody lets go of it (with `recordedBy` at once, and when it is let go of, too). It is read again at `GET /api/ai/ask/<requestId>?after=<seq>` and let go
 * of, running or not, by `DELETE` there; without this field whoever hangs up has stopped it.
 */
const keep = z.strictObject({
  conversationId: id,
  turnId: id,
  /** When the learner asked. */
  at: time,
  /** What the conversation begins with, when this is its first turn. */
  started: conversationChangeData.started.optional(),
  replaces: id.optional(),
  /** The service records it as soon as it has ended, also when it is stopped: for pages that can store nothing themselves. */
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

export const askPhases = ["retrieving", "generating", "writing", "grounding"] as const;
export type AskPhase = (typeof askPhases)[number];

/** `GET /api/ai/ask/:requestId`: the frames after this one. */
export const askAgainQuery = z.strictObject({ after: z.coerce.number().int().min(0).default(0) });

const elapsedMs = z.int().min(0);
/** The frame's number in its turn, from 1. A status that is only said again has that of the frame before it. */
const seq = z.int().min(1).optional();
/** The model's own name as its service gives it, where that is another than was asked for. */
const reportedModel = z.string().max(160).optional();

/** One line of the NDJSON answer. The last frame is `complete` or `error`, never neither. */
export const askFrame = z.discriminatedUnion("kind", [
  payload({
    kind: z.literal("status"),
    seq,
    phase: z.enum(askPhases),
    elapsedMs,
    detail: z
      .strictObject({
        sources: z.int().min(0).optional(),
        /** The model that is being asked, or writes. */
        provider: provider.optional(),
        model: z.string().optional(),
        fallbackDepth: z.int().min(0).optional(),
        /** How far a quiz is. */
        questions: z.strictObject({ made: z.int().min(0), wanted: z.int().min(1) }).optional(),
        /** The quiz so far, when questions were added and more are to come: whoever stops here has this one. */
        quiz: quiz.optional(),
      })
      .optional(),
  }),
  /** A source, before the first text that has its number; `complete` says them all again, with what became known since. */
  payload({ kind: z.literal("citation"), seq, citation }),
  payload({ kind: z.literal("text_delta"), seq, text: z.string() }),
  payload({ kind: z.literal("artifact"), seq, artifact: quiz }),
  payload({
    kind: z.literal("complete"),
    seq,
    citations: z.array(citation).max(bounds.citation.perAnswer),
    followUps: z.array(z.string().max(bounds.followUps.length)).max(bounds.followUps.count),
    provider,
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

/** `DELETE /api/ai/ask/:requestId`: nothing of the turn runs or is kept any more. */
export const releasedResponse = payload({ released: z.literal(true) });

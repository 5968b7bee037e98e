import { z } from "zod";
import { bounds } from "../bounds.ts";
import { modelSelection } from "../models.ts";
import { id, payload, position, readQuery, time } from "../payload.ts";
import { quizAnswer } from "../quiz/quiz.ts";
import { attachedReference, recordedTurn } from "../sync/changes.ts";

export const conversationStates = ["active", "archived"] as const;

/** A row of the history. */
export const conversationSummary = z.strictObject({
  conversationId: id,
  title: z.string(),
  mode: z.enum(["ask", "tutor"]),
  state: z.enum(conversationStates),
  pinned: z.boolean(),
  updatedAt: time,
  turns: z.int().min(0),
  /** For a search: the stretch of text that matched, the first words where the title did. */
  match: z.string().optional(),
});
export type ConversationSummary = z.infer<typeof conversationSummary>;

/** The query string of `GET /api/conversations`. */
export const conversationsQuery = readQuery.extend({
  state: z.enum(["active", "pinned", "archived"]).default("active"),
  q: z.string().max(bounds.conversations.queryLength).optional(),
  cursor: z.string().max(100).optional(),
  limit: z.coerce.number().int().min(1).max(bounds.conversations.pageSize).default(bounds.conversations.pageSize),
});

export const conversationsResponse = payload({ conversations: z.array(conversationSummary), cursor: z.string().nullable() });
export type ConversationsResponse = z.infer<typeof conversationsResponse>;

/** The whole record of one conversation. `version` is the revision of its stream. */
export const conversation = z.strictObject({
  conversationId: id,
  version: z.int().min(0),
  title: z.string(),
  mode: z.enum(["ask", "tutor"]),
  state: z.enum(conversationStates),
  pinned: z.boolean(),
  model: modelSelection,
  references: z.array(attachedReference),
  createdAt: time,
  updatedAt: time,
  position,
  turns: z.array(recordedTurn.extend({ at: time })),
  quizAttempts: z.array(z.strictObject({ quizId: id, answers: z.record(id, quizAnswer), score: z.number(), at: time })),
});
export type Conversation = z.infer<typeof conversation>;

export const conversationResponse = payload({ conversation });
export type ConversationResponse = z.infer<typeof conversationResponse>;

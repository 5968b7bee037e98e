import { z } from "zod";
import { citation } from "../ai/citations.ts";
import { modelId, modelSelection, provider } from "../ai/models.ts";
import { quiz } from "../ai/quiz.ts";
import { sourceKind } from "../ai/references.ts";
import { bounds } from "../bounds.ts";
import { id, localHref, time } from "../payload.ts";

export const domains = ["conversation", "preferences", "progress", "annotation", "review"] as const;
export const domain = z.enum(domains);
export type Domain = z.infer<typeof domain>;

const title = z.string().trim().min(1).max(bounds.conversation.titleLength);
const mode = z.enum(["ask", "tutor"]);
export type ConversationMode = z.infer<typeof mode>;

/** A reference as it is kept with a conversation: as the browser had it from the server, its label frozen. The label is shown, never used as a source. */
export const attachedReference = z.strictObject({
  href: localHref,
  sourceId: id.optional(),
  revisionId: id.optional(),
  kind: sourceKind.optional(),
  title: z.string().max(bounds.course.titleLength * 2),
});
export type AttachedReference = z.infer<typeof attachedReference>;

/** One question and what came of it. Turns only append; `replaces` names the turn a regeneration stands for. */
export const recordedTurn = z.strictObject({
  turnId: id,
  question: z.string().min(1).max(bounds.ask.messageLength),
  answer: z.string().max(bounds.conversation.answerLength),
  citations: z.array(citation).max(bounds.citation.perAnswer),
  artifact: quiz.optional(),
  outcome: z.enum(["finished", "stopped"]),
  provider: provider,
  model: z.string().max(200),
  fallbackDepth: z.int().min(0),
  replaces: id.optional(),
});
export type RecordedTurn = z.infer<typeof recordedTurn>;

const none = z.strictObject({});

/** The data of each type of change in the conversation domain. */
export const conversationChangeData = {
  started: z.strictObject({ mode, model: modelSelection, references: z.array(attachedReference).max(bounds.ask.references), title }),
  turn_recorded: recordedTurn,
  renamed: z.strictObject({ title }),
  pinned: none,
  unpinned: none,
  archived: none,
  restored: none,
  deleted: none,
  model_chosen: z.strictObject({ choice: z.enum(["automatic", "pinned"]), id: modelId.optional(), allowFallbackWhenPinned: z.boolean() }),
  mode_chosen: z.strictObject({ mode }),
  reference_attached: attachedReference,
  reference_removed: z.strictObject({ href: z.string().min(1).max(bounds.ask.hrefLength) }),
  quiz_attempted: z.strictObject({
    quizId: id,
    answers: z.record(id, z.array(id).max(bounds.quiz.choices.max)),
    score: z.number().min(0).max(1),
  }),
} as const;
export type ConversationChangeType = keyof typeof conversationChangeData;
export type ConversationChangeData = { [Type in ConversationChangeType]: z.infer<(typeof conversationChangeData)[Type]> };

/** One change of a personal domain, as a device made it. It becomes one event whose id is derived from `changeId`. */
export const change = z.strictObject({
  changeId: id,
  domain,
  entityId: id,
  type: z.string().min(1).max(60),
  at: time,
  data: z.record(z.string(), z.unknown()),
});
export type Change = z.infer<typeof change>;

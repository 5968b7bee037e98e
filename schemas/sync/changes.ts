import { z } from "zod";
import { bounds } from "../bounds.ts";
import { answerer, modelId, modelSelection } from "../models.ts";
import { id, localHref, time } from "../payload.ts";
import { quiz, quizAnswer } from "../quiz/quiz.ts";
import { citation } from "../sources/citations.ts";
import { sourceKind } from "../sources/references.ts";
import { turnTrace } from "../turn-trace.ts";

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
  provider: answerer,
  model: z.string().max(200),
  fallbackDepth: z.int().min(0),
  replaces: id.optional(),
  /** Questions that the learner can ask next. */
  followUps: z.array(z.string().min(1).max(bounds.followUps.length)).max(bounds.followUps.count).optional(),
  /** Absent from turns that older versions recorded. */
  trace: turnTrace.optional(),
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
    answers: z.record(id, quizAnswer),
    score: z.number().min(0).max(1),
  }),
} as const;
export type ConversationChangeType = keyof typeof conversationChangeData;
export type ConversationChangeData = { [Type in ConversationChangeType]: z.infer<(typeof conversationChangeData)[Type]> };

/** What an account may choose for every device; each by itself, the last writing wins. */
export const preferenceChoices = z.strictObject({
  theme: z.enum(["system", "light", "dark"]).optional(),
  readingSize: z.enum(["small", "medium", "large", "larger"]).optional(),
  motion: z.enum(["system", "reduced"]).optional(),
  /** "system" or a language tag (BCP 47) of the interface. */
  language: z
    .string()
    .max(35)
    .regex(/^(?:system|[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*)$/, "expected a language tag")
    .optional(),
  /** Desired retention: the probability of recall at which a review comes. */
  reviewRetention: z.number().min(bounds.review.retention.min).max(bounds.review.retention.max).optional(),
  /** The tour of the workspace was taken or turned down. */
  tour: z.enum(["seen"]).optional(),
  reviewNewPerDay: z.int().min(bounds.review.newPerDay.min).max(bounds.review.newPerDay.max).optional(),
});
export type PreferenceChoices = z.infer<typeof preferenceChoices>;

/** The data of each type of change to the preferences; models are hidden one by one, so that two devices never overwrite each other's list. */
export const preferencesChangeData = {
  chosen: preferenceChoices.refine((choices) => Object.keys(choices).length > 0, "expected a choice"),
  model_hidden: z.strictObject({ modelId }),
  model_shown: z.strictObject({ modelId }),
} as const;

/** Reading progress; the entity is a topic. `place`: how much of the page was above the lower edge of the window. */
export const progressChangeData = {
  read_to: z.strictObject({ courseId: id, place: z.number().min(0).max(1), blockId: id.optional() }),
  finished: z.strictObject({ courseId: id }),
  reopened: z.strictObject({ courseId: id }),
} as const;

const note = z.string().max(bounds.annotation.noteLength);
const context = z.string().max(bounds.annotation.contextLength);
const colour = z.enum(["yellow", "green", "blue", "pink"]);
export const inkTools = ["pen", "highlighter"] as const;
export const inkColours = ["ink", "blue", "red", "green", "yellow"] as const;

/**
 * One stroke of a drawing. `points` holds x, y and pressure (0 to 255) of each point in turn: of the first as they are, of every other the
 * difference to the one before. Lengths are thousandths of the inline size of the block it is anchored to, from that block's top left corner;
 * so ink keeps its shape and its place in the text when a page is set narrower or wider. Without a block it stands on the page's article.
 */
export const stroke = z.strictObject({
  strokeId: id,
  blockId: id.nullable(),
  tool: z.enum(inkTools),
  colour: z.enum(inkColours),
  width: z.int().min(1).max(bounds.annotation.strokeWidth),
  points: z
    .array(z.int().min(-bounds.annotation.inkReach).max(bounds.annotation.inkReach))
    .min(3)
    .max(bounds.annotation.strokePoints * 3)
    .refine(({ length }) => length % 3 === 0, "expected x, y and pressure of each point"),
});
export type Stroke = z.infer<typeof stroke>;

/** A learner's mark on a page: the quoted words with what stands around them, by which they are found again in a later revision. */
export const annotationChangeData = {
  marked: z.strictObject({
    courseId: id,
    topicId: id,
    blockId: id.optional(),
    revisionId: id.optional(),
    colour,
    note,
    quote: z.string().min(1).max(bounds.annotation.quoteLength),
    before: context,
    after: context,
  }),
  note_written: z.strictObject({ note }),
  coloured: z.strictObject({ colour }),
  /**
   * Ink on a page. An entity is either a mark or a drawing; a page may have several drawings, because each device that begins one offline
   * begins its own, and all of them are shown. Strokes are only added and erased, so devices never overwrite each other's.
   */
  drawn: z.strictObject({ courseId: id, topicId: id, strokes: z.array(stroke).min(1).max(bounds.annotation.strokesPerChange) }),
  strokes_erased: z.strictObject({ strokeIds: z.array(id).min(1).max(bounds.annotation.strokesErased) }),
  deleted: none,
} as const;

/**
 * What was done with a review item. Every rating stays, whichever device it came from; the schedule is a fold over all of them in the order
 * of the times they were made (`ui/review/schedule.ts`). Burying holds for the day it was done on.
 */
export const reviewChangeData = {
  reviewed: z.strictObject({ courseId: id, rating: z.int().min(1).max(4), elapsedMs: z.int().min(0).max(86_400_000).optional() }),
  /** The rating that was the change of this id never happened. */
  taken_back: z.strictObject({ changeId: id }),
  buried: none,
  suspended: none,
  resumed: none,
} as const;

/** Every change a device may push, by domain and type. */
export const changeData = {
  conversation: conversationChangeData,
  preferences: preferencesChangeData,
  progress: progressChangeData,
  annotation: annotationChangeData,
  review: reviewChangeData,
} as const satisfies Record<Domain, Readonly<Record<string, z.ZodType>>>;

/** The data of a domain's changes, by type. */
export type ChangeDataOf<Of extends Domain> = { [Type in keyof (typeof changeData)[Of]]: z.infer<(typeof changeData)[Of][Type]> };

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

import { z } from "zod";
import { bounds } from "../bounds.ts";
import { id, localHref, payload, position, time } from "../payload.ts";
import { authoredKey } from "../questions/key.ts";
import { questionResponse, shownQuestion } from "../questions/response.ts";
import { standings } from "../tutor/mastery-standing.ts";

/** What the account reviews: cards met in tutoring, with their content from the live revision. What was rated is the domain `review` of the sync. */

const text = z.string();
const title = z.string();

/** A place of the course that answers a card, in the course's own words. */
export const reviewPassage = z.strictObject({
  href: localHref,
  title,
  /** Markdown of a key point; plain text of a passage. */
  text,
  format: z.enum(["markdown", "plain"]),
});
export type ReviewPassage = z.infer<typeof reviewPassage>;

/** A question that was asked and answered in tutoring. `right` is marked, for it is shown only after the learner has tried to recall. */
export const reviewQuestion = z.strictObject({
  prompt: text,
  choices: z.array(z.strictObject({ text, right: z.boolean() })).max(bounds.course.question.choices.max),
});
export type ReviewQuestion = z.infer<typeof reviewQuestion>;

/** A question of the course's own that can be asked now: its answer was not shown yet. `digest`: SHA-256 of this version of its block. */
export const reviewAsk = z.strictObject({ blockId: id, digest: z.string(), question: shownQuestion });
export type ReviewAsk = z.infer<typeof reviewAsk>;

/**
 * One thing to recall. An objective is asked by the questions answered on it, or by its own words; a key point by its place in its list.
 * `itemId` belongs to the objective, or to the block and the words of the point; `formerIds` are those it had before its container or
 * block was renamed.
 */
export const reviewCard = z.strictObject({
  itemId: id,
  formerIds: z.array(id),
  kind: z.enum(["objective", "key-point"]),
  courseId: id,
  courseTitle: title,
  topicTitle: title,
  /** BCP 47, of the course's text. */
  language: z.string(),
  /** The topic or, of a key point, its block. */
  href: localHref,
  /** The objective; of a key point the title or heading over its list. */
  title,
  /** Of a key point: the how-manieth of how many. */
  place: z.strictObject({ number: z.int().min(1), of: z.int().min(1) }).optional(),
  questions: z.array(reviewQuestion).max(bounds.review.questionsPerCard),
  /** Asked instead where the service can be reached, which marks the answer. */
  ask: reviewAsk.optional(),
  answer: z.array(reviewPassage).max(bounds.review.answerPassages),
  /** When it was first taught, or a check on it answered. */
  metAt: time,
});
export type ReviewCard = z.infer<typeof reviewCard>;

/**
 * A card that is asked no more: its text was taken out of the course, or the course is not published any longer. `title`: the objective, or
 * the words of the key point (Markdown).
 */
export const retiredCard = z.strictObject({
  itemId: id,
  kind: z.enum(["objective", "key-point"]),
  title,
  topicTitle: title,
  courseTitle: title,
  reason: z.enum(["deleted", "unpublished"]),
});
export type RetiredCard = z.infer<typeof retiredCard>;

/** `GET /api/review`: every card of the account, in the order they were met, and those retired. `more`: there are more than are asked. */
export const reviewResponse = payload({
  cards: z.array(reviewCard).max(bounds.review.cards),
  retired: z.array(retiredCard),
  more: z.boolean(),
});
export type ReviewResponse = z.infer<typeof reviewResponse>;

/** `POST /api/review/answers`: the answer to a card's question of the course's own. */
export const reviewAnswerRequest = payload({
  requestId: id,
  courseId: id,
  /** The objective: the card's `itemId`. */
  objectiveId: id,
  blockId: id,
  digest: z.string().regex(/^[0-9a-f]{64}$/, "expected SHA-256 in lower-case hex"),
  response: questionResponse,
  /** Marked as it stands, also where only its spelling may be wrong (`check_spelling`). */
  confirmed: z.literal(true).optional(),
});
export type ReviewAnswerRequest = z.infer<typeof reviewAnswerRequest>;

/**
 * How it was marked, and what the author says. `evidence`: where it stands in the ledger, and what the objective's mastery is now; null
 * where no session of the account can take it.
 */
export const reviewAnswerReply = payload({
  correct: z.boolean(),
  key: authoredKey,
  explanation: text,
  evidence: z.strictObject({ sessionId: id, receipt: z.int().min(0), before: z.enum(standings), standing: z.enum(standings) }).nullable(),
  position: position.nullable(),
});
export type ReviewAnswerReply = z.infer<typeof reviewAnswerReply>;

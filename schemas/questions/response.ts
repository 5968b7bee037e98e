import { z } from "zod";
import { bounds } from "../bounds.ts";

const { partLength, answerLength, choices, gaps, pairs } = bounds.course.question;
export const partId = z.string().regex(/^[a-z0-9]{1,16}$/);

/**
 * What a learner answers: `choiceIds` to single and multiple choice, and all items in the learner's order; `text` in words or a number;
 * `texts` one for each gap; `pairs` of ids. The ids are those of `shownQuestion`.
 */
export const questionResponse = z.union([
  z.strictObject({ choiceIds: z.array(partId).max(choices.max) }),
  z.strictObject({ text: z.string().max(answerLength) }),
  z.strictObject({ texts: z.array(z.string().max(partLength)).max(gaps.max) }),
  z.strictObject({ pairs: z.array(z.strictObject({ left: partId, right: partId })).max(pairs.max) }),
]);
export type QuestionResponse = z.infer<typeof questionResponse>;

const part = z.strictObject({ id: partId, markdown: z.string() });

const any = { markdown: z.string() };

/** A question without its key, as a learner sees it: its parts are shuffled, and their ids say nothing of the key. */
export const shownQuestion = z.discriminatedUnion("kind", [
  z.strictObject({ ...any, kind: z.literal("single"), choices: z.array(part) }),
  z.strictObject({ ...any, kind: z.literal("multiple"), choices: z.array(part) }),
  z.strictObject({ ...any, kind: z.literal("text") }),
  z.strictObject({ ...any, kind: z.literal("number"), unit: z.string().optional() }),
  /** `markdown` has `[[1]]`, … in the places of the gaps (`gapParts`). */
  z.strictObject({ ...any, kind: z.literal("gap"), gaps: z.int() }),
  z.strictObject({ ...any, kind: z.literal("order"), items: z.array(part) }),
  z.strictObject({ ...any, kind: z.literal("match"), lefts: z.array(part), rights: z.array(part) }),
  z.strictObject({ ...any, kind: z.literal("free") }),
]);
export type ShownQuestion = z.infer<typeof shownQuestion>;
export type ShownPart = z.infer<typeof part>;

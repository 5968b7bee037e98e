import type { PlainMessageKey } from "@colloquy/messages/translator.ts";
import type { QuestionKind, QuestionPlace } from "@colloquy/schemas/courses/blocks.ts";

/** The names of the kinds of questions for authors. */
export const kindNames = {
  single: "questionForm.single",
  multiple: "questionForm.multiple",
  text: "questionForm.text",
  number: "questionForm.number",
  gap: "questionForm.gap",
  order: "questionForm.order",
  match: "questionForm.match",
  free: "questionForm.free",
} as const satisfies Record<QuestionKind, PlainMessageKey>;

/** Where a question stands, for authors. */
export const placeNames = {
  page: "questionForm.onThePage",
  "self-check": "questionForm.onlyOnThePage",
  bank: "questionForm.onlyByTheTutor",
} as const satisfies Record<QuestionPlace, PlainMessageKey>;

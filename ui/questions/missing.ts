import type { ShownQuestion } from "@colloquy/schemas/questions/response.ts";
import { msg } from "../messages/page.ts";

const keys = {
  single: "question.missingChoice",
  multiple: "question.missingChoice",
  order: "question.missingMove",
  match: "question.missingMatch",
  gap: "question.missingGap",
  number: "question.missingNumber",
  text: "question.missingText",
  free: "question.missingText",
} as const satisfies Record<ShownQuestion["kind"], string>;

/** What is missing of a response that is not complete yet. */
export const missingWords = (kind: ShownQuestion["kind"]): string => msg(keys[kind]);

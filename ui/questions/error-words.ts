import type { MechanicalQuestion } from "@colloquy/schemas/questions/mark.ts";
import { markResponse } from "@colloquy/schemas/questions/mark.ts";
import type { QuestionResponse, ShownQuestion } from "@colloquy/schemas/questions/response.ts";
import { type ResponseError, responseErrors } from "@colloquy/schemas/questions/response-errors.ts";
import { shownWords } from "@colloquy/schemas/text/visible-text.ts";
import { formatNumber, msg } from "../messages/page.ts";
import type { QuestionResult } from "./fields.ts";

/** A response as it was marked, with what is wrong in it. */
export const markWithErrors = (key: MechanicalQuestion, response: QuestionResponse): QuestionResult => ({
  ...markResponse(key, response),
  errors: responseErrors(key, response),
});

const plainWords = {
  not_a_number: "question.wrongNotNumber",
  unit_not_asked: "question.wrongUnitNotAsked",
  wrong_sign: "question.wrongSign",
  sign_and_amount: "question.wrongSignAndAmount",
  near_miss: "question.wrongNear",
  reciprocal: "question.wrongReciprocal",
  same_number: "question.wrongSameNumber",
  too_large: "question.wrongTooLarge",
  too_small: "question.wrongTooSmall",
  letters: "question.wrongLetters",
  case: "question.wrongCase",
  signs: "question.wrongSigns",
  word_order: "question.wrongWordOrder",
  too_much: "question.wrongTooMuch",
  too_little: "question.wrongTooLittle",
} as const;

/** What is wrong in a response, as a sentence to the learner. A gap is named with what stands in it: no number is to be seen there. */
export function errorWords(error: ResponseError, question: ShownQuestion, response: QuestionResponse | null): string {
  const words = wordsOf(error, question);
  if (!("gap" in error) || error.gap === undefined) return words;
  const typed = response && "texts" in response ? response.texts[error.gap - 1] : "";
  return `${msg("question.gap", { number: error.gap })}${typed ? ` (${isolated(typed)})` : ""}: ${words}`;
}

function wordsOf(error: ResponseError, question: ShownQuestion): string {
  switch (error.error) {
    case "other_unit":
      return msg("question.wrongUnit", { unit: isolated(error.unit) });
    case "power_of_ten": {
      const factor = msg("question.wrongFactor", { factor: formatNumber(10 ** Math.abs(error.power)) });
      // Of a negative number, a larger amount is a smaller number.
      return error.negative ? factor : `${msg(error.power > 0 ? "question.wrongTooLarge" : "question.wrongTooSmall")} ${factor}`;
    }
    case "other_gap":
      return msg("question.wrongOtherGap", { other: error.other });
    case "swapped":
      return msg("question.wrongSwapped", { place: error.place, other: error.other });
    case "misplaced":
      return msg("question.wrongMisplaced", { place: error.place });
    case "first_wrong":
      return msg("question.wrongFirst", { place: error.place });
    case "swapped_pairs":
      return msg("question.wrongPairsSwapped", { left: named(question, error.left), other: named(question, error.other) });
    default:
      return msg(plainWords[error.error]);
  }
}

/** Isolates the direction of a course's words in a sentence. */
const isolated = (text: string): string => `\u2068${text}\u2069`;

const longestName = 80;

/** A left side of a match as plain text. */
function named(question: ShownQuestion, id: string): string {
  const lefts = question.kind === "match" ? question.lefts : [];
  const words = shownWords(lefts.find((side) => side.id === id)?.markdown ?? "");
  return isolated(words.length > longestName ? `${words.slice(0, longestName)}…` : words);
}

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
  near_miss: "question.wrongNear",
  reciprocal: "question.wrongReciprocal",
  too_large: "question.wrongTooLarge",
  too_small: "question.wrongTooSmall",
  letters: "question.wrongLetters",
  case: "question.wrongCase",
  signs: "question.wrongSigns",
  word_order: "question.wrongWordOrder",
  too_much: "question.wrongTooMuch",
  too_little: "question.wrongTooLittle",
} as const;

/** What is wrong in a response, as a sentence to the learner. */
export function errorWords(error: ResponseError, question: ShownQuestion): string {
  switch (error.error) {
    case "other_unit":
      return msg("question.wrongUnit", { unit: isolated(error.unit) });
    case "power_of_ten": {
      const factor = formatNumber(10 ** Math.abs(error.power));
      return `${msg(error.power > 0 ? "question.wrongTooLarge" : "question.wrongTooSmall")} ${msg("question.wrongFactor", { factor })}`;
    }
    case "other_gap":
      return inGap(error.gap, msg("question.wrongOtherGap", { other: error.other }));
    case "swapped":
      return msg("question.wrongSwapped", { place: error.place, other: error.other });
    case "misplaced":
      return msg("question.wrongMisplaced", { place: error.place });
    case "first_wrong":
      return msg("question.wrongFirst", { place: error.place });
    case "swapped_pairs":
      return msg("question.wrongPairsSwapped", { left: named(question, error.left), other: named(question, error.other) });
    case "wrong_pair":
      return msg("question.wrongPair", { left: named(question, error.left), right: named(question, error.right) });
    default: {
      const words = msg(plainWords[error.error]);
      return "gap" in error && error.gap !== undefined ? inGap(error.gap, words) : words;
    }
  }
}

const inGap = (number: number, words: string): string => `${msg("question.gap", { number })}: ${words}`;

/** Isolates the direction of a course's words in a sentence. */
const isolated = (text: string): string => `\u2068${text}\u2069`;

const longestName = 80;

/** A side of a match as plain text. */
function named(question: ShownQuestion, id: string): string {
  const sides = question.kind === "match" ? [...question.lefts, ...question.rights] : [];
  const words = shownWords(sides.find((side) => side.id === id)?.markdown ?? "");
  return isolated(words.length > longestName ? `${words.slice(0, longestName)}…` : words);
}

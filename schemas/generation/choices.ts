import { z } from "zod";
import { repeated, text } from "./passages.ts";

/** A choice of a question, and whether it is correct. */
export const generatedChoice = z.strictObject({ text, correct: z.boolean() });
export type GeneratedChoice = z.infer<typeof generatedChoice>;

/**
 * Errors of a set of choices: repeated texts, or a wrong number of correct ones. `multiple` needs at least one correct and one wrong choice.
 */
export function choiceErrors(selection: "single" | "multiple", choices: readonly GeneratedChoice[]): string[] {
  const right = choices.filter((choice) => choice.correct).length;
  const errors = repeated(choices.map((choice) => choice.text)).map((index) => `choice ${index + 1} repeats another`);
  if (choices.length < 2) errors.push("needs at least two choices");
  if (selection === "single" && right !== 1) errors.push(`needs exactly one correct choice, has ${right}`);
  if (selection === "multiple" && right === 0) errors.push("needs a correct choice");
  if (selection === "multiple" && right === choices.length) errors.push("needs a wrong choice");
  return errors;
}

import { z } from "zod";
import { optionalText } from "./passages.ts";

/** What models fill when they look at written questions a second time. Questions, choices and criteria are named by their numbers, from 1. */

const number = z.int().min(1).max(8);

/**
 * `look`: what is found of each question. The looker is not told the key: `follows` names every choice, or criterion of a rubric, that the
 * passages carry, and the application compares. Around the passages the prompt holds `<questions>[…]</questions>` and
 * `<revealed>["statement"]</revealed>`.
 */
export const generatedLook = z.strictObject({
  questions: z
    .array(
      z.strictObject({
        question: number,
        /** Whether answering it needs the objective named with it. */
        testsObjective: z.boolean(),
        follows: z.array(number).max(8),
        givesItselfAway: z.boolean(),
        /** Whether it asks for a statement that the learner was shown. */
        repeatsRevealed: z.boolean(),
        /** What is wrong with it; empty where nothing is. */
        reason: optionalText,
      }),
    )
    .max(8),
});
export type GeneratedLook = z.infer<typeof generatedLook>;

/** `guess`: what is chosen by the wording alone, without any passage; no choice where the wording tells nothing. */
export const generatedGuess = z.strictObject({
  answers: z.array(z.strictObject({ question: number, choices: z.array(number).max(8) })).max(8),
});
export type GeneratedGuess = z.infer<typeof generatedGuess>;

import type { z } from "zod";
import { generatedQuiz } from "./quiz.ts";
import { generatedGuess, generatedLook } from "./second-look.ts";
import { generatedReview, generatedStoryboard } from "./storyboard.ts";
import { generatedSupport } from "./support.ts";
import { checkOrNone, generatedGrading, generatedPlan, generatedProbe, generatedTeachingStep, generatedVerification } from "./tutor.ts";

/** All schemas that models fill, by name (`response_format.json_schema.name`). */
export const generationSchemas = {
  quiz: generatedQuiz,
  probe: generatedProbe,
  plan: generatedPlan,
  verification: generatedVerification,
  teachingStep: generatedTeachingStep,
  check: checkOrNone,
  grading: generatedGrading,
  look: generatedLook,
  guess: generatedGuess,
  storyboard: generatedStoryboard,
  review: generatedReview,
  support: generatedSupport,
} as const satisfies Record<string, z.ZodType>;

export type GenerationName = keyof typeof generationSchemas;
export type Generated<Name extends GenerationName> = z.infer<(typeof generationSchemas)[Name]>;

import type { z } from "zod";
import { checkOrNone } from "./check.ts";
import { generatedGrading } from "./grading.ts";
import { generatedPlan } from "./plan.ts";
import { generatedProbe } from "./probe.ts";
import { generatedQuiz } from "./quiz.ts";
import { generatedReview } from "./review.ts";
import { generatedStoryboard } from "./storyboard.ts";
import { generatedSupport } from "./support.ts";
import { generatedTeachingStep } from "./teaching-step.ts";
import { generatedVerification } from "./verification.ts";

/** Every schema a model is asked to fill, by the name it is asked under (`response_format.json_schema.name`). */
export const generationSchemas = {
  quiz: generatedQuiz,
  probe: generatedProbe,
  plan: generatedPlan,
  verification: generatedVerification,
  teachingStep: generatedTeachingStep,
  check: checkOrNone,
  grading: generatedGrading,
  storyboard: generatedStoryboard,
  review: generatedReview,
  support: generatedSupport,
} as const satisfies Record<string, z.ZodType>;

export type GenerationName = keyof typeof generationSchemas;
export type Generated<Name extends GenerationName> = z.infer<(typeof generationSchemas)[Name]>;

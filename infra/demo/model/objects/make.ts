import { type GenerationName, generationSchemas } from "@colloquy/schemas/generation/index.ts";
import type { Prompt } from "../prompt.ts";
import { makeGrading } from "./grading.ts";
import { makePlan, makeVerification } from "./plan.ts";
import { makeCheck, makeProbe, makeQuiz } from "./quiz.ts";
import { makeReview } from "./review.ts";
import { makeStoryboard } from "./storyboard.ts";
import { makeSupport } from "./support.ts";
import { makeTeachingStep } from "./teaching-step.ts";

const makers: Record<GenerationName, (prompt: Prompt) => object | null> = {
  quiz: makeQuiz,
  probe: makeProbe,
  plan: makePlan,
  verification: makeVerification,
  teachingStep: makeTeachingStep,
  check: makeCheck,
  grading: makeGrading,
  // It selects sentences and can judge no question.
  look: () => null,
  guess: () => null,
  storyboard: makeStoryboard,
  review: makeReview,
  support: makeSupport,
};

/** The object a schema of `schemas/generation` asks for; null when the name is unknown or the passages do not suffice. */
export function makeObject(name: string, prompt: Prompt): object | null {
  if (!isGenerationName(name)) return null;
  const made = makers[name](prompt);
  return made && generationSchemas[name].safeParse(made).success ? made : null;
}

const isGenerationName = (name: string): name is GenerationName => Object.hasOwn(generationSchemas, name);

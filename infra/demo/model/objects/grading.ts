import type { GeneratedGrading } from "@colloquy/schemas/generation/grading.ts";
import { z } from "zod";
import { type Prompt, taggedJson } from "../prompt.ts";
import { terms } from "../terms.ts";

const rubric = z.array(z.string()).min(1).max(6);

/** A criterion is met when the answer has half of its words: by rule, and said so. */
export function makeGrading(prompt: Prompt): GeneratedGrading | null {
  const criteria = rubric.safeParse(taggedJson(prompt, "rubric"));
  const answer = z.string().safeParse(taggedJson(prompt, "answer"));
  if (!criteria.success || !answer.success) return null;
  const said = new Set(terms(answer.data));
  return {
    criteria: criteria.data.map((criterion, index) => {
      const wanted = [...new Set(terms(criterion))];
      const missing = wanted.filter((term) => !said.has(term));
      const met = missing.length * 2 <= wanted.length;
      const reason = met ? "The answer has the words that matter here." : `The answer says nothing of: ${missing.slice(0, 6).join(", ")}.`;
      return { criterion: index + 1, met, reason };
    }),
  };
}

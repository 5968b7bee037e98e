import { z } from "zod";
import { bounds } from "./bounds.ts";
import { answerer } from "./models.ts";

export const askPhases = ["retrieving", "generating", "writing", "grounding"] as const;
export const askPhase = z.enum(askPhases);
export type AskPhase = z.infer<typeof askPhase>;

/** What the model was given to read, as far as it is known. */
export const readDetail = z.strictObject({
  /** Passages that the model can cite, and the pages and sections of courses that it reads. */
  sources: z.int().min(0).optional(),
  pages: z.int().min(0).optional(),
  sections: z.int().min(0).optional(),
  /** The question as it was searched, if it was rewritten into one that stands alone. */
  rewritten: z.string().max(bounds.ask.messageLength).optional(),
  /** The question is in none of the courses' languages and was searched as it is (ISO 639-1). */
  otherLanguage: z.strictObject({ question: z.string().max(8), courses: z.array(z.string().max(40)).max(20) }).optional(),
});

/** The longest list of phases that is recorded; a turn goes through four. */
const mostPhases = 16;

/** How an answer came about. Recorded with it, so that every device and every later visit shows the same. */
export const turnTrace = readDetail.extend({
  /** When each phase began, in milliseconds after the question arrived. */
  phases: z.array(z.strictObject({ phase: askPhase, atMs: z.int().min(0) })).max(mostPhases),
  elapsedMs: z.int().min(0),
  /** The model that was asked first. */
  asked: z.strictObject({ provider: answerer, model: z.string().max(200) }).optional(),
  /** The model that answered, if the service names another than was requested. */
  reportedModel: z.string().max(160).optional(),
  /** "length": the answer reached its length limit. */
  finishReason: z.enum(["stop", "length"]).optional(),
});
export type TurnTrace = z.infer<typeof turnTrace>;

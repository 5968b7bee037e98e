import { z } from "zod";
import { questionLevels, questionPlaces } from "../courses/blocks.ts";
import type { MechanicalQuestion } from "./mark.ts";

const text = z.string();
const common = {
  objective: text.exactOptional(),
  level: z.enum(questionLevels),
  about: z.array(text),
  place: z.enum(questionPlaces),
  markdown: text,
  hints: z.array(text),
  explanation: text.exactOptional(),
};
const choices = z.array(z.strictObject({ markdown: text, correct: z.boolean(), feedback: text.exactOptional() }));

/** A question of a course that is marked by its key, as the evidence of an answer keeps it. */
export const authoredKey = z.discriminatedUnion("kind", [
  z.strictObject({ ...common, kind: z.literal("single"), choices }),
  z.strictObject({ ...common, kind: z.literal("multiple"), choices }),
  z.strictObject({ ...common, kind: z.literal("text"), accepted: z.array(text) }),
  z.strictObject({ ...common, kind: z.literal("number"), value: z.number(), tolerance: z.number(), unit: text.exactOptional() }),
  z.strictObject({ ...common, kind: z.literal("gap"), gaps: z.array(z.array(text)) }),
  z.strictObject({ ...common, kind: z.literal("order"), items: z.array(text) }),
  z.strictObject({
    ...common,
    kind: z.literal("match"),
    pairs: z.array(z.strictObject({ left: text, right: text })),
    extra: z.array(text),
  }),
]) satisfies z.ZodType<MechanicalQuestion>;

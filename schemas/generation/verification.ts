import { z } from "zod";
import { shortText, text } from "./passages.ts";

/** `verification`: what a second look finds in a proposed plan. A plan stands only when both lists are empty. */
export const generatedVerification = z.strictObject({
  /** Foundations or claims no passage supports. */
  unsupported: z.array(z.strictObject({ step: shortText, claim: text })).max(16),
  /** Something a step needs that no earlier step teaches. */
  prerequisiteGaps: z.array(z.strictObject({ step: shortText, missing: text })).max(16),
});
export type GeneratedVerification = z.infer<typeof generatedVerification>;

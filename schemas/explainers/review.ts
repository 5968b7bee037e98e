import { z } from "zod";
import { filmBounds } from "../film-bounds.ts";
import { id } from "../payload.ts";

export const reviewProblems = [
  "unsupported",
  "picture",
  "misquoted",
  "order",
  "level",
  "prerequisite",
  "layout",
  "unclear",
  "too_long",
  "too_short",
  "redundant",
  "off_topic",
] as const;
/** A finding of a review. `by`: the application's checks or a separate model call. No scene: the whole storyboard. */
export const finding = z.strictObject({
  sceneId: id.nullable(),
  problem: z.enum(reviewProblems),
  detail: z.string().min(1).max(filmBounds.findingLength),
  by: z.enum(["application", "model"]),
});
export type Finding = z.infer<typeof finding>;

export const review = z.strictObject({
  approved: z.boolean(),
  repaired: z.boolean(),
  findings: z.array(finding).max(filmBounds.findings),
});
export type Review = z.infer<typeof review>;

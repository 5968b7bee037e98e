import type { Finding } from "@colloquy/schemas/explainers/review.ts";

/** A finding about what a scene shows. */
export type Found = Pick<Finding, "problem" | "detail">;

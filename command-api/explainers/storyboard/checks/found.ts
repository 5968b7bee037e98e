import type { Finding } from "@colloquy/schemas/explainers/review.ts";
import type { TopicPassage } from "../topics.ts";

/** A finding about what a scene shows. */
export type Found = Pick<Finding, "problem" | "detail">;

/** What checks read of a topic's passages. */
export type CheckedPassage = Pick<TopicPassage, "sourceId" | "text" | "diagram" | "code" | "picture"> &
  Partial<Pick<TopicPassage, "role" | "heading">>;

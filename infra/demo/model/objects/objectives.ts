import { z } from "zod";
import { type Prompt, taggedJson } from "../prompt.ts";
import type { Passage } from "../segments.ts";

const objective = z.object({
  id: z.string().min(1).max(64),
  text: z.string(),
  page: z.string().optional(),
  /** The ids of the passages that the search for it found first. */
  nearest: z.array(z.string()).optional(),
});
export type Objective = z.infer<typeof objective>;

/** The learning objectives a prompt names, in its order. */
export function objectivesOf(prompt: Prompt): Objective[] {
  const parsed = z.array(objective).safeParse(taggedJson(prompt, "objectives"));
  return parsed.success ? parsed.data : [];
}

/** The passages of the page that has the objective; all of them where the prompt names none, or no passage is of it. */
export function passagesOf({ page }: Pick<Objective, "page">, passages: readonly Passage[]): readonly Passage[] {
  const own = page === undefined ? [] : passages.filter(({ trail }) => trail.includes(page));
  return own.length > 0 ? own : passages;
}

/** The passages a prompt asks to stay with, in its order. */
export function focusOf(prompt: Prompt): Passage[] {
  const parsed = z.array(z.string()).safeParse(taggedJson(prompt, "focus"));
  const keys = new Set(parsed.success ? parsed.data : []);
  return prompt.passages.filter(({ id }) => keys.has(id));
}

import { z } from "zod";
import { type Prompt, taggedJson } from "../prompt.ts";
import type { Passage } from "../segments.ts";

const objective = z.object({ id: z.string().min(1).max(64), text: z.string() });

/** The learning objectives a prompt names, in its order. */
export function objectivesOf(prompt: Prompt): z.infer<typeof objective>[] {
  const parsed = z.array(objective).safeParse(taggedJson(prompt, "objectives"));
  return parsed.success ? parsed.data : [];
}

/** The passages a prompt asks to stay with, in its order. */
export function focusOf(prompt: Prompt): Passage[] {
  const parsed = z.array(z.string()).safeParse(taggedJson(prompt, "focus"));
  const keys = new Set(parsed.success ? parsed.data : []);
  return prompt.passages.filter(({ id }) => keys.has(id));
}

import { z } from "zod";
import { type Prompt, taggedJson } from "../prompt.ts";

const objective = z.object({ id: z.string().min(1).max(64), text: z.string() });

/** The learning objectives a prompt names, in its order. */
export function objectivesOf(prompt: Prompt): z.infer<typeof objective>[] {
  const parsed = z.array(objective).safeParse(taggedJson(prompt, "objectives"));
  return parsed.success ? parsed.data : [];
}

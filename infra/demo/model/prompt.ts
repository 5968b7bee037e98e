import { z } from "zod";
import type { Passage } from "./segments.ts";

/** A chat completion request, as far as the demonstration model reads one. */
export const chatRequest = z.object({
  model: z.string().optional(),
  stream: z.boolean().optional(),
  stream_options: z.object({ include_usage: z.boolean().optional() }).optional(),
  max_tokens: z.int().min(1).optional(),
  messages: z
    .array(
      z.object({
        role: z.enum(["system", "developer", "user", "assistant", "tool"]),
        content: z.union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.string().optional() })), z.null()]),
      }),
    )
    .min(1),
  response_format: z
    .object({
      type: z.enum(["text", "json_object", "json_schema"]),
      json_schema: z.object({ name: z.string() }).optional(),
    })
    .optional(),
});
export type ChatRequest = z.infer<typeof chatRequest>;

/** What a prompt holds: the passages, the conversation without them, and the question, which is the last user message. */
export interface Prompt {
  passages: Passage[];
  history: { role: "user" | "assistant"; text: string }[];
  question: string;
  /** Everything that was said, for material in other tags. */
  whole: string;
}

const passageTag = /<passage\s+((?:[^">]|"[^"]*")*)>\n?([\s\S]*?)\n?<\/passage>/g;

export function readPrompt(request: ChatRequest): Prompt {
  const messages = request.messages.map(({ role, content }) => ({ role, text: textOf(content) }));
  const passages = new Map<string, Passage>();
  for (const { text } of messages)
    for (const [, attributes = "", body = ""] of text.matchAll(passageTag)) {
      const id = attribute(attributes, "id");
      if (!/^s\d{1,3}$/.test(id) || passages.has(id)) continue;
      const trail = attribute(attributes, "trail")
        .split("›")
        .map((part) => part.trim())
        .filter(Boolean);
      passages.set(id, { id, title: attribute(attributes, "title").trim(), trail, text: body, kind: attribute(attributes, "kind") });
    }
  const spoken = messages.flatMap(({ role, text }) =>
    role === "user" || role === "assistant" ? [{ role, text: text.replaceAll(passageTag, "").trim() }] : [],
  );
  const last = spoken.findLastIndex((message) => message.role === "user");
  return {
    passages: [...passages.values()],
    history: last < 0 ? [] : spoken.slice(0, last),
    question: spoken[last]?.text ?? "",
    whole: messages.map((message) => message.text.replaceAll(passageTag, "")).join("\n\n"),
  };
}

/** The JSON value between `<name>` and `</name>`, the last one when it stands more than once. */
export function taggedJson(prompt: Prompt, name: string): unknown {
  const found = [...prompt.whole.matchAll(new RegExp(`<${name}>([\\s\\S]*?)</${name}>`, "g"))].at(-1)?.[1];
  if (found === undefined) return undefined;
  try {
    return JSON.parse(found);
  } catch {
    return undefined;
  }
}

const entities = { amp: "&", lt: "<", gt: ">", quot: '"' };

function attribute(attributes: string, name: string): string {
  const value = new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1] ?? "";
  return value.replace(/&(amp|lt|gt|quot);/g, (_, entity: keyof typeof entities) => entities[entity]);
}

function textOf(content: ChatRequest["messages"][number]["content"]): string {
  if (content === null) return "";
  return typeof content === "string" ? content : content.map((part) => part.text ?? "").join("");
}

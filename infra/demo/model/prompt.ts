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
/** What prompts have in the place of text that is left out. */
const gap = "[…]";
const pageTag = /<page\s+((?:[^">]|"[^"]*")*)>\n?([\s\S]*?)\n?<\/page>/g;

export function readPrompt(request: ChatRequest): Prompt {
  const messages = request.messages.map(({ role, content }) => ({ role, text: textOf(content) }));
  const passages = new Map<string, Passage>();
  const add = (passage: Passage): void => {
    if (/^s\d{1,4}$/.test(passage.id) && !passages.has(passage.id)) passages.set(passage.id, passage);
  };
  for (const { text } of messages) {
    for (const [, attributes = "", body = ""] of text.matchAll(pageTag))
      for (const passage of passagesOfPage(attributes, body)) add(passage);
    let before: { id: string; trail: string; end: number } | undefined;
    const alone = text.replaceAll(pageTag, "");
    for (const match of alone.matchAll(passageTag)) {
      const [whole, attributes = "", body = ""] = match;
      const isCut = before !== undefined && alone.slice(before.end, match.index).includes(gap);
      const passageId = attribute(attributes, "id");
      const trail = attribute(attributes, "trail");
      const kind = attribute(attributes, "kind");
      const isMarkdown = attribute(attributes, "format") === "markdown";
      add({
        id: passageId,
        title: attribute(attributes, "title").trim(),
        trail: trailOf(trail),
        text: isMarkdown ? belowItsTitles(body, kind).text : body,
        kind,
        ...(isMarkdown && { isMarkdown }),
        ...(before?.trail === trail && !isCut && { follows: before.id }),
      });
      before = { id: passageId, trail, end: match.index + whole.length };
    }
  }
  const whole = messages.map(({ text }) => text).join("\n");
  const found = idsIn("found", whole);
  const close = new Set(idsIn("close", whole));
  for (const passage of passages.values()) {
    const at = found.indexOf(passage.id);
    if (at >= 0) Object.assign(passage, { foundAt: at, isClose: close.has(passage.id) });
  }
  const withoutPassages = (text: string): string => text.replaceAll(pageTag, "").replaceAll(passageTag, "");
  const spoken = messages.flatMap(({ role, text }) =>
    role === "user" || role === "assistant" ? [{ role, text: withoutPassages(text).trim() }] : [],
  );
  const last = spoken.findLastIndex((message) => message.role === "user");
  return {
    passages: [...passages.values()],
    history: last < 0 ? [] : spoken.slice(0, last),
    question: spoken[last]?.text ?? "",
    whole: messages.map((message) => withoutPassages(message.text)).join("\n\n"),
  };
}

/** The ids in a tag of this name, such as `<found>`, best first. */
function idsIn(name: "found" | "close", text: string): string[] {
  const list = new RegExp(`<${name}>\\[([^\\]]*)\\]</${name}>`).exec(text.replaceAll(pageTag, ""))?.[1] ?? "";
  return [...list.matchAll(/s\d{1,4}/g)].map(([id]) => id);
}

const heading = /^#{1,6}\s+(.+?)(?:\s*\{#[^{}]*\})?\s*$/;
const caption = /^\*\*([^\n]+?)\*\*\n+/;

/** The Markdown of a passage without the headings that it begins with, its title and the word "Figure". */
function belowItsTitles(markdown: string, kind: string): { headings: string[]; title: string | undefined; text: string } {
  const lines = markdown.split("\n");
  const headings: string[] = [];
  while (heading.test(lines[0] ?? "") || (lines.length > 1 && lines[0]?.trim() === ""))
    headings.push(...(heading.exec(lines.shift() ?? "")?.slice(1) ?? []));
  const whole = lines.join("\n");
  const title = kind && kind !== "prose" ? caption.exec(whole)?.[1] : undefined;
  const text = title === undefined ? whole : whole.replace(caption, "");
  return { headings, title, text: text.replace(kind === "figure" ? /^(?:Figure|Diagram): /m : "", "") };
}

/** The passages of a page in their order: each under the heading above it, or under its own title if it has one. */
function passagesOfPage(attributes: string, body: string): Passage[] {
  const page = attribute(attributes, "title").trim();
  const trail = [...trailOf(attribute(attributes, "trail")), page];
  const isAttached = attribute(attributes, "attached") === "yes";
  const passages: Passage[] = [];
  let above = page;
  let from = 0;
  for (const match of body.matchAll(passageTag)) {
    const [whole, own = "", content = ""] = match;
    const between = body.slice(from, match.index);
    for (const line of between.split("\n")) above = heading.exec(line)?.[1] ?? above;
    const before = between.includes(gap) ? undefined : passages.at(-1);
    from = match.index + whole.length;
    const kind = attribute(own, "kind");
    const { headings, title, text } = belowItsTitles(content, kind);
    above = headings.at(-1) ?? above;
    const solved = kind === "solution" && before?.kind === "exercise" ? before.title : undefined;
    passages.push({
      id: attribute(own, "id"),
      // What a formula is referred to by ("eq-2") is no title.
      title: (kind === "math" ? above : (solved ?? title ?? above)).trim(),
      trail,
      text,
      kind: kind || "prose",
      isMarkdown: true,
      isAttached,
      isSelected: attribute(own, "selected") === "yes",
      ...(before && { follows: before.id }),
    });
  }
  return passages;
}

const trailOf = (text: string): string[] =>
  text
    .split("›")
    .map((part) => part.trim())
    .filter(Boolean);

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

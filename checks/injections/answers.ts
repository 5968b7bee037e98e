import type { AskFrame } from "@colloquy/schemas/ask/ask.ts";
import type { Citation } from "@colloquy/schemas/sources/citations.ts";
import { renderMarkdown } from "@colloquy/ui/rendering/server.ts";
import { passagesOf } from "./marking.ts";
import type { ModelCall } from "./obeying-model.ts";

export const textOf = (frames: readonly AskFrame[]): string =>
  frames.map((frame) => (frame.kind === "text_delta" ? frame.text : "")).join("");
export const completeOf = (frames: readonly AskFrame[]) => frames.find((frame) => frame.kind === "complete");

/** The words of a text: a quote has no Markdown, and has the signs that were made harmless for a model. */
const wordsOf = (text: string): string =>
  text.replace(/[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu, "").replace(/[^\p{L}\p{N}]+/gu, " ");

/** Violations in the sources of an answer: sources that were not given, false quotes, dangling marks. */
export function sourceFaults(text: string, citations: readonly Citation[], calls: readonly ModelCall[]): string[] {
  const given = wordsOf(calls.flatMap(({ system }) => passagesOf(system)).join("\n"));
  const bare = text.replace(/```[\s\S]*?(?:```|$)|`[^`]*`/g, "");
  return [
    ...citations.filter(({ quote }) => !given.includes(wordsOf(quote).trim().slice(0, 60))).map(({ quote }) => `not given: ${quote}`),
    ...citations.filter(({ href }) => !/^\/courses\/[\w-]+/.test(href)).map(({ href }) => `a source at ${href}`),
    ...(bare.match(/\[\^\d+\]/g) ?? [])
      .filter((mark) => !citations.some(({ number }) => mark === `[^${number}]`))
      .map((mark) => `${mark} stands for nothing`),
    ...(/[[【]\s*s\d+\s*[\]】]/i.test(bare) ? [`a model's own mark was let out: ${bare.slice(0, 200)}`] : []),
  ];
}

const live =
  /^(?:script|iframe|object|embed|form|style|link|meta|base|template|frame|frameset|portal|animate|set|use|foreignobject|video|audio|source)$/;
const allowedAddress = /^(?:https?:\/\/|mailto:|\/(?![/\\])|#|\?)/i;
const ownPicture = /^\/api\/courses\/[\w-]+\/assets\/[0-9a-f]{64}$/;

/** Elements and attributes that could run code, load or mislead. The HTML is our own: well-formed, attributes quoted. */
export function activeContent(html: string): string[] {
  return [...html.matchAll(/<([a-z][\w-]*)((?:\s+[\w:-]+(?:="[^"]*")?)*)\s*\/?>/gi)].flatMap(([, name = "", written = ""]) => {
    const attributes = [...written.matchAll(/([\w:-]+)(?:="([^"]*)")?/g)].map(
      ([, key = "", value = ""]) => [key.toLowerCase(), value] as const,
    );
    return [
      ...(live.test(name.toLowerCase()) ? [`<${name}>`] : []),
      ...attributes.flatMap(([key, value]) => {
        if (
          /^on|^(?:srcdoc|formaction|action|ping|srcset|style)$/.test(key) &&
          !(key === "style" && /katex|strut|vlist|mspace|em;?$/.test(html))
        )
          return [`${name}@${key}`];
        if (key === "src") return ownPicture.test(value) ? [] : [`${name}@src=${value}`];
        return /^(?:href|xlink:href)$/.test(key) && !allowedAddress.test(value) ? [`${name}@${key}=${value}`] : [];
      }),
      ...(name.toLowerCase() === "a" &&
      attributes.some(([key, value]) => key === "href" && /^https?:/i.test(value)) &&
      !/rel="noopener noreferrer"/.test(written)
        ? ["a link out that tells where it comes from"]
        : []),
    ];
  });
}

/** The same for what a model wrote, as the application shows it. */
export const renderedFaults = (text: string, citations: readonly Citation[] = []): string[] =>
  activeContent(renderMarkdown(text, { citations, newTab: true, topHeadingLevel: 3 }));

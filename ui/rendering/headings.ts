import { createAnchors } from "@colloquy/schemas/courses/markdown-text.ts";
import type { MarkdownIt, Token } from "markdown-it";
import { msg } from "../messages/page.ts";
import { escapeHtml } from "./escape.ts";

/** Allocates the unique anchors of a page (`createAnchors` of the schemas, which link checks also use). */
export type Anchors = ReturnType<typeof createAnchors>;

/** A rendered heading, for a list of the page's headings. */
export interface Heading {
  id: string;
  level: number;
  text: string;
}

/** The options that this rule uses. */
interface HeadingOptions {
  headingIds?: boolean;
  anchors?: Anchors;
  headings?: Heading[];
  topHeadingLevel?: number;
}

/** Adds ids (`{#custom}` or the slug) and self-links to headings, and keeps their level below the page's title. */
export function headingRule(md: MarkdownIt): void {
  md.core.ruler.push("heading_ids", (state) => {
    const options = state.env as HeadingOptions;
    const anchors = options.headingIds ? (options.anchors ?? createAnchors()) : null;
    state.tokens.forEach((token, index) => {
      if (token.type !== "heading_open") return;
      const inline = state.tokens[index + 1];
      const close = state.tokens[index + 2];
      if (inline?.type !== "inline" || close?.type !== "heading_close") return;
      const written = takeCustomId(inline);
      const level = Math.max(Number(token.tag.slice(1)), options.topHeadingLevel ?? 1);
      token.tag = close.tag = `h${level}`;
      if (!anchors || token.level > 0) return;
      const id = anchors(written);
      const text = plainText(inline.children ?? []);
      token.attrSet("id", id);
      close.meta = { id, text };
      options.headings?.push({ id, level, text });
    });
  });
  md.renderer.rules.heading_close = (tokens, index) => {
    const token = tokens[index];
    const meta = token?.meta as { id: string; text: string } | null | undefined;
    return `${meta ? anchorLink(meta.id, meta.text) : ""}</${token?.tag}>\n`;
  };
}

/** The self-link of a heading. */
function anchorLink(id: string, name: string): string {
  return `<a class="anchor" href="#${escapeHtml(encodeURIComponent(id))}" aria-label="${escapeHtml(msg("rendering.linkTo", { heading: name }))}">#</a>`;
}

const custom = /\s*\{\s*#([A-Za-z0-9_.:-]+)[^{}]*\}$/;

/** Removes `{#id}` from the end of a heading; returns the id and the text as written. */
function takeCustomId(inline: Token): { text: string; id: string | null } {
  const id = custom.exec(inline.content)?.[1] ?? null;
  const last = inline.children?.at(-1);
  if (!id) return { text: inline.content, id };
  if (last?.type === "text") last.content = last.content.replace(custom, "");
  return { text: inline.content.replace(custom, ""), id };
}

/** The text a reader sees of a heading's inline tokens. */
function plainText(tokens: readonly Token[]): string {
  return tokens
    .map((token) => (token.type === "softbreak" ? " " : token.type === "image" ? plainText(token.children ?? []) : token.content))
    .join("");
}

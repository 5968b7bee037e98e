import type { Token } from "markdown-it";
import { parserFor } from "../../rendering/markdown.ts";

export interface MarkupOptions {
  /** Renders a TeX source in the target format. */
  math: (tex: string, display: boolean) => string;
  /** This service's origin (`https://host`), because a file has no base for relative addresses. */
  origin: string;
}

/** Tokens that become an element, by the name before `_open` and `_close`. Other tokens keep only their text. */
const elements: Record<string, string> = {
  bullet_list: "ul",
  ordered_list: "ol",
  list_item: "li",
  blockquote: "blockquote",
  em: "em",
  strong: "strong",
  table: "table",
  thead: "thead",
  tbody: "tbody",
  tr: "tr",
  th: "th",
  td: "td",
};

/** Characters that XML does not allow. */
const unwritable = /[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu;

/** Text as XML, which is HTML too. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(unwritable, "")
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;");
}

/**
 * Markdown as well-formed XHTML of few elements (paragraphs, lists, quotations, tables, code, links), which every format here takes. Line
 * ends stand inside `pre` only. Pure.
 */
export function toMarkup(source: string, options: MarkupOptions): string {
  const env = { citations: [] };
  return blocks(parserFor(env).parse(source, env), options);
}

/** Like `toMarkup`, but a single paragraph loses its wrapping element. Pure. */
export function toInlineMarkup(source: string, options: MarkupOptions): string {
  const markup = toMarkup(source, options);
  const [, only] = /^<p>((?:(?!<p>)[\s\S])*)<\/p>$/.exec(markup) ?? [];
  return only ?? markup;
}

function blocks(tokens: readonly Token[], options: MarkupOptions): string {
  return tokens.map((token) => block(token, options)).join("");
}

function block(token: Token, options: MarkupOptions): string {
  const { type, content, hidden } = token;
  if (type === "inline") return inline(token.children ?? [], options);
  if (type === "fence" || type === "code_block") return `<pre><code>${escapeXml(content.replace(/\n$/, ""))}</code></pre>`;
  if (type === "math") return `<p>${options.math(content, true)}</p>`;
  if (type === "hr") return "<hr />";
  if (type.startsWith("paragraph_")) return hidden ? "" : type.endsWith("open") ? "<p>" : "</p>";
  if (type.startsWith("heading_")) return type.endsWith("open") ? "<p><strong>" : "</strong></p>";
  return tag(type) ?? (token.nesting === 0 ? escapeXml(content) : "");
}

function inline(tokens: readonly Token[], options: MarkupOptions): string {
  return tokens
    .map((token) => {
      const { type, content } = token;
      if (type === "text") return escapeXml(content);
      if (type === "code_inline") return `<code>${escapeXml(content)}</code>`;
      if (type === "math") return options.math(content, Boolean((token.meta as { display?: boolean } | null)?.display));
      if (type === "softbreak") return " ";
      if (type === "hardbreak") return "<br />";
      if (type === "citation") return "";
      if (type === "link_open") return token.tag === "a" ? `<a href="${escapeXml(absolute(token, options.origin))}">` : "";
      if (type === "link_close") return token.tag === "a" ? "</a>" : "";
      return tag(type) ?? (token.nesting === 0 ? escapeXml(content) : "");
    })
    .join("");
}

function tag(type: string): string | undefined {
  const [, name, end] = /^(.*)_(open|close)$/.exec(type) ?? [];
  const element = name && elements[name];
  return element ? `<${end === "close" ? "/" : ""}${element}>` : undefined;
}

function absolute(token: Token, origin: string): string {
  const href = String(token.attrGet("href") ?? "");
  return URL.canParse(href, origin) ? new URL(href, origin).href : origin;
}

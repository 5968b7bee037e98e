import createMarkdownIt, { type Token } from "markdown-it";
import { withoutMarks } from "./marks.ts";

const markdown = createMarkdownIt({ html: true });

function visibleText(text: string): string {
  return textOf(markdown.parseInline(text.replaceAll(/\s*\n\s*/g, " "), {})[0]?.children ?? []);
}

function textOf(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === "image") return token.content;
      if (token.type === "softbreak" || token.type === "hardbreak") return " ";
      return token.type === "html_inline" ? "" : token.content;
    })
    .join("");
}

/** What a reader sees of inline Markdown, without marks and HTML tags: for titles, ids and alternative texts. */
export function plainText(text: string): string {
  return visibleText(withoutMarks(text)).replaceAll(/\s+/g, " ").trim();
}

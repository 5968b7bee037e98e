import { keepDeepText } from "@colloquy/schemas/text/deep-text.ts";
import { footnote } from "@mdit/plugin-footnote";
import MarkdownIt, { type MarkdownIt as Parser, type Token } from "markdown-it";
import { mathAsText } from "./math-text.ts";

/** A paragraph, item, row or code of a Markdown text as a reader sees its words; `verbatim` is set where line breaks count. */
export interface PlainPiece {
  /** The nearest heading above it within the text, without its marks. */
  heading: string | null;
  text: string;
  verbatim: boolean;
}

function createParser(): Parser {
  const md = new MarkdownIt({ html: false, linkify: false, typographer: false }).use(footnote).use(mathAsText);
  keepDeepText(md);
  return md;
}
let parser: Parser | undefined;

/**
 * The words of a Markdown text in the order they are read: no markup, code as it stands, formulas as TeX, pictures by their
 * description. What is shown as a picture only (diagrams) is left out.
 */
export function plainPieces(markdown: string): PlainPiece[] {
  parser ??= createParser();
  const pieces: PlainPiece[] = [];
  let heading: string | null = null;
  let row: string[] | null = null;
  let inHeading = false;
  const add = (text: string, verbatim = false): void => {
    if (text.trim()) pieces.push({ heading, text: verbatim ? text.replace(/\s+$/, "") : text.trim(), verbatim });
  };
  for (const token of parser.parse(markdown, {})) {
    if (token.type === "heading_open") inHeading = true;
    else if (token.type === "heading_close") inHeading = false;
    else if (token.type === "tr_open") row = [];
    else if (token.type === "tr_close") {
      add(row?.join("\t") ?? "", true);
      row = null;
    } else if (token.type === "inline") {
      const text = inlineText(token.children ?? []);
      if (inHeading) heading = text.replace(/\s*\{#[^{}]*\}\s*$/, "").trim() || heading;
      else if (row) row.push(text.replaceAll("\n", " "));
      else add(withoutMarks(text));
    } else if (token.type === "fence" || token.type === "code_block") {
      if (token.info.trim().split(/\s/)[0] !== "mermaid") add(token.content, true);
    } else if (token.type === "math_block") add(token.content);
  }
  return pieces;
}

/** One line of Markdown as its words. */
export function plainLine(markdown: string): string {
  parser ??= createParser();
  return parser
    .parseInline(markdown, {})
    .map((token) => inlineText(token.children ?? []))
    .join(" ")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** Boxes of task lists and the marks of alerts are drawn, not read. */
const withoutMarks = (text: string): string => text.replace(/^\[(?:[ xX]|!(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION))\](?:\s+|$)/, "");

function inlineText(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === "softbreak") return " ";
      if (token.type === "hardbreak") return "\n";
      if (token.type === "image") return inlineText(token.children ?? []);
      return token.type.startsWith("footnote") ? "" : token.content;
    })
    .join("");
}

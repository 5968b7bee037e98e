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

/** A piece and its lines in the Markdown text, counted from 0. */
export interface LocatedPiece extends PlainPiece {
  /** The level of a heading that begins with this piece; null if none does. */
  level: number | null;
  /** First line, headings directly above included. */
  line: number;
  /** Whether a block at the top level (paragraph, list, table, code) begins with this piece. */
  beginsBlock: boolean;
}

/**
 * The words of a Markdown text in the order they are read: no markup, code as it stands, formulas as TeX, pictures by their
 * description. What is shown as a picture only (diagrams) is left out.
 */
export function plainPieces(markdown: string): PlainPiece[] {
  return locatedPieces(markdown).map(({ heading, text, verbatim }) => ({ heading, text, verbatim }));
}

/** The pieces of `plainPieces` with their places in the Markdown text. */
export function locatedPieces(markdown: string): LocatedPiece[] {
  parser ??= createParser();
  const pieces: LocatedPiece[] = [];
  let heading: string | null = null;
  let row: string[] | null = null;
  let inHeading = false;
  /** The headings since the last piece. */
  let begun = null as { line: number; level: number } | null;
  let line = 0;
  let depth = 0;
  let beginsBlock = true;
  const add = (text: string, verbatim = false): void => {
    if (!text.trim()) return;
    pieces.push({
      heading,
      text: verbatim ? text.replace(/\s+$/, "") : text.trim(),
      verbatim,
      level: begun?.level ?? null,
      line: begun?.line ?? line,
      beginsBlock,
    });
    begun = null;
    beginsBlock = false;
  };
  for (const token of parser.parse(markdown, {})) {
    if (depth === 0 && token.nesting >= 0) beginsBlock = true;
    depth += token.nesting;
    if (token.map) [line] = token.map;
    if (token.type === "heading_open") {
      inHeading = true;
      begun = { line: begun?.line ?? line, level: Number(token.tag.slice(1)) };
    } else if (token.type === "heading_close") inHeading = false;
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

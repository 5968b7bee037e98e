import type { BlockData } from "@colloquy/schemas/courses/blocks.ts";
import { topLevel } from "@colloquy/schemas/text/top-level-tokens.ts";
import type { Token } from "markdown-it";
import { type Attributes, readAttributes } from "./attributes.ts";
import { readCodeInfo } from "./code-info.ts";
import { type Container, containerOfQuotation, kramdownAttributes } from "./containers.ts";
import { type DefinitionEntry, splitDefinitions } from "./definition-lists.ts";
import { withoutNestedNotes } from "./for-instructors.ts";
import { mapHtmlBlock } from "./html-blocks.ts";
import { imageTexts, mapInline } from "./inline.ts";
import { type SourceLine, textOf } from "./lines.ts";
import type { Page } from "./page.ts";
import { plainText } from "./plain-text.ts";
import { eventsOf, isDeepText, parseMarkdown } from "./scan.ts";
import { createTextWriter } from "./text-writer.ts";

/** A page's text part by part, in our dialect, before it is decided which block each part goes to. */
export type Piece = { line: number; anchors: string[] } & (
  | { kind: "heading"; level: number; text: string; id?: string }
  | { kind: "text"; markdown: string }
  | { kind: "code"; data: BlockData["core.code"] }
  | { kind: "diagram"; code: string }
  | { kind: "figure"; data: BlockData["core.figure"] }
  | { kind: "table"; data: BlockData["core.table"] }
  | { kind: "definitions"; entries: DefinitionEntry[] }
  | { kind: "container"; container: Container }
);

/** Reads a run of lines without fenced divs into its parts. */
export function readPieces(lines: readonly SourceLine[], page: Page): Piece[] {
  return splitDefinitions(withoutNestedNotes(lines, page)).flatMap((part): Piece[] => {
    if (part.kind === "lines") return readText(part.lines, page);
    return [{ kind: "definitions", entries: part.entries, line: part.entries[0]?.line ?? 1, anchors: [] }];
  });
}

function readText(lines: readonly SourceLine[], page: Page): Piece[] {
  const tokens = parseMarkdown(textOf(lines), page.references, page.dialect.math);
  const writer = createTextWriter(lines, page);
  const pieces: Piece[] = [];
  const deep = tokens.find(isDeepText);
  if (deep)
    page.note(
      lines[deep.map?.[0] ?? 0]?.number,
      "lists or quotations deeper in one another than can be shown",
      "the deepest are shown as running text",
    );
  for (const group of topLevel(tokens)) {
    const [first] = group;
    const [from = 0, to = from + 1] = first?.map ?? [];
    if (!first) continue;
    const line = lines[from]?.number ?? 1;
    const add = (piece: DistributiveOmit<Piece, "line" | "anchors">): void => {
      pieces.push({ ...piece, line, anchors: page.takeAnchors() } as Piece);
    };
    const text = (): void => add({ kind: "text", markdown: writer.write(group, from, to) });
    switch (first.type) {
      case "heading_open": {
        add({ kind: "heading", level: Number(first.tag.slice(1)), ...readHeading(group[1]?.content ?? "", line, page) });
        break;
      }
      case "fence":
      case "code_block":
        for (const piece of readCode(first, line, page)) add(piece);
        break;
      case "table_open":
        add({ kind: "table", data: readTable(group, line, page) });
        break;
      case "hr":
        add({ kind: "text", markdown: "***" });
        break;
      case "html_block": {
        const result = mapHtmlBlock(first.content, line, page);
        if (result.kind === "markdown") add({ kind: "text", markdown: result.markdown });
        else if (result.kind === "figure") {
          const { kind, ...data } = result;
          add({ kind, data });
        } else if (result.kind === "table") {
          const { kind, ...data } = result;
          add({ kind, data: { ...data, align: data.header.map(() => null) } });
        }
        break;
      }
      case "blockquote_open": {
        const container = containerOfQuotation(lines.slice(from, to));
        if (container) add({ kind: "container", container });
        else text();
        break;
      }
      case "paragraph_open": {
        const inline = group[1];
        if (inline && !readLoneParagraph(inline, line, page, pieces, add)) text();
        break;
      }
      default:
        text();
    }
  }
  return pieces;
}

type DistributiveOmit<Type, Key extends PropertyKey> = Type extends unknown ? Omit<Type, Key> : never;

/** A heading's text in our dialect and the id given to it, `{#id}` or `{: #id}`. */
function readHeading(content: string, line: number, page: Page): { text: string; id?: string } {
  let text = content.replaceAll(/\s*\n\s*/g, " ");
  let id: string | undefined;
  const open = text.lastIndexOf("{");
  const read = open >= 0 ? readAttributes(text, open) : null;
  if (read && text.slice(read.end).trim() === "") {
    text = text.slice(0, open).trimEnd();
    id = read.attributes.id;
  }
  const mapped = mapInline(text, line, page);
  return { text: mapped, ...(id && { id }) };
}

function readCode(
  token: Token,
  line: number,
  page: Page,
): DistributiveOmit<Extract<Piece, { kind: "code" | "diagram" }>, "line" | "anchors">[] {
  const info = readCodeInfo(token.info);
  if (info.id) page.foundAnchor(info.id);
  const written = token.content.replace(/\n$/, "");
  const visible = page.dialect.visibleCode?.(written, info.language, token.info) ?? { code: written, hidden: 0 };
  if (!visible.code.trim()) {
    page.note(line, visible.hidden ? "a code block whose lines are all hidden" : "an empty code block", "left out");
    return [];
  }
  if (info.language === "mermaid") return [{ kind: "diagram", code: visible.code }];
  return [
    { kind: "code", data: { language: info.language, role: info.role, ...(info.title && { title: info.title }), code: visible.code } },
  ];
}

function readTable(group: readonly Token[], line: number, page: Page): BlockData["core.table"] {
  const rows: string[][] = [];
  const align: BlockData["core.table"]["align"] = [];
  for (const [index, token] of group.entries()) {
    if (token.type === "tr_open") rows.push([]);
    else if (token.type === "th_open" || token.type === "td_open") {
      if (token.type === "th_open") {
        const style = /text-align:(left|center|right)/.exec(String(token.attrGet("style") ?? ""))?.[1];
        align.push(style === "left" || style === "center" || style === "right" ? style : null);
      }
      rows.at(-1)?.push(mapInline(group[index + 1]?.content ?? "", line + Math.max(rows.length - 1, 0) + (rows.length > 1 ? 1 : 0), page));
    }
  }
  if (rows.length > 1 && rows[0]?.every((cell) => cell === "")) {
    page.note(line, "a table without headings", "its first row stands as its headings");
    rows.shift();
  }
  const [header = [], ...body] = rows;
  return { align, header, rows: body };
}

/** Paragraphs that are something else: a picture alone, kramdown attributes for what stands before, a table's caption. */
function readLoneParagraph(
  inline: Token,
  line: number,
  page: Page,
  before: Piece[],
  add: (piece: DistributiveOmit<Piece, "line" | "anchors">) => void,
): boolean {
  const content = inline.content.trim();
  const previous = before.at(-1);
  const attributes = kramdownAttributes(content);
  if (attributes) {
    applyAttributes(previous, attributes);
    if (attributes.id) page.foundAnchor(attributes.id);
    return true;
  }
  const caption = /^(?:Table)?: (.+)$/s.exec(content)?.[1];
  if (caption && previous?.kind === "table" && !previous.data.caption) {
    previous.data.caption = mapInline(caption.replace(/\s*\{[^{}]*\}$/, ""), line, page);
    return true;
  }
  const [event, ...others] = eventsOf(inline);
  if (event?.kind === "html" && event.start === 0 && event.end === content.length && /^<img\b/i.test(content)) {
    const result = mapHtmlBlock(content, line, page);
    if (result.kind !== "figure") return false;
    const { kind, ...data } = result;
    add({ kind, data });
    return true;
  }
  if (event?.kind !== "image" || others.length || event.start !== 0 || event.end !== content.length) return false;
  const texts = imageTexts(event);
  const path = page.image(event.source, line);
  if (path === null) {
    add({ kind: "text", markdown: mapInline([texts.alt, texts.caption].filter(Boolean).join(" "), line, page) });
    return true;
  }
  if (event.attributes?.id) page.foundAnchor(event.attributes.id);
  const shown = texts.caption ? mapInline(texts.caption, line, page) : "";
  const alt = texts.alt || plainText(shown);
  if (!alt) page.note(line, `the figure ${path} has no alternative text`, "imported without one");
  add({ kind: "figure", data: { path, alt, ...(shown && { caption: shown }) } });
  return true;
}

/** kramdown writes a block's attributes below it: `{: .language-bash}`, `{: .output}`. */
function applyAttributes(piece: Piece | undefined, attributes: Attributes): void {
  if (piece?.kind === "code") {
    const info = readCodeInfo(attributes.classes.join(" ") && `{${attributes.classes.map((name) => `.${name}`).join(" ")}}`);
    piece.data.role = info.role;
    if (info.language !== "text") piece.data.language = info.language;
  } else if (piece?.kind === "heading" && attributes.id) piece.id = attributes.id;
}

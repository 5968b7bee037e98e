import type { Token } from "markdown-it";
import { readCodeInfo } from "./code-info.ts";
import { applyEdits, type Edit } from "./edits.ts";
import { mapHtmlBlock } from "./html-blocks.ts";
import { inlineEdits, noteBrackets } from "./inline.ts";
import { type SourceLine, textOf } from "./lines.ts";
import type { Page } from "./page.ts";
import { eventsOf } from "./scan.ts";

/** Writes blocks as their authors wrote them (lists, quotations, paragraphs), with only what is not our dialect replaced. */
export function createTextWriter(
  lines: readonly SourceLine[],
  page: Page,
): { write(tokens: readonly Token[], from: number, to: number): string } {
  const text = textOf(lines);
  const starts: number[] = [];
  let offset = 0;
  for (const line of lines) {
    starts.push(offset);
    offset += line.text.length + 1;
  }
  const startOf = (line: number): number => starts[line] ?? text.length;
  const endOf = (line: number): number => startOf(line) + (lines[line]?.text.length ?? 0);

  /** Offsets in the file's text for offsets in the content of an inline token: markdown-it has taken away what stands before each line. */
  function locate(token: Token, cursor: number): ((at: number) => number) | null {
    const [from = 0, to = from + 1] = token.map ?? [];
    const contents = token.content.split("\n");
    const places: { content: number; text: number }[] = [];
    let at = 0;
    for (const [index, content] of contents.entries()) {
      const line = from + index;
      const source = lines[line]?.text ?? "";
      const bare = content.trimEnd();
      const suffix = source.trimEnd().length - bare.length;
      const isCell = cursor >= 0 && to - from <= 1;
      const column =
        !isCell && suffix >= 0 && source.startsWith(bare, suffix)
          ? suffix
          : source.indexOf(bare, Math.max(0, isCell ? cursor - startOf(line) : 0));
      if (column < 0) return null;
      places.push({ content: at, text: startOf(line) + column });
      at += content.length + 1;
    }
    return (position) => {
      const place = places.findLast((entry) => entry.content <= position);
      return place ? place.text + position - place.content : 0;
    };
  }

  function prefixOf(line: number): string {
    return /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)*/.exec(lines[line]?.text ?? "")?.[0] ?? "";
  }

  /** Replaces whole lines inside a list or a quotation, keeping what marks them as belonging there. */
  function lineEdit(from: number, to: number, replacement: string[]): Edit {
    const first = prefixOf(from);
    const rest = first.replaceAll(/[^>\s]/g, " ");
    const body = replacement.map((content, index) => `${index === 0 ? first : rest}${content}`.trimEnd()).join("\n");
    return { start: startOf(from), end: endOf(to - 1), text: body };
  }

  function nestedCode(token: Token): Edit[] {
    const [from = 0, to = from + 1] = token.map ?? [];
    const info = readCodeInfo(token.info);
    const name = info.role === "input" ? info.language : info.role;
    const code = token.content.replace(/\n$/, "");
    const visible = page.dialect.visibleCode?.(code, info.language, token.info);
    const mark = token.markup || "```";
    if (info.title) {
      const title = `**${info.title.replaceAll(/[\\`*_[\]<>&$]/g, "\\$&")}**`;
      return [lineEdit(from, to, [title, "", `${mark}${name}`, ...(visible?.code ?? code).split("\n"), mark])];
    }
    if (visible?.hidden) return [lineEdit(from, to, [`${mark}${name}`, ...visible.code.split("\n"), mark])];
    const line = lines[from]?.text ?? "";
    const at = line.indexOf(mark);
    if (token.type !== "fence" || at < 0 || token.info.trim() === name || !token.info.trim()) return [];
    return [{ start: startOf(from) + at + mark.length, end: endOf(from), text: name }];
  }

  function nestedHtml(token: Token): Edit[] {
    const [from = 0, to = from + 1] = token.map ?? [];
    const result = mapHtmlBlock(token.content, lines[from]?.number ?? 1, page);
    const markdown =
      result.kind === "markdown"
        ? result.markdown
        : result.kind === "figure"
          ? `![${result.alt.replaceAll(/[[\]]/g, "\\$&")}](${result.path})`
          : result.kind === "table"
            ? [result.header, ...result.rows].map((row) => row.join(" · ")).join("\n")
            : "";
    return [lineEdit(from, to, markdown.split("\n"))];
  }

  /** A displayed formula in TeX's brackets is written between dollars. */
  function bracketEdits(token: Token): Edit[] {
    const [from = 0, to = from + 1] = token.map ?? [];
    if (!token.content.startsWith("\\[")) return [];
    noteBrackets(page, lines[from]?.number);
    const open = startOf(from) + (lines[from]?.text.indexOf("\\[") ?? 0);
    const close = startOf(to - 1) + (lines[to - 1]?.text.lastIndexOf("\\]") ?? 0);
    return [open, close].map((start) => ({ start, end: start + 2, text: "$$" }));
  }

  /** Link definitions inside a list or a quotation: every link is written out, so they are not needed. */
  function definitionEdits(tokens: readonly Token[], from: number, to: number): Edit[] {
    const covered = new Set<number>();
    for (const token of tokens)
      if (/^(?:inline|fence|code_block|html_block)$/.test(token.type))
        for (let line = token.map?.[0] ?? 0; line < (token.map?.[1] ?? 0); line += 1) covered.add(line);
    const edits: Edit[] = [];
    for (let line = from; line < to; line += 1)
      if (!covered.has(line) && /^[\s>]*\[(?!\^)[^\]]+\]:\s*\S/.test(lines[line]?.text ?? ""))
        edits.push({ start: startOf(line), end: endOf(line), text: "" });
    return edits;
  }

  return {
    write(tokens, from, to) {
      const edits: Edit[] = definitionEdits(tokens, from, to);
      let cursor = -1;
      for (const [index, token] of tokens.entries()) {
        if (token.type === "fence") edits.push(...nestedCode(token));
        else if (token.type === "html_block") edits.push(...nestedHtml(token));
        else if (token.type === "math_block") edits.push(...bracketEdits(token));
        else if (token.type === "inline") {
          const cell = /^t[hd]_open$/.test(tokens[index - 1]?.type ?? "");
          const place = locate(token, cell ? Math.max(cursor, 0) : -1);
          const line = lines[token.map?.[0] ?? from]?.number ?? 1;
          const inner = inlineEdits(token.content, eventsOf(token), line, page);
          if (!place) {
            if (inner.length) page.note(line, "markup in an unusual place", "kept as it is written");
            continue;
          }
          for (const edit of inner) edits.push({ start: place(edit.start), end: place(edit.end), text: edit.text });
          if (cell) cursor = place(token.content.length);
        }
      }
      const start = startOf(from);
      const end = endOf(to - 1);
      const within = edits.filter((edit) => edit.start >= start && edit.end <= end);
      const written = applyEdits(
        text.slice(start, end),
        within.map((edit) => ({ start: edit.start - start, end: edit.end - start, text: edit.text })),
      );
      return removeAttributeLines(written).trimEnd();
    },
  };
}

/** kramdown's attribute lines (`{: .class}`) after a paragraph or a list have no meaning here. */
const removeAttributeLines = (text: string): string => text.replaceAll(/\n[ >]*\{:[^{}\n]*\}[ \t]*(?=\n|$)/g, "");

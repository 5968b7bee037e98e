import type { Block } from "@colloquy/schemas/courses/authored.ts";
import { parseBlock } from "@colloquy/schemas/courses/parse.ts";
import { parserFor } from "../../rendering/markdown.ts";
import { fieldText } from "./line-ends.ts";

/** A formula of a block's source. */
export interface Formula {
  tex: string;
  display: boolean;
  /** First line, from 1. */
  line: number;
}

/** The formulas of a block, as the preview's parser finds them in its source. */
export function formulasOf(block: Block): Formula[] {
  const source = fieldText(block.source);
  if (block.type === "core.math") return wholeFormula(block, source);
  if (block.type === "core.code" || block.type === "core.diagram" || !/\$|\\[([]|math/.test(source)) return [];
  const text = withoutHeader(source);
  const lines = text.split("\n");
  const formulas: Formula[] = [];
  let line = 0;
  for (const token of parserFor({}).parse(text, {})) {
    // Table cells have the line of their row.
    if (token.map) line = token.map[0];
    if (token.type === "math" || (token.type === "fence" && token.info.trim() === "math"))
      formulas.push({ tex: token.content.trim(), display: true, line: lineOf(lines, token.content.trim(), line) });
    let from = 0;
    for (const { type, content, meta } of token.children ?? []) {
      if (type !== "math") continue;
      const at = token.content.indexOf(content, from);
      from = Math.max(at, from) + content.length;
      const above = token.content.slice(0, Math.max(at, 0)).split("\n").length - 1;
      formulas.push({ tex: content, display: (meta as { display: boolean }).display, line: line + above + 1 });
    }
  }
  return formulas;
}

function wholeFormula(block: Block, source: string): Formula[] {
  const parsed = parseBlock(block);
  if (!parsed.ok || parsed.block.type !== "core.math") return [];
  const { tex } = parsed.block.data;
  return [{ tex, display: true, line: lineOf(withoutHeader(source).split("\n"), tex, 0) }];
}

/** The first line of a formula at or below a given line (from 0). */
function lineOf(lines: readonly string[], tex: string, from: number): number {
  const first = (tex.split("\n", 1)[0] ?? "").trim();
  const found = lines.findIndex((text, index) => index >= from && text.includes(first));
  return (found < 0 ? from : found) + 1;
}

/** Blanks the header, which is not Markdown, keeping line numbers. */
const withoutHeader = (source: string): string =>
  source.replace(/^---[ \t]*\n(?:[^\n]*\n)*?---[ \t]*(?=\n|$)/, (header) => header.replaceAll(/[^\n]/g, ""));

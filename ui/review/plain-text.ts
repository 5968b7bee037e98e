import { isBracketBlock, isBracketFormula } from "@colloquy/schemas/text/bracket-formula.ts";

/** A formula in this Markdown: no space inside the dollars, no digit after them; or between `\(` and `\)`, `\[` and `\]`. */
const formula =
  /(\$\$[^$]+\$\$|\$(?!\s)[^$\n]+?(?<!\s)\$(?!\d)|(?<!\\)\\\((?:(?!\\[()])[\s\S])+?\\\)|(?<!\\)\\\[(?:(?!\\[[\]])[\s\S])+?\\\])/;

/** Whether a piece that looks like a formula is one: brackets may be escaped ones of Markdown. */
const isFormula = (piece: string): boolean =>
  piece.startsWith("$") || (piece.startsWith("\\[") ? isBracketBlock(piece.slice(2, -2)) : isBracketFormula(piece.slice(2, -2), "("));

/** A passage (plain text with formulas) as Markdown that keeps its lines and shows all other characters literally. */
export function passageMarkdown(text: string): string {
  return text
    .trimStart()
    .split(formula)
    .map((piece, index) => (index % 2 && isFormula(piece) ? piece : escaped(piece)))
    .join("");
}

const escaped = (text: string): string =>
  text
    .replaceAll(/[!-/:-@[-`{-~]/g, (sign) => `&#${sign.charCodeAt(0)};`)
    .replaceAll(/\n+[ \t]*/g, (gap) => `\\\n${"\u00a0".repeat(gap.replaceAll("\n", "").length)}`);

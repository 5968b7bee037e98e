/** A formula in this Markdown: no space inside the dollars, no digit after them. */
const formula = /(\$\$[^$]+\$\$|\$(?!\s)[^$\n]+?(?<!\s)\$(?!\d))/;

/** A passage (plain text with formulas) as Markdown that keeps its lines and shows all other characters literally. */
export function passageMarkdown(text: string): string {
  return text
    .trimStart()
    .split(formula)
    .map((piece, index) => (index % 2 ? piece : escaped(piece)))
    .join("");
}

const escaped = (text: string): string =>
  text
    .replaceAll(/[!-/:-@[-`{-~]/g, (sign) => `&#${sign.charCodeAt(0)};`)
    .replaceAll(/\n+[ \t]*/g, (gap) => `\\\n${"\u00a0".repeat(gap.replaceAll("\n", "").length)}`);

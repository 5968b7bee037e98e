/** A formula as Markdown here takes it: no space within its dollars, no digit after them. */
const formula = /(\$\$[^$]+\$\$|\$(?!\s)[^$\n]+?(?<!\s)\$(?!\d))/;

/** A course's passage, which is plain text but for its formulas, as Markdown that shows just that: lines as they are, every other sign as itself. */
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

import type { SourceLine } from "../markdown/lines.ts";
import type { Page } from "../markdown/page.ts";

const opening = /^(\s*)(`{3,}|~{3,})\s*\{\.?([A-Za-z][\w-]*)([^{}]*)\}\s*$/;
/** A line of options in a cell: `#| echo: false`; the comment sign is that of the cell's language. */
const option = /^\s*(?:#|\/\/|--|%%)\|\s*([\w.-]+)\s*:\s*(.*?)\s*$/;
/** Signs for readers of a documentation site's source, which colour the next lines. */
const highlightSign = /^\s*(?:\/\/|#|<!--|\/\*|\{\/\*)\s*highlight-(?:next-line|start|end)\s*(?:-->|\*\/\}?)?\s*$/;
const hides = /\b(?:echo|include)\s*[=:]\s*(?:false|FALSE|F)\b/;

/**
 * Leaves out what readers of the built pages do not see in code: options of cells (Quarto), cells that are not shown (Quarto, R Markdown),
 * and signs that colour lines (Docusaurus).
 */
export function withoutCellOptions(lines: readonly SourceLine[], page: Page): SourceLine[] {
  const result: SourceLine[] = [];
  let fence = "";
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at];
    if (!line) break;
    const bare = line.text.trim();
    if (fence) {
      if (bare.startsWith(fence) && bare.replaceAll(fence[0] ?? "`", "") === "") fence = "";
      if (!highlightSign.test(line.text)) result.push(line);
      continue;
    }
    fence = /^(`{3,}|~{3,})/.exec(bare)?.[1] ?? "";
    const cell = opening.exec(line.text);
    if (!cell) {
      result.push(line);
      continue;
    }
    const end = lines.findIndex((one, index) => index > at && one.text.trim().startsWith(fence) && !/[^`~]/.test(one.text.trim()));
    const body = lines.slice(at + 1, end < 0 ? lines.length : end);
    const firstOfCode = body.findIndex(({ text }) => !option.test(text));
    const options = firstOfCode < 0 ? body : body.slice(0, firstOfCode);
    if (hides.test(cell[4] ?? "") || options.some(({ text }) => hides.test(text))) {
      page.note(line.number, "a code cell that is not shown to readers", "left out; so is what it draws or prints");
      at += body.length + 1;
      fence = "";
      continue;
    }
    result.push(line);
    at += options.length;
  }
  return result;
}

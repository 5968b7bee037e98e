import { createCodeWatch, type SourceLine, trimLines } from "./lines.ts";

/** Takes the footnotes (`[^label]: text`, further lines indented or directly below) out of a page. */
export function takeFootnotes(lines: readonly SourceLine[]): { lines: SourceLine[]; footnotes: Map<string, SourceLine[]> } {
  const footnotes = new Map<string, SourceLine[]>();
  const rest: SourceLine[] = [];
  const isCode = createCodeWatch();
  let current: SourceLine[] | null = null;
  let afterBlank = false;
  for (const line of lines) {
    const code = isCode(line.text);
    const begins = code ? null : /^ {0,3}\[\^([^\]\s]+)\]:\s?(.*)$/.exec(line.text);
    const blank = !line.text.trim();
    if (begins) {
      current = [{ text: begins[2] ?? "", number: line.number }];
      footnotes.set(begins[1] ?? "", current);
    } else if (current && (blank || /^ {2,}/.test(line.text) || !afterBlank) && !/^ {0,3}:{3,}/.test(line.text)) {
      current.push({ text: line.text.replace(/^ {1,4}/, ""), number: line.number });
    } else {
      current = null;
      rest.push(line);
    }
    afterBlank = blank;
  }
  for (const [label, text] of footnotes) footnotes.set(label, trimLines(text));
  return { lines: rest, footnotes };
}

import { type SourceLine, textOf, trimLines } from "./lines.ts";
import { parseMarkdown } from "./scan.ts";

/** The items of the lists that stand at the top of a text, each without its mark, and the lines around the lists. */
export function readList(lines: readonly SourceLine[]): { items: SourceLine[][]; around: SourceLine[] } {
  const tokens = parseMarkdown(textOf(lines), {}, "none");
  const items: SourceLine[][] = [];
  const inList = new Set<number>();
  for (const token of tokens) {
    const [from = 0, to = 0] = token.map ?? [];
    if (token.level === 0 && /^(?:bullet|ordered)_list_open$/.test(token.type)) for (let at = from; at < to; at += 1) inList.add(at);
    if (token.type !== "list_item_open" || token.level !== 1) continue;
    const [first, ...rest] = lines.slice(from, to);
    if (!first) continue;
    const mark = /^\s*(?:[-*+]|\d{1,9}[.)])(?:\s+|$)/.exec(first.text)?.[0].length ?? 0;
    const further = rest.map(({ text, number }) => ({ text: text.slice(Math.min(mark, text.length - text.trimStart().length)), number }));
    const item = trimLines([{ text: first.text.slice(mark), number: first.number }, ...further]);
    if (item.length) items.push(item);
  }
  return { items, around: trimLines(lines.filter((_line, index) => !inList.has(index))) };
}

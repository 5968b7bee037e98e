/** Inserts a paragraph into a Markdown text. Pure. */

/** The text to insert, and where. */
export interface Insertion {
  at: number;
  text: string;
  /** Start of the paragraph itself in the resulting text. */
  from: number;
}

interface Line {
  text: string;
  start: number;
}

const marks = /^((?:\s*>)*\s*)((?:(?:[-*+]|\d{1,9}[.)])(?:\s+|$))*)/;
const begins = /^(?:\s*>)*\s*(?:(?:[-*+]|\d{1,9}[.)])(?:\s|$)|#{1,6}\s|`{3}|~{3}|\$\$|\\\[)/;
const fence = /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)*(`{3,}|~{3,}|\$\$|\\\[)/;

/**
 * Inserts a paragraph at a place: on an empty line there; otherwise after the paragraph, code or header that contains the place, or before it at
 * its very beginning. It gets the same depth in lists and quotes, and no sentence is split.
 */
export function insertParagraph(value: string, place: number, paragraph: string): Insertion {
  const lines = linesOf(value);
  const here = lines.findLastIndex(({ start }) => start <= place);
  const line = lines[here] ?? { text: "", start: 0 };
  const whole = wholeAround(lines, here);
  if (!whole && bare(line.text)) return onEmptyLine(lines, here, paragraph);
  const [first, last] = whole ?? paragraphAround(lines, here);
  const { text = "", start = 0 } = lines[first] ?? {};
  const [lead = "", quotes = "", items = ""] = marks.exec(text) ?? [];
  if (!whole && !items && place <= start + lead.length) return insertBefore(lines, first, quotes, paragraph);
  return insertAfter(lines, last, first === 0 && header(lines) === last ? "" : quotes + " ".repeat(items.length), paragraph);
}

function linesOf(value: string): Line[] {
  let start = 0;
  return value.split("\n").map((text) => {
    const line = { text, start };
    start += text.length + 1;
    return line;
  });
}

const blank = (text: string | undefined): boolean => text === undefined || /^[\s>]*$/.test(text);
/** Empty except for quote or list markers. */
const bare = (text: string): boolean => (marks.exec(text)?.[0] ?? "") === text;

/** The last line of the header; -1 for none. */
const header = (lines: readonly Line[]): number =>
  lines[0]?.text.trimEnd() === "---" ? lines.findIndex(({ text }, index) => index > 0 && text.trimEnd() === "---") : -1;

/** The range of the header, code or formula that contains a line. */
function wholeAround(lines: readonly Line[], here: number): [number, number] | null {
  const head = header(lines);
  if (here <= head) return [0, head];
  for (let first = head + 1; first <= here; first += 1) {
    const text = lines[first]?.text ?? "";
    const [whole, sign] = fence.exec(text) ?? [];
    if (!whole || !sign) continue;
    const close = sign === "\\[" ? "\\]" : sign;
    if (!/^[`~]/.test(sign) && text.slice(whole.length).includes(close)) continue;
    const closes = ({ text: one }: Line, index: number): boolean =>
      index > first && (/^[`~]/.test(sign) ? one.replace(/^[\s>]+/, "").startsWith(close) : one.trimEnd().endsWith(close));
    const end = lines.findIndex(closes);
    const last = end < 0 ? lines.length - 1 : end;
    // An unclosed formula is text.
    if (end < 0 && !/^[`~]/.test(sign)) continue;
    if (here <= last) return [first, last];
    first = last;
  }
  return null;
}

function paragraphAround(lines: readonly Line[], here: number): [number, number] {
  let [first, last] = [here, here];
  const isHeading = (index: number): boolean => /^[\s>]*#{1,6}\s/.test(lines[index]?.text ?? "");
  const continues = (index: number): boolean =>
    !blank(lines[index]?.text) &&
    !begins.test(lines[index]?.text ?? "") &&
    !isHeading(index - 1) &&
    index > 0 &&
    !blank(lines[index - 1]?.text);
  while (continues(first)) first -= 1;
  while (continues(last + 1)) last += 1;
  return [first, last];
}

/** A blank line inside a quote. */
const gapOf = (indent: string): string => indent.trimEnd();

function onEmptyLine(lines: readonly Line[], here: number, paragraph: string): Insertion {
  const { text = "", start = 0 } = lines[here] ?? {};
  const [, quotes = "", items = ""] = marks.exec(text) ?? [];
  const indent = quotes + " ".repeat(items.length);
  const space = text && !/\s$/.test(text) ? " " : "";
  const above =
    items || blank(lines[here - 1]?.text) || here - 1 === header(lines) ? "" : `\n${/\S/.test(quotes) ? `${quotes.trimEnd()} ` : quotes}`;
  const below = blank(lines[here + 1]?.text) ? "" : `\n${gapOf(indent)}`;
  const put = above || space;
  return { at: start + text.length, text: put + paragraph + below, from: start + text.length + put.length };
}

function insertBefore(lines: readonly Line[], first: number, indent: string, paragraph: string): Insertion {
  const { start = 0 } = lines[first] ?? {};
  const above = first === 0 || blank(lines[first - 1]?.text) ? "" : `${gapOf(indent)}\n`;
  const text = `${above}${indent}${paragraph}\n${gapOf(indent)}\n`;
  return { at: start, text, from: start + above.length + indent.length };
}

function insertAfter(lines: readonly Line[], last: number, indent: string, paragraph: string): Insertion {
  const { text = "", start = 0 } = lines[last] ?? {};
  const above = `\n${gapOf(indent)}\n${indent}`;
  const below = blank(lines[last + 1]?.text) ? "" : `\n${gapOf(indent)}`;
  const at = start + text.length;
  return { at, text: above + paragraph + below, from: at + above.length };
}

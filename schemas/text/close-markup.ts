const fence = /^\s*(?:[-*+]\s+|\d+[.)]\s+|>\s*)*(`{3,}|~{3,})/;
/** The beginning of a block whose inline text stands alone. */
const blockBegin = /^(?:\s*(?:[-*+]|\d+[.)])\s+|#{1,6}\s+|\s*>\s*|\s*\|)/;
const cutMark = /\[(?:\^\d*)?$/;
const cutLink = /!?\[([^[\]\n]*)\]\([^()\s]*$/;
const space = /\s/;
const punctuation = /[\p{P}\p{S}]/u;

/**
 * A Markdown text that broke off anywhere, without a mark that nothing closes: open emphasis and code are closed, and the beginning of a
 * citation mark, link or formula is left out. An open fence stays; it ends with the text. Pure, in linear time.
 */
export function closeMarkup(text: string): string {
  if (endsInFence(text)) return text;
  const whole = text.replace(cutMark, "").replace(cutLink, "$1");
  const start = lastBlock(whole);
  return (whole.slice(0, start) + closedInline(whole.slice(start))).trimEnd();
}

function endsInFence(text: string): boolean {
  let open: string | null = null;
  for (const line of text.split("\n")) {
    const mark = fence.exec(line)?.[1];
    if (!mark) continue;
    if (open === null) open = mark;
    else if (mark[0] === open[0] && mark.length >= open.length) open = null;
  }
  return open !== null;
}

/** Where the inline text begins that the end of the text belongs to. */
function lastBlock(text: string): number {
  let start = 0;
  let at = 0;
  for (const line of text.split("\n")) {
    const begin = blockBegin.exec(line)?.[0].length;
    if (line.trim() === "") start = at + line.length;
    else if (begin !== undefined) start = at + begin;
    at += line.length + 1;
  }
  return Math.min(start, text.length);
}

interface Opener {
  mark: string;
  count: number;
}

/** Deeper nesting is text. */
const mostOpen = 32;

function closedInline(inline: string): string {
  const text = inline.trimEnd();
  const open: Opener[] = [];
  let at = 0;
  while (at < text.length) {
    const formula = /^\\([([])/.exec(text.slice(at, at + 2))?.[1];
    if (formula) {
      const end = text.indexOf(formula === "(" ? "\\)" : "\\]", at + 2);
      if (end < 0) return closedWith(text.slice(0, at), open);
      at = end + 2;
      continue;
    }
    const character = text[at] ?? "";
    if (character === "\\") {
      at += 2;
      continue;
    }
    if (!"`*_~".includes(character)) {
      at += 1;
      continue;
    }
    let end = at;
    while (text[end] === character) end += 1;
    const run = text.slice(at, end);
    if (character === "`") {
      const close = closingRun(text, end, run.length);
      if (close < 0) {
        return closedWith(end === text.length ? text.slice(0, at) : `${text.replace(/`+$/, "")}${run}`, open);
      }
      at = close + run.length;
      continue;
    }
    const [before, after] = [text[at - 1], text[end]];
    if (canClose(before)) close(open, character, run.length);
    else if (after === undefined) return closedWith(text.slice(0, at), open);
    else if (open.length < mostOpen && canOpen(before, after)) open.push({ mark: character, count: run.length });
    at = end;
  }
  return closedWith(text, open);
}

/** Where a run of as many backticks begins; -1 if none does. */
function closingRun(text: string, from: number, length: number): number {
  for (let at = text.indexOf("`", from); at >= 0; at = text.indexOf("`", at)) {
    let end = at;
    while (text[end] === "`") end += 1;
    if (end - at === length) return at;
    at = end;
  }
  return -1;
}

const canOpen = (before: string | undefined, after: string): boolean =>
  !space.test(after) && (before === undefined || space.test(before) || punctuation.test(before));
/** A mark after a word; whether something is open is another question. */
const canClose = (before: string | undefined): boolean => before !== undefined && !space.test(before) && !"([{".includes(before);

function close(open: Opener[], mark: string, length: number): void {
  let left = length;
  while (left > 0) {
    const index = open.findLastIndex((opener) => opener.mark === mark);
    const opener = open[index];
    if (!opener) return;
    const used = Math.min(left, opener.count);
    left -= used;
    opener.count -= used;
    open.length = opener.count > 0 ? index + 1 : index;
  }
}

function closedWith(text: string, open: readonly Opener[]): string {
  if (open.length === 0) return text;
  return text.trimEnd() + open.map(({ mark, count }) => mark.repeat(count)).reduceRight((marks, mark) => marks + mark, "");
}

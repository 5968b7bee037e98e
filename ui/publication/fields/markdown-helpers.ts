/** The Markdown helpers of a source field. Pure: each returns the range to replace, the new text and the selection. */

export interface Selected {
  value: string;
  start: number;
  end: number;
}

export interface Change {
  start: number;
  end: number;
  text: string;
  /** The selection afterwards, in the changed text. */
  select: [number, number];
}

export type Helper = "bold" | "italic" | "code" | "link" | "list" | "heading" | "formula";

/** Placeholder texts that are inserted if nothing is selected. */
export interface Placeholders {
  text: string;
  address: string;
}

export function applyHelper(helper: Helper, selected: Selected, stand: Placeholders): Change {
  switch (helper) {
    case "bold":
      return wrapped(selected, "**", stand.text);
    case "italic":
      return wrapped(selected, "*", stand.text);
    case "code":
      return inLines(selected) ? fenced(selected, "```", "```") : wrapped(selected, "`", stand.text);
    case "formula":
      return inLines(selected) ? fenced(selected, "$$", "$$") : wrapped(selected, "$", "x^2");
    case "link":
      return linked(selected, stand);
    case "list":
      return listed(selected);
    case "heading":
      return headed(selected);
  }
}

const inLines = ({ value, start, end }: Selected): boolean => value.slice(start, end).includes("\n");

/** Toggles marks around the selection, the word at the caret, or a placeholder. */
function wrapped({ value, start, end }: Selected, mark: string, stand: string): Change {
  const [from, to] = start === end ? wordAt(value, start) : trimmed(value, start, end);
  const inner = value.slice(from, to);
  const size = mark.length;
  if (marksBefore(value, from, mark) && marksBehind(value, to, mark)) {
    const select: [number, number] = start === end ? [start - size, start - size] : [from - size, to - size];
    return { start: from - size, end: to + size, text: inner, select };
  }
  if (inner.length >= 2 * size && marksBehind(inner, 0, mark) && marksBefore(inner, inner.length, mark)) {
    const bare = inner.slice(size, -size);
    return { start: from, end: to, text: bare, select: [from, from + bare.length] };
  }
  const text = inner || stand;
  // A caret within a word stays; a placeholder is selected to be overwritten.
  const select: [number, number] = inner && start === end ? [start + size, start + size] : [from + size, from + size + text.length];
  return { start: from, end: to, text: mark + text + mark, select };
}

/** Whether a run of exactly this mark ends at a place: `**` does not contain `*`, but `***` contains both. */
function marksBefore(value: string, at: number, mark: string): boolean {
  let run = 0;
  while (value[at - 1 - run] === mark[0]) run += 1;
  return fits(run, mark);
}
function marksBehind(value: string, at: number, mark: string): boolean {
  let run = 0;
  while (value[at + run] === mark[0]) run += 1;
  return fits(run, mark);
}
const fits = (run: number, mark: string): boolean => run === mark.length || (mark[0] === "*" && run === 3);

const letter = /[\p{L}\p{N}\p{M}_'’-]/u;

function wordAt(value: string, at: number): [number, number] {
  let [from, to] = [at, at];
  while (from > 0 && letter.test(value[from - 1] ?? "")) from -= 1;
  while (to < value.length && letter.test(value[to] ?? "")) to += 1;
  return [from, to];
}

function trimmed(value: string, start: number, end: number): [number, number] {
  const text = value.slice(start, end);
  const from = start + text.length - text.trimStart().length;
  return text.trim() ? [from, from + text.trim().length] : [start, end];
}

/** Puts fences on lines of their own around whole lines. */
function fenced(selected: Selected, open: string, close: string): Change {
  const [start, end] = linesOf(selected);
  const inner = selected.value.slice(start, end);
  const before = start > 0 && selected.value[start - 2] !== "\n" ? "\n" : "";
  const text = `${before}${open}\n${inner}\n${close}`;
  const from = start + before.length + open.length + 1;
  return { start, end, text, select: [from, from + inner.length] };
}

const address = /^(?:https?:\/\/|mailto:|topic:|#|\/)\S+$/;

function linked({ value, start, end }: Selected, stand: Placeholders): Change {
  const [from, to] = start === end ? wordAt(value, start) : trimmed(value, start, end);
  const inner = value.slice(from, to);
  if (address.test(inner))
    return { start: from, end: to, text: `[${stand.text}](${inner})`, select: [from + 1, from + 1 + stand.text.length] };
  const text = inner || stand.text;
  const at = from + text.length + 3;
  const select: [number, number] = inner ? [at, at + stand.address.length] : [from + 1, from + 1 + text.length];
  return { start: from, end: to, text: `[${text}](${stand.address})`, select };
}

/** Turns the selection, or else a title, into a link; the caret goes behind it. */
export function linkTo({ value, start, end }: Selected, aim: string, title: string): Change {
  const [from, to] = start === end ? [start, end] : trimmed(value, start, end);
  const words = value.slice(from, to) || title.replaceAll(/[\\[\]]/g, "\\$&");
  const text = `[${words}](${aim})`;
  return { start: from, end: to, text, select: [from + text.length, from + text.length] };
}

function linesOf({ value, start, end }: Selected): [number, number] {
  const last = end > start && value[end - 1] === "\n" ? end - 1 : end;
  const next = value.indexOf("\n", last);
  return [value.lastIndexOf("\n", start - 1) + 1, next < 0 ? value.length : next];
}

const item = /^(\s*)(?:[-*+]|\d{1,9}[.)])(?:\s+|$)/;

/** Toggles list items on each line. */
function listed(selected: Selected): Change {
  return everyLine(selected, (lines) => {
    const written = lines.filter((line) => line.trim());
    if (written.length && written.every((line) => item.test(line))) return lines.map((line) => line.replace(item, "$1"));
    if (!written.length) return ["- ", ...lines.slice(1)];
    return lines.map((line) => (!line.trim() || item.test(line) ? line : `- ${line}`));
  });
}

/** Cycles a line through `##`, `###` and text. */
function headed(selected: Selected): Change {
  return everyLine(selected, ([first = "", ...rest]) => {
    const [marks = "", depth = ""] = /^(#{1,6})\s+/.exec(first) ?? [];
    const bare = first.slice(marks.length);
    return [depth.length === 2 ? `### ${bare}` : depth.length > 2 ? bare : `## ${bare}`, ...rest];
  });
}

function everyLine(selected: Selected, change: (lines: string[]) => string[]): Change {
  const [start, end] = linesOf(selected);
  const before = selected.value.slice(start, end);
  const text = change(before.split("\n")).join("\n");
  if (selected.start !== selected.end) return { start, end, text, select: [start, start + text.length] };
  const at = Math.max(start, selected.start + text.length - before.length);
  return { start, end, text, select: [at, at] };
}

/** Enter in a list starts the next item, or ends the list at an empty item. Null outside a list. */
export function continueList({ value, start, end }: Selected): Change | null {
  if (start !== end) return null;
  const from = value.lastIndexOf("\n", start - 1) + 1;
  const line = value.slice(from, start);
  const [whole, indent = "", sign = "", gap = " "] = /^(\s*)([-*+]|\d{1,9}[.)])(\s+)/.exec(line) ?? [];
  if (!whole) return null;
  const next = value.indexOf("\n", start);
  const rest = value.slice(start, next < 0 ? value.length : next);
  if (line.length === whole.length && !rest.trim()) return { start: from, end: start + rest.length, text: "", select: [from, from] };
  const number = /^\d+/.exec(sign)?.[0];
  const mark = number ? `${Number(number) + 1}${sign.slice(number.length)}` : sign;
  const text = `\n${indent}${mark}${gap}`;
  return { start, end, text, select: [start + text.length, start + text.length] };
}

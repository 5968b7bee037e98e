/**
 * What can be told of Markdown line by line, without a Markdown parser: which lines are text and not code, its headings,
 * its links and images. Every function takes one pass over the text, whatever the text is.
 */

interface TextLine {
  text: string;
  /** From 1. */
  line: number;
}

const fenceOpening = /^[\s>]*(?:[-*+] +|\d{1,9}[.)] +)?(`{3,}(?=[^`]*$)|~{3,})/;

/** The lines of Markdown that are not code, with the numbers they have in it; a blank line ends each paragraph. */
export function* textLines(markdown: string): Generator<TextLine> {
  let fence: string | null = null;
  let afterBlank = true;
  let inIndentedCode = false;
  let inList = false;
  let number = 0;
  for (const text of markdown.split("\n")) {
    number += 1;
    if (fence !== null) {
      const trimmed = text.replace(/^[\s>]+/, "").trimEnd();
      if (trimmed.length >= fence.length && trimmed === (fence[0] ?? "`").repeat(trimmed.length)) fence = null;
      continue;
    }
    const blank = text.trim() === "";
    const opened = fenceOpening.exec(text)?.[1];
    if (opened) {
      fence = opened;
      afterBlank = false;
      yield { text: "", line: number };
      continue;
    }
    const indented = /^(?: {4}|\t)/.test(text);
    if (/^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:\s|$)/.test(text)) inList = true;
    else if (!blank && afterBlank && !/^\s/.test(text)) inList = false;
    inIndentedCode = indented && !inList && (afterBlank || inIndentedCode);
    afterBlank = blank;
    if (!inIndentedCode) yield { text, line: number };
  }
}

export interface Heading {
  level: number;
  /** As it is written, without the mark and without `{#id}`. */
  text: string;
  /** The id asked for by `{#id}`. */
  id: string | null;
  line: number;
}

/** The headings of a Markdown text, `#` and underlined ones. */
export function headingsOf(markdown: string): Heading[] {
  const headings: Heading[] = [];
  let previous = "";
  for (const { text, line } of textLines(markdown)) {
    const atx = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/s.exec(text);
    const underline = /^ {0,3}(=+|-+)[ \t]*$/.exec(text);
    if (atx) headings.push(heading((atx[1] ?? "#").length, withoutClosingMarks((atx[2] ?? "").trim()), line));
    else if (underline && isParagraph(previous)) headings.push(heading(underline[1]?.startsWith("=") ? 1 : 2, previous.trim(), line - 1));
    previous = atx || underline ? "" : text;
  }
  return headings;
}

const isParagraph = (text: string): boolean => text.trim() !== "" && !/^(?:\s{4}|\s*(?:[-*+>|]|\d{1,9}[.)])(?:\s|$))/.test(text);

function withoutClosingMarks(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === "#") end -= 1;
  return end === 0 || (end < text.length && /\s/.test(text[end - 1] ?? "")) ? text.slice(0, end).trimEnd() : text;
}

function heading(level: number, text: string, line: number): Heading {
  const open = text.endsWith("}") ? text.lastIndexOf("{") : -1;
  const id = open < 0 ? undefined : /^\{\s*#([A-Za-z0-9_.:-]+)/.exec(text.slice(open))?.[1];
  return { level, text: id === undefined ? text : text.slice(0, open).trimEnd(), id: id ?? null, line };
}

/**
 * The anchor a heading gets, GitHub's way: lower case, punctuation dropped, spaces to hyphens.
 * @param text as written (Markdown) or as rendered: both give the same.
 */
export function slugOfHeading(text: string): string {
  const plain = text
    .replaceAll(/!?\[([^[\]]*)\](?:\([^()]*\)|\[[^[\]]*\])/g, "$1")
    .replaceAll(/&#?[A-Za-z0-9]{1,30};/g, "")
    .replaceAll(/(?<![\p{L}\p{N}_])_{1,3}(?=\S)|(?<=\S)_{1,3}(?![\p{L}\p{N}_])/gu, "");
  return (
    plain
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\s-]/gu, "")
      .replaceAll(/\s/g, "-") || "section"
  );
}

/**
 * Hands out the anchors of one page so that none stands twice: a second "Notes" becomes `notes-1`.
 * @param taken anchors that are given already: the ids of the page's blocks.
 */
export function createAnchors(taken: Iterable<string> = []): (heading: Pick<Heading, "text" | "id">) => string {
  const used = new Set(taken);
  const counts = new Map<string, number>();
  return ({ text, id }) => {
    const wanted = id ?? slugOfHeading(text);
    let anchor = wanted;
    let count = counts.get(wanted) ?? 0;
    while (used.has(anchor)) anchor = `${wanted}-${++count}`;
    counts.set(wanted, count);
    used.add(anchor);
    return anchor;
  };
}

export interface FoundLink {
  kind: "link" | "image";
  href: string;
  line: number;
}

/** Links, images and link definitions of a Markdown text (not autolinks), outside code. */
export function linksOf(markdown: string): FoundLink[] {
  const links: FoundLink[] = [];
  let paragraph: TextLine[] = [];
  const finish = () => {
    if (paragraph.length) scanParagraph(paragraph, links);
    paragraph = [];
  };
  for (const line of textLines(markdown)) {
    if (line.text.trim() === "") finish();
    else paragraph.push(line);
  }
  finish();
  return links;
}

function scanParagraph(lines: TextLine[], links: FoundLink[]): void {
  for (const { text, line } of lines) {
    const definition = /^ {0,3}\[(?!\^)[^[\]]+\]:[ \t]*(\S+)/.exec(text);
    if (definition) links.push({ kind: "link", href: (definition[1] ?? "").replace(/^<(.*)>$/, "$1"), line });
  }
  const text = lines.map((line) => line.text).join("\n");
  const first = lines[0]?.line ?? 1;
  const spanEnds = codeSpanEnds(text);
  const brackets: boolean[] = [];
  let line = first;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at];
    if (letter === "\n") line += 1;
    else if (letter === "\\") {
      if (text[at + 1] !== "\n") at += 1;
    } else if (letter === "`") {
      const end = spanEnds.get(at) ?? at;
      for (; at < end; at += 1) if (text[at] === "\n") line += 1;
    } else if (letter === "[") brackets.push(text[at - 1] === "!" && text[at - 2] !== "\\");
    else if (letter === "]") {
      const image = brackets.pop();
      if (image === undefined || text[at + 1] !== "(") continue;
      const href = destination(text, at + 2);
      if (href) links.push({ kind: image ? "image" : "link", href, line });
    }
  }
}

/** For the first backtick of every run: the index of the last backtick of its code span, or of its own run when nothing closes it. */
function codeSpanEnds(text: string): Map<number, number> {
  const runs: { start: number; length: number }[] = [];
  for (const match of text.matchAll(/`+/g)) runs.push({ start: match.index, length: match[0].length });
  const nextOfLength = new Map<number, number>();
  const ends = new Map<number, number>();
  for (const { start, length } of runs.reverse()) {
    const closing = nextOfLength.get(length);
    ends.set(start, closing === undefined ? start + length - 1 : closing + length - 1);
    nextOfLength.set(length, start);
  }
  return ends;
}

const longestDestination = 2_000;
/** As markdown-it reads them. */
const deepestParentheses = 32;

function destination(text: string, from: number): string | null {
  let at = from;
  while (at - from < 100 && /\s/.test(text[at] ?? "")) at += 1;
  const limit = Math.min(text.length, at + longestDestination);
  if (text[at] === "<") {
    const end = text.slice(at, limit).search(/[>\n]/);
    return end > 0 && text[at + end] === ">" ? text.slice(at + 1, at + end) : null;
  }
  let depth = 0;
  let href = "";
  for (; at < limit; at += 1) {
    const letter = text[at] ?? "";
    if (/\s/.test(letter)) return href;
    if (letter === "\\" && /[!-/:-@[-`{-~]/.test(text[at + 1] ?? "")) {
      href += text[++at];
      continue;
    }
    if (letter === "(" && ++depth > deepestParentheses) return null;
    if (letter === ")" && depth-- === 0) return href;
    href += letter;
  }
  return null;
}

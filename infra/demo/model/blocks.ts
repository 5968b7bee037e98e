/** A paragraph, an entry of a list, code, a displayed formula or a table of a passage. */
export interface Block {
  kind: "text" | "item" | "code" | "formula" | "table";
  /** As it stands in the passage. */
  raw: string;
  /** As an answer shows it. */
  text: string;
  language?: string;
  /** An entry without the mark of its list, when it has one. */
  bare?: string;
}

const bullet = /^\s*(?:[-+•]|\d{1,2}[.)])\s+/;
const star = /^\s*\*\s+/;

/**
 * Takes a passage's text apart. It reads Markdown, where entries have marks and lines of a paragraph may end anywhere, and plain text where
 * every paragraph, entry and row stands on a line of its own and code stands there without a fence, as the passages of a published course do.
 */
export function blocksOf(text: string, isMarkdown = false): Block[] {
  const lines = text.split("\n");
  const blocks: Block[] = [];
  // One star at the beginning of a line may be what the line is about; several are a list.
  const stars = lines.filter((line) => star.test(line)).length;
  const isBullet = (line: string) => bullet.test(line) || (stars > 1 && star.test(line));
  // In Markdown, code without a fence is indented; a line of a paragraph may begin in the middle of a code span.
  const isBareCode = (line: string): boolean => isCode(line) && (!isMarkdown || /^(?: {4}|\t)/.test(line));
  let listOpen = false;
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? "";
    const take = (last: number): string => {
      const raw = lines.slice(index, last + 1).join("\n");
      index = last;
      return raw;
    };
    const fence = /^\s*(`{3,}|~{3,})\s*([\w+-]*)/.exec(line);
    if (fence) {
      const last = closing(lines, index, new RegExp(`^\\s*${fence[1]}\\s*$`));
      const body = lines
        .slice(index + 1, last)
        .join("\n")
        .replace(/\s+$/, "");
      blocks.push({ kind: "code", raw: take(last), text: body, language: fence[2] ?? "" });
      listOpen = false;
    } else if (/^\s*(?:\$\$|\\\[)/.test(line)) {
      const end = line.trimStart().startsWith("$$") ? /\$\$\s*$/ : /\\\]\s*$/;
      const alone = end.test(line.replace(/^\s*(?:\$\$|\\\[)/, ""));
      const raw = take(alone ? index : closing(lines, index, end));
      blocks.push({ kind: "formula", raw, text: raw.trim() });
      listOpen = false;
    } else if (isRow(line)) {
      let last = index;
      while (isRow(lines[last + 1] ?? "")) last += 1;
      const raw = take(last);
      blocks.push({ kind: "table", raw, text: asTable(raw) });
    } else if (
      !line.trim() ||
      (/^\s*#{1,6}\s/.test(line) && (isMarkdown || !isComment(lines, index))) ||
      /^\s*(?:[-=]{3,}\s*$|!\[[^\]]*\]\()/u.test(line)
    )
      listOpen = false;
    else if (isBareCode(line) || (!isMarkdown && isComment(lines, index))) {
      let last = index;
      while (last + 1 < lines.length && continuesCode(lines, last + 1)) last += 1;
      const raw = take(last);
      blocks.push({ kind: "code", raw, text: raw.replace(/\s+$/, ""), language: "" });
      listOpen = false;
    } else {
      let last = index;
      while (!listOpen && last + 1 < lines.length && wraps(lines[last] ?? "", lines[last + 1] ?? "", isMarkdown)) last += 1;
      const raw = take(last);
      const item: boolean = isBullet(line) || (listOpen && raw.length <= 220 && !/[.!?]\s+\p{Lu}/u.test(raw));
      // What follows "…:" line by line is a list.
      listOpen = !isMarkdown && (/:\s*$/.test(raw) || (item && !isBullet(line)) || (listOpen && item));
      blocks.push({
        kind: item ? "item" : "text",
        raw,
        text: raw,
        ...(isBullet(line) && { bare: raw.replace(/^\s*\S+\s+/, "") }),
      });
    }
  }
  return blocks;
}

function closing(lines: readonly string[], from: number, end: RegExp): number {
  for (let index = from + 1; index < lines.length; index++) if (end.test(lines[index] ?? "")) return index;
  return lines.length - 1;
}

/** Whether a paragraph goes on in the next line: source text is often wrapped, at any word. */
function wraps(line: string, next: string, isMarkdown: boolean): boolean {
  if (!next.trim() || bullet.test(next) || (!isMarkdown && isCode(next)) || isRow(next) || /^\s*(?:`{3}|~{3}|\$\$|\\\[|!\[)/.test(next))
    return false;
  if (isMarkdown) return !/^\s*(?:#{1,6}\s|>|\* )/.test(next);
  if (/[.!?:;]["'”’)*`_]*\s*$/.test(line)) return false;
  return /^\s*[\p{Ll}\d`$*("“]/u.test(next) || /(?:,|\b(?:the|an?|of|is|are|to|and|in|that|this|with|for|on|as|or|by))\s*$/i.test(line);
}

/** Whether a line is a comment that stands above code. */
function isComment(lines: readonly string[], index: number): boolean {
  if (!/^\s*#\s/.test(lines[index] ?? "")) return false;
  const next = lines.slice(index + 1).find((line) => line.trim() && !/^\s*#\s/.test(line));
  return next !== undefined && isCode(next);
}

const functionWords = /\b(?:the|an?|of|is|are|to|and|in|that|this|it|with|for|on|as|we|you|which|can|be|by|or)\b/gi;
const begins =
  /^\s*(?:\$(?![^$]+\$(?!\w)) ?\S|#(?:check|eval|print|reduce|!)|(?:example|theorem|lemma|def|inductive|structure|instance|axiom|abbrev|variable|universe|namespace|import|open|set_option|attribute|macro)\b.*(?::=|[(){}:→]|^\S+ \S+$)|(?:for|while|if|do|done|then|fi|echo|mkdir|cd|ls|cp|mv|rm|cat|wc|sort|head|tail|grep|find|bash|man|pwd|nano|touch|uniq|cut|history|print|return|const|let|var|function)\b\s*(?:[-$*"'./~|>;{(]|\S+\.\w+|$))/;

/** Whether a line of plain text is code: by how it begins, or by its signs and its want of ordinary words. */
export function isCode(line: string): boolean {
  const text = line.trim();
  if (!text) return false;
  const words = text.match(functionWords)?.length ?? 0;
  if (/[a-z]{2,}[.!?]["')]?$/.test(text) && words > 0) return false;
  if (begins.test(line) && words <= 2) return true;
  if (/\S {2,}\S/.test(text) && /\d/.test(text) && words === 0) return true;
  const signs = text.replace(/\$[^$]+\$/g, "").match(/[^\p{L}\p{N}\s.,'’"“”!?]/gu)?.length ?? 0;
  return words === 0 && signs >= 3 && signs / text.length > 0.1 && !/[.!?]$/.test(text);
}

function continuesCode(lines: readonly string[], index: number): boolean {
  const line = lines[index] ?? "";
  if (!line.trim()) return lines.slice(index + 1, index + 3).some((next) => isCode(next) || /^\s{2,}\S/.test(next));
  return isCode(line) || isComment(lines, index) || /^\s{2,}\S/.test(line);
}

const isRow = (line: string): boolean => /^\s*\|.*\|\s*$/.test(line) || /\S\t+\S/.test(line);

/** Rows parted by tabs become a Markdown table; one that is a table already stays. */
function asTable(raw: string): string {
  if (raw.trimStart().startsWith("|")) return raw;
  const rows = raw.split("\n").map((row) => row.split("\t").map((cell) => cell.trim().replaceAll("|", "\\|")));
  const width = Math.max(...rows.map((row) => row.length));
  const line = (row: string[]) => `| ${Array.from({ length: width }, (_, index) => row[index] ?? "").join(" | ")} |`;
  const [header = [], ...body] = rows;
  return [line(header), `|${" --- |".repeat(width)}`, ...body.map(line)].join("\n");
}

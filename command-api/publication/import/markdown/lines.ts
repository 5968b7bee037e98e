/** A line of a source file with the number it has there, so that a report can name the place whatever was cut out before. */
export interface SourceLine {
  text: string;
  /** From 1. */
  number: number;
}

/** Cuts a file's text into lines: one kind of line ending, no byte order mark, leading tabs as spaces. */
export function toLines(text: string, first = 1): SourceLine[] {
  return text
    .replace(/^\uFEFF/, "")
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll(/[\uE000-\uE00F]/g, "")
    .split("\n")
    .map((line, index) => ({ text: line.replace(/^[ \t]+/, (space) => space.replaceAll("\t", "    ")), number: first + index }));
}

/** The numbers of the lines with signs that `toLines` removes, because marks are made of them. */
export const linesWithMarks = (text: string): number[] =>
  text.split(/\r\n?|\n/).flatMap((line, index) => (/[\uE000-\uE00F]/.test(line) ? [index + 1] : []));

export const textOf = (lines: readonly SourceLine[]): string => lines.map((line) => line.text).join("\n");

const opening = /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)*(`{3,}(?=[^`]*$)|~{3,})/;

/**
 * Says of each line, in order, whether it belongs to fenced code (its fences included) or to an HTML comment, where no other
 * markup is to be looked for. Keeps state: use one for each run of lines.
 */
export function createCodeWatch(): (text: string) => boolean {
  let fence = "";
  let inComment = false;
  return (text) => {
    if (fence) {
      const bare = text.replace(/^[\s>]+/, "").trimEnd();
      if (bare.length >= fence.length && bare === (fence[0] ?? "`").repeat(bare.length)) fence = "";
      return true;
    }
    if (inComment) {
      if (text.includes("-->")) inComment = false;
      return true;
    }
    const opened = opening.exec(text)?.[1];
    if (opened) {
      fence = opened;
      return true;
    }
    const comment = text.lastIndexOf("<!--");
    if (comment >= 0 && !text.slice(0, comment).includes("`") && !text.includes("-->", comment)) {
      inComment = true;
      return /^\s*<!--/.test(text);
    }
    return false;
  };
}

/** Drops blank lines at both ends. */
export function trimLines(lines: readonly SourceLine[]): SourceLine[] {
  let start = 0;
  let end = lines.length;
  while (start < end && !lines[start]?.text.trim()) start += 1;
  while (end > start && !lines[end - 1]?.text.trim()) end -= 1;
  return lines.slice(start, end);
}

/** Rewrites the lines outside of fenced code and HTML comments; `code` rewrites the others. */
export function mapProse(
  lines: readonly SourceLine[],
  prose: (line: SourceLine) => SourceLine[],
  code: (line: SourceLine) => SourceLine[] = (line) => [line],
): SourceLine[] {
  const isCode = createCodeWatch();
  return lines.flatMap((line) => (isCode(line.text) ? code(line) : prose(line)));
}

/** Rewrites a line outside of its code spans. */
export const outsideSpans = (text: string, change: (part: string) => string): string =>
  text
    .split(/(`+[^`]+`+)/)
    .map((part, index) => (index % 2 === 1 ? part : change(part)))
    .join("");

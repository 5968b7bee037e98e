import { mapProse, outsideSpans, type SourceLine } from "../markdown/lines.ts";
import type { Page } from "../markdown/page.ts";

const highlighted = /(?<![=\w])==(?=[^\s=])([^=\n]*[^\s=])==(?![=\w])/g;
const keys = /(?<![+\w])\+\+([a-z0-9]+(?:[+-][a-z0-9]+)*)\+\+(?![+\w])/gi;
const below = /(?<=[\p{L}\p{N})\]])~(\d{1,4}[+-]?|[a-z]{1,2})~(?!~)/gu;
const above = /(?<=[\p{L}\p{N})\]])\^([0-9+-]{1,5}|[a-z]{1,3})\^(?!\^)/gu;
const comment = /\s?%%[^%\n]+%%/g;
/** The name of a paragraph in Obsidian, at its end. */
const paragraphId = /\s\^[A-Za-z0-9-]{4,40}$/;
const abbreviation = /^\*\[([^\]\n]+)\]:\s/;
/** Signs that a page is written in MyST, where `%` begins a comment. */
const isMyst = /^(?:`{3,}|:{3,})\s*\{[\w:-]+\}|^\([\w:.-]+\)=\s*$/;

const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase();
const keyNames = (written: string): string =>
  `\`${written
    .split("+")
    .map((key) => key.split("-").map(capitalised).join(" "))
    .join("+")}\``;

/**
 * Writes marks inside lines of text as Markdown: `==highlighted==`, `++ctrl+c++`, `H~2~O`, `x^2^` (MkDocs, Pandoc, Obsidian). Leaves out
 * comments (`%%…%%` of Obsidian, `% …` and `+++` of MyST), names of paragraphs and long forms of abbreviations.
 */
export function withoutInlineMarks(lines: readonly SourceLine[], page: Page): SourceLine[] {
  const myst = lines.some(({ text }) => isMyst.test(text));
  /** The last line that can close a comment: what nothing closes is text. */
  const lastSign = lines.findLast(({ text }) => text.includes("%%"))?.number ?? 0;
  let inComment = false;
  const leaveOut = (line: SourceLine, what = "a comment"): SourceLine[] => {
    page.note(line.number, what, "left out, it is not shown to readers");
    return [];
  };
  return mapProse(lines, (line) => {
    const { text } = line;
    if (inComment) {
      inComment = !text.includes("%%");
      return [];
    }
    if (/^\s*%%(?!.*%%)/.test(text) && line.number < lastSign) {
      inComment = true;
      return leaveOut(line);
    }
    if (myst && /^%\s/.test(text)) return leaveOut(line);
    if (/^\+\+\+(?:\s*\{.*\})?\s*$/.test(text)) return [];
    const short = abbreviation.exec(text)?.[1];
    if (short !== undefined) return leaveOut(line, `the long form of an abbreviation, ${short}`);
    const plain = outsideSpans(text, (part) => {
      if (part.search(comment) >= 0) leaveOut(line);
      return part
        .replaceAll(comment, "")
        .replaceAll(highlighted, "**$1**")
        .replaceAll(keys, (_whole, written: string) => keyNames(written))
        .replaceAll(below, "<sub>$1</sub>")
        .replaceAll(above, "<sup>$1</sup>");
    });
    return [{ ...line, text: plain.replace(paragraphId, "") }];
  });
}

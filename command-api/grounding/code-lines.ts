import MarkdownIt, { type Token } from "markdown-it";

/** Knows of a text that grows line by line whether its next line is code (a fence or indented), as the answer's own parser sees it. */
export interface CodeLines {
  /** A whole line, its line break included. */
  add(line: string): void;
  /** @param line the next line, as far as it is known; what makes it code stands at its beginning. */
  isCode(line: string): boolean;
  /** Whether a line of backticks or tildes ends the fence it stands in. */
  closes(line: string): boolean;
  /** Whether the next lines, the last as far as it is known, are one paragraph (or heading, or the like). */
  areOne(text: string): boolean;
}

/** Blocks only: what is code within a line is the caller's. */
const blocks = new MarkdownIt({ html: false });
blocks.core.ruler.enableOnly(["normalize", "block"]);

/** No more than so much is read again for one line; a list or quotation that is longer is read from its middle. */
const longest = 20_000;
/**
 * Once so much has been read again for one answer, only this much is for a line: real answers stay far below, and one that is all fences
 * would hold up everybody else's for many seconds. Both in characters.
 */
const mostReadAgain = 600_000;
const longestThen = 300;

export function codeLines(): CodeLines {
  let lines: string[] = [];
  let length = 0;
  let fresh = true;
  let fenced = false;
  let readAgain = 0;
  const read = (text: string): Token[] => {
    readAgain += text.length;
    return blocks.parse(text, {});
  };
  const isLastCode = (some: readonly string[]): boolean => {
    const last = some.length - 1;
    return read(some.join("")).some(
      ({ type, map }) => (type === "fence" || type === "code_block") && map !== null && map[0] <= last && map[1] > last,
    );
  };

  return {
    add(line) {
      // What follows a blank line and stands at the margin begins anew, unless a fence is open.
      if (fresh && /^[^\s>\-*+\d`~]/.test(line) && lines.length > 0 && !(fenced && isLastCode([...lines, line]))) {
        lines = [];
        length = 0;
        fenced = false;
      }
      fenced ||= /`{3}|~{3}/.test(line);
      fresh = line.trim() === "";
      lines.push(line);
      length += line.length;
      const most = readAgain < mostReadAgain ? longest : longestThen;
      while (length > most && lines.length > 1) length -= lines.shift()?.length ?? 0;
    },
    isCode: (line) => isLastCode([...lines, line]),
    closes(line) {
      // Said twice: when the first ends a fence, the second begins one.
      const twice = read(`${lines.join("")}${line}\n${line}\n`);
      return twice.some(({ type, map }) => type === "fence" && map?.[0] === lines.length + 1);
    },
    areOne(text) {
      const last = lines.length + (text.match(/\n/g)?.length ?? 0);
      return read(lines.join("") + text).some(
        ({ type, map }) => type === "inline" && map !== null && map[0] <= lines.length && map[1] > last,
      );
    },
  };
}

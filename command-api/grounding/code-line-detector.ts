import MarkdownIt, { type Token } from "markdown-it";

/** Detects code lines (fenced or indented) in a text that grows line by line, with the parser that renders answers. */
export interface CodeLineDetector {
  /** Adds a whole line with its line break. */
  add(line: string): void;
  /** @param line the next line as far as it has come; its beginning decides. */
  isCode(line: string): boolean;
  /** Whether a line of backticks or tildes closes the open fence. */
  closesFence(line: string): boolean;
  /** Whether the next lines, the last as far as it has come, belong to one paragraph, heading or similar. */
  areOneParagraph(text: string): boolean;
}

/** Blocks only: the caller handles code spans. */
const blocks = new MarkdownIt({ html: false });
blocks.core.ruler.enableOnly(["normalize", "block"]);

/** Characters parsed again for one line; a longer list or quotation is parsed from its middle. */
const maxWindow = 20_000;
/** Characters parsed again for one answer. Beyond, the window shrinks: an answer full of fences would block other requests for seconds. */
const parseBudget = 600_000;
const reducedWindow = 300;

export function codeLineDetector(): CodeLineDetector {
  let lines: string[] = [];
  let length = 0;
  let isAfterBlank = true;
  let hasFence = false;
  let parsed = 0;
  const parse = (text: string): Token[] => {
    parsed += text.length;
    return blocks.parse(text, {});
  };
  const isLastCode = (some: readonly string[]): boolean => {
    const last = some.length - 1;
    return parse(some.join("")).some(
      ({ type, map }) => (type === "fence" || type === "code_block") && map !== null && map[0] <= last && map[1] > last,
    );
  };

  return {
    add(line) {
      // An unindented line after a blank one starts a new block, unless a fence is open.
      if (isAfterBlank && /^[^\s>\-*+\d`~]/.test(line) && lines.length > 0 && !(hasFence && isLastCode([...lines, line]))) {
        lines = [];
        length = 0;
        hasFence = false;
      }
      hasFence ||= /`{3}|~{3}/.test(line);
      isAfterBlank = line.trim() === "";
      lines.push(line);
      length += line.length;
      const most = parsed < parseBudget ? maxWindow : reducedWindow;
      while (length > most && lines.length > 1) length -= lines.shift()?.length ?? 0;
    },
    isCode: (line) => isLastCode([...lines, line]),
    closesFence(line) {
      // Twice: if the first closes a fence, the second opens one.
      const twice = parse(`${lines.join("")}${line}\n${line}\n`);
      return twice.some(({ type, map }) => type === "fence" && map?.[0] === lines.length + 1);
    },
    areOneParagraph(text) {
      const last = lines.length + (text.match(/\n/g)?.length ?? 0);
      return parse(lines.join("") + text).some(
        ({ type, map }) => type === "inline" && map !== null && map[0] <= lines.length && map[1] > last,
      );
    },
  };
}

/** Whether the end of a growing Markdown text is code; see `codeTracker`. */
export interface CodeTracker {
  /** Adds the next text. */
  add(text: string): void;
  /** Whether the next text is in a fence, a code span or an indented block. */
  inCode(): boolean;
  /** The first characters of the present line. */
  line(): string;
}

const fenceMark = /^(?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*(`{3,}|~{3,})/;
const indented = /^(?: {4}|\t)/;
/** Characters of a line that decide what it is. */
const keptOfLine = 64;

/**
 * Tracks code well enough to tell a model's own markup from an example of it. In doubt (a backtick that is not closed on its line, four
 * spaces) text counts as code, because code is left unchanged.
 */
export function codeTracker(): CodeTracker {
  let fence = "";
  let line = "";
  /** Backticks that opened a span on this line, and those at the end of the text. */
  let span = 0;
  let run = 0;

  const endRun = (): void => {
    if (run > 0 && span === 0) span = run;
    else if (run === span) span = 0;
    run = 0;
  };
  const endLine = (): void => {
    const mark = fenceMark.exec(line)?.[1];
    if (mark && !fence) fence = mark;
    else if (mark && fence && mark.startsWith(fence)) fence = "";
    line = "";
    span = 0;
    run = 0;
  };

  return {
    add(text) {
      for (const character of text) {
        if (character === "\n") {
          endLine();
          continue;
        }
        if (line.length < keptOfLine) line += character;
        if (character === "`") run += 1;
        else if (run > 0) endRun();
      }
    },
    inCode() {
      endRun();
      return fence !== "" || span > 0 || fenceMark.test(line) || indented.test(line);
    },
    line: () => line,
  };
}

/** Whether the place a growing Markdown text has reached is code; see `codeSpots`. */
export interface CodeSpots {
  /** Takes in what comes next of the text. */
  add(text: string): void;
  /** Whether what comes next stands in a fence, a code span or an indented block. */
  inCode(): boolean;
  /** What the line has so far, its first characters only. */
  line(): string;
}

const fenceMark = /^(?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*(`{3,}|~{3,})/;
const indented = /^(?: {4}|\t)/;
/** What a line begins with decides what it is; the rest is not kept. */
const keptOfLine = 64;

/**
 * Follows where code begins and ends, closely enough to tell a model's own markup from somebody's example of it. Where it is in doubt
 * (a backtick that is never closed on its line, four spaces) the text counts as code, because what is taken for code is left alone.
 */
export function codeSpots(): CodeSpots {
  let fence = "";
  let line = "";
  /** Backticks that opened a span on this line, and those at the very end of what has come. */
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

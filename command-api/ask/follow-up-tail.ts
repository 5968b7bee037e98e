/** Longest list of questions; an opening tag that nothing closes within it is dropped and the text goes on. */
const longestTail = 1_500;
const opening = /\s*<\s*follow[-_ ]?ups?\s*>/i;
const closing = /<\s*\/\s*follow[-_ ]?ups?\s*>/i;
/** The end of a text that may become an opening tag, with the white space before it. */
const opens = /\s*(?:<\s*(?:f(?:o(?:l(?:l(?:o(?:w(?:[-_ ](?:u(?:p(?:s\s*)?)?)?|u(?:p(?:s\s*)?)?)?)?)?)?)?)?)?)?$/i;
/** No white space before a tag is longer. */
const longestGap = 64;

/** What a model streams, divided into the answer and the list of questions behind it. */
export interface FollowUpTail {
  /** Adds a chunk; returns the answer text that later chunks cannot change. */
  push(text: string): string;
  /** The rest of the answer text, after the last chunk. */
  end(): string;
  /** The lines of the list; null if the model wrote none. */
  lines(): string[] | null;
}

/**
 * Cuts `<follow-ups> … </follow-ups>` out of a streamed answer, however it is cut into chunks; text behind it is part of the answer again.
 * Never returns a part of the tag.
 */
export function followUpTail(): FollowUpTail {
  let pending = "";
  let isInside = false;
  let list: string | null = null;

  function take(isLast: boolean): string {
    let out = "";
    for (;;) {
      if (isInside) {
        const end = closing.exec(pending);
        if (!end && !isLast && pending.length <= longestTail) return out;
        isInside = false;
        if (end || pending.length <= longestTail) {
          list = `${list ?? ""}\n${pending.slice(0, end?.index)}`;
          pending = end ? pending.slice(end.index + end[0].length) : "";
        }
      }
      const begin = opening.exec(pending);
      if (!begin) {
        const held = isLast ? pending.length : Math.max(opens.exec(pending)?.index ?? pending.length, pending.length - longestGap);
        out += pending.slice(0, held);
        pending = pending.slice(held);
        return out;
      }
      out += pending.slice(0, begin.index);
      pending = pending.slice(begin.index + begin[0].length);
      isInside = true;
    }
  }

  return {
    push(text) {
      pending += text;
      return take(false);
    },
    end: () => take(true),
    lines: () =>
      list === null
        ? null
        : list
            .split("\n")
            .map((line) => line.trim())
            .filter((line) => line !== ""),
  };
}

/** The text between the sign that opens a list and the caret. `start` is the sign's index. */
export interface Trigger {
  /** "@" chooses a source, "/" a command. */
  sign: "@" | "/";
  start: number;
  end: number;
  query: string;
}

const longestMention = 80;

/** The trigger at the caret: a "/" that begins the text, or an "@" that begins a word on the caret's line. Null if there is none. */
export function triggerAt(text: string, caret: number): Trigger | null {
  return commandAt(text, caret) ?? mentionAt(text, caret);
}

function commandAt(text: string, caret: number): Trigger | null {
  const [, query] = /^\/([a-z]*)$/i.exec(text.slice(0, caret)) ?? [];
  return query === undefined ? null : { sign: "/", start: 0, end: caret, query };
}

function mentionAt(text: string, caret: number): Trigger | null {
  const start = text.lastIndexOf("@", caret - 1);
  if (start === -1 || start >= caret || caret - start > longestMention) return null;
  if (start > 0 && !/[\s([{"'“‘]/.test(text[start - 1] ?? "")) return null;
  const query = text.slice(start + 1, caret);
  return query.includes("\n") || /^\s/.test(query) ? null : { sign: "@", start, end: caret, query };
}

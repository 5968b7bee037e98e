/** A replacement in a text, by offsets. */
export interface Edit {
  start: number;
  end: number;
  text: string;
}

/** Applies edits; one that lies within another is dropped, because the outer one has replaced its text. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const sorted = [...edits].sort((a, b) => a.start - b.start || b.end - a.end);
  let result = "";
  let at = 0;
  for (const edit of sorted) {
    if (edit.start < at) continue;
    result += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return result + text.slice(at);
}

/**
 * A field knows one kind of line end, sources may hold others. What an author did not touch keeps every byte: only the part that differs is
 * taken over from the field.
 */

/** A source as a field shows it. */
export const asShown = (source: string): string => source.replaceAll(/\r\n?/g, "\n");

/** What lies between the common beginning and the common end of two texts. */
export function differenceOf(before: string, after: string): { start: number; end: number; text: string } {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  let same = 0;
  while (same < most - start && before[before.length - 1 - same] === after[after.length - 1 - same]) same += 1;
  return { start, end: before.length - same, text: after.slice(start, after.length - same) };
}

/** The source after its field was edited: `shown` replaces what the field showed of it. */
export function withShown(source: string, shown: string): string {
  const before = asShown(source);
  if (before === source) return shown;
  const { start, end, text } = differenceOf(before, shown);
  const lineEnd = /\r\n?|\n/.exec(source)?.[0] ?? "\n";
  return source.slice(0, placeIn(source, start)) + text.replaceAll("\n", lineEnd) + source.slice(placeIn(source, end));
}

/** Where a place of the shown text lies in its source. */
function placeIn(source: string, shown: number): number {
  let at = 0;
  for (let count = 0; count < shown; count += 1) at += source[at] === "\r" && source[at + 1] === "\n" ? 2 : 1;
  return at;
}

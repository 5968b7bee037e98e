/**
 * A textarea normalises line ends; sources may use others. Only the changed part is taken from the field, so untouched text keeps every byte.
 */

/** A source with the line ends of a textarea. */
export const fieldText = (source: string): string => source.replaceAll(/\r\n?/g, "\n");

/** The changed range between the common prefix and suffix of two texts. */
export function textDifference(before: string, after: string): { start: number; end: number; text: string } {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  let same = 0;
  while (same < most - start && before[before.length - 1 - same] === after[after.length - 1 - same]) same += 1;
  return { start, end: before.length - same, text: after.slice(start, after.length - same) };
}

/** The source after its field was edited to `shown`. */
export function sourceFromField(source: string, shown: string): string {
  const before = fieldText(source);
  if (before === source) return shown;
  const { start, end, text } = textDifference(before, shown);
  const lineEnd = /\r\n?|\n/.exec(source)?.[0] ?? "\n";
  return source.slice(0, sourceIndex(source, start)) + text.replaceAll("\n", lineEnd) + source.slice(sourceIndex(source, end));
}

/** Converts an index of the field's text to one of the source. */
function sourceIndex(source: string, shown: number): number {
  let at = 0;
  for (let count = 0; count < shown; count += 1) at += source[at] === "\r" && source[at + 1] === "\n" ? 2 : 1;
  return at;
}

import type { Token } from "markdown-it";

/** Where each line of a text begins. */
export function lineStarts(source: string): number[] {
  const starts = [0];
  for (let at = source.indexOf("\n"); at >= 0; at = source.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/** Line ends as the parser sees them. A carriage return at the very end may be half of one. */
export function normaliseLines(text: string, complete: boolean): string {
  const whole = !complete && text.endsWith("\r") ? text.slice(0, -1) : text;
  // Looking is much quicker than replacing nothing.
  const lines = whole.includes("\r") ? whole.replace(/\r\n?/g, "\n") : whole;
  return lines.includes("\0") ? lines.replaceAll("\0", "\ufffd") : lines;
}

/** How much of a text became the first `length` letters of its normalised form. */
export function lengthBefore(text: string, length: number): number {
  if (!text.includes("\r")) return length;
  let at = 0;
  for (let count = 0; count < length; count++) at += text.startsWith("\r\n", at) ? 2 : 1;
  return at;
}

/** The line a block begins on. Not every rule maps its opening token to its first line. */
export function firstLine(block: readonly Token[]): number {
  let first = Number.POSITIVE_INFINITY;
  for (const { map } of block) if (map && map[0] < first) first = map[0];
  return first;
}

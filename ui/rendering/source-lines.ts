import type { Token } from "markdown-it";

/** The offset of each line of a text. */
export function lineStarts(source: string): number[] {
  const starts = [0];
  for (let at = source.indexOf("\n"); at >= 0; at = source.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/** Normalises line ends as the parser does. A carriage return at the end may be half of a line end. */
export function normaliseLines(text: string, complete: boolean): string {
  const whole = !complete && text.endsWith("\r") ? text.slice(0, -1) : text;
  // Searching is much faster than a replacement without matches.
  const lines = whole.includes("\r") ? whole.replace(/\r\n?/g, "\n") : whole;
  return lines.includes("\0") ? lines.replaceAll("\0", "\ufffd") : lines;
}

/** The length in the original text of a prefix of its normalised form. */
export function lengthBefore(text: string, length: number): number {
  if (!text.includes("\r")) return length;
  let at = 0;
  for (let count = 0; count < length; count++) at += text.startsWith("\r\n", at) ? 2 : 1;
  return at;
}

/** The first line of a block. Not every rule maps its opening token to it. */
export function firstLine(block: readonly Token[]): number {
  let first = Number.POSITIVE_INFINITY;
  for (const { map } of block) if (map && map[0] < first) first = map[0];
  return first;
}

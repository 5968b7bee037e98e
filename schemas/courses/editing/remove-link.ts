/**
 * Takes the links to an address out of one line of a source and keeps their words.
 * @param line from 1
 * @returns null where the line has no link to it that can be taken out by itself
 */
export function withoutLink(source: string, line: number, href: string): string | null {
  const lines = source.split("\n");
  const text = lines[line - 1];
  if (text === undefined) return null;
  const address = href.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  const link = new RegExp(`(?<![!\\\\])\\[([^[\\]]+)\\]\\(\\s*<?${address}>?(?:\\s+"[^"]*")?\\s*\\)`, "g");
  const rest = text.replaceAll(link, "$1");
  return rest === text ? null : lines.with(line - 1, rest).join("\n");
}

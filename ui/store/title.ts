const titleLength = 80;

/** A conversation's title: its first question in one line, shortened at a word. */
export function titleOf(question: string): string {
  const line = question.replace(/\s+/g, " ").trim();
  if (line.length <= titleLength) return line;
  const cut = line.slice(0, titleLength);
  const space = cut.lastIndexOf(" ");
  return `${(space > titleLength / 2 ? cut.slice(0, space) : cut).replace(/[\s,;:.–—-]+$/, "")}…`;
}

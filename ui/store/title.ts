const titleLength = 80;

/** A conversation's title: its first question in one line, shortened at a word; a wish for a quiz is called so. */
export function titleOf(question: string): string {
  const line = question
    .replace(/\s+/g, " ")
    .trim()
    .replace(/^\/quiz(?: (?:me )?(?:on |about )?(.*))?$/i, (_all, about?: string) => (about ? `Quiz: ${about}` : "Quiz"));
  if (line.length <= titleLength) return line;
  const cut = line.slice(0, titleLength);
  const space = cut.lastIndexOf(" ");
  return `${(space > titleLength / 2 ? cut.slice(0, space) : cut).replace(/[\s,;:.–—-]+$/, "")}…`;
}

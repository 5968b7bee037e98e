/**
 * Levels for headings without gaps: the first below the page's title stands at `top`, each deeper one exactly one level below the
 * heading it belongs to, whatever the author's numbers were. Authors' first-level headings inside a page count as second-level ones.
 */
export function createDepths(top: number): { of(level: number): number; current(): number; below(): number } {
  const stack: number[] = [];
  return {
    of(level) {
      const wanted = Math.max(2, level);
      while (stack.length && (stack.at(-1) ?? 0) >= wanted) stack.pop();
      stack.push(wanted);
      return Math.min(6, top + stack.length - 1);
    },
    current: () => Math.min(6, top + Math.max(stack.length, 1) - 1),
    /** The level right below the last heading, which does not become part of the order. */
    below: () => Math.min(6, top + stack.length),
  };
}

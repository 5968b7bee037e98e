/** The tokens of each block that stands at the top of a parsed Markdown text. */
export function topLevel<Token extends { nesting: number }>(tokens: readonly Token[]): Token[][] {
  const groups: Token[][] = [];
  let depth = 0;
  for (const token of tokens) {
    if (depth === 0) groups.push([]);
    groups.at(-1)?.push(token);
    depth += token.nesting;
  }
  return groups;
}

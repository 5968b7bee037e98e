/** The parts of markdown-it that `keepDeepText` uses. */
interface BlockState {
  level: number;
  line: number;
  blkIndent: number;
  sCount: number[];
  isEmpty(line: number): boolean;
  getLines(begin: number, end: number, indent: number, keepLastLineFeed: boolean): string;
  push(type: string, tag: string, nesting: -1 | 0 | 1): { map: [number, number] | null; content: string; children: unknown; meta: unknown };
}
interface MarkdownParser {
  block: { tokenize(state: BlockState, start: number, end: number): void };
  options: { maxNesting?: number };
}

/**
 * Keeps text that stands deeper in lists and quotations than markdown-it reads (`maxNesting` levels; a list has two) as a paragraph with
 * `meta.deep`. Without this the parser drops it, together with everything below.
 */
export function keepDeepText(md: MarkdownParser): void {
  const tokenize = md.block.tokenize.bind(md.block);
  md.block.tokenize = (state, start, end) => {
    if (state.level < (md.options.maxNesting ?? 100)) {
      tokenize(state, start, end);
      return;
    }
    let next = start;
    while (next < end && (state.isEmpty(next) || (state.sCount[next] ?? 0) >= state.blkIndent)) next += 1;
    state.line = next;
    const content = state.getLines(start, next, state.blkIndent, false).trim();
    if (!content) return;
    state.push("paragraph_open", "p", 1).map = [start, next];
    const inline = state.push("inline", "", 0);
    Object.assign(inline, { content, map: [start, next], children: [], meta: { deep: true } });
    state.push("paragraph_close", "p", -1);
  };
}

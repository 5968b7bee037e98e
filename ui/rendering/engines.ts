/**
 * KaTeX and highlight.js, loaded when first needed: on servers by `server.ts` before rendering, in browsers by `loadMath()` and
 * `loadHighlighter()`. Until then, placeholders (`data-pending`) contain the source, and `upgrade()` replaces them.
 */
export type MathEngine = (tex: string, display: boolean) => string;
/** Null while the grammar is not loaded. */
export type CodeEngine = (code: string, grammar: string) => string | null;

export const engines: { math: MathEngine | null; code: CodeEngine | null } = { math: null, code: null };

let math: Promise<MathEngine> | null = null;
let code: Promise<typeof import("./highlighter.ts")> | null = null;

/** Loads KaTeX once. A failed load can be retried. */
export function loadMath(): Promise<MathEngine> {
  math ??= import("./katex.ts").then(
    ({ typeset }) => (engines.math = typeset),
    (error) => {
      math = null;
      throw error;
    },
  );
  return math;
}

/** Loads highlight.js once, and the grammars that a page needs. A failed load can be retried. */
export async function loadHighlighter(grammars: Iterable<string> = []): Promise<CodeEngine> {
  code ??= import("./highlighter.ts").catch((error: unknown) => {
    code = null;
    throw error;
  });
  const { highlight, loadGrammar } = await code;
  await Promise.allSettled([...grammars].map(loadGrammar));
  engines.code = highlight;
  return highlight;
}

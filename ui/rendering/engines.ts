/**
 * KaTeX and highlight.js, loaded when first needed: on servers by `server.ts` before rendering, in browsers by `loadMath()` and
 * `loadHighlighter()`. Until then, placeholders (`data-pending`) contain the source, and `upgrade()` replaces them.
 */
export type MathEngine = (tex: string, display: boolean) => string;
export type CodeEngine = (code: string, grammar: string) => string;

export const engines: { math: MathEngine | null; code: CodeEngine | null } = { math: null, code: null };

let math: Promise<MathEngine> | null = null;
let code: Promise<CodeEngine> | null = null;

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

/** Loads highlight.js with our languages once. A failed load can be retried. */
export function loadHighlighter(): Promise<CodeEngine> {
  code ??= import("./highlighter.ts").then(
    ({ highlight }) => (engines.code = highlight),
    (error) => {
      code = null;
      throw error;
    },
  );
  return code;
}

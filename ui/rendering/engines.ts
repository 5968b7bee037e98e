/**
 * The heavy parts, loaded when first needed: in Node by `server.ts` before anything is rendered, in a browser by `loadMath()` and
 * `loadHighlighter()`. Until one is there, its text stands as source in a placeholder (`data-pending`) that `upgrade()` replaces.
 */
export type MathEngine = (tex: string, display: boolean) => string;
export type CodeEngine = (code: string, grammar: string) => string;

export const engines: { math: MathEngine | null; code: CodeEngine | null } = { math: null, code: null };

let math: Promise<MathEngine> | null = null;
let code: Promise<CodeEngine> | null = null;

/** Loads KaTeX once. A failed load may be tried again. */
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

/** Loads highlight.js with our languages once. A failed load may be tried again. */
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

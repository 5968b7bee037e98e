import { engines } from "./engines.ts";
import { highlight } from "./highlighter.ts";
import { typeset } from "./katex.ts";

// On servers the engines are loaded at once, so that pages are complete.
engines.math = typeset;
engines.code = highlight;

export { renderBlock, renderBrokenBlock } from "./blocks.ts";
export { lineWithFormulas } from "./line-formulas.ts";
export { renderInline, renderMarkdown } from "./markdown.ts";

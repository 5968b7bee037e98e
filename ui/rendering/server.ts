import { engines } from "./engines.ts";
import { highlight } from "./highlighter.ts";
import { typeset } from "./katex.ts";

// On a server everything is there from the start, so pages come out finished.
engines.math = typeset;
engines.code = highlight;

export { renderBlock, renderBrokenBlock } from "./blocks.ts";
export { lineWithFormulas } from "./line-formulas.ts";
export { renderInline, renderMarkdown } from "./markdown.ts";

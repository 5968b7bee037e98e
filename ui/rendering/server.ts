import { createRequire } from "node:module";
import type { LanguageFn } from "highlight.js";
import { engines } from "./engines.ts";
import { highlight, registerGrammar } from "./highlighter.ts";
import { typeset } from "./katex.ts";
import { embeddedGrammars } from "./more-grammars.ts";

const require = createRequire(import.meta.url);

/** Grammars beyond the usual ones are loaded when a page needs the first of a kind. */
function loadAtOnce(grammar: string): void {
  for (const name of [...(embeddedGrammars[grammar] ?? []), grammar])
    registerGrammar(name, require(`highlight.js/lib/languages/${name}`) as LanguageFn);
}

// On servers the engines are loaded at once, so that pages are complete.
engines.math = typeset;
engines.code = (code, grammar) => {
  const html = highlight(code, grammar);
  if (html !== null) return html;
  loadAtOnce(grammar);
  return highlight(code, grammar);
};

export { renderBlock, renderBrokenBlock } from "./blocks.ts";
export { lineWithFormulas } from "./line-formulas.ts";
export { renderInline, renderMarkdown } from "./markdown.ts";

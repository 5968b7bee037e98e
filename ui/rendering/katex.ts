import katex from "katex";
import { escapeHtml } from "./escape.ts";

/** Longest formula that is typeset (KaTeX is linear on text, but macros multiply it); longer ones are shown as source. */
const longest = 8_000;

/** A formula as safe HTML with MathML beside it for assistive technology. A formula that cannot be set is shown as its source with the reason. */
export function typeset(tex: string, display: boolean): string {
  if (tex.length > longest) return failed(tex, "This formula is too long to be typeset.");
  try {
    return katex.renderToString(tex, {
      displayMode: display,
      output: "htmlAndMathml",
      throwOnError: false,
      errorColor: "#c4413a",
      trust: false,
      strict: "ignore",
      maxExpand: 200,
      maxSize: 20,
    });
  } catch (error) {
    return failed(tex, error instanceof Error ? error.message : String(error));
  }
}

function failed(tex: string, reason: string): string {
  return `<code class="math-failed" title="${escapeHtml(reason)}">${escapeHtml(tex)}</code>`;
}

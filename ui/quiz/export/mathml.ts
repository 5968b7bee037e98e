import katex from "katex";
import { escapeXml } from "./markup.ts";

/** A formula as MathML with a TeX annotation; as code if it cannot be parsed. Pure. */
export function mathml(tex: string, display: boolean): string {
  try {
    const html = katex.renderToString(tex, { displayMode: display, output: "mathml", trust: false, strict: "ignore", maxExpand: 200 });
    const [math] = /<math[\s\S]*<\/math>/.exec(html) ?? [];
    if (math) return math.toWellFormed();
  } catch {
    // Unparsable TeX is shown as source.
  }
  return `<code>${escapeXml(tex)}</code>`;
}

/** A formula with MathJax delimiters. Pure. */
export const mathjax = (tex: string, display: boolean): string =>
  (display ? `\\[${escapeXml(tex)}\\]` : `\\(${escapeXml(tex)}\\)`).replace(/\s*\n\s*/g, " ");

import katex from "katex";
import { escapeXml } from "./markup.ts";

/** A formula as MathML with its TeX beside it; as code when it cannot be read. Pure. */
export function mathml(tex: string, display: boolean): string {
  try {
    const html = katex.renderToString(tex, { displayMode: display, output: "mathml", trust: false, strict: "ignore", maxExpand: 200 });
    const [math] = /<math[\s\S]*<\/math>/.exec(html) ?? [];
    if (math) return math.toWellFormed();
  } catch {
    // Not TeX that can be read: its source is.
  }
  return `<code>${escapeXml(tex)}</code>`;
}

/** A formula as programs with MathJax take it. Pure. */
export const mathjax = (tex: string, display: boolean): string =>
  (display ? `\\[${escapeXml(tex)}\\]` : `\\(${escapeXml(tex)}\\)`).replace(/\s*\n\s*/g, " ");

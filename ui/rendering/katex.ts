import katex from "katex";
import { msg } from "../messages/page.ts";
import { escapeHtml } from "./escape.ts";

/** Longest formula that is typeset (KaTeX is linear on text, but macros multiply it); longer ones are shown as source. */
const longest = 8_000;

const options = {
  output: "htmlAndMathml",
  errorColor: "#c4413a",
  trust: false,
  strict: "ignore",
  maxExpand: 200,
  maxSize: 20,
} as const;

const tooLong = (): string => msg("rendering.formulaTooLongTypeset");

/** A formula as safe HTML with MathML beside it for assistive technology. A formula that cannot be set is shown as its source with the reason. */
export function typeset(tex: string, display: boolean): string {
  if (tex.length > longest) return failed(tex, tooLong());
  try {
    // What it says of a formula it cannot set is English.
    return katex
      .renderToString(tex, { ...options, displayMode: display, throwOnError: false })
      .replace('<span class="katex-error" ', '<span class="katex-error" lang="en" ');
  } catch (error) {
    return failed(tex, error instanceof Error ? error.message : String(error), "en");
  }
}

/** Why a formula, or a command in it, cannot be set, with the language of the words where that is not the page's. */
export interface FormulaProblem {
  reason: string;
  lang?: "en";
  /** Where in the formula, as far as that is known. */
  at: number;
}

/** @returns null where all of a formula can be set */
export function formulaProblem(tex: string, display: boolean): FormulaProblem | null {
  if (tex.length > longest) return { reason: tooLong(), at: 0 };
  try {
    katex.renderToString(tex, { ...options, displayMode: display, throwOnError: true });
    return null;
  } catch (error) {
    if (error instanceof katex.ParseError) return { reason: error.rawMessage, lang: "en", at: error.position ?? 0 };
    return { reason: error instanceof Error ? error.message : String(error), lang: "en", at: 0 };
  }
}

function failed(tex: string, reason: string, lang?: "en"): string {
  return `<code class="math-failed"${lang ? ` lang="${lang}"` : ""} title="${escapeHtml(reason)}">${escapeHtml(tex)}</code>`;
}

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

/** What LaTeX has and KaTeX lacks: numbers of formulas are not shown, so a label is nothing, and a reference names none. */
const macros = { "\\mbox": "\\text{#1}", "\\label": "\\@secondoftwo{#1}{}", "\\eqref": "\\@secondoftwo{#1}{(\\ldots)}" };
/** KaTeX keeps what a formula defines in the object that it is given. */
const optionsOf = (displayMode: boolean, throwOnError: boolean) => ({ ...options, macros: { ...macros }, displayMode, throwOnError });

const tooLong = (): string => msg("rendering.formulaTooLongTypeset");

/** A formula as safe HTML with MathML for assistive technology. An invalid formula is shown as source with the reason. */
export function typeset(tex: string, display: boolean): string {
  if (tex.length > longest) return failed(tex, tooLong());
  try {
    // KaTeX errors are in English.
    return katex
      .renderToString(tex, optionsOf(display, false))
      .replace('<span class="katex-error" ', '<span class="katex-error" lang="en" ');
  } catch (error) {
    return failed(tex, error instanceof Error ? error.message : String(error), "en");
  }
}

/** Why a formula is invalid, with the language of the reason if it is not the page's. */
export interface FormulaProblem {
  reason: string;
  lang?: "en";
  /** Position in the formula, if known. */
  at: number;
}

/** @returns null if the formula is valid */
export function formulaProblem(tex: string, display: boolean): FormulaProblem | null {
  if (tex.length > longest) return { reason: tooLong(), at: 0 };
  try {
    katex.renderToString(tex, optionsOf(display, true));
    return null;
  } catch (error) {
    if (error instanceof katex.ParseError) return { reason: error.rawMessage, lang: "en", at: error.position ?? 0 };
    return { reason: error instanceof Error ? error.message : String(error), lang: "en", at: 0 };
  }
}

function failed(tex: string, reason: string, lang?: "en"): string {
  return `<code class="math-failed"${lang ? ` lang="${lang}"` : ""} title="${escapeHtml(reason)}">${escapeHtml(tex)}</code>`;
}

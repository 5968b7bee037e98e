import type { ScreenLine } from "@colloquy/schemas/explainers/screen-line.ts";

/** A command of TeX by its name; in code, a letter after a backslash stands alone or in a path. */
const command =
  /\\(?:frac|sqrt|sum|prod|int|lim|cdots?|times|div|pm|infty|partial|nabla|le|leq|ge|geq|ne|neq|approx|equiv|to|mapsto|in|notin|subset|cup|cap|left|right|begin|end|text|mathrm|mathbf|mathbb|mathcal|operatorname|vec|hat|bar|dots|ldots|quad|log|ln|exp|sin|cos|tan|det|dim|ker|[gG]amma|[dD]elta|[tT]heta|[lL]ambda|[xX]i|[pP]i|[sS]igma|[pP]hi|[pP]si|[oO]mega|alpha|beta|epsilon|varepsilon|zeta|eta|iota|kappa|mu|nu|rho|tau|chi)(?![a-zA-Z])/;

/**
 * A line of a transcript by an earlier version, which kept the text alone: a formula is recognised by its commands. A label in brackets after
 * it is no part of it.
 */
export function olderScreenLine(text: string): ScreenLine | null {
  if (!command.test(text)) return null;
  const [, tex = text, label = ""] = /^(.+?)(?: \(([^()\\]+)\))?$/s.exec(text) ?? [];
  return { as: "formula", text: tex, label };
}

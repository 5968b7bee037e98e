import { loweredSigns, raisedSigns, shifted } from "@colloquy/schemas/text/superscripts.ts";

/** Signs a formula in a sentence may be said with, by their TeX name. */
const signs: Record<string, string> = {
  alpha: "α",
  beta: "β",
  gamma: "γ",
  delta: "δ",
  epsilon: "ε",
  theta: "θ",
  kappa: "κ",
  lambda: "λ",
  mu: "μ",
  pi: "π",
  rho: "ρ",
  sigma: "σ",
  tau: "τ",
  phi: "φ",
  omega: "ω",
  Sigma: "Σ",
  Lambda: "Λ",
  Delta: "Δ",
  cdot: "·",
  times: "×",
  circ: "∘",
  to: "→",
  dots: "…",
  ldots: "…",
  cdots: "…",
  neq: "≠",
  ne: "≠",
  leq: "≤",
  le: "≤",
  geq: "≥",
  ge: "≥",
  approx: "≈",
  infty: "∞",
  in: "∈",
  pm: "±",
  det: "det",
  ker: "ker",
  dim: "dim",
  sin: "sin",
  cos: "cos",
  log: "log",
  exp: "exp",
  mapsto: "↦",
  perp: "⊥",
};
/** A short formula in signs that can stand in running text; null when it has more to it. */
function plainMath(tex: string): string | null {
  let failed = false;
  const shift = (table: Readonly<Record<string, string>>) => (_: string, braced: string | undefined, one: string | undefined) => {
    const made = shifted(braced ?? one ?? "", table);
    if (made === null) failed = true;
    return made ?? "";
  };
  const text = tex
    .replace(/\\operatorname\{([a-z]+)\}/g, "$1 ")
    .replace(/\\text\{([^{}]*)\}/g, "$1")
    .replace(/\\hat(?:\s*(\w)|\{(\w)\})/g, (_, one?: string, braced?: string) => `${one ?? braced ?? ""}\u0302`)
    .replace(/\\math(?:sf|rm|bb|bf)\s*(?:\{(\w+)\}|(\w))/g, "$1$2")
    .replace(/\\tfrac\s*12|\\tfrac\{1\}\{2\}|\\frac\{1\}\{2\}/g, "½")
    .replace(/\\[,;:! ]|\\q?quad|~/g, " ")
    .replace(/\^(?:\{([^{}]*)\}|(\w))/g, shift(raisedSigns))
    .replace(/_(?:\{([^{}]*)\}|(\w))/g, shift(loweredSigns))
    .replace(/\\\{/g, "\u27e8")
    .replace(/\\\}/g, "\u27e9")
    .replace(/\\([A-Za-z]+)/g, (whole, name: string) => (Object.hasOwn(signs, name) ? (signs[name] ?? whole) : whole));
  if (failed || /[\\{}^_&$]/.test(text)) return null;
  return text
    .replaceAll("\u27e8", "{")
    .replaceAll("\u27e9", "}")
    .replace(/-(?=\d|\p{L})/gu, "−")
    .replace(/\s+/g, " ")
    .trim();
}

/** A sentence as it can be said and captioned: without marks of code and emphasis, formulas in plain signs; null when one has more to it. */
export function spoken(text: string): string | null {
  let failed = false;
  const said = text
    .replace(/\$\$?((?=\S)[^$\n]{1,120}?)\$\$?(?![\w(])|\\\(([^\n]{1,120}?)\\\)/g, (_, dollars?: string, brackets?: string) => {
      const math = plainMath(dollars ?? brackets ?? "");
      if (math === null) failed = true;
      return math ?? "";
    })
    .replace(/\*\*([^*]+)\*\*|(?<![\w*])\*([^*\s][^*]*[^*\s])\*(?![\w*])/g, "$1$2")
    .replace(/`([^`]+)`/g, "$1")
    .replace(/\s+/g, " ")
    .trim();
  return failed || /\\[A-Za-z]{2}|\$\$|`/.test(said) ? null : said;
}

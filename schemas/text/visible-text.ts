/**
 * What a reader sees of Markdown, as one line of words: for a line of a list, without a parser. Every rule takes one pass over the text.
 */

/** Stands for a piece of code while the text around it is read. */
const held = "\uE000";
const drawnOnly = /^(?:mermaid|math)\b/i;
const marksOfLine =
  /^[ \t]*(?:>[ \t]?)*[ \t]*(?:#{1,6}[ \t]+|(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?)?(?:\[!(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION)\])?/;
const nothingToRead = /^[ \t]*(?:[-*_=][ \t]*){2,}$|^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-*:?[ \t]*)*$|^[ \t]*\[[^[\]]{1,200}\]:[ \t]/;

/** The words of a Markdown text on one line: no marks, no numbers of citations; code and formulas as near to how they look as text can be. */
export function shownWords(markdown: string): string {
  const codes: string[] = [];
  const hold = (code: string): string => {
    codes.push(code);
    return held;
  };
  const lines: string[] = [];
  let fence: { mark: string; drawn: boolean } | null = null;
  for (const line of markdown.replaceAll(held, "").split("\n")) {
    const mark = /^[\s>]*(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence) {
      if (mark?.startsWith(fence.mark)) fence = null;
      else if (!fence.drawn) lines.push(hold(line));
    } else if (mark && !line.slice(line.indexOf(mark) + mark.length).includes("`"))
      fence = { mark, drawn: drawnOnly.test(line.slice(line.indexOf(mark) + mark.length).trim()) };
    else if (!nothingToRead.test(line)) lines.push(line.replace(marksOfLine, "").replace(/^\||\|[ \t]*$/g, ""));
  }
  const text = withoutMarks(
    lines.join("\n").replace(/(?<!`)(`{1,3})(?!`)([\s\S]{1,500}?)(?<!`)\1(?!`)/g, (_all, _mark, code: string) => hold(code)),
  );
  let next = 0;
  return text
    .replaceAll(held, () => codes[next++] ?? "")
    .replace(/\s+/gu, " ")
    .trim();
}

const withoutMarks = (text: string): string =>
  text
    .replace(/\$\$([^$]{1,1000})\$\$|\\\[([^[\]]{1,1000})\\\]|\\\(([^()]{1,500})\\\)/g, (_all, one, two, three) =>
      formula(one ?? two ?? three),
    )
    .replace(/\$(?=\S)([^$\n]{0,300}\S)\$(?!\d)/g, (_all, tex: string) => formula(tex))
    .replace(/\[\^[^[\]\s]{1,40}\]/g, "")
    .replace(/!?\[([^[\]]{0,300})\](?:\([^()]{0,1000}\)|\[[^[\]]{0,200}\])/g, "$1")
    .replace(/<((?:https?|mailto):[^<>\s]{1,1000})>/g, "$1")
    .replace(/ \| /g, " ")
    .replace(/~~/g, "")
    .replace(/(?<![\p{L}\p{N}\\*_])[*_]{1,3}(?=\S)|(?<=[^\s\\])[*_]{1,3}(?![\p{L}\p{N}])/gu, "")
    .replace(/\\([!-/:-@[-`{-~])/g, "$1");

const signs: Record<string, string> = {
  alpha: "α",
  beta: "β",
  gamma: "γ",
  delta: "δ",
  epsilon: "ε",
  theta: "θ",
  lambda: "λ",
  mu: "μ",
  pi: "π",
  rho: "ρ",
  sigma: "σ",
  tau: "τ",
  phi: "φ",
  varphi: "φ",
  omega: "ω",
  Delta: "Δ",
  Lambda: "Λ",
  Sigma: "Σ",
  Omega: "Ω",
  sum: "Σ",
  prod: "Π",
  int: "∫",
  cdot: "·",
  times: "×",
  div: "÷",
  pm: "±",
  approx: "≈",
  neq: "≠",
  ne: "≠",
  leq: "≤",
  le: "≤",
  geq: "≥",
  ge: "≥",
  to: "→",
  rightarrow: "→",
  mapsto: "↦",
  infty: "∞",
  in: "∈",
  subset: "⊂",
  cup: "∪",
  cap: "∩",
  ldots: "…",
  dots: "…",
  cdots: "…",
  quad: " ",
};

/** TeX as text: signs for the names of signs, the rest without braces and the names of commands. */
function formula(tex: string): string {
  const plain = tex
    .replace(/\\[dt]?frac\s*\{([^{}]{1,200})\}\s*\{([^{}]{1,200})\}/g, "$1/$2")
    .replace(/\\([A-Za-z]+)\s?/g, (_all, name: string) => signs[name] ?? "")
    .replace(/\\[,;:! \\]|&/g, " ")
    .replace(/[{}]/g, "");
  // Nothing in it is a mark of the text around it.
  return plain.replace(/[\\*_[\]$~]/g, "\\$&");
}

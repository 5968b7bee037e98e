import { createCodeWatch, type SourceLine } from "./lines.ts";
import type { Page } from "./page.ts";

/** Displayed environments of LaTeX, and what the course's formulas call them; empty for one that needs no name there. */
const environments: Readonly<Record<string, string>> = {
  equation: "equation",
  align: "align",
  alignat: "alignat",
  gather: "gather",
  flalign: "align",
  multline: "gather",
  eqnarray: "align",
  displaymath: "",
};
const longestLines = 120;

/** Puts displayed environments that stand alone (`\begin{equation}`), as Jupyter and MathJax take them, between dollars. */
export function withTexEnvironments(lines: readonly SourceLine[], page: Page): SourceLine[] {
  if (page.dialect.math === "none") return [...lines];
  const isCode = createCodeWatch();
  const made: SourceLine[] = [];
  let isFormula = false;
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] as SourceLine;
    const code = isCode(line.text);
    const found = code || isFormula ? null : environmentAt(lines, index);
    if (found) {
      made.push(...found.lines);
      index = found.last;
      continue;
    }
    if (!code && (line.text.split("$$").length - 1) % 2 === 1) isFormula = !isFormula;
    made.push(line);
  }
  return made;
}

function environmentAt(lines: readonly SourceLine[], first: number): { lines: SourceLine[]; last: number } | null {
  const [, indent = "", name = "", star = ""] = /^(\s*)\\begin\{([a-z]+)(\*?)\}/.exec(lines[first]?.text ?? "") ?? [];
  const called = environments[name];
  if (called === undefined) return null;
  const end = `\\end{${name}${star}}`;
  const within = lines.slice(first, first + longestLines).findIndex(({ text }) => text.trimEnd().endsWith(end));
  if (within < 0) return null;
  const body = lines.slice(first, first + within + 1).map(({ text, number }) => ({ text: renamed(text, name, star, called), number }));
  const mark = (number: number): SourceLine => ({ text: `${indent}$$`, number });
  const from = body[0]?.number ?? 1;
  return {
    lines: [{ text: "", number: from }, mark(from), ...body.filter(({ text }) => text.trim()), mark(body.at(-1)?.number ?? from)],
    last: first + within,
  };
}

/** A line of an environment. The three columns of `eqnarray` become two. */
function renamed(text: string, name: string, star: string, called: string): string {
  const columns = name === "eqnarray" ? text.replace(/&\s*([^&]+?)\s*&\s*/, "&$1 ") : text;
  const to = (word: "begin" | "end"): string => (called ? `\\${word}{${called}${star}}` : "");
  return columns.replaceAll(`\\begin{${name}${star}}`, to("begin")).replaceAll(`\\end{${name}${star}}`, to("end"));
}

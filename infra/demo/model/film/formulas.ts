import type { Passage } from "../segments.ts";
import { overlap, wordsOf } from "../select.ts";
import { terms as termsIn } from "../terms.ts";
import type { Line } from "./lines.ts";
import { spoken } from "./plain-math.ts";
import { titleOf } from "./points.ts";
import { type Candidate, candidate, placeOf } from "./scene.ts";

interface Displayed {
  passage: Passage;
  tex: string;
  /** What stands right above it, in one line. */
  caption: string;
  /** Number of the line it begins at. */
  row: number;
  quote: string;
}

/** Scenes that build a displayed formula up term by term, and those that plot what it says. */
export function formulaScenes(lines: readonly Line[], passages: readonly Passage[]): Candidate[] {
  return passages.flatMap(displayedIn).flatMap((formula) => {
    const said = saidOf(formula, lines, passages);
    if (!said) return [];
    const plotted = plotOf(formula);
    const built = termsOf(formula.tex);
    const scene = (layout: "formula" | "plot", content: Candidate["content"]): Candidate =>
      candidate({
        layout,
        content,
        heading: headingOf(formula),
        narration: said.text,
        quotes: said.quotes,
        at: placeOf(passages, formula.passage, formula.row),
        says: [said.text],
      });
    return [...(built ? [scene("formula", { terms: built })] : []), ...(plotted ? [scene("plot", { plot: plotted })] : [])];
  });
}

/** The name of a formula is for referring to it; what it stands under says more. */
const headingOf = ({ passage, caption }: Displayed): string => {
  const title = titleOf(passage);
  if (passage.kind !== "math" || title !== passage.trail.at(-1)) return title;
  const named = spoken(caption.replace(/[.:].*$/s, "").replace(/^the\s+/i, ""));
  return named && wordsOf(named) <= 7 && named.length <= 60
    ? named.charAt(0).toUpperCase() + named.slice(1)
    : (passage.trail.at(-1) ?? title);
};

function displayedIn(passage: Passage): Displayed[] {
  if (/^(?:exercise|solution|objectives)$/.test(passage.kind ?? "")) return [];
  return [...passage.text.matchAll(/\$\$\s*([\s\S]+?)\s*\$\$|\\\[\s*([\s\S]+?)\s*\\\]/g)].flatMap((found): Displayed[] => {
    const tex = (found[1] ?? found[2] ?? "")
      .replace(/\s+/g, " ")
      .replace(/[\s.,;]+$/, "")
      .trim();
    const before = passage.text.slice(0, found.index).trimEnd().split("\n");
    if (tex.length > 400 || /\\(?:begin\{(?:align|cases|array)|text\{[^}]{30})/.test(tex)) return [];
    const quote = found[0].replace(/\s+/g, " ").trim();
    return [{ passage, tex, caption: before.at(-1)?.trim() ?? "", row: before.length, quote }];
  });
}

/** Pieces of a formula that are whole by themselves: cut before relations, then before plus and minus, outside all brackets. */
export function termsOf(tex: string): { tex: string; label: string }[] | null {
  const [first = tex] = split(tex, /^\\qquad\s*(?:\\text\{[^}]*\})?|^\\quad(?=\s)/).filter(Boolean);
  const equation = first
    .replace(/\\(?:q?quad|[,;:! ])+\s*$/g, "")
    .replace(/[,;]\s*$/, "")
    .trim();
  const relations = split(equation, /^(?:=|\\(?:leq?|geq?|neq?|approx|Rightarrow|iff|mapsto)(?![a-z])|<|>|\\colon)/, true);
  let parts = relations;
  if (parts.length < 4) {
    const last = parts.at(-1) ?? "";
    const summands = split(last.replace(/^(=|\\[a-z]+)\s*/i, ""), /^[+-](?!\d*\s*\})/, true).filter(Boolean);
    const sign = /^(=|\\[a-z]+)(?=\s)/i.exec(last)?.[0] ?? "";
    if (summands.length > 1 && parts.length - 1 + summands.length <= 6)
      parts = [...parts.slice(0, -1), `${sign} ${summands[0] ?? ""}`.trim(), ...summands.slice(1)];
  }
  const clean = parts
    .map((part) =>
      part
        .replace(/\\q?quad/g, " ")
        .replace(/(?:\\[,;:!]|\s|\\ )+$/g, "")
        .trim(),
    )
    .filter(Boolean);
  if (clean.length === 0 || clean.length > 6 || clean.some((part) => part.length > 190 || !isWhole(part))) return null;
  return clean.map((part) => ({ tex: part, label: "" }));
}

/** Cuts before (or, without `keep`, at) what stands outside of brackets and environments. */
function split(tex: string, at: RegExp, keep = false): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let index = 0; index < tex.length; index += 1) {
    const rest = tex.slice(index);
    if (/^\\(?:begin\{|left(?![a-z]))/.test(rest) || (/^[{([]/.test(rest) && tex[index - 1] !== "\\")) depth += 1;
    else if (/^\\(?:end\{|right(?![a-z]))/.test(rest) || (/^[})\]]/.test(rest) && tex[index - 1] !== "\\")) depth -= 1;
    const found = depth === 0 ? at.exec(rest) : null;
    if (found && (tex[index - 1] !== "\\" || found[0].startsWith("\\"))) {
      if (index > from || !keep) parts.push(tex.slice(from, index).trim());
      from = keep ? index : index + found[0].length;
      index += found[0].length - 1;
    }
  }
  parts.push(tex.slice(from).trim());
  return parts.filter((part) => part !== "");
}

function isWhole(tex: string): boolean {
  const bare = tex.replace(/\\[\\{}]/g, "");
  const count = (sign: RegExp) => tex.match(sign)?.length ?? 0;
  const names = (which: string) => count(new RegExp(`\\\\${which}\\{`, "g"));
  return (
    [...bare].filter((sign) => sign === "{").length === [...bare].filter((sign) => sign === "}").length &&
    names("begin") === names("end") &&
    count(/\\left(?![a-z])/g) === count(/\\right(?![a-z])/g)
  );
}

/** What is said while a formula is shown: its caption, or the sentence nearby that speaks of the same. */
function saidOf({ caption, passage, quote, row }: Displayed, lines: readonly Line[], passages: readonly Passage[]) {
  const whole = spoken(caption);
  const quoted = (text: string) => (quote.length <= 300 ? [{ passage, quote }] : [{ passage, quote: text.slice(0, 300) }]);
  if (passage.kind === "math" && whole && whole.length > 12) {
    const first = /^.*?[.!](?=\s|$)/.exec(whole)?.[0] ?? whole;
    if (wordsOf(first) > 30) return null;
    const isSentence = /\b(?:is|are|has|makes?|means|equals|holds|gives|says|sends|leads|keeps)\b/.test(first);
    const lower = /^(?:The|A|An)\b/.test(first) ? first.charAt(0).toLowerCase() + first.slice(1) : null;
    const text = isSentence ? first : lower && `Here ${isPlural(lower) ? "are" : "is"} ${lower.replace(/\.?$/, ".")}`;
    if (text) return { text, quotes: quoted(caption) };
  }
  const announcing = /(?:^|[.!?]\s+)([^.!?]+):$/.exec(caption)?.[1];
  const before = announcing && leaning.test(announcing) ? /(?:^|[.!?]\s+)(\p{Lu}[^.!?]+\.)\s+[^.!?]+:$/u.exec(caption)?.[1] : undefined;
  const together = before && lines.some((line) => line.quote === before) ? `${before} ${announcing}` : announcing;
  const announced = together ? spoken(together) : null;
  if (announced && wordsOf(announced) >= 6 && wordsOf(announced) <= 26 && !leaning.test(announced))
    return { text: `${announced}.`, quotes: [{ passage, quote: `${together}:`.slice(0, 300) }] };
  const index = passages.indexOf(passage);
  const own = new Set(termsIn(`${passage.title} ${caption}`));
  const near = lines
    .filter((line) => Math.abs(passages.indexOf(line.passage) - index) <= 1)
    .map((line) => {
      const distance = line.passage === passage ? Math.abs(line.order - row) / 4 : 2;
      return { line, worth: overlap([...own], line.fact.segment.terms) * 2 - distance };
    })
    .toSorted((a, b) => b.worth - a.worth)[0];
  return near
    ? {
        text: near.line.said,
        quotes: [{ passage: near.line.passage, quote: near.line.quote }, ...quoted("").filter((one) => one.quote !== "")],
      }
    : null;
}

/** "the normal equations", but not "the class of rules". */
const isPlural = (named: string): boolean => /[^s]s$/.test(named.split(/\s(?:of|for|in|with|by)\s|[.,;]/)[0] ?? "");

const leaning = /^(?:this|that|it|so|then|these|they|in coordinates)\b/i;

/** A function of one variable that a formula gives, over a stretch where there is something to see. */
function plotOf({ tex, caption }: Displayed): NonNullable<Candidate["content"]["plot"]> | null {
  const decay = /^([A-Z])\(([a-z])\)\s*=\s*e\^\{-\s*\2\s*\/\s*([A-Z])\}$/.exec(tex);
  if (decay) {
    const [, name = "", variable = "", stability = ""] = decay;
    const curve = (value: number) => ({ expression: `exp(-x/${value})`, label: `${stability} = ${value}` });
    return { xLabel: variable, yLabel: name, from: 0, to: 10, functions: [curve(2), curve(5)], marks: [] };
  }
  const quadratic = /^(?:\S+\s*=\s*)?(\\lambda|[a-z])\^2\s*([+-]\s*\d+)\s*\1\s*([+-]\s*\d+)\s*=\s*(?:.*?)0$/.exec(tex);
  if (!quadratic) return null;
  const [, variable = "", linear = "0", constant = "0"] = quadratic;
  const [b, c] = [linear, constant].map((part) => Number(part.replace(/\s/g, "")));
  const root = Math.sqrt((b ?? 0) ** 2 - 4 * (c ?? 0));
  const roots = [(-(b ?? 0) - root) / 2, (-(b ?? 0) + root) / 2];
  if (!roots.every(Number.isInteger) || caption.length > 400) return null;
  const [low = 0, high = 0] = roots;
  const sign = variable === "\\lambda" ? "λ" : variable;
  const expression = `x^2 ${linear.replace(/\s+/g, " ")}*x ${constant.replace(/\s+/g, " ")}`.replace(/([+-])(\d)/g, "$1 $2");
  return {
    xLabel: sign,
    yLabel: "",
    from: low - 2,
    to: high + 2,
    functions: [{ expression, label: "" }],
    marks: [...new Set(roots)].map((x) => ({ x, label: `${sign} = ${x}` })),
  };
}

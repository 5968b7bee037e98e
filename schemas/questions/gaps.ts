import { fenceTracker } from "../courses/parsers/fences.ts";

/** A stretch of a prompt with gaps: text, or a gap by its number from 1. */
export type GapPart = { text: string } | { gap: number };

const places = /\\\[\[|\[\[(\d{1,3})\]\]/g;

/** The prompt of a question of the kind "gap", cut at its gaps; `\[[` is `[[`. */
export function gapParts(markdown: string): GapPart[] {
  const parts: GapPart[] = [];
  let text = "";
  let at = 0;
  for (const match of markdown.matchAll(places)) {
    text += markdown.slice(at, match.index);
    at = match.index + match[0].length;
    if (match[1] === undefined) text += "[[";
    else {
      parts.push({ text }, { gap: Number(match[1]) });
      text = "";
    }
  }
  parts.push({ text: text + markdown.slice(at) });
  return parts.filter((part) => "gap" in part || part.text !== "");
}

/** The prompt with something in the place of each gap: what `shown` gives for its number. */
export const fillGaps = (markdown: string, shown: (gap: number) => string): string =>
  gapParts(markdown)
    .map((part) => ("gap" in part ? shown(part.gap) : part.text))
    .join("");

/** Private characters that stand for the gaps while a prompt is rendered: no renderer divides one character. KaTeX has others (U+E000 on) for signs such as ≠. */
const firstSign = 0xf000;

/** The prompt as it is rendered: of the kind "gap" with a private character in the place of each gap. */
export const promptMarkdown = ({ kind, markdown }: { kind: string; markdown: string }): string =>
  kind === "gap" ? fillGaps(markdown, (gap) => String.fromCharCode(firstSign + gap)) : markdown;

/** A text cut at its private characters, the numbers of the gaps in between. */
export const cutAtGapSigns = (text: string): (string | number)[] =>
  text
    .split(/([\uf001-\uf0ff])/)
    .filter(Boolean)
    .map((part) => (/^[\uf001-\uf0ff]$/.test(part) ? part.charCodeAt(0) - firstSign : part));

/** The numbers of the gaps that stand in code, fenced or in a line: the case of their answers counts. */
export function gapsInCode(markdown: string): Set<number> {
  const inCode = new Set<number>();
  const fences = fenceTracker();
  for (const line of markdown.split("\n")) {
    const code = fences.next(line) ? [line] : [...line.matchAll(/(`+)(?!`)(.+?)(?<!`)\1(?!`)/g)].map(([, , text = ""]) => text);
    for (const text of code) for (const [, gap] of text.matchAll(/(?<!\\)\[\[(\d{1,3})\]\]/g)) inCode.add(Number(gap));
  }
  return inCode;
}

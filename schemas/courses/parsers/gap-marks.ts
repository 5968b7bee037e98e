import type { SourceError } from "../blocks.ts";
import { remark } from "../remarks.ts";

/** Gaps of a prompt as authors write them, `[[accepted answer|other accepted answer]]`, and as the data holds them, `[[1]]`. */

/**
 * Replaces the gaps of a prompt by their numbers. `\[[` is no gap and stays as it is. Within a gap `\|` is a bar and `\]` a bracket.
 * @param firstLine of the prompt within its source
 */
export function numberGaps(prompt: string, firstLine: number): { markdown: string; gaps: string[][]; errors: SourceError[] } {
  const gaps: string[][] = [];
  const errors: SourceError[] = [];
  const lines = prompt.split("\n").map((text, index) => {
    const line = firstLine + index;
    let numbered = "";
    let at = 0;
    for (let open = text.indexOf("[["); open >= 0; open = text.indexOf("[[", at)) {
      if (text[open - 1] === "\\") {
        numbered += text.slice(at, open + 2);
        at = open + 2;
        continue;
      }
      const gap = readGap(text, open + 2);
      if (!gap) {
        errors.push({ line, ...remark("gap-open", { mark: "`]]`", escaped: "`\\[[`" }) });
        break;
      }
      if (gap.accepted.includes("")) errors.push({ line, ...remark("answer-empty") });
      gaps.push(gap.accepted);
      numbered += `${text.slice(at, open)}[[${gaps.length}]]`;
      at = gap.end;
    }
    return numbered + text.slice(at);
  });
  return { markdown: lines.join("\n"), gaps, errors };
}

function readGap(text: string, from: number): { accepted: string[]; end: number } | null {
  const accepted: string[] = [];
  let answer = "";
  for (let at = from; at < text.length; at += 1) {
    const letter = text[at] ?? "";
    const next = text[at + 1];
    if (letter === "\\" && (next === "|" || next === "]")) {
      answer += next;
      at += 1;
    } else if (letter === "|") {
      accepted.push(answer.trim());
      answer = "";
    } else if (letter === "]" && next === "]" && text[at + 2] !== "]") return { accepted: [...accepted, answer.trim()], end: at + 2 };
    else answer += letter;
  }
  return null;
}

/** The inverse of `numberGaps`. */
export const writeGaps = (markdown: string, gaps: readonly string[][]): string =>
  markdown.replaceAll(/(?<!\\)\[\[(\d{1,3})\]\]/g, (whole, number: string) => {
    const accepted = gaps[Number(number) - 1];
    return accepted ? `[[${accepted.map(escaped).join("|")}]]` : whole;
  });

function escaped(answer: string): string {
  const text = answer.replaceAll(/[|\]]/g, "\\$&");
  // A space keeps a backslash at the end from escaping what follows.
  return text.endsWith("\\") ? `${text} ` : text;
}

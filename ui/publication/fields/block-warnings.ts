import type { Block } from "@colloquy/schemas/courses/authored.ts";
import { linksOf } from "@colloquy/schemas/courses/markdown-text.ts";
import { html } from "lit";
import { msg, rich } from "../../messages/page.ts";
import { formulasInLine } from "../../rendering/line-formulas.ts";
import { type Formula, formulasOf } from "./formulas.ts";
import { fieldText } from "./line-ends.ts";
import { placeholdersIn } from "./placeholder-description.ts";

/** A problem that does not prevent publication. */
export interface Warning {
  line: number;
  /** In the reader's language; text in another language is marked. */
  message: unknown;
  /** The affected words of the line, and from where to look for them. */
  words?: string;
  at?: number;
}

/** Warnings about a block's source. */
export function blockWarnings({ type, source }: Pick<Block, "type" | "source">): Warning[] {
  return type === "core.code" || type === "core.diagram" ? [] : undescribedPictures(fieldText(source));
}

/** Warnings about formulas that cannot be typeset. Resolves at once if the block has none. */
export async function formulaWarnings(block: Block): Promise<Warning[]> {
  return warningsOf(formulasOf(block));
}

/** The same for a summary or an objective, which is one line. */
export const lineWarnings = (text: string): Promise<Warning[]> =>
  warningsOf(formulasInLine(text).map((tex) => ({ tex, display: false, line: 1 })));

async function warningsOf(formulas: readonly Formula[]): Promise<Warning[]> {
  if (!formulas.length) return [];
  const { formulaProblem } = await import("../../rendering/katex.ts");
  return formulas.flatMap(({ tex, display, line }) => {
    const problem = formulaProblem(tex, display);
    if (!problem) return [];
    const lines = tex.slice(0, problem.at).split("\n").length - 1;
    const reason = problem.lang ? html`<bdi lang=${problem.lang}>${problem.reason}</bdi>` : problem.reason;
    const message = rich("editor.formulaError", { reason });
    return [{ line: line + lines, message, words: tex.split("\n")[lines]?.trim() ?? "" }];
  });
}

/** Pictures whose description is still the placeholder. */
function undescribedPictures(source: string): Warning[] {
  if (!source.includes("![")) return [];
  const lines = source.split("\n");
  const pictures = new Set(linksOf(source).flatMap(({ kind, line }) => (kind === "image" ? [line] : [])));
  return [...pictures].flatMap((line) =>
    placeholdersIn(lines[line - 1] ?? "").map((found) => ({
      line,
      ...found,
      message: msg("editor.pictureNeedsDescriptionSayWhatShows"),
    })),
  );
}

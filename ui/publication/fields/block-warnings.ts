import type { Block } from "@colloquy/schemas/courses/authored.ts";
import { linksOf } from "@colloquy/schemas/courses/markdown-text.ts";
import { html } from "lit";
import { msg, rich } from "../../messages/page.ts";
import { formulasInLine } from "../../rendering/line-formulas.ts";
import { asShown } from "./exact-source.ts";
import { type Formula, formulasOf } from "./formulas.ts";
import { standInsOf } from "./stand-ins.ts";

/** Something an author will want to see to, and that keeps nothing from being published. */
export interface Warning {
  line: number;
  /** In the reader's language, with what is not marked so. */
  message: unknown;
  /** The words of the line that are meant, and where they may begin. */
  words?: string;
  at?: number;
}

/** What is worth a look in a block's source, by the line, in the reader's language. */
export function blockWarnings({ type, source }: Pick<Block, "type" | "source">): Warning[] {
  return type === "core.code" || type === "core.diagram" ? [] : undescribed(asShown(source));
}

/** The formulas of a block that the preview's own renderer cannot set, by the line. Resolves at once with none where there is no formula. */
export async function formulaWarnings(block: Block): Promise<Warning[]> {
  return warningsOf(formulasOf(block));
}

/** The same of a summary or an objective, which is one line. */
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
    const message = rich("editor.formulaCannotSet", { reason });
    return [{ line: line + lines, message, words: tex.split("\n")[lines]?.trim() ?? "" }];
  });
}

/** Pictures whose description is still the words that stand in for it. */
function undescribed(source: string): Warning[] {
  if (!source.includes("![")) return [];
  const lines = source.split("\n");
  const pictures = new Set(linksOf(source).flatMap(({ kind, line }) => (kind === "image" ? [line] : [])));
  return [...pictures].flatMap((line) =>
    standInsOf(lines[line - 1] ?? "").map((found) => ({
      line,
      ...found,
      message: msg("editor.pictureDescriptionSayShows"),
    })),
  );
}

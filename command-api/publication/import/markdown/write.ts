import type { BlockData } from "@colloquy/schemas/courses/blocks.ts";
import { formatBlock } from "@colloquy/schemas/courses/parse.ts";

/** A table in Markdown, without its caption. */
export function linesOfTable({ header, align, rows }: BlockData["core.table"]): string[] {
  return formatBlock({ type: "core.table", data: { header, align, rows } }).split("\n");
}

/** A text as a quotation, labelled (`[!NOTE]`) when a label is given. */
export function quoted(markdown: string, label?: string): string {
  return [...(label ? [`[!${label}]`] : []), ...markdown.split("\n")].map((line) => (line ? `> ${line}` : ">")).join("\n");
}

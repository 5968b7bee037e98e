import { writeFence } from "@colloquy/schemas/courses/parsers/source.ts";
import { namesInstructors } from "../markdown/for-instructors.ts";
import { asText, isRecord } from "../markdown/front-matter.ts";
import type { SourceLine } from "../markdown/lines.ts";
import { toLines } from "../markdown/lines.ts";
import type { Page } from "../markdown/page.ts";

/** The text of a notebook's cell or output, which may be a list of lines. */
const textOf = (value: unknown): string => (Array.isArray(value) ? value.join("") : typeof value === "string" ? value : "");

/**
 * Reads a Jupyter notebook as Markdown: its texts, its code and what that printed. A line's number is that of its cell.
 * @returns null for a file that is no notebook or an old one, which is reported
 */
export function notebookLines(text: string, page: Page): SourceLine[] | null {
  const notebook = parsed(text, page);
  if (!notebook) return null;
  const metadata = isRecord(notebook.metadata) ? notebook.metadata : {};
  const kernel = isRecord(metadata.kernelspec) ? metadata.kernelspec : {};
  const language = asText(kernel.language)?.toLowerCase() ?? "python";
  const cells = Array.isArray(notebook.cells) ? notebook.cells.filter(isRecord) : [];
  return cells.flatMap((cell, index): SourceLine[] => {
    const source = textOf(cell.source);
    const parts =
      cell.cell_type === "code" ? codeCell(cell, source, language, page, index + 1) : cell.cell_type === "markdown" ? [source] : [];
    if (parts.length === 0 && source.trim())
      page.note(index + 1, `a cell of the kind “${asText(cell.cell_type) ?? ""}”, neither text nor code`, "left out");
    const shown = isForInstructors(cell) ? ["\n::: instructor\n", ...parts, "\n:::\n"] : parts;
    return shown.flatMap((part) => toLines(`${part}\n`)).map((line) => ({ text: line.text, number: index + 1 }));
  });
}

/** Whether a cell's tags say so, or it is a note to a slide. */
function isForInstructors({ metadata }: Record<string, unknown>): boolean {
  if (!isRecord(metadata)) return false;
  const { tags, slideshow } = metadata;
  const isNote = isRecord(slideshow) && slideshow.slide_type === "notes";
  return isNote || (Array.isArray(tags) && tags.some((tag) => namesInstructors(asText(tag))));
}

function parsed(text: string, page: Page): Record<string, unknown> | null {
  const leaveOut = (what: string): null => {
    page.note(undefined, what, "left out");
    return null;
  };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return leaveOut("no Jupyter notebook: not valid JSON");
  }
  if (isRecord(value) && Array.isArray(value.cells)) return value;
  return leaveOut(
    isRecord(value) && Array.isArray(value.worksheets)
      ? "a notebook of format 3 or older: open it in Jupyter and save it"
      : "no Jupyter notebook: it has no cells",
  );
}

function codeCell(cell: Record<string, unknown>, source: string, language: string, page: Page, number: number): string[] {
  const outputs = Array.isArray(cell.outputs) ? cell.outputs.filter(isRecord) : [];
  const parts = source.trim() ? [fenced(source, language)] : [];
  for (const output of outputs) {
    const data = isRecord(output.data) ? output.data : {};
    const isError = output.output_type === "error";
    const printed = isError ? `${textOf(output.ename)}: ${textOf(output.evalue)}` : textOf(output.text) || textOf(data["text/plain"]);
    if (!source.includes("display_quiz(") && Object.keys(data).some((type) => /^(?:image|text\/html|application\/)/.test(type)))
      page.note(number, "a picture or table that a cell's code makes", "the code is imported; of its result, only text");
    if (printed.trim() && !/^<(?:Figure|AxesSubplot|Axes|matplotlib|IPython)\b/.test(printed.trim()))
      parts.push(fenced(withoutColours(printed), isError ? "error" : "output"));
  }
  return parts;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the colours of a terminal begin with it
const withoutColours = (text: string): string => text.replaceAll(/\u001b\[[0-9;]*m/g, "");

const fenced = (code: string, info: string): string => `\n${writeFence(code.replace(/\n$/, ""), info)}\n`;

import type { BlockData, ParseResult } from "../blocks.ts";
import { remark } from "../remarks.ts";
import { optionalField, present, readSource, writeSource } from "./source.ts";

type Align = BlockData["core.table"]["align"][number];
const delimiterCell = /^:?-+:?$/;

/** `core.table`: header `caption`; then a table of GitHub-flavoured Markdown. A `|` inside a cell is written `\|`. */
export function parseTable(text: string): ParseResult<"core.table"> {
  const source = readSource(text, ["caption"]);
  const { errors, bodyLine } = source;
  const lines = source.body.split("\n");
  const header = splitRow(lines[0] ?? "");
  const delimiters = splitRow(lines[1] ?? "");
  if (errors.length === 0) {
    if (!source.body) errors.push({ line: bodyLine, ...remark("table-empty", { example: "`| A | B |`" }) });
    else if (lines.length < 2 || !delimiters.every((cell) => delimiterCell.test(cell)))
      errors.push({ line: bodyLine + 1, ...remark("table-rule", { example: "`| --- | :-: |`" }) });
    else if (delimiters.length !== header.length)
      errors.push({
        line: bodyLine + 1,
        ...remark("table-columns", { headings: header.length, columns: delimiters.length }),
      });
  }
  if (errors.length) return { ok: false, errors };
  const rows = lines.slice(2).map((line, index) => {
    const cells = splitRow(line);
    if (line.trim() === "") errors.push({ line: bodyLine + 2 + index, ...remark("table-gap") });
    else if (cells.length > header.length)
      errors.push({
        line: bodyLine + 2 + index,
        ...remark("table-cells", { cells: cells.length, columns: header.length, bar: "`\\|`" }),
      });
    return [...cells, ...Array<string>(Math.max(header.length - cells.length, 0)).fill("")];
  });
  if (errors.length) return { ok: false, errors: errors.slice(0, 20) };
  return { ok: true, data: { ...present("caption", optionalField(source, "caption")), align: delimiters.map(alignOf), header, rows } };
}

export const formatTable = ({ caption, ...table }: BlockData["core.table"]): string => writeSource({ caption }, writeTable(table));

/** The table alone, as Markdown. */
export const writeTable = ({ align = [], header, rows }: Pick<BlockData["core.table"], "header" | "rows"> & { align?: Align[] }): string =>
  [writeRow(header), `| ${header.map((_, index) => delimiterOf(align[index] ?? null)).join(" | ")} |`, ...rows.map(writeRow)].join("\n");

/** The cells of a row: outer bars are optional, `\|` is a bar inside a cell. */
function splitRow(line: string): string[] {
  const cells: string[] = [];
  let cell = "";
  for (let index = 0; index < line.length; index += 1) {
    const letter = line[index] ?? "";
    if (letter === "\\" && line[index + 1] === "|") {
      cell += "|";
      index += 1;
    } else if (letter === "|") {
      cells.push(cell);
      cell = "";
    } else cell += letter;
  }
  cells.push(cell);
  if (cells.length > 1 && cells[0]?.trim() === "") cells.shift();
  if (cells.length > 1 && cells.at(-1)?.trim() === "") cells.pop();
  return cells.map((text) => text.trim());
}

const writeRow = (cells: string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll(/\s*\n\s*/g, " ").replaceAll("|", "\\|")).join(" | ")} |`;

function alignOf(cell: string): Align {
  const left = cell.startsWith(":");
  const right = cell.endsWith(":");
  if (left && right) return "center";
  return left ? "left" : right ? "right" : null;
}

function delimiterOf(align: Align): string {
  return align === "center" ? ":-:" : align === "left" ? ":--" : align === "right" ? "--:" : "---";
}

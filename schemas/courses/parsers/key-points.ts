import type { BlockData, ParseResult, SourceError } from "../blocks.ts";
import { remark } from "../remarks.ts";
import { optionalField, present, readSource, trimBlock, writeSource } from "./source.ts";

const marker = /^(?:[-*+]|\d{1,9}[.)])(?: +|\t|$)/;

/** `core.key-points`: header `title`; then a list, one point an item, its further lines indented by two spaces. */
export function parseKeyPoints(text: string): ParseResult<"core.key-points"> {
  const source = readSource(text, ["title"]);
  const errors: SourceError[] = source.errors;
  const points: string[][] = [];
  const starts: number[] = [];
  for (const [index, line] of source.body.split("\n").entries()) {
    const begin = marker.exec(line);
    const last = points.at(-1);
    if (begin) {
      points.push([line.slice(begin[0].length)]);
      starts.push(source.bodyLine + index);
    } else if (last) last.push(line.replace(/^(?: {1,2}|\t)/, ""));
    else if (line.trim()) {
      errors.push({ line: source.bodyLine + index, ...remark("points-list", { mark: "`- `" }) });
      break;
    }
  }
  const texts = points.map((lines) => trimBlock(lines.join("\n")).trimStart());
  for (const [index, point] of texts.entries()) if (!point) errors.push({ line: starts[index] ?? 1, ...remark("point-empty") });
  if (texts.length === 0 && errors.length === 0) errors.push({ line: source.bodyLine, ...remark("points-empty", { mark: "`- `" }) });
  return errors.length ? { ok: false, errors } : { ok: true, data: { ...present("title", optionalField(source, "title")), points: texts } };
}

export function formatKeyPoints({ title, points }: BlockData["core.key-points"]): string {
  const items = points.map((point) => `- ${point.split("\n").map(indentContinuation).join("\n")}`);
  return writeSource({ title }, items.join("\n"));
}

const indentContinuation = (line: string, index: number): string => (index === 0 || line === "" ? line : `  ${line}`);

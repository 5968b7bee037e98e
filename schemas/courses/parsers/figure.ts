import { bounds } from "../../bounds.ts";
import type { BlockData, ParseResult } from "../blocks.ts";
import { remark } from "../remarks.ts";
import { present, quoted, readSource, type SourceText, writeSource } from "./source.ts";

const image = /^!\[(.*)\]\(\s*(?:<([^<>]*)>|([^\s()<>]+))\s*\)$/;

/**
 * `core.figure`: header `path`, `alt`, `caption`, and the caption may stand below the header instead;
 * or, without `path`, an image line `![alt](path)` followed by the caption.
 */
export function parseFigure(text: string): ParseResult<"core.figure"> {
  const source = readSource(text, ["path", "alt", "caption"]);
  const { errors, fields } = source;
  const asLine = fields.has("path") ? null : imageLine(source);
  const path = asLine?.path ?? fields.get("path")?.value ?? "";
  const alt = asLine?.alt ?? fields.get("alt")?.value;
  const below = asLine ? asLine.rest : source.body;
  const captionField = fields.get("caption");
  if (errors.length === 0) {
    const line = asLine ? source.bodyLine : (fields.get("path")?.line ?? 1);
    if (!path) errors.push({ line, ...remark("figure-path", { form: "`path: assets/…`", image: "`![…](assets/…)`" }) });
    else if (!isAssetPath(path))
      errors.push({
        line,
        ...remark("figure-outside", { path: quoted(path), example: "`assets/picture.svg`" }),
      });
    if (alt === undefined) errors.push({ line, ...remark("figure-alt", { form: "`alt: …`", empty: '`alt: ""`' }) });
    if (captionField?.value && below) errors.push({ line: captionField.line, ...remark("figure-captions") });
  }
  if (errors.length || alt === undefined) return { ok: false, errors };
  return { ok: true, data: { path, alt, ...present("caption", captionField?.value || below || undefined) } };
}

export function formatFigure({ path, alt, caption }: BlockData["core.figure"]): string {
  return writeSource({ path, alt }, caption ?? "");
}

function imageLine(source: SourceText): { path: string; alt: string; rest: string } | null {
  const [first = "", ...rest] = source.body.split("\n");
  const found = first.length < 4_000 ? image.exec(first.trim()) : null;
  return found ? { path: found[2] ?? found[3] ?? "", alt: found[1] ?? "", rest: rest.join("\n").trim() } : null;
}

/** Whether a text can be the path of a course's own file: relative, never leaving the course. */
function isAssetPath(path: string): boolean {
  return (
    path.length <= bounds.course.assetPathLength &&
    /^[\p{L}\p{N} ._/@+()-]+$/u.test(path) &&
    path.split("/").every((part) => part !== "" && part !== "." && part !== "..")
  );
}

import { type BlockData, calloutKinds, type ParseResult } from "../blocks.ts";
import { remark } from "../remarks.ts";
import { oneOf, optionalField, present, readSource, writeSource } from "./source.ts";

/** `core.callout`: header `kind` (note when absent), `title`, `folded` (true or false); then Markdown. */
export function parseCallout(text: string): ParseResult<"core.callout"> {
  const source = readSource(text, ["kind", "title", "folded"]);
  const kind = oneOf(source, "kind", calloutKinds, "note");
  const folded = oneOf(source, "folded", ["true", "false"], "false") === "true";
  if (!source.body && source.errors.length === 0) source.errors.push({ line: source.bodyLine, ...remark("callout-empty") });
  if (source.errors.length) return { ok: false, errors: source.errors };
  return { ok: true, data: { kind, ...present("title", optionalField(source, "title")), folded, markdown: source.body } };
}

export function formatCallout({ kind, title, folded, markdown }: BlockData["core.callout"]): string {
  return writeSource({ kind, title, folded: folded ? "true" : undefined }, markdown);
}

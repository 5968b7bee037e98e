import type { BlockData, ParseResult } from "../blocks.ts";
import { remark } from "../remarks.ts";
import { optionalField, present, quoted, readFence, readSource, writeFence, writeSource } from "./source.ts";

/** `core.diagram`: header `description` (what it shows, for those who cannot see it), `caption`; then the Mermaid text, fenced or bare. */
export function parseDiagram(text: string): ParseResult<"core.diagram"> {
  const source = readSource(text, ["description", "caption"]);
  const { errors } = source;
  const description = optionalField(source, "description");
  if (errors.length === 0 && !description)
    errors.push({ line: 1, ...remark("diagram-description", { form: "`description: …`", mark: "`---`" }) });
  const fence = readFence(source.body, source.bodyLine);
  if (fence.kind === "broken") return { ok: false, errors: [...errors, ...fence.errors] };
  if (fence.kind === "fenced" && fence.info && fence.info !== "mermaid")
    errors.push({
      line: source.bodyLine,
      ...remark("diagram-language", { wanted: "`mermaid`", given: quoted(fence.info) }),
    });
  if (!fence.code.trim() && errors.length === 0) errors.push({ line: source.bodyLine, ...remark("diagram-empty") });
  if (errors.length || !description) return { ok: false, errors };
  return {
    ok: true,
    data: { language: "mermaid", description, ...present("caption", optionalField(source, "caption")), code: fence.code },
  };
}

export function formatDiagram({ description, caption, code }: BlockData["core.diagram"]): string {
  return writeSource({ description, caption }, writeFence(code, "mermaid"));
}

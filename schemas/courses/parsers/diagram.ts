import type { BlockData, ParseResult } from "../blocks.ts";
import { optionalField, present, readFence, readSource, writeFence, writeSource } from "./source.ts";

/** `core.diagram`: header `description` (what it shows, for those who cannot see it), `caption`; then the Mermaid text, fenced or bare. */
export function parseDiagram(text: string): ParseResult<"core.diagram"> {
  const source = readSource(text, ["description", "caption"]);
  const { errors } = source;
  const description = optionalField(source, "description");
  if (errors.length === 0 && !description)
    errors.push({ line: 1, message: "Say what the diagram shows, in a header line `description: …` between two lines `---`." });
  const fence = readFence(source.body, source.bodyLine);
  if (fence.kind === "broken") return { ok: false, errors: [...errors, ...fence.errors] };
  if (fence.kind === "fenced" && fence.info && fence.info !== "mermaid")
    errors.push({
      line: source.bodyLine,
      message: `A diagram is written in \`mermaid\`, not in \`${fence.info}\`. Use a code block for other languages.`,
    });
  if (!fence.code.trim() && errors.length === 0)
    errors.push({ line: source.bodyLine, message: "There is no diagram. Write its Mermaid text below the header." });
  if (errors.length || !description) return { ok: false, errors };
  return {
    ok: true,
    data: { language: "mermaid", description, ...present("caption", optionalField(source, "caption")), code: fence.code },
  };
}

export function formatDiagram({ description, caption, code }: BlockData["core.diagram"]): string {
  return writeSource({ description, caption }, writeFence(code, "mermaid"));
}

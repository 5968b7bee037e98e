import type { BlockData, ParseResult } from "../blocks.ts";
import { trimBlock } from "./source.ts";

/** `core.theory`: the whole source is Markdown; there is no header. */
export function parseTheory(source: string): ParseResult<"core.theory"> {
  const markdown = trimBlock(source);
  return markdown
    ? { ok: true, data: { markdown } }
    : { ok: false, errors: [{ line: 1, message: "The text is empty. Write it, or delete the block." }] };
}

export const formatTheory = (data: BlockData["core.theory"]): string => data.markdown;

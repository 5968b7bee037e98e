import type { BlockData, ParseResult } from "../blocks.ts";
import { remark } from "../remarks.ts";
import { trimBlock } from "./source.ts";

/** `core.theory`: the whole source is Markdown; there is no header. */
export function parseTheory(source: string): ParseResult<"core.theory"> {
  const markdown = trimBlock(source);
  return markdown ? { ok: true, data: { markdown } } : { ok: false, errors: [{ line: 1, ...remark("theory-empty") }] };
}

export const formatTheory = (data: BlockData["core.theory"]): string => data.markdown;

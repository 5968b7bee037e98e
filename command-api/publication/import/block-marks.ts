import { type BlockType, blockTypes } from "@colloquy/schemas/courses/authored.ts";

/** The line that begins a block in a topic's file: `<!-- core.theory some-block-id -->`. */
const mark = /^<!--\s*([A-Za-z][\w.-]*)\s+([A-Za-z0-9_-]+)\s*-->\s*$/;

/** What a line begins: a block, one of a type that does not exist, or nothing. */
export function readMark(line: string): { type: BlockType; id: string } | { unknown: string } | null {
  const [, name = "", id = ""] = mark.exec(line) ?? [];
  const type = blockTypes.find((known) => known === name);
  if (type) return { type, id };
  return name.startsWith("core.") ? { unknown: name } : null;
}

/** A source within a topic's file: a line that would begin a block gets a backslash before it. */
export const escapedSource = (source: string): string => source.replaceAll(/^(?=\\*<!--\s*core\.)/gm, "\\");

/** The inverse of `escapedSource`, for one line. */
export const unescapedLine = (line: string): string => (/^\\+<!--\s*core\./.test(line) ? line.slice(1) : line);

import type { Lexicon } from "./lexicon/lexicon.ts";

/** So many words are said in one breath. */
const breath = 3;

/**
 * A spoken text with a comma wherever a voice is to pause: every engine pauses at a comma, and not every one at a dash, a bracket or before
 * a clause. Pure.
 */
export function withPauses(text: string, { clauses }: Lexicon): string {
  const marked = text
    .replace(/\s*[—]\s*|\s+–\s+/gu, ", ")
    .replace(/\s*[()]\s*/gu, ", ")
    .replace(clauses, (space, at: number, whole: string) => {
      const before =
        whole
          .slice(0, at)
          .split(/[,.;:!?،؛]/u)
          .at(-1) ?? "";
      return before.trim().split(/\s+/).length >= breath ? ", " : space;
    });
  return marked
    .replace(/[,\s]+(?=[,.;:!?،؛؟])/gu, "")
    .replace(/([,;:،؛])(?:\s*,)+/gu, "$1")
    .replace(/^[,\s]+|[,\s]+$/gu, "");
}

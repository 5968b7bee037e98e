import { textLength } from "@colloquy/schemas/generation/passages.ts";

/** A statement as a question shows it, beside the course's own sentence. */
export interface Altered {
  text: string;
  own: string;
}

/** How many words stay on both sides of what was altered; fewer, the less room there is. */
const widths = [Number.POSITIVE_INFINITY, 10, 7, 5, 3];

/**
 * What the course says in the place of each altered statement, behind what it says of the right ones: whoever chose an altered statement
 * reads what is wrong with it. The right ones are shown as right anyway, and are left out first where not everything finds room.
 */
export function explainCorrections(right: readonly string[], wrong: readonly Altered[]): string {
  const said = right.length ? `The course says: ${right.map((text) => `“${text}”`).join(" And: ")}` : "";
  for (const width of widths) {
    // What was altered is told apart sooner in a few words than in a whole sentence that stands above already.
    const corrected = wrong.map((one) => {
      const [altered, own] = differenceInContext(one, Math.min(width, 5), width);
      return `“${altered}” is wrong: the course says “${own}”`;
    });
    for (const before of [said, ""]) {
      const whole = [before, ...corrected].filter(Boolean).join("\n\n");
      if (whole.length <= textLength) return whole;
    }
  }
  return said.slice(0, textLength);
}

/** Code and formulas are never cut in two. */
const wordsOf = (text: string): string[] => text.match(/(?:`[^`]*`|\$[^$]*\$|\S)+/g) ?? [];

/** What differs between a statement and the course's sentence, each with the words around it. */
function differenceInContext({ text, own }: Altered, near: number, wide: number): [string, string] {
  const [altered, original] = [wordsOf(text), wordsOf(own)];
  const shorter = Math.min(altered.length, original.length);
  let start = 0;
  while (start < shorter && altered[start] === original[start]) start += 1;
  let end = 0;
  while (end < shorter - start && altered.at(-1 - end) === original.at(-1 - end)) end += 1;
  return [excerpt(altered, start, end, near), excerpt(original, start, end, wide)];
}

function excerpt(words: readonly string[], start: number, end: number, width: number): string {
  const from = Math.max(0, start - width);
  const to = Math.min(words.length, words.length - end + width);
  return `${from > 0 ? "… " : ""}${words.slice(from, to).join(" ")}${to < words.length ? " …" : ""}`;
}

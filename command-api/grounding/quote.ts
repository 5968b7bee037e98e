import { bounds } from "@colloquy/schemas/bounds.ts";

/**
 * The quote of a citation: the sentence of the passage that shares most words with the answer's sentence, cut at a word to
 * `bounds.citation.quoteLength`. Always verbatim (white space folded), so that the course page can highlight it.
 */
export function quoteFor(passage: string, sentence: string): string {
  const sentences = splitSentences(passage);
  const wanted = new Set(contentWords(sentence));
  let best = 0;
  let bestScore = -1;
  sentences.forEach((candidate, index) => {
    const own = contentWords(candidate);
    if (own.length === 0) return;
    const shared = own.filter((word) => wanted.has(word)).length;
    const score = shared / Math.sqrt(own.length + 3);
    if (score > bestScore + 1e-9) {
      bestScore = score;
      best = index;
    }
  });
  return clip(sentences[best] ?? passage);
}

const stopWords = new Set(
  "a an and are as at be by can for from has have if in into is it its of on or that the then there these this to was we when which will with you your".split(
    " ",
  ),
);

/** Lower-case content words and numbers of a text. */
export function contentWords(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []).filter((word) => !stopWords.has(word));
}

/** Sentences of a passage; a line break that ends a list item or code line ends a sentence too. White space is folded. */
export function splitSentences(text: string): string[] {
  return text
    .split(sentenceEnd)
    .map((sentence) => sentence.replace(/\s+/g, " ").trim())
    .filter((sentence) => sentence.length > 0);
}

const sentenceEnd = /(?<=[.!?…]["')\]]?)\s+(?=["'([]?[\p{Lu}\p{N}`$])|\n+/u;
/** May become the end of a sentence with the next characters. */
const undecided = /\s*["'([]?$/;
/** No white space before a sentence is longer. */
const longestGap = 64;

/** Finds where the last sentence of a growing text begins, in linear time. */
export function sentenceTracker(): { begin(text: string): number; reset(): void } {
  const ends = new RegExp(sentenceEnd, "gu");
  let begun = 0;
  /** After a sentence end that only white space has followed so far. */
  let next = 0;
  let seen = 0;
  const settle = (text: string, until: number): void => {
    if (next > begun && /\S/.test(text.slice(next, until))) begun = next;
  };
  return {
    begin(text) {
      ends.lastIndex = seen;
      for (let end = ends.exec(text); end; end = ends.exec(text)) {
        settle(text, end.index);
        next = end.index + end[0].length;
        seen = next;
      }
      settle(text, text.length);
      const tail = text.slice(Math.max(seen, text.length - longestGap));
      seen = text.length - (undecided.exec(tail)?.[0].length ?? 0);
      return begun;
    },
    reset() {
      [begun, next, seen] = [0, 0, 0];
    },
  };
}

function clip(text: string): string {
  const folded = text.replace(/\s+/g, " ").trim();
  if (folded.length <= bounds.citation.quoteLength) return folded;
  const cut = folded.slice(0, bounds.citation.quoteLength);
  const end = cut.lastIndexOf(" ");
  return (end > bounds.citation.quoteLength / 2 ? cut.slice(0, end) : cut).trimEnd();
}

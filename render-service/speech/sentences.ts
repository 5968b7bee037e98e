/** A sentence of a text, from its first sign to its last. */
export interface Sentence {
  at: number;
  text: string;
}

const hasWords = /[\p{L}\p{N}]/u;
/** After these no sentence ends, though the segmenter of ICU says so: a letter by itself, and what is usual in lessons. */
const abbreviated = /(?:^|[\s(.])(?:\p{L}|vs|cf|etc|Drs?|Mrs?|Ms|Prof|Fig|Eq|No|bzw|usw|ca)\.$/u;

/** The sentences of a narration, which are spoken one by one; what has no words belongs to the one before it. Pure. */
export function sentencesOf(narration: string, language: string): Sentence[] {
  const sentences: Sentence[] = [];
  for (const { segment, index } of new Intl.Segmenter(language, { granularity: "sentence" }).segment(narration)) {
    const text = segment.trim();
    const at = index + segment.indexOf(text);
    const last = sentences.at(-1);
    if (last && (!hasWords.test(text) || abbreviated.test(last.text))) last.text = narration.slice(last.at, at + text.length);
    else sentences.push({ at, text });
  }
  return sentences;
}

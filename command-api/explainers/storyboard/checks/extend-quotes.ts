import { bounds } from "@colloquy/schemas/bounds.ts";
import { reversalOf } from "@colloquy/schemas/explainers/reversals.ts";
import type { Scene } from "@colloquy/schemas/explainers/storyboard.ts";
import { seen } from "@colloquy/schemas/text/strip-invisible.ts";
import type { TopicPassage } from "../topics.ts";
import { sentencesOf } from "./claims/tokens.ts";
import { containsQuote, spaced } from "./quotes.ts";

type Source = Pick<TopicPassage, "sourceId" | "text" | "role">;

/**
 * Extends quotes to whole sentences, and to the next sentence if that reverses them ("But this is wrong: …"). Code, formulas and tables
 * have no sentences. A quote that would become too long, or that no passage contains, stays as it is. Pure.
 */
export function extendQuotes<Of extends Pick<Scene, "quotes">>(scenes: readonly Of[], passages: readonly Source[]): Of[] {
  return scenes.map((scene) => ({
    ...scene,
    quotes: scene.quotes.map((one) => {
      const source = passages.find(({ sourceId, text }) => sourceId === one.sourceId && containsQuote(one.quote, text));
      return source && !/^(?:code|math|table)$/.test(source.role) ? { ...one, quote: extendQuote(one.quote, source.text) } : one;
    }),
  }));
}

/** @param text a passage in which the quote stands */
export function extendQuote(quote: string, text: string): string {
  const flat = spaced(seen(text));
  const from = flat.indexOf(spaced(seen(quote)));
  const to = from + spaced(seen(quote)).length;
  let at = 0;
  const sentences = sentencesOf(text).map((raw) => {
    const sentence = spaced(raw);
    const start = flat.indexOf(sentence, at);
    at = start + sentence.length;
    return { sentence, start, end: at };
  });
  const touched = sentences.filter(({ start, end }) => start < to && end > from);
  const [first] = touched;
  const last = touched.at(-1);
  if (!first || !last) return quote;
  const next = sentences[sentences.indexOf(last) + 1];
  const ends = [...(next && reversalOf(next.sentence) !== null ? [next.end] : []), last.end];
  const wholes = ends.map((end) => flat.slice(Math.min(first.start, from), Math.max(end, to)));
  return wholes.find((whole) => whole.length <= bounds.citation.quoteLength) ?? quote;
}

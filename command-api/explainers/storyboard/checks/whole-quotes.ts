import { bounds } from "@colloquy/schemas/bounds.ts";
import type { Scene } from "@colloquy/schemas/explainers/storyboard.ts";
import { turnOf } from "@colloquy/schemas/explainers/turns.ts";
import { seen } from "@colloquy/schemas/text/strip-invisible.ts";
import type { TopicPassage } from "../topics.ts";
import { sentencesOf } from "./claims/tokens.ts";
import { spaced, standsIn } from "./quotes.ts";

type Source = Pick<TopicPassage, "sourceId" | "text" | "role">;

/**
 * Scenes whose quotes are whole sentences: each goes back to where its sentence begins and on to where that ends, and on to the next one
 * where that turns it round ("But this is wrong: …"). Code, formulas and tables have no sentences; what would be longer than a quote may
 * be, and what stands nowhere, stays as it is. Pure.
 */
export function withWholeQuotes<Of extends Pick<Scene, "quotes">>(scenes: readonly Of[], passages: readonly Source[]): Of[] {
  return scenes.map((scene) => ({
    ...scene,
    quotes: scene.quotes.map((one) => {
      const source = passages.find(({ sourceId, text }) => sourceId === one.sourceId && standsIn(one.quote, text));
      return source && !/^(?:code|math|table)$/.test(source.role) ? { ...one, quote: wholeQuote(one.quote, source.text) } : one;
    }),
  }));
}

/** @param text a passage in which the quote stands */
export function wholeQuote(quote: string, text: string): string {
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
  const ends = [...(next && turnOf(next.sentence) !== null ? [next.end] : []), last.end];
  const wholes = ends.map((end) => flat.slice(Math.min(first.start, from), Math.max(end, to)));
  return wholes.find((whole) => whole.length <= bounds.citation.quoteLength) ?? quote;
}

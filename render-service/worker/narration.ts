import type { SaidPlace } from "@colloquy/schemas/explainers/timing.ts";
import type { Said } from "../speech/segments.ts";
import { sentencesOf } from "../speech/sentences.ts";
import { spoken } from "../speech/spoken-text.ts";
import type { SentenceTimes } from "./sentence-files.ts";
import type { Recording, Speech } from "./speech.ts";

/** A narration spoken sentence by sentence, so that its times are known whatever voice there is. @throws {RenderFailure} */
export async function narrate(
  speech: Speech,
  { narration, language, signal }: { narration: string; language: string; signal: AbortSignal },
): Promise<{ times: SentenceTimes; file: Buffer }[]> {
  const sentences: { times: SentenceTimes; file: Buffer }[] = [];
  for (const { at, text } of sentencesOf(narration, language)) {
    const { text: said, parts } = await spoken(text, language);
    const { sound, words } = await speech.speak(said, language, signal);
    const own = placesOf(words, text).map((place) => ({ ...place, at: at + place.at }));
    const shares = sharesOf(parts).map((place) => ({ ...place, at: at + place.at }));
    sentences.push({ times: { at, end: at + text.length, words: own, shares }, file: sound });
  }
  return sentences;
}

/** A pause is as long as so many letters. */
const pauseLetters = 8;
const lengthOf = (words: string): number =>
  [...words.matchAll(/[\p{L}\p{N}\p{M}]+|[,.;:!?،؛؟](?=\s|$)/gu)].reduce(
    (sum, [one]) => sum + (/[\p{L}\p{N}]/u.test(one) ? one.length + 4 : pauseLetters),
    0,
  );

/** The share of a sentence that is said when each of its parts begins: a formula is shown in fewer letters than it is said in. */
function sharesOf(parts: readonly Said[]): SentenceTimes["shares"] {
  const whole = parts.reduce((sum, { words }) => sum + lengthOf(words), 0);
  let before = 0;
  const shares = parts.flatMap(({ at, words }) => {
    const place = { at, share: before / whole };
    const own = lengthOf(words);
    before += own;
    return own > 0 && place.share > 0 ? place : [];
  });
  return shares;
}

/** A voice can say words that the text has as signs, and the other way round; the next word that both have is not further away. */
const lookahead = 6;
const plain = (word: string): string => word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/** Where the words of a recording stand in the text that was to be spoken, as far as both have them. */
function placesOf(said: Recording["words"], text: string): SaidPlace[] {
  const written = [...text.matchAll(/\S+/gu)].map(({ 0: word, index }) => ({ at: index, word: plain(word) }));
  const places: SaidPlace[] = [];
  let next = 0;
  for (const { word, ms } of said) {
    const found = written.slice(next, next + lookahead).findIndex((one) => one.word !== "" && one.word === plain(word));
    if (found < 0) continue;
    next += found;
    places.push({ at: written[next]?.at ?? 0, ms });
    next += 1;
  }
  return places;
}

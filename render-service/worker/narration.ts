import type { SaidPlace } from "@colloquy/schemas/explainers/timing.ts";
import { sentencesOf } from "../speech/sentences.ts";
import { spokenText } from "../speech/spoken-text.ts";
import type { SentenceTimes } from "./sentence-files.ts";
import type { Recording, Speech } from "./speech.ts";

/** A narration spoken sentence by sentence, so that its times are known whatever voice there is. @throws {RenderFailure} */
export async function narrate(
  speech: Speech,
  { narration, language, signal }: { narration: string; language: string; signal: AbortSignal },
): Promise<{ times: SentenceTimes; file: Buffer }[]> {
  const spoken: { times: SentenceTimes; file: Buffer }[] = [];
  for (const { at, text } of sentencesOf(narration, language)) {
    const { sound, words } = await speech.speak(await spokenText(text, language), language, signal);
    const own = placesOf(words, text).map((place) => ({ ...place, at: at + place.at }));
    spoken.push({ times: { at, end: at + text.length, words: own }, file: sound });
  }
  return spoken;
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

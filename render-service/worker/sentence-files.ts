import { z } from "zod";
import { readWav, type SpokenSentence } from "../film/sound.ts";

const place = z.strictObject({ at: z.int().min(0), ms: z.int().min(0) });
/** How much of a sentence is said before a place. */
const share = z.strictObject({ at: z.int().min(0), share: z.number().min(0).max(1) });
/** What the renderer is told of a recorded sentence, whose sound is a file in the folder of its job. */
export const sentenceTimes = z.strictObject({ at: z.int().min(0), end: z.int().min(0), words: z.array(place), shares: z.array(share) });
export type SentenceTimes = z.infer<typeof sentenceTimes>;

export const sentenceFile = (scene: number, sentence: number): string => `spoken-${scene}-${sentence}.wav`;

/** @throws when the file is no sound */
export const sentenceOf = (times: SentenceTimes, file: Buffer): SpokenSentence => ({ ...times, sound: readWav(file) });

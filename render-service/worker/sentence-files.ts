import { z } from "zod";
import { readWav, type SpokenSentence } from "../film/sound.ts";

const place = z.strictObject({ at: z.int().min(0), ms: z.int().min(0) });
/** What the renderer is told of a recorded sentence, whose sound is a file in the folder of its job. */
export const sentenceTimes = z.strictObject({ at: z.int().min(0), end: z.int().min(0), words: z.array(place) });
export type SentenceTimes = z.infer<typeof sentenceTimes>;

export const sentenceFile = (scene: number, sentence: number): string => `spoken-${scene}-${sentence}.wav`;

/** @throws when the file is no sound */
export const sentenceOf = (times: SentenceTimes, file: Buffer): SpokenSentence => ({ ...times, sound: readWav(file) });

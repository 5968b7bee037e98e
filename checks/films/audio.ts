import { execFileSync } from "node:child_process";
import type { Transcript } from "@colloquy/schemas/explainers/film.ts";
import { cuesOf } from "./captions.ts";

const rate = 16_000;
const mostOutput = 1e8;
/** Quieter is silence: -45 dB. */
const silence = 0.0056;
/** The longest a film may be silent before its closing question was asked, in seconds. */
const mostSilence = 2.5;
/** What a listener does not notice, and what a reader is given to finish a caption. */
const tolerance = { beginMs: 200, endMs: 1_200 };

/** What is heard in a film. Levels in decibels of full scale. */
export interface AudioReport {
  peak: number;
  mean: number;
  /** The most by which captions begin before or after what is said, in milliseconds. */
  captionsOffMs: number;
  wrong: string[];
}

const decibels = (level: number): number => 20 * Math.log10(Math.max(level, 1e-9));

/** Listens to a film by an independent reader: nothing is distorted, each scene is spoken within itself, and captions come and go with the words. */
export function checkAudio(file: string, { scenes }: Transcript, captions: string): AudioReport {
  const raw = execFileSync("ffmpeg", ["-v", "error", "-i", file, "-vn", "-ac", "1", "-ar", String(rate), "-f", "f32le", "-"], {
    maxBuffer: mostOutput,
  });
  const samples = new Float32Array(raw.buffer, raw.byteOffset, Math.floor(raw.length / 4));
  const levels = samples.map(Math.abs);
  const peak = levels.reduce((most, level) => Math.max(most, level), 0);
  const loud = levels.filter((level) => level > silence);
  const mean = Math.sqrt(loud.reduce((sum, level) => sum + level * level, 0) / Math.max(1, loud.length));
  const wrong: string[] = [];
  if (peak >= 1) wrong.push(`it is distorted: ${decibels(peak).toFixed(1)} dB`);
  const cues = cuesOf(captions);
  let captionsOffMs = 0;
  let heardAt = 0;
  let longest = 0;
  for (const [at, level] of levels.entries()) {
    if (level <= silence) continue;
    longest = Math.max(longest, at - heardAt);
    heardAt = at;
  }
  if (longest > mostSilence * rate) wrong.push(`it is silent for ${(longest / rate).toFixed(1)} s`);
  for (const [index, { startMs, endMs }] of scenes.entries()) {
    const own = levels.subarray((startMs / 1_000) * rate, (endMs / 1_000) * rate);
    const [first, last] = [own.findIndex((level) => level > silence), own.findLastIndex((level) => level > silence)];
    const [said, over] = [startMs + (first / rate) * 1_000, startMs + (last / rate) * 1_000];
    const shown = cues.filter((cue) => cue.startMs >= startMs && cue.startMs < endMs);
    const [begin, end] = [shown[0]?.startMs ?? 0, shown.at(-1)?.endMs ?? 0];
    if (first < 0) wrong.push(`nothing is said in scene ${index + 1}`);
    else if (last >= own.length - rate / 10) wrong.push(`scene ${index + 1} ends before its words do`);
    else if (Math.abs(begin - said) > tolerance.beginMs || end < over - tolerance.beginMs || end > over + tolerance.endMs)
      wrong.push(`scene ${index + 1} is spoken from ${said.toFixed(0)} to ${over.toFixed(0)} ms, and captioned from ${begin} to ${end} ms`);
    captionsOffMs = Math.max(captionsOffMs, Math.abs(begin - said));
  }
  return { peak: decibels(peak), mean: decibels(mean), captionsOffMs, wrong };
}

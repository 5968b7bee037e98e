import { framesOf, framesPerSecond, type TimedScene } from "../frames/timeline.ts";
import type { Sound } from "./plan.ts";

/** Peak limit: 1.5 dB below full scale, because encoding makes peaks a little louder. */
const peakLimit = 10 ** (-1.5 / 20);

/** All that is spoken as one sound as long as the film: encoders take sounds that begin anew for other sounds. As loud throughout as it was, or less where it is too loud. Pure. */
export function joinTracks(spoken: readonly Sound[], scenes: readonly TimedScene[]): Sound {
  const rate = spoken[0]?.rate ?? 22_050;
  const samples = new Float32Array(Math.floor((framesOf(scenes) / framesPerSecond) * rate));
  for (const [index, { start, speech }] of scenes.entries()) {
    const one = spoken[index];
    if (!one) continue;
    if (one.rate !== rate) throw new Error("the scenes are spoken at different sample rates");
    const from = Math.round((start / framesPerSecond + speech.from / 1_000) * rate);
    samples.set(one.samples.subarray(0, samples.length - from), from);
  }
  const peak = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  return { samples: peak > peakLimit ? samples.map((sample) => (sample * peakLimit) / peak) : samples, rate };
}

/** The threshold of silence: -45 dB of full scale. */
const silence = 0.0056;
/** Seconds of silence that are kept around speech, because sounds begin and end softly. */
const margin = 0.05;

/** Removes the silence before and after speech, because the timeline decides on pauses. Pure. */
export function trimSilence({ samples, rate }: Sound): Sound {
  const first = samples.findIndex((sample) => Math.abs(sample) > silence);
  const last = samples.findLastIndex((sample) => Math.abs(sample) > silence);
  if (first < 0) return { samples, rate };
  const about = Math.round(margin * rate);
  return { samples: samples.slice(Math.max(0, first - about), last + 1 + about), rate };
}

const pcm = 1;
const extensible = 0xfffe;

/**
 * Reads a WAV file of 16 bits as one channel. Lengths in its head are not believed: programs that stream write the greatest there.
 * @throws when it is none
 */
export function readWav(file: Buffer): Sound {
  if (file.toString("latin1", 0, 4) !== "RIFF" || file.toString("latin1", 8, 12) !== "WAVE") throw new Error("not a WAV file");
  let format: { channels: number; rate: number } | null = null;
  for (let at = 12; at + 8 <= file.length; ) {
    const name = file.toString("latin1", at, at + 4);
    const length = Math.min(file.readUInt32LE(at + 4), file.length - at - 8);
    const body = file.subarray(at + 8, at + 8 + length);
    if (name === "fmt " && body.length >= 16) {
      if (![pcm, extensible].includes(body.readUInt16LE(0)) || body.readUInt16LE(14) !== 16) throw new Error("not a WAV file of 16 bits");
      format = { channels: Math.max(1, body.readUInt16LE(2)), rate: body.readUInt32LE(4) };
    }
    if (name === "data" && format) return { samples: firstChannel(body, format.channels), rate: format.rate };
    at += 8 + length + (length % 2);
  }
  throw new Error("a WAV file without sound");
}

function firstChannel(body: Buffer, channels: number): Float32Array {
  const step = channels * 2;
  return Float32Array.from({ length: Math.floor(body.length / step) }, (_, index) => body.readInt16LE(index * step) / 32_768);
}

import type { SaidPlace } from "@colloquy/schemas/explainers/timing.ts";
import { framesOf, framesPerSecond, type TimedScene } from "../frames/timeline.ts";
import type { Sound, Voice } from "./plan.ts";

/** All that is spoken as one sound as long as the film: encoders take sounds that begin anew for other sounds. Pure. */
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
  return { samples, rate };
}

/** A sentence of a narration as it was spoken. */
export interface SpokenSentence {
  /** Where it begins and ends in the narration. */
  at: number;
  end: number;
  sound: Sound;
  /** Words whose time the voice gave, from the sound's beginning. */
  words: readonly SaidPlace[];
  /** How much of it is said before some places, for voices that give no times. */
  shares?: readonly { at: number; share: number }[];
}

/** Between two sentences, in seconds: as long as readers of news pause. */
const pause = 0.4;

/** The voice of a scene: its sentences with a pause between them, and when each begins and ends. Pure. */
export function voiceOf(sentences: readonly SpokenSentence[]): Voice {
  const rate = sentences[0]?.sound.rate ?? 22_050;
  const parts = sentences.map(({ sound }) => trimmed(sound));
  const starts: number[] = [];
  let length = 0;
  for (const [index, { samples }] of parts.entries()) {
    if (sentences[index]?.sound.rate !== rate) throw new Error("the sentences are spoken at different sample rates");
    if (index > 0) length += Math.round(pause * rate);
    starts.push(length);
    length += samples.length;
  }
  const samples = new Float32Array(length);
  const places = parts.flatMap((part, index) => {
    const { at, end, words, shares = [] } = sentences[index] as SpokenSentence;
    const start = starts[index] ?? 0;
    samples.set(part.samples, start);
    const msOf = (sample: number): number => Math.round((sample / rate) * 1_000);
    const [begins, ends] = [msOf(start), msOf(start + part.samples.length)];
    const own =
      words.length > 0
        ? words.map((word) => ({ at: word.at, ms: msOf(start - part.cut) + word.ms }))
        : shares.map(({ at, share }) => ({ at, ms: Math.round(begins + share * (ends - begins)) }));
    return [{ at, ms: begins }, ...own.filter(({ ms }) => ms >= begins && ms <= ends), { at: end, ms: ends }];
  });
  return { samples, rate, places: inOrder(places) };
}

/** Without places that another before them contradicts: voices are not always right about their words. */
function inOrder(places: readonly SaidPlace[]): SaidPlace[] {
  const kept: SaidPlace[] = [];
  for (const place of places) {
    const last = kept.at(-1);
    if (!last || (place.at > last.at && place.ms >= last.ms)) kept.push(place);
  }
  return kept;
}

/** The threshold of silence: -45 dB of full scale. */
const silence = 0.0056;
/** Seconds of silence that are kept around speech, because sounds begin and end softly. */
const margin = 0.05;

/** A sound without the silence before and after it, because the timeline decides on pauses; `cut` samples were before it. */
function trimmed({ samples, rate }: Sound): { samples: Float32Array; cut: number } {
  const first = samples.findIndex((sample) => Math.abs(sample) > silence);
  const last = samples.findLastIndex((sample) => Math.abs(sample) > silence);
  if (first < 0) return { samples, cut: 0 };
  const about = Math.round(margin * rate);
  const cut = Math.max(0, first - about);
  return { samples: samples.slice(cut, last + 1 + about), cut };
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

import { type Speech, saidWords } from "@colloquy/schemas/explainers/timing.ts";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";
import { framesPerSecond, type TimedScene } from "./timeline.ts";
import { unbroken } from "./unbroken.ts";

/** One caption; times are in milliseconds from the start of the video. */
export interface Cue {
  startMs: number;
  endMs: number;
  lines: string[];
}

const { lines: mostLines, lineLength, charactersPerSecond } = filmBounds.captions;
/** Longer than a caption can be in all. */
const unreachable = Number.POSITIVE_INFINITY;

const letters = (text: string): string[] => Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
/** The number of graphemes. */
export const lengthOf = (text: string): number => letters(text).length;

/**
 * The captions of a video: at most two lines each, broken at natural pauses. Each comes with its first word where the voice's times are
 * known; otherwise they are spread over the time of speech, or over more of the scene if that would be too fast to read. Pure.
 */
export function captionsOf(scenes: readonly TimedScene[]): Cue[] {
  return scenes.flatMap(({ scene, start, frames, speech }) => {
    const captions = captionLines(scene.narration);
    const sizes = captions.map((lines) => lengthOf(lines.join(" ")));
    const whole = sum(sizes);
    const sceneMs = (frames / framesPerSecond) * 1_000;
    const ms = Math.min(sceneMs, Math.max(speech.to - speech.from, (whole / charactersPerSecond) * 1_000));
    const begin = Math.min(speech.from, sceneMs - ms);
    const least = sizes.map((size) => size * Math.min(1_000 / charactersPerSecond, ms / whole));
    const spread = sizes.map((_, index) => begin + (sum(sizes.slice(0, index)) / whole) * ms);
    const times = readable(speech.places ? firstWords(scene.narration, captions, speech) : spread, least, { begin, end: begin + ms });
    const film = (start / framesPerSecond) * 1_000;
    const [startMs, endMs] = [times, [...times.slice(1), begin + ms]].map((some) => some.map((at) => Math.floor(film + at)));
    return captions.map((lines, index) => ({ startMs: startMs?.[index] ?? 0, endMs: endMs?.[index] ?? 0, lines }));
  });
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** When the first word of each caption is said. */
function firstWords(narration: string, captions: readonly string[][], speech: Speech): number[] {
  const words = saidWords(narration, speech);
  // Captions have the narration's signs in their order, with other white space.
  const signs = [...narration.matchAll(/\S/gu)].map(({ index }) => index);
  let before = 0;
  return captions.map((lines) => {
    const at = signs[before] ?? 0;
    before += [...lines.join("").replace(/\s/gu, "")].length;
    return words.find((word) => word.at >= at)?.ms ?? speech.to;
  });
}

/** The same times, moved so that each caption stays as long as it needs at least, within begin and end. */
function readable(times: readonly number[], least: readonly number[], { begin, end }: { begin: number; end: number }): number[] {
  const moved: number[] = [];
  for (const [index, at] of times.entries())
    moved.push(index === 0 ? begin : Math.max(at, (moved[index - 1] ?? begin) + (least[index - 1] ?? 0)));
  for (let index = moved.length - 1, latest = end; index > 0; index -= 1) {
    latest -= least[index] ?? 0;
    moved[index] = Math.min(moved[index] ?? 0, latest);
    latest = moved[index] ?? 0;
  }
  return moved;
}

/** The highest reading speed of a caption, in characters per second. */
export const readingSpeed = (cues: readonly Cue[]): number =>
  Math.max(0, ...cues.map(({ startMs, endMs, lines }) => (lengthOf(lines.join(" ")) / Math.max(1, endMs - startMs)) * 1_000));

/**
 * Splits a text into captions, each an array of lines, at the lowest total cost: a break after a sentence costs least, inside a phrase
 * most; inside a formula, a pair or code there is none. Pure.
 */
export function captionLines(text: string): string[][] {
  const words = unbroken(text).flatMap((whole) => (lengthOf(whole) <= lineLength ? whole : whole.split(" ").flatMap(pieces)));
  /** The cost of the best way to cut the words before this one, and where its last caption begins. */
  const best: { cost: number; from: number }[] = [{ cost: 0, from: 0 }];
  for (let to = 1; to <= words.length; to += 1) {
    let found = { cost: unreachable, from: to - 1 };
    for (let from = to - 1; from >= 0; from -= 1) {
      const lines = inLines(words.slice(from, to));
      if (!lines) break;
      const cost = (best[from]?.cost ?? unreachable) + breakCost(words, to) + thinness(words.slice(from, to));
      if (cost < found.cost) found = { cost, from };
    }
    best.push(found);
  }
  const captions: string[][] = [];
  for (let to = words.length; to > 0; ) {
    const from = best[to]?.from ?? 0;
    captions.unshift(inLines(words.slice(from, to)) ?? []);
    to = from;
  }
  return captions;
}

/** Splits a word that is longer than a line. */
function pieces(word: string): string[] {
  const all = letters(word);
  const cut: string[] = [];
  for (let at = 0; at < all.length; at += lineLength) cut.push(all.slice(at, at + lineLength).join(""));
  return cut;
}

/** Two lines, the upper not much longer than the lower and cut where one would breathe; null when the words need more. */
function inLines(words: readonly string[]): string[] | null {
  const whole = words.join(" ");
  if (lengthOf(whole) <= lineLength) return [whole];
  if (mostLines < 2) return null;
  let found: { lines: string[]; cost: number } | null = null;
  for (let at = 1; at < words.length; at += 1) {
    const lines = [words.slice(0, at).join(" "), words.slice(at).join(" ")];
    const [upper = 0, lower = 0] = lines.map(lengthOf);
    if (upper > lineLength || lower > lineLength) continue;
    const cost = Math.abs(upper - lower) / 4 + breakCost(words, at);
    if (!found || cost < found.cost) found = { lines, cost };
  }
  return found?.lines ?? null;
}

/** What a break after the first `at` words costs. */
function breakCost(words: readonly string[], at: number): number {
  if (at >= words.length) return 0;
  const last = words[at - 1] ?? "";
  if (/[.!?…。！？؟]["'”’»)]*$/u.test(last)) return 2;
  if (/[,;:،؛、，—–]["'”’»)]*$/u.test(last)) return 4;
  return 10;
}

/** A penalty for short captions, which are shown too briefly. */
const thinness = (words: readonly string[]): number => 1 + Math.max(0, 24 - lengthOf(words.join(" "))) / 4;

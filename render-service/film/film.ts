import type { FilmMetrics, Transcript } from "@colloquy/schemas/explainers/film.ts";
import type { Progress } from "@colloquy/schemas/explainers/render.ts";
import { wordsOf } from "@colloquy/schemas/explainers/timing.ts";
import { captionsOf, readingSpeed } from "../frames/captions.ts";
import { framesOf, framesPerSecond, timeOf } from "../frames/timeline.ts";
import { encodeSound } from "./aac.ts";
import { drawScene } from "./draw-scene.ts";
import type { Drawing } from "./drawing.ts";
import { type Encoders, type Picture, sizeOf } from "./encoder.ts";
import { muxFilm } from "./mux.ts";
import { type FilmOrder, plan } from "./plan.ts";
import { posterOf } from "./poster.ts";
import type { Segment } from "./segment.ts";
import { joinTracks } from "./sound.ts";
import { transcriptOf } from "./transcript.ts";
import { captionsFile, chaptersFile } from "./web-vtt.ts";

/** A cache of encoded scenes across renders. */
interface Segments {
  read(key: string): Segment | null;
  write(key: string, segment: Segment): void;
}

export interface MadeFilm {
  milliseconds: number;
  artifacts: { video: Buffer; captions: string; chapters: string; poster: Buffer; transcript: Transcript };
  metrics: FilmMetrics;
}

/**
 * Renders a video. The same order gives the same bytes, whether scenes are drawn or taken from the cache.
 * @throws {Refused} before anything is drawn, if a scene cannot be laid out
 */
export async function makeFilm<Placed>(
  order: FilmOrder,
  {
    drawing,
    encoders,
    segments,
    onProgress,
  }: { drawing: Drawing<Placed>; encoders: Encoders; segments: Segments; onProgress: (progress: Progress) => void },
): Promise<MadeFilm> {
  const begun = performance.now();
  const { storyboard, settings, spoken } = order;
  const scenes = plan(order);
  const frames = framesOf(scenes);
  onProgress({ stage: "starting", done: 0, total: 1 });
  const placed: { placed: Placed; frames: number; start: number; key: string }[] = [];
  for (const { scene, place, frames, start, key } of scenes)
    placed.push({ placed: await drawing.placeScene(scene, place), frames, start, key });

  const pictures: Picture[] = [];
  let [drawn, reused] = [0, 0];
  for (const [index, scene] of placed.entries()) {
    const told = (done: number): void => onProgress({ stage: "drawing", done: scene.start + done, total: frames });
    told(0);
    let segment = segments.read(scene.key);
    if (segment) reused += 1;
    else {
      segment = await drawScene(drawing, scene, settings, encoders.scene(index), told);
      segments.write(scene.key, segment);
      drawn += segment.pictures.length;
    }
    for (const picture of segment.pictures) pictures.push({ ...picture, frame: scene.start + picture.frame });
  }

  onProgress({ stage: "encoding", done: 0, total: 2 });
  const poster = await posterOf(drawing, placed, settings);
  onProgress({ stage: "encoding", done: 1, total: 2 });
  const sound = spoken && joinTracks(spoken, scenes);
  const track = sound && (await encodeSound(sound, encoders.sound(sound.rate)));
  const video = await muxFilm({ pictures, frames, size: sizeOf(settings), spoken: track });
  const cues = captionsOf(scenes);
  const transcript = transcriptOf(storyboard, scenes);
  const measured = placed.map((one) => drawing.measure(one.placed));
  const sum = (pick: (of: (typeof measured)[number]) => number): number => measured.reduce((all, one) => all + pick(one), 0);
  const words = storyboard.scenes.reduce((all, { narration }) => all + wordsOf(narration), 0);
  onProgress({ stage: "encoding", done: 2, total: 2 });
  return {
    milliseconds: Math.round(timeOf(frames)),
    artifacts: { video, captions: captionsFile(cues), chapters: chaptersFile(transcript), poster, transcript },
    metrics: {
      frames,
      framesDrawn: Math.max(1, drawn),
      milliseconds: Math.round(timeOf(frames)),
      overflowArea: sum(({ overflowArea }) => overflowArea),
      overlapArea: sum(({ overlapArea }) => overlapArea),
      leastContrast: Math.min(21, ...measured.map(({ leastContrast }) => leastContrast)),
      leastTextSize: Math.min(...measured.map(({ leastTextSize }) => leastTextSize)),
      wordsPerSecond: words / (frames / framesPerSecond),
      captionCharactersPerSecond: readingSpeed(cues),
      segmentsReused: reused,
      renderMilliseconds: Math.round(performance.now() - begun),
    },
  };
}

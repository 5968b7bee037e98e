import type { RenderSettings } from "@colloquy/schemas/explainers/film.ts";
import type { Storyboard } from "@colloquy/schemas/explainers/storyboard.ts";
import { framesPerSecond, type TimedScene, timeline } from "../frames/timeline.ts";
import type { PlaceOptions } from "./drawing.ts";
import { segmentKey } from "./segment.ts";

/** One channel of sound. */
export interface Sound {
  samples: Float32Array;
  rate: number;
}

export interface FilmOrder {
  storyboard: Storyboard;
  settings: RenderSettings;
  /** Each scene's spoken text; null for a silent film. */
  spoken: readonly Sound[] | null;
}

interface PlannedScene extends TimedScene {
  place: PlaceOptions;
  /** Key of its segment. */
  key: string;
}

/** The time and place of each scene of an order. Pure. */
export function plan({ storyboard, settings, spoken }: FilmOrder): PlannedScene[] {
  const { scenes, sources, language } = storyboard;
  const timed = timeline(
    scenes,
    spoken?.map(({ samples, rate }) => samples.length / rate),
  );
  return timed.map((one) => {
    const source = sources.find(({ sourceId }) => sourceId === one.scene.quotes[0]?.sourceId)?.title;
    const seconds = one.frames / framesPerSecond;
    const place = { aspect: settings.aspect, language, seconds, speech: one.speech, ...(source && { source }) };
    return { ...one, place, key: segmentKey(one.scene, place, settings) };
  });
}

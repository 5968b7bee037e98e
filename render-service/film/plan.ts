import type { RenderSettings } from "@colloquy/schemas/explainers/film.ts";
import type { Storyboard } from "@colloquy/schemas/explainers/storyboard.ts";
import type { SaidPlace } from "@colloquy/schemas/explainers/timing.ts";
import { type PlaceOptions, placesOf, type TimedScene, timeline } from "../frames/timeline.ts";
import { segmentKey } from "./segment.ts";

/** One channel of sound. */
export interface Sound {
  samples: Float32Array;
  rate: number;
}

/** A scene's spoken narration. */
export interface Voice extends Sound {
  /** When its places are said, from the sound's beginning. */
  places: SaidPlace[];
}

export interface FilmOrder {
  storyboard: Storyboard;
  settings: RenderSettings;
  /** Each scene's voice; null for a silent film. */
  spoken: readonly Voice[] | null;
  /** Tells encoders with other output apart. */
  encoder: string;
}

interface PlannedScene extends TimedScene {
  place: PlaceOptions;
  /** Key of its segment. */
  key: string;
}

/** The time and place of each scene of an order. Pure. */
export function plan({ storyboard, settings, spoken, encoder }: FilmOrder): PlannedScene[] {
  const { scenes, sources, language } = storyboard;
  const timed = timeline(
    scenes,
    spoken?.map(({ samples, rate, places }) => ({ seconds: samples.length / rate, places })),
  );
  const places = placesOf(timed, { language, sources, aspect: settings.aspect });
  return timed.map((one, index) => {
    const place = places[index] as PlaceOptions;
    return { ...one, place, key: segmentKey(one.scene, place, settings, encoder) };
  });
}

import type { RenderSettings } from "@colloquy/schemas/explainers/film.ts";
import type { Scene, Storyboard } from "@colloquy/schemas/explainers/storyboard.ts";
import { type SaidPlace, type Speech, sceneSeconds, silentSpeech, spokenScenes } from "@colloquy/schemas/explainers/timing.ts";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";
import { joinable } from "./joinable.ts";
import { type VectorColours, vectorColours } from "./vector-colours.ts";

export const framesPerSecond = filmBounds.pictures.perSecond;

/** A scene's place in the film, in frames from its beginning. */
export interface TimedScene {
  scene: Scene;
  start: number;
  frames: number;
  /** When its words are spoken, or would be, in milliseconds from where it begins. */
  speech: Speech;
}

/**
 * Start and length of each scene, by its number of words or its voice. Pure.
 * @param voices how long each scene's voice takes, and when it says what, from its beginning; missing for a silent video
 */
export function timeline(scenes: readonly Scene[], voices?: readonly { seconds: number; places: readonly SaidPlace[] }[]): TimedScene[] {
  const spoken =
    voices &&
    spokenScenes(
      scenes,
      voices.map(({ seconds }) => seconds),
    );
  let start = 0;
  return scenes.map((scene, index) => {
    const { lead, seconds } = spoken?.[index] ?? { lead: 0, seconds: sceneSeconds(scene) };
    const frames = Math.ceil(seconds * framesPerSecond - 1e-6);
    const from = Math.round(lead * 1_000);
    const voice = voices?.[index];
    const speech = voice
      ? {
          from,
          to: from + Math.round(voice.seconds * 1_000),
          places: voice.places.map(({ at, ms }) => ({ at, ms: from + ms })),
        }
      : silentSpeech(scene, Math.round(seconds * 1_000));
    const timed = { scene, start, frames, speech };
    start += frames;
    return timed;
  });
}

export const framesOf = (scenes: readonly TimedScene[]): number => scenes.reduce((sum, { frames }) => sum + frames, 0);

/** Milliseconds from the film's beginning to a frame. */
export const timeOf = (frame: number): number => (frame / framesPerSecond) * 1_000;

/** How a scene is to be placed. */
export interface PlaceOptions {
  aspect: RenderSettings["aspect"];
  /** BCP 47, of the storyboard. */
  language: string;
  /** How long the scene takes. */
  seconds: number;
  /** Where the scene comes from, in a footnote. */
  source?: string;
  /** When its narration is spoken, in milliseconds, where that is known. */
  speech?: Speech;
  /** Where they are not in the order of its vectors. */
  colours?: VectorColours;
  /** The scene before it where this one goes on with that. */
  before?: { scene: Scene; place: Omit<PlaceOptions, "before"> };
}

type Board = Pick<Storyboard, "language" | "sources"> & Pick<PlaceOptions, "aspect">;

/** How a film places its scenes. Pure. */
export function placesOf(scenes: readonly TimedScene[], board: Board): PlaceOptions[] {
  const colours = vectorColours(scenes.map(({ scene }) => scene));
  const alone = scenes.map((one, index) => ({ ...placeAlone(one, board), ...(colours[index] && { colours: colours[index] }) }));
  return scenes.map(({ scene }, index) => {
    const [own, place] = [alone[index] as PlaceOptions, alone[index - 1]];
    const before = scenes[index - 1]?.scene;
    if (!before || !place || !joinable(before, scene)) return own;
    // Its id says nothing of what it shows.
    return { ...own, before: { scene: { ...before, sceneId: "" }, place } };
  });
}

function placeAlone({ scene, frames, speech }: TimedScene, { language, sources, aspect }: Board): PlaceOptions {
  const source = sources.find(({ sourceId }) => sourceId === scene.quotes[0]?.sourceId)?.title;
  return { aspect, language, seconds: frames / framesPerSecond, speech, ...(source && { source }) };
}

import { reveals, spokenAt } from "@colloquy/render-service/layout/timing.ts";
import { onScreen, type ScreenLine } from "@colloquy/schemas/explainers/on-screen.ts";
import type { Scene } from "@colloquy/schemas/explainers/storyboard.ts";
import { saidWords, sceneSeconds, silentSpeech } from "@colloquy/schemas/explainers/timing.ts";

/** A part of a scene, from when something new appears until the next thing does. */
export interface Moment {
  /** Seconds from the scene's beginning. */
  at: number;
  /** What is said in it. */
  said: string;
  /** What is new in the picture. */
  appears: string[];
}

/** A scene as a viewer of the silent video meets it. Pure. */
export function momentsOf(scene: Scene): Moment[] {
  const { narration } = scene;
  const durationMs = sceneSeconds(scene) * 1_000;
  const speech = silentSpeech(scene, durationMs);
  const order = { narration, speech, durationMs };
  const cued = cuedThings(scene.content).map(({ cue, thing }) => ({ ms: cue === "" ? 0 : (spokenAt(cue, order) ?? 0), thing }));
  const lines = onScreen(scene).map(lineText);
  const times = reveals(lines, order);
  const things = cued.length > 0 ? cued : lines.map((thing, index) => ({ ms: times[index] ?? 0, thing }));
  const starts = [...new Set([0, ...things.map(({ ms }) => ms)])].sort((one, other) => one - other);
  const words = saidWords(narration, speech);
  /** Where in the narration the first word of a moment stands. */
  const places = starts.map((ms, index) => (index === 0 ? 0 : (words.find((word) => word.ms >= ms)?.at ?? narration.length)));
  return starts.map((ms, index) => ({
    at: Math.round(ms / 100) / 10,
    said: narration.slice(places[index], places[index + 1]).trim(),
    appears: things.flatMap((one) => (one.ms === ms ? one.thing : [])),
  }));
}

const lineText = ({ text, label }: ScreenLine): string => (label === "" ? text : `${text} (${label})`);

/** Everything of a content that has a cue, as JSON without it. */
function cuedThings(content: unknown, name = ""): { cue: string; thing: string }[] {
  if (Array.isArray(content)) return content.flatMap((one) => cuedThings(one, name));
  if (typeof content !== "object" || content === null) return [];
  const fields = Object.entries(content);
  const own = Object.fromEntries(fields.filter(([key]) => !/cues?$/i.test(key) && key !== "quote"));
  const cue = "cue" in content && typeof content.cue === "string" ? [{ cue: content.cue, thing: `${name}: ${JSON.stringify(own)}` }] : [];
  return [...cue, ...fields.flatMap(([key, value]) => cuedThings(value, key))];
}

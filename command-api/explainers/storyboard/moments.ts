import { matrixAt, reveals, spokenAt } from "@colloquy/render-service/layout/timing.ts";
import { jumpsOf } from "@colloquy/schemas/explainers/number-line.ts";
import { onScreen } from "@colloquy/schemas/explainers/on-screen.ts";
import type { ScreenLine } from "@colloquy/schemas/explainers/screen-line.ts";
import type { Scene } from "@colloquy/schemas/explainers/storyboard.ts";
import { saidWords, sceneSeconds, silentSpeech } from "@colloquy/schemas/explainers/timing.ts";
import { metFacts } from "./met-facts.ts";
import { metPlane } from "./met-plane.ts";

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
  const msOf = (cue: string): number => (cue === "" ? 0 : (spokenAt(cue, order) ?? 0));
  const content = scene.layout === "plane" ? metPlane(scene.content, msOf) : scene.content;
  const cued = cuedThings(content).map(({ cue, thing }) => ({ ms: msOf(cue), thing }));
  const lines = onScreen(scene).map(lineText);
  const times = reveals(lines, order);
  const told = lines.map((thing, index) => ({ ms: times[index] ?? 0, thing }));
  // Rows of a table come as they are spoken of, and are compared at a cue.
  const things =
    cued.length === 0
      ? told
      : scene.layout === "table"
        ? [...told, ...cued]
        : [...cued, ...metFacts(scene, msOf, ({ name, cue }) => matrixAt(msOf(cue), name, order))];
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

interface Cued {
  cue: string;
  thing: string;
}

/** Everything of a content that has a cue, as JSON without it; what comes at a cue of its own is not in what it belongs to. */
function cuedThings(content: unknown, name = ""): Cued[] {
  if (Array.isArray(content)) return content.flatMap((one) => cuedThings(one, name));
  if (typeof content !== "object" || content === null) return [];
  const fields = Object.entries(content);
  const later = laterParts(fields);
  const isOwn = ([key, value]: [string, unknown]): boolean =>
    value !== null && !/cues?$/i.test(key) && key !== "quote" && !later.has(key) && !hasCue(value);
  const own = Object.fromEntries(fields.filter(isOwn));
  const whole = "cue" in content && typeof content.cue === "string" ? [{ cue: content.cue, thing: `${name}: ${JSON.stringify(own)}` }] : [];
  const parts = [...later].flatMap(([part, { cue, value }]): Cued[] =>
    value === "" ? [] : [{ cue, thing: `${part}: ${JSON.stringify({ ...own, [part]: value })}` }],
  );
  const steps = "cues" in content && "sum" in content ? sumSteps(String(content.sum), content.cues) : [];
  return [...whole, ...parts, ...steps, ...fields.flatMap(([key, value]) => cuedThings(value, key))];
}

const hasCue = (value: unknown): boolean =>
  Array.isArray(value) ? value.some(hasCue) : typeof value === "object" && value !== null && "cue" in value;

/** Parts that come at a cue of their own, `endsCue` of `ends`; an empty value is one that is not shown. */
function laterParts(fields: readonly [string, unknown][]): ReadonlyMap<string, { cue: string; value: unknown }> {
  const values = new Map(fields);
  return new Map(
    fields.flatMap(([key, cue]): [string, { cue: string; value: unknown }][] => {
      const part = /^(\w+)Cue$/.exec(key)?.[1];
      if (part === undefined || typeof cue !== "string") return [];
      const value = values.has(part) ? values.get(part) : cue === "" ? "" : "shown";
      return [[part, { cue, value: value === "none" ? "" : value }]];
    }),
  );
}

/** The first number of a sum, then each of its steps with where it leads. */
function sumSteps(sum: string, cues: unknown): Cued[] {
  const jumps = jumpsOf(sum) ?? [];
  const things = [{ sum, from: jumps[0]?.from }, ...jumps.map(({ tex, to }) => ({ step: tex, to }))];
  return Array.isArray(cues)
    ? cues.map((cue, index) => ({ cue: String(cue), thing: `jumps: ${JSON.stringify(things[index] ?? {})}` }))
    : [];
}

import type { Scene } from "@colloquy/schemas/explainers/storyboard.ts";
import { filmSeconds, sceneSeconds } from "@colloquy/schemas/explainers/timing.ts";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";

/** A storyboard's scenes while they are edited, with the undo history. Immutable. */
export interface Edits {
  readonly first: readonly Scene[];
  readonly scenes: readonly Scene[];
  readonly past: readonly (readonly Scene[])[];
  /** The last edited field; further edits to it are the same undo step. */
  readonly last: string;
}

export const editsOf = (scenes: readonly Scene[]): Edits => ({ first: scenes, scenes, past: [], last: "" });

/** A field's path in a scene, such as `content`, `points`, 0. */
export type Path = readonly (string | number)[];

const step = (edits: Edits, scenes: readonly Scene[], last: string): Edits => ({
  ...edits,
  scenes: scenes.map((scene) => ({ ...scene, seconds: sceneSeconds(scene) })),
  past: last !== "" && last === edits.last ? edits.past : [...edits.past, edits.scenes],
  last,
});

/** Sets a field of a scene. */
export function withFieldValue(edits: Edits, sceneId: string, path: Path, value: unknown): Edits {
  const scenes = edits.scenes.map((scene) => (scene.sceneId === sceneId ? (withValue(scene, path, value) as Scene) : scene));
  return step(edits, scenes, typeof value === "object" ? "" : `${sceneId} ${path.join(".")}`);
}

function withValue(holder: unknown, [at, ...rest]: Path, value: unknown): unknown {
  if (at === undefined) return value;
  if (Array.isArray(holder)) return holder.map((one, index) => (index === at ? withValue(one, rest, value) : one));
  const record = holder as Record<string, unknown>;
  return { ...record, [at]: withValue(record[at], rest, value) };
}

/** The value at a path. */
export const valueAt = (holder: unknown, path: Path): unknown =>
  path.reduce<unknown>((at, key) => (at as Record<string | number, unknown> | undefined)?.[key], holder);

export function withoutScene(edits: Edits, sceneId: string): Edits {
  return step(
    edits,
    edits.scenes.filter((scene) => scene.sceneId !== sceneId),
    "",
  );
}

/** Moves a scene one place earlier (-1) or later (1). */
export function withSceneMoved(edits: Edits, sceneId: string, by: -1 | 1): Edits {
  const at = edits.scenes.findIndex((scene) => scene.sceneId === sceneId);
  if (!canMove(edits.scenes, at, by)) return edits;
  const scenes = [...edits.scenes];
  const [scene] = scenes.splice(at, 1);
  scenes.splice(at + by, 0, scene as Scene);
  return step(edits, scenes, "");
}

/** The title stays first and the closing question last. */
export const canMove = (scenes: readonly Scene[], at: number, by: -1 | 1): boolean => isBetween(scenes, at) && isBetween(scenes, at + by);

const isBetween = (scenes: readonly Scene[], at: number): boolean => {
  const { layout } = scenes[at] ?? {};
  return layout !== undefined && layout !== "title" && layout !== "question";
};

/** Why a scene cannot be dropped: it is the first or last, or there are too few; null if it can. */
export function dropRefusal(scenes: readonly Scene[], at: number): "ends" | "fewest" | null {
  if (!isBetween(scenes, at)) return "ends";
  return scenes.length > filmBounds.scenes.min ? null : "fewest";
}

export function withoutLastStep(edits: Edits): Edits {
  const scenes = edits.past.at(-1);
  return scenes ? { ...edits, scenes, past: edits.past.slice(0, -1), last: "" } : edits;
}

/** The scenes differ from the checked ones. */
export const isChanged = ({ first, scenes }: Edits): boolean => JSON.stringify(first) !== JSON.stringify(scenes);

export type Length = { seconds: number; fits: "yes" | "short" | "long" };

/** The video's estimated length, computed from the words as the service does. */
export function lengthOf(scenes: readonly Scene[]): Length {
  const seconds = filmSeconds(scenes);
  const { min, max } = filmBounds.seconds;
  return { seconds, fits: seconds < min ? "short" : seconds > max ? "long" : "yes" };
}

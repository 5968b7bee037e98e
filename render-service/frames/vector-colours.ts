import type { Scene } from "@colloquy/schemas/explainers/storyboard.ts";

/** The place of a vector's colour among those of vectors, by its name. */
export type VectorColours = Readonly<Record<string, number>>;

/**
 * The colours of vectors in each scene: a name keeps its colour from plane to plane, or takes the first that is free.
 * @returns undefined for scenes whose vectors have the colours in their order. Pure.
 */
export function vectorColours(scenes: readonly Scene[]): (VectorColours | undefined)[] {
  /** Of all names so far, the latest last. */
  const known = new Map<string, number>();
  return scenes.map((scene) => {
    if (scene.layout !== "plane") return undefined;
    const names = scene.content.vectors.map(({ name }) => name);
    const taken = new Map<number, string>();
    // Where two names had the same colour, the one that was seen later keeps it.
    for (const [name, colour] of [...known].toReversed()) if (names.includes(name) && !taken.has(colour)) taken.set(colour, name);
    const keeps = new Map([...taken].map(([colour, name]) => [name, colour]));
    for (const name of names) {
      let colour = keeps.get(name) ?? 0;
      while (taken.has(colour) && taken.get(colour) !== name) colour += 1;
      taken.set(colour, name);
      known.delete(name);
      known.set(name, colour);
    }
    return names.every((name, index) => known.get(name) === index)
      ? undefined
      : Object.fromEntries(names.map((name) => [name, known.get(name) ?? 0]));
  });
}

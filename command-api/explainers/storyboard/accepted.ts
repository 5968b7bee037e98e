import { isDifferentScene } from "@colloquy/schemas/explainers/on-screen.ts";
import type { Finding } from "@colloquy/schemas/explainers/review.ts";
import type { ExplainerState } from "@colloquy/schemas/explainers/state.ts";
import type { Scene } from "@colloquy/schemas/explainers/storyboard.ts";
import { extendQuotes } from "./checks/extend-quotes.ts";
import type { FilmTopic } from "./topics.ts";

/** The storyboard before an edit, as the job's events have it, if its review approved it. */
export interface AcceptedBoard {
  scenes: readonly Scene[];
  /** Of its review. */
  findings: readonly Finding[];
}

/** @returns null if no review approved the present storyboard: then all of an edit is reviewed anew */
export const acceptedBoard = (
  { storyboard, review }: Pick<ExplainerState, "storyboard" | "review">,
  { passages }: FilmTopic,
): AcceptedBoard | null =>
  // Quotes are compared as edits have them.
  storyboard && review?.approved ? { scenes: extendQuotes(storyboard.scenes, passages), findings: review.findings } : null;

/** The accepted scene in whose place a scene stands. With other sources or another layout, nothing of it was accepted. Pure. */
export function acceptedScene(scene: Scene, board: AcceptedBoard | null): Scene | null {
  const before = board?.scenes.find(({ sceneId }) => sceneId === scene.sceneId);
  return before && before.layout === scene.layout && sourcesOf(before) === sourcesOf(scene) ? before : null;
}

const sourcesOf = ({ sourceIds, quotes }: Scene): string =>
  JSON.stringify([sourceIds.toSorted(), quotes.map(({ sourceId, quote }) => `${sourceId} ${quote}`).toSorted()]);

/** Whether a scene is as it was accepted. Pure. */
export const isAccepted = (scene: Scene, board: AcceptedBoard | null): boolean => {
  const before = acceptedScene(scene, board);
  return before !== null && !isDifferentScene(scene, before);
};

/** Whether more than headings changed: only that can take from a scene what it needs. Pure. */
export const isRearranged = (scenes: readonly Scene[], board: AcceptedBoard): boolean =>
  scenes.length !== board.scenes.length ||
  scenes.some((scene, index) => {
    const before = board.scenes[index];
    return before?.sceneId !== scene.sceneId || isDifferentScene(withoutHeading(scene), before && withoutHeading(before));
  });

const withoutHeading = (scene: Scene): Scene => ({ ...scene, content: { ...scene.content, heading: "" } }) as Scene;

/** What the reviewer is told of the accepted scene: its number, and what it said and showed where that changed. */
export interface AcceptedPart {
  scene: number;
  narration?: string;
  shows?: Record<string, unknown>;
}

/** @returns undefined if nothing of the scene was accepted. Pure. */
export function acceptedPart(scene: Scene, board: AcceptedBoard | null): AcceptedPart | undefined {
  const before = acceptedScene(scene, board);
  if (!before || !board) return undefined;
  const valuesOf = ({ content }: Scene): ReadonlyMap<string, unknown> => new Map(Object.entries(content));
  const [now, was] = [valuesOf(scene), valuesOf(before)];
  const changed = [...new Set([...was.keys(), ...now.keys()])].filter(
    (key) => JSON.stringify(was.get(key)) !== JSON.stringify(now.get(key)),
  );
  const showsOther = isDifferentScene({ ...scene, narration: before.narration }, before);
  return {
    scene: board.scenes.indexOf(before) + 1,
    ...(before.narration !== scene.narration && { narration: before.narration }),
    ...(showsOther && { shows: Object.fromEntries(changed.map((key) => [key, was.get(key) ?? null])) }),
  };
}

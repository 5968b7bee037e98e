import type { Scene, Storyboard } from "@colloquy/schemas/explainers/storyboard.ts";
import { AutosavedRow, type RowStore } from "../store/autosaved-row.ts";
import { filmEditsPrefix } from "../store/rows.ts";
import { type Edits, editsOf, isChanged } from "./edits.ts";

/** Edited scenes that are not checked yet. */
export interface UncheckedScenes {
  storyboardId: string;
  scenes: readonly Scene[];
}

/** The row that stores a job's unchecked edits. */
export const savedEditsRow = (store: RowStore, jobId: string): AutosavedRow<UncheckedScenes> =>
  new AutosavedRow(store, `${filmEditsPrefix}${jobId}`);

/** The edits to store; null if the scenes are unchanged. */
export const uncheckedOf = (edits: Edits | null, { storyboardId }: Storyboard): UncheckedScenes | null =>
  edits && isChanged(edits) ? { storyboardId, scenes: edits.scenes } : null;

/** Stored edits as one undo step; null if the storyboard changed or the stored scenes do not match it. */
export function restoredEdits(kept: Partial<UncheckedScenes> | undefined, { storyboardId, scenes: first }: Storyboard): Edits | null {
  const layouts = new Map(first.map(({ sceneId, layout }) => [sceneId, layout]));
  if (kept?.storyboardId !== storyboardId || !Array.isArray(kept.scenes)) return null;
  const scenes: readonly Scene[] = kept.scenes;
  if (scenes.length === 0 || !scenes.every((scene) => scene?.content && layouts.get(scene.sceneId) === scene.layout)) return null;
  const edits = { ...editsOf(first), scenes, past: [first] };
  return isChanged(edits) ? edits : null;
}

import type { Scene, Storyboard } from "@colloquy/schemas/explainers/storyboard.ts";
import { AutosavedRow, type RowStore } from "../store/autosaved-row.ts";
import { filmEditsPrefix } from "../store/rows.ts";
import { type Edits, editsOf, isChanged } from "./edits.ts";

/** The scenes of a storyboard as they were changed and not checked yet. */
export interface UncheckedScenes {
  storyboardId: string;
  scenes: readonly Scene[];
}

/** Where the changes to a film are kept until they are checked. */
export const savedEditsRow = (store: RowStore, jobId: string): AutosavedRow<UncheckedScenes> =>
  new AutosavedRow(store, `${filmEditsPrefix}${jobId}`);

/** What is to be kept; null for scenes that are as they were checked. */
export const uncheckedOf = (edits: Edits | null, { storyboardId }: Storyboard): UncheckedScenes | null =>
  edits && isChanged(edits) ? { storyboardId, scenes: edits.scenes } : null;

/** Changes kept earlier; null where the storyboard is another by now, or what was kept is none of its scenes. One step takes all of them back. */
export function restoredEdits(kept: Partial<UncheckedScenes> | undefined, { storyboardId, scenes: first }: Storyboard): Edits | null {
  const layouts = new Map(first.map(({ sceneId, layout }) => [sceneId, layout]));
  if (kept?.storyboardId !== storyboardId || !Array.isArray(kept.scenes)) return null;
  const scenes: readonly Scene[] = kept.scenes;
  if (scenes.length === 0 || !scenes.every((scene) => scene?.content && layouts.get(scene.sceneId) === scene.layout)) return null;
  const edits = { ...editsOf(first), scenes, past: [first] };
  return isChanged(edits) ? edits : null;
}

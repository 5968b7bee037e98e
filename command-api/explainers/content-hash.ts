import { canonicalText, sha256 } from "@colloquy/infra/ledger/chain.ts";
import type { RenderSettings } from "@colloquy/schemas/explainer/film.ts";
import type { Storyboard } from "@colloquy/schemas/explainer/storyboard.ts";

/** SHA-256 over everything that decides a film's bytes: what its scenes say and show, how it is made, and by which renderer. Ids of ours decide nothing. */
export function contentHashOf(storyboard: Storyboard, settings: RenderSettings, rendererVersion: number): string {
  const { storyboardId: _, scenes, ...rest } = storyboard;
  const content = { ...rest, scenes: scenes.map(({ sceneId: __, ...scene }) => scene) };
  return sha256(canonicalText({ content, settings, rendererVersion }));
}
